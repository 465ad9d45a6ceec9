import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Harness } from '../../support/harness.ts'

/** What a tool answered. */
export interface Told {
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
  value: any
}

/** Calls a tool of a client. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
  const [first] = content
  assert.equal(first?.type, 'text')
  assert.deepEqual([content.length, structuredContent], [1, undefined], 'an answer comes once')
  return { isError, value: JSON.parse(first.text) }
}

/** Lets a harness listen; gives its address. */
export async function listening({ app }: Pick<Harness, 'app'>): Promise<string> {
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** The reference client, connected to a service with these headers. `modern`: by the revision without a handshake. */
export async function connected(
  url: string,
  headers: Record<string, string>,
  { modern = false } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  )
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  after(() => client.close())
  return client
}

/** Kind of the problem that a tool answered; what it answered where it is none. */
export function problemOf({ isError, value }: Told): unknown {
  return isError ? String(value.error.type).replace('urn:stentor:problem:', '') : value
}

/** A first call and, with its confirmation, the second; gives what both answered. */
export async function callTwice(client: Client, name: string, args: Record<string, unknown>): Promise<[Told, Told]> {
  const first = await callTool(client, name, args)
  assert.deepEqual([first.isError, first.value.state], [false, 'confirmation-needed'], JSON.stringify(first.value))
  const { confirmation } = first.value
  return [first, await callTool(client, name, { ...args, confirmation })]
}

/** What a first call answers, whole: `told` beside what all of them have. */
export function assertPending({ isError, value }: Told, told: Record<string, unknown>): void {
  const { confirmation, goodUntil, next, ...rest } = value
  assert.deepEqual([isError, typeof confirmation, typeof goodUntil], [false, 'string', 'string'], JSON.stringify(value))
  assert.match(next, /^Nothing was done\./)
  assert.deepEqual(rest, { state: 'confirmation-needed', ...told })
}

/** Data as it is told: as words of others. */
export function untrusted(data: unknown): { untrusted: true; data: unknown } {
  return { untrusted: true, data }
}

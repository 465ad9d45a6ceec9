import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Harness } from '../harness.ts'

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
  assert.deepEqual(JSON.parse(first.text), structuredContent)
  return { isError, value: structuredContent }
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

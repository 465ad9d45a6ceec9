import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { PROGRAM_VERSION } from '../../version.ts'
import type { CliCommand } from '../usage.ts'

/** The revision in which the service is asked, whatever the client speaks. */
const REVISION = '2025-11-25'

interface Service {
  url: string
  key: string
}

interface Message {
  result?: Record<string, unknown>
  error?: { message: string }
}

/** What a service answers to a message. Throws an Error that says what to change. */
async function askService({ url, key }: Service, method: string, params: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'x-key': key,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params }),
  }).catch((cause) => {
    throw new OperatorError(`STENTOR_URL: no service answers at ${url}.`, { cause })
  })
  const answer = (await response.json().catch(() => ({}))) as Message & { detail?: string }
  if (response.status === 401) throw new OperatorError('STENTOR_KEY: the service does not know this key.')
  if (answer.result) return answer.result
  throw new OperatorError(answer.error?.message ?? answer.detail ?? `The service answered ${response.status}.`)
}

/** What a service says of itself and of its tools. */
async function introduced(service: Service): Promise<{ instructions?: string }> {
  return askService(service, 'initialize', {
    protocolVersion: REVISION,
    capabilities: {},
    clientInfo: { name: 'stentor mcp', version: PROGRAM_VERSION },
  })
}

/** A server that hands tools and their calls on to the service, which has them. */
function relayOf(service: Service, instructions: string | undefined): Server {
  const server = new Server(
    { name: 'stentor', title: 'Stentor', version: PROGRAM_VERSION },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  )
  server.setRequestHandler('tools/list', async () => (await askService(service, 'tools/list', {})) as never)
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
    return (await askService(service, 'tools/call', { name, arguments: args ?? {} })) as never
  })
  return server
}

/** `stentor mcp`: the tools of a running service over standard input and output, until the client closes them. */
export const mcpCommand: CliCommand = async ({ config }) => {
  const { url, key } = config.service
  if (url === '')
    throw new OperatorError('STENTOR_URL is missing: the address of the service, such as http://localhost:8080.')
  if (key === undefined)
    throw new OperatorError('STENTOR_KEY is missing: a key of the account, from "stentor keys create".')
  const service = { url, key }
  const { instructions } = await introduced(service)
  const transport = new StdioServerTransport()
  serveStdio(() => relayOf(service, instructions), { transport })
  return 0
}

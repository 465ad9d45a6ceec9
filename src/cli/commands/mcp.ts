import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { PROGRAM_VERSION } from '../../version.ts'
import type { CliCommand } from '../usage.ts'

/** The revision in which the service is asked, whatever the client speaks. */
const PROTOCOL_REVISION = '2025-11-25'

interface ServiceAddress {
  url: string
  key: string
}

interface ServiceMessage {
  result?: Record<string, unknown>
  error?: { message: string }
}

/** Sends a message to the service and returns its answer. Throws an Error that says what to change. */
async function callService(
  { url, key }: ServiceAddress,
  method: string,
  params: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL_REVISION,
      'x-key': key,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params }),
  }).catch((cause) => {
    throw new OperatorError(`STENTOR_URL: no service responds at ${url}.`, { cause })
  })
  const responseBody = (await response.json().catch(() => ({}))) as ServiceMessage & { detail?: string }
  if (response.status === 401) throw new OperatorError('STENTOR_KEY: the key is unknown, revoked or expired.')
  if (responseBody.result) return responseBody.result
  throw new OperatorError(
    responseBody.error?.message ?? responseBody.detail ?? `The service responded with status ${response.status}.`,
  )
}

/** The description that a service returns of itself and of its tools. */
async function fetchServiceInfo(service: ServiceAddress): Promise<{ instructions?: string }> {
  return callService(service, 'initialize', {
    protocolVersion: PROTOCOL_REVISION,
    capabilities: {},
    clientInfo: { name: 'stentor mcp', version: PROGRAM_VERSION },
  })
}

/** A server that hands tools and their calls on to the service, which has them. */
function createRelayServer(service: ServiceAddress, instructions: string | undefined): Server {
  const server = new Server(
    { name: 'stentor', title: 'Stentor', version: PROGRAM_VERSION },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  )
  server.setRequestHandler('tools/list', async () => (await callService(service, 'tools/list', {})) as never)
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
    return (await callService(service, 'tools/call', { name, arguments: args ?? {} })) as never
  })
  return server
}

/** `stentor mcp`: the tools of a running service over standard input and output, until the client closes them. */
export const mcpCommand: CliCommand = async ({ config }) => {
  const { url, key } = config.service
  if (url === '')
    throw new OperatorError('STENTOR_URL is required: the URL of the service, such as http://localhost:8080.')
  if (key === undefined)
    throw new OperatorError('STENTOR_KEY is required: an API key of the account. "stentor keys create" creates one.')
  const serviceAddress = { url, key }
  const { instructions } = await fetchServiceInfo(serviceAddress)
  const transport = new StdioServerTransport()
  serveStdio(() => createRelayServer(serviceAddress, instructions), { transport })
  return 0
}

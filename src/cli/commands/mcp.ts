import { randomUUID } from 'node:crypto'
import { ProtocolError, Server, type ServerCapabilities } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { isJsonObject } from '../../lib/objects.ts'
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
  error?: { code: number; message: string; data?: unknown }
  /** Explanation in a problem document. */
  detail?: string
}

type RelayedMethod = (typeof RELAYED_METHODS)[keyof typeof RELAYED_METHODS][number]

/** Sends a message to the service and returns its answer. Throws an OperatorError that says what to change, or the ProtocolError of the service. */
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
  const responseBody: unknown = await response.json().catch(() => undefined)
  if (response.status === 401) throw new OperatorError('STENTOR_KEY: the key is unknown, revoked or expired.')
  const { result, error, detail } = (isJsonObject(responseBody) ? responseBody : {}) as ServiceMessage
  if (isJsonObject(result)) return result
  if (error) throw new ProtocolError(error.code, error.message, error.data)
  throw detail === undefined ? createForeignServiceError(url, response.status) : new OperatorError(detail)
}

function createForeignServiceError(url: string, status: number): OperatorError {
  return new OperatorError(`STENTOR_URL: the service at ${url} does not respond as Stentor does (status ${status}).`)
}

/** The description that a service returns of itself: its capabilities, and what assistants should know. */
interface ServiceDescription {
  capabilities: ServerCapabilities
  instructions?: string
}

/** Throws an OperatorError for a service that is not Stentor, or rejects the protocol of this program. */
async function fetchServiceDescription(service: ServiceAddress): Promise<ServiceDescription> {
  const description = await callService(service, 'initialize', {
    protocolVersion: PROTOCOL_REVISION,
    capabilities: {},
    clientInfo: { name: 'stentor mcp', version: PROGRAM_VERSION },
  }).catch((error) => {
    if (!(error instanceof ProtocolError)) throw error
    const reason = error.message.replace(/\.$/, '')
    throw new OperatorError(`The service at ${service.url} rejects this program: ${reason}.`, { cause: error })
  })
  if (!isJsonObject(description['capabilities'])) throw createForeignServiceError(service.url, 200)
  return description as unknown as ServiceDescription
}

/** Requests that are handed on, by the capability of a service that has them. */
const RELAYED_METHODS = {
  tools: ['tools/list', 'tools/call'],
  prompts: ['prompts/list', 'prompts/get'],
  resources: ['resources/list', 'resources/templates/list', 'resources/read'],
} as const

/** A server that hands requests on to the service, which has the tools, prompts and resources. */
function createRelayServer(service: ServiceAddress, { capabilities, instructions }: ServiceDescription): Server {
  const names = (['tools', 'prompts', 'resources'] as const).filter((name) => capabilities[name] !== undefined)
  const server = new Server(
    { name: 'stentor', title: 'Stentor', version: PROGRAM_VERSION },
    {
      capabilities: Object.fromEntries(names.map((name) => [name, {}])),
      ...(instructions !== undefined && { instructions }),
    },
  )
  for (const method of names.flatMap((name): readonly RelayedMethod[] => RELAYED_METHODS[name]))
    server.setRequestHandler(method, async ({ params = {} }) => {
      // Metadata belongs to the revision that the client speaks.
      const { _meta, ...relayed } = params
      return (await callService(service, method, relayed)) as never
    })
  return server
}

/** `stentor mcp`: the tools, prompts and resources of a running service over standard input and output, until the client closes them. */
export const mcpCommand: CliCommand = async ({ config }) => {
  const { url, key } = config.service
  if (url === '')
    throw new OperatorError('STENTOR_URL is required: the URL of the service, such as http://localhost:8080.')
  if (key === undefined)
    throw new OperatorError('STENTOR_KEY is required: an API key of the account. "stentor keys create" creates one.')
  const serviceAddress = { url, key }
  const description = await fetchServiceDescription(serviceAddress)
  const transport = new StdioServerTransport()
  serveStdio(() => createRelayServer(serviceAddress, description), { transport })
  return 0
}

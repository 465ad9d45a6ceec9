import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyRequest, InjectOptions } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { readPresentedApiKey } from '../../http/middleware/authentication.ts'
import { claimSingleUse } from '../../http/middleware/idempotency.ts'
import { requireNotCrossSite } from '../../http/middleware/site.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { toPublicSite } from '../../lib/net/site.ts'
import { assertReleasable } from '../approvals/approvals.ts'
import { type McpApiCaller, type McpApiRequest, wrapProblemExtras } from './ask.ts'
import { createToolConfirmations } from './confirmations.ts'
import { createMcpServers } from './mcp-server.ts'
import type { McpToolContext } from './tool.ts'

/** A call of a tool is one message: batches were taken out of the protocol. */
const BODY_LIMIT = 4 * 1024 * 1024
/** Headers by which the request of a user is checked. */
const SESSION_HEADERS = ['cookie', 'origin', 'referer', 'sec-fetch-site', 'x-account', 'user-agent'] as const

function buildRequestUrl({ path, query = {} }: McpApiRequest): string {
  const definedParameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return definedParameters.length === 0 ? path : `${path}?${new URLSearchParams(definedParameters)}`
}

/** The headers by which a request within another one is its caller's: of the key, or of the session. */
function copyIdentityHeaders(request: FastifyRequest): Record<string, string> {
  const { headers, host, id } = request
  const key = request.person ? undefined : readPresentedApiKey(request)
  const sessionHeaders = SESSION_HEADERS.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { host, 'x-request-id': id, ...(key === undefined ? Object.fromEntries(sessionHeaders) : { 'x-key': key }) }
}

/** Asks this service's own routes as the caller of a request. */
function requestAsCaller(app: HttpApp, request: FastifyRequest): McpApiCaller {
  const identity = copyIdentityHeaders(request)
  return async (question) => {
    const { method, body, headers } = question
    const hasBody = body !== undefined
    const options: InjectOptions = {
      method,
      url: buildRequestUrl(question),
      remoteAddress: request.ip,
      headers: { ...headers, ...identity, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { payload: JSON.stringify(body) }),
    }
    const { statusCode: status, payload: responseBody, headers: responseHeaders } = await app.inject(options)
    const isJson = responseBody !== '' && String(responseHeaders['content-type'] ?? '').includes('json')
    const { etag } = responseHeaders
    return { status, body: isJson ? JSON.parse(responseBody) : null, etag: typeof etag === 'string' ? etag : undefined }
  }
}

/** The trial of a validation or activation, whose refusal quotes what is stored as the interface does: as data. */
function createReleaseCheck(context: ServiceContext, { account, rights }: FastifyRequest) {
  return async (...[type, id]: Parameters<McpToolContext['assertReleasable']>): Promise<void> => {
    try {
      await assertReleasable(context, account, { type, id }, rights ?? [])
    } catch (error) {
      throw error instanceof Problem ? wrapProblemExtras(error) : error
    }
  }
}

function createToolContext(app: HttpApp, context: ServiceContext, request: FastifyRequest): McpToolContext {
  const { db, clock, masterKeys } = context
  const { account, actor } = request
  const confirmationHolder = `${account} ${actor?.type} ${actor?.id}`
  const useOnceOf = (id: string): Promise<boolean> =>
    claimSingleUse(db, account, { key: `mcp ${id}`, now: clock.now() })
  return {
    ask: requestAsCaller(app, request),
    assertReleasable: createReleaseCheck(context, request),
    now: () => clock.now(),
    confirmations: createToolConfirmations({ masterKeys, clock, holder: confirmationHolder, useOnce: useOnceOf }),
  }
}

/** Answers a request of clients that open with a handshake: there is no session, so that any process answers the next one. */
async function serveWithoutSession(server: Server, protocolRequest: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(protocolRequest, { parsedBody })
  } finally {
    await server.close()
  }
}

/** The request as the protocol's library reads it. */
function toWebRequest({ headers, url }: FastifyRequest, origin: string): Request {
  const headerEntries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new Request(new URL(url, origin), {
    method: 'POST',
    headers: new Headers(headerEntries as [string, string][]),
  })
}

/** `/mcp`: the tools over streamable HTTP. Each call is operations of the interface, asked as its caller. */
export function mcpRoutes(app: HttpApp, context: ServiceContext): void {
  const publicSite = toPublicSite(context.config.publicUrl)
  const createServer = createMcpServers((error) => app.log.error({ err: error }, 'tool failed'))
  const toolContexts = new WeakMap<Request, McpToolContext>()
  const handler = createMcpHandler(({ requestInfo }) => createServer(toolContexts.get(requestInfo!)!), {
    legacy: 'reject',
    // There is nothing to subscribe to: tools do not change while the program runs.
    maxSubscriptions: 0,
  })
  app.addHook('preClose', () => handler.close())
  app.post('/mcp', {
    bodyLimit: BODY_LIMIT,
    config: {
      account: 'optional',
      bearer: true,
      audit: { untold: 'a call is operations of the interface, which tell what they do' },
    },
    schema: { hide: true },
    onRequest: async (request) => requireNotCrossSite(request, publicSite),
    handler: async (request, reply) => {
      const { body } = request
      if (Array.isArray(body)) throw new Problem(400, 'invalid-request', 'Send one message per request, not an array.')
      const protocolRequest = toWebRequest(request, publicSite.origin)
      const toolContext = createToolContext(app, context, request)
      toolContexts.set(protocolRequest, toolContext)
      const toolResponse = (await isLegacyRequest(protocolRequest, body))
        ? await serveWithoutSession(createServer(toolContext), protocolRequest, body)
        : await handler.fetch(protocolRequest, { parsedBody: body })
      reply.code(toolResponse.status).header('cache-control', 'no-store')
      const type = toolResponse.headers.get('content-type')
      if (type !== null) reply.type(type)
      return reply.send(await toolResponse.text())
    },
  })
}

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import { Problem } from '../lib/errors/problem.ts'
import type { Tracing } from '../lib/telemetry/tracing.ts'
import type { HttpApp } from './app-type.ts'
import { BODY_LIMIT_BYTES } from './middleware/parsing.ts'
import { registerRequestMetrics } from './middleware/request-metrics.ts'
import { registerRequestTracing } from './middleware/request-spans.ts'
import { answerInvalidPath, answerUnreadableRequest, buildProblemBody, COMMON_ANSWER_HEADERS } from './problems.ts'
import { normalizeRequestPath } from './validation/paths.ts'

const STOPPING_PROBLEM = new Problem(503, 'unavailable', 'The service is stopping.')
const VALID_REQUEST_ID = /^[\w.:-]{1,128}$/

function resolveRequestId(raw: IncomingMessage): string {
  const headerValue = raw.headers['x-request-id']
  return typeof headerValue === 'string' && VALID_REQUEST_ID.test(headerValue) ? headerValue : randomUUID()
}

/** Answers sent while the server closes end their connections: a kept-alive one would delay the stop. */
function closeConnectionsOnStop(app: HttpApp): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  // Not thrown: that would be logged as an internal error.
  app.addHook('onRequest', async (request, reply) => {
    if (!isClosing) return
    const body = JSON.stringify(buildProblemBody(STOPPING_PROBLEM, request.id))
    return reply.code(503).header('retry-after', '5').type('application/problem+json').send(body)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}

/** An HTTP server that reads requests as the interface says, without routes; it does not listen. */
export function createHttpServer(
  log: FastifyBaseLogger,
  registry: Registry,
  { trustedProxies, tracing }: { trustedProxies: string | undefined; tracing?: Tracing | undefined },
): HttpApp {
  const app: HttpApp = fastify({
    loggerInstance: log,
    genReqId: resolveRequestId,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    trustProxy: trustedProxies ?? false,
    bodyLimit: BODY_LIMIT_BYTES,
    frameworkErrors: answerInvalidPath,
    clientErrorHandler: answerUnreadableRequest,
    rewriteUrl: (request) => normalizeRequestPath(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 4096 },
    ajv: { customOptions: { coerceTypes: false } },
    // Such an answer is a problem document like any other: made below.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>()
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...COMMON_ANSWER_HEADERS })
  })
  registerRequestMetrics(app, registry)
  registerRequestTracing(app, tracing)
  closeConnectionsOnStop(app)
  return app
}

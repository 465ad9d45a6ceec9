import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RemoteTraceParent, SpanAttributes, Tracing } from '../../lib/telemetry/tracing.ts'
import type { HttpApp } from '../app-type.ts'

/** Paths that machines request every few seconds. */
const QUIET_PATH = /^\/(health\/|metrics$)/

const getHeaderText = (header: string | string[] | undefined): string | undefined =>
  [header].flat().join(',') || undefined

/**
 * The caller's trace goes on for those who are known: whoever follows a link could have everything kept that we do not
 * sample.
 */
function extractRemoteContext({ actor, headers }: FastifyRequest): RemoteTraceParent | undefined {
  return actor
    ? { traceparent: getHeaderText(headers['traceparent']), tracestate: getHeaderText(headers['tracestate']) }
    : undefined
}

/** The pattern of the path and not the path, which holds ids and tokens; nothing of the query, the body or the headers. */
function buildSpanAttributes(request: FastifyRequest, reply: FastifyReply, route: string | undefined): SpanAttributes {
  return {
    'http.request.method': request.method,
    'url.scheme': request.protocol,
    'http.response.status_code': reply.statusCode,
    ...(route !== undefined && { 'http.route': route }),
    ...(request.account !== 0 && { 'stentor.account': request.account }),
  }
}

/** A span of each request, made once it was answered. */
export function registerRequestTracing(app: HttpApp, tracing: Tracing | undefined): void {
  if (!tracing) return
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url
    if (route !== undefined && QUIET_PATH.test(route)) return
    const span = tracing.start(route === undefined ? request.method : `${request.method} ${route}`, {
      kind: 'server',
      remote: extractRemoteContext(request),
      startedAt: Date.now() - reply.elapsedTime,
      attributes: buildSpanAttributes(request, reply, route),
    })
    span.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined)
  })
}

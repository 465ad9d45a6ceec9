import { type OutboundAnswer, parseOutboundUrl } from '../../lib/net/guarded-client.ts'
import { requestOverHttp2 } from './exchange.ts'
import { type Http1Agent, openHttp1Agent, requestOverHttp1 } from './http1.ts'
import { type Http2Pool, openHttp2Pool } from './pool.ts'
import { type TransportContext, type TransportRequest, UnansweredRequest, UnprocessedRequest } from './request.ts'

/** Connections that are kept, to whatever is called: HTTP/2 where the far side has it, else HTTP/1.1. */
export interface HttpTransport {
  /** Follows no redirect. Throws RefusedAddressError, what `beforeWrite` throws, and Unanswered when no whole answer came. */
  call(request: TransportRequest): Promise<OutboundAnswer>
  /** Cuts what is under way, and disconnects. */
  close(): void
}

/** The open connections to one origin. */
interface OriginConnections {
  url: URL
  /** Set once it is known that the origin has no HTTP/2. */
  http1?: Http1Agent
  pool?: Http2Pool
}

/** A request of one call: what is called before it is written is called once, however often it is repeated. */
interface PendingCall {
  url: URL
  request: TransportRequest
  beforeWrite: () => Promise<void>
  signal: AbortSignal
}

async function callOnce(
  origin: OriginConnections,
  context: TransportContext,
  call: PendingCall,
): Promise<OutboundAnswer> {
  const { url, request, beforeWrite } = call
  if (origin.http1 === undefined) {
    const pool = (origin.pool ??= openHttp2Pool(origin.url, context))
    const session = await pool.take()
    if (session !== undefined) {
      try {
        await beforeWrite()
        if (session.http2.destroyed || session.http2.closed) throw new UnprocessedRequest('the connection was closed')
        return await requestOverHttp2(session, url, request)
      } finally {
        pool.release(session)
      }
    }
  }
  call.signal.throwIfAborted()
  origin.http1 ??= openHttp1Agent(origin.url, context)
  return requestOverHttp1(origin.http1, url, request, call)
}

const MAX_REPEATS = 5

/** Repeats at once what the far side did not process since its connection went away. */
async function repeatUnprocessed(once: () => Promise<OutboundAnswer>): Promise<OutboundAnswer> {
  for (let remainingRepeats = MAX_REPEATS; ; remainingRepeats--) {
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof UnprocessedRequest)) throw error
      if (remainingRepeats === 0) throw new UnansweredRequest(error.message, false)
    }
  }
}

/** Calls at most once, whatever it answers. */
function runOnce(announce: (() => Promise<unknown>) | undefined): () => Promise<void> {
  let announced: Promise<unknown> | undefined
  return async () => {
    announced ??= announce?.() ?? Promise.resolve()
    await announced
  }
}

/** Opens nothing yet. */
export function openHttpTransport(context: TransportContext): HttpTransport {
  const origins = new Map<string, OriginConnections>()
  const closeController = new AbortController()

  function getOrCreateOrigin(url: URL): OriginConnections {
    const existingOrigin = origins.get(url.origin)
    if (existingOrigin !== undefined) return existingOrigin
    const newOrigin: OriginConnections = { url: new URL(url.origin) }
    if (url.protocol === 'http:') newOrigin.http1 = openHttp1Agent(newOrigin.url, context)
    origins.set(url.origin, newOrigin)
    return newOrigin
  }

  async function sendRequest(request: TransportRequest): Promise<OutboundAnswer> {
    const url = parseOutboundUrl(request.url, context.reach)
    if (closeController.signal.aborted) throw new UnansweredRequest('the gateway is closing', false)
    const pendingCall: PendingCall = {
      url,
      request,
      beforeWrite: runOnce(request.beforeWrite),
      signal: closeController.signal,
    }
    return repeatUnprocessed(() => callOnce(getOrCreateOrigin(url), context, pendingCall))
  }

  function closeTransport(): void {
    closeController.abort(new UnansweredRequest('the gateway is closing', false))
    for (const { http1, pool } of origins.values()) {
      http1?.destroy()
      pool?.close()
    }
    origins.clear()
  }

  return { call: sendRequest, close: closeTransport }
}

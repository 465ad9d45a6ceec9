import { type Answer, NoAnswer, RefusedAddress, readOutgoing } from '../../lib/guarded-client.ts'
import { describeError } from '../socket.ts'
import type { Http1Agent } from './http1.ts'
import { callHttp1, openHttp1 } from './http1.ts'
import type { Http2Connection } from './http2.ts'
import { callHttp2, openHttp2, RefusedStream } from './http2.ts'
import type { TransportContext, TransportRequest } from './transport-request.ts'

/** Connections that are kept, to whatever is called: HTTP/2 where the far side has it, else HTTP/1.1. */
export interface Transport {
  /** Follows no redirect. Throws RefusedAddress, and NoAnswer when no whole answer came in time. */
  call(request: TransportRequest): Promise<Answer>
  /** Cuts what is under way, and disconnects. */
  close(): void
}

/** What is open to one origin. */
interface Origin {
  url: URL
  /** Set once it is known that the origin has no HTTP/2. */
  http1?: Http1Agent
  /** Being opened, or open. */
  http2?: Promise<Http2Connection | undefined> | undefined
}

/** The HTTP/2 connection to an origin that takes more requests; undefined: it has none. */
async function connectionTo(origin: Origin, context: TransportContext): Promise<Http2Connection | undefined> {
  if (origin.http1 !== undefined) return undefined
  for (;;) {
    const opening = (origin.http2 ??= openHttp2(origin.url, context))
    try {
      const connection = await opening
      if (connection === undefined) origin.http1 ??= openHttp1(origin.url, context)
      if (connection === undefined || !connection.isOver()) return connection
    } catch (error) {
      if (origin.http2 === opening) origin.http2 = undefined
      throw error
    }
    if (origin.http2 === opening) origin.http2 = undefined
  }
}

async function callOnce(
  origin: Origin,
  url: URL,
  request: TransportRequest,
  { context, signal }: { context: TransportContext; signal: AbortSignal },
): Promise<Answer> {
  const connection = await connectionTo(origin, context)
  signal.throwIfAborted()
  if (connection === undefined) {
    origin.http1 ??= openHttp1(origin.url, context)
    return callHttp1(origin.http1, url, request, signal)
  }
  return callHttp2(connection, url, request, signal)
}

function failureOf(error: unknown, { timeoutMs }: TransportRequest, deadline: AbortSignal): Error {
  if (error instanceof RefusedAddress || error instanceof NoAnswer) return error
  if (deadline.aborted) return new NoAnswer(`no answer within ${timeoutMs / 1000} s`)
  return new NoAnswer(error instanceof Error ? describeError(error) : 'the connection failed')
}

const MAX_REPEATS = 5

/** Repeats at once what the far side did not process since its connection went away. */
async function repeatRefused(once: () => Promise<Answer>): Promise<Answer> {
  for (let left = MAX_REPEATS; ; left--) {
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof RefusedStream) || left === 0) throw error
    }
  }
}

/** Opens nothing yet. */
export function openTransport(context: TransportContext): Transport {
  const origins = new Map<string, Origin>()
  const cut = new AbortController()

  function originOf(url: URL): Origin {
    const known = origins.get(url.origin)
    if (known !== undefined) return known
    const made: Origin = { url: new URL(url.origin) }
    if (url.protocol === 'http:') made.http1 = openHttp1(made.url, context)
    origins.set(url.origin, made)
    return made
  }

  async function call(request: TransportRequest): Promise<Answer> {
    const url = readOutgoing(request.url, context.reach)
    const deadline = AbortSignal.timeout(request.timeoutMs)
    const signal = AbortSignal.any([deadline, cut.signal])
    const parts = { context, signal }
    const late = Promise.withResolvers<never>()
    const onAbort = () => late.reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const once = () => Promise.race([callOnce(originOf(url), url, request, parts), late.promise])
    try {
      signal.throwIfAborted()
      return await repeatRefused(once)
    } catch (error) {
      throw failureOf(error, request, deadline)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  function close(): void {
    cut.abort(new NoAnswer('the gateway is closing'))
    for (const { http1, http2 } of origins.values()) {
      http1?.destroy()
      http2?.then((connection) => connection?.destroy()).catch(() => undefined)
    }
    origins.clear()
  }

  return { call, close }
}

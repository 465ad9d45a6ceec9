import { backoff, delay } from './delay.ts'
import { retryAfterOf } from './errors.ts'

/** How requests are tried again. */
export interface RetryOptions {
  /** Tries after the first one; 0: none, and no `Idempotency-Key` is made. 4 by default. */
  retries?: number
  /** The pause before the second try, which doubles with each one, in milliseconds; 250 by default. */
  firstPauseMs?: number
  /** The longest pause, in milliseconds; a longer `Retry-After` is not waited for but thrown. 60,000 by default. */
  longestPauseMs?: number
}

export interface SendOptions extends RetryOptions {
  fetch: typeof fetch
}

/** A request that can be made as often as it is tried. */
export interface Repeatable {
  method: string
  headers: Headers
  signal?: AbortSignal | null
  /** Whether its body can be sent once more. */
  isRepeatable: boolean
  make(headers: Headers): Request
  /** The request that its signal is of. */
  origin: Request
}

/**
 * Requests by the body of their answer. Node.js forgets a signal with the request that it was given to: as long as a body is read, the
 * requests that lead to its signal are kept.
 */
const kept = new WeakMap<ReadableStream, readonly unknown[]>()

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Refused before anything was done. */
const TOO_MANY = 429
/** Not done, or it is not known whether: 502 and 504 are of what stands before the service. */
const UNSURE = new Set([502, 503, 504])
const RUNNING = 'idempotency-key-running'

/** Whether a first try with this key, whose answer was lost, still runs. */
async function isStillRunning(response: Response): Promise<boolean> {
  return response.status === 409 && (await response.clone().text()).includes(RUNNING)
}

/**
 * Sends a request until it is answered: 429, 502, 503, 504 and failures of the network are tried again, after `Retry-After` where there
 * is one. A write is repeated only when nothing can be done twice: a POST has an `Idempotency-Key`, made here unless the caller gives
 * one; any other write, and what cannot be sent once more, is repeated after 429 alone, or not at all.
 */
export async function send(request: Repeatable, options: SendOptions): Promise<Response> {
  const { retries = 4, firstPauseMs: firstMs = 250, longestPauseMs: longestMs = 60_000 } = options
  const headers = new Headers(request.headers)
  if (request.method === 'POST' && retries > 0 && !headers.has('idempotency-key'))
    headers.set('idempotency-key', crypto.randomUUID())
  const isSafe = READS.has(request.method) || headers.has('idempotency-key')
  for (let n = 1; ; n++) {
    const isLast = n > retries || !request.isRepeatable
    let response: Response | undefined
    const made = request.make(headers)
    try {
      response = await options.fetch(made)
      if (response.body) kept.set(response.body, [request, made])
    } catch (error) {
      if (isLast || !isSafe || request.signal?.aborted) throw error
    }
    if (response) {
      const isRefused = response.status === TOO_MANY || (isSafe && UNSURE.has(response.status))
      if (isLast || !(isRefused || (n > 1 && (await isStillRunning(response))))) return response
    }
    const asked = response && retryAfterOf(response)
    if (response && asked !== undefined && asked > longestMs) return response
    await response?.body?.cancel()
    const pause = backoff(n, { firstMs, longestMs })
    await delay(asked === undefined ? pause : Math.max(asked, pause), request.signal)
  }
}

/** A `fetch` for the generated client, which gives it whole requests. */
export function sendingFetch(options: SendOptions): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init)
    const { method, headers, signal } = request
    const body = READS.has(method) ? undefined : await request.arrayBuffer()
    const given = body && body.byteLength > 0 ? { body } : {}
    const { url, credentials, redirect } = request
    const make = (all: Headers) => new Request(url, { method, headers: all, signal, credentials, redirect, ...given })
    return send({ method, headers, signal, isRepeatable: true, make, origin: request }, options)
  }
}

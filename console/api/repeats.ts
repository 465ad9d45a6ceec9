import { ApiRefusal } from './refusal.ts'

/** Time that a request is retried unseen: then people are told. */
const RETRY_PERIOD_MS = 10_000
const INITIAL_PAUSE_MS = 500

const READ_METHODS = new Set(['GET', 'HEAD'])

/** The wait before a refused request is sent again, in milliseconds; undefined if it must not be: it may have taken effect, or was rejected. */
function computePauseMs({ method }: Request, error: unknown, retryCount: number): number | undefined {
  if (!(error instanceof ApiRefusal)) return undefined
  const { status, kind, retryAfterSeconds } = error
  const hadNoPlace = READ_METHODS.has(method)
    ? status === 503 || status === 429
    : kind === 'overloaded' && retryAfterSeconds
  if (!hadNoPlace) return undefined
  return retryAfterSeconds === null ? INITIAL_PAUSE_MS * 2 ** retryCount : retryAfterSeconds * 1000
}

/** Waits. Rejects with the reason of the signal when it aborts. */
function waitFor(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const handleAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', handleAbort)
      resolve()
    }, waitMs)
    if (signal.aborted) handleAbort()
    else signal.addEventListener('abort', handleAbort, { once: true })
  })
}

/**
 * Sends a request, and retries it for ten seconds, after `Retry-After`, while the service is overloaded. Stops when its signal aborts, as it
 * does when the page is left. Requests that write are retried only if they were refused before they took effect. Rejects as `send`
 * does.
 */
export async function sendWithRetries(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  let nextRequest = request
  const firstSentMs = Date.now()
  for (let retryCount = 0; ; retryCount++) {
    const retryRequest = nextRequest.clone()
    try {
      return await send(nextRequest)
    } catch (error) {
      const waitMs = computePauseMs(request, error, retryCount)
      if (waitMs === undefined || Date.now() + waitMs > firstSentMs + RETRY_PERIOD_MS) throw error
      await waitFor(waitMs, request.signal)
      nextRequest = retryRequest
    }
  }
}

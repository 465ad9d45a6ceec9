import { ApiRefusal } from './refusal.ts'

const MOST = 3
const FIRST_MS = 500
const LONGEST_MS = 10_000

const reads = new Set(['GET', 'HEAD'])

/** The wait before a refused request is sent again, in milliseconds; undefined if it must not be: it may have taken effect, or was rejected. */
function pauseMs({ method }: Request, error: unknown, repeats: number): number | undefined {
  if (!(error instanceof ApiRefusal) || repeats === MOST) return undefined
  const { status, kind, retryAfterSeconds } = error
  const hadNoPlace = reads.has(method) ? status === 503 || status === 429 : kind === 'overloaded' && retryAfterSeconds
  if (!hadNoPlace) return undefined
  return retryAfterSeconds === null ? FIRST_MS * 2 ** repeats : Math.min(retryAfterSeconds * 1000, LONGEST_MS)
}

/** Waits. Rejects with the reason of the signal when it aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Sends a request, and retries it at most three times, after `Retry-After`, while the service is overloaded. Stops when its signal aborts,
 * as it does when the page is left. Requests that write are retried only if they were refused before they took effect. Rejects as `send`
 * does.
 */
export async function sendWithRetries(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  let next = request
  for (let repeats = 0; ; repeats++) {
    const again = next.clone()
    try {
      return await send(next)
    } catch (error) {
      const ms = pauseMs(request, error, repeats)
      if (ms === undefined) throw error
      await pause(ms, request.signal)
      next = again
    }
  }
}

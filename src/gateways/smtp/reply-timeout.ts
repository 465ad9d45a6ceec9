/**
 * The time-out of one reply after another, on one timer: it is not restarted for each reply, but when it fires it checks
 * whether the current time-out is over, and otherwise runs on until then. Cheaper than a timer a reply.
 */
export interface ReplyTimeout {
  /** End of the current time-out, in milliseconds of performance.now(); `undefined` while no reply is awaited. */
  until: number | undefined
  timeoutMs: number
  timer: NodeJS.Timeout | undefined
  checksAt: number
  onTimeout: (timeoutMs: number) => void
}

/** Not started yet. `onTimeout` is called once for each time-out that is over, with its length. */
export function createReplyTimeout(onTimeout: (timeoutMs: number) => void): ReplyTimeout {
  return { until: undefined, timeoutMs: 0, timer: undefined, checksAt: 0, onTimeout }
}

function scheduleCheck(timeout: ReplyTimeout, delayMs: number): void {
  clearTimeout(timeout.timer)
  timeout.checksAt = performance.now() + delayMs
  timeout.timer = setTimeout(checkTimeout, delayMs, timeout)
}

function checkTimeout(timeout: ReplyTimeout): void {
  timeout.timer = undefined
  if (timeout.until === undefined) return
  const remainingMs = timeout.until - performance.now()
  if (remainingMs > 0) scheduleCheck(timeout, remainingMs)
  else {
    timeout.until = undefined
    timeout.onTimeout(timeout.timeoutMs)
  }
}

/** Starts a time-out; the one before it is cleared. */
export function startReplyTimeout(timeout: ReplyTimeout, timeoutMs: number): void {
  timeout.until = performance.now() + timeoutMs
  timeout.timeoutMs = timeoutMs
  if (timeout.timer === undefined || timeout.checksAt > timeout.until) scheduleCheck(timeout, timeoutMs)
}

/** The reply came. */
export function clearReplyTimeout(timeout: ReplyTimeout): void {
  timeout.until = undefined
}

/** Also clears the timer, since no further reply is awaited. */
export function disposeReplyTimeout(timeout: ReplyTimeout): void {
  timeout.until = undefined
  clearTimeout(timeout.timer)
}

/**
 * How long each of many waits may last. One timer serves them all: it is not set anew for each, but looks, when its time
 * has come, whether the wait of that moment is over, and otherwise sleeps on until it will be.
 */
export interface ReplyTimeout {
  /** When the wait under way is over, in milliseconds of performance.now(); undefined while nothing is waited for. */
  until: number | undefined
  /** How long that wait may last. */
  timeoutMs: number
  timer: NodeJS.Timeout | undefined
  checksAt: number
  onTimeout: (timeoutMs: number) => void
}

/** Nothing is waited for yet. `onTimeout` is called once for a wait that lasts too long, with how long it might. */
export function createReplyTimeout(onTimeout: (timeoutMs: number) => void): ReplyTimeout {
  return { until: undefined, timeoutMs: 0, timer: undefined, checksAt: 0, onTimeout }
}

function schedule(timeout: ReplyTimeout, delayMs: number): void {
  clearTimeout(timeout.timer)
  timeout.checksAt = performance.now() + delayMs
  timeout.timer = setTimeout(check, delayMs, timeout)
}

function check(timeout: ReplyTimeout): void {
  timeout.timer = undefined
  if (timeout.until === undefined) return
  const leftMs = timeout.until - performance.now()
  if (leftMs > 0) schedule(timeout, leftMs)
  else {
    timeout.until = undefined
    timeout.onTimeout(timeout.timeoutMs)
  }
}

/** A wait of so many milliseconds begins; the one before it is over. */
export function startReplyTimeout(timeout: ReplyTimeout, timeoutMs: number): void {
  timeout.until = performance.now() + timeoutMs
  timeout.timeoutMs = timeoutMs
  if (timeout.timer === undefined || timeout.checksAt > timeout.until) schedule(timeout, timeoutMs)
}

/** What was waited for has come. */
export function clearReplyTimeout(timeout: ReplyTimeout): void {
  timeout.until = undefined
}

/** Nothing will be waited for any more: the timer goes too. */
export function disposeReplyTimeout(timeout: ReplyTimeout): void {
  timeout.until = undefined
  clearTimeout(timeout.timer)
}

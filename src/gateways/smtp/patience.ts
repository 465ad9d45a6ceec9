/**
 * How long each of many waits may last. One timer serves them all: it is not set anew for each, but looks, when its time
 * has come, whether the wait of that moment is over, and otherwise sleeps on until it will be.
 */
export interface Patience {
  /** When the wait under way is over, in milliseconds of performance.now(); undefined while nothing is waited for. */
  until: number | undefined
  /** How long that wait may last. */
  timeoutMs: number
  timer: NodeJS.Timeout | undefined
  looksAt: number
  onOver: (timeoutMs: number) => void
}

/** Nothing is waited for yet. `onOver` is called once for a wait that lasts too long, with how long it might. */
export function createPatience(onOver: (timeoutMs: number) => void): Patience {
  return { until: undefined, timeoutMs: 0, timer: undefined, looksAt: 0, onOver }
}

function lookAfter(patience: Patience, delayMs: number): void {
  clearTimeout(patience.timer)
  patience.looksAt = performance.now() + delayMs
  patience.timer = setTimeout(look, delayMs, patience)
}

function look(patience: Patience): void {
  patience.timer = undefined
  if (patience.until === undefined) return
  const leftMs = patience.until - performance.now()
  if (leftMs > 0) lookAfter(patience, leftMs)
  else {
    patience.until = undefined
    patience.onOver(patience.timeoutMs)
  }
}

/** A wait of so many milliseconds begins; the one before it is over. */
export function wait(patience: Patience, timeoutMs: number): void {
  patience.until = performance.now() + timeoutMs
  patience.timeoutMs = timeoutMs
  if (patience.timer === undefined || patience.looksAt > patience.until) lookAfter(patience, timeoutMs)
}

/** What was waited for has come. */
export function waitNoMore(patience: Patience): void {
  patience.until = undefined
}

/** Nothing will be waited for any more: the timer goes too. */
export function endPatience(patience: Patience): void {
  patience.until = undefined
  clearTimeout(patience.timer)
}

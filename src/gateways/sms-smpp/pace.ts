import { type BackoffPolicy, computeBackoffDelay } from '../../lib/time/backoff.ts'

const throttleBackoff: BackoffPolicy = { firstMs: 100, maxMs: 10_000, jitter: [0.75, 1.25] }

/** The rate of submissions: as the settings say, and slower while the message centre throttles. */
export interface SmppPace {
  /** Returns the delay before the next submission; 0: submit now. */
  waitMs(now: number): number
  /** One was submitted. */
  spend(now: number): void
  /** The message centre throttles: a pause, twice as long as the one before when that did not help. */
  throttle(now: number): void
  /** One was taken: the next pause is a short one again. */
  ease(): void
}

/** `rate` a second, 0 for no limit. Times are of performance.now(); `random` gives 0 up to 1 and spreads the pauses. */
export function createSmppPace(rate: number, random: () => number = Math.random): SmppPace {
  const intervalMs = rate === 0 ? 0 : 1000 / rate
  let nextAt = 0
  let pausedUntil = 0
  let failures = 0
  return {
    waitMs: (now) => Math.max(0, nextAt - now, pausedUntil - now),
    spend(now) {
      nextAt = Math.max(now, nextAt) + intervalMs
    },
    throttle(now) {
      // Answers to what was in flight before the pause do not say whether it was long enough.
      if (now < pausedUntil) return
      pausedUntil = now + computeBackoffDelay(throttleBackoff, failures, random)
      failures++
    },
    ease() {
      failures = 0
    },
  }
}

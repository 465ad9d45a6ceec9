import { type Backoff, delayAfter, FIFTH_JITTER } from '../lib/backoff.ts'
import type { ClaimedMessage } from './messages.ts'

const onDemand: Backoff = { firstMs: 15_000, maxMs: 3_600_000, jitter: FIFTH_JITTER }

/** What a recipient waits for is tried again sooner, and more often. */
const backoffs: Record<ClaimedMessage['kind'], Backoff> = {
  message: onDemand,
  copy: onDemand,
  fallback: onDemand,
  test: onDemand,
  campaign: { firstMs: 30_000, maxMs: 4 * 3_600_000, jitter: FIFTH_JITTER },
}

/** After this long in the queue a message that was tried is given up: RFC 5321, 4.5.4.1 asks for 4 to 5 days. */
export const GIVE_UP_MS = 4 * 24 * 3600 * 1000

/** Milliseconds until the next try of a deferred message: doubling, as its kind says. `attempts`: those before. */
export function retryDelay(
  { kind, attempts }: Pick<ClaimedMessage, 'kind' | 'attempts'>,
  random: () => number = Math.random,
): number {
  return Math.round(delayAfter(backoffs[kind], attempts, random))
}

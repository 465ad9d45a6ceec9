import type { ClaimedMessage } from './messages.ts'

/** The first delay, and the longest: what somebody waits for is tried again sooner, and more often. */
const delays: Record<ClaimedMessage['kind'], { firstMs: number; longestMs: number }> = {
  message: { firstMs: 15_000, longestMs: 3_600_000 },
  copy: { firstMs: 15_000, longestMs: 3_600_000 },
  test: { firstMs: 15_000, longestMs: 3_600_000 },
  campaign: { firstMs: 30_000, longestMs: 4 * 3_600_000 },
}
/** A fifth either way, so that what failed together does not come back together. */
const JITTER = 0.2

/** After this long in the queue a message that was tried is given up: RFC 5321, 4.5.4.1 asks for 4 to 5 days. */
export const GIVE_UP_MS = 4 * 24 * 3600 * 1000

/** Milliseconds until the next try of a deferred message: doubling, as its kind says. `attempts`: those before. */
export function retryDelay(
  { kind, attempts }: Pick<ClaimedMessage, 'kind' | 'attempts'>,
  random: () => number = Math.random,
): number {
  const { firstMs, longestMs } = delays[kind]
  return Math.round(Math.min(firstMs * 2 ** attempts, longestMs) * (1 - JITTER + 2 * JITTER * random()))
}

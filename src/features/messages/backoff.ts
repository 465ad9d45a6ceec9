const FIRST_MS = 15_000
const LONGEST_MS = 2 * 3600 * 1000
/** A fifth either way, so that what failed together does not come back together. */
const JITTER = 0.2

/** After this long in the queue a message that was tried is given up: RFC 5321, 4.5.4.1 asks for 4 to 5 days. */
export const GIVE_UP_MS = 4 * 24 * 3600 * 1000

/** Milliseconds until the next try of a deferred message: doubling from 15 s up to 2 h. `attempts`: those before. */
export function retryDelay(attempts: number, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_MS * 2 ** attempts, LONGEST_MS)
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
}

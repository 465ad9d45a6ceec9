const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits after the first, second, ... try that failed; the last one repeats. */
const WAITS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
] as const
const LAST_WAIT = 8 * HOUR

const JITTER = 0.2
const LONGEST_HOLD = HOUR

/** A delivery is given up, and a webhook suspended, after so long without a success. */
export const GIVEN_UP_MS = 72 * HOUR

/**
 * When a delivery is tried again after `tries` failures, the first of them at `firstAt`: 5 s to 8 h later, 20 % more
 * or less (`random`: 0 to 1), and not before the end of a hold. Undefined when that is more than 72 h after the first
 * try. Milliseconds.
 */
export function nextTry(
  { tries, firstAt, holdUntil }: { tries: number; firstAt: number; holdUntil: number | null },
  now: number,
  random: number,
): number | undefined {
  const wait = WAITS[tries - 1] ?? LAST_WAIT
  const at = Math.max(now + Math.round(wait * (1 + JITTER * (2 * random - 1))), holdUntil ?? 0)
  return at > firstAt + GIVEN_UP_MS ? undefined : at
}

/** Until when a receiver wants to be left alone, by its Retry-After (RFC 9110, 10.2.3): an hour at most; else null. */
export function holdOf(status: number, retryAfter: string | undefined, now: number): number | null {
  if ((status !== 429 && status !== 503) || retryAfter === undefined) return null
  const until = /^\s*\d{1,10}\s*$/.test(retryAfter) ? now + Number(retryAfter) * SECOND : Date.parse(retryAfter)
  return until > now ? Math.min(until, now + LONGEST_HOLD) : null
}

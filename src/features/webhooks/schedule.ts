import { type BackoffPolicy, computeBackoffDelay, FIFTH_JITTER, parseRetryAfter } from '../../lib/time/backoff.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const backoff = {
  delaysMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR],
  jitter: FIFTH_JITTER,
} satisfies BackoffPolicy

/** The longest times in milliseconds that a delivery waits after so many tries, from none; the last repeats. */
export const MAX_WEBHOOK_WAITS_MS: readonly number[] = [0, ...backoff.delaysMs.map((ms) => ms * backoff.jitter[1])]

/** A delivery becomes a dead letter, and a webhook is suspended, after this time without a success. */
export const WEBHOOK_GIVE_UP_MS = 72 * HOUR

/**
 * When a delivery is tried again after `tries` failures, the first of them at `firstAt`: 5 s to 8 h later, 20 % more
 * or less (`random`: 0 to 1), and not before the end of a hold. Undefined when that is more than 72 h after the first
 * try. Milliseconds.
 */
export function computeNextWebhookTry(
  { tries, firstAt, holdUntil }: { tries: number; firstAt: number; holdUntil: number | null },
  now: number,
  random: number,
): number | undefined {
  const waitMs = Math.round(computeBackoffDelay(backoff, tries - 1, () => random))
  const at = Math.max(now + waitMs, holdUntil ?? 0)
  return at > firstAt + WEBHOOK_GIVE_UP_MS ? undefined : at
}

/** Until when a receiver wants to be left alone, by its Retry-After (RFC 9110, 10.2.3): an hour at most; else null. */
export function parseWebhookRetryAfter(status: number, retryAfter: string | undefined, now: number): number | null {
  const holdMs = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : undefined
  return holdMs ? now + holdMs : null
}

import { type BackoffPolicy, computeBackoffDelay, FIFTH_JITTER, parseRetryAfter } from '../../lib/time/backoff.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const retryBackoff = {
  delaysMs: [
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
    8 * HOUR_MS,
  ],
  jitter: FIFTH_JITTER,
} satisfies BackoffPolicy

/** Maximum delay in milliseconds before each try of a delivery, by the number of tries from 0; the last one repeats. */
export const MAX_WEBHOOK_WAITS_MS: readonly number[] = [
  0,
  ...retryBackoff.delaysMs.map((ms) => ms * retryBackoff.jitter[1]),
]

/** A delivery becomes a dead letter, and a webhook is suspended, after this time without a success. */
export const WEBHOOK_GIVE_UP_MS = 72 * HOUR_MS

/**
 * Time of the next try after `tries` failures, the first of them at `firstAt`: 5 s to 8 h later, 20 % more or less (`random`: 0 to 1), and
 * not before the end of a hold. `undefined` if that is more than 72 h after the first try. Milliseconds.
 */
export function computeNextWebhookTry(
  { tries, firstAt, holdUntil }: { tries: number; firstAt: number; holdUntil: number | null },
  now: number,
  random: number,
): number | undefined {
  const waitMs = Math.round(computeBackoffDelay(retryBackoff, tries - 1, () => random))
  const nextTryAt = Math.max(now + waitMs, holdUntil ?? 0)
  return nextTryAt > firstAt + WEBHOOK_GIVE_UP_MS ? undefined : nextTryAt
}

/** Until when a receiver wants to be left alone, by its Retry-After (RFC 9110, 10.2.3): an hour at most; else null. */
export function parseWebhookRetryAfter(status: number, retryAfter: string | undefined, now: number): number | null {
  const holdMs = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : undefined
  return holdMs ? now + holdMs : null
}

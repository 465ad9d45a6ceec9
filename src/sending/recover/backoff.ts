import { type RawBuilder, sql } from 'kysely'
import { type BackoffPolicy, computeBackoffDelay, FIFTH_JITTER } from '../../lib/time/backoff.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'

const onDemandBackoff = { firstMs: 15_000, maxMs: 3_600_000, jitter: FIFTH_JITTER } satisfies BackoffPolicy

const campaignBackoff = { firstMs: 30_000, maxMs: 4 * 3_600_000, jitter: FIFTH_JITTER } satisfies BackoffPolicy

/** Messages that a recipient waits for are tried again sooner, and more often. */
const backoffPolicies: Record<ClaimedMessage['kind'], BackoffPolicy> = {
  message: onDemandBackoff,
  copy: onDemandBackoff,
  fallback: onDemandBackoff,
  test: onDemandBackoff,
  campaign: campaignBackoff,
}

/** After this long in the queue a message that was tried is given up: RFC 5321, 4.5.4.1 asks for 4 to 5 days. */
export const MESSAGE_GIVE_UP_MS = 4 * 24 * 3600 * 1000

/** Milliseconds until the next try of a deferred message: doubling, as its kind says. `attempts`: those before. */
export function getRetryDelayMs(
  { kind, attempts }: Pick<ClaimedMessage, 'kind' | 'attempts'>,
  random: () => number = Math.random,
): number {
  return Math.round(computeBackoffDelay(backoffPolicies[kind], attempts, random))
}

/**
 * Selects the longest time, an interval, that a message waits after a number of attempts (from 1); both arguments are expressions on its
 * row.
 */
export function selectLongestRetryDelay(kind: RawBuilder<unknown>, attempts: RawBuilder<unknown>): RawBuilder<unknown> {
  const buildLongestDelay = ({ firstMs, maxMs, jitter }: typeof campaignBackoff): RawBuilder<unknown> =>
    sql`least(${sql.lit(firstMs)} * 2::double precision ^ (${attempts} - 1), ${sql.lit(maxMs)}) * ${sql.lit(jitter[1])}`
  return sql`(case when ${kind} = 'campaign' then ${buildLongestDelay(campaignBackoff)} else ${buildLongestDelay(onDemandBackoff)} end) * interval '1 millisecond'`
}

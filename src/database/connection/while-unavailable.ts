import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BackoffPolicy, computeBackoffDelay, NO_JITTER } from '../../lib/time/backoff.ts'
import { isDatabaseUnavailable, isTransientDbError } from '../errors.ts'

const databaseBackoff: BackoffPolicy = { firstMs: 500, maxMs: 8000, jitter: NO_JITTER }

/** The delay before the next attempt, in milliseconds, after this number of attempts in a row (from 1) found the database unavailable. */
export function databaseRetryDelayMs(tries: number): number {
  return computeBackoffDelay(databaseBackoff, tries - 1)
}

/**
 * Does something with the database, again and again while that is away, or when a transaction of another process was in the
 * way; throws when `signal` is aborted meanwhile.
 */
export async function retryWhileUnavailable<Result>(
  { signal, log }: { signal: AbortSignal; log: Pick<Logger, 'warn'> },
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work()
    } catch (error) {
      if (!(isDatabaseUnavailable(error) || isTransientDbError(error)) || signal.aborted) throw error
      log.warn({ err: error }, 'waiting for the database')
      await delay(databaseRetryDelayMs(attempts), undefined, { signal })
    }
  }
}

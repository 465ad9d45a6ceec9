import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../database/connect.ts'
import { isPassing, isUnavailable } from '../database/errors.ts'
import type { ArchiveStore } from '../features/archives/archive-store.ts'
import { type Backoff, delayAfter, NO_JITTER } from '../lib/backoff.ts'
import type { Clock } from '../lib/clock.ts'
import type { Reach } from '../lib/guarded-client.ts'
import type { TokenKeys } from '../lib/tokens.ts'
import type { BatchTracing } from './batch-spans.ts'
import type { GatewayRegistry } from './gateway-registry.ts'
import type { Journal } from './journal.ts'
import type { Outcome } from './outcome.ts'
import type { Holder } from './record.ts'
import type { SenderCache } from './sender-cache.ts'
import type { SigningKeys } from './signing-keys.ts'

const databaseBackoff: Backoff = { firstMs: 500, maxMs: 8000, jitter: NO_JITTER }

/** How long a sender waits, in milliseconds, after so many tries in a row for which the database was away (from 1). */
export function databasePause(tries: number): number {
  return delayAfter(databaseBackoff, tries - 1)
}

/** One sender: what it works with, and the name its claims carry. */
export interface Sender extends BatchTracing {
  id: string
  db: Db
  clock: Clock
  log: Logger
  tokens: TokenKeys
  gateways: GatewayRegistry
  journal: Journal
  archives: ArchiveStore
  cache: SenderCache
  signing: SigningKeys
  /** What makes and judges messages, when it is not what the service has. */
  channels?: Holder['channels']
  /** What messages reserve places in, when it is not what the service has. */
  reservations?: Holder['reservations']
  /** Where attachments may be fetched from. */
  reach: Reach
  /** Aborted when the sender is to end. */
  signal: AbortSignal
  /** Called with every outcome that was recorded, for the metrics. */
  observe(outcomes: readonly Outcome[]): void
}

/**
 * Does something with the database, again and again while that is away, or when a transaction of another process was in the
 * way; throws when the sender has to end meanwhile.
 */
export async function retryWhileUnavailable<Result>(
  { signal, log }: Pick<Sender, 'signal' | 'log'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(isUnavailable(error) || isPassing(error)) || signal.aborted) throw error
      log.warn({ err: error }, 'waiting for the database')
      await delay(databasePause(tries), undefined, { signal })
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { DatabasePool } from '../../database/connection/connect.ts'

/** A server that does not hear from a machine for two minutes frees the locks of its senders. */
const KEEPALIVE_SETTINGS =
  'set tcp_keepalives_idle = 60; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 6'
const LOCK_RETRY_MS = 1000
/** The digits of a sender's name that those of its batches share. */
const SHARED_DIGITS = 24

/** The part of `claimed_by` that says whose it is. */
export function selectClaimSender(claimedBy: RawBuilder<unknown>): RawBuilder<string> {
  return sql`left(${claimedBy}::text, ${sql.lit(SHARED_DIGITS)})`
}

/** The key of the lock of a sender whose name, as `selectClaimSender` gives it, is an SQL expression. */
const buildLockKey = (sender: string): string => `hashtextextended('stentor sender ' || ${sender}, 0)`

/** The same as a part of a statement. */
export const senderLockKey = (sender: string): RawBuilder<number> => sql.raw(buildLockKey(sender))

/** The lock by which a sender is known to live. */
export interface SenderLock {
  /** Resolves when it is held for the first time. */
  held: Promise<void>
  release(): Promise<void>
}

/**
 * Holds the lock of a sender until it is released, as a session lock on a connection of its own: PostgreSQL frees it when the
 * sender dies. After the connection was lost it is taken again.
 */
export function holdSenderLock(pool: DatabasePool, sender: string, log: Logger): SenderLock {
  const { promise: heldPromise, resolve: resolveHeld } = Promise.withResolvers<void>()
  const releasing = new AbortController()
  const { signal } = releasing
  const releaseSignal = new Promise((done) => signal.addEventListener('abort', done))

  async function holdOnce(): Promise<void> {
    const client = await pool.connect()
    try {
      const connectionLoss = new Promise((done) => client.once('end', done))
      await client.query(KEEPALIVE_SETTINGS)
      await client.query(`select pg_advisory_lock(${buildLockKey('$1')})`, [sender.slice(0, SHARED_DIGITS)])
      resolveHeld()
      await Promise.race([connectionLoss, releaseSignal])
    } finally {
      // The end of the session frees the lock.
      client.release(true)
    }
  }

  const done = (async () => {
    while (!signal.aborted) {
      await holdOnce().catch((error) => log.warn({ err: error }, 'the lock of this sender is not held'))
      await delay(LOCK_RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  })()
  return {
    held: heldPromise,
    async release() {
      releasing.abort()
      await done
    },
  }
}

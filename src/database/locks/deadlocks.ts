import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type BackoffPolicy, computeBackoffDelay, FULL_JITTER } from '../../lib/time/backoff.ts'
import { type Db, inTransaction } from '../connection/connect.ts'
import { isRetryableConflict } from '../errors.ts'

const MAX_TRIES = 5
/** A random pause separates transactions that would meet in the same order again. */
const pauses: BackoffPolicy = { firstMs: 20, maxMs: 100, jitter: FULL_JITTER }

/** Works, and begins again, 5 times in all, when a transaction of it met another one and may succeed once it reads what that has done. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === MAX_TRIES || !isRetryableConflict(error)) throw error
    }
  }
}

/** Whether PostgreSQL ended a transaction because others waited for it and it for them. */
function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/**
 * As `inTransaction`, but a deadlock begins the transaction again, up to 5 times: `fn` does nothing outside of it. Within a
 * transaction of the caller, that is the caller's to do.
 */
export async function inRetriedTransaction<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db)
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(db, fn)
    } catch (error) {
      if (!isDeadlock(error) || tries >= MAX_TRIES) throw error
      await delay(computeBackoffDelay(pauses, tries - 1))
    }
  }
}

/**
 * Works outside of transactions, and begins again, up to 5 times, when a statement of it was ended by a deadlock. Gives
 * whether it came to its end.
 */
export async function retryOnDeadlock(work: () => Promise<void>): Promise<boolean> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      await work()
      return true
    } catch (error) {
      if (!isDeadlock(error)) throw error
      await delay(computeBackoffDelay(pauses, tries - 1))
    }
  }
  return false
}

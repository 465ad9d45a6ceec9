import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type BackoffPolicy, computeBackoffDelay, FULL_JITTER } from '../../lib/time/backoff.ts'
import { type Db, inTransaction } from '../connection/connect.ts'
import { isRetryableConflict } from '../errors.ts'

const MAX_ATTEMPTS = 5
/** A random pause separates transactions that would meet in the same order again. */
const retryBackoff: BackoffPolicy = { firstMs: 20, maxMs: 100, jitter: FULL_JITTER }

/** Works, and begins again, 5 times in all, when a transaction of it met another one and may succeed once it reads what that has done. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work()
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !isRetryableConflict(error)) throw error
    }
  }
}

/** Returns true if PostgreSQL ended a transaction because of a deadlock. */
function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/**
 * As `inTransaction`, but a deadlock begins the transaction again, up to 5 times: `fn` does nothing outside of it. Within a
 * transaction of the caller, that is the caller's to do.
 */
export async function inRetriedTransaction<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db)
  for (let attempts = 1; ; attempts++) {
    try {
      return await inTransaction(db, fn)
    } catch (error) {
      if (!isDeadlock(error) || attempts >= MAX_ATTEMPTS) throw error
      await delay(computeBackoffDelay(retryBackoff, attempts - 1))
    }
  }
}

/**
 * Works outside of transactions, and begins again, up to 5 times, when a statement of it was ended by a deadlock. Gives
 * whether it came to its end.
 */
export async function retryOnDeadlock(work: () => Promise<void>): Promise<boolean> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    try {
      await work()
      return true
    } catch (error) {
      if (!isDeadlock(error)) throw error
      await delay(computeBackoffDelay(retryBackoff, attempts - 1))
    }
  }
  return false
}

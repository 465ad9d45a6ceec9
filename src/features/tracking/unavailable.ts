import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { isDatabaseUnavailable, isInternalDbError } from '../../database/errors.ts'
import { Problem } from '../../lib/errors/problem.ts'

/** A database that takes longer counts as unavailable: a redirect must not wait for it. */
export const TRACKING_DB_TIMEOUT_MS = 2000

/** The value of a promise, or `fallback` when it takes longer than `ms`; a later rejection is ignored. */
export async function resolveWithin<T, Fallback>(
  promise: Promise<T>,
  ms: number,
  fallback: Fallback,
): Promise<T | Fallback> {
  const { promise: timeout, resolve } = Promise.withResolvers<Fallback>()
  const timer = setTimeout(() => resolve(fallback), ms)
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * True if an error means that the database, or a pool of threads, is unavailable or full for now. An internal fault of the database counts
 * too: the request is not the cause, and waits until the database is repaired.
 */
export function isUnavailableError(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isInternalDbError(error) || (error instanceof Problem && error.status === 503)
}

/** True if the database answers within the timeout. */
export async function isDatabaseResponding(db: Db): Promise<boolean> {
  try {
    return (await resolveWithin(sql`select`.execute(db), TRACKING_DB_TIMEOUT_MS, undefined)) !== undefined
  } catch {
    return false
  }
}

/** The value of a read of the database; rejects with a Problem 503 when that takes too long. */
export async function withDatabaseTimeout<T>(reading: Promise<T>): Promise<T> {
  const timedOut = Symbol('late')
  const readResult = await resolveWithin(reading, TRACKING_DB_TIMEOUT_MS, timedOut)
  if (readResult === timedOut) throw new Problem(503, 'unavailable', 'The database took too long. Try again.')
  return readResult as T
}

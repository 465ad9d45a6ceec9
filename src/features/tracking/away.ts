import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { isInternal, isUnavailable } from '../../database/errors.ts'
import { Problem } from '../../lib/problem.ts'

/** A database that takes longer is taken for away: nobody waits longer for a redirect. */
export const PATIENCE_MS = 2000

/** What a promise gives, or `late` when it takes longer than `ms`; its later failure is nobody's concern then. */
export async function within<T, Late>(promise: Promise<T>, ms: number, late: Late): Promise<T | Late> {
  const { promise: lateness, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(() => resolve(late), ms)
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, lateness])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Whether something failed because the database, or a pool of threads, is away or full for now. A database with a fault
 * of its own is away, too: what comes in is not the cause, and waits until somebody has mended it.
 */
export function isAway(error: unknown): boolean {
  return isUnavailable(error) || isInternal(error) || (error instanceof Problem && error.status === 503)
}

/** Whether the database answers at all, and soon. */
export async function answers(db: Db): Promise<boolean> {
  try {
    return (await within(sql`select`.execute(db), PATIENCE_MS, undefined)) !== undefined
  } catch {
    return false
  }
}

/** What is read from the database; rejects with a Problem 503 when that takes too long. */
export async function soon<T>(reading: Promise<T>): Promise<T> {
  const late = Symbol('late')
  const read = await within(reading, PATIENCE_MS, late)
  if (read === late) throw new Problem(503, 'unavailable', 'The database takes too long; try again.')
  return read as T
}

import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { countLateRows, type LateRows } from '../database/late-rows.ts'

/** Counts jobs that should run, and that no worker has taken. */
export function countLateJobs(db: Db, when: { now: Date; lateMs: number }): Promise<LateRows> {
  return countLateRows(
    db,
    sql`select run_at as at from graphile_worker.jobs where locked_at is null and attempts < max_attempts`,
    when,
  )
}

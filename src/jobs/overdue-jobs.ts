import { sql } from 'kysely'
import type { Db } from '../database/connection/connect.ts'
import { countOverdueRows, type OverdueRows } from '../database/rows/overdue-rows.ts'

/** Counts jobs that should run, and that no worker has taken. */
export function countOverdueJobs(db: Db, when: { now: Date; overdueMs: number }): Promise<OverdueRows> {
  return countOverdueRows(
    db,
    sql`select run_at as at from graphile_worker.jobs where locked_at is null and attempts < max_attempts`,
    when,
  )
}

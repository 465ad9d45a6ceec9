import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { countOverdueRows, type OverdueRows } from '../../database/rows/overdue-rows.ts'

/** Counts events that webhooks, workflows and other listeners did not take in time. */
export function countOverdueEvents(db: Db, when: { now: Date; overdueMs: number }): Promise<OverdueRows> {
  return countOverdueRows(db, sql`select queued_at as at from listener_queue`, when)
}

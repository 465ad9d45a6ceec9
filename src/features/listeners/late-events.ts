import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { countLateRows, type LateRows } from '../../database/late-rows.ts'

/** Counts events that webhooks, workflows and other listeners have not taken. */
export function countLateEvents(db: Db, when: { now: Date; lateMs: number }): Promise<LateRows> {
  return countLateRows(db, sql`select queued_at as at from listener_queue`, when)
}

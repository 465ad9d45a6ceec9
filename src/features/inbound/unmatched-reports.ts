import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/** A report of no known message. */
export interface UnmatchedReport {
  id: string
  /** Milliseconds. */
  receivedAt: number
  /** How it was received. */
  route: 'mail' | 'sms' | 'rcs'
  /** Its form; `failed`: it could not be stored. */
  kind: 'bounce' | 'complaint' | 'unsubscribe' | 'other' | 'failed'
  content: Uint8Array
}

const KEPT_DAYS = 30
/** Enough to identify a report. */
const KEPT_BYTES = 64 * 1024
/** Anybody may send reports: they must not fill the disk. */
const MAX_KEPT = 10_000

/** Keeps a report for operators, once; beyond the limit it is dropped. */
export async function storeUnmatchedReport(
  db: Db,
  { id, receivedAt, route, kind, content }: UnmatchedReport,
): Promise<void> {
  await sql`
    insert into unmatched_reports (id, received_at, door, kind, content)
    select ${id}::uuid, ${new Date(receivedAt)}, ${route}, ${kind}, ${Buffer.from(content.subarray(0, KEPT_BYTES))}
    where (select count(*) from unmatched_reports) < ${MAX_KEPT}
    on conflict do nothing`.execute(db)
}

/** Deletes reports older than 30 days. `now` in milliseconds. */
export async function purgeUnmatchedReports(db: Db, now: number): Promise<void> {
  const before = new Date(now - KEPT_DAYS * 24 * 3600 * 1000)
  await sql`delete from unmatched_reports where received_at < ${before}`.execute(db)
}

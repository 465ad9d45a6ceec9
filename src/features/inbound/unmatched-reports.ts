import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/** A report of no known message. */
export interface UnmatchedReport {
  id: string
  /** Milliseconds. */
  receivedAt: number
  /** The channel that received the report. */
  route: 'mail' | 'sms' | 'rcs'
  /** Its form; `failed`: it could not be stored. */
  kind: 'bounce' | 'complaint' | 'unsubscribe' | 'other' | 'failed'
  content: Uint8Array
}

/** Enough to identify a report. */
const MAX_STORED_BYTES = 64 * 1024
/** Anybody may send reports: they must not fill the disk. */
const MAX_STORED_REPORTS = 10_000

/** Keeps a report for operators, once; beyond the limit it is dropped. */
export async function storeUnmatchedReport(
  db: Db,
  { id, receivedAt, route, kind, content }: UnmatchedReport,
): Promise<void> {
  await sql`
    insert into unmatched_reports (id, received_at, door, kind, content)
    select ${id}::uuid, ${new Date(receivedAt)}, ${route}, ${kind}, ${Buffer.from(content.subarray(0, MAX_STORED_BYTES))}
    where (select count(*) from unmatched_reports) < ${MAX_STORED_REPORTS}
    on conflict do nothing`.execute(db)
}

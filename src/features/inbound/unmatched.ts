import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

/** A report that leads to no message. */
export interface Unmatched {
  id: string
  /** Milliseconds. */
  receivedAt: number
  door: 'mail' | 'sms' | 'rcs'
  /** What it was taken for; `failed`: it could not be stored. */
  kind: 'bounce' | 'complaint' | 'unsubscribe' | 'other' | 'failed'
  content: Uint8Array
}

const KEPT_DAYS = 30
/** What is beyond says nothing more of whose it is. */
const KEPT_BYTES = 64 * 1024
/** These doors are open to the world: what comes in must not fill the disk. */
const MOST_KEPT = 10_000

/** Keeps a report for operators, once; with enough of them kept already it is let go. */
export async function keepUnmatched(db: Db, { id, receivedAt, door, kind, content }: Unmatched): Promise<void> {
  await sql`
    insert into unmatched_reports (id, received_at, door, kind, content)
    select ${id}::uuid, ${new Date(receivedAt)}, ${door}, ${kind}, ${Buffer.from(content.subarray(0, KEPT_BYTES))}
    where (select count(*) from unmatched_reports) < ${MOST_KEPT}
    on conflict do nothing`.execute(db)
}

/** Forgets those past their time. `now` in milliseconds. */
export async function forgetUnmatched(db: Db, now: number): Promise<void> {
  const before = new Date(now - KEPT_DAYS * 24 * 3600 * 1000)
  await sql`delete from unmatched_reports where received_at < ${before}`.execute(db)
}

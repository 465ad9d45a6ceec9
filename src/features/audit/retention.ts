import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { DAY_MS } from '../../lib/time/spans.ts'

/** Rows deleted in one transaction. */
const BATCH = 10_000

/** Deletes rows that are older than so many days. The database refuses any other deletion. */
export async function purgeAuditRows(db: Db, now: number, days: number): Promise<void> {
  const before = new Date(now - days * DAY_MS)
  let deleted: bigint | undefined
  do {
    deleted = await inTransaction(db, async (tx) => {
      await sql`select set_config('stentor.audit_before', ${before.toISOString()}, true)`.execute(tx)
      const { numAffectedRows } = await sql`
        delete from audit where id in (select id from audit where at < ${before} order by at limit ${BATCH})`.execute(
        tx,
      )
      return numAffectedRows
    })
  } while (deleted === BigInt(BATCH))
}

import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { DAY_MS } from '../../lib/time/spans.ts'

/** Rows deleted in one transaction. */
const PURGE_BATCH_SIZE = 10_000

/** Deletes rows older than `days` days. The database refuses any other deletion. */
export async function purgeAuditRows(db: Db, now: number, days: number): Promise<void> {
  const cutoff = new Date(now - days * DAY_MS)
  let deletedCount: bigint | undefined
  do {
    deletedCount = await inTransaction(db, async (tx) => {
      await sql`select set_config('stentor.audit_before', ${cutoff.toISOString()}, true)`.execute(tx)
      const { numAffectedRows } = await sql`
        delete from audit where id in (select id from audit where at < ${cutoff} order by at limit ${PURGE_BATCH_SIZE})`.execute(
        tx,
      )
      return numAffectedRows
    })
  } while (deletedCount === BigInt(PURGE_BATCH_SIZE))
}

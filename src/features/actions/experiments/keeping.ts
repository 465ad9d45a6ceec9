import { sql } from 'kysely'
import { type Db, inTransaction, json } from '../../../database/connect.ts'
import { takeOver } from './over.ts'
import { countVersions } from './result.ts'

/** Counts the successes of one run for good whose time is over for all contacts; false when there is none. */
function countOne(db: Db, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const over = await takeOver(tx, 'successes', now)
    if (!over) return false
    const counts = await countVersions(tx, over)
    await sql`
      update campaign_experiments set counts = ${json(Object.fromEntries(counts))}::jsonb, counted_at = ${now}
      where sending = ${over.run.sending}`.execute(tx)
    return true
  })
}

/** Counts successes for good whose time is over, so that they stand when events are kept no more. */
export async function countSuccesses(db: Db, now: Date): Promise<void> {
  while (await countOne(db, now)) {
    // The next one.
  }
}

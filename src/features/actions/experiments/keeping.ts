import { sql } from 'kysely'
import { type Db, json } from '../../../database/connection/connect.ts'
import { countOver } from './over.ts'
import { countVersions } from './result.ts'

/** Counts successes for good whose time is over, so that they stand when events are kept no more. */
export function countSuccesses(db: Db, now: Date): Promise<void> {
  return countOver(db, 'successes', now, async (tx, over) => {
    const counts = await countVersions(tx, over)
    await sql`
      update campaign_experiments set counts = ${json(Object.fromEntries(counts))}::jsonb, counted_at = ${now}
      where sending = ${over.run.sending}`.execute(tx)
  })
}

import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { finalizeMeasuredRuns } from './over.ts'
import { countVersionSuccesses } from './result.ts'

/** Counts successes for good whose time is over, so that they stand when events are kept no more. */
export function finalizeVersionSuccesses(db: Db, now: Date): Promise<void> {
  return finalizeMeasuredRuns(db, 'successes', now, async (tx, over) => {
    const successCounts = await countVersionSuccesses(tx, over)
    await sql`
      update campaign_experiments set counts = ${toJsonbText(Object.fromEntries(successCounts))}::jsonb, counted_at = ${now}
      where sending = ${over.run.sending}`.execute(tx)
  })
}

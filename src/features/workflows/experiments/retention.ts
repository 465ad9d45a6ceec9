import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'

const PURGE_BATCH_SIZE = 5000

/**
 * Deletes visits that are counted, a day after an event could make conversions of them; an open run keeps its own, as it keeps its
 * branch. Gives how many there were.
 */
export async function purgeExperimentVisits(db: Db, now: number): Promise<number> {
  const retentionEnd = new Date(now - DAY_MS)
  let total = 0
  for (let deletedCount = PURGE_BATCH_SIZE; deletedCount === PURGE_BATCH_SIZE; total += deletedCount) {
    const { numAffectedRows } = await sql`
      delete from workflow_experiment_visits where ctid = any(array(
        select v.ctid from workflow_experiment_visits v
        where v.counted > 0 and v.until < ${retentionEnd} and (v.counted = 2 or v.converted_at is null) and not exists (
          select from workflow_runs r where r.account = v.account and r.id = v.run and r.ended_at is null)
        order by v.until limit ${PURGE_BATCH_SIZE} for update of v skip locked))`.execute(db)
    deletedCount = Number(numAffectedRows)
  }
  return total
}

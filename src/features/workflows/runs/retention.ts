import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import type { WorkflowRunKey } from '../stepping/run.ts'
import { deleteStoredRuns } from '../waits/stopping.ts'

const VERSION_DAYS = 90
const BATCH = 1000

/** Deletes runs with their traces that ended more than so many days ago, a batch a transaction. */
export async function purgeWorkflowRuns(db: Db, now: number, days: number): Promise<void> {
  const before = new Date(now - days * DAY_MS)
  for (let n = BATCH; n === BATCH; ) {
    n = await inRetriedTransaction(db, async (tx) => {
      const { rows } = await sql<WorkflowRunKey>`
        select account, id from workflow_runs where ended_at < ${before} order by ended_at limit ${BATCH}`.execute(tx)
      await deleteStoredRuns(tx, rows)
      return rows.length
    })
  }
}

/** Deletes versions that were replaced 90 days ago and have had no open run since, nor a wait of one. */
export async function purgeWorkflowVersions(db: Db, now: number): Promise<void> {
  const before = new Date(now - VERSION_DAYS * DAY_MS)
  await sql`
    delete from workflow_versions v where v.replaced_at < ${before}
      and not exists (
        select from workflow_runs r where r.account = v.account and r.workflow = v.workflow and r.version = v.version
          and (r.ended_at is null or r.ended_at >= ${before}))
      and not exists (
        select from workflow_waits w where w.account = v.account and w.workflow = v.workflow and w.version = v.version)`.execute(
    db,
  )
}

import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import type { WorkflowRunKey } from '../run-stepper/run.ts'
import { deleteStoredRuns } from '../waits/stop-runs.ts'

const VERSION_RETENTION_DAYS = 90
const PURGE_BATCH_SIZE = 1000

/** Deletes runs with their traces that ended more than the number of `days` ago, one batch per transaction. */
export async function purgeWorkflowRuns(db: Db, now: number, days: number): Promise<void> {
  const retentionLimit = new Date(now - days * DAY_MS)
  for (let deletedCount = PURGE_BATCH_SIZE; deletedCount === PURGE_BATCH_SIZE; ) {
    deletedCount = await inRetriedTransaction(db, async (tx) => {
      const { rows } = await sql<WorkflowRunKey>`
        select account, id from workflow_runs where ended_at < ${retentionLimit} order by ended_at limit ${PURGE_BATCH_SIZE}`.execute(
        tx,
      )
      await deleteStoredRuns(tx, rows)
      return rows.length
    })
  }
}

/** Deletes versions that were replaced 90 days ago and have had no open run since, nor a wait of one. */
export async function purgeWorkflowVersions(db: Db, now: number): Promise<void> {
  const retentionLimit = new Date(now - VERSION_RETENTION_DAYS * DAY_MS)
  await sql`
    delete from workflow_versions v where v.replaced_at < ${retentionLimit}
      and not exists (
        select from workflow_runs r where r.account = v.account and r.workflow = v.workflow and r.version = v.version
          and (r.ended_at is null or r.ended_at >= ${retentionLimit}))
      and not exists (
        select from workflow_waits w where w.account = v.account and w.workflow = v.workflow and w.version = v.version)`.execute(
    db,
  )
}

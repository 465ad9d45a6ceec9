import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { buildRunKeyTable } from '../run-stepper/load-runs.ts'
import type { WorkflowRunKey } from '../run-stepper/run.ts'
import { killStoredRuns } from './kill-runs.ts'

/** A workflow whose runs are to be killed, or deleted with it. */
interface StoppedWorkflow {
  account: number
  id: number
  kills: number
  killing: 'deactivated' | 'deleted'
}

/** The last run of a batch. */
interface RunCursor {
  at: Date
  id: string
}

const RUN_BATCH_SIZE = 1000

/** Marks the open runs of a workflow: none is performed after the transaction, which has locked the workflow. */
export async function stopWorkflowRuns(
  tx: Db,
  { account, id }: { account: number; id: number },
  reason: StoppedWorkflow['killing'],
): Promise<void> {
  await sql`update workflows set kills = kills + 1, killing = ${reason} where account = ${account} and id = ${id}`.execute(
    tx,
  )
}

/** Works through the runs of a workflow, a batch a transaction; `act` is given the runs of each. */
async function processRuns(
  db: Db,
  { account, id, kills, killing }: StoppedWorkflow,
  act: (tx: Db, keys: readonly WorkflowRunKey[]) => Promise<unknown>,
): Promise<void> {
  const includesEndedRuns = killing === 'deleted'
  let lastRun: RunCursor | undefined
  do {
    const cursorRun = lastRun
    lastRun = await inRetriedTransaction(db, async (tx) => {
      const { rows } = await sql<WorkflowRunKey & RunCursor>`
        select account, id, created_at as at from workflow_runs
        where account = ${account} and workflow = ${id} and (${includesEndedRuns}::boolean or kills < ${kills} and ended_at is null)
          and (created_at, id) > (${cursorRun?.at ?? new Date(0)}, ${cursorRun?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
        order by created_at, id limit ${RUN_BATCH_SIZE}`.execute(tx)
      await act(tx, rows)
      return rows.length < RUN_BATCH_SIZE ? undefined : rows.at(-1)
    })
  } while (lastRun)
}

/** Deletes runs with their timers, waits and traces. */
export async function deleteStoredRuns(tx: Db, keys: readonly WorkflowRunKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    with k as materialized (
      select r.account, r.id
      from ${buildRunKeyTable(keys)}
      join workflow_runs r using (account, id) order by r.id for update of r)
    delete from workflow_runs r using k where r.account = k.account and r.id = k.id`.execute(tx)
}

/**
 * Tables with data of a workflow other than its runs, deleted together with the workflow. Deltas of counts are deleted before the counts.
 */
const WORKFLOW_TABLES = [
  'workflow_count_deltas',
  'workflow_counts',
  'workflow_entries',
  'workflow_cappings',
  'workflow_samples',
  'workflow_tasks',
  'workflow_firings',
  'workflow_experiments',
  'workflow_experiment_visits',
  'workflow_versions',
] as const
const DELETE_BATCH_SIZE = 5000

async function purgeWorkflowTables(db: Db, { account, id }: StoppedWorkflow): Promise<void> {
  for (const table of WORKFLOW_TABLES) {
    for (let deletedCount = DELETE_BATCH_SIZE; deletedCount === DELETE_BATCH_SIZE; ) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where account = ${account} and workflow = ${id} limit ${DELETE_BATCH_SIZE}))`.execute(
        db,
      )
      deletedCount = Number(numAffectedRows)
    }
  }
}

/** Condition: runs of a workflow are to be killed. */
export const isAnyKillPending = sql`exists (select from workflows where killing is not null)`

/** Kills the runs of workflows that were deactivated so, and deletes those of workflows that were deleted. */
export async function killStoppedRuns(db: Db, now: number): Promise<void> {
  const { rows } = await sql<StoppedWorkflow>`
    select account, id, kills, killing from workflows where killing is not null order by id`.execute(db)
  for (const stopped of rows) {
    const { id, kills, killing } = stopped
    if (killing === 'deactivated')
      await processRuns(db, stopped, (tx, keys) => killStoredRuns(tx, keys, { reason: 'deactivated', now }))
    else {
      await processRuns(db, stopped, deleteStoredRuns)
      await purgeWorkflowTables(db, stopped)
    }
    await sql`update workflows set killing = null where id = ${id} and kills = ${kills}`.execute(db)
  }
}

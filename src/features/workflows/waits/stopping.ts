import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import type { WorkflowRunKey } from '../stepping/run.ts'
import { buildRunKeyTable } from '../stepping/stored-runs.ts'
import { killStoredRuns } from './kills.ts'

/** A workflow whose runs are to be killed, or deleted with it. */
interface Stopped {
  account: number
  id: number
  kills: number
  killing: 'deactivated' | 'deleted'
}

/** The last run of a batch. */
interface Cursor {
  at: Date
  id: string
}

const BATCH = 1000

/** Marks the open runs of a workflow: none is performed after the transaction, which has locked the workflow. */
export async function stopWorkflowRuns(
  tx: Db,
  { account, id }: { account: number; id: number },
  reason: Stopped['killing'],
): Promise<void> {
  await sql`update workflows set kills = kills + 1, killing = ${reason} where account = ${account} and id = ${id}`.execute(
    tx,
  )
}

/** Works through the runs of a workflow, a batch a transaction; `act` is given the runs of each. */
async function throughRuns(
  db: Db,
  { account, id, kills, killing }: Stopped,
  act: (tx: Db, keys: readonly WorkflowRunKey[]) => Promise<unknown>,
): Promise<void> {
  const isAll = killing === 'deleted'
  let last: Cursor | undefined
  do {
    const after = last
    last = await inRetriedTransaction(db, async (tx) => {
      const { rows } = await sql<WorkflowRunKey & Cursor>`
        select account, id, created_at as at from workflow_runs
        where account = ${account} and workflow = ${id} and (${isAll}::boolean or kills < ${kills} and ended_at is null)
          and (created_at, id) > (${after?.at ?? new Date(0)}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
        order by created_at, id limit ${BATCH}`.execute(tx)
      await act(tx, rows)
      return rows.length < BATCH ? undefined : rows.at(-1)
    })
  } while (last)
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

/** What is kept of a workflow beside its runs, and goes with it. Deltas of counts go before the counts. */
const TABLES = [
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
const ROWS = 5000

async function emptyTables(db: Db, { account, id }: Stopped): Promise<void> {
  for (const table of TABLES) {
    for (let n = ROWS; n === ROWS; ) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where account = ${account} and workflow = ${id} limit ${ROWS}))`.execute(
        db,
      )
      n = Number(numAffectedRows)
    }
  }
}

/** Condition: runs of a workflow are to be killed. */
export const isAnyKillPending = sql`exists (select from workflows where killing is not null)`

/** Kills the runs of workflows that were deactivated so, and deletes those of workflows that were deleted. */
export async function killStoppedRuns(db: Db, now: number): Promise<void> {
  const { rows } = await sql<Stopped>`
    select account, id, kills, killing from workflows where killing is not null order by id`.execute(db)
  for (const stopped of rows) {
    const { id, kills, killing } = stopped
    if (killing === 'deactivated')
      await throughRuns(db, stopped, (tx, keys) => killStoredRuns(tx, keys, { reason: 'deactivated', now }))
    else {
      await throughRuns(db, stopped, deleteStoredRuns)
      await emptyTables(db, stopped)
    }
    await sql`update workflows set killing = null where id = ${id} and kills = ${kills}`.execute(db)
  }
}

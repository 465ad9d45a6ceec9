import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { buildRunKeyTable } from '../run-stepper/load-runs.ts'
import type { WorkflowRunKey } from '../run-stepper/run.ts'

/** Takes runs of inactive workflows out of the queue, until their workflow is active again; within a worker's transaction. */
export async function parkRuns(tx: Db, keys: readonly WorkflowRunKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update workflow_timers t set due = null, claimed_by = null, parked = r.workflow
    from ${buildRunKeyTable(keys)}
    join workflow_runs r using (account, id)
    where t.account = k.account and t.run = k.id`.execute(tx)
}

/** Parks those of a worker's runs that must not be performed now, because their workflow was stopped; gives them. */
export async function parkStoppedRuns(
  db: Db,
  worker: string,
  keys: readonly WorkflowRunKey[],
): Promise<WorkflowRunKey[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<WorkflowRunKey>`
    with mine as materialized (
      select r.account, r.id, r.workflow, r.kills
      from ${buildRunKeyTable(keys)}
      join workflow_runs r using (account, id)
    ), held as materialized (
      select w.account, w.id, w.state, w.kills from workflows w
      where (w.account, w.id) in (select account, workflow from mine)
      order by w.account, w.id for share
    )
    update workflow_timers t set due = null, claimed_by = null, parked = m.workflow
    from mine m join held h on h.account = m.account and h.id = m.workflow
    where t.account = m.account and t.run = m.id and t.claimed_by = ${worker} and (h.state = 0 or h.kills <> m.kills)
    returning t.account, t.run as id`.execute(db)
  return rows
}

/** Runs of a workflow that are put back at once. */
const UNPARK_BATCH_SIZE = 1000

/** Makes what fell due while workflows were inactive due now, of those that are active again. */
export async function wakeParkedRuns(db: Db, now: number): Promise<void> {
  while ((await unparkRuns(db, now)) >= UNPARK_BATCH_SIZE);
}

/** The workflows that have runs parked. */
const parkedHeads = sql`
  (select account, parked from workflow_timers where parked is not null order by account, parked limit 1)
  union all
  select next.account, next.parked from heads h cross join lateral (
    select account, parked from workflow_timers
    where parked is not null and (account, parked) > (h.account, h.parked) order by account, parked limit 1) next`

const activeWorkflowJoin = sql`join workflows w on w.account = h.account and w.id = h.parked and w.state = 1 and w.killing is null`

/** Condition: runs are parked whose workflow is active again. */
export const isAnyRunWakeable = sql`exists (with recursive heads as (${parkedHeads}) select from heads h ${activeWorkflowJoin})`

async function unparkRuns(db: Db, now: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with recursive heads as (${parkedHeads}
    ), picked as (
      select own.account, own.run from heads h ${activeWorkflowJoin} cross join lateral (
        select account, run from workflow_timers where account = h.account and parked = h.parked
        limit ${UNPARK_BATCH_SIZE} for update skip locked) own
    )
    update workflow_timers t set due = ${new Date(now)}, parked = null
    from picked p where t.account = p.account and t.run = p.run`.execute(db)
  return Number(numAffectedRows ?? 0)
}

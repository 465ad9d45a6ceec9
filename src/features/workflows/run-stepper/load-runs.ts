import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { RunEventRecord } from '../nodes/node-contract.ts'
import type { StoredRun, WorkflowRunKey } from './run.ts'

/** Columns of a run, under the names it has here. */
export const runColumns = sql`r.account, r.id, r.workflow, r.version, r.contact, r.entry_key as "entryKey", r.status, r.reason, r.outcome,
  r.node, r.phase, r.visit, r.attempt, r.entered_at as "enteredAt", r.needed, r.memo, r.steps, r.visits, r.data, r.state, r.variables,
  r.event, r.last, r.sends, r.start_type as "startType", r.start_id as "startId", r.depth, r.stamp, r.stamp_time as "stampTime",
  r.thread, r.set, jsonb_build_object('at', r.mark_at, 'event', r.mark_event, 'snapshot', r.mark_snapshot) as mark, r.wake,
  r.expires_at as "expiresAt", r.moves, r.interrupt, r.goal, r.created_at as "createdAt", r.updated_at as "updatedAt", r.ended_at as "endedAt"`

type RunRow = Omit<StoredRun, 'mark'> & { mark: { at: string; event: string | null; snapshot: string | null } }

/** A run as a row of `runColumns` has it. */
export function parseRunRow(row: unknown): StoredRun {
  const { mark, ...run } = row as RunRow
  return { ...run, mark: { ...mark, at: new Date(mark.at) } }
}

/** Wait of an open run and the event that it matched, or a wait for which stored events must still be searched. */
export interface HappenedWaitRow {
  account: AccountId
  run: string
  id: string
  isGoal: boolean
  event: RunEventRecord | null
}

/** Runs by their keys, to stand in a `from` as `k`: account and id. */
export function buildRunKeyTable(keys: readonly WorkflowRunKey[]): RawBuilder<unknown> {
  return sql`unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ id }) => id)}::uuid[]) as k (account, id)`
}

/*
 * Rows by their keys are found one by one (`lateral … offset 0`), by conditions on the primary key alone: a plan that was made
 * while the tables were nearly empty may take any index whose condition holds, or read them whole, and is kept when they grow.
 */
const compareRunIds = (a: WorkflowRunKey, b: WorkflowRunKey): number => (a.id < b.id ? -1 : 1)

/** Runs by their keys, in any order; those that are gone are left out. */
export async function loadStoredRuns(db: Db, keys: readonly WorkflowRunKey[]): Promise<StoredRun[]> {
  if (keys.length === 0) return []
  const { rows } = await sql`${buildPreparedPrefix('load-workflow-runs')}
    select ${runColumns} from ${buildRunKeyTable(keys)}
    cross join lateral (select * from workflow_runs where account = k.account and id = k.id offset 0) r`.execute(db)
  return rows.map(parseRunRow)
}

/** Lists the events that matched the waits of runs, in order, and the waits that are not searched yet. */
export async function listHappenedWaits(db: Db, keys: readonly WorkflowRunKey[]): Promise<HappenedWaitRow[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<HappenedWaitRow>`${buildPreparedPrefix('happened-to-workflow-runs')}
    select w.account, w.run, w.id, w.is_goal as "isGoal", w.event from ${buildRunKeyTable(keys)}
    cross join lateral (
      select * from workflow_waits
      where account = k.account and run = k.id and (event is not null or not is_looked_at) offset 0) w
    order by (w.event ->> 'timestamp')::bigint, w.event ->> 'id'`.execute(db)
  return rows
}

/** State of runs that a worker has claimed, read when it locks them. */
export interface LockedRun extends WorkflowRunKey {
  moves: number
  /** Its workflow is active, and was not stopped with its runs killed since it began. */
  isActive: boolean
}

/**
 * Locks runs that a worker still has, in the order of their ids, and keeps their workflows from being deactivated until the
 * transaction ends. Runs of others, ended ones and deleted ones are left out.
 */
export async function lockClaimedRuns(tx: Db, worker: string, keys: readonly WorkflowRunKey[]): Promise<LockedRun[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<LockedRun>`${buildPreparedPrefix('lock-workflow-runs')}
    with mine as materialized (
      select r.account, r.id, r.moves, r.workflow, r.kills from ${buildRunKeyTable(keys.toSorted(compareRunIds))}
      cross join lateral (
        select * from workflow_runs where account = k.account and id = k.id offset 0 for update) r
      cross join lateral (
        select from workflow_timers where account = k.account and run = k.id and claimed_by = ${worker} offset 0 for update) t
      where r.ended_at is null
    ), held as materialized (
      select w.account, w.id, w.kills, w.state = 1 and w.deleted_at is null as active from workflows w
      where (w.account, w.id) in (select account, workflow from mine)
      order by w.account, w.id for share
    )
    select m.account, m.id, m.moves, coalesce(h.active and h.kills = m.kills, false) as "isActive"
    from mine m left join held h on h.account = m.account and h.id = m.workflow`.execute(tx)
  return rows
}

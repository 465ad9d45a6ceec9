import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { RUN_LEASE_MS } from '../engine/run-leases.ts'

/** Rows of a firing that are read at once, and become runs in one transaction. */
export const FIRING_BATCH_ROWS = 1000

/** A firing that a worker has. */
export interface TaskFiring {
  account: number
  id: string
  workflow: number
  task: string
  /** The minute of the scheduler; null: asked for by a request. */
  minute: Date | null
  limit: number | null
  /** Null: its rows are still to be read. */
  batches: number | null
  /** Batches that have become runs. */
  done: number
  startedAt: Date
}

/** Key of a firing. */
export type TaskFiringKey = Pick<TaskFiring, 'account' | 'id'>

/** Firings that a worker takes at once, of an account each. */
const CLAIM_BATCH_SIZE = 8

const buildFreeCondition = (now: number) =>
  sql`state = 'running' and (lease_until is null or lease_until <= ${new Date(now)})`

/** Condition: there are firings that nobody has. */
export function isTaskFiringFree(now: Date): RawBuilder<unknown> {
  return sql`exists (select from workflow_firings where ${buildFreeCondition(now.getTime())})`
}

/**
 * Takes firings that nobody has, one of each account, those that were taken least recently first: they are the worker's until its
 * lease ends.
 */
export async function claimTaskFirings(db: Db, worker: string, now: number): Promise<TaskFiring[]> {
  const { rows } = await sql<TaskFiring>`${buildPreparedPrefix('claim-workflow-firings')}
    with waiting as materialized (
      select distinct on (account) account, id, lease_until from workflow_firings
      where ${buildFreeCondition(now)}
      order by account, lease_until nulls first, id
    ), picked as (
      select f.account, f.id from workflow_firings f
      where (f.account, f.id) in (select account, id from waiting order by lease_until nulls first limit ${CLAIM_BATCH_SIZE})
        and f.state = 'running' and (f.lease_until is null or f.lease_until <= ${new Date(now)})
      for no key update of f skip locked
    )
    update workflow_firings f set claimed_by = ${worker}, lease_until = ${new Date(now + RUN_LEASE_MS)}
    from picked p where f.account = p.account and f.id = p.id
    returning f.account, f.id, f.workflow, f.task, f.minute, f.row_limit as limit, f.batches, f.done, f.started_at as "startedAt"`.execute(
    db,
  )
  return rows
}

/** Says that a worker still has the firings that it took. */
export async function renewTaskFirings(db: Db, worker: string, now: number): Promise<void> {
  await sql`
    update workflow_firings set lease_until = ${new Date(now + RUN_LEASE_MS)}
    where state = 'running' and claimed_by = ${worker}`.execute(db)
}

/** Gives a firing back, to be taken at a moment (milliseconds). */
export async function releaseTaskFiring(
  db: Db,
  worker: string,
  { account, id }: TaskFiringKey,
  at: number,
): Promise<void> {
  await sql`
    update workflow_firings set claimed_by = null, lease_until = ${new Date(at)}
    where account = ${account} and id = ${id} and state = 'running' and claimed_by = ${worker}`.execute(db)
}

/** Why a firing stops before its last row. */
export interface FiringStop {
  reason: string
  now: number
}

/** Ends a firing that the worker has; its rows that were not read yet are forgotten. False: it has it no more. */
export async function stopTaskFiring(
  tx: Db,
  worker: string,
  { account, id }: TaskFiringKey,
  { reason, now }: FiringStop,
): Promise<boolean> {
  const { rows } = await sql`
    update workflow_firings set state = 'failed', reason = ${reason.slice(0, 1000)}, ended_at = ${new Date(now)}, claimed_by = null,
      lease_until = null
    where account = ${account} and id = ${id} and state = 'running' and claimed_by = ${worker} returning id`.execute(tx)
  if (rows.length > 0)
    await sql`delete from workflow_firing_batches where account = ${account} and firing = ${id}`.execute(tx)
  return rows.length > 0
}

/** The rows of one batch: contacts, or rows as the provider gave them. */
export interface FiringBatch {
  contacts: number[] | null
  rows: Record<string, unknown>[] | null
}

/** The batch of a firing that is next. */
export async function loadFiringBatch(db: Db, { account, id, done }: TaskFiring): Promise<FiringBatch | undefined> {
  const { rows } = await sql<FiringBatch>`
    select contacts, rows from workflow_firing_batches where account = ${account} and firing = ${id} and nth = ${done}`.execute(
    db,
  )
  return rows[0]
}

/** Result of a batch. */
export interface FiringBatchCounts {
  rows: number
  started: number
  skipped: number
  refused: number
}

/** Locks a firing of the worker that stands where it stood when its batch was read. */
export async function lockTaskFiring(tx: Db, worker: string, { account, id, done }: TaskFiring): Promise<boolean> {
  const { rows } = await sql`
    select from workflow_firings
    where account = ${account} and id = ${id} and state = 'running' and claimed_by = ${worker} and done = ${done}
    for no key update`.execute(tx)
  return rows.length > 0
}

/** Goes on behind a batch, in the transaction that has the firing locked; the last one ends it. */
export async function completeFiringBatch(
  tx: Db,
  firing: TaskFiring,
  counts: FiringBatchCounts,
  now: number,
): Promise<void> {
  const { account, id, done, batches } = firing
  const isLast = done + 1 >= (batches ?? 0)
  await sql`
    with gone as (delete from workflow_firing_batches where account = ${account} and firing = ${id} and nth = ${done})
    update workflow_firings set done = done + 1, rows = rows + ${counts.rows}, started = started + ${counts.started},
      skipped = skipped + ${counts.skipped}, refused = refused + ${counts.refused},
      state = ${isLast ? 'completed' : 'running'}, ended_at = ${isLast ? new Date(now) : null},
      claimed_by = ${isLast ? null : sql`claimed_by`}, lease_until = ${isLast ? null : sql`lease_until`}
    where account = ${account} and id = ${id}`.execute(tx)
}

/** Ends leases of firings that last longer than any does. */
export async function releaseExpiredFirings(db: Db, now: number): Promise<void> {
  await sql`
    update workflow_firings set lease_until = null
    where state = 'running' and lease_until > ${new Date(now + RUN_LEASE_MS)}`.execute(db)
}

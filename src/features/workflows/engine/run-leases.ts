import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { ClockState } from '../../../lib/time/clock-steps.ts'
import type { WorkflowRunKey } from '../run-stepper/run.ts'

/** Lease of a worker on a run without renewal. */
export const RUN_LEASE_MS = 30_000
/** Interval at which a worker renews its leases. */
export const RUN_LEASE_RENEW_MS = 10_000
/** Runs that a worker takes at once. */
export const RUN_CLAIM_BATCH = 500

/** The timer of each account that is due first. */
const dueTimerHeads = sql`
  (select account, due from workflow_timers where due is not null order by account, due limit 1)
  union all
  select next.account, next.due from heads h cross join lateral (
    select account, due from workflow_timers where due is not null and account > h.account order by account, due limit 1) next`

/** Condition: a run is due. */
export function isRunDue(now: Date): RawBuilder<unknown> {
  return sql`exists (with recursive heads as (${dueTimerHeads}) select from heads where due <= ${now})`
}

/** Takes runs that are due, oldest first, at most `limit`; accounts take equal turns. They are the worker's until its lease ends. */
export async function claimRuns(
  db: Db,
  worker: string,
  { limit, now }: { limit: number; now: number },
): Promise<WorkflowRunKey[]> {
  const claimTime = sql`${new Date(now)}::timestamptz`
  const { rows } = await sql<WorkflowRunKey>`${buildPreparedPrefix('claim-workflow-runs')}
    with recursive heads as (${dueTimerHeads}
    ), ready as (
      select account, count(*) over () as accounts from heads where due <= ${claimTime}
    ), picked as (
      select own.account, own.run from ready cross join lateral (
        select account, run from workflow_timers
        where account = ready.account and due <= ${claimTime}
        order by due limit ceil(${limit}::numeric / ready.accounts)::integer
        for update skip locked) own
      limit ${limit}
    )
    update workflow_timers t set claimed_by = ${worker}, due = ${new Date(now + RUN_LEASE_MS)}
    from picked p where t.account = p.account and t.run = p.run
    returning t.account, t.run as id`.execute(db)
  return rows
}

/** Sets when runs of a worker are due next; those that it has no longer are passed over. */
async function rescheduleRuns(
  db: Db,
  worker: string,
  keys: readonly WorkflowRunKey[],
  next: { due: Date; claimedBy: string | null },
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update workflow_timers t set due = ${next.due}, claimed_by = ${next.claimedBy}::uuid
    from (
      select account, run from workflow_timers
      where claimed_by = ${worker} and (account, run) in (
        select * from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ id }) => id)}::uuid[]))
      order by account, run for no key update skip locked) mine
    where t.account = mine.account and t.run = mine.run`.execute(db)
}

/** Renews the leases of a worker on runs; those that it has lost stay lost. */
export function renewRunLeases(db: Db, worker: string, keys: readonly WorkflowRunKey[], now: number): Promise<void> {
  return rescheduleRuns(db, worker, keys, { due: new Date(now + RUN_LEASE_MS), claimedBy: worker })
}

/** Gives runs back, due at a moment (milliseconds): nothing of them was done. */
export function releaseRuns(db: Db, worker: string, keys: readonly WorkflowRunKey[], at: number): Promise<void> {
  return rescheduleRuns(db, worker, keys, { due: new Date(at), claimedBy: null })
}

/** Makes runs due that wait for their turn, or, where the clock was just put back, for another try; not those that wait at a node. */
export async function makeRunsDue(db: Db, { now, hasStepped }: ClockState): Promise<void> {
  await sql`
    update workflow_timers t set due = ${new Date(now)}
    from workflow_runs r
    where t.due > ${new Date(now)} and t.claimed_by is null and r.account = t.account and r.id = t.run
      and (r.phase not in ('wait', 'look', 'retry') or ${hasStepped}::boolean and r.phase = 'retry')`.execute(db)
}

/** Ends claims of runs that last longer than any does. */
export async function releaseExpiredRunClaims(db: Db, now: number): Promise<void> {
  await sql`
    update workflow_timers set due = ${new Date(now)}
    where claimed_by is not null and due > ${new Date(now + RUN_LEASE_MS)}`.execute(db)
}

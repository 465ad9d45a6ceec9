import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { HOUR_MS } from '../../../lib/time/spans.ts'
import { areIncrementsExpired } from '../../capping/increments.ts'
import { isOpenRun, type StoredRun } from '../stepping/run.ts'
import type { RunCount, WorkflowRunState } from '../stepping/run-state.ts'

/** A count of a version of a workflow. */
export interface WorkflowVersionCount extends Omit<RunCount, 'n' | 'version'> {
  account: number
  workflow: number
  version: number
  n: number
}

/** Adds to counts, in the caller's transaction. They are rows of their own until `foldWorkflowCounts`, so that no transaction waits. */
export async function storeVersionCounts(tx: Db, counts: readonly WorkflowVersionCount[], now: number): Promise<void> {
  if (counts.length === 0) return
  const sums = new Map<string, WorkflowVersionCount>()
  for (const one of counts) {
    const key = JSON.stringify([one.account, one.workflow, one.version, one.subject, one.id, one.name])
    const sum = sums.get(key)
    if (sum) sum.n += one.n
    else sums.set(key, { ...one })
  }
  const all = [...sums.values()].filter(({ n }) => n !== 0)
  if (all.length === 0) return
  const hour = new Date(now - (now % HOUR_MS))
  await sql`${buildPreparedPrefix('add-workflow-counts')}
    insert into workflow_count_deltas (account, workflow, version, hour, subject, entry, name, n)
    select account, workflow, version, ${hour}, subject, entry, name, n from unnest(
      ${all.map(({ account }) => account)}::integer[], ${all.map(({ workflow }) => workflow)}::integer[],
      ${all.map(({ version }) => version)}::integer[], ${all.map(({ subject }) => subject)}::text[],
      ${all.map(({ id }) => id)}::text[], ${all.map(({ name }) => name)}::text[], ${all.map(({ n }) => n)}::bigint[])
      as g (account, workflow, version, subject, entry, name, n)`.execute(tx)
}

/** What is counted of the runs of a version that are open, and of those that wait. */
function standingOf(
  { account, workflow, version, status }: Pick<StoredRun, 'account' | 'workflow' | 'version' | 'status'>,
  n: number,
): WorkflowVersionCount[] {
  const base = { account, workflow, version, subject: 'run' as const, id: '', n }
  return [
    ...(isOpenRun({ status }) ? [{ ...base, name: 'open' }] : []),
    ...(status === 'waiting' ? [{ ...base, name: 'waiting' }] : []),
  ]
}

/** What is counted of a run that stood there and stands here now; null: it did not, or does not. */
export function countRunMove(
  before: Parameters<typeof standingOf>[0] | null,
  after: Parameters<typeof standingOf>[0] | null,
): WorkflowVersionCount[] {
  return [...(before ? standingOf(before, -1) : []), ...(after ? standingOf(after, 1) : [])]
}

/** Adds what drafts have counted. */
export function storeRunCounts(tx: Db, drafts: readonly WorkflowRunState[], now: number): Promise<void> {
  const counts = drafts.flatMap(({ stored, run, counts: own }) => {
    const { account, workflow, version } = run
    return [...own.map((one) => ({ account, workflow, version, n: 1, ...one })), ...countRunMove(stored, run)]
  })
  return storeVersionCounts(tx, counts, now)
}

/** Rows of deltas that are added up in one transaction. */
const FOLDED = 20_000

/** Condition: there is something to be added up, or counted increments are old. */
export function isCountFoldDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from workflow_count_deltas) or ${areIncrementsExpired(now)}`
}

/** Adds the deltas up to the counts; gives how many there were. One process at a time does it. */
export async function foldWorkflowCounts(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with alone as materialized (select pg_try_advisory_xact_lock(hashtext('workflow counts')) as mine),
    taken as (
      delete from workflow_count_deltas where id in (
        select id from workflow_count_deltas, alone where mine order by id limit ${FOLDED} for update of workflow_count_deltas skip locked)
      returning *
    ), added as (
      insert into workflow_counts as c (account, workflow, version, hour, subject, id, name, n)
      select account, workflow, version, hour, subject, entry, name, sum(n) from taken group by 1, 2, 3, 4, 5, 6, 7
      on conflict (account, workflow, version, hour, subject, id, name) do update set n = c.n + excluded.n
    ), open as (
      insert into workflow_open_runs as o (account, n)
      select account, sum(n) from taken where subject = 'run' and name = 'open' group by account
      on conflict (account) do update set n = o.n + excluded.n
    )
    select count(*) as n from taken`.execute(db)
  return rows[0]?.n ?? 0
}

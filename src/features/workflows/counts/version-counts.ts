import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { HOUR_MS } from '../../../lib/time/spans.ts'
import { areIncrementsExpired } from '../../capping/increments.ts'
import { isOpenRun, type StoredRun } from '../run-stepper/run.ts'
import type { RunCount, WorkflowRunState } from '../run-stepper/run-state.ts'

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
  const countsByKey = new Map<string, WorkflowVersionCount>()
  for (const versionCount of counts) {
    const key = JSON.stringify([
      versionCount.account,
      versionCount.workflow,
      versionCount.version,
      versionCount.subject,
      versionCount.id,
      versionCount.name,
    ])
    const countSum = countsByKey.get(key)
    if (countSum) countSum.n += versionCount.n
    else countsByKey.set(key, { ...versionCount })
  }
  const nonZeroCounts = [...countsByKey.values()].filter(({ n }) => n !== 0)
  if (nonZeroCounts.length === 0) return
  const hourStart = new Date(now - (now % HOUR_MS))
  await sql`${buildPreparedPrefix('add-workflow-counts')}
    insert into workflow_count_deltas (account, workflow, version, hour, subject, entry, name, n)
    select account, workflow, version, ${hourStart}, subject, entry, name, n from unnest(
      ${nonZeroCounts.map(({ account }) => account)}::integer[], ${nonZeroCounts.map(({ workflow }) => workflow)}::integer[],
      ${nonZeroCounts.map(({ version }) => version)}::integer[], ${nonZeroCounts.map(({ subject }) => subject)}::text[],
      ${nonZeroCounts.map(({ id }) => id)}::text[], ${nonZeroCounts.map(({ name }) => name)}::text[], ${nonZeroCounts.map(({ n }) => n)}::bigint[])
      as g (account, workflow, version, subject, entry, name, n)`.execute(tx)
}

/** Lists the counts of open runs of a version, and of those that wait. */
function listRunStatusCounts(
  { account, workflow, version, status }: Pick<StoredRun, 'account' | 'workflow' | 'version' | 'status'>,
  n: number,
): WorkflowVersionCount[] {
  const runCount = { account, workflow, version, subject: 'run' as const, id: '', n }
  return [
    ...(isOpenRun({ status }) ? [{ ...runCount, name: 'open' }] : []),
    ...(status === 'waiting' ? [{ ...runCount, name: 'waiting' }] : []),
  ]
}

/** Counts the move of a run from one state to another. `before` or `after` is null if the run was not counted there. */
export function countRunMove(
  before: Parameters<typeof listRunStatusCounts>[0] | null,
  after: Parameters<typeof listRunStatusCounts>[0] | null,
): WorkflowVersionCount[] {
  return [...(before ? listRunStatusCounts(before, -1) : []), ...(after ? listRunStatusCounts(after, 1) : [])]
}

/** Adds what drafts have counted. */
export function storeRunCounts(tx: Db, drafts: readonly WorkflowRunState[], now: number): Promise<void> {
  const counts = drafts.flatMap(({ stored: storedRun, run, counts: runStateCounts }) => {
    const { account, workflow, version } = run
    return [
      ...runStateCounts.map((countDelta) => ({ account, workflow, version, n: 1, ...countDelta })),
      ...countRunMove(storedRun, run),
    ]
  })
  return storeVersionCounts(tx, counts, now)
}

/** Rows of deltas that are added up in one transaction. */
const FOLD_BATCH_SIZE = 20_000

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
        select id from workflow_count_deltas, alone where mine order by id limit ${FOLD_BATCH_SIZE} for update of workflow_count_deltas skip locked)
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

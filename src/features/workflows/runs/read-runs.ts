import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { toFootprint } from '../../contacts/records/find.ts'
import type { RunTraceEntry } from '../run-stepper/run.ts'
import type { WorkflowKey } from '../workflow-repository.ts'
import type { ListedWorkflowRun, WorkflowRun, WorkflowRunStatus, WorkflowTraceEntry } from './run-schemas.ts'

/** Filter of a list of runs. If `contact` is null, the named contact does not exist and the list is empty. */
export interface WorkflowRunFilter {
  contact: number | null | undefined
  statuses: readonly WorkflowRunStatus[] | undefined
  node: string | undefined
  version: number | undefined
  start: number | undefined
  end: number | undefined
  sort: 'asc' | 'desc'
}

/** End of a page of runs: the date in milliseconds and the id of its last run. */
export type WorkflowRunCursor = readonly [number, string]

interface RunRow
  extends Omit<ListedWorkflowRun, 'contact' | 'start' | 'stamp' | 'wake' | 'creationDate' | 'updateDate' | 'endDate'> {
  contact: number | null
  unicity: string | null
  hash: string | null
  startType: ListedWorkflowRun['start']['type']
  startId: string | null
  stamp: string
  stampTime: Date
  thread: string
  set: string
  wake: Date | null
  createdAt: Date
  updatedAt: Date
  endedAt: Date | null
}

/** An open run is paused while its workflow is inactive, and when it is about to be killed. */
const statusColumn = sql`case when r.ended_at is null and (w.state = 0 or r.kills <> w.kills) then 'paused' else r.status end`

const listedColumns = sql`r.id, r.workflow, r.version, c.id as contact, c.unicity, encode(c.hash, 'hex') as hash, ${statusColumn} as status,
  r.reason, r.outcome, r.node, r.start_type as "startType", r.start_id as "startId", r.depth, r.stamp, r.stamp_time as "stampTime",
  r.thread, r.set, r.wake, r.steps, r.created_at as "createdAt", r.updated_at as "updatedAt", r.ended_at as "endedAt"`

/** The trace of a run `r`, as a column. */
export const runTraceColumn = sql`coalesce((
  select jsonb_agg(e.entry order by t.seq, e.nth) from workflow_traces t
  cross join lateral jsonb_array_elements(t.entries) with ordinality as e (entry, nth)
  where t.account = r.account and t.run = r.id), '[]') as trace`

const runSource = sql`workflow_runs r join workflows w on w.account = r.account and w.id = r.workflow
  left join contacts c on c.account = r.account and c.id = r.contact`

/** Throws notFound for a workflow that is not the account's, or deleted. */
export async function requireWorkflow(db: Db, { account, id }: WorkflowKey): Promise<void> {
  const workflowResult = await sql`
    select from workflows where account = ${account} and id = ${id} and deleted_at is null`.execute(db)
  if (workflowResult.rows.length === 0) throw notFoundProblem('workflow', id)
}

/** Parses the id of a run in a path. Throws a 404 Problem for an invalid id. */
export function readRunId(text: string): string {
  const id = parseUuid(text)
  if (id === undefined) throw notFoundProblem('run', text)
  return id
}

const toIsoDate = (date: Date | null): string | null => date?.toISOString() ?? null

function showListedRun(row: RunRow): ListedWorkflowRun {
  const { id, workflow, version, contact, unicity, hash, reason, outcome, node, depth, steps } = row
  return {
    id,
    workflow,
    version,
    contact: contact === null ? null : toFootprint({ id: contact, unicity: unicity!, hash: hash! }),
    status: row.status,
    reason,
    outcome,
    node,
    start: { type: row.startType, id: row.startId },
    depth,
    stamp: { time: row.stampTime.getTime(), id: row.stamp, thread: row.thread, set: row.set },
    wake: toIsoDate(row.wake),
    steps,
    creationDate: row.createdAt.toISOString(),
    updateDate: row.updatedAt.toISOString(),
    endDate: toIsoDate(row.endedAt),
  }
}

function buildRunConditions({ contact, statuses, node, version, start, end }: WorkflowRunFilter): RawBuilder<unknown> {
  const conditions = [
    ...(contact === undefined ? [] : [sql`r.contact = ${contact}`]),
    ...(statuses === undefined ? [] : [sql`${statusColumn} = any(${statuses}::text[])`]),
    ...(node === undefined ? [] : [sql`r.node = ${node}`]),
    ...(version === undefined ? [] : [sql`r.version = ${version}`]),
    ...(start === undefined ? [] : [sql`r.created_at >= ${new Date(start)}`]),
    ...(end === undefined ? [] : [sql`r.created_at < ${new Date(end)}`]),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** Runs of a workflow, by the date of their start. */
export async function* listWorkflowRuns(
  db: Db,
  { account, id }: WorkflowKey,
  filter: WorkflowRunFilter,
  { after, limit }: { after: WorkflowRunCursor | undefined; limit: number | undefined },
): AsyncGenerator<ListedWorkflowRun> {
  const sortDirection = sql.raw(filter.sort)
  const comparisonOperator = sql.raw(filter.sort === 'asc' ? '>' : '<')
  const page = after
    ? sql`(r.created_at, r.id) ${comparisonOperator} (${new Date(after[0])}, ${after[1]}::uuid)`
    : sql`true`
  const query = sql<RunRow>`
    select ${listedColumns} from ${runSource}
    where r.account = ${account} and r.workflow = ${id} and ${buildRunConditions(filter)} and ${page}
    order by r.created_at ${sortDirection}, r.id ${sortDirection} limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield showListedRun(row)
}

/** The place of a run in its list. */
export const toWorkflowRunCursor = ({ creationDate, id }: ListedWorkflowRun): WorkflowRunCursor => [
  Date.parse(creationDate),
  id,
]

/** Reads the place where a page begins; undefined for anything else. */
export function parseWorkflowRunCursor(value: unknown): WorkflowRunCursor | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [createdMs, id] = value
  return Number.isSafeInteger(createdMs) && typeof id === 'string' && parseUuid(id) !== undefined
    ? [createdMs, id]
    : undefined
}

/** Entries of a trace as they are answered. */
export function showTraceEntry({ enter, leave, ...entry }: RunTraceEntry): WorkflowTraceEntry {
  const shownEntry: WorkflowTraceEntry = {
    ...entry,
    enter: new Date(enter).toISOString(),
    leave: new Date(leave).toISOString(),
  }
  return shownEntry
}

/** A run with its trace. Throws notFound. */
export async function readWorkflowRun(db: Db, key: WorkflowKey, run: string): Promise<WorkflowRun> {
  const { account, id } = key
  const { rows: runRows } = await sql<
    RunRow & Pick<WorkflowRun, 'data' | 'state' | 'variables'> & { trace: RunTraceEntry[] }
  >`
    select ${listedColumns}, r.data, r.state, r.variables, ${runTraceColumn}
    from ${runSource} where r.account = ${account} and r.workflow = ${id} and r.id = ${run} and w.deleted_at is null`.execute(
    db,
  )
  const [row] = runRows
  if (!row) {
    await requireWorkflow(db, key)
    throw notFoundProblem('run', run)
  }
  const { data, state, variables, trace } = row
  return { ...showListedRun(row), data, state, variables, trace: trace.map(showTraceEntry) }
}

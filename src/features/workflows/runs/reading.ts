import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { toFootprint } from '../../contacts/records/find.ts'
import type { RunTraceEntry as StoredEntry } from '../stepping/run.ts'
import type { WorkflowKey } from '../stored.ts'
import type { ListedWorkflowRun, WorkflowRun, WorkflowRunStatus, WorkflowTraceEntry } from './run-schemas.ts'

/** Which runs a list holds; `contact` null: of nobody that there is. */
export interface WorkflowRunFilter {
  contact: number | null | undefined
  statuses: readonly WorkflowRunStatus[] | undefined
  node: string | undefined
  version: number | undefined
  start: number | undefined
  end: number | undefined
  sort: 'asc' | 'desc'
}

/** Where a page of runs ends: the date in milliseconds and the id of its last. */
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
const status = sql`case when r.ended_at is null and (w.state = 0 or r.kills <> w.kills) then 'paused' else r.status end`

const columns = sql`r.id, r.workflow, r.version, c.id as contact, c.unicity, encode(c.hash, 'hex') as hash, ${status} as status,
  r.reason, r.outcome, r.node, r.start_type as "startType", r.start_id as "startId", r.depth, r.stamp, r.stamp_time as "stampTime",
  r.thread, r.set, r.wake, r.steps, r.created_at as "createdAt", r.updated_at as "updatedAt", r.ended_at as "endedAt"`

/** The trace of a run `r`, as a column. */
export const runTraceColumn = sql`coalesce((
  select jsonb_agg(e.entry order by t.seq, e.nth) from workflow_traces t
  cross join lateral jsonb_array_elements(t.entries) with ordinality as e (entry, nth)
  where t.account = r.account and t.run = r.id), '[]') as trace`

const source = sql`workflow_runs r join workflows w on w.account = r.account and w.id = r.workflow
  left join contacts c on c.account = r.account and c.id = r.contact`

/** Throws notFound for a workflow that is not the account's, or deleted. */
export async function requireWorkflow(db: Db, { account, id }: WorkflowKey): Promise<void> {
  const found = await sql`
    select from workflows where account = ${account} and id = ${id} and deleted_at is null`.execute(db)
  if (found.rows.length === 0) throw notFoundProblem('workflow', id)
}

/** The id of a run in a path. Throws notFound for what is none. */
export function readRunId(text: string): string {
  const id = parseUuid(text)
  if (id === undefined) throw notFoundProblem('run', text)
  return id
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

function showListed(row: RunRow): ListedWorkflowRun {
  const { id, workflow, version, contact, unicity, hash, reason, outcome, node, depth, steps } = row
  return {
    ...{ id, workflow, version },
    contact: contact === null ? null : toFootprint({ id: contact, unicity: unicity!, hash: hash! }),
    ...{ status: row.status, reason, outcome, node },
    start: { type: row.startType, id: row.startId },
    depth,
    stamp: { time: row.stampTime.getTime(), id: row.stamp, thread: row.thread, set: row.set },
    wake: iso(row.wake),
    steps,
    creationDate: row.createdAt.toISOString(),
    updateDate: row.updatedAt.toISOString(),
    endDate: iso(row.endedAt),
  }
}

function conditionsOf({ contact, statuses, node, version, start, end }: WorkflowRunFilter): RawBuilder<unknown> {
  const conditions = [
    ...(contact === undefined ? [] : [sql`r.contact = ${contact}`]),
    ...(statuses === undefined ? [] : [sql`${status} = any(${statuses}::text[])`]),
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
  const order = sql.raw(filter.sort)
  const beyond = sql.raw(filter.sort === 'asc' ? '>' : '<')
  const page = after ? sql`(r.created_at, r.id) ${beyond} (${new Date(after[0])}, ${after[1]}::uuid)` : sql`true`
  const query = sql<RunRow>`
    select ${columns} from ${source}
    where r.account = ${account} and r.workflow = ${id} and ${conditionsOf(filter)} and ${page}
    order by r.created_at ${order}, r.id ${order} limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield showListed(row)
}

/** The place of a run in its list. */
export const toWorkflowRunCursor = ({ creationDate, id }: ListedWorkflowRun): WorkflowRunCursor => [
  Date.parse(creationDate),
  id,
]

/** Reads the place where a page begins; undefined for anything else. */
export function parseWorkflowRunCursor(value: unknown): WorkflowRunCursor | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [at, id] = value
  return Number.isSafeInteger(at) && typeof id === 'string' && parseUuid(id) !== undefined ? [at, id] : undefined
}

/** Entries of a trace as they are answered. */
export function showTraceEntry({ enter, leave, ...entry }: StoredEntry): WorkflowTraceEntry {
  const shown: WorkflowTraceEntry = {
    ...entry,
    enter: new Date(enter).toISOString(),
    leave: new Date(leave).toISOString(),
  }
  return shown
}

/** A run with its trace. Throws notFound. */
export async function readWorkflowRun(db: Db, key: WorkflowKey, run: string): Promise<WorkflowRun> {
  const { account, id } = key
  const { rows: found } = await sql<
    RunRow & Pick<WorkflowRun, 'data' | 'state' | 'variables'> & { trace: StoredEntry[] }
  >`
    select ${columns}, r.data, r.state, r.variables, ${runTraceColumn}
    from ${source} where r.account = ${account} and r.workflow = ${id} and r.id = ${run} and w.deleted_at is null`.execute(
    db,
  )
  const [row] = found
  if (!row) {
    await requireWorkflow(db, key)
    throw notFoundProblem('run', run)
  }
  const { data, state, variables, trace } = row
  return { ...showListed(row), data, state, variables, trace: trace.map(showTraceEntry) }
}

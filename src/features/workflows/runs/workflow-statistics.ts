import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { HOUR_MS } from '../../../lib/time/spans.ts'
import { loadWorkflow, loadWorkflowVersion, type WorkflowKey } from '../workflow-repository.ts'
import type { WorkflowStatistics } from './run-schemas.ts'

/** Counts of one item: in the requested hours, and in total. */
interface CountRow {
  subject: string
  id: string
  name: string
  n: number
  total: number
}

const LISTENER_COUNTS = ['matched', 'started', 'moved', 'refused'] as const
const TASK_COUNTS = ['fired', 'missed', 'skipped', 'rows', 'started'] as const
const END_OUTCOMES = ['completed', 'failed', 'killed', 'expired', 'capped'] as const

/** The hour that an instant is in. */
const toHourStart = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at - (at % HOUR_MS)))

/** Counts that were added up, with those that are not yet. */
async function loadCountRows(
  db: Db,
  { account, id }: WorkflowKey,
  { version, start, end }: { version: number | undefined } & TimePeriod,
): Promise<CountRow[]> {
  const countCondition = sql`account = ${account} and workflow = ${id} and (${version ?? null}::integer is null or version = ${version ?? null})`
  const endDate = end === undefined ? null : new Date(end)
  const { rows } = await sql<CountRow>`
    with every_one as (
      select hour, subject, id, name, n from workflow_counts where ${countCondition}
      union all select hour, subject, entry, name, n from workflow_count_deltas where ${countCondition})
    select subject, id, name, sum(n)::bigint as total, coalesce(sum(n) filter (
      where (${toHourStart(start)}::timestamptz is null or hour >= ${toHourStart(start)}) and (${endDate}::timestamptz is null or hour < ${endDate})), 0)::bigint as n
    from every_one group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}

/** Counts by what they are of. */
function createCountReader(countRows: readonly CountRow[]) {
  const rowsByKey = new Map(
    countRows.map((countRow) => [`${countRow.subject} ${countRow.name} ${countRow.id}`, countRow]),
  )
  const findCountRow = (subject: string, id: string, name: string) => rowsByKey.get(`${subject} ${name} ${id}`)
  return {
    inHours: (subject: string, id: string, name: string) => findCountRow(subject, id, name)?.n ?? 0,
    now: (subject: string, id: string, name: string) => findCountRow(subject, id, name)?.total ?? 0,
  }
}

function summarizeRuns(
  { inHours, now }: ReturnType<typeof createCountReader>,
  isActive: boolean,
): WorkflowStatistics['runs'] {
  const [openCount, waitingCount] = [now('run', '', 'open'), now('run', '', 'waiting')]
  const endCounts = Object.fromEntries(END_OUTCOMES.map((name) => [name, inHours('run', '', name)]))
  return {
    started: inHours('run', '', 'started'),
    open: openCount,
    running: isActive ? openCount - waitingCount : 0,
    waiting: isActive ? waitingCount : 0,
    paused: isActive ? 0 : openCount,
    ...(endCounts as Record<(typeof END_OUTCOMES)[number], number>),
  }
}

/** The nodes of the version, then those of others that were visited. */
async function summarizeNodes(
  db: Db,
  { account, id }: WorkflowKey,
  versionNodes: readonly { id: string; type: string }[],
  countRows: readonly CountRow[],
): Promise<WorkflowStatistics['nodes']> {
  const { inHours, now } = createCountReader(countRows)
  const versionNodeIds = new Set(versionNodes.map((node) => node.id))
  const otherNodeIds = [
    ...new Set(
      countRows.flatMap((countRow) =>
        countRow.subject === 'node' && !versionNodeIds.has(countRow.id) ? [countRow.id] : [],
      ),
    ),
  ]
  const { rows } = await sql<{ id: string; type: string }>`
    select distinct on (1) n ->> 'id' as id, n ->> 'type' as type
    from workflow_versions v cross join lateral jsonb_array_elements(v.definition -> 'nodes') n
    where v.account = ${account} and v.workflow = ${id} and n ->> 'id' = any(${otherNodeIds}::text[])
    order by 1, v.version desc`.execute(db)
  const typesById = new Map(rows.map((row) => [row.id, row.type]))
  const allNodes = [
    ...versionNodes,
    ...otherNodeIds.map((otherNodeId) => ({ id: otherNodeId, type: typesById.get(otherNodeId) ?? null })),
  ]
  const outputs = Map.groupBy(
    countRows.filter(({ subject, n }) => subject === 'output' && n !== 0),
    (countRow) => countRow.id,
  )
  return allNodes.map(({ id: node, type }) => ({
    id: node,
    type,
    entered: inHours('node', node, 'entered'),
    left: inHours('node', node, 'left'),
    current: now('node', node, 'entered') - now('node', node, 'left'),
    failed: inHours('node', node, 'failed'),
    retried: inHours('node', node, 'retried'),
    capped: inHours('node', node, 'capped'),
    outputs: Object.fromEntries((outputs.get(node) ?? []).map(({ name, n }) => [name, n])),
  }))
}

/**
 * Reads the counts of a workflow in the hours of a period, of one version or all. Open runs and runs at a node are counted at the present
 * moment. Throws a 404 Problem.
 */
export async function readWorkflowStatistics(
  db: Db,
  key: WorkflowKey,
  { version, ...period }: { version: number | undefined } & TimePeriod,
): Promise<WorkflowStatistics> {
  const storedWorkflow = await loadWorkflow(db, key)
  const { nodes, listeners, tasks } =
    version === undefined ? storedWorkflow.definition : (await loadWorkflowVersion(db, key, version)).definition
  const countRows = await loadCountRows(db, key, { version, ...period })
  const countReader = createCountReader(countRows)
  const pickCounts = (subject: string, id: string, names: readonly string[]) => ({
    id,
    ...Object.fromEntries(names.map((name) => [name, countReader.inHours(subject, id, name)])),
  })
  return {
    workflow: key.id,
    version: version ?? null,
    runs: summarizeRuns(countReader, storedWorkflow.state === 1),
    refused: Object.fromEntries(
      countRows.flatMap(({ subject, name, n }) => (subject === 'refused' && n !== 0 ? [[name, n]] : [])),
    ),
    nodes: await summarizeNodes(db, key, nodes, countRows),
    listeners: listeners.map(({ id }) =>
      pickCounts('listener', id, LISTENER_COUNTS),
    ) as WorkflowStatistics['listeners'],
    tasks: tasks.map(({ id }) => pickCounts('task', id, TASK_COUNTS)) as WorkflowStatistics['tasks'],
  }
}

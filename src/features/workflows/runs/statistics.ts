import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { HOUR_MS } from '../../../lib/time/spans.ts'
import { loadWorkflow, loadWorkflowVersion, type WorkflowKey } from '../stored.ts'
import type { WorkflowStatistics } from './run-schemas.ts'

/** What was counted of one thing: in the hours asked for, and in all. */
interface Counted {
  subject: string
  id: string
  name: string
  n: number
  total: number
}

const LISTENER_COUNTS = ['matched', 'started', 'moved', 'refused'] as const
const TASK_COUNTS = ['fired', 'missed', 'skipped', 'rows', 'started'] as const
const ENDS = ['completed', 'failed', 'killed', 'expired', 'capped'] as const

/** The hour that an instant is in. */
const hourOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at - (at % HOUR_MS)))

/** Counts that were added up, with those that are not yet. */
async function countedOf(
  db: Db,
  { account, id }: WorkflowKey,
  { version, start, end }: { version: number | undefined } & TimePeriod,
): Promise<Counted[]> {
  const of = sql`account = ${account} and workflow = ${id} and (${version ?? null}::integer is null or version = ${version ?? null})`
  const last = end === undefined ? null : new Date(end)
  const { rows } = await sql<Counted>`
    with every_one as (
      select hour, subject, id, name, n from workflow_counts where ${of}
      union all select hour, subject, entry, name, n from workflow_count_deltas where ${of})
    select subject, id, name, sum(n)::bigint as total, coalesce(sum(n) filter (
      where (${hourOf(start)}::timestamptz is null or hour >= ${hourOf(start)}) and (${last}::timestamptz is null or hour < ${last})), 0)::bigint as n
    from every_one group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}

/** Counts by what they are of. */
function reader(counted: readonly Counted[]) {
  const byKey = new Map(counted.map((one) => [`${one.subject} ${one.name} ${one.id}`, one]))
  const found = (subject: string, id: string, name: string) => byKey.get(`${subject} ${name} ${id}`)
  return {
    inHours: (subject: string, id: string, name: string) => found(subject, id, name)?.n ?? 0,
    now: (subject: string, id: string, name: string) => found(subject, id, name)?.total ?? 0,
  }
}

function runsOf({ inHours, now }: ReturnType<typeof reader>, isActive: boolean): WorkflowStatistics['runs'] {
  const [open, waiting] = [now('run', '', 'open'), now('run', '', 'waiting')]
  const ended = Object.fromEntries(ENDS.map((name) => [name, inHours('run', '', name)]))
  return {
    started: inHours('run', '', 'started'),
    open,
    running: isActive ? open - waiting : 0,
    waiting: isActive ? waiting : 0,
    paused: isActive ? 0 : open,
    ...(ended as Record<(typeof ENDS)[number], number>),
  }
}

/** The nodes of the version, then those of others that were visited. */
async function nodesOf(
  db: Db,
  { account, id }: WorkflowKey,
  own: readonly { id: string; type: string }[],
  counted: readonly Counted[],
): Promise<WorkflowStatistics['nodes']> {
  const { inHours, now } = reader(counted)
  const known = new Set(own.map((node) => node.id))
  const others = [...new Set(counted.flatMap((one) => (one.subject === 'node' && !known.has(one.id) ? [one.id] : [])))]
  const { rows } = await sql<{ id: string; type: string }>`
    select distinct on (1) n ->> 'id' as id, n ->> 'type' as type
    from workflow_versions v cross join lateral jsonb_array_elements(v.definition -> 'nodes') n
    where v.account = ${account} and v.workflow = ${id} and n ->> 'id' = any(${others}::text[])
    order by 1, v.version desc`.execute(db)
  const types = new Map(rows.map((row) => [row.id, row.type]))
  const all = [...own, ...others.map((other) => ({ id: other, type: types.get(other) ?? null }))]
  const outputs = Map.groupBy(
    counted.filter(({ subject, n }) => subject === 'output' && n !== 0),
    (one) => one.id,
  )
  return all.map(({ id: node, type }) => ({
    ...{ id: node, type },
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
 * What was counted of a workflow in the hours of a period, of one version or all: what is open, and stands at a node, is so now. Throws
 * notFound.
 */
export async function readWorkflowStatistics(
  db: Db,
  key: WorkflowKey,
  { version, ...period }: { version: number | undefined } & TimePeriod,
): Promise<WorkflowStatistics> {
  const stored = await loadWorkflow(db, key)
  const { nodes, listeners, tasks } =
    version === undefined ? stored.definition : (await loadWorkflowVersion(db, key, version)).definition
  const counted = await countedOf(db, key, { version, ...period })
  const read = reader(counted)
  const named = (subject: string, id: string, names: readonly string[]) => ({
    id,
    ...Object.fromEntries(names.map((name) => [name, read.inHours(subject, id, name)])),
  })
  return {
    workflow: key.id,
    version: version ?? null,
    runs: runsOf(read, stored.state === 1),
    refused: Object.fromEntries(
      counted.flatMap(({ subject, name, n }) => (subject === 'refused' && n !== 0 ? [[name, n]] : [])),
    ),
    nodes: await nodesOf(db, key, nodes, counted),
    listeners: listeners.map(({ id }) => named('listener', id, LISTENER_COUNTS)) as WorkflowStatistics['listeners'],
    tasks: tasks.map(({ id }) => named('task', id, TASK_COUNTS)) as WorkflowStatistics['tasks'],
  }
}

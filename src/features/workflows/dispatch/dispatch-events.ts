import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { type FailingTask, listBackoffSubjects, recordTaskFailure, recordTaskSuccess } from '../../../jobs/failures.ts'
import { isEventHistoryAway } from '../../events/history/older-events.ts'
import type { PartitionTaker } from '../../listeners/partitions.ts'
import { hasListenerRows, type ListenerRow, takeListenerRows } from '../../listeners/take.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/version-counts.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/event-interests.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import { findWaitPosition } from '../engine/ready-definition.ts'
import { recordVisitConversions } from '../experiments/record-conversions.ts'
import type { RunEventRecord } from '../nodes/node-contract.ts'
import { loadRunContacts } from '../run-stepper/effect-handlers.ts'
import { parseRunRow, runColumns } from '../run-stepper/load-runs.ts'
import { loadStepContext } from '../run-stepper/load-step-context.ts'
import { buildRunScope } from '../run-stepper/node-visit.ts'
import type { StoredRun } from '../run-stepper/run.ts'
import { createWorkflowRunState, type WorkflowRunState } from '../run-stepper/run-state.ts'
import { isFilterMatch, isWaitSatisfied, recordHappenedWaits } from '../waits/search-events.ts'
import { type ListenedEvent, readTypedRecords } from './event-records.ts'
import { startListenerRuns } from './listener-runs.ts'

/** Events that are taken at once. */
export const DISPATCH_BATCH = 200

const DISPATCH_TASK = 'dispatch events to workflows'
const SUBJECT_PREFIX = 'event '
const toFailingTask = (event: string): FailingTask => ({ task: DISPATCH_TASK, subject: `${SUBJECT_PREFIX}${event}` })

/** A wait that an event may end. */
interface WaitRow {
  account: number
  run: string
  id: string
  isGoal: boolean
  node: string
  version: number
  event: string
  /** A place in the order of events. */
  at: Date
}

/** Waits and goals of open runs that are for events of these types, contacts and threads; their runs are locked. */
async function findMatchingWaits(
  tx: Db,
  events: readonly ListenedEvent[],
): Promise<{ waits: WaitRow[]; runs: Map<string, StoredRun> }> {
  const inputRows = events.flatMap(({ row, types, thread }) =>
    types.map((type) => ({
      account: row.account,
      type,
      contact: row.contact,
      stamp: row.stamp,
      thread,
      event: row.event,
    })),
  )
  const candidates = sql`
    select w.account, w.run, w.id, w.is_goal as "isGoal", w.node, w.version, g.event, uuid_extract_timestamp(g.event) as at
    from jsonb_to_recordset(${toJsonbText(inputRows)}::jsonb) as g (account integer, type text, contact bigint, stamp uuid, thread uuid, event uuid)
    cross join lateral (
      select * from workflow_waits where account = g.account and correlation = 'contact' and contact = g.contact and type = g.type
      union all
      select * from workflow_waits where account = g.account and correlation = 'thread' and key = g.thread and type = g.type
      union all
      select * from workflow_waits where account = g.account and correlation = 'send' and key = g.stamp and type = g.type
      union all
      select * from workflow_waits where account = g.account and correlation = 'none' and type = g.type) w`
  // Runs are locked first: what is read of their waits afterwards is final.
  const { rows: lockedRows } = await sql`
    select ${runColumns} from workflow_runs r
    where (r.account, r.id) in (select account, run from (${candidates}) c) and r.ended_at is null
    order by r.id for update of r`.execute(tx)
  const runs = new Map(lockedRows.map(parseRunRow).map((run) => [run.id, run]))
  if (runs.size === 0) return { waits: [], runs }
  const { rows: waits } = await sql<WaitRow>`
    select c.* from (${candidates}) c
    join workflow_waits w on w.account = c.account and w.run = c.run and w.id = c.id and w.is_goal = c."isGoal"
    left join events e on e.id = c.event and e.at = c.at
    left join notices n on n.id = c.event
    where w.event is null and w.is_looked_at and c.run = any(${[...runs.keys()]}::uuid[])
      and (w.until_at is null or c.at < w.until_at)
      and coalesce(workflow_is_behind(c.at, c.event, coalesce(e.xmin, n.writer::xid, n.xmin), w.since_at, w.since_event, w.since_snapshot), c.at > w.since_at)`.execute(
    tx,
  )
  return { waits, runs }
}

/** One wait that an event has ended. */
interface WaitMatch extends WaitRow {
  record: RunEventRecord
}

/** Effects of events on waits: ended waits, and filters that failed. */
interface MatchOutcome {
  matches: WaitMatch[]
  failures: WorkflowVersionCount[]
}

/** Runs as filters see them, with the definitions that their waits are of. */
async function loadWaitingStates(
  context: WorkflowEngineContext,
  tx: Db,
  waits: readonly WaitRow[],
  runs: ReadonlyMap<string, StoredRun>,
) {
  const definitions = await context.definitions.load(tx, [
    ...runs.values(),
    ...waits.map(({ account, run, version }) => ({ account, workflow: runs.get(run)!.workflow, version })),
  ])
  const stepContext = await loadStepContext(context, [...runs.values()], context.clock.now())
  const statesByRun = new Map<string, WorkflowRunState>()
  for (const run of runs.values()) {
    const definition = definitions(run)
    if (definition) statesByRun.set(run.id, createWorkflowRunState(run, definition))
  }
  await loadRunContacts(tx, context.performers, [...statesByRun.values()])
  return { definitions, drafts: statesByRun, around: stepContext }
}

/** Matches events to the waits that they end, in the order of the events. The first event that passes its filter ends a wait. */
async function matchWaits(
  context: WorkflowEngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
  { waits, runs }: Awaited<ReturnType<typeof findMatchingWaits>>,
): Promise<MatchOutcome> {
  const { definitions, drafts: statesByRun, around: stepContext } = await loadWaitingStates(context, tx, waits, runs)
  const matches: WaitMatch[] = []
  const failures: WorkflowVersionCount[] = []
  const computeWaitOrder = ({ run, isGoal, node, id }: WaitRow) => {
    const runState = statesByRun.get(run)
    return isGoal || !runState ? 0 : findWaitPosition(runState.definition, node, id)
  }
  const endedWaits = new Set<string>()
  const byEvent = Map.groupBy(waits, ({ event }) => event)
  for (const { row, record } of events) {
    for (const wait of (byEvent.get(row.event) ?? []).toSorted(
      (leftWait, rightWait) => computeWaitOrder(leftWait) - computeWaitOrder(rightWait),
    )) {
      const runState = statesByRun.get(wait.run)
      const key = `${wait.run} ${wait.isGoal} ${wait.id}`
      if (!runState || endedWaits.has(key) || isWaitOver(runState.run, matches, wait, record)) continue
      const definition = definitions({ ...runState.run, version: wait.version })
      const filter = definition?.filterOf(wait.isGoal ? wait.id : wait.node, wait.isGoal ? '' : wait.id)
      const { account, workflow, version } = runState.run
      const countFilterFailure = () =>
        failures.push({
          account,
          workflow,
          version,
          subject: 'node',
          id: wait.isGoal ? wait.id : wait.node,
          name: 'filterFailed',
          n: 1,
        })
      if (
        !filter ||
        !(await isFilterMatch(
          filter,
          record,
          () => ({ ...buildRunScope(runState, stepContext), event: record }),
          countFilterFailure,
        ))
      )
        continue
      endedWaits.add(key)
      matches.push({ ...wait, record })
    }
  }
  return { matches, failures }
}

/** Returns true if the run needs no further events of this wait; goals are handled separately. */
function isWaitOver(
  { id, needed, goal }: StoredRun,
  matches: readonly WaitMatch[],
  wait: WaitRow,
  record: RunEventRecord,
): boolean {
  const runMatches = matches.filter(({ run, isGoal }) => run === id && isGoal === wait.isGoal)
  if (wait.isGoal) return goal !== null || runMatches.length > 0
  return isWaitSatisfied(
    needed,
    runMatches.map((runMatch) => runMatch.record),
    record,
  )
}

/** Has the runs go on whose waits are over. Those a worker has in hand see it when it locks them next. */
async function wakeRuns(tx: Db, matches: readonly WaitMatch[], now: number): Promise<void> {
  const runIds = [...new Set(matches.map(({ run }) => run))].sort()
  if (runIds.length === 0) return
  const accounts = runIds.map((id) => matches.find(({ run }) => run === id)!.account)
  await sql`
    with k as (
      select k.account, k.id, bool_or(w.is_goal and w.event is not null)
        or count(*) filter (where not w.is_goal and w.event is not null) >= min(r.needed) as over
      from unnest(${accounts}::integer[], ${runIds}::uuid[]) as k (account, id)
      join workflow_runs r on r.account = k.account and r.id = k.id
      join workflow_waits w on w.account = k.account and w.run = k.id
      group by 1, 2
    ), told as (
      update workflow_runs r set moves = r.moves + 1 from k where r.account = k.account and r.id = k.id
    )
    update workflow_timers t set due = ${new Date(now)} from k
    where k.over and t.account = k.account and t.run = k.id and t.claimed_by is null and t.due is not null`.execute(tx)
}

/** Events that are about a contact, but are not its own: it is gone, or one of many. */
const CONTACTLESS_EVENTS = new Set(['target.deleted', 'import.completed'])

/** The events of queued rows, in their order; rows whose events are past retention are left out. */
async function readQueuedEvents(tx: Db, rows: readonly ListenerRow[]): Promise<ListenedEvent[]> {
  const accounts = [...new Set(rows.map(({ account }) => account))]
  const records = await readTypedRecords(tx, [...new Set(rows.map(({ event }) => event))], accounts)
  return rows.flatMap((row) => {
    const typedRecord = records.get(row.event)
    if (!typedRecord) return []
    const { record, types } = typedRecord
    const contact = types.some((type) => CONTACTLESS_EVENTS.has(type)) ? null : row.contact
    return [{ row: { ...row, contact }, types, record, thread: findRecordThread(record) }]
  })
}

/** The thread of the stamp that a record is about. */
function findRecordThread(record: RunEventRecord): string | null {
  const detail = (record['source'] as { detail?: Record<string, { stamp?: { thread?: string } }> } | undefined)?.detail
  const stamp =
    detail?.['activation']?.stamp ??
    detail?.['execution']?.stamp ??
    (record['stamp'] as { thread?: string } | null | undefined)
  return stamp?.thread ?? null
}

/** Dispatches some queued events in one transaction, with all their effects. `onTaken` receives these events. */
function dispatchBatch(
  context: WorkflowEngineContext,
  taker: Omit<PartitionTaker, 'kind'>,
  { limit, onTaken }: { limit: number; onTaken(rows: readonly ListenerRow[]): void },
): Promise<void> {
  const { db, clock } = context
  const skippedEvents = listBackoffSubjects(db, DISPATCH_TASK).map((subject) => subject.slice(SUBJECT_PREFIX.length))
  return inRetriedTransaction(db, async (tx) => {
    const rows = await takeListenerRows(
      tx,
      { ...taker, kind: WORKFLOW_LISTENER_KIND },
      { limit, passOver: skippedEvents },
    )
    onTaken(rows)
    if (rows.length === 0) return
    const now = clock.now()
    const events = await readQueuedEvents(tx, rows)
    const foundWaits = await findMatchingWaits(tx, events)
    const { matches, failures } = await matchWaits(context, tx, events, foundWaits)
    await recordHappenedWaits(
      tx,
      matches.map(({ account, run, id, isGoal, record }) => ({ account, run, wait: id, isGoal, event: record })),
    )
    await wakeRuns(tx, matches, now)
    await recordVisitConversions(context, tx, events)
    await storeVersionCounts(tx, failures, now)
    await startListenerRuns(context, tx, events, now)
  })
}

/** Takes events one by one after one of them failed: that one stays in the queue, and rests. Gives how many were taken. */
async function dispatchOneByOne(context: WorkflowEngineContext, taker: Omit<PartitionTaker, 'kind'>): Promise<number> {
  const { db } = context
  let dispatchedCount = 0
  for (let position = 0; position < DISPATCH_BATCH; position++) {
    let event: string | undefined
    const onTaken = ([row]: readonly ListenerRow[]) => void (event = row?.event)
    try {
      await dispatchBatch(context, taker, { limit: 1, onTaken })
      if (event === undefined) break
      dispatchedCount++
      await recordTaskSuccess(db, toFailingTask(event))
    } catch (error) {
      if (event === undefined || isEventHistoryAway(error)) throw error
      await recordTaskFailure(db, toFailingTask(event), error)
    }
  }
  return dispatchedCount
}

/**
 * Takes queued events: each first ends the waits and goals it is for, then starts what listens to it, all in the transaction that
 * takes it from the queue. One that fails waits for its next try, and holds up no other. Gives how many were taken.
 */
export async function dispatchWorkflowEvents(
  context: WorkflowEngineContext,
  taker: Omit<PartitionTaker, 'kind'>,
): Promise<number> {
  const { db } = context
  if (!(await hasListenerRows(db, WORKFLOW_LISTENER_KIND))) return 0
  let batchRows: readonly ListenerRow[] = []
  try {
    await dispatchBatch(context, taker, { limit: DISPATCH_BATCH, onTaken: (rows) => void (batchRows = rows) })
  } catch (error) {
    if (isDatabaseUnavailable(error) || isEventHistoryAway(error)) throw error
    return dispatchOneByOne(context, taker)
  }
  for (const { event } of batchRows) await recordTaskSuccess(db, toFailingTask(event))
  return batchRows.length
}

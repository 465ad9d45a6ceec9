import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { isSqlConditionTrue } from '../../../database/rows/sql-condition.ts'
import { listBackoffSubjects, runEachIsolated } from '../../../jobs/failures.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/version-counts.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import { computeNextFiring, type WorkflowTask } from './task-definitions.ts'

const MINUTE_MS = 60_000
/** A fire that is later than this was missed. */
const MISSED_AFTER_MS = MINUTE_MS
/** A missed fire that is older than this is not made up for. */
const MAKE_UP_WINDOW_MS = 24 * 60 * MINUTE_MS
/** Missed fires that are counted one by one; before the last day no more. */
const MAX_COUNTED_MISSES = 10_000
/** Tasks that are fired together. */
const FIRE_BATCH_SIZE = 100

/** A task that is due, locked. */
interface DueTask {
  account: number
  workflow: number
  version: number
  task: string
  next: Date | null
  queued: Date | null
  isRunning: boolean
}

/** Decision about a due task. */
interface FireDecision {
  /** The moment of the scheduler that a firing begins for; null: none begins. */
  at: number | null
  next: number | null
  queued: number | null
  fired: number
  missed: number
  skipped: number
}

const computeMinuteEnd = (at: number): number => at - (at % MINUTE_MS) + MINUTE_MS - 1

/** The last fire that is due, and how many there are. */
function countPassedFires(
  task: WorkflowTask,
  zone: string,
  first: number,
  now: number,
): { last: number; count: number } {
  let [lastFire, count] = [first, 1]
  for (;;) {
    const searchStart =
      count < MAX_COUNTED_MISSES
        ? computeMinuteEnd(lastFire)
        : Math.max(computeMinuteEnd(lastFire), now - MAKE_UP_WINDOW_MS)
    const next = computeNextFiring(task, zone, searchStart)
    if (next === null || next > now) return { last: lastFire, count }
    lastFire = next
    count++
  }
}

/** Computes the due part of a schedule: the firing to create, if there is one, and the number of missed firings. */
function computeDueFire(task: WorkflowTask, zone: string, next: number, now: number) {
  const { last: lastFire, count } = countPassedFires(task, zone, next, now)
  const following = computeNextFiring(task, zone, Math.max(computeMinuteEnd(lastFire), now))
  if (now - lastFire < MISSED_AFTER_MS) return { at: lastFire, missed: count - 1, next: following }
  const mustMakeUp = task.missed === 'once' && now - lastFire < MAKE_UP_WINDOW_MS
  return { at: mustMakeUp ? lastFire : null, missed: count, next: following }
}

/** Decides what a task does that is due, or whose fire waited for the firing before. */
export function decideTaskFiring(
  task: WorkflowTask,
  zone: string,
  { next, queued, isRunning }: Pick<DueTask, 'next' | 'queued' | 'isRunning'>,
  now: number,
): FireDecision {
  const isDue = next !== null && next.getTime() <= now
  const dueFire = isDue
    ? computeDueFire(task, zone, next.getTime(), now)
    : { at: null, missed: 0, next: next?.getTime() ?? null }
  const fire: FireDecision = {
    at: null,
    next: dueFire.next,
    queued: queued?.getTime() ?? null,
    fired: 0,
    missed: dueFire.missed,
    skipped: 0,
  }
  if (fire.queued !== null && !isRunning) {
    fire.at = fire.queued
    fire.queued = null
  }
  if (dueFire.at !== null) {
    if (fire.at === null && !isRunning) fire.at = dueFire.at
    else if (task.overlap === 'queue' && fire.queued === null) fire.queued = dueFire.at
    else fire.skipped++
  }
  if (fire.at !== null) fire.fired++
  return fire
}

/** Condition: a task is due, or waits for its firing before. */
export function isTaskDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from workflow_tasks where next_run <= ${now})
    or exists (select from workflow_tasks where queued_run is not null)`
}

/**
 * Returns true if a task is due or still waits for an earlier firing. It is queried several times a second, nearly always with a negative
 * result.
 */
function hasDueTask(db: Db, now: Date): Promise<boolean> {
  return isSqlConditionTrue(db, 'due-workflow-tasks-any', isTaskDue(now))
}

const FIRE_TASK = 'fire tasks of workflows'

/** Tasks that are due and did not fail a moment ago, of active workflows: both are locked. What others have locked is theirs. */
async function lockDueTasks(tx: Db, now: Date): Promise<Omit<DueTask, 'isRunning'>[]> {
  const { rows } = await sql<Omit<DueTask, 'isRunning'>>`${buildPreparedPrefix('lock-due-workflow-tasks')}
    with due as materialized (
      (select account, workflow, task from workflow_tasks where next_run <= ${now}
        and 'workflow ' || workflow || ' task ' || task <> all(${listBackoffSubjects(tx, FIRE_TASK)}::text[])
       order by next_run limit ${FIRE_BATCH_SIZE})
      union
      (select q.account, q.workflow, q.task from workflow_tasks q where q.queued_run is not null and not exists (
        select from workflow_firings f where f.account = q.account and f.workflow = q.workflow and f.task = q.task and f.state = 'running')
       limit ${FIRE_BATCH_SIZE})
    ), active as materialized (
      select w.account, w.id, w.version from workflows w
      where (w.account, w.id) in (select account, workflow from due) and w.state = 1 and w.deleted_at is null
      order by w.account, w.id for share skip locked
    )
    select t.account, t.workflow, a.version, t.task, t.next_run as next, t.queued_run as queued from due d join active a on a.account = d.account and a.id = d.workflow
    join workflow_tasks t on t.account = d.account and t.workflow = d.workflow and t.task = d.task
    where t.next_run <= ${now} or t.queued_run is not null
    order by t.account, t.workflow, t.task for no key update of t skip locked`.execute(tx)
  return rows
}

/** Finds the tasks that have a firing that reads rows. They are queried while the tasks are locked, so that no firing begins meanwhile. */
async function addRunningStates(tx: Db, lockedTasks: readonly Omit<DueTask, 'isRunning'>[]): Promise<DueTask[]> {
  if (lockedTasks.length === 0) return []
  const { rows } = await sql<{
    account: number
    workflow: number
    task: string
  }>`${buildPreparedPrefix('running-workflow-firings')}
    select f.account, f.workflow, f.task from unnest(
      ${lockedTasks.map(({ account }) => account)}::integer[], ${lockedTasks.map(({ workflow }) => workflow)}::integer[],
      ${lockedTasks.map(({ task }) => task)}::text[]) as g (account, workflow, task)
    join workflow_firings f using (account, workflow, task) where f.state = 'running'`.execute(tx)
  const formatTaskKey = ({ account, workflow, task }: (typeof rows)[number]) =>
    JSON.stringify([account, workflow, task])
  const runningKeys = new Set(rows.map(formatTaskKey))
  return lockedTasks.map((lockedTask) => ({ ...lockedTask, isRunning: runningKeys.has(formatTaskKey(lockedTask)) }))
}

interface DecidedFire {
  due: DueTask
  fire: FireDecision
}

async function storeFirings(tx: Db, decided: readonly DecidedFire[], now: number): Promise<void> {
  const startedFires = decided.filter(({ fire }) => fire.at !== null)
  if (startedFires.length === 0) return
  await sql`${buildPreparedPrefix('insert-workflow-firings')}
    insert into workflow_firings (account, id, workflow, version, task, minute, state, started_at)
    select g.account, g.id, g.workflow, g.version, g.task, date_trunc('minute', g.at), 'running', ${new Date(now)} from unnest(
      ${startedFires.map(({ due: dueTask }) => dueTask.account)}::integer[], ${startedFires.map(() => createUuidV7(now))}::uuid[],
      ${startedFires.map(({ due: dueTask }) => dueTask.workflow)}::integer[], ${startedFires.map(({ due: dueTask }) => dueTask.version)}::integer[],
      ${startedFires.map(({ due: dueTask }) => dueTask.task)}::text[], ${startedFires.map(({ fire }) => new Date(fire.at!))}::timestamptz[])
      as g (account, id, workflow, version, task, at)
    on conflict do nothing`.execute(tx)
}

const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at))

async function advanceTasks(tx: Db, decided: readonly DecidedFire[], now: number): Promise<void> {
  await sql`${buildPreparedPrefix('move-workflow-tasks-on')}
    update workflow_tasks t set next_run = g.next, queued_run = g.queued,
      last_run = case when g.fired > 0 then ${new Date(now)} else t.last_run end
    from unnest(
      ${decided.map(({ due: dueTask }) => dueTask.account)}::integer[], ${decided.map(({ due: dueTask }) => dueTask.workflow)}::integer[],
      ${decided.map(({ due: dueTask }) => dueTask.task)}::text[], ${decided.map(({ fire }) => toDate(fire.next))}::timestamptz[],
      ${decided.map(({ fire }) => toDate(fire.queued))}::timestamptz[], ${decided.map(({ fire }) => fire.fired)}::integer[])
      as g (account, workflow, task, next, queued, fired)
    where t.account = g.account and t.workflow = g.workflow and t.task = g.task`.execute(tx)
}

function buildFireCounts({ due: { account, workflow, version, task }, fire }: DecidedFire): WorkflowVersionCount[] {
  return (['fired', 'missed', 'skipped'] as const).flatMap((name) =>
    fire[name] > 0 ? [{ account, workflow, version, subject: 'task' as const, id: task, name, n: fire[name] }] : [],
  )
}

/** No task of that name any more, which cannot be: it does not fire. */
const NO_FIRE: FireDecision = { at: null, next: null, queued: null, fired: 0, missed: 0, skipped: 0 }

function decideFire(dueTask: DueTask, definition: ReadyDefinition | undefined, now: number): DecidedFire {
  const task = definition?.tasks.find(({ id }) => id === dueTask.task)
  return {
    due: dueTask,
    fire: task && definition ? decideTaskFiring(task, definition.settings.timeZone, dueTask, now) : NO_FIRE,
  }
}

/**
 * Begins a firing of each task that is due, once over all processes; gives how many tasks were dealt with. A fire of a task whose
 * firing before still reads rows is passed over, or waits for it.
 */
export async function fireDueTasks({ db, clock, definitions }: WorkflowEngineContext): Promise<number> {
  if (!(await hasDueTask(db, new Date(clock.now())))) return 0
  return inRetriedTransaction(db, async (tx) => {
    const now = clock.now()
    const dueTasks = await addRunningStates(tx, await lockDueTasks(tx, new Date(now)))
    if (dueTasks.length === 0) return 0
    const definitionOf = await definitions.load(tx, dueTasks)
    const decided: DecidedFire[] = []
    await runEachIsolated(db, FIRE_TASK, dueTasks, {
      subjectOf: ({ workflow, task }) => `workflow ${workflow} task ${task}`,
      work: async (pendingTask) => decided.push(decideFire(pendingTask, definitionOf(pendingTask), now)),
    })
    await storeFirings(tx, decided, now)
    await advanceTasks(tx, decided, now)
    await storeVersionCounts(tx, decided.flatMap(buildFireCounts), now)
    return decided.length
  })
}

import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { isSqlConditionTrue } from '../../../database/locks/holds.ts'
import { listBackoffSubjects, runEachIsolated } from '../../../jobs/failures.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/counts.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import { computeNextFiring, type WorkflowTask } from './task-definitions.ts'

const MINUTE_MS = 60_000
/** A fire that is later than this was missed. */
const LATE_MS = MINUTE_MS
/** A missed fire that is older than this is not made up for. */
const MADE_UP_MS = 24 * 60 * MINUTE_MS
/** Missed fires that are counted one by one; before the last day no more. */
const MAX_COUNTED = 10_000
/** Tasks that are fired together. */
const TOGETHER = 100

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

/** What becomes of a due task. */
interface Fire {
  /** The moment of the scheduler that a firing begins for; null: none begins. */
  at: number | null
  next: number | null
  queued: number | null
  fired: number
  missed: number
  skipped: number
}

const endOfMinute = (at: number): number => at - (at % MINUTE_MS) + MINUTE_MS - 1

/** The last fire that is due, and how many there are. */
function passed(task: WorkflowTask, zone: string, first: number, now: number): { last: number; count: number } {
  let [last, count] = [first, 1]
  for (;;) {
    const from = count < MAX_COUNTED ? endOfMinute(last) : Math.max(endOfMinute(last), now - MADE_UP_MS)
    const next = computeNextFiring(task, zone, from)
    if (next === null || next > now) return { last, count }
    last = next
    count++
  }
}

/** What is due of a schedule: the fire to be made, if one is, and how many were missed. */
function dueOf(task: WorkflowTask, zone: string, next: number, now: number) {
  const { last, count } = passed(task, zone, next, now)
  const following = computeNextFiring(task, zone, Math.max(endOfMinute(last), now))
  if (now - last < LATE_MS) return { at: last, missed: count - 1, next: following }
  const isMadeUp = task.missed === 'once' && now - last < MADE_UP_MS
  return { at: isMadeUp ? last : null, missed: count, next: following }
}

/** Decides what a task does that is due, or whose fire waited for the firing before. */
export function decideTaskFiring(
  task: WorkflowTask,
  zone: string,
  { next, queued, isRunning }: Pick<DueTask, 'next' | 'queued' | 'isRunning'>,
  now: number,
): Fire {
  const isDue = next !== null && next.getTime() <= now
  const due = isDue ? dueOf(task, zone, next.getTime(), now) : { at: null, missed: 0, next: next?.getTime() ?? null }
  const fire: Fire = {
    at: null,
    next: due.next,
    queued: queued?.getTime() ?? null,
    fired: 0,
    missed: due.missed,
    skipped: 0,
  }
  if (fire.queued !== null && !isRunning) {
    fire.at = fire.queued
    fire.queued = null
  }
  if (due.at !== null) {
    if (fire.at === null && !isRunning) fire.at = due.at
    else if (task.overlap === 'queue' && fire.queued === null) fire.queued = due.at
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

/** Whether a task is due, or waits for its firing before: asked several times a second, nearly always for nothing. */
function hasDue(db: Db, now: Date): Promise<boolean> {
  return isSqlConditionTrue(db, 'due-workflow-tasks-any', isTaskDue(now))
}

const TASK = 'fire tasks of workflows'

/** Tasks that are due and did not fail a moment ago, of active workflows: both are locked. What others have locked is theirs. */
async function lockDue(tx: Db, now: Date): Promise<Omit<DueTask, 'isRunning'>[]> {
  const { rows } = await sql<Omit<DueTask, 'isRunning'>>`${buildPreparedPrefix('lock-due-workflow-tasks')}
    with due as materialized (
      (select account, workflow, task from workflow_tasks where next_run <= ${now}
        and 'workflow ' || workflow || ' task ' || task <> all(${listBackoffSubjects(tx, TASK)}::text[])
       order by next_run limit ${TOGETHER})
      union
      (select q.account, q.workflow, q.task from workflow_tasks q where q.queued_run is not null and not exists (
        select from workflow_firings f where f.account = q.account and f.workflow = q.workflow and f.task = q.task and f.state = 'running')
       limit ${TOGETHER})
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

/** Which tasks have a firing that reads rows; asked when they are locked, so that none begins meanwhile. */
async function withRunning(tx: Db, due: readonly Omit<DueTask, 'isRunning'>[]): Promise<DueTask[]> {
  if (due.length === 0) return []
  const { rows } = await sql<{
    account: number
    workflow: number
    task: string
  }>`${buildPreparedPrefix('running-workflow-firings')}
    select f.account, f.workflow, f.task from unnest(
      ${due.map(({ account }) => account)}::integer[], ${due.map(({ workflow }) => workflow)}::integer[],
      ${due.map(({ task }) => task)}::text[]) as g (account, workflow, task)
    join workflow_firings f using (account, workflow, task) where f.state = 'running'`.execute(tx)
  const nameOf = ({ account, workflow, task }: (typeof rows)[number]) => JSON.stringify([account, workflow, task])
  const running = new Set(rows.map(nameOf))
  return due.map((one) => ({ ...one, isRunning: running.has(nameOf(one)) }))
}

interface Decided {
  due: DueTask
  fire: Fire
}

async function insertFirings(tx: Db, decided: readonly Decided[], now: number): Promise<void> {
  const begun = decided.filter(({ fire }) => fire.at !== null)
  if (begun.length === 0) return
  await sql`${buildPreparedPrefix('insert-workflow-firings')}
    insert into workflow_firings (account, id, workflow, version, task, minute, state, started_at)
    select g.account, g.id, g.workflow, g.version, g.task, date_trunc('minute', g.at), 'running', ${new Date(now)} from unnest(
      ${begun.map(({ due }) => due.account)}::integer[], ${begun.map(() => createUuidV7(now))}::uuid[],
      ${begun.map(({ due }) => due.workflow)}::integer[], ${begun.map(({ due }) => due.version)}::integer[],
      ${begun.map(({ due }) => due.task)}::text[], ${begun.map(({ fire }) => new Date(fire.at!))}::timestamptz[])
      as g (account, id, workflow, version, task, at)
    on conflict do nothing`.execute(tx)
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

async function moveOn(tx: Db, decided: readonly Decided[], now: number): Promise<void> {
  await sql`${buildPreparedPrefix('move-workflow-tasks-on')}
    update workflow_tasks t set next_run = g.next, queued_run = g.queued,
      last_run = case when g.fired > 0 then ${new Date(now)} else t.last_run end
    from unnest(
      ${decided.map(({ due }) => due.account)}::integer[], ${decided.map(({ due }) => due.workflow)}::integer[],
      ${decided.map(({ due }) => due.task)}::text[], ${decided.map(({ fire }) => dateOf(fire.next))}::timestamptz[],
      ${decided.map(({ fire }) => dateOf(fire.queued))}::timestamptz[], ${decided.map(({ fire }) => fire.fired)}::integer[])
      as g (account, workflow, task, next, queued, fired)
    where t.account = g.account and t.workflow = g.workflow and t.task = g.task`.execute(tx)
}

function countsOf({ due: { account, workflow, version, task }, fire }: Decided): WorkflowVersionCount[] {
  return (['fired', 'missed', 'skipped'] as const).flatMap((name) =>
    fire[name] > 0 ? [{ account, workflow, version, subject: 'task' as const, id: task, name, n: fire[name] }] : [],
  )
}

/** No task of that name any more, which cannot be: it does not fire. */
const NOTHING: Fire = { at: null, next: null, queued: null, fired: 0, missed: 0, skipped: 0 }

function decide(due: DueTask, definition: ReadyDefinition | undefined, now: number): Decided {
  const task = definition?.tasks.find(({ id }) => id === due.task)
  return { due, fire: task && definition ? decideTaskFiring(task, definition.settings.timeZone, due, now) : NOTHING }
}

/**
 * Begins a firing of each task that is due, once over all processes; gives how many tasks were dealt with. A fire of a task whose
 * firing before still reads rows is passed over, or waits for it.
 */
export async function fireDueTasks({ db, clock, definitions }: WorkflowEngineContext): Promise<number> {
  if (!(await hasDue(db, new Date(clock.now())))) return 0
  return inRetriedTransaction(db, async (tx) => {
    const now = clock.now()
    const due = await withRunning(tx, await lockDue(tx, new Date(now)))
    if (due.length === 0) return 0
    const definitionOf = await definitions.load(tx, due)
    const decided: Decided[] = []
    await runEachIsolated(db, TASK, due, {
      subjectOf: ({ workflow, task }) => `workflow ${workflow} task ${task}`,
      work: async (one) => decided.push(decide(one, definitionOf(one), now)),
    })
    await insertFirings(tx, decided, now)
    await moveOn(tx, decided, now)
    await storeVersionCounts(tx, decided.flatMap(countsOf), now)
    return decided.length
  })
}

import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { WorkflowDefinition } from '../definition/workflow-definition.ts'
import { computeNextFiring, type WorkflowTask } from './task-definitions.ts'

/** Key of a scheduled workflow. */
interface ScheduledWorkflow {
  account: number
  id: number
}

type ScheduleSource = Pick<WorkflowDefinition, 'tasks' | 'settings'>

/** Builds the part of a task that determines when it fires. */
function buildSchedule({ schedulers, enabled }: WorkflowTask, { settings }: ScheduleSource): object {
  return { schedulers, enabled, zone: settings.timeZone.id }
}

function isScheduleUnchanged(task: WorkflowTask, before: ScheduleSource | null, after: ScheduleSource): boolean {
  const previousTask = before?.tasks.find(({ id }) => id === task.id)
  return (
    previousTask !== undefined &&
    before !== null &&
    isDeepStrictEqual(buildSchedule(previousTask, before), buildSchedule(task, after))
  )
}

/**
 * Schedules the tasks of a workflow that is active from now on, or was changed while active: `before` is what it was then. A task
 * whose schedulers are as before keeps its next fire, and one that is known keeps what it did last. In a transaction that has the
 * workflow locked; `now` in milliseconds.
 */
export async function scheduleWorkflowTasks(
  tx: Db,
  { account, id }: ScheduledWorkflow,
  { before, after }: { before: ScheduleSource | null; after: ScheduleSource },
  now: number,
): Promise<void> {
  const { tasks, settings } = after
  await sql`
    delete from workflow_tasks where account = ${account} and workflow = ${id}
      and task <> all(${tasks.map((task) => task.id)}::text[])`.execute(tx)
  const changed = tasks.filter((task) => !isScheduleUnchanged(task, before, after))
  if (changed.length === 0) return
  const next = changed.map((task) => computeNextFiring(task, settings.timeZone.id, now))
  await sql`
    insert into workflow_tasks (account, workflow, task, next_run)
    select ${account}, ${id}, g.task, g.next from unnest(
      ${changed.map((task) => task.id)}::text[], ${next.map((at) => (at === null ? null : new Date(at)))}::timestamptz[]) as g (task, next)
    on conflict (account, workflow, task) do update set next_run = excluded.next_run, queued_run = null`.execute(tx)
}

/** Ends the firings of a workflow that is not active any more; its tasks do not fire. In a transaction that has it locked. */
export async function unscheduleWorkflowTasks(tx: Db, { account, id }: ScheduledWorkflow, now: number): Promise<void> {
  await sql`
    update workflow_tasks set next_run = null, queued_run = null where account = ${account} and workflow = ${id}`.execute(
    tx,
  )
  await sql`
    with ended as (
      update workflow_firings set state = 'failed', reason = 'deactivated', ended_at = ${new Date(now)}, claimed_by = null, lease_until = null
      where account = ${account} and workflow = ${id} and state = 'running' returning account, id)
    delete from workflow_firing_batches b using ended e where b.account = e.account and b.firing = e.id`.execute(tx)
}

/** Forgets the tasks of a workflow that is deleted. */
export async function deleteWorkflowTasks(tx: Db, { account, id }: ScheduledWorkflow): Promise<void> {
  await sql`delete from workflow_tasks where account = ${account} and workflow = ${id}`.execute(tx)
}

/** Times of the next and the last firing of a task. */
export interface TaskFiringTimes {
  next: string | null
  last: string | null
}

/** A column "taskRuns" of the workflow `w`: by id of the task, null without any. */
export const taskFiringTimesColumn = sql<Record<string, TaskFiringTimes> | null>`(
  select jsonb_object_agg(t.task, jsonb_build_object('next', t.next_run, 'last', t.last_run))
  from workflow_tasks t where t.account = w.account and t.workflow = w.id) as "taskRuns"`

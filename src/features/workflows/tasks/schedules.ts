import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { WorkflowDefinition } from '../definition/definition.ts'
import { computeNextFiring, type WorkflowTask } from './task-definitions.ts'

/** Which workflow. */
interface Workflow {
  account: number
  id: number
}

type Scheduled = Pick<WorkflowDefinition, 'tasks' | 'settings'>

/** What decides when a task fires. */
function scheduleOf({ schedulers, enabled }: WorkflowTask, { settings }: Scheduled): object {
  return { schedulers, enabled, zone: settings.timeZone.id }
}

function isKept(task: WorkflowTask, before: Scheduled | null, after: Scheduled): boolean {
  const known = before?.tasks.find(({ id }) => id === task.id)
  return known !== undefined && before !== null && isDeepStrictEqual(scheduleOf(known, before), scheduleOf(task, after))
}

/**
 * Schedules the tasks of a workflow that is active from now on, or was changed while active: `before` is what it was then. A task
 * whose schedulers are as before keeps its next fire, and one that is known keeps what it did last. In a transaction that has the
 * workflow locked; `now` in milliseconds.
 */
export async function scheduleWorkflowTasks(
  tx: Db,
  { account, id }: Workflow,
  { before, after }: { before: Scheduled | null; after: Scheduled },
  now: number,
): Promise<void> {
  const { tasks, settings } = after
  await sql`
    delete from workflow_tasks where account = ${account} and workflow = ${id}
      and task <> all(${tasks.map((task) => task.id)}::text[])`.execute(tx)
  const changed = tasks.filter((task) => !isKept(task, before, after))
  if (changed.length === 0) return
  const next = changed.map((task) => computeNextFiring(task, settings.timeZone.id, now))
  await sql`
    insert into workflow_tasks (account, workflow, task, next_run)
    select ${account}, ${id}, g.task, g.next from unnest(
      ${changed.map((task) => task.id)}::text[], ${next.map((at) => (at === null ? null : new Date(at)))}::timestamptz[]) as g (task, next)
    on conflict (account, workflow, task) do update set next_run = excluded.next_run, queued_run = null`.execute(tx)
}

/** Ends the firings of a workflow that is not active any more; its tasks do not fire. In a transaction that has it locked. */
export async function unscheduleWorkflowTasks(tx: Db, { account, id }: Workflow, now: number): Promise<void> {
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
export async function deleteWorkflowTasks(tx: Db, { account, id }: Workflow): Promise<void> {
  await sql`delete from workflow_tasks where account = ${account} and workflow = ${id}`.execute(tx)
}

/** When a task fires next, and fired last. */
export interface TaskFiringTimes {
  next: string | null
  last: string | null
}

/** A column "taskRuns" of the workflow `w`: by id of the task, null without any. */
export const taskFiringTimesColumn = sql<Record<string, TaskFiringTimes> | null>`(
  select jsonb_object_agg(t.task, jsonb_build_object('next', t.next_run, 'last', t.last_run))
  from workflow_tasks t where t.account = w.account and t.workflow = w.id) as "taskRuns"`

import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { loadWorkflow } from '../workflow-repository.ts'

/** Key of a task in a workflow. */
export interface WorkflowTaskKey {
  account: number
  workflow: number
  task: string
}

/** A firing as it is stored. */
export interface StoredTaskFiring {
  id: string
  task: string
  state: 'running' | 'completed' | 'failed'
  /** Why it failed. */
  reason: string | null
  rows: number
  started: number
  skipped: number
  refused: number
  startedAt: Date
  endedAt: Date | null
}

/**
 * Fires a task that is asked for, be it enabled or not; gives the id of the firing. Throws notFound, conflict `workflow-inactive`, and
 * `task-running` while its last firing reads rows.
 */
export function startTaskFiring(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  { account, workflow, task }: WorkflowTaskKey,
  limit: number | null,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    await sql`select from workflows where account = ${account} and id = ${workflow} for share`.execute(tx)
    const { definition, state, version } = await loadWorkflow(tx, { account, id: workflow })
    if (!definition.tasks.some(({ id }) => id === task)) throw notFoundProblem('task', task)
    if (state === 0) throw conflictProblem('workflow-inactive', `The workflow ${workflow} is not active.`)
    const now = clock.now()
    await sql`
      update workflow_tasks set last_run = ${new Date(now)}
      where account = ${account} and workflow = ${workflow} and task = ${task}`.execute(tx)
    const { rows } = await sql`
      select from workflow_firings
      where account = ${account} and workflow = ${workflow} and task = ${task} and state = 'running' limit 1`.execute(
      tx,
    )
    if (rows.length > 0) throw conflictProblem('task-running', `The task ${task} is already running.`)
    const id = createUuidV7(now)
    await sql`
      insert into workflow_firings (account, id, workflow, version, task, state, row_limit, started_at)
      values (${account}, ${id}, ${workflow}, ${version}, ${task}, 'running', ${limit}, ${new Date(now)})`.execute(tx)
    return id
  })
}

/** One firing of a task. Throws notFound. */
export async function loadTaskFiring(
  db: Db,
  { account, workflow, task }: WorkflowTaskKey,
  id: string,
): Promise<StoredTaskFiring> {
  const { rows } = await sql<StoredTaskFiring>`
    select f.id, f.task, f.state, f.reason, f.rows, f.started, f.skipped, f.refused, f.started_at as "startedAt", f.ended_at as "endedAt"
    from workflow_firings f join workflows w on w.account = f.account and w.id = f.workflow and w.deleted_at is null
    where f.account = ${account} and f.id = ${id} and f.workflow = ${workflow} and f.task = ${task}`.execute(db)
  const [row] = rows
  if (!row) throw notFoundProblem('execution', id)
  return row
}

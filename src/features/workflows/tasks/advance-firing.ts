import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/version-counts.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import { StepFailure } from '../nodes/node-contract.ts'
import { type RunStart, startRuns } from '../starts/start-runs.ts'
import { resolveEntryKeys } from '../starts/start-scope.ts'
import {
  type ActiveWorkflowTask,
  createTaskScope,
  evaluateNamedValues,
  type ProjectedTaskRow,
  projectTaskRows,
} from './project-rows.ts'
import {
  completeFiringBatch,
  loadFiringBatch,
  lockTaskFiring,
  stopTaskFiring,
  type TaskFiring,
} from './task-firings.ts'
import { type CompilableRows, storeFiringBatches, TaskProviderFailure } from './task-providers.ts'

/** A worker of firings. */
export interface TaskFiringWorker {
  context: WorkflowEngineContext
  compilables: CompilableRows
  /** Its name in leases. */
  name: string
}

/** Data of a run beyond this start none. */
const MAX_RUN_DATA_BYTES = 256 * 1024

/** The version of a workflow while it is active; with `isLocked` it stays so until the transaction ends. */
async function loadActiveVersion(
  db: Db,
  { account, workflow }: TaskFiring,
  isLocked: boolean,
): Promise<number | undefined> {
  const lockClause = isLocked ? sql`for share` : sql``
  const { rows } = await sql<{ version: number }>`
    select version from workflows where account = ${account} and id = ${workflow} and state = 1 and deleted_at is null ${lockClause}`.execute(
    db,
  )
  return rows[0]?.version
}

/** The task of a firing as it is now; undefined: its workflow is not active. Throws `TaskProviderFailure` without such a task. */
async function loadCurrentTask(
  { db, definitions }: WorkflowEngineContext,
  firing: TaskFiring,
): Promise<ActiveWorkflowTask | undefined> {
  const version = await loadActiveVersion(db, firing, false)
  if (version === undefined) return undefined
  const key = { account: firing.account, workflow: firing.workflow, version }
  const definition = (await definitions.load(db, [key]))(key)
  const task = definition?.tasks.find(({ id }) => id === firing.task)
  if (!definition || !task) throw new TaskProviderFailure('The task was removed.')
  return { definition, task }
}

/** Reads the rows of a firing. Nothing is kept when another worker has it. */
async function readFiringRows(
  { context, compilables, name }: TaskFiringWorker,
  firing: TaskFiring,
  current: ActiveWorkflowTask,
): Promise<void> {
  const { db, clock } = context
  const { definition, task } = current
  const { provider } = task
  const now = clock.now()
  await context.accounts.load(db, [firing.account])
  const argumentExpressions = (provider.type === 'compilable' ? provider.value?.arguments : null) ?? {}
  const values = await evaluateNamedValues(
    definition,
    argumentExpressions,
    createTaskScope(context, current, firing),
  ).catch((error) => {
    throw new TaskProviderFailure(
      `An argument of the compilable failed: ${error instanceof Error ? error.message : error}`,
    )
  })
  await inTransaction(db, async (tx) => {
    const batches = await storeFiringBatches(tx, { firing, task, arguments: values, compilables, now })
    const { rows } = await sql`
      update workflow_firings set batches = ${batches}, state = ${batches === 0 ? 'completed' : 'running'},
        ended_at = ${batches === 0 ? new Date(clock.now()) : null}
      where account = ${firing.account} and id = ${firing.id} and state = 'running' and claimed_by = ${name} and batches is null
      returning id`.execute(tx)
    if (rows.length === 0) throw new LostFiringError()
  })
}

/** Another worker has the firing, or it has ended. */
class LostFiringError extends Error {}

/** The start of each row: one run of it, whatever is repeated. */
async function buildRowStarts(
  context: WorkflowEngineContext,
  firing: TaskFiring,
  { definition, task }: ActiveWorkflowTask,
  rows: readonly ProjectedTaskRow[],
): Promise<RunStart[]> {
  const pendingStarts = rows.map(({ contact, data }) => ({ definition, contact, data: data! }))
  const keys = await resolveEntryKeys(
    context,
    context.db,
    pendingStarts,
    rows.map(({ read: rowContact }) => rowContact),
  )
  const { account, workflow } = firing
  return rows.map(({ place, contact, data }, index): RunStart => {
    const stamp = createNamedUuid('task', account, workflow, firing.id, firing.done, place)
    return {
      definition,
      contact,
      entryKey: keys[index]!.key,
      zone: keys[index]!.zone,
      node: task.handler!,
      type: 'task',
      source: task.id,
      event: null,
      data: data!,
      state: {},
      variables: {},
      depth: 0,
      id: null,
      stamp: { id: stamp, thread: stamp, set: firing.id, time: context.clock.now() },
      after: null,
    }
  })
}

/** Why rows start no run before it is tried. */
function findRowRefusal({ data }: ProjectedTaskRow): 'projection' | 'run too large' | undefined {
  if (data === null) return 'projection'
  return Buffer.byteLength(JSON.stringify(data)) > MAX_RUN_DATA_BYTES ? 'run too large' : undefined
}

function buildBatchCounts(
  { definition, task }: ActiveWorkflowTask,
  rows: number,
  refusals: readonly string[],
): WorkflowVersionCount[] {
  const { account, workflow, version } = definition
  const versionCount = { account, workflow, version, n: 1 }
  return [
    { ...versionCount, subject: 'task', id: task.id, name: 'rows', n: rows },
    ...refusals.flatMap((reason): WorkflowVersionCount[] => [
      { ...versionCount, subject: 'refused', id: '', name: reason },
      { ...versionCount, subject: 'task', id: task.id, name: 'refused' },
    ]),
  ]
}

/** Starts the runs of a batch, and goes on behind it, in one transaction. Nothing is done when another worker has the firing. */
async function startBatchRuns(
  { context, name }: TaskFiringWorker,
  firing: TaskFiring,
  current: ActiveWorkflowTask,
): Promise<void> {
  const { db, clock } = context
  const { definition } = current
  const batch = await loadFiringBatch(db, firing)
  if (!batch) throw new LostFiringError()
  const batchSize = (batch.contacts ?? batch.rows ?? []).length
  const rows = await projectTaskRows(context, current, firing, batch)
  const rowRefusals = rows.flatMap((row) => findRowRefusal(row) ?? [])
  const starts = await buildRowStarts(
    context,
    firing,
    current,
    rows.filter((row) => findRowRefusal(row) === undefined),
  )
  await inRetriedTransaction(db, async (tx) => {
    // Another version may have another handler: the batch is read again.
    if ((await loadActiveVersion(tx, firing, true)) !== definition.version) return
    if (!(await lockTaskFiring(tx, name, firing))) throw new LostFiringError()
    const now = clock.now()
    const outcomes = await startRuns(tx, starts, now)
    const startedCount = outcomes.filter((startOutcome) => startOutcome.type === 'started' && startOutcome.isNew).length
    const refusedOutcomes =
      outcomes.filter(({ type }) => type === 'refused' || type === 'id used').length + rowRefusals.length
    const skippedCount = batchSize - rows.length + outcomes.filter(({ type }) => type === 'no contact').length
    await completeFiringBatch(
      tx,
      firing,
      { rows: batchSize, started: startedCount, skipped: skippedCount, refused: refusedOutcomes },
      now,
    )
    await storeVersionCounts(tx, buildBatchCounts(current, batchSize, rowRefusals), now)
  })
}

async function stopFiring({ context, name }: TaskFiringWorker, firing: TaskFiring, reason: string): Promise<void> {
  const { db, clock } = context
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const version = await loadActiveVersion(tx, firing, true)
    const isStopped = await stopTaskFiring(tx, name, firing, { reason, now })
    const { account, workflow, task } = firing
    if (isStopped && version !== undefined)
      await storeVersionCounts(
        tx,
        [{ account, workflow, version, subject: 'task', id: task, name: 'failed', n: 1 }],
        now,
      )
  })
}

/** Takes a firing of the worker one step on: its rows are read, or the next batch of them becomes runs. */
export async function advanceTaskFiring(worker: TaskFiringWorker, firing: TaskFiring): Promise<void> {
  try {
    const current = await loadCurrentTask(worker.context, firing)
    if (!current) return await stopFiring(worker, firing, 'deactivated')
    await (firing.batches === null ? readFiringRows(worker, firing, current) : startBatchRuns(worker, firing, current))
  } catch (error) {
    if (error instanceof LostFiringError) return
    if (!(error instanceof TaskProviderFailure) && !(error instanceof StepFailure)) throw error
    await stopFiring(worker, firing, error.message)
  }
}

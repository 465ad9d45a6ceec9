import { randomUUID } from 'node:crypto'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { recordTaskFailure, recordTaskSuccess } from '../../../jobs/failures.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import { RUN_LEASE_RENEW_MS } from '../engine/run-leases.ts'
import { advanceTaskFiring, type TaskFiringWorker } from './advance-firing.ts'
import { createCompilableRows } from './compilable-rows.ts'
import { fireDueTasks } from './fire-tasks.ts'
import { claimTaskFirings, releaseTaskFiring, renewTaskFirings, type TaskFiring } from './task-firings.ts'
import type { CompilableRows } from './task-providers.ts'

/** Fires tasks that are due and reads their rows, in any number of processes. */
export interface WorkflowTaskWorker {
  /** Fires what is due, and takes firings on for a while; gives whether there was anything to do. */
  work(): Promise<boolean>
  /** Makes the work under way end soon. */
  stop(): void
}

/** So long firings are taken on before what is due is looked for elsewhere. */
const WORK_SLICE_MS = 2000
/** A firing that fails for no reason of its own is taken again after this or longer. */
const RETRY_MS = 30_000

const toFailingTask = ({ workflow, id }: TaskFiring) => ({
  task: 'take firings on',
  subject: `workflow ${workflow} firing ${id}`,
})

/** Creates a worker of tasks. */
export function createWorkflowTaskWorker(
  context: WorkflowEngineContext,
  compilables: CompilableRows = createCompilableRows(context),
): WorkflowTaskWorker {
  const { db, clock, log } = context
  const worker: TaskFiringWorker = { context, compilables, name: randomUUID() }
  let isStopping = false

  async function advanceFiring(firing: TaskFiring): Promise<void> {
    try {
      if (!isStopping) await advanceTaskFiring(worker, firing)
      await releaseTaskFiring(db, worker.name, firing, clock.now())
      await recordTaskSuccess(db, toFailingTask(firing))
    } catch (error) {
      if (isDatabaseUnavailable(error) && !(error instanceof Problem)) throw error
      const backoffMs = isDatabaseUnavailable(error) ? 0 : await recordTaskFailure(db, toFailingTask(firing), error)
      await releaseTaskFiring(db, worker.name, firing, clock.now() + Math.max(RETRY_MS, backoffMs))
    }
  }

  async function runRound(): Promise<boolean> {
    const firedCount = await fireDueTasks(context)
    const firings = await claimTaskFirings(db, worker.name, clock.now())
    for (const firing of firings) await advanceFiring(firing)
    return firedCount > 0 || firings.length > 0
  }

  return {
    async work() {
      const renewal = setInterval(() => {
        renewTaskFirings(db, worker.name, clock.now()).catch((error) => {
          if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'leases of firings could not be renewed')
        })
      }, RUN_LEASE_RENEW_MS)
      const sliceEnd = performance.now() + WORK_SLICE_MS
      try {
        let isBusy = await runRound()
        const wasBusy = isBusy
        while (isBusy && !isStopping && performance.now() < sliceEnd) isBusy = await runRound()
        return wasBusy
      } finally {
        clearInterval(renewal)
      }
    },
    stop() {
      isStopping = true
    },
  }
}

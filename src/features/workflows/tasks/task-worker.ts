import { randomUUID } from 'node:crypto'
import { isUnavailable } from '../../../database/errors.ts'
import { noteFailure, noteSuccess } from '../../../jobs/failures.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { EngineContext } from '../engine/context.ts'
import { RENEW_MS } from '../engine/limits.ts'
import { advanceFiring, type FiringWorker } from './advance.ts'
import { compilableRows } from './compilable-rows.ts'
import { fireDueTasks } from './fires.ts'
import { claimFirings, type Firing, releaseFiring, renewFirings } from './firings.ts'
import type { CompilableRows } from './providers.ts'

/** Fires tasks that are due and reads their rows, in any number of processes. */
export interface TaskWorker {
  /** Fires what is due, and takes firings on for a while; gives whether there was anything to do. */
  work(): Promise<boolean>
  /** Makes the work under way end soon. */
  stop(): void
}

/** So long firings are taken on before what is due is looked for elsewhere. */
const WORKED_MS = 2000
/** A firing that fails for no reason of its own is taken again after this or longer. */
const RETRY_MS = 30_000

const unitOf = ({ workflow, id }: Firing) => ({ task: 'take firings on', subject: `workflow ${workflow} firing ${id}` })

/** Creates a worker of tasks. */
export function createTaskWorker(
  context: EngineContext,
  compilables: CompilableRows = compilableRows(context),
): TaskWorker {
  const { db, clock, log } = context
  const worker: FiringWorker = { context, compilables, name: randomUUID() }
  let isStopping = false

  async function advance(firing: Firing): Promise<void> {
    try {
      if (!isStopping) await advanceFiring(worker, firing)
      await releaseFiring(db, worker.name, firing, clock.now())
      await noteSuccess(db, unitOf(firing))
    } catch (error) {
      if (isUnavailable(error) && !(error instanceof Problem)) throw error
      const noted = isUnavailable(error) ? 0 : await noteFailure(db, unitOf(firing), error)
      await releaseFiring(db, worker.name, firing, clock.now() + Math.max(RETRY_MS, noted))
    }
  }

  async function round(): Promise<boolean> {
    const fired = await fireDueTasks(context)
    const firings = await claimFirings(db, worker.name, clock.now())
    for (const firing of firings) await advance(firing)
    return fired > 0 || firings.length > 0
  }

  return {
    async work() {
      const renewal = setInterval(() => {
        renewFirings(db, worker.name, clock.now()).catch((error) => {
          if (!isUnavailable(error)) log.error({ err: error }, 'leases of firings could not be renewed')
        })
      }, RENEW_MS)
      const end = performance.now() + WORKED_MS
      try {
        let isBusy = await round()
        const wasBusy = isBusy
        while (isBusy && !isStopping && performance.now() < end) isBusy = await round()
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

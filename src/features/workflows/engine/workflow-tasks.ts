import { randomUUID } from 'node:crypto'
import type { ServiceContext } from '../../../context.ts'
import { waitUnlessAborted } from '../../../lib/concurrency/unless-aborted.ts'
import { purgeCappingIncrements } from '../../capping/increments.ts'
import { leaseListenerPartitions, releaseListenerPartitions } from '../../listeners/partitions.ts'
import { foldWorkflowCounts } from '../counts/counts.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/listening.ts'
import { computeExperiments } from '../experiments/compute.ts'
import { DISPATCH_BATCH, dispatchWorkflowEvents } from '../starts/dispatch.ts'
import { createWorkflowTaskWorker } from '../tasks/task-worker.ts'
import { findWorkflowEngine } from './engine.ts'
import { RUN_CLAIM_BATCH } from './limits.ts'
import { createWorkflowWorker, type WorkflowWorker } from './worker.ts'

/** The periodic work of workflows in a process; each is called again and again. */
export interface WorkflowTasks {
  /** Performs runs that are due, until few are left. */
  work(): Promise<void>
  /** Performs what is due beside a round of `work` that takes long, as one that waits for a lock; waits for one to begin. */
  help(signal: AbortSignal): Promise<void>
  /** Takes events that are queued, until few are left. */
  dispatch(): Promise<void>
  /** Fires tasks that are due, and takes their firings on. */
  fire(): Promise<void>
  /** Adds up what was counted, and drops what counts no more. */
  fold(): Promise<void>
  /** Counts visits of experiments that are old enough. */
  compute(): Promise<void>
  /** Stops: runs and partitions in hand are given back. */
  stop(): Promise<void>
}

const LEASE_MS = 10_000
/** Without events partitions are renewed so often: `dispatch` is to be called again by then. */
export const PARTITION_RENEW_MS = 4000
const RENEW_MS = 2000
/** Deltas that are folded at once are some more than these. */
const MANY_COUNTS = 10_000

/** Rounds of a worker, of which two go on at a time. */
function roundsOf(worker: WorkflowWorker): Pick<WorkflowTasks, 'work' | 'help'> {
  let rounds = 0
  let begun = Promise.withResolvers<void>()
  async function work(): Promise<void> {
    rounds++
    begun.resolve()
    begun = Promise.withResolvers()
    try {
      while ((await worker.work()) >= RUN_CLAIM_BATCH);
    } finally {
      rounds--
    }
  }
  return {
    work,
    async help(signal) {
      if (rounds > 0) await work()
      else await waitUnlessAborted(begun.promise, signal).catch(() => undefined)
    },
  }
}

/** Creates the work of workflows. */
export function createWorkflowTasks(context: ServiceContext): WorkflowTasks {
  const { db, clock } = context
  const engine = findWorkflowEngine(context)
  const worker = createWorkflowWorker(engine)
  const taskWorker = createWorkflowTaskWorker(engine)
  const taker = { taker: randomUUID() }
  const leased = { kind: WORKFLOW_LISTENER_KIND, ...taker }
  let isStopping = false
  let renewed = Number.NEGATIVE_INFINITY
  let dispatching: Promise<void> = Promise.resolve()

  async function dispatch(): Promise<void> {
    for (let isFull = true; isFull && !isStopping; ) {
      if (performance.now() - renewed >= RENEW_MS) {
        renewed = performance.now()
        await leaseListenerPartitions(db, leased, LEASE_MS)
      }
      isFull = (await dispatchWorkflowEvents(engine, taker)) >= DISPATCH_BATCH
    }
  }

  return {
    ...roundsOf(worker),
    dispatch() {
      dispatching = dispatch()
      return dispatching
    },
    async fire() {
      await taskWorker.work()
    },
    async fold() {
      while ((await foldWorkflowCounts(db)) >= MANY_COUNTS && !isStopping);
      while ((await purgeCappingIncrements(db, context.clock.now())) > 0 && !isStopping);
    },
    async compute() {
      while ((await computeExperiments(db, clock.now())) >= MANY_COUNTS && !isStopping);
    },
    async stop() {
      isStopping = true
      taskWorker.stop()
      await Promise.all([worker.stop(), dispatching.catch(() => undefined)])
      await releaseListenerPartitions(db, leased).catch(() => undefined)
    },
  }
}

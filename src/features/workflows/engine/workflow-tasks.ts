import { randomUUID } from 'node:crypto'
import type { ServiceContext } from '../../../context.ts'
import { waitUnlessAborted } from '../../../lib/concurrency/unless-aborted.ts'
import { purgeCappingIncrements } from '../../capping/increments.ts'
import { leaseListenerPartitions, releaseListenerPartitions } from '../../listeners/partitions.ts'
import { foldWorkflowCounts } from '../counts/version-counts.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/event-interests.ts'
import { DISPATCH_BATCH, dispatchWorkflowEvents } from '../dispatch/dispatch-events.ts'
import { computeExperiments } from '../experiments/experiment-results.ts'
import { createWorkflowTaskWorker } from '../tasks/task-worker.ts'
import { findWorkflowEngine } from './engine.ts'
import { RUN_CLAIM_BATCH } from './run-leases.ts'
import { createWorkflowWorker, type WorkflowWorker } from './worker.ts'

/** The periodic work of workflows in a process; each is called again and again. */
export interface WorkflowTasks {
  /** Performs runs that are due, until few are left. */
  work(): Promise<void>
  /**
   * Performs due work in addition to a round of `work` that takes long, for example because it waits for a lock. Waits for a round to
   * begin.
   */
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
const COUNT_FOLD_THRESHOLD = 10_000

/** Rounds of a worker, of which two go on at a time. */
function createRoundRunner(worker: WorkflowWorker): Pick<WorkflowTasks, 'work' | 'help'> {
  let activeRounds = 0
  let roundBegun = Promise.withResolvers<void>()
  async function work(): Promise<void> {
    activeRounds++
    roundBegun.resolve()
    roundBegun = Promise.withResolvers()
    try {
      while ((await worker.work()) >= RUN_CLAIM_BATCH);
    } finally {
      activeRounds--
    }
  }
  return {
    work,
    async help(signal) {
      if (activeRounds > 0) await work()
      else await waitUnlessAborted(roundBegun.promise, signal).catch(() => undefined)
    },
  }
}

/** Creates the work of workflows. */
export function createWorkflowTasks(context: ServiceContext): WorkflowTasks {
  const { db, clock } = context
  const engine = findWorkflowEngine(context)
  const worker = createWorkflowWorker(engine)
  const taskWorker = createWorkflowTaskWorker(engine)
  const eventTaker = { taker: randomUUID() }
  const leaseKey = { kind: WORKFLOW_LISTENER_KIND, ...eventTaker }
  let isStopping = false
  let renewedAt = Number.NEGATIVE_INFINITY
  let dispatching: Promise<void> = Promise.resolve()

  async function dispatch(): Promise<void> {
    for (let isFull = true; isFull && !isStopping; ) {
      if (performance.now() - renewedAt >= RENEW_MS) {
        renewedAt = performance.now()
        await leaseListenerPartitions(db, leaseKey, LEASE_MS)
      }
      isFull = (await dispatchWorkflowEvents(engine, eventTaker)) >= DISPATCH_BATCH
    }
  }

  return {
    ...createRoundRunner(worker),
    dispatch() {
      dispatching = dispatch()
      return dispatching
    },
    async fire() {
      await taskWorker.work()
    },
    async fold() {
      while ((await foldWorkflowCounts(db)) >= COUNT_FOLD_THRESHOLD && !isStopping);
      while ((await purgeCappingIncrements(db, context.clock.now())) > 0 && !isStopping);
    },
    async compute() {
      while ((await computeExperiments(db, clock.now())) >= COUNT_FOLD_THRESHOLD && !isStopping);
    },
    async stop() {
      isStopping = true
      taskWorker.stop()
      await Promise.all([worker.stop(), dispatching.catch(() => undefined)])
      await releaseListenerPartitions(db, leaseKey).catch(() => undefined)
    },
  }
}

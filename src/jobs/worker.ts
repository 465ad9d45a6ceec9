import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Logger } from 'pino'
import { type DatabaseConnection, openDatabasePool } from '../database/connection/connect.ts'
import { retryWhileUnavailable } from '../database/connection/while-unavailable.ts'
import { isResolvedWithin } from '../lib/concurrency/within.ts'
import { createQueuePool } from './pool-with-timeouts.ts'
import {
  deregisterWorker,
  openWorkerConnections,
  recordWorkerHeartbeat,
  registerWorker,
  unlockDeadWorkers,
  type WorkerConnections,
  WorkerLostError,
} from './worker-heartbeats.ts'

/** The interval at which a worker writes its heartbeat, and the time without one after which it is declared dead, in milliseconds. */
export interface WorkerHeartbeatTimes {
  heartbeatMs: number
  timeoutMs: number
}

/** The jobs of a process that dies are unlocked within three quarters of a minute. */
const DEFAULT_TIMES: WorkerHeartbeatTimes = { heartbeatMs: 5000, timeoutMs: 30_000 }
/** The longest times that a stop waits for running jobs, for their connections to close, and for their locks to be released. */
const JOB_GRACE_MS = 2500
const CLOSE_TIMEOUT_MS = 500
const RELEASE_TIMEOUT_MS = 1500
const RESTART_DELAY_MS = 1000
/** A timer of the queue's schedule that is early by so much is early because the clock was put back, in milliseconds. */
const CLOCK_STEP_MS = 60_000
/** The number of checks for dead workers within the time after which a worker is dead. */
const UNLOCKS_PER_TIMEOUT = 3
/** One for the heartbeat, one to unlock the jobs of dead workers. */
const HEARTBEAT_CONNECTIONS = 2
/** The queue listens, takes jobs and ends them; a job has one for its lock and one for its work. */
const QUEUE_CONNECTIONS = 4
const JOB_CONNECTIONS = 2

export interface JobWorkerOptions {
  url: string
  log: Logger
  concurrency: number
  times?: WorkerHeartbeatTimes
  /** Ends the wait of the first start for a database that is away. */
  starting?: AbortSignal | undefined
  /** The queue on the connections of a worker; the signal aborts its jobs. */
  queue(connections: WorkerConnections, signal: AbortSignal): RunnerOptions
}

/** A worker of this process. */
interface JobWorker {
  id: string
  /** The name under which the queue locks jobs; null before the queue has started. */
  pool: string | null
  heartbeat: DatabaseConnection
  connections: DatabaseConnection
  /** Aborted by a stop. */
  stopping: AbortController
  /** Aborted when its jobs are no longer its own. */
  lost: AbortController
  /** Called when its schedule waits for the clock, which was put back, to show the same time again. */
  stale(): void
}

interface RunningWorker {
  /** Resolves when it was declared dead, or its queue failed; with true when all it needs is a new schedule. */
  ended: Promise<boolean>
  /** Waits for its jobs for a grace period, then aborts them; their locks are released. */
  stop(): Promise<void>
  /** Lets go of it without waiting: other workers have its jobs, or will. */
  abandon(): void
}

async function repeatUntilAborted(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/**
 * Writes the heartbeat of a worker, and unlocks the jobs of dead workers. A worker that could not write one for too long,
 * as the process was suspended or the database is away, is declared dead by others, and so gives itself up.
 */
function startHeartbeat(worker: JobWorker, log: Logger, { heartbeatMs, timeoutMs }: WorkerHeartbeatTimes): void {
  const { stopping, lost, heartbeat } = worker
  const endSignal = AbortSignal.any([stopping.signal, lost.signal])
  let writtenAt = performance.now()
  const timeoutTimer = setInterval(() => {
    if (performance.now() - writtenAt > timeoutMs)
      lost.abort(new WorkerLostError('The database was unreachable for too long.'))
  }, heartbeatMs)
  endSignal.addEventListener('abort', () => clearInterval(timeoutTimer))
  const writeHeartbeat = async (): Promise<void> => {
    const attemptedAt = performance.now()
    try {
      await recordWorkerHeartbeat(heartbeat.db, worker.id, worker.pool)
      writtenAt = attemptedAt
    } catch (error) {
      if (error instanceof WorkerLostError) lost.abort(error)
      else if (!endSignal.aborted) log.warn({ err: error }, 'heartbeat failed')
    }
  }
  const unlockDead = async (): Promise<void> => {
    try {
      const unlockedCount = await unlockDeadWorkers(heartbeat.db, timeoutMs)
      if (unlockedCount > 0) log.warn({ workers: unlockedCount }, 'unlocked jobs of dead workers')
    } catch (error) {
      if (!endSignal.aborted) log.warn({ err: error }, 'could not unlock jobs of dead workers')
    }
  }
  void repeatUntilAborted(heartbeatMs, endSignal, writeHeartbeat)
  void repeatUntilAborted(timeoutMs / UNLOCKS_PER_TIMEOUT, endSignal, unlockDead)
}

/** Starts the queue of a worker. It takes no job before the name that it locks jobs under is registered. */
function startQueue(worker: JobWorker, { queue }: JobWorkerOptions): Promise<Runner> {
  const { heartbeat, connections, stopping, lost } = worker
  const events: WorkerEvents = new EventEmitter()
  let registered = Promise.resolve()
  events.once('pool:create', ({ workerPool }) => {
    worker.pool = workerPool.id
    registered = recordWorkerHeartbeat(heartbeat.db, worker.id, workerPool.id)
    registered.catch((error) => lost.abort(error))
  })
  events.on('cron:prematureTimer', ({ currentTimestamp, expectedTimestamp }) => {
    if (expectedTimestamp - currentTimestamp > CLOCK_STEP_MS) worker.stale()
  })
  const queueSignals = { ending: stopping.signal, lost: lost.signal, ready: () => registered }
  const signal = AbortSignal.any([stopping.signal, lost.signal])
  return run({ ...queue(connections, signal), pgPool: createQueuePool(connections.pool, queueSignals), events })
}

async function stopWorker(worker: JobWorker, runner: Runner, log: Logger): Promise<void> {
  const { id, pool, heartbeat, connections, stopping, lost } = worker
  stopping.abort()
  const queueStop = runner.stop().catch((error) => log.warn({ err: error }, 'queue failed to stop cleanly'))
  const isOrderly = await isResolvedWithin(JOB_GRACE_MS, queueStop)
  if (!isOrderly) {
    log.warn('jobs did not finish in time: they are aborted and run again')
    lost.abort(new WorkerLostError('The process is stopping.'))
  }
  const releaseLocks = async (): Promise<void> => {
    // Statements that a job left running are terminated with the worker.
    await isResolvedWithin(isOrderly ? CLOSE_TIMEOUT_MS : 0, connections.close())
    await deregisterWorker(heartbeat.db, id, pool)
    await heartbeat.close()
  }
  const lockRelease = releaseLocks().catch((error) => log.warn({ err: error }, 'could not deregister worker'))
  await isResolvedWithin(RELEASE_TIMEOUT_MS, lockRelease)
}

function abandonWorker({ heartbeat, connections, lost }: JobWorker, runner: Runner, log: Logger): void {
  lost.abort(new WorkerLostError('The queue failed.'))
  const shutdowns = [runner.stop(), connections.close(), heartbeat.close()]
  for (const shutdown of shutdowns)
    shutdown.catch((error) => log.debug({ err: error }, 'abandoned worker failed to stop cleanly'))
}

async function startWorker(options: JobWorkerOptions): Promise<RunningWorker> {
  const { url, log, concurrency, times = DEFAULT_TIMES } = options
  const reportError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const heartbeat = openDatabasePool(url, {
    max: HEARTBEAT_CONNECTIONS,
    applicationName: 'stentor workers',
    log: reportError,
  })
  const [stopping, lost] = [new AbortController(), new AbortController()]
  let connections: DatabaseConnection | undefined
  try {
    const id = await registerWorker(heartbeat.db)
    const maxConnections = QUEUE_CONNECTIONS + JOB_CONNECTIONS * concurrency
    connections = openWorkerConnections(url, id, {
      max: maxConnections,
      log: reportError,
      onLost: (reason) => lost.abort(reason),
    })
    const { promise: workerEnd, resolve } = Promise.withResolvers<boolean>()
    const worker: JobWorker = { id, pool: null, heartbeat, connections, stopping, lost, stale: () => resolve(true) }
    const runner = await startQueue(worker, options)
    startHeartbeat(worker, log, times)
    lost.signal.addEventListener('abort', () => resolve(false))
    runner.promise.catch((error) => log.error({ err: error }, 'queue stopped')).finally(() => resolve(false))
    return {
      ended: workerEnd,
      stop: () => stopWorker(worker, runner, log),
      abandon: () => abandonWorker(worker, runner, log),
    }
  } catch (error) {
    lost.abort(error)
    await Promise.all([connections?.close(), heartbeat.close()])
    throw error
  }
}

/**
 * Runs jobs of the queue until stopped: a worker that was declared dead, whose queue failed or whose schedule waits for the clock is
 * replaced. Waits for a database that is away.
 */
export async function runJobWorker(options: JobWorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { log, starting = new AbortController().signal } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let worker = await retryWhileUnavailable({ signal: starting, log }, () => startWorker(options))
  async function replaceWorkers(): Promise<void> {
    while (!signal.aborted) {
      try {
        worker = await startWorker(options)
        // A stop that came meanwhile has stopped the former worker only.
        if (signal.aborted) await worker.stop()
        return
      } catch (error) {
        log.error({ err: error }, 'queue worker could not start; retrying')
        await delay(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  async function supervise(): Promise<void> {
    while (!signal.aborted) {
      const isStale = await worker.ended
      if (signal.aborted) return
      if (isStale) await worker.stop()
      else {
        log.warn('worker declared dead or its queue failed: starting another')
        worker.abandon()
      }
      await replaceWorkers()
    }
  }
  const supervised = supervise()
  return {
    async stop() {
      stopping.abort()
      await worker.stop()
      await supervised
    },
  }
}

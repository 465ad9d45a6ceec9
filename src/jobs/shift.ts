import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Logger } from 'pino'
import { type Connected, connect } from '../database/connect.ts'
import { within } from '../lib/within.ts'
import { poolWithTimeouts } from './pool-with-timeouts.ts'
import {
  addWorker,
  freeDeadWorkers,
  keepWorker,
  openWorkerConnections,
  removeWorker,
  type WorkerConnections,
  WorkerLost,
} from './workers.ts'

/** How often a worker says that it lives, and after how long without a word it is taken for dead, in milliseconds. */
export interface WorkerTimes {
  beatMs: number
  deadMs: number
}

/** The jobs of a process that dies are free again within three quarters of a minute. */
const TIMES: WorkerTimes = { beatMs: 5000, deadMs: 30_000 }
/** How long a stop waits for jobs that were told to end, for their connections, and until what they hold is free. */
const GRACE_MS = 2500
const CLOSE_MS = 500
const RELEASE_MS = 1500
const RESTART_MS = 1000
/** One says that the worker lives, one frees the jobs of the dead. */
const HEART_CONNECTIONS = 2
/** The queue listens, takes jobs and ends them; a body has one for its turn and one for its work. */
const QUEUE_CONNECTIONS = 4
const BODY_CONNECTIONS = 2

export interface ShiftOptions {
  url: string
  log: Logger
  concurrency: number
  times?: WorkerTimes
  /** The queue on the connections of a worker; its bodies are told to end by the signal. */
  queue(connections: WorkerConnections, signal: AbortSignal): RunnerOptions
}

/** A worker of this process, from its first word to its last. */
interface Shift {
  id: string
  /** The name under which the queue locks jobs; null before there is a queue. */
  pool: string | null
  heart: Connected
  connections: Connected
  /** Told to end by itself. */
  ending: AbortController
  /** Its jobs are no longer its own. */
  lost: AbortController
}

interface Working {
  /** Resolves when it was taken for dead, or its queue gave up. */
  over: Promise<void>
  /** Waits for its jobs a while, then breaks them off; what it held is free. */
  stop(): Promise<void>
  /** Leaves it as it is: others have its jobs, or will. */
  leave(): void
}

async function repeat(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/**
 * Says that the worker lives, and frees the jobs of others that do not. A worker that could not say so for long, as the
 * process stood still or the database is away, is taken for dead by others, and so takes itself for dead.
 */
function beat({ heart: { db }, ...shift }: Shift, log: Logger, { beatMs, deadMs }: WorkerTimes): void {
  const { ending, lost } = shift
  const over = AbortSignal.any([ending.signal, lost.signal])
  let heardAt = performance.now()
  const watch = setInterval(() => {
    if (performance.now() - heardAt > deadMs) lost.abort(new WorkerLost('The database was not reached for too long.'))
  }, beatMs)
  over.addEventListener('abort', () => clearInterval(watch))
  const say = async (): Promise<void> => {
    const at = performance.now()
    try {
      await keepWorker(db, shift.id, shift.pool)
      heardAt = at
    } catch (error) {
      if (error instanceof WorkerLost) lost.abort(error)
      else if (!over.aborted) log.warn({ err: error }, 'the database did not hear that this worker lives')
    }
  }
  const free = async (): Promise<void> => {
    try {
      const freed = await freeDeadWorkers(db, deadMs)
      if (freed > 0) log.warn({ workers: freed }, 'jobs of dead workers are free again')
    } catch (error) {
      if (!over.aborted) log.warn({ err: error }, 'jobs of dead workers could not be freed')
    }
  }
  void repeat(beatMs, over, say)
  void repeat(beatMs, over, free)
}

/** Starts the queue of a worker. It takes no job before the name that it locks jobs under is written down. */
function startQueue(shift: Shift, { queue }: ShiftOptions): Promise<Runner> {
  const { heart, connections, ending, lost } = shift
  const events: WorkerEvents = new EventEmitter()
  let registered = Promise.resolve()
  events.once('pool:create', ({ workerPool }) => {
    shift.pool = workerPool.id
    registered = keepWorker(heart.db, shift.id, workerPool.id)
    registered.catch((error) => lost.abort(error))
  })
  const connecting = { ending: ending.signal, lost: lost.signal, ready: () => registered }
  const signal = AbortSignal.any([ending.signal, lost.signal])
  return run({ ...queue(connections, signal), pgPool: poolWithTimeouts(connections.pool, connecting), events })
}

async function stop(shift: Shift, runner: Runner, log: Logger): Promise<void> {
  const { id, pool, heart, connections, ending, lost } = shift
  ending.abort()
  const ended = runner.stop().catch((error) => log.warn({ err: error }, 'the queue did not stop in order'))
  const isOrderly = await within(GRACE_MS, ended)
  if (!isOrderly) {
    log.warn('jobs that do not end are broken off; they begin again')
    lost.abort(new WorkerLost('The process ends.'))
  }
  const release = async (): Promise<void> => {
    // What a job left behind is ended with the worker.
    await within(isOrderly ? CLOSE_MS : 0, connections.close())
    await removeWorker(heart.db, id, pool)
    await heart.close()
  }
  const released = release().catch((error) => log.warn({ err: error }, 'jobs of this process are free a little later'))
  await within(RELEASE_MS, released)
}

function leave({ heart, connections, lost }: Shift, runner: Runner, log: Logger): void {
  lost.abort(new WorkerLost('The queue gave up.'))
  const ends = [runner.stop(), connections.close(), heart.close()]
  for (const end of ends) end.catch((error) => log.debug({ err: error }, 'a worker that was left ends'))
}

async function startShift(options: ShiftOptions): Promise<Working> {
  const { url, log, concurrency, times = TIMES } = options
  const report = (error: Error) => log.warn({ err: error }, 'a database connection broke')
  const heart = connect(url, { max: HEART_CONNECTIONS, applicationName: 'stentor workers', log: report })
  const [ending, lost] = [new AbortController(), new AbortController()]
  let connections: Connected | undefined
  try {
    const id = await addWorker(heart.db)
    const max = QUEUE_CONNECTIONS + BODY_CONNECTIONS * concurrency
    connections = openWorkerConnections(url, id, { max, log: report, onLost: (reason) => lost.abort(reason) })
    const shift: Shift = { id, pool: null, heart, connections, ending, lost }
    const runner = await startQueue(shift, options)
    beat(shift, log, times)
    const { promise: over, resolve } = Promise.withResolvers<void>()
    lost.signal.addEventListener('abort', () => resolve())
    runner.promise.catch((error) => log.error({ err: error }, 'queue stopped')).finally(resolve)
    return { over, stop: () => stop(shift, runner, log), leave: () => leave(shift, runner, log) }
  } catch (error) {
    lost.abort(error)
    await Promise.all([connections?.close(), heart.close()])
    throw error
  }
}

/** Works the queue until stopped: a worker that was taken for dead, or whose queue gave up, is followed by another. */
export async function keepWorking(options: ShiftOptions): Promise<{ stop(): Promise<void> }> {
  const { log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let shift = await startShift(options)
  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        shift = await startShift(options)
        // A stop that came meanwhile knows the former one only.
        if (signal.aborted) await shift.stop()
        return
      } catch (error) {
        log.error({ err: error }, 'the queue cannot be worked on; it is tried again')
        await delay(RESTART_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  async function work(): Promise<void> {
    while (!signal.aborted) {
      await shift.over
      if (signal.aborted) return
      log.warn('this process was taken for dead, or its queue gave up: its jobs are left, and others begun')
      shift.leave()
      await follow()
    }
  }
  const worked = work()
  return {
    async stop() {
      stopping.abort()
      await shift.stop()
      await worked
    },
  }
}

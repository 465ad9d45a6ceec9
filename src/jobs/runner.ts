import {
  Logger as GraphileLogger,
  type JobHelpers,
  makeWorkerUtils,
  parseCronItems,
  runMigrations,
  runOnce,
  type TaskList,
} from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type SpanAttributes, type Tracing, traced } from '../lib/tracing.ts'
import type { TaskName, Tasks } from './enqueue.ts'
import { runWorker, type WorkerOptions, type WorkerTimes } from './worker.ts'
import type { WorkerConnections } from './worker-registry.ts'

/** The body of each task. It may run twice when a process dies, so it checks the current state before it acts. */
export type TaskBodies = { [Name in TaskName]: (payload: Tasks[Name], signal: AbortSignal) => Promise<void> }

/** When a task runs periodically, in cron's notation (UTC). */
export type Schedule = Partial<Record<TaskName, string>>

/** `isQuiet`: a queue that ends reports the jobs it aborts, which is no error. */
function loggerOf(log: Logger, isQuiet = () => false): GraphileLogger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  // Its texts repeat the error, which is logged as a member.
  return new GraphileLogger(() => (level, message, meta) => {
    const error: unknown = meta?.['error']
    const as = isQuiet() ? 'debug' : levels[level]
    if (error === undefined) log[as]({ queue: true }, message)
    else log[as]({ queue: true, err: error }, message.split(/ with error|[:;]/, 1)[0])
  })
}

/** Creates or upgrades the tables of the queue. */
export async function installQueue(pool: Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: loggerOf(log) })
}

/** What a span tells of a job; its payload may hold what is personal. */
function attributesOf(name: string, { job }: JobHelpers): SpanAttributes {
  return {
    'messaging.system': 'graphile_worker',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    'messaging.message.id': String(job.id),
    'stentor.job.attempt': job.attempts,
  }
}

function taskListOf(tasks: Partial<TaskBodies>, signal: AbortSignal, tracing?: Tracing): TaskList {
  type Body = (payload: unknown, signal: AbortSignal) => Promise<void>
  const taskOf = (name: string, body: Body) => (payload: unknown, helpers: JobHelpers) =>
    traced(
      tracing,
      `job ${name}`,
      () => ({ kind: 'consumer', attributes: attributesOf(name, helpers) }),
      () => body(payload, signal),
    )
  return Object.fromEntries(Object.entries(tasks).map(([name, body]) => [name, taskOf(name, body as Body)]))
}

/** Runs every job that is due, and ends. */
export async function runDueJobs(pool: Pool, log: Logger, tasks: Partial<TaskBodies>): Promise<void> {
  const taskList = taskListOf(tasks, new AbortController().signal)
  await runOnce({ pgPool: pool, taskList, noHandleSignals: true, logger: loggerOf(log) })
}

/** Deletes jobs that can never run again: all attempts failed, or a later job replaced them. */
export async function deleteFailedJobs(pool: Pool, log: Logger): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: loggerOf(log) })
  try {
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
  } finally {
    await utils.release()
  }
}

/** How often a worker looks for jobs of which no notification came: those that were put off. */
const POLL_MS = 5000

export interface RunnerOptions {
  /** Address of the database: a worker has connections of its own. */
  url: string
  log: Logger
  /** The bodies, on the connections of the worker, which end when it is declared dead. */
  tasks(connections: WorkerConnections): Partial<TaskBodies>
  concurrency: number
  schedule: Schedule
  times?: WorkerTimes
  /** Ends the wait of the start for a database that is away. */
  starting?: AbortSignal | undefined
  tracing?: Tracing | undefined
}

/**
 * Runs jobs of the queue until stopped, and unlocks the jobs of dead workers. `stop` aborts the signal of running jobs and
 * waits a few seconds for them; the locks of those that do not end are released for other workers.
 */
export async function startRunner(options: RunnerOptions): Promise<{ stop(): Promise<void> }> {
  const { log, tasks, schedule } = options
  const parsedCronItems = parseCronItems(
    Object.entries(schedule).map(([task, match]) => ({ task, match, identifier: task, options: { maxAttempts: 3 } })),
  )
  const worker: WorkerOptions = {
    ...options,
    queue: (connections, signal) => ({
      taskList: taskListOf(tasks(connections), signal, options.tracing),
      parsedCronItems,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: POLL_MS,
      logger: loggerOf(log, () => signal.aborted),
    }),
  }
  return runWorker(worker)
}

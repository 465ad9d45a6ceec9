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
import type { Db } from '../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../database/errors.ts'
import { runInSpan, type SpanAttributes, type Tracing } from '../lib/telemetry/tracing.ts'
import type { TaskName, TaskPayloads } from './enqueue.ts'
import { recordTaskFailure, recordTaskSuccess } from './failures.ts'
import { type JobWorkerOptions, runJobWorker, type WorkerHeartbeatTimes } from './worker.ts'
import type { WorkerConnections } from './worker-heartbeats.ts'

/** The body of each task. It may run twice when a process dies, so it checks the current state before it acts. */
export type TaskHandlers = { [Name in TaskName]: (payload: TaskPayloads[Name], signal: AbortSignal) => Promise<void> }

/** The schedule of a periodic task, in cron's notation (UTC). */
export type TaskSchedule = Partial<Record<TaskName, string>>

/** `isQuiet`: a queue that ends reports the jobs it aborts, which is no error. */
function createQueueLogger(log: Logger, isQuiet = () => false): GraphileLogger {
  const pinoLevels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  // Its texts repeat the error, which is logged as a member.
  return new GraphileLogger(() => (level, message, meta) => {
    const error: unknown = meta?.['error']
    const pinoLevel = isQuiet() ? 'debug' : pinoLevels[level]
    if (error === undefined) log[pinoLevel]({ queue: true }, message)
    else log[pinoLevel]({ queue: true, err: error }, message.split(/ with error|[:;]/, 1)[0])
  })
}

/** Creates or upgrades the tables of the queue. */
export async function installJobQueue(pool: Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: createQueueLogger(log) })
}

/** The span attributes of a job. Its payload is left out because it may hold personal data. */
function buildSpanAttributes(name: string, { job }: JobHelpers): SpanAttributes {
  return {
    'messaging.system': 'graphile_worker',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    'messaging.message.id': String(job.id),
    'stentor.job.attempt': job.attempts,
  }
}

/** Milliseconds until the queue tries a job again that failed so often: as graphile-worker computes them. */
const getRetryDelayMs = (attempts: number): number => Math.exp(Math.min(10, attempts)) * 1000

interface TaskListOptions {
  signal: AbortSignal
  /** The database that failures are recorded in, if any. */
  db?: Db | undefined
  tracing?: Tracing | undefined
}

/** Runs the body of a job, and notes by the name of its task when it fails; other jobs go on. */
async function withFailureTracking(
  db: Db | undefined,
  task: string,
  { job }: JobHelpers,
  { signal, run }: { signal: AbortSignal; run: () => Promise<void> },
): Promise<void> {
  if (!db) return run()
  const failingTask = { task, subject: `job ${job.id}` }
  try {
    await run()
  } catch (error) {
    if (!signal.aborted && !isDatabaseUnavailable(error))
      await recordTaskFailure(db, failingTask, error, getRetryDelayMs(job.attempts))
    throw error
  }
  await recordTaskSuccess(db, failingTask)
}

function buildTaskList(tasks: Partial<TaskHandlers>, { signal, db, tracing }: TaskListOptions): TaskList {
  type TaskBody = (payload: unknown, signal: AbortSignal) => Promise<void>
  const createTask = (name: string, body: TaskBody) => (payload: unknown, helpers: JobHelpers) =>
    runInSpan(
      tracing,
      `job ${name}`,
      () => ({ kind: 'consumer', attributes: buildSpanAttributes(name, helpers) }),
      () => withFailureTracking(db, name, helpers, { signal, run: () => body(payload, signal) }),
    )
  return Object.fromEntries(Object.entries(tasks).map(([name, body]) => [name, createTask(name, body as TaskBody)]))
}

/** Runs every job that is due, and ends. */
export async function runDueJobs(pool: Pool, log: Logger, tasks: Partial<TaskHandlers>): Promise<void> {
  const taskList = buildTaskList(tasks, { signal: new AbortController().signal })
  await runOnce({ pgPool: pool, taskList, noHandleSignals: true, logger: createQueueLogger(log) })
}

/** Deletes jobs that can never run again: all attempts failed, or a later job replaced them. */
export async function purgeFailedJobs(pool: Pool, log: Logger): Promise<void> {
  const workerUtils = await makeWorkerUtils({ pgPool: pool, logger: createQueueLogger(log) })
  try {
    await workerUtils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
  } finally {
    await workerUtils.release()
  }
}

/** The interval at which a worker polls for jobs without a notification: those that were postponed. */
const POLL_INTERVAL_MS = 5000

export interface JobRunnerOptions {
  /** Address of the database: a worker has connections of its own. */
  url: string
  log: Logger
  /** The database that failures of jobs are recorded in, if any. */
  db?: Db
  /** The bodies, on the connections of the worker, which end when it is declared dead. */
  tasks(connections: WorkerConnections): Partial<TaskHandlers>
  concurrency: number
  schedule: TaskSchedule
  times?: WorkerHeartbeatTimes
  /** Ends the wait of the start for a database that is away. */
  starting?: AbortSignal | undefined
  tracing?: Tracing | undefined
}

/**
 * Runs jobs of the queue until stopped, and unlocks the jobs of dead workers. `stop` aborts the signal of running jobs and
 * waits a few seconds for them; the locks of those that do not end are released for other workers.
 */
export async function startJobRunner(options: JobRunnerOptions): Promise<{ stop(): Promise<void> }> {
  const { log, tasks, schedule } = options
  const parsedCronItems = parseCronItems(
    Object.entries(schedule).map(([task, match]) => ({ task, match, identifier: task, options: { maxAttempts: 3 } })),
  )
  const workerOptions: JobWorkerOptions = {
    ...options,
    queue: (connections, signal) => ({
      taskList: buildTaskList(tasks(connections), { signal, db: options.db, tracing: options.tracing }),
      parsedCronItems,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: POLL_INTERVAL_MS,
      logger: createQueueLogger(log, () => signal.aborted),
    }),
  }
  return runJobWorker(workerOptions)
}

import {
  Logger as GraphileLogger,
  makeWorkerUtils,
  parseCronItems,
  runMigrations,
  runOnce,
  type TaskList,
} from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { TaskName, Tasks } from './enqueue.ts'
import { keepWorking, type ShiftOptions, type WorkerTimes } from './shift.ts'
import type { WorkerConnections } from './workers.ts'

/** The body of each task. It may run twice when a process dies: a task checks the present state before it acts. */
export type TaskBodies = { [Name in TaskName]: (payload: Tasks[Name], signal: AbortSignal) => Promise<void> }

/** When a task runs by itself, in cron's notation (UTC). */
export type Schedule = Partial<Record<TaskName, string>>

/** `isQuiet`: a queue that ends tells of the jobs it breaks off, which is nothing to worry about. */
function loggerOf(log: Logger, isQuiet = () => false): GraphileLogger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  // Its texts repeat the errors; their first words and the error itself say the same.
  return new GraphileLogger(() => (level, message, meta) => {
    const error: unknown = meta?.['error']
    const as = isQuiet() ? 'debug' : levels[level]
    if (error === undefined) log[as]({ queue: true }, message)
    else log[as]({ queue: true, err: error }, message.split(/ with error|[:;]/, 1)[0])
  })
}

/** Makes or upgrades the tables of the queue. */
export async function installQueue(pool: Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: loggerOf(log) })
}

function taskListOf(tasks: Partial<TaskBodies>, signal: AbortSignal): TaskList {
  type Body = (payload: unknown, signal: AbortSignal) => Promise<void>
  return Object.fromEntries(
    Object.entries(tasks).map(([name, body]) => [name, (payload: unknown) => (body as Body)(payload, signal)]),
  )
}

/** Runs every job that is due, and ends. */
export async function runDueJobs(pool: Pool, log: Logger, tasks: Partial<TaskBodies>): Promise<void> {
  const taskList = taskListOf(tasks, new AbortController().signal)
  await runOnce({ pgPool: pool, taskList, noHandleSignals: true, logger: loggerOf(log) })
}

/** Deletes jobs that can never run again: every try of theirs failed, or a later one took their place. */
export async function forgetDeadJobs(pool: Pool, log: Logger): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: loggerOf(log) })
  try {
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] })
  } finally {
    await utils.release()
  }
}

export interface RunnerOptions {
  /** Of the database: a worker has connections of its own. */
  url: string
  log: Logger
  /** The bodies, on the connections of the worker: they end with its right to the jobs. */
  tasks(connections: WorkerConnections): Partial<TaskBodies>
  concurrency: number
  schedule: Schedule
  times?: WorkerTimes
}

/**
 * Works the queue until stopped. `stop` waits a few seconds for the running jobs, which see their signal aborted; those
 * that do not end are broken off, and free for others. The jobs of other workers that died are freed meanwhile.
 */
export async function startRunner(options: RunnerOptions): Promise<{ stop(): Promise<void> }> {
  const { log, tasks, schedule } = options
  const parsedCronItems = parseCronItems(
    Object.entries(schedule).map(([task, match]) => ({ task, match, identifier: task, options: { maxAttempts: 3 } })),
  )
  const shift: ShiftOptions = {
    ...options,
    queue: (connections, signal) => ({
      taskList: taskListOf(tasks(connections), signal),
      parsedCronItems,
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      logger: loggerOf(log, () => signal.aborted),
    }),
  }
  return keepWorking(shift)
}

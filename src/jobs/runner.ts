import {
  Logger as GraphileLogger,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  runOnce,
  type TaskList,
} from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { TaskName, Tasks } from './enqueue.ts'
import { patientPool } from './patient-pool.ts'

/** The body of each task. It may run twice when a process dies: a task checks the present state before it acts. */
export type TaskBodies = { [Name in TaskName]: (payload: Tasks[Name], signal: AbortSignal) => Promise<void> }

/** When a task runs by itself, in cron's notation (UTC). */
export type Schedule = Partial<Record<TaskName, string>>

function loggerOf(log: Logger): GraphileLogger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  // Its texts repeat the errors; their first words and the error itself say the same.
  return new GraphileLogger(() => (level, message, meta) => {
    const error: unknown = meta?.['error']
    if (error === undefined) log[levels[level]]({ queue: true }, message)
    else log[levels[level]]({ queue: true, err: error }, message.split(/ with error|[:;]/, 1)[0])
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

/** Works the queue until stopped: `stop` waits for the running jobs, which see their signal aborted. */
export async function startRunner(
  pool: Pool,
  log: Logger,
  tasks: Partial<TaskBodies>,
  options: { concurrency: number; schedule: Schedule },
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const taskList = taskListOf(tasks, stopping.signal)
  const parsedCronItems = parseCronItems(
    Object.entries(options.schedule).map(([task, match]) => ({
      task,
      match,
      identifier: task,
      options: { maxAttempts: 3 },
    })),
  )
  const runner: Runner = await run({
    pgPool: patientPool(pool, stopping.signal),
    taskList,
    parsedCronItems,
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: loggerOf(log),
  })
  runner.promise.catch((error) => log.error({ err: error }, 'queue stopped'))
  return {
    async stop() {
      stopping.abort()
      await runner.stop()
    },
  }
}

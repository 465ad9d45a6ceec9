import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Db } from '../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../database/errors.ts'
import { getDatabaseServices } from '../database/services.ts'
import { formatErrorReason } from '../lib/errors/reason.ts'
import { type BackoffPolicy, computeBackoffDelay, NO_JITTER } from '../lib/time/backoff.ts'
import { type Clock, isStillWaiting, systemClock } from '../lib/time/clock.ts'

/*
 * One bad row, account or part stops nothing else: what is run here fails alone. A failure is logged, counted by the name of its task and noted in
 * task_failures until it works again; meanwhile it is tried again after growing delays.
 */

/** A task, or a part of one, by its name; `subject`: which account or row of it (`account 3`), absent when it is all of it. */
export interface FailingTask {
  task: string
  subject?: string | undefined
}

/** Failures in a row, and until when nothing is tried, in milliseconds. */
interface KnownFailure {
  failures: number
  until: number
}

/** The failures known to a process, by task and subject; they belong to a database. */
interface FailureRegistry {
  db: Db
  clock: Clock
  known: Map<string, KnownFailure>
  log?: Pick<Logger, 'error'>
  counter?: Counter<'task'>
}

declare module '../database/services.ts' {
  interface DatabaseServices {
    /** The failures known to this process; absent until something fails or failures are tracked. */
    taskFailures?: FailureRegistry
  }
}

/** The longest that something rests after a failure. */
const MAX_BACKOFF_MS = 600_000
const FAILURE_BACKOFF: BackoffPolicy = { firstMs: 1000, maxMs: MAX_BACKOFF_MS, jitter: NO_JITTER }
/** A failure that was not tried again for so long is of something that is gone. */
export const STALE_FAILURE_MS = 3_600_000
/** Characters of an error that are kept. */
const MAX_ERROR_LENGTH = 500
/** Failures that are shown at most. */
const MAX_LISTED_FAILURES = 100

function getFailureRegistry(db: Db): FailureRegistry {
  const services = getDatabaseServices(db)
  services.taskFailures ??= { db, clock: systemClock, known: new Map() }
  return services.taskFailures
}

const buildFailureKey = ({ task, subject = '' }: FailingTask): string => JSON.stringify([task, subject])

const toKnownFailure = ({ failures, next_at }: { failures: number; next_at: Date }): KnownFailure => ({
  failures,
  until: next_at.getTime(),
})

/** Has the failures on a database logged and counted, and knows those of processes before this one. To be called once. */
export async function trackTaskFailures(
  db: Db,
  { clock, log, registry }: { clock: Clock; log: Pick<Logger, 'error'>; registry: Registry },
): Promise<void> {
  // Read first: this is called again while the database is away, and a metric can be registered only once.
  const rows = await db.selectFrom('task_failures').selectAll().execute()
  const counter = new Counter({
    name: 'stentor_task_failures_total',
    help: 'Failures of periodic tasks, their parts and jobs, by name; everything else continued',
    labelNames: ['task'],
    registers: [registry],
  })
  const knownFailures = new Map(rows.map((row) => [buildFailureKey(row), toKnownFailure(row)] as const))
  getDatabaseServices(db).taskFailures = { db, clock, known: knownFailures, log, counter }
}

/** Lets what fails through another handle on the same database be noted with that of this one; gives the other one. */
export function shareFailureTracking(db: Db, otherDb: Db): Db {
  getDatabaseServices(otherDb).taskFailures = getFailureRegistry(db)
  return otherDb
}

/**
 * Notes a failure, and gives after how many milliseconds it is tried again: `nextMs`, or a delay that grows. Throws when the database is
 * unavailable.
 */
export async function recordTaskFailure(db: Db, unit: FailingTask, error: unknown, nextMs?: number): Promise<number> {
  if (isDatabaseUnavailable(error)) throw error
  const { db: registryDb, clock, known: knownFailures, log, counter } = getFailureRegistry(db)
  const { task, subject = '' } = unit
  const previousFailures = knownFailures.get(buildFailureKey(unit))?.failures ?? 0
  const now = clock.now()
  const delayMs = nextMs ?? computeBackoffDelay(FAILURE_BACKOFF, previousFailures)
  const retryAt = now + delayMs
  knownFailures.set(buildFailureKey(unit), { failures: previousFailures + 1, until: retryAt })
  counter?.inc({ task })
  log?.error({ err: error, task, ...(subject && { subject }), failures: previousFailures + 1 }, 'task failed')
  const text = formatErrorReason(error).replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH)
  await sql`
    insert into task_failures as f (task, subject, failures, since, next_at, error)
    values (${task}, ${subject}, 1, ${new Date(now)}, ${new Date(retryAt)}, ${text})
    on conflict (task, subject) do update set failures = f.failures + 1, next_at = excluded.next_at, error = excluded.error`.execute(
    registryDb,
  )
  return delayMs
}

/** Notes that something works; costs nothing when it did before. */
export async function recordTaskSuccess(db: Db, unit: FailingTask): Promise<void> {
  const { db: registryDb, known: knownFailures } = getFailureRegistry(db)
  if (!knownFailures.delete(buildFailureKey(unit))) return
  const { task, subject = '' } = unit
  await registryDb.deleteFrom('task_failures').where('task', '=', task).where('subject', '=', subject).execute()
}

/** Returns true if something that failed is not due for its next attempt. */
function isBackingOff(db: Db, unit: FailingTask): boolean {
  const { clock, known: knownFailures } = getFailureRegistry(db)
  const failure = knownFailures.get(buildFailureKey(unit))
  return failure !== undefined && isStillWaiting(failure.until, { now: clock.now(), longestMs: MAX_BACKOFF_MS })
}

/** The subjects of a task that are not to be tried yet: a statement that takes a limited number leaves them out. */
export function listBackoffSubjects(db: Db, task: string): string[] {
  const taskSubjects = [...getFailureRegistry(db).known.keys()].map((key): [string, string] => JSON.parse(key))
  return taskSubjects.flatMap(([of, subject]) => (of === task && isBackingOff(db, { task, subject }) ? [subject] : []))
}

/**
 * Runs something that fails alone, unless it rests after a failure. Gives whether it worked; throws when the database is unavailable, and
 * what was thrown once the signal is aborted.
 */
export async function runIsolated(
  db: Db,
  unit: FailingTask,
  work: () => Promise<unknown>,
  signal?: AbortSignal,
): Promise<boolean> {
  if (isBackingOff(db, unit)) return false
  try {
    await work()
  } catch (error) {
    if (signal?.aborted) throw error
    await recordTaskFailure(db, unit, error)
    return false
  }
  await recordTaskSuccess(db, unit)
  return true
}

/** Works on rows or accounts one after the other, each alone; gives how many worked. `subjectOf`: their names, as `account 3`. */
export async function runEachIsolated<T>(
  db: Db,
  task: string,
  items: readonly T[],
  { subjectOf, work }: { subjectOf: (item: T) => string; work: (item: T) => Promise<unknown> },
): Promise<number> {
  let workedCount = 0
  for (const item of items)
    if (await runIsolated(db, { task, subject: subjectOf(item) }, () => work(item))) workedCount++
  return workedCount
}

/** Works on rows together, and when that fails on each alone; those that failed before are tried alone. `subjectOf`: their names. */
export async function runBatchOrIsolated<T>(
  db: Db,
  task: string,
  items: readonly T[],
  { subjectOf, work }: { subjectOf: (item: T) => string; work: (items: readonly T[]) => Promise<unknown> },
): Promise<void> {
  const { known: knownFailures } = getFailureRegistry(db)
  const { bad: failedItems = [], good: otherItems = [] } = Object.groupBy(items, (item) =>
    knownFailures.has(buildFailureKey({ task, subject: subjectOf(item) })) ? 'bad' : 'good',
  )
  const isolatedItems = [...failedItems]
  try {
    if (otherItems.length > 0) await work(otherItems)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    isolatedItems.push(...otherItems)
  }
  await runEachIsolated(db, task, isolatedItems, { subjectOf, work: (item) => work([item]) })
}

/** The parts of a task, by what they do. */
export type TaskParts = Readonly<Record<string, () => Promise<unknown>>>

/** Runs the parts of a task one after the other, each alone, until the signal is aborted. */
export async function runTaskParts(db: Db, parts: TaskParts, signal?: AbortSignal): Promise<void> {
  for (const [task, runPart] of Object.entries(parts)) {
    signal?.throwIfAborted()
    await runIsolated(db, { task }, runPart, signal)
  }
}

/** The tasks whose last run failed and that may be retried. */
export async function findRetryableTasks(db: Db, tasks: readonly string[]): Promise<string[]> {
  const { clock, known: knownFailures } = getFailureRegistry(db)
  const rows = await db
    .selectFrom('task_failures')
    .selectAll()
    .where('subject', '=', '')
    .where('task', 'in', tasks)
    .where('next_at', '<=', new Date(clock.now()))
    .execute()
  // Some failed in another process.
  for (const row of rows)
    if (!knownFailures.has(buildFailureKey(row))) knownFailures.set(buildFailureKey(row), toKnownFailure(row))
  return rows.map(({ task }) => task)
}

/** A failure as operators see it. */
export interface TaskFailure {
  task: string
  /** The account or row of the task; empty means the whole task. */
  subject: string
  failures: number
  since: Date
  error: string
}

/** The current failures, the longest first, at most 100. `now` in milliseconds. */
export async function listTaskFailures(db: Db, now: number): Promise<TaskFailure[]> {
  return db
    .selectFrom('task_failures')
    .select(['task', 'subject', 'failures', 'since', 'error'])
    .where('next_at', '>', new Date(now - STALE_FAILURE_MS))
    .orderBy('since')
    .orderBy('task')
    .orderBy('subject')
    .limit(MAX_LISTED_FAILURES)
    .execute()
}

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type BackoffPolicy, computeBackoffDelay, NO_JITTER } from '../../lib/time/backoff.ts'
import { enqueueJob } from './jobs.ts'

const MAX_TRIES = 5
const backoff: BackoffPolicy = { firstMs: 40, maxMs: 320, jitter: NO_JITTER }
/** After this time a job goes to the end of the queue, so that others run. */
const SLICE_MS = 10_000

/** A job as its body sees it, its row locked. */
export interface LockedJob {
  id: string
  account: AccountId
  type: string
  /** What was asked for: JSON that the feature wrote. */
  payload: unknown
  /** Where the last step ended; null before the first. */
  position: unknown
  done: number
}

/** The outcome of a step: the position of the next one, or the result of the job. */
export type JobStepOutcome = { position: unknown; done: number; total?: number } | { result: unknown }

/**
 * One step of a job in the given transaction, which also commits the position. An interrupted step is repeated, so it must
 * have no effect outside the transaction. A Problem that it throws ends the job.
 */
export type JobStep = (tx: Db, job: LockedJob) => Promise<JobStepOutcome>

/** The bodies by the type of the job. */
export type JobStepsByType = Readonly<Record<string, JobStep>>

type Tools = Pick<ServiceContext, 'db' | 'clock' | 'log'>

/** Locks a job until the transaction ends; undefined when it has ended, or while another process takes a step of it. */
async function lockOpen(tx: Db, id: string): Promise<LockedJob | undefined> {
  const { rows } = await sql<LockedJob>`
    select id, account, type, payload, position, done from jobs
    where id = ${id} and state in ('queued', 'running') for no key update skip locked`.execute(tx)
  return rows[0]
}

/** Whether there is something to do; a queued job is marked as started. */
async function open(db: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update jobs set state = 'running', started_at = coalesce(started_at, ${now})
    where id = (
      select id from jobs where id = ${id} and state in ('queued', 'running') for no key update skip locked)
    returning id`.execute(db)
  return rows.length > 0
}

async function end(tx: Db, id: string, outcome: { result: unknown } | { error: Problem }, now: Date): Promise<void> {
  const [state, result, error] =
    'result' in outcome
      ? (['done', toJsonbText(outcome.result ?? null), null] as const)
      : (['failed', null, toJsonbText({ type: outcome.error.kind, detail: outcome.error.detail })] as const)
  await sql`
    update jobs set state = ${state}, ended_at = ${now}, result = ${result}, error = ${error}, payload = null, position = null
    where id = ${id} and state in ('queued', 'running')`.execute(tx)
  await sql`delete from job_contacts where job = ${id}`.execute(tx)
}

/** Takes one step; gives whether there is another one. */
async function takeStep({ db, clock }: Tools, bodies: JobStepsByType, id: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const job = await lockOpen(tx, id)
    if (!job) return false
    const body = bodies[job.type]
    if (!body) throw new Error(`there is no body for jobs of type ${job.type}`)
    const step = await body(tx, job)
    if ('result' in step) {
      await end(tx, id, step, new Date(clock.now()))
      return false
    }
    await sql`
      update jobs set position = ${toJsonbText(step.position)}, done = ${step.done}, total = coalesce(${step.total ?? null}, total)
      where id = ${id}`.execute(tx)
    return true
  })
}

/** Retries a step that fails. The fifth failure ends the job, a Problem at once; committed batches stay. */
async function retryStep(tools: Tools, bodies: JobStepsByType, id: string): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await takeStep(tools, bodies, id)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // A mistake of the request is no failure of the service.
      if (error instanceof Problem && error.status < 500)
        tools.log.info({ kind: error.kind, job: id }, 'a job ended because of a mistake in its request')
      else tools.log.warn({ err: error, tries, job: id }, 'a step of a job failed')
      const detail = `A batch failed ${MAX_TRIES} times; those before it stay.`
      const problem = error instanceof Problem ? error : new Problem(500, 'batch-failed', detail)
      if (error instanceof Problem || tries === MAX_TRIES) {
        await tools.db.transaction().execute((tx) => end(tx, id, { error: problem }, new Date(tools.clock.now())))
        return false
      }
      await delay(computeBackoffDelay(backoff, tries - 1))
    }
  }
}

/**
 * Runs a job from its position until it ends, its time slice is over or `signal` aborts. Each step is a transaction that
 * locks the job's row and moves its position, so that none is done twice, also when processes run it at once or die.
 * Does nothing for a job that has ended. A job that is not done yet is queued again, here or by `requeueUnfinishedJobs`.
 */
export async function runJob(
  tools: Tools,
  bodies: JobStepsByType,
  { job }: { job: string },
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = tools
  const start = clock.now()
  if (!(await open(db, job, new Date(start)))) return
  while (!signal?.aborted) {
    if (!(await retryStep(tools, bodies, job))) return
    if (clock.now() - start > SLICE_MS) return enqueueJob(db, job)
  }
}

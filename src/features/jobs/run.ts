import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type BackoffPolicy, computeBackoffDelay, NO_JITTER } from '../../lib/time/backoff.ts'
import { enqueueJob } from './jobs.ts'

const MAX_STEP_TRIES = 5
const retryBackoff: BackoffPolicy = { firstMs: 40, maxMs: 320, jitter: NO_JITTER }
/** After this time a job goes to the end of the queue, so that others run. */
const MAX_SLICE_MS = 10_000

/** A job as its body sees it, its row locked. */
export interface LockedJob {
  id: string
  account: AccountId
  type: string
  /** The input of the job: JSON that the feature wrote. */
  payload: unknown
  /** End position of the last step; null before the first. */
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

type JobTools = Pick<ServiceContext, 'db' | 'clock' | 'log'>

/** Locks a job until the transaction ends; undefined when it has ended, or while another process takes a step of it. */
async function lockUnfinishedJob(tx: Db, id: string): Promise<LockedJob | undefined> {
  const { rows } = await sql<LockedJob>`
    select id, account, type, payload, position, done from jobs
    where id = ${id} and state in ('queued', 'running') for no key update skip locked`.execute(tx)
  return rows[0]
}

/** True if there is work to do. A queued job is marked as started. */
async function startJob(db: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update jobs set state = 'running', started_at = coalesce(started_at, ${now})
    where id = (
      select id from jobs where id = ${id} and state in ('queued', 'running') for no key update skip locked)
    returning id`.execute(db)
  return rows.length > 0
}

async function endJob(tx: Db, id: string, outcome: { result: unknown } | { error: Problem }, now: Date): Promise<void> {
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
async function runStep({ db, clock }: JobTools, bodies: JobStepsByType, id: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const job = await lockUnfinishedJob(tx, id)
    if (!job) return false
    const body = bodies[job.type]
    if (!body) throw new Error(`unknown job type ${job.type}`)
    const stepResult = await body(tx, job)
    if ('result' in stepResult) {
      await endJob(tx, id, stepResult, new Date(clock.now()))
      return false
    }
    await sql`
      update jobs set position = ${toJsonbText(stepResult.position)}, done = ${stepResult.done}, total = coalesce(${stepResult.total ?? null}, total)
      where id = ${id}`.execute(tx)
    return true
  })
}

/** Retries a step that fails. The fifth failure ends the job, a Problem at once; committed batches stay. */
async function runStepWithRetries(tools: JobTools, bodies: JobStepsByType, id: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runStep(tools, bodies, id)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // A mistake of the request is no failure of the service.
      if (error instanceof Problem && error.status < 500)
        tools.log.info({ kind: error.kind, job: id }, 'job ended: invalid request')
      else tools.log.warn({ err: error, tries: attempt, job: id }, 'job step failed')
      const detail = `A batch failed ${MAX_STEP_TRIES} times. Earlier batches are retained.`
      const problem = error instanceof Problem ? error : new Problem(500, 'batch-failed', detail)
      if (error instanceof Problem || attempt === MAX_STEP_TRIES) {
        await tools.db.transaction().execute((tx) => endJob(tx, id, { error: problem }, new Date(tools.clock.now())))
        return false
      }
      await delay(computeBackoffDelay(retryBackoff, attempt - 1))
    }
  }
}

/**
 * Runs a job from its position until it ends, its time slice is over or `signal` aborts. Each step is a transaction that
 * locks the job's row and moves its position, so that none is done twice, also when processes run it at once or die.
 * Does nothing for a job that has ended. A job that is not done yet is queued again, here or by `requeueUnfinishedJobs`.
 */
export async function runJob(
  tools: JobTools,
  bodies: JobStepsByType,
  { job }: { job: string },
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = tools
  const startTime = clock.now()
  if (!(await startJob(db, job, new Date(startTime)))) return
  while (!signal?.aborted) {
    if (!(await runStepWithRetries(tools, bodies, job))) return
    if (clock.now() - startTime > MAX_SLICE_MS) return enqueueJob(db, job)
  }
}

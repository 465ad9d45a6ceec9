import { sql } from 'kysely'
import type { Db } from '../database/connection/connect.ts'

/** The queue waits exp(attempts) seconds after a failure, and counts no more attempts than these. */
const MAX_COUNTED_ATTEMPTS = 10
const MINUTE_MS = 60_000

/**
 * Makes due the jobs that were due when they were added, and those that have waited for longer than a job does after its number of
 * failures. Uses the clock of the database.
 */
export async function makeLateJobsDue(db: Db): Promise<void> {
  await sql`
    with late as (
      select id from graphile_worker._private_jobs
      where locked_at is null and run_at > now() and case when attempts > 0
        then run_at > now() + exp(least(attempts, ${sql.lit(MAX_COUNTED_ATTEMPTS)})) * interval '1 second'
        else run_at <= greatest(created_at, updated_at) end
      for update skip locked
    )
    update graphile_worker._private_jobs j set run_at = now() from late where j.id = late.id`.execute(db)
}

/** Has the schedule of the queue go on that was last run in time to come, by the clock of this machine. */
export async function purgeFutureCronRuns(db: Db, now: number): Promise<void> {
  await sql`
    update graphile_worker._private_known_crontabs set last_execution = ${new Date(now)}
    where last_execution > ${new Date(now + MINUTE_MS)}`.execute(db)
}

/** Forgets workers that are to have been seen in time to come: those that live say so again every few seconds. */
export async function purgeFutureWorkers(db: Db): Promise<void> {
  await sql`delete from job_workers where seen_at > now() + interval '1 minute'`.execute(db)
}

import type { Db } from '../../database/connection/connect.ts'
import { listFailures } from '../../jobs/failures.ts'
import type { Finding } from './finding.ts'

/** Findings on periodic tasks and jobs that failed last. `now` in milliseconds. */
export async function checkTasks(db: Db, now: number): Promise<Finding[]> {
  return (await listFailures(db, now)).map(({ task, subject, failures, since, error }) => ({
    subject: `task ${task}`,
    ok: false,
    seen: `${subject === '' ? '' : `${subject}: `}${failures === 1 ? 'failed' : `failed ${failures} times`} since ${since.toISOString()}: ${error}`,
    advice: 'Everything else goes on, and it is tried again by itself. The log has the whole error.',
  }))
}

import type { Db } from '../../database/connection/connect.ts'
import { listTaskFailures } from '../../jobs/failures.ts'
import type { DoctorFinding } from './finding.ts'

/** Findings on periodic tasks and jobs that failed last. `now` in milliseconds. */
export async function checkFailingTasks(db: Db, now: number): Promise<DoctorFinding[]> {
  return (await listTaskFailures(db, now)).map(({ task, subject, failures, since, error }) => ({
    subject: `task ${task}`,
    ok: false,
    seen: `${subject === '' ? '' : `${subject}: `}${failures === 1 ? 'failed' : `failed ${failures} times`} since ${since.toISOString()}: ${error}`,
    advice: 'The task is retried automatically, and other tasks continue. The log has the full error.',
  }))
}

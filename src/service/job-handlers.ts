import type { Context } from '../context.ts'
import { selectionJobs } from '../features/contacts/bulk/selection-jobs.ts'
import type { JobBodies } from '../features/jobs/run.ts'
import { backtestJobs } from '../features/pressure/backtest.ts'
import { normalizationJobs } from '../features/segments/members/normalization.ts'
import { portsOf } from './ports.ts'

/** What jobs do, by their type. */
export function jobBodies(context: Context): JobBodies {
  const selecting = { ...context, ports: portsOf(context) }
  return { ...selectionJobs(selecting), ...normalizationJobs(context), ...backtestJobs }
}

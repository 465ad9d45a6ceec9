import type { ServiceContext } from '../context.ts'
import { createSelectionJobs } from '../features/contacts/bulk/selection-jobs.ts'
import type { JobStepsByType } from '../features/jobs/run.ts'
import { backtestJobSteps } from '../features/pressure/backtest.ts'
import { createNormalizationJobs } from '../features/segments/members/normalization.ts'
import { createContactPorts } from './ports.ts'

/** The handlers of jobs, by their type. */
export function createJobHandlers(context: ServiceContext): JobStepsByType {
  const selecting = { ...context, ports: createContactPorts(context) }
  return { ...createSelectionJobs(selecting), ...createNormalizationJobs(context), ...backtestJobSteps }
}

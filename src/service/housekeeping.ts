import type { ServiceContext } from '../context.ts'
import { finalizeVersionSuccesses } from '../features/actions/experiments/keeping.ts'
import { finalizeGoalCounts } from '../features/actions/goals/goal-keeping.ts'
import { requestArchiveWipe } from '../features/archives/archive-keeping.ts'
import { countSentQuarters, recountSentQuarters } from '../features/deliverability/sent-quarters.ts'
import { ensureEventPartitions } from '../features/events/partitions.ts'
import { queueCriterionIndexes } from '../features/segments/criteria/criterion-indexes.ts'
import { queueAudienceGrowth } from '../features/segments/growth/counting.ts'
import { finalizePendingLinks } from '../features/subscriptions/awaited.ts'
import { purgeWorkflowInterests } from '../features/workflows/definition/event-interests.ts'
import { findRetryableTasks, runTaskParts, type TaskParts } from '../jobs/failures.ts'
import { purgeFailedJobs, type TaskHandlers } from '../jobs/runner.ts'
import { holdLostMessages } from '../sending/recover/hold-lost-messages.ts'
import { createRetentionParts, deviceRetention, eventRetention, logRetention, nightlyRetention } from './retention.ts'

const PARTITION_MONTHS_AHEAD = 3

/** The parts of the housekeeping of every minute. */
export function createMinutelyParts(context: ServiceContext): TaskParts {
  const { db, pool, log, clock } = context
  return {
    holdLost: () => holdLostMessages(db, new Date(clock.now())),
    requestIndexes: () => queueCriterionIndexes(db),
    requestGrowth: () => queueAudienceGrowth(db, clock.now()),
    settleAwaited: () => finalizePendingLinks(db, new Date(clock.now())),
    ...createRetentionParts(context, deviceRetention),
    requestWipes: () => requestArchiveWipe(db, clock.now()),
    forgetInterests: () => purgeWorkflowInterests(db),
    countSuccesses: () => finalizeVersionSuccesses(db, new Date(clock.now())),
    countGoals: () => finalizeGoalCounts(db, new Date(clock.now())),
    countSent: () => countSentQuarters(db, clock.now()),
    ...createRetentionParts(context, logRetention),
    deleteFailedJobs: () => purgeFailedJobs(pool, log),
  }
}

/** The parts of the housekeeping of every night. */
export function createDailyParts(context: ServiceContext): TaskParts {
  const { db, clock } = context
  return {
    ensurePartitions: () => ensureEventPartitions(db, PARTITION_MONTHS_AHEAD),
    ...createRetentionParts(context, eventRetention),
    recountSent: () => recountSentQuarters(db, clock.now()),
    ...createRetentionParts(context, nightlyRetention),
  }
}

/** The housekeeping; nightly parts that failed are tried again in later minutes. */
export function createHousekeepingTasks(
  context: ServiceContext,
): Pick<TaskHandlers, 'housekeeping.minutely' | 'housekeeping.daily'> {
  const { db } = context
  const dailyParts = createDailyParts(context)
  const minutelyParts = createMinutelyParts(context)
  return {
    async 'housekeeping.minutely'(_, signal) {
      const retryableTasks = await findRetryableTasks(db, Object.keys(dailyParts))
      await runTaskParts(
        db,
        { ...minutelyParts, ...Object.fromEntries(retryableTasks.map((name) => [name, dailyParts[name]!])) },
        signal,
      )
    },
    'housekeeping.daily': (_, signal) => runTaskParts(db, dailyParts, signal),
  }
}

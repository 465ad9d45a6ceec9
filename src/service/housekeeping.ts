import { purgeSmsReferences } from '../channels/sms/sends.ts'
import type { ServiceContext } from '../context.ts'
import { finalizeVersionSuccesses } from '../features/actions/experiments/keeping.ts'
import { finalizeGoalCounts, purgeGoalContacts } from '../features/actions/goals/goal-keeping.ts'
import { purgeLoggedRequests } from '../features/api-log/api-log.ts'
import { purgeArchives, requestArchiveWipe } from '../features/archives/archive-keeping.ts'
import { purgeAuditRows } from '../features/audit/retention.ts'
import { countSentQuarters, recountSentQuarters } from '../features/deliverability/sent-quarters.ts'
import { purgeEventCounts } from '../features/events/counts/summary-counts.ts'
import { ensureEventPartitions } from '../features/events/partitions.ts'
import { purgeContactHours } from '../features/events/record/contact-hours.ts'
import { purgeOldEvents } from '../features/events/retention.ts'
import { dropStoredMonths } from '../features/events/store/store-tasks.ts'
import { purgeImportFiles } from '../features/imports/upload/uploads.ts'
import { purgeUnmatchedReports } from '../features/inbound/unmatched-reports.ts'
import { purgeEndedJobs } from '../features/jobs/jobs.ts'
import { purgeOldNotices } from '../features/notices/reading.ts'
import { purgeSignInRecords } from '../features/people/retention.ts'
import { purgePhoneCapabilities } from '../features/rcs-profiles/capabilities.ts'
import { purgeRcsWebhookTokens } from '../features/rcs-profiles/webhook-tokens.ts'
import { queueCriterionIndexes } from '../features/segments/criteria/criterion-indexes.ts'
import { purgeAudienceGrowth, queueAudienceGrowth } from '../features/segments/growth/counting.ts'
import { finalizePendingLinks, purgePendingLinks } from '../features/subscriptions/awaited.ts'
import { purgeUnregistered } from '../features/subscriptions/gone.ts'
import { purgeDeadLetters } from '../features/webhooks/dead-letters.ts'
import { purgeStreamNotices } from '../features/webhooks/stream/stream-notices.ts'
import { purgeWebhookTries } from '../features/webhooks/tries.ts'
import { purgeWebtaskRuns, trimWebtaskRuns } from '../features/webtasks/executions/records.ts'
import { purgeWebtaskStamps } from '../features/webtasks/public/stamps.ts'
import { purgeWorkflowInterests } from '../features/workflows/definition/listening.ts'
import { purgeExperimentVisits } from '../features/workflows/experiments/retention.ts'
import { purgeWorkflowRuns, purgeWorkflowVersions } from '../features/workflows/runs/retention.ts'
import { purgeTaskFirings } from '../features/workflows/tasks/firings.ts'
import { purgeIdempotencyKeys } from '../http/middleware/idempotency.ts'
import { findRetryableTasks, purgeTaskFailures, runTaskParts, type TaskParts } from '../jobs/failures.ts'
import { purgeFailedJobs, type TaskHandlers } from '../jobs/runner.ts'
import { purgeEndedInstants } from '../sending/record/ended-counts.ts'
import { purgeSentMessages } from '../sending/record/retention.ts'
import { holdLostMessages } from '../sending/recover/hold-lost-messages.ts'
import { purgeUnusedRates } from '../sending/shaping/rate-limiter.ts'

const PARTITION_MONTHS_AHEAD = 3

/** The parts of the housekeeping of every minute. */
export function createMinutelyParts({ db, pool, log, clock }: ServiceContext): TaskParts {
  return {
    holdLost: () => holdLostMessages(db, new Date(clock.now())),
    requestIndexes: () => queueCriterionIndexes(db),
    requestGrowth: () => queueAudienceGrowth(db, clock.now()),
    settleAwaited: () => finalizePendingLinks(db, new Date(clock.now())),
    forgetGone: () => purgeUnregistered(db, new Date(clock.now())),
    requestWipes: () => requestArchiveWipe(db, clock.now()),
    forgetInterests: () => purgeWorkflowInterests(db),
    countSuccesses: () => finalizeVersionSuccesses(db, new Date(clock.now())),
    countGoals: () => finalizeGoalCounts(db, new Date(clock.now())),
    countSent: () => countSentQuarters(db, clock.now()),
    trimRuns: () => trimWebtaskRuns(db, clock.now()),
    trimRequests: () => purgeLoggedRequests(db, clock.now()),
    trimTries: () => purgeWebhookTries(db, clock.now()),
    deleteFailedJobs: () => purgeFailedJobs(pool, log),
  }
}

/** The parts of the housekeeping of every night. */
export function createDailyParts(context: ServiceContext): TaskParts {
  const { db, log, clock, config } = context
  return {
    ensurePartitions: () => ensureEventPartitions(db, PARTITION_MONTHS_AHEAD),
    forgetOldEvents: () => purgeOldEvents(db, log),
    dropStored: () => dropStoredMonths(context),
    forgetOldCounts: () => purgeEventCounts(db),
    forgetOldHours: () => purgeContactHours(db, new Date(clock.now())),
    recountSent: () => recountSentQuarters(db, clock.now()),
    forgetSentMessages: () => purgeSentMessages(db, clock.now()),
    forgetInstants: () => purgeEndedInstants(db, new Date(clock.now())),
    forgetGoals: () => purgeGoalContacts(db, clock.now()),
    forgetRates: () => purgeUnusedRates(db),
    forgetPeople: () => purgeSignInRecords(db, clock.now()),
    forgetGrowth: () => purgeAudienceGrowth(db, clock.now()),
    forgetArchives: () => purgeArchives(db, clock.now()),
    forgetIdempotencyKeys: () => purgeIdempotencyKeys(db, clock.now()),
    forgetOldJobs: () => purgeEndedJobs(db, clock.now()),
    forgetFirings: () => purgeTaskFirings(db, clock.now()),
    forgetOldNotices: () => purgeOldNotices(db, clock.now()),
    forgetRuns: () => purgeWorkflowRuns(db, clock.now(), config.runDays),
    forgetVersions: () => purgeWorkflowVersions(db, clock.now()),
    forgetAudit: () => purgeAuditRows(db, clock.now(), config.auditDays),
    forgetWebtaskRuns: () => purgeWebtaskRuns(db, clock.now()),
    forgetStamps: () => purgeWebtaskStamps(db, clock.now()),
    forgetVisits: () => purgeExperimentVisits(db, clock.now()),
    forgetUnmatched: () => purgeUnmatchedReports(db, clock.now()),
    forgetDeadLetters: () => purgeDeadLetters(db, clock.now()),
    forgetStreamNotices: () => purgeStreamNotices(db, clock.now()),
    forgetSmsSends: () => purgeSmsReferences(db, new Date(clock.now())),
    forgetAwaited: () => purgePendingLinks(db, new Date(clock.now())),
    forgetCapabilities: () => purgePhoneCapabilities(db, new Date(clock.now())),
    forgetWebhookTokens: () => purgeRcsWebhookTokens(db, new Date(clock.now())),
    expireImports: () => purgeImportFiles(db, config, new Date(clock.now())),
    forgetFailures: () => purgeTaskFailures(db, clock.now()),
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

import { forgetSmsSends } from '../channels/sms/sends.ts'
import type { Context } from '../context.ts'
import { countSuccesses } from '../features/actions/experiments/keeping.ts'
import { countGoals, forgetGoals } from '../features/actions/goals/goal-keeping.ts'
import { trimRequests } from '../features/api-log/api-log.ts'
import { forgetArchives, requestWipes } from '../features/archives/archive-keeping.ts'
import { forgetAudit } from '../features/audit/retention.ts'
import { countSent, recountSent } from '../features/deliverability/sent-quarters.ts'
import { forgetOldCounts } from '../features/events/counts/summary-counts.ts'
import { ensurePartitions } from '../features/events/partitions.ts'
import { forgetOldHours } from '../features/events/record/contact-hours.ts'
import { forgetOldEvents } from '../features/events/retention.ts'
import { dropStored } from '../features/events/store/store-tasks.ts'
import { expireImports } from '../features/imports/upload/uploads.ts'
import { forgetUnmatched } from '../features/inbound/unmatched-reports.ts'
import { forgetOldJobs } from '../features/jobs/jobs.ts'
import { forgetOldNotices } from '../features/notices/reading.ts'
import { forgetPeople } from '../features/people/retention.ts'
import { forgetCapabilities } from '../features/rcs-profiles/capabilities.ts'
import { forgetWebhookTokens } from '../features/rcs-profiles/webhook-tokens.ts'
import { requestIndexes } from '../features/segments/criteria/criterion-indexes.ts'
import { forgetGrowth, requestGrowth } from '../features/segments/growth/counting.ts'
import { forgetAwaited, settleAwaited } from '../features/subscriptions/awaited.ts'
import { forgetGone } from '../features/subscriptions/gone.ts'
import { forgetDeadLetters } from '../features/webhooks/dead-letters.ts'
import { forgetStreamNotices } from '../features/webhooks/stream/stream-notices.ts'
import { trimTries } from '../features/webhooks/tries.ts'
import { forgetWebtaskRuns, trimRuns } from '../features/webtasks/executions/records.ts'
import { forgetStamps } from '../features/webtasks/public/stamps.ts'
import { forgetInterests } from '../features/workflows/definition/listening.ts'
import { forgetVisits } from '../features/workflows/experiments/retention.ts'
import { forgetRuns, forgetVersions } from '../features/workflows/runs/retention.ts'
import { forgetFirings } from '../features/workflows/tasks/firings.ts'
import { forgetIdempotencyKeys } from '../http/middleware/idempotency.ts'
import { findRetries, forgetFailures, runParts, type TaskParts } from '../jobs/failures.ts'
import { deleteFailedJobs, type TaskBodies } from '../jobs/runner.ts'
import { forgetInstants } from '../sending/record/ended-counts.ts'
import { forgetSentMessages } from '../sending/record/retention.ts'
import { holdLost } from '../sending/recover/hold-lost-messages.ts'
import { forgetRates } from '../sending/shaping/rate-limiter.ts'

const MONTHS_AHEAD = 3

/** The parts of the housekeeping of every minute. */
export function minutelyParts({ db, pool, log, clock }: Context): TaskParts {
  return {
    holdLost: () => holdLost(db, new Date(clock.now())),
    requestIndexes: () => requestIndexes(db),
    requestGrowth: () => requestGrowth(db, clock.now()),
    settleAwaited: () => settleAwaited(db, new Date(clock.now())),
    forgetGone: () => forgetGone(db, new Date(clock.now())),
    requestWipes: () => requestWipes(db, clock.now()),
    forgetInterests: () => forgetInterests(db),
    countSuccesses: () => countSuccesses(db, new Date(clock.now())),
    countGoals: () => countGoals(db, new Date(clock.now())),
    countSent: () => countSent(db, clock.now()),
    trimRuns: () => trimRuns(db, clock.now()),
    trimRequests: () => trimRequests(db, clock.now()),
    trimTries: () => trimTries(db, clock.now()),
    deleteFailedJobs: () => deleteFailedJobs(pool, log),
  }
}

/** The parts of the housekeeping of every night. */
export function dailyParts(context: Context): TaskParts {
  const { db, log, clock, config } = context
  return {
    ensurePartitions: () => ensurePartitions(db, MONTHS_AHEAD),
    forgetOldEvents: () => forgetOldEvents(db, log),
    dropStored: () => dropStored(context),
    forgetOldCounts: () => forgetOldCounts(db),
    forgetOldHours: () => forgetOldHours(db, new Date(clock.now())),
    recountSent: () => recountSent(db, clock.now()),
    forgetSentMessages: () => forgetSentMessages(db, clock.now()),
    forgetInstants: () => forgetInstants(db, new Date(clock.now())),
    forgetGoals: () => forgetGoals(db, clock.now()),
    forgetRates: () => forgetRates(db),
    forgetPeople: () => forgetPeople(db, clock.now()),
    forgetGrowth: () => forgetGrowth(db, clock.now()),
    forgetArchives: () => forgetArchives(db, clock.now()),
    forgetIdempotencyKeys: () => forgetIdempotencyKeys(db, clock.now()),
    forgetOldJobs: () => forgetOldJobs(db, clock.now()),
    forgetFirings: () => forgetFirings(db, clock.now()),
    forgetOldNotices: () => forgetOldNotices(db, clock.now()),
    forgetRuns: () => forgetRuns(db, clock.now(), config.runDays),
    forgetVersions: () => forgetVersions(db, clock.now()),
    forgetAudit: () => forgetAudit(db, clock.now(), config.auditDays),
    forgetWebtaskRuns: () => forgetWebtaskRuns(db, clock.now()),
    forgetStamps: () => forgetStamps(db, clock.now()),
    forgetVisits: () => forgetVisits(db, clock.now()),
    forgetUnmatched: () => forgetUnmatched(db, clock.now()),
    forgetDeadLetters: () => forgetDeadLetters(db, clock.now()),
    forgetStreamNotices: () => forgetStreamNotices(db, clock.now()),
    forgetSmsSends: () => forgetSmsSends(db, new Date(clock.now())),
    forgetAwaited: () => forgetAwaited(db, new Date(clock.now())),
    forgetCapabilities: () => forgetCapabilities(db, new Date(clock.now())),
    forgetWebhookTokens: () => forgetWebhookTokens(db, new Date(clock.now())),
    expireImports: () => expireImports(db, config, new Date(clock.now())),
    forgetFailures: () => forgetFailures(db, clock.now()),
  }
}

/** The housekeeping; nightly parts that failed are tried again in later minutes. */
export function housekeeping(context: Context): Pick<TaskBodies, 'housekeeping.minutely' | 'housekeeping.daily'> {
  const { db } = context
  const daily = dailyParts(context)
  const minutely = minutelyParts(context)
  return {
    async 'housekeeping.minutely'(_, signal) {
      const again = await findRetries(db, Object.keys(daily))
      await runParts(db, { ...minutely, ...Object.fromEntries(again.map((name) => [name, daily[name]!])) }, signal)
    },
    'housekeeping.daily': (_, signal) => runParts(db, daily, signal),
  }
}

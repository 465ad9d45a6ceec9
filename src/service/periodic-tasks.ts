import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import type { ServiceContext } from '../context.ts'
import type { Db } from '../database/connection/connect.ts'
import { retryWhileUnavailable } from '../database/connection/while-unavailable.ts'
import { mailImportReport } from '../features/account-mail/import-report.ts'
import {
  mailApiKeyCreated,
  mailApprovalsDisabled,
  mailNewBrowserSignIn,
  mailPasswordReset,
} from '../features/account-mail/people-mail.ts'
import { advanceActions, isActionDue } from '../features/actions/execution/advance.ts'
import { writeActionExport } from '../features/actions/reports/export-files.ts'
import { requeueActionTests, runActionTest } from '../features/actions/validation/test-run.ts'
import { mailCampaignHeld } from '../features/approvals/mails.ts'
import { wipeArchives } from '../features/archives/archive-keeping.ts'
import { openArchiveStore } from '../features/archives/archive-place.ts'
import { registerQueueMetrics } from '../features/deliverability/queues.ts'
import { updateEventCounts } from '../features/events/counts/summary-counts.ts'
import { finalizeHits, isHitDue } from '../features/events/record/settle.ts'
import {
  createEventStoreTasks,
  registerEventStoreMetrics,
  shareEventStore,
} from '../features/events/store/store-tasks.ts'
import { pullDroppedFiles } from '../features/imports/drop-places/pull.ts'
import { enqueueUnfinishedRuns } from '../features/imports/run/executions.ts'
import { runImport } from '../features/imports/run/run-import.ts'
import { isImportDue, startDueImports } from '../features/imports/run/starts.ts'
import { isRcsReportDue } from '../features/inbound/rcs/rcs-inbox.ts'
import { ingestRcsReports } from '../features/inbound/rcs/rcs-ingest.ts'
import { createUnmatchedSmsCounter, ingestSmsReports, isSmsReportDue } from '../features/inbound/sms/sms-ingest.ts'
import { requeueUnfinishedJobs } from '../features/jobs/jobs.ts'
import { runJob } from '../features/jobs/run.ts'
import { areListenerRowsQueued } from '../features/listeners/take.ts'
import { finalizePushRuns, hasEndedPushRuns } from '../features/notifications/sends/run-ends.ts'
import {
  isNotificationStartDue,
  registerPushStartCounter,
  startDueNotifications,
} from '../features/notifications/sends/runs.ts'
import { finishContactErasure } from '../features/personal-data/erase.ts'
import { countSegment } from '../features/segments/counts/counts.ts'
import { buildCriterionIndexes } from '../features/segments/criteria/criterion-indexes.ts'
import { countAudienceGrowth } from '../features/segments/growth/counting.ts'
import { compareWatchedSegments, isSegmentComparisonDue } from '../features/segments/members/watched.ts'
import { muteAdoptedOptouts } from '../features/tracking/hits/push-hits.ts'
import { isWebhookBusy } from '../features/webhooks/queue.ts'
import { createWebhookWorker } from '../features/webhooks/webhook-worker.ts'
import { isCountFoldDue } from '../features/workflows/counts/version-counts.ts'
import { finalizeLeftInterests, WORKFLOW_LISTENER_KIND } from '../features/workflows/definition/event-interests.ts'
import { isRunDue } from '../features/workflows/engine/run-leases.ts'
import {
  createWorkflowTasks,
  PARTITION_RENEW_MS,
  type WorkflowTasks,
} from '../features/workflows/engine/workflow-tasks.ts'
import { isTaskDue } from '../features/workflows/tasks/fire-tasks.ts'
import { isTaskFiringFree } from '../features/workflows/tasks/task-firings.ts'
import { isAnyRunWakeable, wakeParkedRuns } from '../features/workflows/waits/park-runs.ts'
import { isAnyKillPending, killStoppedRuns } from '../features/workflows/waits/stop-runs.ts'
import { type DueWorkWatch, shareDueWorkWatch } from '../jobs/due-watch.ts'
import { shareFailureTracking, trackTaskFailures } from '../jobs/failures.ts'
import { type PeriodicTask, startPeriodicTask } from '../jobs/periodic.ts'
import { startJobRunner, type TaskHandlers, type TaskSchedule } from '../jobs/runner.ts'
import { registerOutboxMetrics } from '../sending/outbox-metrics.ts'
import { planCampaign } from '../sending/plan/plan-campaign.ts'
import { enqueueUnfinishedPlans } from '../sending/plan/sendings.ts'
import { aggregateEndedCounts, hasEndedBatches } from '../sending/record/ended-counts.ts'
import { hasDueFollowups, runDueFollowups } from '../sending/record/followups.ts'
import { createHousekeepingTasks } from './housekeeping.ts'
import { createJobHandlers } from './job-handlers.ts'
import { FILE_PURGE_INTERVAL_MS, purgeLocalFiles } from './local-files.ts'
import { createFollowupHandlers, isolateFollowups } from './ports.ts'

const JOB_CONCURRENCY = 4

const taskSchedule: TaskSchedule = { 'housekeeping.minutely': '* * * * *', 'housekeeping.daily': '17 3 * * *' }

/** The bodies of all jobs. Each checks the current state before it acts. */
export function createTaskHandlers(context: ServiceContext): TaskHandlers {
  const { db, clock } = context
  const jobHandlers = createJobHandlers(context)
  return {
    'jobs.run': (payload, signal) => runJob(context, jobHandlers, payload, signal),
    'imports.run': (payload, signal) => runImport(context, payload, signal),
    'imports.pull': (payload, signal) => pullDroppedFiles(context, payload, signal),
    'imports.report': (payload, signal) => mailImportReport(context, payload, signal),
    'actions.test': (payload, signal) => runActionTest(context, payload, signal),
    'campaigns.plan': (payload, signal) => planCampaign(context, payload, { signal }),
    'actions.export': (payload, signal) => writeActionExport(context, payload, signal),
    'archives.wipe': (_, signal) => wipeArchives(context, openArchiveStore(context.config), signal),
    'contacts.erase': (payload, signal) => finishContactErasure(context, payload, signal),
    'people.reset': (payload, signal) => mailPasswordReset(context, payload, signal),
    'people.place': (payload, signal) => mailNewBrowserSignIn(context, payload, signal),
    'people.key': (payload, signal) => mailApiKeyCreated(context, payload, signal),
    'people.approval': (payload, signal) => mailApprovalsDisabled(context, payload, signal),
    'approvals.undone': (payload, signal) => mailCampaignHeld(context, payload, signal),
    'segments.count': (payload, signal) => countSegment(db, payload, clock.now(), signal),
    'segments.growth': (payload, signal) => countAudienceGrowth(db, payload, clock.now(), signal),
    'segments.index': (_, signal) => buildCriterionIndexes(context, signal),
    ...createHousekeepingTasks(context),
  }
}

function buildWorkflowTasks(workflows: WorkflowTasks, { db, clock }: ServiceContext): PeriodicTask[] {
  return [
    { name: 'perform workflows', ms: 100, due: isRunDue, work: () => workflows.work() },
    { name: 'perform workflows in addition', ms: 100, work: (signal) => workflows.help(signal) },
    {
      name: 'dispatch events to workflows',
      ms: 100,
      due: () => areListenerRowsQueued(WORKFLOW_LISTENER_KIND),
      restMs: PARTITION_RENEW_MS,
      work: () => workflows.dispatch(),
    },
    {
      name: 'fire tasks of workflows',
      ms: 250,
      due: (now) => sql`${isTaskDue(now)} or ${isTaskFiringFree(now)}`,
      work: () => workflows.fire(),
    },
    {
      name: 'wake paused workflow runs',
      ms: 250,
      due: () => isAnyRunWakeable,
      work: () => wakeParkedRuns(db, clock.now()),
    },
    { name: 'stop workflow runs', ms: 1000, due: () => isAnyKillPending, work: () => killStoppedRuns(db, clock.now()) },
    { name: 'count workflows', ms: 1000, due: isCountFoldDue, work: () => workflows.fold() },
    { name: 'compute experiments', ms: 60_000, work: () => workflows.compute() },
    {
      name: 'compare watched segments',
      ms: 1000,
      due: isSegmentComparisonDue,
      work: () => compareWatchedSegments(db, clock.now()),
    },
    { name: 'listen for workflows', ms: 5000, work: () => finalizeLeftInterests(db) },
  ]
}

/** Periodic tasks in addition to those of workflows and webhooks. */
function createOwnTasks(context: ServiceContext, registry: Registry): PeriodicTask[] {
  const { db, clock } = context
  const unmatched = createUnmatchedSmsCounter(registry)
  const startCounter = registerPushStartCounter(registry)
  const followups = isolateFollowups(createFollowupHandlers(context))
  return [
    { name: 'advance actions', ms: 250, due: isActionDue, work: () => advanceActions(context) },
    {
      name: 'start notifications',
      ms: 250,
      due: isNotificationStartDue,
      work: () => startDueNotifications({ ...context, starts: startCounter }),
    },
    { name: 'end runs of notifications', ms: 1000, due: () => hasEndedPushRuns, work: () => finalizePushRuns(context) },
    { name: 'settle hits', ms: 250, due: () => isHitDue, work: () => finalizeHits(db, muteAdoptedOptouts) },
    { name: 'count events', ms: 5000, work: (signal) => updateEventCounts(db, signal) },
    { name: 'count ended messages', ms: 5000, due: () => hasEndedBatches, work: () => aggregateEndedCounts(db) },
    {
      name: 'follow up messages',
      ms: 250,
      due: (now) => hasDueFollowups(followups, now),
      work: () => runDueFollowups(db, followups, clock.now()),
    },
    ...createEventStoreTasks(context),
    {
      name: 'ingest SMS reports',
      ms: 250,
      due: isSmsReportDue,
      work: () => ingestSmsReports({ ...context, unmatched }),
    },
    { name: 'ingest RCS reports', ms: 250, due: isRcsReportDue, work: () => ingestRcsReports(context) },
    { name: 'start imports', ms: 1000, due: isImportDue, work: () => startDueImports(context) },
    // What a process that died has left is resumed here.
    { name: 'resume imports', ms: 10_000, work: () => enqueueUnfinishedRuns(db) },
    { name: 'sweep files', ms: FILE_PURGE_INTERVAL_MS, work: () => purgeLocalFiles(context) },
    { name: 'resume plans', ms: 10_000, work: () => enqueueUnfinishedPlans(db) },
    { name: 'resume tests', ms: 10_000, work: () => requeueActionTests(db) },
    { name: 'resume jobs', ms: 10_000, work: () => requeueUnfinishedJobs(db) },
  ]
}

/** Parts that the jobs role shares with its process. */
export interface JobsRoleParts {
  registry: Registry
  watch: DueWorkWatch
  /** Ends the wait for a database that is away. */
  starting: AbortSignal
}

/** The periodic tasks of a process, and how what they work with is stopped once they are. */
export function createPeriodicTasks(
  context: ServiceContext,
  registry: Registry,
): { tasks: PeriodicTask[]; stop(stopped: Promise<unknown>): Promise<void> } {
  const webhookWorker = createWebhookWorker(context, registry)
  const workflows = createWorkflowTasks(context)
  return {
    tasks: [
      ...createOwnTasks(context, registry),
      ...buildWorkflowTasks(workflows, context),
      { name: 'deliver webhooks', ms: 200, due: isWebhookBusy, work: () => webhookWorker.dispatch() },
    ],
    async stop(stopped) {
      await Promise.all([stopped.then(() => webhookWorker.stop()), workflows.stop()])
    },
  }
}

/** A handle of the queue that shares with that of the process what belongs to their database. */
const shareAttachments = (db: Db, otherDb: Db): Db =>
  shareFailureTracking(db, shareDueWorkWatch(db, shareEventStore(db, otherDb)))

/** Starts the jobs role: the queue and the periodic tasks. Gives how to stop it. */
export async function startJobsRole(
  context: ServiceContext,
  databaseUrl: string,
  { registry, watch, starting }: JobsRoleParts,
): Promise<() => Promise<void>> {
  const { log, db, tracing } = context
  registerOutboxMetrics(context.db, registry)
  registerQueueMetrics(context, registry)
  registerEventStoreMetrics(db, registry)
  const periodicTasks = createPeriodicTasks(context, registry)
  await retryWhileUnavailable({ signal: starting, log }, () =>
    trackTaskFailures(db, { clock: context.clock, log, registry }),
  )
  const jobRunner = await startJobRunner({
    url: databaseUrl,
    log,
    db,
    tasks: (connections) =>
      createTaskHandlers({ ...context, ...connections, db: shareAttachments(db, connections.db) }),
    concurrency: JOB_CONCURRENCY,
    schedule: taskSchedule,
    starting,
    tracing,
  })
  const stopFunctions = periodicTasks.tasks.map((task) => startPeriodicTask(task, { db, log, watch }))
  return async () => {
    await Promise.all([jobRunner.stop(), periodicTasks.stop(Promise.all(stopFunctions.map((stop) => stop())))])
  }
}

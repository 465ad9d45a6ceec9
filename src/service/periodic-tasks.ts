import { sql } from 'kysely'
import type { Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { Db } from '../database/connection/connect.ts'
import { retryWhileUnavailable } from '../database/connection/while-unavailable.ts'
import { reportImport } from '../features/account-mail/import-report.ts'
import { mailApprovalOff, mailKey, mailPlace, mailReset } from '../features/account-mail/people-mail.ts'
import { advanceActions, isActionDue } from '../features/actions/execution/advance.ts'
import { makeExport } from '../features/actions/reports/export-files.ts'
import { runTest, wakeTests } from '../features/actions/validation/test-run.ts'
import { mailUndone } from '../features/approvals/mails.ts'
import { wipeArchives } from '../features/archives/archive-keeping.ts'
import { openArchiveStore } from '../features/archives/archive-place.ts'
import { registerQueueMetrics } from '../features/deliverability/queues.ts'
import { keepCounts } from '../features/events/counts/summary-counts.ts'
import { isHitDue, settleHits } from '../features/events/record/settle.ts'
import { registerStoreMetrics, shareStore, storeTasks } from '../features/events/store/store-tasks.ts'
import { pullFiles } from '../features/imports/drop-places/pull.ts'
import { wakeRuns } from '../features/imports/run/executions.ts'
import { runImport } from '../features/imports/run/run-import.ts'
import { isImportDue, startDueImports } from '../features/imports/run/starts.ts'
import { isRcsReportDue } from '../features/inbound/rcs/rcs-inbox.ts'
import { ingestRcsReports } from '../features/inbound/rcs/rcs-ingest.ts'
import { countUnmatchedSms, ingestSmsReports, isSmsReportDue } from '../features/inbound/sms/sms-ingest.ts'
import { wakeJobs } from '../features/jobs/jobs.ts'
import { runJob } from '../features/jobs/run.ts'
import { areQueued } from '../features/listeners/take.ts'
import { isRunEnded, takeRunEnds } from '../features/notifications/sends/run-ends.ts'
import { countStarts, isStartDue, startDueRuns } from '../features/notifications/sends/runs.ts'
import { finishErasure } from '../features/personal-data/erase.ts'
import { countSegment } from '../features/segments/counts/counts.ts'
import { buildIndexes } from '../features/segments/criteria/criterion-indexes.ts'
import { countGrowth } from '../features/segments/growth/counting.ts'
import { compareWatched, isComparisonDue } from '../features/segments/members/watched.ts'
import { muteAdopted } from '../features/tracking/hits/push-hits.ts'
import { isWebhookBusy } from '../features/webhooks/queue.ts'
import { createWebhookWorker } from '../features/webhooks/webhook-worker.ts'
import { isCountDue } from '../features/workflows/counts/counts.ts'
import { holdInterests, LISTENER_KIND } from '../features/workflows/definition/listening.ts'
import { isRunDue } from '../features/workflows/engine/claim.ts'
import { createWorkflowTasks, RENEWED_MS, type WorkflowTasks } from '../features/workflows/engine/workflow-tasks.ts'
import { isTaskDue } from '../features/workflows/tasks/fires.ts'
import { isFiringFree } from '../features/workflows/tasks/firings.ts'
import { isParked, wakeParked } from '../features/workflows/waits/parking.ts'
import { isAnyStopped, killStopped } from '../features/workflows/waits/stopping.ts'
import { type DueWatch, shareWatch } from '../jobs/due-watch.ts'
import { keepFailures, shareFailures } from '../jobs/failures.ts'
import { type PeriodicTask, startPeriodic } from '../jobs/periodic.ts'
import { type Schedule, startRunner, type TaskBodies } from '../jobs/runner.ts'
import { registerOutboxMetrics } from '../sending/outbox-metrics.ts'
import { planCampaign } from '../sending/plan/plan-campaign.ts'
import { wakePlans } from '../sending/plan/sendings.ts'
import { addUpEnded, isAnyEnded } from '../sending/record/ended-counts.ts'
import { isFollowupDue, runFollowups } from '../sending/record/followups.ts'
import { housekeeping } from './housekeeping.ts'
import { jobBodies } from './job-handlers.ts'
import { SWEEP_MS, sweepFiles } from './local-files.ts'
import { followAlone, followupHandlers } from './ports.ts'

const CONCURRENCY = 4

const schedule: Schedule = { 'housekeeping.minutely': '* * * * *', 'housekeeping.daily': '17 3 * * *' }

/** The bodies of all jobs. Each checks the current state before it acts. */
export function taskBodies(context: Context): TaskBodies {
  const { db, clock } = context
  const bodies = jobBodies(context)
  return {
    'jobs.run': (payload, signal) => runJob(context, bodies, payload, signal),
    'imports.run': (payload, signal) => runImport(context, payload, signal),
    'imports.pull': (payload, signal) => pullFiles(context, payload, signal),
    'imports.report': (payload, signal) => reportImport(context, payload, signal),
    'actions.test': (payload, signal) => runTest(context, payload, signal),
    'campaigns.plan': (payload, signal) => planCampaign(context, payload, { signal }),
    'actions.export': (payload, signal) => makeExport(context, payload, signal),
    'archives.wipe': (_, signal) => wipeArchives(context, openArchiveStore(context.config), signal),
    'contacts.erase': (payload, signal) => finishErasure(context, payload, signal),
    'people.reset': (payload, signal) => mailReset(context, payload, signal),
    'people.place': (payload, signal) => mailPlace(context, payload, signal),
    'people.key': (payload, signal) => mailKey(context, payload, signal),
    'people.approval': (payload, signal) => mailApprovalOff(context, payload, signal),
    'approvals.undone': (payload, signal) => mailUndone(context, payload, signal),
    'segments.count': (payload, signal) => countSegment(db, payload, clock.now(), signal),
    'segments.growth': (payload, signal) => countGrowth(db, payload, clock.now(), signal),
    'segments.index': (_, signal) => buildIndexes(context, signal),
    ...housekeeping(context),
  }
}

function ofWorkflows(workflows: WorkflowTasks, { db, clock }: Context): PeriodicTask[] {
  return [
    { name: 'perform workflows', ms: 100, due: isRunDue, work: () => workflows.work() },
    { name: 'perform workflows beside', ms: 100, work: (signal) => workflows.help(signal) },
    {
      ...{ name: 'dispatch events to workflows', ms: 100, due: () => areQueued(LISTENER_KIND), restMs: RENEWED_MS },
      work: () => workflows.dispatch(),
    },
    {
      ...{ name: 'fire tasks of workflows', ms: 250, due: (now) => sql`${isTaskDue(now)} or ${isFiringFree(now)}` },
      work: () => workflows.fire(),
    },
    { name: 'wake paused workflow runs', ms: 250, due: () => isParked, work: () => wakeParked(db, clock.now()) },
    { name: 'stop workflow runs', ms: 1000, due: () => isAnyStopped, work: () => killStopped(db, clock.now()) },
    { name: 'count workflows', ms: 1000, due: isCountDue, work: () => workflows.fold() },
    { name: 'compute experiments', ms: 60_000, work: () => workflows.compute() },
    { name: 'compare watched segments', ms: 1000, due: isComparisonDue, work: () => compareWatched(db, clock.now()) },
    { name: 'listen for workflows', ms: 5000, work: () => holdInterests(db) },
  ]
}

/** What is done again and again beside workflows and webhooks. */
function ownTasks(context: Context, registry: Registry): PeriodicTask[] {
  const { db, clock } = context
  const unmatched = countUnmatchedSms(registry)
  const starts = countStarts(registry)
  const followups = followAlone(followupHandlers(context))
  return [
    { name: 'advance actions', ms: 250, due: isActionDue, work: () => advanceActions(context) },
    { name: 'start notifications', ms: 250, due: isStartDue, work: () => startDueRuns({ ...context, starts }) },
    { name: 'end runs of notifications', ms: 1000, due: () => isRunEnded, work: () => takeRunEnds(context) },
    { name: 'settle hits', ms: 250, due: () => isHitDue, work: () => settleHits(db, muteAdopted) },
    { name: 'count events', ms: 5000, work: (signal) => keepCounts(db, signal) },
    { name: 'count ended messages', ms: 5000, due: () => isAnyEnded, work: () => addUpEnded(db) },
    {
      ...{ name: 'follow up messages', ms: 250, due: (now) => isFollowupDue(followups, now) },
      work: () => runFollowups(db, followups, clock.now()),
    },
    ...storeTasks(context),
    {
      ...{ name: 'ingest SMS reports', ms: 250, due: isSmsReportDue },
      work: () => ingestSmsReports({ ...context, unmatched }),
    },
    { name: 'ingest RCS reports', ms: 250, due: isRcsReportDue, work: () => ingestRcsReports(context) },
    { name: 'start imports', ms: 1000, due: isImportDue, work: () => startDueImports(context) },
    // What a process that died has left is resumed here.
    { name: 'resume imports', ms: 10_000, work: () => wakeRuns(db) },
    { name: 'sweep files', ms: SWEEP_MS, work: () => sweepFiles(context) },
    { name: 'resume plans', ms: 10_000, work: () => wakePlans(db) },
    { name: 'resume tests', ms: 10_000, work: () => wakeTests(db) },
    { name: 'resume jobs', ms: 10_000, work: () => wakeJobs(db) },
  ]
}

/** What the jobs role shares with its process. */
export interface JobsParts {
  registry: Registry
  watch: DueWatch
  /** Ends the wait for a database that is away. */
  starting: AbortSignal
}

/** The periodic tasks of a process, and how what they work with is stopped once they are. */
export function createPeriodicTasks(
  context: Context,
  registry: Registry,
): { tasks: PeriodicTask[]; stop(stopped: Promise<unknown>): Promise<void> } {
  const webhooks = createWebhookWorker(context, registry)
  const workflows = createWorkflowTasks(context)
  return {
    tasks: [
      ...ownTasks(context, registry),
      ...ofWorkflows(workflows, context),
      { name: 'deliver webhooks', ms: 200, due: isWebhookBusy, work: () => webhooks.dispatch() },
    ],
    async stop(stopped) {
      await Promise.all([stopped.then(() => webhooks.stop()), workflows.stop()])
    },
  }
}

/** A handle of the queue that shares with that of the process what belongs to their database. */
const sharing = (db: Db, other: Db): Db => shareFailures(db, shareWatch(db, shareStore(db, other)))

/** Starts the jobs role: the queue and the periodic tasks. Gives how to stop it. */
export async function startTasks(
  context: Context,
  databaseUrl: string,
  { registry, watch, starting }: JobsParts,
): Promise<() => Promise<void>> {
  const { log, db, tracing } = context
  registerOutboxMetrics(context.db, registry)
  registerQueueMetrics(context, registry)
  registerStoreMetrics(db, registry)
  const periodic = createPeriodicTasks(context, registry)
  await retryWhileUnavailable({ signal: starting, log }, () =>
    keepFailures(db, { clock: context.clock, log, registry }),
  )
  const runner = await startRunner({
    url: databaseUrl,
    ...{ log, db },
    tasks: (connections) => taskBodies({ ...context, ...connections, db: sharing(db, connections.db) }),
    concurrency: CONCURRENCY,
    schedule,
    starting,
    tracing,
  })
  const stops = periodic.tasks.map((task) => startPeriodic(task, { db, log, watch }))
  return async () => {
    await Promise.all([runner.stop(), periodic.stop(Promise.all(stops.map((stop) => stop())))])
  }
}

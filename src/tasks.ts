import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { forgetSmsSends } from './channels/sms/sends.ts'
import type { Context } from './context.ts'
import { isUnavailable } from './database/errors.ts'
import { reportImport } from './features/account-mail/import-report.ts'
import { advanceActions } from './features/actions/advance.ts'
import { cleanExports, makeExport } from './features/actions/export-files.ts'
import { runTest, wakeTests } from './features/actions/test-run.ts'
import { forgetArchives, requestWipes, wipeArchives } from './features/archives/archive-keeping.ts'
import { openArchiveStore } from './features/archives/archive-place.ts'
import { watchQueues } from './features/deliverability/queues.ts'
import { ensurePartitions } from './features/events/partitions.ts'
import { forgetOldEvents } from './features/events/retention.ts'
import { settleHits } from './features/events/settle.ts'
import { forgetOldCounts, keepCounts } from './features/events/summary-counts.ts'
import { wakeRuns } from './features/imports/executions.ts'
import { pullFiles } from './features/imports/pull.ts'
import { runImport } from './features/imports/run.ts'
import { startDueImports } from './features/imports/starts.ts'
import { sweepShelves } from './features/imports/sweeping.ts'
import { expireImports } from './features/imports/uploads.ts'
import { countUnmatchedSms, ingestSmsReports } from './features/inbound/sms-ingest.ts'
import { forgetUnmatched } from './features/inbound/unmatched.ts'
import { forgetOldJobs, wakeJobs } from './features/jobs/jobs.ts'
import { runJob } from './features/jobs/run.ts'
import { forgetOldNotices } from './features/notices/reading.ts'
import { finishErasure } from './features/personal-data/erase.ts'
import { countSegment } from './features/segments/counts.ts'
import { buildIndexes, requestIndexes } from './features/segments/criterion-indexes.ts'
import { forgetDeadLetters } from './features/webhooks/dead-letters.ts'
import { forgetStreamNotices } from './features/webhooks/stream-notices.ts'
import { webhookWork } from './features/webhooks/working.ts'
import { forgetIdempotencyKeys } from './http/idempotency.ts'
import { jobBodies } from './job-bodies.ts'
import { forgetDeadJobs, type Schedule, startRunner, type TaskBodies } from './jobs/runner.ts'
import { planCampaign } from './outbox/audience.ts'
import { holdLost } from './outbox/claim.ts'
import { forgetSentMessages } from './outbox/retention.ts'
import { wakePlans } from './outbox/sendings.ts'

const CONCURRENCY = 4
const MONTHS_AHEAD = 3

const schedule: Schedule = { 'housekeeping.minutely': '* * * * *', 'housekeeping.daily': '17 3 * * *' }

/** Small things of one task, one after the other, until it is told to end. */
async function inOrder(signal: AbortSignal, ...works: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const work of works) {
    signal.throwIfAborted()
    await work()
  }
}

function housekeeping(context: Context): Pick<TaskBodies, 'housekeeping.minutely' | 'housekeeping.daily'> {
  const { db, pool, log, clock, config } = context
  return {
    'housekeeping.minutely': (_, signal) =>
      inOrder(
        signal,
        () => holdLost(db, new Date(clock.now())),
        () => requestIndexes(db),
        () => requestWipes(db, clock.now()),
        () => forgetDeadJobs(pool, log),
      ),
    'housekeeping.daily': (_, signal) =>
      inOrder(
        signal,
        () => ensurePartitions(db, MONTHS_AHEAD),
        () => forgetOldEvents(db),
        () => forgetOldCounts(db),
        () => forgetSentMessages(db, clock.now()),
        () => cleanExports(context),
        () => forgetArchives(db, clock.now()),
        () => forgetIdempotencyKeys(db, clock.now()),
        () => forgetOldJobs(db, clock.now()),
        () => forgetOldNotices(db, clock.now()),
        () => forgetUnmatched(db, clock.now()),
        () => forgetDeadLetters(db, clock.now()),
        () => forgetStreamNotices(db, clock.now()),
        () => forgetSmsSends(db, new Date(clock.now())),
        () => expireImports(db, config.dataDir, new Date(clock.now())),
      ),
  }
}

/** What runs between a request and its effect, or by the clock. Each checks the present state before it acts. */
function taskBodies(context: Context): TaskBodies {
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
    'segments.count': (payload, signal) => countSegment(db, payload, clock.now(), signal),
    'segments.index': (_, signal) => buildIndexes(context, signal),
    ...housekeeping(context),
  }
}

/** Between turns while the database is away: twice as long each time, up to this. */
const LONGEST_PAUSE_MS = 10_000

/** Does a small thing over and over until stopped; a failure is logged, and the next turn comes all the same. */
function every(ms: number, work: () => Promise<unknown>, { log }: Context): () => Promise<void> {
  const stopping = new AbortController()
  const done = (async () => {
    for (let pause = ms; !stopping.signal.aborted; ) {
      try {
        await work()
        pause = ms
      } catch (error) {
        log.error({ err: error }, 'a turn of the clock failed')
        pause = isUnavailable(error) ? Math.min(pause * 2, Math.max(ms, LONGEST_PAUSE_MS)) : ms
      }
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return async () => {
    stopping.abort()
    await done
  }
}

/** Figures of the outbox, read when they are asked for. */
function watchOutbox({ db }: Context, registry: Registry): void {
  const waiting = new Gauge({
    name: 'outbox_messages',
    help: 'Messages without a final outcome, by state and lane',
    labelNames: ['state', 'lane'],
    registers: [registry],
    async collect() {
      const { rows } = await sql<{
        state: string
        lane: number
        n: number
      }>`
        select state, lane, sum(n)::bigint as n from (
          select state, lane, count(*) as n from messages group by state, lane
          union all
          select case when claimed_by is null then 'queued' else 'claimed' end, lane, sum(cardinality(contacts))
          from message_slices group by 1, 2) as outbox
        group by state, lane`.execute(db)
      waiting.reset()
      for (const { state, lane, n } of rows) waiting.set({ state, lane: String(lane) }, n)
    },
  })
}

/** Starts the jobs role: the queue, and the clockwork that moves actions and settles hits. Gives how to stop it. */
export async function startTasks(
  context: Context,
  databaseUrl: string,
  registry: Registry,
): Promise<() => Promise<void>> {
  const { log, db } = context
  watchOutbox(context, registry)
  watchQueues(context, registry)
  const unmatched = countUnmatchedSms(registry)
  const webhooks = webhookWork(context, registry)
  const runner = await startRunner({
    url: databaseUrl,
    log,
    tasks: (connections) => taskBodies({ ...context, ...connections }),
    concurrency: CONCURRENCY,
    schedule,
  })
  const stops = [
    every(250, () => advanceActions(context), context),
    every(250, () => settleHits(db), context),
    every(5000, () => keepCounts(db), context),
    every(200, () => webhooks.turn(), context),
    every(250, () => ingestSmsReports({ ...context, unmatched }), context),
    every(1000, () => startDueImports(context), context),
    // Runs of a process that died go on here.
    every(10_000, () => wakeRuns(db), context),
    every(3_600_000, () => sweepShelves(context), context),
    every(10_000, () => wakePlans(db), context),
    every(10_000, () => wakeTests(db), context),
    every(10_000, () => wakeJobs(db), context),
  ]
  return async () => {
    const clockwork = Promise.all(stops.map((stop) => stop())).then(() => webhooks.stop())
    await Promise.all([runner.stop(), clockwork])
  }
}

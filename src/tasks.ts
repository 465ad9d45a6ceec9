import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Context } from './context.ts'
import { advanceActions } from './features/actions/advance.ts'
import { runTest } from './features/actions/test-run.ts'
import { ensurePartitions } from './features/events/partitions.ts'
import { forgetOldEvents } from './features/events/retention.ts'
import { settleHits } from './features/events/settle.ts'
import { wakeRuns } from './features/imports/executions.ts'
import { runImport } from './features/imports/run.ts'
import { expireImports } from './features/imports/uploads.ts'
import { planCampaign } from './features/messages/audience.ts'
import { holdLost } from './features/messages/claim.ts'
import { forgetSentMessages } from './features/messages/retention.ts'
import { forgetIdempotencyKeys } from './http/idempotency.ts'
import { type Schedule, startRunner, type TaskBodies } from './jobs/runner.ts'

const CONCURRENCY = 4
const MONTHS_AHEAD = 3

const schedule: Schedule = { 'housekeeping.minutely': '* * * * *', 'housekeeping.daily': '17 3 * * *' }

/** What runs between a request and its effect, or by the clock. Each checks the present state before it acts. */
function taskBodies(context: Context): TaskBodies {
  const { db, clock } = context
  return {
    'imports.run': (payload, signal) => runImport(context, payload, signal),
    'actions.test': (payload) => runTest(context, payload),
    'campaigns.plan': (payload, signal) => planCampaign(context, payload, signal),
    'housekeeping.minutely': async () => {
      await holdLost(db, new Date(clock.now()))
    },
    'housekeeping.daily': async () => {
      await ensurePartitions(db, MONTHS_AHEAD)
      await forgetOldEvents(db)
      await forgetSentMessages(db, clock.now())
      await forgetIdempotencyKeys(db, clock.now())
      await expireImports(db, context.config.dataDir, new Date(clock.now()))
    },
  }
}

/** Does a small thing over and over until stopped; a failure is logged, and the next turn comes all the same. */
function every(ms: number, work: () => Promise<unknown>, { log }: Context): () => Promise<void> {
  const stopping = new AbortController()
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await work().catch((error) => log.error({ err: error }, 'a turn of the clock failed'))
      await delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
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
      }>`select state, lane, count(*) as n from messages group by state, lane`.execute(db)
      waiting.reset()
      for (const { state, lane, n } of rows) waiting.set({ state, lane: String(lane) }, n)
    },
  })
}

/** Starts the jobs role: the queue, and the clockwork that moves actions and settles hits. Gives how to stop it. */
export async function startTasks(context: Context, registry: Registry): Promise<() => Promise<void>> {
  const { pool, log, db } = context
  watchOutbox(context, registry)
  const runner = await startRunner(pool, log, taskBodies(context), { concurrency: CONCURRENCY, schedule })
  const stops = [
    every(250, () => advanceActions(context), context),
    every(250, () => settleHits(db), context),
    // Runs of a process that died go on here.
    every(10_000, () => wakeRuns(db), context),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await runner.stop()
  }
}

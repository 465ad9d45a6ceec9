import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import { reachOf } from '../../lib/guarded-client.ts'
import { createDispatcher } from './dispatcher.ts'
import { LISTENER_KIND } from './webhooks.ts'

/** How long a stop waits for requests in progress; the others are retried when their leases end. */
const STOP_TIMEOUT_MS = 3000

/** Metrics of the queue, read when they are collected. */
function registerWebhookMetrics(db: Db, registry: Registry): void {
  const pending = new Gauge({
    name: 'webhook_events_pending',
    help: 'Events that wait for their delivery to a webhook',
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ n: number }>`
        select (select count(*) from listener_queue where kind = ${LISTENER_KIND}) + (
          select coalesce(sum(cardinality(events)), 0)::bigint from webhook_deliveries where dead_at is null) as n`.execute(
        db,
      )
      pending.set(rows[0]?.n ?? 0)
    },
  })
}

/** Creates what the jobs role runs to deliver to webhooks: `dispatch` is called several times a second. */
export function createWebhookWorker(
  { db, clock, log, masterKeys, config }: Context,
  registry: Registry,
): { dispatch(): Promise<unknown>; stop(): Promise<void> } {
  const tries = new Counter({
    name: 'webhook_tries_total',
    help: 'Requests to webhooks, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  registerWebhookMetrics(db, registry)
  const reach = reachOf(config.outgoingAllow)
  const dispatcher = createDispatcher({ db, clock, log, masterKeys, reach, tries })
  return {
    dispatch: () => dispatcher.dispatch(),
    async stop() {
      await Promise.race([dispatcher.idle(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })])
      dispatcher.end()
    },
  }
}

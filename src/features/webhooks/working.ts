import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import { reachOf } from '../../lib/guarded-client.ts'
import { createDispatcher } from './dispatcher.ts'

/** How long a stop waits for requests under way; what is left is tried again when its lease ends. */
const PATIENCE_MS = 3000

/** Figures of the queue, read when they are asked for. */
function watchQueue(db: Db, registry: Registry): void {
  const pending = new Gauge({
    name: 'webhook_events_pending',
    help: 'Events that wait for their delivery to a webhook',
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ n: number }>`
        select (select count(*) from webhook_queue) + (
          select coalesce(sum(cardinality(events)), 0)::bigint from webhook_deliveries where dead_at is null) as n`.execute(
        db,
      )
      pending.set(rows[0]?.n ?? 0)
    },
  })
}

/** What the jobs role needs to deliver to webhooks: a turn to be called several times a second, and the end of it. */
export function webhookWork(
  { db, clock, log, masterKeys, config }: Context,
  registry: Registry,
): { turn(): Promise<unknown>; stop(): Promise<void> } {
  const tries = new Counter({
    name: 'webhook_tries_total',
    help: 'Requests to webhooks, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  watchQueue(db, registry)
  const reach = reachOf(config.outgoingAllow)
  const dispatcher = createDispatcher({ db, clock, log, masterKeys, reach, tries })
  return {
    turn: () => dispatcher.turn(),
    async stop() {
      await Promise.race([dispatcher.idle(), delay(PATIENCE_MS, undefined, { ref: false })])
      dispatcher.end()
    },
  }
}

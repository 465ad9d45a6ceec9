import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { WEBHOOK_LISTENER_KIND } from './webhooks.ts'

/** Registers how many events wait for webhooks, of one account or of all, read when they are collected. */
export function registerWebhookMetrics(db: Db, registry: Registry, account?: AccountId): void {
  const ofAccount = account === undefined ? sql`true` : sql`account = ${account}`
  new Gauge({
    name: 'stentor_webhook_events_pending',
    help: 'Events that wait for their delivery to a webhook',
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ n: number }>`
        select (select count(*) from listener_queue where kind = ${WEBHOOK_LISTENER_KIND} and ${ofAccount}) + (
          select coalesce(sum(cardinality(events)), 0)::bigint
          from webhook_deliveries where dead_at is null and webhook in (select id from webhooks where ${ofAccount})) as n`.execute(
        db,
      )
      this.set(rows[0]?.n ?? 0)
    },
  })
}

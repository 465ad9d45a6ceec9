import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { MAX_RETRY_AFTER_MS } from '../../lib/time/backoff.ts'
import { WEBHOOK_LEASE_MS } from './queue.ts'
import { MAX_WEBHOOK_WAITS_MS } from './schedule.ts'

/** Makes due the deliveries that wait longer than possible for their number of tries, and ends holds longer than the maximum. */
export async function makeWebhookDeliveriesDue(db: Db, now: number): Promise<void> {
  const currentDate = new Date(now)
  await sql`
    update webhooks set hold_until = null where hold_until > ${new Date(now + MAX_RETRY_AFTER_MS)}`.execute(db)
  await sql`
    update webhook_deliveries d set next_at = ${currentDate}
    from webhooks w
    where d.webhook = w.id and d.dead_at is null and d.next_at > greatest(w.hold_until, ${currentDate}::timestamptz
      + (${MAX_WEBHOOK_WAITS_MS}::double precision[])[least(d.tries + 1, ${MAX_WEBHOOK_WAITS_MS.length})] * interval '1 millisecond')`.execute(
    db,
  )
}

/** Ends leases of deliveries that last longer than any does. */
export async function endLateWebhookLeases(db: Db, now: number): Promise<void> {
  await sql`
    update webhook_deliveries set leased_until = null
    where dead_at is null and leased_until > ${new Date(now + WEBHOOK_LEASE_MS)}`.execute(db)
}

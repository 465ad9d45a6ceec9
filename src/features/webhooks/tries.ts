import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import { HOUR_MS } from '../../lib/time/spans.ts'
import type { WebhookDelivery } from './queue.ts'
import type { WebhookTryResult } from './request.ts'
import type { WebhookTry } from './webhook-schemas.ts'
import { loadWebhook, type WebhookKey } from './webhooks.ts'

/** A request to a webhook, and what came of it. */
export interface WebhookAttempt extends WebhookTryResult {
  at: Date
  durationMs: number
}

/** Writes down a request, to be looked at for an hour. */
export async function recordWebhookTry(
  db: Db,
  { webhook, id, events, tries }: WebhookDelivery,
  { at, status, failure, durationMs }: WebhookAttempt,
): Promise<void> {
  await sql`
    insert into webhook_tries (webhook, at, delivery, events, try, status, duration_ms, failure)
    values (${webhook}, ${at}, ${id}, ${events.length}, ${tries + 1}, ${status}, ${durationMs}, ${failure?.detail ?? null})`.execute(
    db,
  )
}

interface WebhookTryRow extends Omit<WebhookTry, 'date' | 'success'> {
  at: Date
}

/** The requests to a webhook in the last hour, newest first: those before the page's key, at most its limit. Throws notFound. */
export async function* listWebhookTries(
  db: Db,
  key: WebhookKey,
  now: number,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<WebhookTry> {
  await loadWebhook(db, key)
  const query = sql<WebhookTryRow>`
    select id, at, delivery, events, try, status, duration_ms as "durationMs", failure as detail from webhook_tries
    where webhook = ${key.id} and at > ${new Date(now - HOUR_MS)}
      and (${after ?? null}::bigint is null or id < ${after ?? null})
    order by id desc limit ${limit ?? null}::integer`
  for await (const { at, id, detail, ...attempt } of streamRows(db, query)) {
    yield { id, date: at.toISOString(), ...attempt, success: detail === null, detail }
  }
}

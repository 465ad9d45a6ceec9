import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { buildWebhookTestBody } from './bodies.ts'
import { postWebhookMessage, type WebhookRequestContext } from './request.ts'
import type { WebhookSecrets } from './signing.ts'
import type { WebhookTestResult } from './webhook-schemas.ts'
import type { WebhookKey } from './webhooks.ts'

/**
 * Sends a webhook a signed body of type `test` at once, whatever its state, and returns the result; neither the state
 * nor the statistics change. Throws notFound.
 */
export async function testWebhook(
  db: Db,
  { account, id }: WebhookKey,
  context: WebhookRequestContext & { clock: Clock },
): Promise<WebhookTestResult> {
  const { rows } = await sql<WebhookSecrets & { url: string }>`
    select id, url, secret, previous_secret as "previousSecret", rotated_at as "rotatedAt" from webhooks
    where account = ${account} and id = ${id}`.execute(db)
  const [webhook] = rows
  if (!webhook) throw notFoundProblem('webhook', id)
  const now = context.clock.now()
  const message = { id: createUuidV7(now), body: buildWebhookTestBody(id, new Date(now)) }
  const startedAt = performance.now()
  const { status, failure } = await postWebhookMessage(context, webhook, message, now)
  const durationMs = Math.round(performance.now() - startedAt)
  return { success: failure === undefined, status, durationMs, detail: failure?.detail ?? null }
}

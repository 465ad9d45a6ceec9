import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { bodyOfTest } from './bodies.ts'
import { post, type RequestContext } from './request.ts'
import type { Secrets } from './signing.ts'
import type { TestResult } from './webhook-schemas.ts'
import type { WebhookKey } from './webhooks.ts'

/**
 * Sends a webhook a signed body of type `test` at once, whatever its state, and returns the result; neither the state
 * nor the statistics change. Throws notFound.
 */
export async function testWebhook(
  db: Db,
  { account, id }: WebhookKey,
  context: RequestContext & { clock: Clock },
): Promise<TestResult> {
  const { rows } = await sql<Secrets & { url: string }>`
    select id, url, secret, previous_secret as "previousSecret", rotated_at as "rotatedAt" from webhooks
    where account = ${account} and id = ${id}`.execute(db)
  const [webhook] = rows
  if (!webhook) throw notFound('webhook', id)
  const now = context.clock.now()
  const message = { id: uuidV7(now), body: bodyOfTest(id, new Date(now)) }
  const startedAt = performance.now()
  const { status, failure } = await post(context, webhook, message, now)
  const durationMs = Math.round(performance.now() - startedAt)
  return { success: failure === undefined, status, durationMs, detail: failure?.detail ?? null }
}

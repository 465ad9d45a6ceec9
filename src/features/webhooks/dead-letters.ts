import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { parseTimePeriod, type TimePeriod } from '../../lib/time/period.ts'
import { purgeOrphanListenerRows } from '../listeners/own-rows.ts'
import type { DeadLetter, DeadLetterSelection } from './webhook-schemas.ts'
import { loadWebhook, lockWebhook, WEBHOOK_LISTENER_KIND, type WebhookKey } from './webhooks.ts'

interface DeadLetterRow {
  id: string
  events: string[]
  at: Date
  tries: number
  failure: string | null
  deadAt: Date
}

/** The key of a page of dead letters: date and id. */
export type DeadLetterCursor = readonly [date: string, id: string]

/** The cursor after a dead letter. */
export function deadLetterCursor({ date, id }: DeadLetter): DeadLetterCursor {
  return [date, id]
}

/** The dead letters of a webhook, by the date of their first event. Throws notFound. */
export async function* listDeadLetters(
  db: Db,
  key: WebhookKey,
  { after, limit }: { after: DeadLetterCursor | undefined; limit: number | undefined },
): AsyncGenerator<DeadLetter> {
  await loadWebhook(db, key)
  const pageCondition = after === undefined ? sql`` : sql`and (at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`
  const query = sql<DeadLetterRow>`
    select id, events, at, tries, failure, dead_at as "deadAt" from webhook_deliveries
    where webhook = ${key.id} and dead_at is not null ${pageCondition}
    order by at, id limit ${limit ?? null}::integer`
  for await (const { at, failure, deadAt, ...letter } of streamRows(db, query)) {
    yield { ...letter, date: at.toISOString(), detail: failure, deadDate: deadAt.toISOString() }
  }
}

/** The condition of a choice; undefined for an empty one. Throws 400. */
function buildSelectionCondition({ ids, start, end }: DeadLetterSelection): RawBuilder<unknown> | undefined {
  const period: TimePeriod = parseTimePeriod({ start, end })
  if (ids !== undefined && (start !== undefined || end !== undefined))
    throw badRequestProblem('/ids', 'cannot be combined with start or end')
  if (ids !== undefined) return sql`id = any(${ids}::uuid[])`
  if (period.start === undefined && period.end === undefined) return undefined
  const toBoundDate = (ms: number | undefined) => (ms === undefined ? null : new Date(ms))
  return sql`at >= coalesce(${toBoundDate(period.start)}::timestamptz, '-infinity')
    and at < coalesce(${toBoundDate(period.end)}::timestamptz, 'infinity')`
}

/** Deletes the chosen dead letters, or all. Throws notFound, 400. */
export async function deleteDeadLetters(db: Db, key: WebhookKey, choice: DeadLetterSelection): Promise<void> {
  const condition = buildSelectionCondition(choice) ?? sql`true`
  await inTransaction(db, async (tx) => {
    await lockWebhook(tx, key)
    await sql`
      delete from webhook_deliveries
      where webhook = ${key.id} and dead_at is not null and ${condition}`.execute(tx)
  })
}

/**
 * Delivers the chosen dead letters again, under their old ids and by the whole schedule; those of a suspended webhook
 * once. Unknown ids are ignored. Throws notFound, 400 when nothing is chosen.
 */
export async function replayDeadLetters(
  db: Db,
  key: WebhookKey,
  choice: DeadLetterSelection,
  now: Date,
): Promise<void> {
  const condition = buildSelectionCondition(choice)
  if (condition === undefined) throw badRequestProblem('/ids', 'ids, start or end is required')
  await inTransaction(db, async (tx) => {
    await lockWebhook(tx, key)
    await sql`
      update webhook_deliveries set dead_at = null, tries = 0, first_try_at = null, next_at = ${now}, leased_until = null
      where webhook = ${key.id} and dead_at is not null and ${condition}`.execute(tx)
  })
}

/** Deletes the queued events of deleted webhooks. */
export function purgeOrphanWebhookRows(db: Db): Promise<void> {
  return purgeOrphanListenerRows(db, WEBHOOK_LISTENER_KIND, sql`select id from webhooks`)
}

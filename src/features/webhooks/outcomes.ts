import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { WebhookDelivery } from './queue.ts'
import { computeNextWebhookTry, WEBHOOK_GIVE_UP_MS } from './schedule.ts'

/** Why a try failed. */
export interface WebhookFailure {
  /** For people: a code or a reason, never the receiver's text. */
  detail: string
  /** The receiver is gone (410). */
  isGone: boolean
  /** Milliseconds: the receiver asked for no request until then. */
  holdUntil: number | null
}

const FAILING_THRESHOLD = 10
/** Resolution of the date of the last success, so that a busy webhook is not rewritten for each one. */
const SUCCESS_RESOLUTION_MS = 1000

/** Removes a delivery that succeeded, and resets the failures of its webhook. */
export async function recordWebhookSuccess(
  db: Db,
  { webhook, id, leasedUntil }: WebhookDelivery,
  now: number,
): Promise<void> {
  await sql`
    with done as (
      delete from webhook_deliveries where webhook = ${webhook} and id = ${id} and leased_until = ${leasedUntil})
    update webhooks set last_success_at = ${new Date(now)}, failures = 0, failing_since = null, hold_until = null,
      state = case when state = 'failing' then 'ok' else state end
    where id = ${webhook}
      and (failures > 0 or last_success_at is null or last_success_at < ${new Date(now - SUCCESS_RESOLUTION_MS)})`.execute(
    db,
  )
}

/**
 * Schedules a failed delivery again, or makes it a dead letter. The webhook is `failing` after ten failures in a row, and
 * suspended after 72 hours without a success or when the receiver is gone: then all waiting deliveries are dead letters.
 */
export async function recordWebhookFailure(
  db: Db,
  delivery: WebhookDelivery,
  failure: WebhookFailure,
  now: number,
): Promise<void> {
  const currentDate = new Date(now)
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ state: string }>`
      update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${currentDate}), last_failure_at = ${currentDate},
        hold_until = ${failure.holdUntil === null ? null : new Date(failure.holdUntil)}, active = active and not ends,
        state = case when ends then 'suspended' when failures + 1 >= ${FAILING_THRESHOLD} then 'failing' else state end
      from (
        select id as webhook, state = 'suspended' or ${failure.isGone}
          or coalesce(failing_since <= ${new Date(now - WEBHOOK_GIVE_UP_MS)}, false) as ends
        from webhooks where id = ${delivery.webhook} for update) v
      where id = v.webhook returning state`.execute(tx)
    const isSuspended = rows[0]?.state === 'suspended'
    await recordDeliveryTry(tx, delivery, failure, { now, isSuspended })
    if (isSuspended) await deadLetterWaiting(tx, delivery.webhook, currentDate)
  })
}

async function recordDeliveryTry(
  tx: Db,
  { webhook, id, leasedUntil, ...delivery }: WebhookDelivery,
  { detail, holdUntil }: WebhookFailure,
  { now, isSuspended }: { now: number; isSuspended: boolean },
): Promise<void> {
  const tries = delivery.tries + 1
  const firstAt = delivery.firstTryAt?.getTime() ?? now
  const nextTryAt = isSuspended ? undefined : computeNextWebhookTry({ tries, firstAt, holdUntil }, now, Math.random())
  await sql`
    update webhook_deliveries set tries = ${tries}, first_try_at = ${new Date(firstAt)}, failure = ${detail},
      next_at = ${new Date(nextTryAt ?? now)}, leased_until = null, dead_at = ${nextTryAt === undefined ? new Date(now) : null}
    where webhook = ${webhook} and id = ${id} and leased_until = ${leasedUntil}`.execute(tx)
}

/** Makes all waiting deliveries dead letters; those being tried become so when they fail. */
async function deadLetterWaiting(tx: Db, webhook: string, at: Date): Promise<void> {
  await sql`
    update webhook_deliveries set dead_at = ${at}
    where webhook = ${webhook} and dead_at is null and (leased_until is null or leased_until <= ${at})`.execute(tx)
}

import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { takeOwnRowBatchesSql } from '../listeners/own-rows.ts'
import type { WebhookVersion } from './bodies.ts'
import type { WebhookSecrets } from './signing.ts'

/** A webhook that has something to deliver. */
export interface BusyWebhook extends WebhookSecrets {
  account: AccountId
  version: WebhookVersion
  url: string
  size: number
  waitMs: number
  isSuspended: boolean
  failures: number
}

/** A webhook, and how many requests it may be sent now. */
export interface WebhookQuota {
  webhook: BusyWebhook
  room: number
}

/** The content of one request; the caller holds it until the lease ends. */
export interface WebhookDelivery {
  webhook: string
  id: string
  events: string[]
  tries: number
  firstTryAt: Date | null
  leasedUntil: Date
}

/** The deliveries of a dead process are free again after this. A try takes 15 s at most. */
export const WEBHOOK_LEASE_MS = 60_000
/** Events of a suspended webhook that become dead letters at a time. */
const DEAD_BATCH_SIZE = 1000

/** Condition: due and not leased. */
function isDueSql(now: Date): RawBuilder<unknown> {
  return sql`dead_at is null and next_at <= ${now} and (leased_until is null or leased_until <= ${now})`
}

/** Condition on a webhook `w`: it has something to deliver. */
const isBusySql = (now: Date) => sql`
  w.listens and (w.hold_until is null or w.hold_until <= ${now})
    and (exists (select from listener_queue q where q.listener = w.id)
      or exists (select from webhook_deliveries d where d.webhook = w.id and ${isDueSql(now)}))`

/** Condition: a webhook has something to deliver. */
export function isWebhookBusy(now: Date): RawBuilder<unknown> {
  return sql`exists (select from webhooks w where ${isBusySql(now)})`
}

/**
 * Webhooks that have something to deliver: active ones that are not held, and suspended ones for replays and to move
 * their events to the dead letters.
 */
export async function listBusyWebhooks(db: Db, now: Date): Promise<BusyWebhook[]> {
  const { rows } = await sql<BusyWebhook>`${buildPreparedPrefix('busy-webhooks')}
    select w.id, w.account, w.version, w.url, w.batch_size as size, w.batch_wait_ms as "waitMs", w.secret,
      w.previous_secret as "previousSecret", w.rotated_at as "rotatedAt", w.state = 'suspended' as "isSuspended", w.failures
    from webhooks w where ${isBusySql(now)} order by w.id`.execute(db)
  return rows
}

/** The columns of a Delivery. */
const deliveryColumns = sql`d.webhook, d.id, d.events, d.tries, d.first_try_at as "firstTryAt", d.leased_until as "leasedUntil"`

/** Claims due retries, at most the quota of each webhook. Two callers never get the same. */
export async function claimDueDeliveries(
  db: Db,
  quotas: readonly WebhookQuota[],
  now: Date,
): Promise<WebhookDelivery[]> {
  if (quotas.length === 0) return []
  const { rows } = await sql<WebhookDelivery>`
    update webhook_deliveries d set leased_until = ${new Date(now.getTime() + WEBHOOK_LEASE_MS)}
    from (
      select mine.webhook, mine.id
      from unnest(${quotas.map(({ webhook }) => webhook.id)}::uuid[], ${quotas.map(({ room }) => room)}::integer[]) as t(webhook, room)
      cross join lateral (
        select webhook, id from webhook_deliveries
        where webhook = t.webhook and ${isDueSql(now)}
        order by next_at limit t.room for update skip locked) mine) m
    where d.webhook = m.webhook and d.id = m.id
    returning ${deliveryColumns}`.execute(db)
  return rows
}

/**
 * Forms new deliveries of queued events, leased by the caller: up to the quota, full batches and those that have waited
 * long enough. Events of a suspended webhook become dead letters at once, and are not returned.
 */
export async function formWebhookDeliveries(
  db: Db,
  quotas: readonly WebhookQuota[],
  now: Date,
): Promise<WebhookDelivery[]> {
  if (quotas.length === 0) return []
  const quotaColumn = <T>(member: (quota: WebhookQuota) => T): T[] => quotas.map(member)
  const { rows } = await sql<WebhookDelivery & { dead: boolean }>`
    with turns as (
      select * from unnest(${quotaColumn(({ webhook }) => webhook.id)}::uuid[],
        ${quotaColumn(({ webhook, room }) => (webhook.isSuspended ? DEAD_BATCH_SIZE : room * webhook.size))}::integer[],
        ${quotaColumn(({ webhook }) => webhook.size)}::integer[],
        ${quotaColumn(({ webhook }) => (webhook.isSuspended ? 0 : webhook.waitMs))}::integer[],
        ${quotaColumn(({ webhook }) => webhook.isSuspended)}::boolean[]) as t(listener, most, size, wait_ms, dead)),
    ${takeOwnRowBatchesSql}
    insert into webhook_deliveries as d (webhook, id, events, at, next_at, leased_until, failure, dead_at)
    select listener, case when size = 1 then min(event::text)::uuid else uuidv7() end, array_agg(event order by event),
      uuid_extract_timestamp(min(event::text)::uuid), ${now}, case when not dead then ${new Date(now.getTime() + WEBHOOK_LEASE_MS)}::timestamptz end,
      case when dead then 'suspended' end, case when dead then ${now}::timestamptz end
    from taken join turns using (listener) group by listener, batch, size, dead
    on conflict (webhook, id) do nothing
    returning ${deliveryColumns}, d.dead_at is not null as dead`.execute(db)
  return rows.filter(({ dead }) => !dead)
}

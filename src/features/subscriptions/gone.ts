import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { deleteExcessSubscriptions } from '../contacts/fields/devices.ts'
import { noticeInsertSql } from '../notices/notices.ts'
import type { PushProviderKey } from './providers/push-rests.ts'

/** Time in which subscriptions of unregistered devices can be restored. */
export const UNREGISTERED_RETENTION_MS = 600_000

/** A device that its push service knows no more. */
export interface UnregisteredDevice {
  subscription: string
  /** First 16 bytes of the SHA-256 of the token that was sent to, in hexadecimal digits. */
  digest: string
  /** Since when; milliseconds. Undefined: just now. */
  since: number | undefined
}

const subscriptionColumns = sql.raw(
  `account, id, application, contact, provider, token, token_digest, keys, culture, protocol, muted, muted_channels,
    created_at, created_by, updated_at, updated_by, put_at`,
)
const noticeData = sql`jsonb_build_object('subscription', id, 'application', application) as data`

/**
 * Deletes the subscriptions of devices that are gone, with their notices, and keeps them for a while. One that was put again
 * since, or has another token by now, stays.
 */
export async function deleteUnregistered(
  tx: Db,
  account: AccountId,
  devices: readonly UnregisteredDevice[],
  now: Date,
): Promise<void> {
  if (devices.length === 0) return
  await sql`
    with given as (
      select * from unnest(
        ${devices.map(({ subscription }) => subscription)}::uuid[], ${devices.map(({ digest }) => digest)}::text[],
        ${devices.map(({ since }) => (since === undefined ? null : new Date(since)))}::timestamptz[]) as g (subscription, digest, since)
    ), chosen as materialized (
      select s.id, w.hash, w.awaited_at
      from given g join subscriptions s on s.account = ${account} and s.id = g.subscription
      left join awaited_subscriptions w on w.account = s.account and w.subscription = s.id
      where s.token_digest = decode(g.digest, 'hex')
        and (g.since is null or greatest(s.created_at, s.updated_at, s.put_at) <= g.since)
      order by s.id for update of s
    ), gone as (
      delete from subscriptions s using chosen c where s.account = ${account} and s.id = c.id
      returning s.*, c.hash as awaited_hash, c.awaited_at
    ), kept as (
      insert into gone_subscriptions (${subscriptionColumns}, awaited_hash, awaited_at, deleted_at)
      select ${subscriptionColumns}, awaited_hash, awaited_at, ${now}::timestamptz from gone
      on conflict (account, id) do update set application = excluded.application, contact = excluded.contact,
        provider = excluded.provider, token = excluded.token, token_digest = excluded.token_digest, keys = excluded.keys,
        culture = excluded.culture, protocol = excluded.protocol, muted = excluded.muted,
        muted_channels = excluded.muted_channels, created_at = excluded.created_at, created_by = excluded.created_by,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by, put_at = excluded.put_at, awaited_hash = excluded.awaited_hash,
        awaited_at = excluded.awaited_at, deleted_at = excluded.deleted_at)
    ${noticeInsertSql(account, 'subscription.deleted', sql`select contact, ${noticeData} from gone`)}`.execute(tx)
}

/** Brings back what was deleted of a provider since GONE_MS ago; what was put again meanwhile stays as it was put. */
export async function restoreUnregistered(
  tx: Db,
  account: AccountId,
  { application, provider }: PushProviderKey,
  now: Date,
): Promise<void> {
  const restorableSince = new Date(now.getTime() - UNREGISTERED_RETENTION_MS)
  const { rows } = await sql<{ id: string; contact: number | null }>`
    with back as materialized (
      delete from gone_subscriptions
      where account = ${account} and application = ${application} and provider = ${provider} and deleted_at > ${restorableSince}
      returning *
    ), restored as (
      insert into subscriptions (${subscriptionColumns}) select ${subscriptionColumns} from back order by id on conflict do nothing
      returning id, contact
    ), awaited as (
      insert into awaited_subscriptions (account, subscription, hash, awaited_at)
      select b.account, b.id, b.awaited_hash, b.awaited_at from back b join restored using (id)
      where b.awaited_hash is not null
    )
    select id, contact from restored`.execute(tx)
  // What came back stays, also beyond the bound, where all others are in use.
  const restoredNotices = rows.flatMap(({ id, contact }) =>
    contact === null ? [] : { id, contact, application, isProven: false },
  )
  await deleteExcessSubscriptions(tx, account, restoredNotices, { now })
  const ids = rows.map(({ id }) => id)
  const createdNotices = sql`
    select contact, ${noticeData} from subscriptions where account = ${account} and id = any(${ids}::uuid[])`
  if (ids.length > 0) await noticeInsertSql(account, 'subscription.created', createdNotices).execute(tx)
}

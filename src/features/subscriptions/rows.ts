import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { noticesFrom } from '../notices/notices.ts'
import type { DeviceAddress } from './read-put.ts'

/** A subscription as its row has it. */
export interface StoredSubscription {
  id: string
  application: string
  contact: number | null
  provider: DeviceAddress['type']
  token: string
  digest: Buffer
  keys: DeviceAddress['keys']
  culture: string | null
  protocol: string | null
  /** Whether anything is muted. */
  muted: boolean
  createdAt: Date
  createdBy: number | null
  updatedAt: Date | null
  updatedBy: number | null
  /** Hash of the contact that it awaits, in hexadecimal digits. */
  awaited: string | null
}

/** What identifies a device beside its id. */
export type TokenKey = Pick<StoredSubscription, 'application' | 'provider' | 'digest'>

/** Locks the subscriptions that have these ids or these tokens, in the order of ids; unknown ones are left out. */
export async function lockSubscriptions(
  tx: Db,
  account: AccountId,
  ids: readonly string[],
  tokens: readonly TokenKey[],
): Promise<StoredSubscription[]> {
  const { rows } = await sql<StoredSubscription>`
    select s.id, s.application, s.contact, s.provider, s.token, s.token_digest as digest, s.keys, s.culture, s.protocol,
      s.muted or s.muted_channels <> '{}' as muted, s.created_at as "createdAt", s.created_by as "createdBy",
      s.updated_at as "updatedAt", s.updated_by as "updatedBy", (
        select encode(w.hash, 'hex') from awaited_subscriptions w where w.account = s.account and w.subscription = s.id
      ) as awaited
    from subscriptions s
    where s.account = ${account} and s.id = any(${ids}::uuid[] || array(
      select h.id from unnest(
        ${tokens.map(({ application }) => application)}::uuid[], ${tokens.map(({ provider }) => provider)}::text[],
        ${tokens.map(({ digest }) => digest)}::bytea[]) as t(application, provider, digest)
      join subscriptions h on h.application = t.application and h.provider = t.provider and h.token_digest = t.digest))
    order by s.id for update of s`.execute(tx)
  return rows
}

/** Writes whole rows: those that are there are changed, and nothing of them is muted any more. */
export async function writeSubscriptions(
  tx: Db,
  account: AccountId,
  rows: readonly StoredSubscription[],
): Promise<void> {
  if (rows.length === 0) return
  const given = rows.map(({ digest, ...row }) => ({ ...row, digest: digest.toString('hex') }))
  await sql`
    insert into subscriptions as s (account, id, application, contact, provider, token, token_digest, keys, culture,
      protocol, created_at, created_by, updated_at, updated_by)
    select ${account}::integer, g.id, g.application, g.contact, g.provider, g.token, decode(g.digest, 'hex'), g.keys,
      g.culture, g.protocol, g."createdAt", g."createdBy", g."updatedAt", g."updatedBy"
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(id uuid, application uuid, contact bigint, provider text,
      token text, digest text, keys jsonb, culture text, protocol text, "createdAt" timestamptz, "createdBy" integer,
      "updatedAt" timestamptz, "updatedBy" integer)
    order by g.id
    on conflict (account, id) do update set contact = excluded.contact, provider = excluded.provider,
      token = excluded.token, token_digest = excluded.token_digest, keys = excluded.keys, culture = excluded.culture,
      protocol = excluded.protocol, muted = false, muted_channels = '{}', updated_at = excluded.updated_at,
      updated_by = excluded.updated_by
    where s.application = excluded.application`.execute(tx)
}

/**
 * Notes that subscriptions were put again as they are, so that none is taken for gone since before. They are locked; no index
 * holds what is written, so the rows are changed where they stand.
 */
export async function noteRepeated(tx: Db, account: AccountId, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update subscriptions set put_at = ${now} where account = ${account} and id = any(${ids}::uuid[])`.execute(tx)
}

/** Writes the notices of new subscriptions; none without a listener. */
export async function noticeCreated(tx: Db, account: AccountId, rows: readonly StoredSubscription[]): Promise<void> {
  if (rows.length === 0) return
  const created = sql`
    select g.contact, jsonb_build_object('subscription', g.id, 'application', g.application) as data
    from unnest(${rows.map(({ contact }) => contact)}::bigint[], ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ application }) => application)}::uuid[]) as g(contact, id, application)`
  await noticesFrom(account, 'subscription.created', created)
    // A select that inserts stands alone as well.
    .execute(tx)
}

/** Notes what rows await now, and forgets what they awaited. */
export async function noteAwaited(
  tx: Db,
  account: AccountId,
  rows: readonly StoredSubscription[],
  now: Date,
): Promise<void> {
  const settled = rows.filter(({ awaited }) => awaited === null).map(({ id }) => id)
  const waiting = rows.filter(({ awaited }) => awaited !== null)
  if (settled.length > 0)
    await sql`
      delete from awaited_subscriptions where account = ${account} and subscription = any(${settled}::uuid[])`.execute(
      tx,
    )
  if (waiting.length === 0) return
  await sql`
    insert into awaited_subscriptions (account, subscription, hash, awaited_at)
    select ${account}::integer, id, decode(hash, 'hex'), ${now}::timestamptz
    from unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map(({ awaited }) => awaited)}::text[]) as w(id, hash)
    on conflict (account, subscription) do update set hash = excluded.hash, awaited_at = excluded.awaited_at`.execute(
    tx,
  )
  await sql`
    update accounts set awaits_devices = true, definitions = definitions + 1
    where id = ${account} and not awaits_devices`.execute(tx)
}

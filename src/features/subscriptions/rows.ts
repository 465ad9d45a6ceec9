import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { StoredDeviceRegistration } from '../applications/registrations.ts'
import { noticeInsertSql } from '../notices/notices.ts'
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
  /** True if anything is muted. */
  muted: boolean
  createdAt: Date
  createdBy: number | null
  updatedAt: Date | null
  updatedBy: number | null
  /** Hash of the contact that it awaits, in hexadecimal digits. */
  awaited: string | null
}

/** Identifies a device in addition to its id. */
export type SubscriptionTokenKey = Pick<StoredSubscription, 'application' | 'provider' | 'digest'>

/** Locked rows that puts are checked against. */
export interface LockedSubscriptions {
  subscriptions: StoredSubscription[]
  /** Registration settings of the applications, by id; unknown ones are left out. */
  registrations: Map<string, StoredDeviceRegistration>
}

type LockedRow = (StoredSubscription | { id: null }) &
  (({ registered: string } & Omit<StoredDeviceRegistration, 'made'>) | { registered: null })

/**
 * Locks the subscriptions that have these ids or these tokens, in the order of ids, and reads these applications; unknown
 * ones are left out.
 */
export async function lockSubscriptions(
  tx: Db,
  account: AccountId,
  {
    ids,
    tokens,
    applications,
  }: { ids: readonly string[]; tokens: readonly SubscriptionTokenKey[]; applications: readonly string[] },
): Promise<LockedSubscriptions> {
  const { rows } = await sql<LockedRow>`${buildPreparedPrefix('lock-subscriptions')}
    with locked as materialized (
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
      order by s.id for update of s)
    select l.*, a.registered, a.open, a.identifiers, a.proof, a.secret
    from locked l full join (
      select id as registered, registration_open as open, registration_identifiers as identifiers,
        registration_proof as proof, registration_secret as secret from applications
      where account = ${account} and id = any(${applications}::uuid[])) a on a.registered = l.application`.execute(tx)
  const registrations = new Map<string, StoredDeviceRegistration>()
  for (const row of rows) {
    if (row.registered === null) continue
    const { open: isOpen, identifiers, proof, secret } = row
    registrations.set(row.registered, { open: isOpen, identifiers, proof, secret })
  }
  return { subscriptions: rows.filter((row) => row.id !== null), registrations }
}

/** A row as it is written. */
export type WrittenSubscription = StoredSubscription & { isNew: boolean }

/**
 * Writes whole rows, the notices of new ones, and that those without a hash await nothing any more. Others are changed, and
 * nothing of them is muted any more: they were locked before. Fails, to be begun again, when a new one is there meanwhile.
 */
export async function writeSubscriptions(
  tx: Db,
  account: AccountId,
  rows: readonly WrittenSubscription[],
): Promise<void> {
  if (rows.length === 0) return
  const rowData = rows.map(({ digest, ...row }) => ({ ...row, digest: digest.toString('hex') }))
  const created = sql`
    select contact, jsonb_build_object('subscription', id, 'application', application) as data
    from given where "isNew" order by id`
  await sql`${buildPreparedPrefix('write-subscriptions')}
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rowData)}::jsonb) as g(id uuid, application uuid, contact bigint,
        provider text, token text, digest text, keys jsonb, culture text, protocol text, "createdAt" timestamptz,
        "createdBy" integer, "updatedAt" timestamptz, "updatedBy" integer, awaited text, "isNew" boolean)),
    settled as (
      delete from awaited_subscriptions
      where account = ${account} and subscription = any(array(select id from given where awaited is null))),
    changed as (
      update subscriptions s set contact = g.contact, provider = g.provider, token = g.token,
        token_digest = decode(g.digest, 'hex'), keys = g.keys, culture = g.culture, protocol = g.protocol, muted = false,
        muted_channels = '{}', updated_at = g."updatedAt", updated_by = g."updatedBy"
      from given g
      where s.account = ${account} and s.id = g.id and s.id = any(array(select id from given where not "isNew"))),
    notices as (${noticeInsertSql(account, 'subscription.created', created)})
    insert into subscriptions (account, id, application, contact, provider, token, token_digest, keys, culture, protocol,
      created_at, created_by, updated_at, updated_by)
    select ${account}::integer, id, application, contact, provider, token, decode(digest, 'hex'), keys, culture, protocol,
      "createdAt", "createdBy", "updatedAt", "updatedBy"
    from given where "isNew" order by id`.execute(tx)
}

/**
 * Notes that subscriptions were put again as they are, so that none is taken for gone since before. They are locked; no index
 * holds what is written, so the rows are changed where they stand.
 */
export async function recordRepeatedPuts(tx: Db, account: AccountId, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update subscriptions set put_at = ${now} where account = ${account} and id = any(${ids}::uuid[])`.execute(tx)
}

/** Notes what rows await now. */
export async function recordPendingLinks(
  tx: Db,
  account: AccountId,
  rows: readonly StoredSubscription[],
  now: Date,
): Promise<void> {
  const awaitingRows = rows.filter(({ awaited }) => awaited !== null)
  if (awaitingRows.length === 0) return
  await sql`
    insert into awaited_subscriptions (account, subscription, hash, awaited_at)
    select ${account}::integer, id, decode(hash, 'hex'), ${now}::timestamptz
    from unnest(${awaitingRows.map(({ id }) => id)}::uuid[], ${awaitingRows.map(({ awaited }) => awaited)}::text[]) as w(id, hash)
    on conflict (account, subscription) do update set hash = excluded.hash, awaited_at = excluded.awaited_at`.execute(
    tx,
  )
  await sql`
    update accounts set awaits_devices = true, definitions = definitions + 1
    where id = ${account} and not awaits_devices`.execute(tx)
}

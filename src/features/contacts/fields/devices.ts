import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { noticeInsertSql } from '../../notices/notices.ts'

/*
 * What happens to subscriptions in the transactions that write contacts. Here because the unicity of all contacts is
 * changed here; contacts and subscriptions are to the right.
 */

/** Subscriptions of a contact and application at most. */
const MOST_DEVICES = 50
/** Devices that were put since are in use. */
const SILENT_DAYS = 30

/**
 * Deletes the subscriptions `s` that a condition chooses, with their notices, in one statement; gives their number. What is
 * kept of such ones, as their device was gone, does not come back.
 */
export async function deletePushSubscriptions(
  tx: Db,
  account: AccountId,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const gone = sql`
    select contact, jsonb_build_object('subscription', id, 'application', application) as data from gone`
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from subscriptions s where s.account = ${account} and ${condition} returning s.id, s.contact, s.application),
    forgotten as (delete from gone_subscriptions s where s.account = ${account} and ${condition}),
    notices as (${noticeInsertSql(account, 'subscription.deleted', gone)})
    select count(*) as deleted from gone`.execute(tx)
  return rows[0]?.deleted ?? 0
}

/** A subscription that a contact is to get. */
export interface NewContactSubscription {
  id: string
  contact: number
  application: string
  /** A key or a proof says whose it is: the longest silent makes room for it, however short that is. */
  isProven: boolean
}

const groupOf = ({ contact, application }: Pick<NewContactSubscription, 'contact' | 'application'>) =>
  `${contact} ${application}`

/** The subscriptions that contacts already have in the applications of newcomers, the longest silent first. */
async function presentDevices(
  tx: Db,
  account: AccountId,
  newcomers: readonly NewContactSubscription[],
  now: Date | RawBuilder<unknown>,
): Promise<Map<string, { id: string; isGone: boolean }[]>> {
  const { rows } = await sql<Pick<NewContactSubscription, 'id' | 'contact' | 'application'> & { isGone: boolean }>`
    with coming as (
      select * from unnest(${newcomers.map(({ id }) => id)}::uuid[], ${newcomers.map(({ contact }) => contact)}::bigint[],
        ${newcomers.map(({ application }) => application)}::uuid[]) as c(id, contact, application))
    select s.id, s.contact, s.application,
      greatest(s.created_at, s.updated_at, s.put_at) < ${now}::timestamptz - ${SILENT_DAYS} * interval '1 day' as "isGone"
    from (select distinct contact, application from coming) c
    join subscriptions s on s.account = ${account} and s.contact = c.contact and s.application = c.application
    where s.id <> all(array(select id from coming))
    order by greatest(s.created_at, s.updated_at, s.put_at), s.id`.execute(tx)
  return Map.groupBy(rows, groupOf)
}

/**
 * Makes room for subscriptions that contacts are to get: what they have beyond the bound, of each application, is deleted, the longest silent
 * first. For what no key or proof vouches for, none goes that was put in the last 30 days. Gives the ids of newcomers that have no room.
 */
export async function deleteExcessSubscriptions(
  tx: Db,
  account: AccountId,
  newcomers: readonly NewContactSubscription[],
  { now, areNew = false }: { now: Date | RawBuilder<unknown>; areNew?: boolean },
): Promise<Set<string>> {
  const present = areNew || newcomers.length === 0 ? new Map() : await presentDevices(tx, account, newcomers, now)
  const [leaving, without]: [string[], string[]] = [[], []]
  for (const [group, coming] of Map.groupBy(newcomers, groupOf)) {
    const devices: { id: string; isGone: boolean }[] = present.get(group) ?? []
    const excess = Math.max(0, devices.length + coming.length - MOST_DEVICES)
    const isProven = coming.every((one) => one.isProven)
    const deleted = devices.filter(({ isGone }) => isProven || isGone).slice(0, excess)
    leaving.push(...deleted.map(({ id }) => id))
    without.push(...coming.slice(Math.max(0, coming.length - (excess - deleted.length))).map(({ id }) => id))
  }
  if (leaving.length > 0) await deletePushSubscriptions(tx, account, sql`s.id = any(${leaving}::uuid[])`)
  return new Set(without)
}

/**
 * A select of the subscriptions that await one of some hashes. `hashes`: a select of one column (bytea). As an array, which
 * reads the index once from its beginning to its end, however many hashes there are and whatever the planner expects.
 */
export function selectPendingSubscriptions(account: AccountId, hashes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select subscription from awaited_subscriptions where account = ${account} and hash = any(array(${hashes}))`
}

/**
 * Gives contacts the subscriptions that await their hashes. `hashes`: a select of one column (bytea); without it those of
 * all contacts count. To be called after contacts were created or renamed, where the definitions say that any is awaited.
 */
export async function attachPendingSubscriptions(
  tx: Db,
  account: AccountId,
  now: Date | RawBuilder<unknown>,
  hashes?: RawBuilder<unknown>,
): Promise<void> {
  const all = sql`
    select w.subscription from awaited_subscriptions w
    where w.account = ${account} and exists (select from contacts c where c.account = w.account and c.hash = w.hash)`
  const awaiting = hashes ? selectPendingSubscriptions(account, hashes) : all
  const { rows } = await sql<{ subscription: string }>`${awaiting}`.execute(tx)
  const subscriptions = rows.map(({ subscription }) => subscription)
  await attachFound(tx, account, subscriptions, { now })
}

/** Gives contacts that were created in this transaction the subscriptions that await them. */
export async function attachToCreatedContacts(
  tx: Db,
  account: AccountId,
  now: Date,
  subscriptions: readonly string[],
): Promise<void> {
  // They have no others.
  await attachFound(tx, account, subscriptions, { now, areNew: true })
}

/**
 * Attaches subscriptions that are known to await a contact that is there, as far as it has room for them. Each contact is
 * looked for by itself: of contacts just written the planner has no statistics, and would read all of the account.
 */
async function attachFound(
  tx: Db,
  account: AccountId,
  subscriptions: readonly string[],
  { now, areNew = false }: { now: Date | RawBuilder<unknown>; areNew?: boolean },
): Promise<void> {
  if (subscriptions.length === 0) return
  const { rows } = await sql<Omit<NewContactSubscription, 'isProven'>>`
    with found as materialized (
      select s.id, c.id as contact, s.application
      from unnest(${subscriptions}::uuid[]) as l(id)
      join awaited_subscriptions w on w.account = ${account} and w.subscription = l.id
      join subscriptions s on s.account = ${account} and s.id = l.id
      cross join lateral (select id from contacts where account = ${account} and hash = w.hash limit 1) c
      order by s.id for update of s),
    awaited as (
      delete from awaited_subscriptions w using found f where w.account = ${account} and w.subscription = f.id)
    select id, contact, application from found`.execute(tx)
  const newcomers = rows.map((row) => ({ ...row, isProven: false }))
  const without = await deleteExcessSubscriptions(tx, account, newcomers, { now, areNew })
  const attached = newcomers.filter(({ id }) => !without.has(id))
  if (attached.length === 0) return
  await sql`
    update subscriptions s set contact = a.contact, updated_at = ${now}, updated_by = null
    from unnest(${attached.map(({ id }) => id)}::uuid[], ${attached.map(({ contact }) => contact)}::bigint[]) as a(id, contact)
    where s.account = ${account} and s.id = a.id`.execute(tx)
}

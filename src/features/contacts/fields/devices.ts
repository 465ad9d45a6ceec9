import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { noticeInsertSql } from '../../notices/notices.ts'

/*
 * What happens to subscriptions in the transactions that write contacts. Here because the unicity of all contacts is
 * changed here; contacts and subscriptions are to the right.
 */

/** Subscriptions of a contact and application at most. */
const MAX_DEVICES = 50
/** Devices that were put since are in use. */
const ACTIVE_DEVICE_DAYS = 30

/**
 * Deletes the subscriptions `s` that a condition chooses, with their notices, in one statement; gives their number. What is
 * kept of such ones, as their device was gone, does not come back.
 */
export async function deletePushSubscriptions(
  tx: Db,
  account: AccountId,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const deletedSubscriptions = sql`
    select contact, jsonb_build_object('subscription', id, 'application', application) as data from gone`
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from subscriptions s where s.account = ${account} and ${condition} returning s.id, s.contact, s.application),
    forgotten as (delete from gone_subscriptions s where s.account = ${account} and ${condition}),
    notices as (${noticeInsertSql(account, 'subscription.deleted', deletedSubscriptions)})
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

const buildDeviceGroupKey = ({ contact, application }: Pick<NewContactSubscription, 'contact' | 'application'>) =>
  `${contact} ${application}`

/** The subscriptions that contacts already have in the applications of newcomers, the longest silent first. */
async function readPresentDevices(
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
      greatest(s.created_at, s.updated_at, s.put_at) < ${now}::timestamptz - ${ACTIVE_DEVICE_DAYS} * interval '1 day' as "isGone"
    from (select distinct contact, application from coming) c
    join subscriptions s on s.account = ${account} and s.contact = c.contact and s.application = c.application
    where s.id <> all(array(select id from coming))
    order by greatest(s.created_at, s.updated_at, s.put_at), s.id`.execute(tx)
  return Map.groupBy(rows, buildDeviceGroupKey)
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
  const devicesByGroup =
    areNew || newcomers.length === 0 ? new Map() : await readPresentDevices(tx, account, newcomers, now)
  const [deletedIds, rejectedIds]: [string[], string[]] = [[], []]
  for (const [groupKey, groupNewcomers] of Map.groupBy(newcomers, buildDeviceGroupKey)) {
    const devices: { id: string; isGone: boolean }[] = devicesByGroup.get(groupKey) ?? []
    const excess = Math.max(0, devices.length + groupNewcomers.length - MAX_DEVICES)
    const isProven = groupNewcomers.every((newcomer) => newcomer.isProven)
    const excessDevices = devices.filter(({ isGone }) => isProven || isGone).slice(0, excess)
    deletedIds.push(...excessDevices.map(({ id }) => id))
    rejectedIds.push(
      ...groupNewcomers.slice(Math.max(0, groupNewcomers.length - (excess - excessDevices.length))).map(({ id }) => id),
    )
  }
  if (deletedIds.length > 0) await deletePushSubscriptions(tx, account, sql`s.id = any(${deletedIds}::uuid[])`)
  return new Set(rejectedIds)
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
  const allPending = sql`
    select w.subscription from awaited_subscriptions w
    where w.account = ${account} and exists (select from contacts c where c.account = w.account and c.hash = w.hash)`
  const pendingSubscriptions = hashes ? selectPendingSubscriptions(account, hashes) : allPending
  const { rows } = await sql<{ subscription: string }>`${pendingSubscriptions}`.execute(tx)
  const subscriptions = rows.map(({ subscription }) => subscription)
  await attachPendingToContacts(tx, account, subscriptions, { now })
}

/** Gives contacts that were created in this transaction the subscriptions that await them. */
export async function attachToCreatedContacts(
  tx: Db,
  account: AccountId,
  now: Date,
  subscriptions: readonly string[],
): Promise<void> {
  // They have no others.
  await attachPendingToContacts(tx, account, subscriptions, { now, areNew: true })
}

/**
 * Attaches subscriptions that are known to await a contact that is there, as far as it has room for them. Each contact is
 * looked for by itself: of contacts just written the planner has no statistics, and would read all of the account.
 */
async function attachPendingToContacts(
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
  const rejectedIds = await deleteExcessSubscriptions(tx, account, newcomers, { now, areNew })
  const attachedSubscriptions = newcomers.filter(({ id }) => !rejectedIds.has(id))
  if (attachedSubscriptions.length === 0) return
  await sql`
    update subscriptions s set contact = a.contact, updated_at = ${now}, updated_by = null
    from unnest(${attachedSubscriptions.map(({ id }) => id)}::uuid[], ${attachedSubscriptions.map(({ contact }) => contact)}::bigint[]) as a(id, contact)
    where s.account = ${account} and s.id = a.id`.execute(tx)
}

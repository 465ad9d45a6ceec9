import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { noticesFrom } from '../notices/notices.ts'

/*
 * What happens to subscriptions in the transactions that write contacts. Here because the unicity of all contacts is
 * changed here; contacts and subscriptions are to the right.
 */

/** Subscriptions of a contact and application at most; one more deletes the one changed longest ago. */
export const MOST_DEVICES = 50

/**
 * Deletes the subscriptions `s` that a condition chooses, with their notices, in one statement; gives their number. What is
 * kept of such ones, as their device was gone, does not come back.
 */
export async function deleteSubscriptions(tx: Db, account: AccountId, condition: RawBuilder<unknown>): Promise<number> {
  const gone = sql`
    select contact, jsonb_build_object('subscription', id, 'application', application) as data from gone`
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from subscriptions s where s.account = ${account} and ${condition} returning s.id, s.contact, s.application),
    forgotten as (delete from gone_subscriptions s where s.account = ${account} and ${condition}),
    notices as (${noticesFrom(account, 'subscription.deleted', gone)})
    select count(*) as deleted from gone`.execute(tx)
  return rows[0]?.deleted ?? 0
}

/** Deletes what contacts have beyond the bound, of each application. To be called when contacts have got subscriptions. */
export async function trimDevices(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  if (contacts.length === 0) return
  const ranked = sql`
    select id, row_number() over (
      partition by contact, application order by coalesce(updated_at, created_at) desc, id desc) as place
    from subscriptions where account = ${account} and contact = any(${contacts}::bigint[])`
  await deleteSubscriptions(tx, account, sql`s.id in (select id from (${ranked}) r where place > ${MOST_DEVICES})`)
}

/**
 * A select of the subscriptions that await one of some hashes. `hashes`: a select of one column (bytea). As an array, which
 * reads the index once from its beginning to its end, however many hashes there are and whatever the planner expects.
 */
export function awaitingAnyOf(account: AccountId, hashes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select subscription from awaited_subscriptions where account = ${account} and hash = any(array(${hashes}))`
}

/**
 * Gives contacts the subscriptions that await their hashes. `hashes`: a select of one column (bytea); without it those of
 * all contacts count. To be called after contacts were created or renamed, where the definitions say that any is awaited.
 */
export async function attachAwaited(
  tx: Db,
  account: AccountId,
  now: Date | RawBuilder<unknown>,
  hashes?: RawBuilder<unknown>,
): Promise<void> {
  const all = sql`
    select w.subscription from awaited_subscriptions w
    where w.account = ${account} and exists (select from contacts c where c.account = w.account and c.hash = w.hash)`
  const awaiting = hashes ? awaitingAnyOf(account, hashes) : all
  const { rows } = await sql<{ subscription: string }>`${awaiting}`.execute(tx)
  const subscriptions = rows.map(({ subscription }) => subscription)
  await trimDevices(tx, account, [...(await attachFound(tx, account, now, subscriptions)).keys()])
}

/** Gives contacts that were created in this transaction the subscriptions that await them. */
export async function attachToCreated(
  tx: Db,
  account: AccountId,
  now: Date,
  subscriptions: readonly string[],
): Promise<void> {
  const attached = await attachFound(tx, account, now, subscriptions)
  // They have no others.
  const full = [...attached].flatMap(([contact, count]) => (count > MOST_DEVICES ? [contact] : []))
  await trimDevices(tx, account, full)
}

/**
 * Attaches subscriptions that are known to await a contact that is there; gives how many each contact got. Each contact is
 * looked for by itself: of contacts just written the planner has no statistics, and would read all of the account.
 */
async function attachFound(
  tx: Db,
  account: AccountId,
  now: Date | RawBuilder<unknown>,
  subscriptions: readonly string[],
): Promise<Map<number, number>> {
  const attached = new Map<number, number>()
  if (subscriptions.length === 0) return attached
  const { rows } = await sql<{ contact: number }>`
    with found as materialized (
      select s.id as subscription, c.id as contact
      from unnest(${subscriptions}::uuid[]) as l(id)
      join awaited_subscriptions w on w.account = ${account} and w.subscription = l.id
      join subscriptions s on s.account = ${account} and s.id = l.id
      cross join lateral (select id from contacts where account = ${account} and hash = w.hash limit 1) c
      order by s.id for update of s),
    awaited as (
      delete from awaited_subscriptions w using found f where w.account = ${account} and w.subscription = f.subscription)
    update subscriptions s set contact = f.contact, updated_at = ${now}, updated_by = null
    from found f where s.account = ${account} and s.id = f.subscription
    returning s.contact`.execute(tx)
  for (const { contact } of rows) attached.set(contact, (attached.get(contact) ?? 0) + 1)
  return attached
}

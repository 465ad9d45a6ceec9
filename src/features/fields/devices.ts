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
  const ranked = sql`
    select id, row_number() over (
      partition by contact, application order by coalesce(updated_at, created_at) desc, id desc) as place
    from subscriptions where account = ${account} and contact = any(${contacts}::bigint[])`
  await deleteSubscriptions(tx, account, sql`s.id in (select id from (${ranked}) r where place > ${MOST_DEVICES})`)
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
  const chosen = hashes ? sql`and w.hash in (${hashes})` : sql``
  const { rows } = await sql<{ contact: number }>`
    with found as materialized (
      select w.subscription, c.id as contact
      from awaited_subscriptions w
      join subscriptions s on s.account = w.account and s.id = w.subscription
      join contacts c on c.account = w.account and c.hash = w.hash
      where w.account = ${account} ${chosen}
      order by w.subscription for update of s),
    awaited as (
      delete from awaited_subscriptions w using found f where w.account = ${account} and w.subscription = f.subscription)
    update subscriptions s set contact = f.contact, updated_at = ${now}, updated_by = null
    from found f where s.account = ${account} and s.id = f.subscription
    returning s.contact`.execute(tx)
  const contacts = new Set(rows.map(({ contact }) => contact))
  if (contacts.size > 0) await trimDevices(tx, account, [...contacts])
}

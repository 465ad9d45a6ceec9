import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { eraseContactHours } from './record/contact-hours.ts'

/**
 * The personal data in a record, by the part of `source.detail` that holds it. An erasure empties it: a text
 * becomes '', an object {}; what is null, and everything else, stays.
 */
const personalPaths = {
  execution: [
    'recipient.unicity',
    'recipient.hash',
    'recipient.value.unicity',
    'recipient.value.hash',
    'phone',
    'data',
  ],
  activation: [
    'receiver.unicity',
    'receiver.hash',
    'receiver.value.unicity',
    'receiver.value.hash',
    'recipient',
    'phone',
    'redirection',
  ],
  cancellation: ['value.message', 'value.name', 'value.reason'],
  bounce: ['status.diagnostic'],
  link: ['url'],
  hit: ['ip', 'userAgent'],
  complaint: ['recipient', 'feedback.userAgent', 'feedback.sourceIp'],
  reply: ['from', 'text'],
  interaction: [
    'text',
    'file.name',
    'file.uri',
    'location',
    'suggestion.text',
    'suggestion.postback',
    'link.url',
    'ip',
    'userAgent',
  ],
  impression: ['userAgent'],
} as const satisfies Record<string, readonly string[]>

const personalMembers = Object.entries(personalPaths).flatMap(([part, names]) =>
  names.map((name) => ({ part, path: `${part}.${name}` })),
)

/** Returns a detail after an erasure; `detail` is a column of type json. */
export function buildErasedDetail(detail: RawBuilder<unknown>): RawBuilder<unknown> {
  const [parts, paths] = [personalMembers.map(({ part }) => part), personalMembers.map(({ path }) => path)]
  return sql`emptied(${detail}::jsonb, ${parts}::text[], ${paths}::text[])`
}

/** A detail without some names, wherever they stand in it. */
export function removeDetailNames(detail: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> {
  return sql`without(${detail}::text, ${names}::text[])::json`
}

/** The events to be erased. */
export interface ContactEventErasure {
  contacts: readonly number[]
  /** Only those that were published since: the others are known to be empty. */
  since?: Date | undefined
}

/** The condition on rows of `events e`, or of `kept_activations e`. */
function buildErasureCondition(account: AccountId, { contacts, since }: ContactEventErasure): RawBuilder<unknown> {
  const sinceCondition = since === undefined ? sql`` : sql`and e.at >= ${since}`
  return sql`e.account = ${account} and e.contact = any(${contacts}::bigint[]) ${sinceCondition}`
}

/** Returns those of the given contacts that have events. */
export async function findContactsWithEvents(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ contact: number }>`
    select contact from unnest(${contacts}::bigint[]) as c(contact)
    where exists (select from events e where e.account = ${account} and e.contact = c.contact)
      or exists (select from kept_activations e where e.account = ${account} and e.contact = c.contact)`.execute(db)
  return rows.map(({ contact }) => contact)
}

/** The unicities under which the events of contacts know them: there can be several, when one was changed. */
export async function findEventUnicities(
  db: Db,
  account: AccountId,
  erased: ContactEventErasure,
): Promise<{ contact: number; name: string }[]> {
  const { rows } = await sql<{ contact: number; name: string }>`
    select distinct contact, name from (
      select contact, coalesce(detail #>> '{activation,receiver,unicity}', detail #>> '{activation,receiver,value,unicity}',
        detail #>> '{execution,recipient,unicity}', detail #>> '{execution,recipient,value,unicity}') as name
      from events e
      where ${buildErasureCondition(account, erased)} and kind in ('activations', 'executions', 'cancellations')
      union all
      select contact, coalesce(activation #>> '{receiver,unicity}', activation #>> '{receiver,value,unicity}')
      from kept_activations e where ${buildErasureCondition(account, erased)}) f
    where name <> ''`.execute(db)
  return rows
}

/**
 * Empties what events hold of contacts; rows, ids, kinds, times and stamps stay, and with them every count. Events
 * that are empty already are not written again. Writers of new events check `erased_contacts`.
 */
export async function eraseContactEvents(tx: Db, account: AccountId, erased: ContactEventErasure): Promise<void> {
  await eraseContactHours(tx, account, erased.contacts)
  // Settling rewrites details that it read before: it ends first, or waits until the erasure is done.
  for (const table of ['unsettled_hits', 'early_reactions']) {
    await sql`
      select from ${sql.table(table)} h
      where h.account = ${account}
        and exists (select from events e where e.id = h.event and e.at = h.at and ${buildErasureCondition(account, erased)})
      order by h.event for update`.execute(tx)
  }
  await sql`
    update events e set phone = null, title = null, detail = r.rest::json
    from (
      select e.id, e.at, e.phone, e.title, e.detail, ${buildErasedDetail(sql`e.detail`)} as rest from events e
      where ${buildErasureCondition(account, erased)} offset 0) r
    where e.id = r.id and e.at = r.at and (r.phone is not null or r.title is not null or r.rest <> r.detail::jsonb)`.execute(
    tx,
  )
  // After the events: a month that is dropped meanwhile is locked, and its activations are here when the lock is released.
  await sql`
    update kept_activations e set phone = null, title = null, activation = r.rest::json
    from (
      select e.id, e.at, e.phone, e.title, e.activation, ${erasedActivation} as rest from kept_activations e
      where ${buildErasureCondition(account, erased)} offset 0) r
    where e.id = r.id and e.at = r.at and (r.phone is not null or r.title is not null or r.rest <> r.activation::jsonb)`.execute(
    tx,
  )
}

const erasedActivation = sql`${buildErasedDetail(sql`jsonb_build_object('activation', e.activation)`)} -> 'activation'`

/**
 * Takes addresses out of the events of other contacts' sends, which name them: where a proof went to, what a second
 * contact gave to a link. Titles of such sends may hold anything of the second contact: they go. `names` without quotes or backslashes, and with a sign that no number has.
 */
export async function eraseEventNames(
  tx: Db,
  account: AccountId,
  { stamps, names }: { stamps: readonly string[]; names: readonly string[] },
): Promise<void> {
  if (stamps.length === 0) return
  await sql`
    update events e set detail = ${removeDetailNames(sql`e.detail`, names)}, title = null
    where e.account = ${account} and e.stamp = any(${stamps}::uuid[])
      and (e.title is not null or e.detail::text <> without(e.detail::text, ${names}::text[]))`.execute(tx)
  await sql`
    update kept_activations e set activation = ${removeDetailNames(sql`e.activation`, names)}, title = null
    where e.account = ${account} and e.stamp = any(${stamps}::uuid[])
      and (e.title is not null or e.activation::text <> without(e.activation::text, ${names}::text[]))`.execute(tx)
}

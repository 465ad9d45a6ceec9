import { sql } from 'kysely'
import type { RedListName } from '../../../channels/facts.ts'
import { type Db, json } from '../../../database/connection/connect.ts'
import { refusing } from '../../../database/errors.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { AccountId, Actor } from '../../../lib/account.ts'
import { badRequest, notFound, Problem } from '../../../lib/errors/problem.ts'
import { contactId } from '../../../lib/ids.ts'
import type { Period } from '../../../lib/time/period.ts'
import { lockByIds, type Writing, writeContacts } from '../records/write.ts'
import { isLongerThan, readText } from '../values/text-value.ts'
import { bound, readTimestamp } from '../values/timestamps.ts'
import { forgetRedList, redListNotices } from './red-list-memory.ts'
import type { NewEntry, RedListEntry, RedListing } from './red-list-schemas.ts'

const API_ORIGIN = 1
const MAX_REASON_LENGTH = 500

/** The key of an entry. */
export interface Listed {
  channel: RedListName
  contact: number
}

/** The end of a page of a red list: the timestamp of its last entry, and the contact. */
export type EntryKey = [atMs: number, contact: number]

/** Puts contacts on a red list; existing entries stay as they are, unknown contacts are skipped. */
export async function addToRedList(
  db: Db,
  account: AccountId,
  channel: RedListName,
  { contacts, entry }: { contacts: readonly number[]; entry: NewEntry },
): Promise<void> {
  await sql`
    with listed as (
      insert into red_list (account, channel, contact, listed_at, origin, detail)
      select account, ${channel}, id, ${entry.at}, ${entry.origin}, ${json(entry.detail)}::jsonb
      from contacts where account = ${account} and id = any(${contacts}::bigint[]) order by id for key share
      on conflict do nothing returning *),
    ${redListNotices(account, sql`select * from listed`)}
    select`.execute(db)
}

/** Half a surrogate pair or a NUL, as JSON writes them; neither can be stored. An escaped backslash before the u is none. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function storable(detail: Record<string, unknown>): string {
  const text = json(detail)
  if (UNSTORABLE.test(text)) throw badRequest('/detail', 'holds a NUL or half a surrogate pair')
  return text
}

/**
 * Puts a contact on a red list on request; of an existing entry only the members given change.
 * Throws 400 for a bad timestamp, notFound.
 */
export async function listContact(
  db: Db,
  account: AccountId,
  { channel, contact, given, now }: Listed & { given: RedListing | undefined; now: Date },
): Promise<void> {
  const at = readTimestamp(given?.timestamp)
  const origin = given?.origin ?? null
  const detail = given?.detail ? storable(given.detail) : null
  const insert = sql`
    with listed as (
      insert into red_list as r (account, channel, contact, listed_at, origin, detail)
      values (${account}, ${channel}, ${contact}, ${at ?? now}, ${origin ?? API_ORIGIN}, ${detail ?? '{}'})
      on conflict (account, channel, contact) do update set
        listed_at = coalesce(${at ?? null}, r.listed_at), origin = coalesce(${origin}::smallint, r.origin),
        detail = coalesce(${detail}::jsonb, r.detail)
      returning r.*, old.contact is null as is_new),
    ${redListNotices(account, sql`select * from listed where is_new`)}
    select`
  await refusing(insert.execute(db), { foreignKey: () => notFound('contact', contactId(contact)) })
}

/** Entries by timestamp, then contact: those of the period (start inclusive, end exclusive) after the page's key. */
export async function* readRedList(
  db: Db,
  account: AccountId,
  { channel, period }: { channel: RedListName; period: Period },
  page: { after: EntryKey | undefined; limit: number | undefined },
): AsyncGenerator<RedListEntry> {
  const [lastMs, last = 0] = page.after ?? []
  const query = sql<{ contact: number; listed_at: Date; origin: number; detail: Record<string, unknown> }>`
    select contact, listed_at, origin, detail from red_list
    where account = ${account} and channel = ${channel}
      and (listed_at, contact) > (coalesce(${bound(lastMs)}::timestamptz, '-infinity'), ${last})
      and listed_at >= coalesce(${bound(period.start)}::timestamptz, '-infinity')
      and listed_at < coalesce(${bound(period.end)}::timestamptz, 'infinity')
    order by listed_at, contact limit ${page.limit ?? null}`
  for await (const { contact, listed_at, origin, detail } of rows(db, query)) {
    yield { id: contactId(contact), timestamp: listed_at.toISOString(), origin, detail }
  }
}

function readReason(given: string | undefined): string {
  const reason = readText(given ?? '', true)
  if (reason === undefined || reason === '' || isLongerThan(reason, MAX_REASON_LENGTH)) {
    throw badRequest('/reason', `is required: 1 to ${MAX_REASON_LENGTH} characters that say why the entry goes`)
  }
  return reason
}

/**
 * Removes a contact from a red list, for a reason (1 to 500 characters) that is kept for good with the former entry and
 * the key; of a person, who is none, with the name. Throws 400 without a reason, notFound for an unknown contact and for one that is not listed.
 */
export async function removeFromRedList(
  db: Db,
  account: AccountId,
  { channel, contact }: Listed,
  request: Writing & { reason: string | undefined; actor: Actor | null },
): Promise<void> {
  const { actor } = request
  const reason = readReason(request.reason)
  const apiKey = actor?.type === 'key' ? Number(actor.id) : null
  const person = actor?.type === 'person' ? actor.name : null
  return writeContacts(db, account, async (tx, shape) => {
    const [holder] = await lockByIds(tx, account, [contact])
    if (!holder) throw notFound('contact', contactId(contact))
    const { rows: removed } = await sql`
      with entry as (
        delete from red_list where account = ${account} and channel = ${channel} and contact = ${contact} returning *)
      insert into red_list_removals (account, channel, contact, api_key, reason, removed_at, entry)
      select account, channel, contact, ${apiKey}::integer, ${reason}, ${new Date(request.clock.now())},
        jsonb_build_object('timestamp', listed_at, 'origin', origin, 'detail', detail)
          || case when ${person}::text is null then '{}'::jsonb else jsonb_build_object('removedBy', ${person}::text) end
      from entry returning id`.execute(tx)
    if (removed.length === 0)
      throw new Problem(404, 'not-listed', `The contact ${contactId(contact)} is not on this red list.`)
    await forgetRedList(tx, shape, { channel, holder }, request.masterKeys)
  })
}

/**
 * Takes contacts off a red list when their entry has exactly this detail: what made it is withdrawn. The audit trail keeps
 * the entries and the reason, without a key.
 */
export async function dropEntries(
  db: Db,
  account: AccountId,
  channel: RedListName,
  {
    contacts,
    detail,
    reason,
    at,
  }: { contacts: readonly number[]; detail: NewEntry['detail']; reason: string; at: Date },
): Promise<void> {
  await sql`
    with held as materialized (
      select contact from red_list
      where account = ${account} and channel = ${channel} and contact = any(${contacts}::bigint[])
        and detail = ${json(detail)}::jsonb
      order by contact for update),
    entry as (
      delete from red_list r using held h
      where r.account = ${account} and r.channel = ${channel} and r.contact = h.contact returning r.*)
    insert into red_list_removals (account, channel, contact, reason, removed_at, entry)
    select account, channel, contact, ${reason}, ${at},
      jsonb_build_object('timestamp', listed_at, 'origin', origin, 'detail', detail)
    from entry`.execute(db)
}

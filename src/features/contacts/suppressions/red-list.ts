import { sql } from 'kysely'
import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId, Actor } from '../../../lib/account.ts'
import { badRequestProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import { type ContactWriteContext, lockContactsByIds, runContactWrite } from '../records/write.ts'
import { isLongerThan, normalizeFieldText } from '../values/text-value.ts'
import { parseBodyTimestamp, toPeriodBound } from '../values/timestamps.ts'
import { buildRedListNotices, eraseRedListMemory } from './red-list-memory.ts'
import type { NewRedListEntry, RedListEntry, RedListEntryBody } from './red-list-schemas.ts'

const ORIGIN_API = 1
const MAX_REASON_LENGTH = 500

/** The key of an entry. */
export interface RedListEntryKey {
  channel: ChannelRedListName
  contact: number
}

/** The end of a page of a red list: the timestamp of its last entry, and the contact. */
export type RedListPageKey = [atMs: number, contact: number]

/** Puts contacts on a red list; existing entries stay as they are, unknown contacts are skipped. */
export async function addToRedList(
  db: Db,
  account: AccountId,
  channel: ChannelRedListName,
  { contacts, entry }: { contacts: readonly number[]; entry: NewRedListEntry },
): Promise<void> {
  await sql`
    with listed as (
      insert into red_list (account, channel, contact, listed_at, origin, detail)
      select account, ${channel}, id, ${entry.at}, ${entry.origin}, ${toJsonbText(entry.detail)}::jsonb
      from contacts where account = ${account} and id = any(${contacts}::bigint[]) order by id for key share
      on conflict do nothing returning *),
    ${buildRedListNotices(account, sql`select * from listed`)}
    select`.execute(db)
}

/**
 * Half a surrogate pair or a NUL, as JSON writes them; neither can be stored. A `u` after an escaped backslash does not begin an escape.
 */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function toStorableDetail(detail: Record<string, unknown>): string {
  const text = toJsonbText(detail)
  if (UNSTORABLE_ESCAPE.test(text))
    throw badRequestProblem('/detail', 'must not contain NUL characters or unpaired surrogates')
  return text
}

/**
 * Puts a contact on a red list on request; of an existing entry only the members given change.
 * Throws 400 for a bad timestamp, notFound.
 */
export async function putOnRedList(
  db: Db,
  account: AccountId,
  { channel, contact, given: entryBody, now }: RedListEntryKey & { given: RedListEntryBody | undefined; now: Date },
): Promise<void> {
  const listedAt = parseBodyTimestamp(entryBody?.timestamp)
  const origin = entryBody?.origin ?? null
  const storedDetail = entryBody?.detail ? toStorableDetail(entryBody.detail) : null
  const entryInsert = sql`
    with listed as (
      insert into red_list as r (account, channel, contact, listed_at, origin, detail)
      values (${account}, ${channel}, ${contact}, ${listedAt ?? now}, ${origin ?? ORIGIN_API}, ${storedDetail ?? '{}'})
      on conflict (account, channel, contact) do update set
        listed_at = coalesce(${listedAt ?? null}, r.listed_at), origin = coalesce(${origin}::smallint, r.origin),
        detail = coalesce(${storedDetail}::jsonb, r.detail)
      returning r.*, old.contact is null as is_new),
    ${buildRedListNotices(account, sql`select * from listed where is_new`)}
    select`
  await mapConstraintErrors(entryInsert.execute(db), {
    foreignKey: () => notFoundProblem('contact', formatContactId(contact)),
  })
}

/** Entries by timestamp, then contact: those of the period (start inclusive, end exclusive) after the page's key. */
export async function* readRedList(
  db: Db,
  account: AccountId,
  { channel, period }: { channel: ChannelRedListName; period: TimePeriod },
  page: { after: RedListPageKey | undefined; limit: number | undefined },
): AsyncGenerator<RedListEntry> {
  const [lastMs, lastContact = 0] = page.after ?? []
  const query = sql<{ contact: number; listed_at: Date; origin: number; detail: Record<string, unknown> }>`
    select contact, listed_at, origin, detail from red_list
    where account = ${account} and channel = ${channel}
      and (listed_at, contact) > (coalesce(${toPeriodBound(lastMs)}::timestamptz, '-infinity'), ${lastContact})
      and listed_at >= coalesce(${toPeriodBound(period.start)}::timestamptz, '-infinity')
      and listed_at < coalesce(${toPeriodBound(period.end)}::timestamptz, 'infinity')
    order by listed_at, contact limit ${page.limit ?? null}`
  for await (const { contact, listed_at, origin, detail } of streamRows(db, query)) {
    yield { id: formatContactId(contact), timestamp: listed_at.toISOString(), origin, detail }
  }
}

function parseRemovalReason(rawReason: string | undefined): string {
  const reason = normalizeFieldText(rawReason ?? '', true)
  if (reason === undefined || reason === '' || isLongerThan(reason, MAX_REASON_LENGTH)) {
    throw badRequestProblem('/reason', `is required: the reason for the removal, 1 to ${MAX_REASON_LENGTH} characters`)
  }
  return reason
}

/**
 * Removes a contact from a red list, for a reason (1 to 500 characters) that is retained for good with the former entry and the API key. A
 * person acts without a key, so the name is retained instead. Throws 400 without a reason, notFound for an unknown contact and for one
 * that is not listed.
 */
export async function removeFromRedList(
  db: Db,
  account: AccountId,
  { channel, contact }: RedListEntryKey,
  request: ContactWriteContext & { reason: string | undefined; actor: Actor | null },
): Promise<void> {
  const { actor } = request
  const reason = parseRemovalReason(request.reason)
  const apiKey = actor?.type === 'key' ? Number(actor.id) : null
  const person = actor?.type === 'person' ? actor.name : null
  return runContactWrite(db, account, async (tx, shape) => {
    const [lockedContact] = await lockContactsByIds(tx, account, [contact])
    if (!lockedContact) throw notFoundProblem('contact', formatContactId(contact))
    const { rows: removedEntries } = await sql`
      with entry as (
        delete from red_list where account = ${account} and channel = ${channel} and contact = ${contact} returning *)
      insert into red_list_removals (account, channel, contact, api_key, reason, removed_at, entry)
      select account, channel, contact, ${apiKey}::integer, ${reason}, ${new Date(request.clock.now())},
        jsonb_build_object('timestamp', listed_at, 'origin', origin, 'detail', detail)
          || case when ${person}::text is null then '{}'::jsonb else jsonb_build_object('removedBy', ${person}::text) end
      from entry returning id`.execute(tx)
    if (removedEntries.length === 0)
      throw new Problem(
        404,
        'not-listed',
        `The contact ${formatContactId(contact)} is not on this suppression list (red list).`,
      )
    await eraseRedListMemory(tx, shape, { channel, holder: lockedContact }, request.masterKeys)
  })
}

/**
 * Takes contacts off a red list when their entry has exactly this detail: what made it is withdrawn. The audit trail keeps
 * the entries and the reason, without a key.
 */
export async function withdrawRedListEntries(
  db: Db,
  account: AccountId,
  channel: ChannelRedListName,
  {
    contacts,
    detail,
    reason,
    at,
  }: { contacts: readonly number[]; detail: NewRedListEntry['detail']; reason: string; at: Date },
): Promise<void> {
  await sql`
    with held as materialized (
      select contact from red_list
      where account = ${account} and channel = ${channel} and contact = any(${contacts}::bigint[])
        and detail = ${toJsonbText(detail)}::jsonb
      order by contact for update),
    entry as (
      delete from red_list r using held h
      where r.account = ${account} and r.channel = ${channel} and r.contact = h.contact returning r.*)
    insert into red_list_removals (account, channel, contact, reason, removed_at, entry)
    select account, channel, contact, ${reason}, ${at},
      jsonb_build_object('timestamp', listed_at, 'origin', origin, 'detail', detail)
    from entry`.execute(db)
}

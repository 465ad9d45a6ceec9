import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatContactId } from '../../lib/ids.ts'
import { hashToShareUnit, toShareUnits } from '../../lib/shares.ts'

/** How the audience of a campaign is shared out among content versions. Shares are percentages with two decimals. */
export interface AudienceShares {
  /** What the hash of a contact begins with, up to its id. */
  key: string
  /** Who gets nothing. */
  holdout: number
  versions: readonly { version: number; share: number }[]
}

/** What a contact is in: held out, the share of a version, or the rest (null). Always the same for one contact and key. */
export function assignContactShare(
  { key, holdout, versions }: AudienceShares,
  contact: number,
): number | 'heldOut' | null {
  const place = hashToShareUnit(`${key}:${formatContactId(contact)}`)
  let upTo = toShareUnits(holdout)
  if (place < upTo) return 'heldOut'
  return versions.find(({ share }) => place < (upTo += toShareUnits(share)))?.version ?? null
}

/** Contacts without those held out, each with its version; null: the rest. And those held out. */
export function splitAudienceShares(shares: AudienceShares, contacts: readonly number[]) {
  const placed = contacts.map((contact) => ({ contact, share: assignContactShare(shares, contact) }))
  const sent = placed.filter((one): one is { contact: number; share: number | null } => one.share !== 'heldOut')
  return {
    contacts: sent.map(({ contact }) => contact),
    versions: sent.map(({ share }) => share),
    heldOut: placed.filter(({ share }) => share === 'heldOut').map(({ contact }) => contact),
    failed: 0,
  }
}

/** Writes down contacts of an audience that get nothing, in ascending order. */
export async function storeHeldOutContacts(
  tx: Db,
  sending: number,
  contacts: readonly number[],
  now: Date,
): Promise<void> {
  const through = contacts.at(-1)
  if (through === undefined) return
  await sql`
    insert into held_out_contacts (sending, through, contacts, created_at)
    values (${sending}, ${through}, ${formatPostgresArray(contacts)}::bigint[], ${now})`.execute(tx)
}

/** How many are held out of a sending. */
export async function countHeldOutContacts(db: Db, sending: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select held_out as n from sendings where id = ${sending}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Those held out of a sending, as rows: contact, created_at. */
export const selectHeldOutContacts = (sending: number | null): RawBuilder<unknown> => sql`
  select n.contact, h.created_at from held_out_contacts h cross join lateral unnest(h.contacts) n (contact)
  where h.sending = ${sending}`

const isOfShare = sql`m.sending = s.id and m.version <> s.version and m.version is distinct from s.rest_version`
/** The rest waits for the end, or for longer than anything lasts: whatever is due before that is of the shares, and found by an index. */
const isDueBeforeRest = sql`m.account = s.account and m.lane = s.lane and m.not_before < coalesce(s.ends_at, '9999-12-31T00:00:00Z')`

/**
 * Of a sending `s`: a message of its shares has no outcome yet. Held ones are in doubt for good. All that waits is read only when
 * nothing of it is due before the rest.
 */
export const hasOpenAudienceShares: RawBuilder<boolean> = sql<boolean>`case
  when s.state = 'planning' then true
  when exists (select from message_slices m where ${isOfShare} and m.claimed_by is null and ${isDueBeforeRest}) then true
  when exists (select from messages m where ${isOfShare} and m.state = 'queued' and ${isDueBeforeRest}) then true
  when exists (select from message_slices m where ${isOfShare}) then true
  else exists (select from messages m where ${isOfShare} and m.state <> 'held') end`

/** How many of a sending wait until its rest is decided of, and how many are held out. Messages that wait for the end are counted by an index. */
export async function readAudienceRemainder(db: Db, sending: number): Promise<{ waiting: number; heldOut: number }> {
  const { rows } = await sql<{ waiting: number; heldOut: number }>`
    select s.held_out as "heldOut", case when s.rest_version is null then
      coalesce((select sum(cardinality(contacts)) from message_slices m where m.sending = s.id and m.version = s.version), 0)
      + (select count(*) from messages m where m.account = s.account and m.lane = s.lane and m.sending = s.id and m.state = 'queued'
        and m.not_before >= coalesce(s.ends_at, '9999-12-31T00:00:00Z')) else 0 end::bigint as waiting
    from sendings s where s.id = ${sending}`.execute(db)
  return rows[0] ?? { waiting: 0, heldOut: 0 }
}

/**
 * Lets the rest of a sending go with a copy of a content version, so that it can be told from the share of that one. False when
 * the rest goes already, or does not wait any more.
 */
export async function releaseAudienceRemainder(
  tx: Db,
  { account, sending, version }: { account: AccountId; sending: number; version: number },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ rest: number; base: number; expires_at: Date | null; wait_ms: number | null }>`
    with open as (
      select id from sendings
      where id = ${sending} and account = ${account} and rest_version is null and state in ('planning', 'running')
        and coalesce(ends_at > ${now}, true) for no key update
    ), copied as (
      insert into content_versions (account, owner_kind, owner, source, links, design, created_at)
      select v.account, v.owner_kind, v.owner, v.source, v.links, v.design, ${now}
      from content_versions v, open where v.id = ${version} and v.account = ${account}
      returning id, (source #>> '{rcs,expirationMs}')::double precision as wait_ms
    )
    update sendings s set rest_version = copied.id from copied, open where s.id = open.id
    returning copied.id as rest, s.version as base, s.ends_at as expires_at, copied.wait_ms`.execute(tx)
  const [released] = rows
  if (!released) return false
  const { rest, base, expires_at, wait_ms } = released
  const ownEnd = wait_ms === null ? null : new Date(now.getTime() + wait_ms)
  const end = sql`least(${expires_at}::timestamptz, ${ownEnd}::timestamptz, '9999-12-31T00:00:00Z')`
  await sql`
    with waiting as (
      select id from message_slices where sending = ${sending} and version = ${base} and claimed_by is null order by id for update)
    update message_slices s set version = ${rest}, not_before = ${now}, expires_at = ${end}
    from waiting where s.id = waiting.id`.execute(tx)
  await sql`
    with waiting as (
      select id from messages where sending = ${sending} and version = ${base} and state = 'queued' order by id for update)
    update messages m set version = ${rest}, not_before = ${now}, expires_at = ${end}
    from waiting where m.id = waiting.id`.execute(tx)
  return true
}

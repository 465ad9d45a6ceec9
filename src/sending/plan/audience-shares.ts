import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatContactId } from '../../lib/ids.ts'
import { hashToShareUnit, toShareUnits } from '../../lib/shares.ts'

/** Distribution of a campaign's audience among content versions. Shares are percentages with two decimals. */
export interface AudienceShares {
  /** Prefix of the text that is hashed for a contact, up to its id. */
  key: string
  /** Share that receives nothing. */
  holdout: number
  versions: readonly { version: number; share: number }[]
}

/** Returns the group of a contact: held out, the share of a version, or the remainder (null). Always the same for one contact and key. */
export function assignContactShare(
  { key, holdout, versions }: AudienceShares,
  contact: number,
): number | 'heldOut' | null {
  const shareUnit = hashToShareUnit(`${key}:${formatContactId(contact)}`)
  let upperBound = toShareUnits(holdout)
  if (shareUnit < upperBound) return 'heldOut'
  return versions.find(({ share }) => shareUnit < (upperBound += toShareUnits(share)))?.version ?? null
}

/** Contacts without those held out, each with its version; null: the rest. And those held out. */
export function splitAudienceShares(shares: AudienceShares, contacts: readonly number[]) {
  const assignedContacts = contacts.map((contact) => ({ contact, share: assignContactShare(shares, contact) }))
  const includedContacts = assignedContacts.filter(
    (assignedContact): assignedContact is { contact: number; share: number | null } =>
      assignedContact.share !== 'heldOut',
  )
  return {
    contacts: includedContacts.map(({ contact }) => contact),
    versions: includedContacts.map(({ share }) => share),
    heldOut: assignedContacts.filter(({ share }) => share === 'heldOut').map(({ contact }) => contact),
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
  const lastContact = contacts.at(-1)
  if (lastContact === undefined) return
  await sql`
    insert into held_out_contacts (sending, through, contacts, created_at)
    values (${sending}, ${lastContact}, ${formatPostgresArray(contacts)}::bigint[], ${now})`.execute(tx)
}

/** Counts the contacts held out of a sending. */
export async function countHeldOutContacts(db: Db, sending: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select held_out as n from sendings where id = ${sending}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Those held out of a sending, as rows: contact, created_at. */
export const selectHeldOutContacts = (sending: number | null): RawBuilder<unknown> => sql`
  select n.contact, h.created_at from held_out_contacts h cross join lateral unnest(h.contacts) n (contact)
  where h.sending = ${sending}`

const shareCondition = sql`m.sending = s.id and m.version <> s.version and m.version is distinct from s.rest_version`
/** The rest waits for the end, or for longer than anything lasts: whatever is due before that is of the shares, and found by an index. */
const dueBeforeRestCondition = sql`m.account = s.account and m.lane = s.lane and m.not_before < coalesce(s.ends_at, '9999-12-31T00:00:00Z')`

/**
 * Condition on a sending `s`: a message of its shares has no outcome yet. Held ones remain in doubt. All waiting messages are read only if
 * none of them is due before the remainder.
 */
export const hasOpenAudienceShares: RawBuilder<boolean> = sql<boolean>`case
  when s.state = 'planning' then true
  when exists (select from message_slices m where ${shareCondition} and m.claimed_by is null and ${dueBeforeRestCondition}) then true
  when exists (select from messages m where ${shareCondition} and m.state = 'queued' and ${dueBeforeRestCondition}) then true
  when exists (select from message_slices m where ${shareCondition}) then true
  else exists (select from messages m where ${shareCondition} and m.state <> 'held') end`

/**
 * Counts the messages of a sending that wait for the decision on its remainder, and the contacts held out. Messages that wait for the end
 * are counted by an index.
 */
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
 * Releases the remainder of a sending with a copy of a content version, so that it can be distinguished from the share of that version.
 * Returns false if the remainder is already released, or no longer waits.
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
  const [releasedRow] = rows
  if (!releasedRow) return false
  const { rest: restVersion, base, expires_at, wait_ms } = releasedRow
  const waitEnd = wait_ms === null ? null : new Date(now.getTime() + wait_ms)
  const earliestEnd = sql`least(${expires_at}::timestamptz, ${waitEnd}::timestamptz, '9999-12-31T00:00:00Z')`
  await sql`
    with waiting as (
      select id from message_slices where sending = ${sending} and version = ${base} and claimed_by is null order by id for update)
    update message_slices s set version = ${restVersion}, not_before = ${now}, expires_at = ${earliestEnd}
    from waiting where s.id = waiting.id`.execute(tx)
  await sql`
    with waiting as (
      select id from messages where sending = ${sending} and version = ${base} and state = 'queued' order by id for update)
    update messages m set version = ${restVersion}, not_before = ${now}, expires_at = ${earliestEnd}
    from waiting where m.id = waiting.id`.execute(tx)
  return true
}

import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { refusing } from '../../../database/errors.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflict, notFound } from '../../../lib/errors/problem.ts'
import { contactId, readContactId } from '../../../lib/ids.ts'
import { findContacts } from '../../contacts/records/find.ts'
import { idsOf } from '../counts/estimate.ts'
import { lockSegment } from '../segments.ts'
import { loadSelected, requireSegments } from './audience.ts'
import { membersPage } from './members-page.ts'
import { membershipNotices } from './membership-notices.ts'

/** Throws notFound, and conflict `segment-dynamic`: the members of such a segment follow from its criteria. */
async function requireStatic(db: Db, account: AccountId, segment: number): Promise<void> {
  const { type } = await lockSegment(db, account, segment)
  if (type === 'dynamic')
    throw conflict('segment-dynamic', `Segment ${segment} is dynamic: its members follow from its criteria.`)
}

/** The contacts that strings name: contact ids (unless `onlyUnicity`), else concatenated unicities; unknown ones are skipped. */
async function contactsNamed(
  db: Db,
  account: AccountId,
  names: readonly string[],
  onlyUnicity: boolean,
): Promise<number[]> {
  const asIds = onlyUnicity ? [] : names.filter((name) => readContactId(name) !== undefined)
  const byId = await findContacts(
    db,
    account,
    asIds.map((value) => ({ type: 'id', value })),
  )
  const known = new Set(asIds.filter((_, place) => byId[place] !== undefined))
  const others = names.filter((name) => !known.has(name))
  const byUnicity = await findContacts(
    db,
    account,
    others.map((value) => ({ type: 'unicity', value })),
  )
  return [...new Set([...byId, ...byUnicity].flatMap((contact) => contact?.id ?? []))]
}

/** Puts contacts into a segment; gives how many were not in it before. One that is deleted meanwhile is skipped. */
export async function joinSegment(
  db: Db,
  account: AccountId,
  segment: number,
  contacts: readonly number[],
): Promise<number> {
  const { rows: joined } = await sql`
    with moved as (
      insert into segment_members (account, segment, contact)
      select ${account}, ${segment}, c.id from contacts c where c.account = ${account} and c.id = any(${contacts}::bigint[])
      order by c.id for key share
      on conflict do nothing
      returning contact),
    ${membershipNotices(account, 'segment.entered', segment)}
    select from moved`.execute(db)
  return joined.length
}

/** The ids of the members at `now` (milliseconds), ascending. Throws notFound before the first. */
export async function* listMembers(
  db: Db,
  account: AccountId,
  segment: number,
  { after, limit, now }: { after: string | undefined; limit: number | undefined; now: number },
): AsyncGenerator<string> {
  await requireSegments(db, account, [segment])
  const start = after === undefined ? 0 : (readContactId(after) ?? 0)
  const selected = await loadSelected(db, account, { type: 'segment', segment }, now)
  const query =
    limit === undefined
      ? sql<{ contact: number }>`
          select contact from (${idsOf(account, selected)}) as members (contact) where contact > ${start} order by contact`
      : await membersPage(db, account, selected, { start, limit })
  for await (const { contact } of rows(db, query)) yield contactId(contact)
}

/**
 * Adds contacts to a static segment and answers how many were not in it before. `names`: contact ids or concatenated
 * unicity values; unknown ones are skipped. Throws notFound (segment), conflict `segment-dynamic`; then nothing is added.
 */
export async function addContacts(
  db: Db,
  account: AccountId,
  segment: number,
  { names, onlyUnicity }: { names: readonly string[]; onlyUnicity: boolean },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await requireStatic(tx, account, segment)
    return joinSegment(tx, account, segment, await contactsNamed(tx, account, names, onlyUnicity))
  })
}

/** Removes contacts from a segment, all of them when undefined. */
async function leaveSegment(
  tx: Db,
  account: AccountId,
  segment: number,
  contacts: readonly number[] | undefined,
): Promise<void> {
  const those = contacts ? sql`contact = any(${contacts}::bigint[])` : sql`true`
  await sql`
    with moved as (
      delete from segment_members where account = ${account} and segment = ${segment} and ${those} returning contact),
    ${membershipNotices(account, 'segment.left', segment)}
    select`.execute(tx)
}

/** Removes the named contacts from a static segment, all of them when `names` is undefined. Throws like `addContacts`. */
export async function removeContacts(
  db: Db,
  account: AccountId,
  segment: number,
  { names, onlyUnicity }: { names: readonly string[] | undefined; onlyUnicity: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireStatic(tx, account, segment)
    await leaveSegment(tx, account, segment, names && (await contactsNamed(tx, account, names, onlyUnicity)))
  })
}

/** Throws notFound for a contact that is none of the account's. */
export async function requireContact(db: Db, account: AccountId, contact: number): Promise<void> {
  const row = await db
    .selectFrom('contacts')
    .select('id')
    .where('account', '=', account)
    .where('id', '=', contact)
    .executeTakeFirst()
  if (!row) throw notFound('target', contactId(contact))
}

/** Makes one contact a member, if it is none yet. Throws notFound (either), conflict `segment-dynamic`. */
export async function ensureMember(db: Db, account: AccountId, contact: number, segment: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireContact(tx, account, contact)
    await requireStatic(tx, account, segment)
    await joinSegment(tx, account, segment, [contact])
  })
}

/** Makes one contact a member. Throws notFound (either), conflict `segment-dynamic`, `already-member`. */
export async function addMember(db: Db, account: AccountId, contact: number, segment: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireContact(tx, account, contact)
    await requireStatic(tx, account, segment)
    const insert = sql`
      with moved as (
        insert into segment_members (account, segment, contact) values (${account}, ${segment}, ${contact}) returning contact),
      ${membershipNotices(account, 'segment.entered', segment)}
      select`
    await refusing(insert.execute(tx), {
      unique: () => conflict('already-member', `Target ${contactId(contact)} is in segment ${segment} already.`),
      foreignKey: () => notFound('target', contactId(contact)),
    })
  })
}

/** Ends one contact's membership, if there is one. Throws notFound (either), conflict `segment-dynamic`. */
export async function removeMember(db: Db, account: AccountId, contact: number, segment: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireContact(tx, account, contact)
    await requireStatic(tx, account, segment)
    await leaveSegment(tx, account, segment, [contact])
  })
}

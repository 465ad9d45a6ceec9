import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseContactId } from '../../../lib/ids.ts'
import { findContacts } from '../../contacts/records/find.ts'
import { selectContactIds } from '../counts/estimate.ts'
import { lockSegment } from '../segments.ts'
import { selectMembersPage } from './members-page.ts'
import { buildMembershipNotices } from './membership-notices.ts'
import { loadCriteriaSelection, requireSegments } from './segment-audience.ts'

/** Throws notFound, and conflict `segment-dynamic`: the members of such a segment follow from its criteria. */
async function requireStaticSegment(db: Db, account: AccountId, segment: number): Promise<void> {
  const { type } = await lockSegment(db, account, segment)
  if (type === 'dynamic')
    throw conflictProblem('segment-dynamic', `Segment ${segment} is dynamic: its criteria determine its members.`)
}

/** The contacts that strings name: contact ids (unless `onlyUnicity`), else concatenated unicities; unknown ones are skipped. */
async function findNamedContacts(
  db: Db,
  account: AccountId,
  names: readonly string[],
  onlyUnicity: boolean,
): Promise<number[]> {
  const idNames = onlyUnicity ? [] : names.filter((name) => parseContactId(name) !== undefined)
  const contactsById = await findContacts(
    db,
    account,
    idNames.map((value) => ({ type: 'id', value })),
  )
  const knownIds = new Set(idNames.filter((_, place) => contactsById[place] !== undefined))
  const otherNames = names.filter((name) => !knownIds.has(name))
  const byUnicity = await findContacts(
    db,
    account,
    otherNames.map((value) => ({ type: 'unicity', value })),
  )
  return [...new Set([...contactsById, ...byUnicity].flatMap((contact) => contact?.id ?? []))]
}

/** Puts contacts into a segment; gives how many were not in it before. One that is deleted meanwhile is skipped. */
export async function joinSegment(
  db: Db,
  account: AccountId,
  segment: number,
  contacts: readonly number[],
): Promise<number> {
  const { rows: joinedRows } = await sql`
    with moved as (
      insert into segment_members (account, segment, contact)
      select ${account}, ${segment}, c.id from contacts c where c.account = ${account} and c.id = any(${contacts}::bigint[])
      order by c.id for key share
      on conflict do nothing
      returning contact),
    ${buildMembershipNotices(account, 'segment.entered', segment)}
    select from moved`.execute(db)
  return joinedRows.length
}

/** The ids of the members at `now` (milliseconds), ascending. Throws notFound before the first. */
export async function* listSegmentMembers(
  db: Db,
  account: AccountId,
  segment: number,
  { after, limit, now }: { after: string | undefined; limit: number | undefined; now: number },
): AsyncGenerator<string> {
  await requireSegments(db, account, [segment])
  const afterId = after === undefined ? 0 : (parseContactId(after) ?? 0)
  const segmentSelection = await loadCriteriaSelection(db, account, { type: 'segment', segment }, now)
  const query =
    limit === undefined
      ? sql<{ contact: number }>`
          select contact from (${selectContactIds(account, segmentSelection)}) as members (contact) where contact > ${afterId} order by contact`
      : await selectMembersPage(db, account, segmentSelection, { start: afterId, limit })
  for await (const { contact } of streamRows(db, query)) yield formatContactId(contact)
}

/**
 * Adds contacts to a static segment and answers how many were not in it before. `names`: contact ids or concatenated
 * unicity values; unknown ones are skipped. Throws notFound (segment), conflict `segment-dynamic`; then nothing is added.
 */
export async function addContactsToSegment(
  db: Db,
  account: AccountId,
  segment: number,
  { names, onlyUnicity }: { names: readonly string[]; onlyUnicity: boolean },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await requireStaticSegment(tx, account, segment)
    return joinSegment(tx, account, segment, await findNamedContacts(tx, account, names, onlyUnicity))
  })
}

/** Removes contacts from a segment, all of them when undefined. */
async function removeMembers(
  tx: Db,
  account: AccountId,
  segment: number,
  contacts: readonly number[] | undefined,
): Promise<void> {
  const contactCondition = contacts ? sql`contact = any(${contacts}::bigint[])` : sql`true`
  await sql`
    with moved as (
      delete from segment_members where account = ${account} and segment = ${segment} and ${contactCondition} returning contact),
    ${buildMembershipNotices(account, 'segment.left', segment)}
    select`.execute(tx)
}

/** Removes the named contacts from a static segment, all of them when `names` is undefined. Throws like `addContactsToSegment`. */
export async function removeContactsFromSegment(
  db: Db,
  account: AccountId,
  segment: number,
  { names, onlyUnicity }: { names: readonly string[] | undefined; onlyUnicity: boolean },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireStaticSegment(tx, account, segment)
    await removeMembers(tx, account, segment, names && (await findNamedContacts(tx, account, names, onlyUnicity)))
  })
}

/** Throws notFound for a contact that does not belong to the account. */
export async function requireContact(db: Db, account: AccountId, contact: number): Promise<void> {
  const row = await db
    .selectFrom('contacts')
    .select('id')
    .where('account', '=', account)
    .where('id', '=', contact)
    .executeTakeFirst()
  if (!row) throw notFoundProblem('target', formatContactId(contact))
}

/** Makes one contact a member if it is not one yet. Throws notFound (either), conflict `segment-dynamic`. */
export async function ensureSegmentMember(db: Db, account: AccountId, contact: number, segment: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireContact(tx, account, contact)
    await requireStaticSegment(tx, account, segment)
    await joinSegment(tx, account, segment, [contact])
  })
}

/** Makes one contact a member. Throws notFound (either), conflict `segment-dynamic`, `already-member`. */
export async function addSegmentMember(db: Db, account: AccountId, contact: number, segment: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireContact(tx, account, contact)
    await requireStaticSegment(tx, account, segment)
    const memberInsert = sql`
      with moved as (
        insert into segment_members (account, segment, contact) values (${account}, ${segment}, ${contact}) returning contact),
      ${buildMembershipNotices(account, 'segment.entered', segment)}
      select`
    await mapConstraintErrors(memberInsert.execute(tx), {
      unique: () =>
        conflictProblem('already-member', `Contact ${formatContactId(contact)} is already in segment ${segment}.`),
      foreignKey: () => notFoundProblem('target', formatContactId(contact)),
    })
  })
}

/** Ends one contact's membership, if there is one. Throws notFound (either), conflict `segment-dynamic`. */
export async function removeSegmentMember(db: Db, account: AccountId, contact: number, segment: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireContact(tx, account, contact)
    await requireStaticSegment(tx, account, segment)
    await removeMembers(tx, account, segment, [contact])
  })
}

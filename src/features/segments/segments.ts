import { sql } from 'kysely'
import { type Db, inSavepoint, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../lib/text/fold.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import { requireInstant } from '../../lib/time/period.ts'
import { enterContactWrite } from '../contacts/fields/write-lock.ts'
import { loadContactShape } from '../contacts/values/stored-shape.ts'
import { formatCriteria, type ParsedCriteria, parseCriteria } from './criteria/criteria.ts'
import type { SegmentCriteria } from './criteria/criteria-types.ts'
import { assertSegmentLevels, blockReferenceChanges, replaceSegmentReferences } from './criteria/references.ts'
import { findDynamicSegments } from './members/segment-audience.ts'
import { readSegmentLinks } from './segment-links.ts'
import type { SegmentBody, SegmentDocument, SegmentListEntry } from './segment-schemas.ts'

const MAX_NAME_LENGTH = 100

interface SegmentRow {
  id: number
  type: 'static' | 'dynamic'
  name: string
  description: string | null
  created_at: Date
  expires_at: Date
  is_test: boolean
  parent: number | null
  criteria: SegmentCriteria | null
  members: number
  counted: number
  counted_at: Date | null
  counted_exact: boolean
}

/** Static segments are counted as they change; a dynamic one keeps its last count. */
const segmentColumns = sql`s.id, s.type, s.name, s.description, s.created_at, s.expires_at, s.is_test, s.parent, s.criteria, s.counted,
  s.counted_at, s.counted_exact, coalesce((select sum(n) from segment_counts c where c.segment = s.id), 0)::bigint as members`

function toListEntry(row: SegmentRow): SegmentListEntry {
  return {
    type: row.type,
    id: row.id,
    name: row.name,
    creation: row.created_at.toISOString(),
    expiration: row.expires_at.toISOString(),
    isTest: row.is_test,
    targetsCount: row.type === 'static' ? row.members : row.counted,
    targetsCountDate: row.counted_at?.toISOString() ?? null,
    targetsCountExact: row.type === 'static' || (row.counted_at !== null && row.counted_exact),
    parentId: row.parent,
    searchId: null,
  }
}

/** Every segment, ascending id. */
export async function* listSegments(
  db: Db,
  account: AccountId,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<SegmentListEntry> {
  const query = sql<SegmentRow>`select ${segmentColumns} from segments s where s.account = ${account} and s.id > ${after ?? 0} order by s.id limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toListEntry(row)
}

/** One segment. Throws notFound. */
export async function readSegment(db: Db, account: AccountId, id: number): Promise<SegmentDocument> {
  const { rows: matchingSegments } =
    await sql<SegmentRow>`select ${segmentColumns} from segments s where s.account = ${account} and s.id = ${id}`.execute(
      db,
    )
  const [row] = matchingSegments
  if (!row) throw notFoundProblem('segment', id)
  const formattedCriteria = row.criteria && { ...formatCriteria(await loadContactShape(db, account), row.criteria) }
  return { ...toListEntry(row), description: row.description, criteria: formattedCriteria }
}

/**
 * The segments a contact is in, of one type or of both, ascending id, expired ones included: those it is a member of,
 * and those whose criteria hold at `now` (milliseconds).
 */
export async function listContactSegments(
  db: Db,
  account: AccountId,
  contact: number,
  { type, now }: { type: 'static' | 'dynamic' | undefined; now: number },
): Promise<SegmentListEntry[]> {
  const dynamicIds = type === 'static' ? [] : await findDynamicSegments(db, account, contact, now)
  const { rows: contactSegments } = await sql<SegmentRow>`
    select ${segmentColumns} from segments s
    where s.account = ${account} and (s.id = any(${dynamicIds}::integer[]) or ${type !== 'dynamic'} and s.id in (
      select segment from segment_members where account = ${account} and contact = ${contact}))
    order by s.id`.execute(db)
  return contactSegments.map(toListEntry)
}

function addOneYear(now: number): Date {
  const date = new Date(now)
  date.setUTCFullYear(date.getUTCFullYear() + 1)
  return date
}

function parseExpiration(rawExpiration: SegmentBody['expiration']): Date | undefined {
  return rawExpiration === undefined || rawExpiration === null
    ? undefined
    : requireInstant(rawExpiration, '/expiration')
}

/** Requires that the body does not contain members that only dynamic segments have. Throws 400 for static ones. */
function requireNoDynamicMembers({ parentId, criteria }: SegmentBody): void {
  if (parentId !== undefined && parentId !== null)
    throw badRequestProblem('/parentId', 'only a dynamic segment can have a parent')
  if (criteria !== undefined && criteria !== null)
    throw badRequestProblem('/criteria', 'only a dynamic segment can have criteria')
}

const emptyCriteria: Pick<ParsedCriteria, 'segments' | 'fields'> & { criteria: null } = {
  criteria: null,
  segments: [],
  fields: [],
}

/** The criteria of a request, null for none; undefined when they are to stay. What they refer to is locked to the end of the transaction. */
async function parseBodyCriteria(tx: Db, account: AccountId, { criteria, parentId }: SegmentBody) {
  if (criteria === undefined && parentId === undefined) return undefined
  await blockReferenceChanges(tx, account)
  if (criteria === undefined || criteria === null) return criteria === null ? emptyCriteria : undefined
  await enterContactWrite(tx, account)
  return parseCriteria(tx, account, criteria)
}

/** Writes the references of a segment and checks them. Throws conflict `segment-ring`, `segment-depth`. */
async function replaceReferences(
  tx: Db,
  account: AccountId,
  id: number,
  parsedCriteria: Awaited<ReturnType<typeof parseBodyCriteria>>,
) {
  if (parsedCriteria) {
    await mapConstraintErrors(replaceSegmentReferences(tx, account, id, parsedCriteria), {
      foreignKey: () => badRequestProblem('/criteria', 'refers to a segment that has just been deleted'),
    })
  }
  await assertSegmentLevels(tx, account, id)
}

function buildUnknownParentProblem(): Problem {
  return new Problem(404, 'not-found', 'The parent segment does not exist.', {
    errors: [{ pointer: '/parentId', detail: 'must be the id of a segment' }],
  })
}

function mapConstraintProblems(name: string | undefined) {
  return {
    unique: () => conflictProblem('name-taken', `Another segment is called "${name}".`),
    foreignKey: buildUnknownParentProblem,
  }
}

/**
 * Makes a segment that expires in a year unless it says when. Throws 400, 404 (parent), conflict `name-taken`,
 * `segment-depth`.
 */
export async function createSegment(
  db: Db,
  account: AccountId,
  body: SegmentBody,
  now: number,
): Promise<SegmentDocument> {
  const { type, description, isTest, parentId } = body
  if (type === undefined) throw badRequestProblem('/type', 'is required: static or dynamic')
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  if (type === 'static') requireNoDynamicMembers(body)
  return inTransaction(db, async (tx) => {
    const parsedCriteria = await parseBodyCriteria(tx, account, body)
    const { id } = await mapConstraintErrors(
      tx
        .insertInto('segments')
        .values({
          account,
          type,
          name,
          name_folded: foldUnicodeCase(name),
          description: description ?? null,
          created_at: new Date(now),
          expires_at: parseExpiration(body.expiration) ?? addOneYear(now),
          is_test: isTest ?? false,
          parent: parentId ?? null,
          criteria: parsedCriteria?.criteria ? toJsonbText(parsedCriteria.criteria) : null,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
      mapConstraintProblems(name),
    )
    if (type === 'dynamic') await replaceReferences(tx, account, id, parsedCriteria)
    return readSegment(tx, account, id)
  })
}

/** The columns of the count: cleared when criteria or parent (undefined: unchanged) really change. */
function buildCountReset(criteria: SegmentCriteria | null | undefined, parent: number | null | undefined) {
  const isDifferent = sql`(criteria, parent) is distinct from (
    ${criteria === undefined ? sql.ref('criteria') : sql`${criteria && toJsonbText(criteria)}::jsonb`},
    ${parent === undefined ? sql.ref('parent') : sql`${parent}::integer`})`
  return {
    counted: sql<number>`case when ${isDifferent} then 0 else counted end`,
    counted_at: sql<Date | null>`case when ${isDifferent} then null else counted_at end`,
  }
}

/**
 * Changes the members given. Other criteria, or another parent, are not counted yet. Throws 400, 404, conflict
 * `segment-type`, `name-taken`, `segment-ring`, `segment-depth`.
 */
export async function updateSegment(
  tx: Db,
  { account, id, stored: storedSegment }: LockedObject<number, Pick<SegmentDocument, 'type'>>,
  body: SegmentBody,
): Promise<SegmentDocument> {
  if (body.type !== undefined && body.type !== storedSegment.type)
    throw conflictProblem('segment-type', 'The type of a segment cannot be changed.')
  if (storedSegment.type === 'static') requireNoDynamicMembers(body)
  const name = body.name === undefined ? undefined : parseResourceName(body.name, MAX_NAME_LENGTH)
  const parsedCriteria = storedSegment.type === 'dynamic' ? await parseBodyCriteria(tx, account, body) : undefined
  const changesSelection =
    storedSegment.type === 'dynamic' && (parsedCriteria !== undefined || body.parentId !== undefined)
  const expiration = parseExpiration(body.expiration)
  const changes = {
    ...(name !== undefined && { name, name_folded: foldUnicodeCase(name) }),
    ...(body.description !== undefined && { description: body.description }),
    ...(typeof body.isTest === 'boolean' && { is_test: body.isTest }),
    ...(body.parentId !== undefined && { parent: body.parentId }),
    ...(expiration && { expires_at: expiration }),
    ...(parsedCriteria && { criteria: parsedCriteria.criteria && toJsonbText(parsedCriteria.criteria) }),
    ...(changesSelection && buildCountReset(parsedCriteria?.criteria, body.parentId)),
  }
  if (Object.keys(changes).length > 0) {
    await mapConstraintErrors(
      tx.updateTable('segments').set(changes).where('account', '=', account).where('id', '=', id).execute(),
      mapConstraintProblems(name),
    )
  }
  if (changesSelection) await replaceReferences(tx, account, id, parsedCriteria)
  return readSegment(tx, account, id)
}

/** Locks a segment until the transaction ends; others may refer to it meanwhile. Throws notFound. */
export async function lockSegment(db: Db, account: AccountId, id: number): Promise<{ type: 'static' | 'dynamic' }> {
  const row = await db
    .selectFrom('segments')
    .select('type')
    .where('account', '=', account)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFoundProblem('segment', id)
  return row
}

/** Deletes a segment; its contacts stay. Throws notFound, conflict `segment-linked` naming what uses it. */
export async function deleteSegment(db: Db, { account, id }: { account: AccountId; id: number }): Promise<void> {
  const deletion = inSavepoint(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('segments')
      .where('account', '=', account)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw notFoundProblem('segment', id)
    await tx.deleteFrom('segment_counts').where('segment', '=', id).execute()
  })
  let isLinked = false
  try {
    await mapConstraintErrors(deletion, {
      foreignKey: () => {
        isLinked = true
        return conflictProblem('segment-linked', 'The segment is in use.')
      },
    })
  } catch (error) {
    if (!isLinked) throw error
    // The foreign keys refused; the links are for the answer, and never checked first.
    const segmentLinks = await readSegmentLinks(db, account, id)
    const linkList = segmentLinks.map(({ type, id, name }) => `${type} ${id} (${name})`).join(', ')
    throw conflictProblem('segment-linked', `Segment ${id} is used by ${linkList}.`, { links: segmentLinks })
  }
}

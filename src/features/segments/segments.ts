import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import { refusing } from '../../database/errors.ts'
import { rows } from '../../database/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { fold } from '../../lib/fold.ts'
import { readName } from '../../lib/names.ts'
import { readInstant } from '../../lib/period.ts'
import { badRequest, conflict, notFound, Problem } from '../../lib/problem.ts'
import { linksOf } from './segment-links.ts'
import type { ListedSegment, Segment, SegmentBody } from './segment-schemas.ts'

const NAME_LENGTH = 100
const DEEPEST = 10

interface Row {
  id: number
  type: 'static' | 'dynamic'
  name: string
  description: string | null
  created_at: Date
  expires_at: Date
  is_test: boolean
  parent: number | null
  criteria: Segment['criteria']
  members: number
  counted: number
  counted_at: Date | null
}

/** Static segments are counted as they change; a dynamic one keeps what it came to when it was last counted. */
const shown = sql`s.id, s.type, s.name, s.description, s.created_at, s.expires_at, s.is_test, s.parent, s.criteria, s.counted,
  s.counted_at, coalesce((select sum(n) from segment_counts c where c.segment = s.id), 0)::bigint as members`

function showListed(row: Row): ListedSegment {
  return {
    type: row.type,
    id: row.id,
    name: row.name,
    creation: row.created_at.toISOString(),
    expiration: row.expires_at.toISOString(),
    isTest: row.is_test,
    targetsCount: row.type === 'static' ? row.members : row.counted,
    targetsCountDate: row.counted_at?.toISOString() ?? null,
    parentId: row.parent,
    searchId: null,
  }
}

function show(row: Row): Segment {
  return { ...showListed(row), description: row.description, criteria: row.criteria }
}

/** Every segment, ascending id. */
export async function* listSegments(
  db: Db,
  account: AccountId,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ListedSegment> {
  const query = sql<Row>`select ${shown} from segments s where s.account = ${account} and s.id > ${after ?? 0} order by s.id limit ${limit ?? null}::integer`
  for await (const row of rows(db, query)) yield showListed(row)
}

/** One segment. Throws notFound. */
export async function readSegment(db: Db, account: AccountId, id: number): Promise<Segment> {
  const { rows: found } =
    await sql<Row>`select ${shown} from segments s where s.account = ${account} and s.id = ${id}`.execute(db)
  const [row] = found
  if (!row) throw notFound('segment', id)
  return show(row)
}

/** The segments a contact is in, ascending id, expired ones included. */
export async function segmentsOf(db: Db, account: AccountId, contact: number): Promise<ListedSegment[]> {
  const { rows: found } = await sql<Row>`
    select ${shown} from segments s join segment_members m on m.segment = s.id
    where m.account = ${account} and m.contact = ${contact} order by s.id`.execute(db)
  return found.map(showListed)
}

function oneYearAfter(now: number): Date {
  const date = new Date(now)
  date.setUTCFullYear(date.getUTCFullYear() + 1)
  return date
}

function readExpiration(given: SegmentBody['expiration']): Date | undefined {
  if (given === undefined || given === null) return undefined
  const instant = readInstant(given)
  if (instant === undefined) throw badRequest('/expiration', 'must be an ISO 8601 date or a Unix time in milliseconds')
  return new Date(instant)
}

/** What only dynamic segments have. Throws 400 for static ones, and 501 for criteria: they are not evaluated yet. */
function checkDynamic(type: 'static' | 'dynamic', { parentId, criteria }: SegmentBody): void {
  if (type === 'static') {
    if (parentId !== undefined && parentId !== null)
      throw badRequest('/parentId', 'only a dynamic segment has a parent')
    if (criteria !== undefined && criteria !== null)
      throw badRequest('/criteria', 'only a dynamic segment has criteria')
  } else if (criteria !== undefined && criteria !== null) {
    throw new Problem(
      501,
      'not-built',
      'This version does not evaluate criteria yet; a dynamic segment without them has no members.',
    )
  }
}

/** Throws conflict when the segment would be its own ancestor, or has more than ten above it; 404 for an unknown parent. */
async function checkAncestors(
  db: Db,
  account: AccountId,
  id: number | undefined,
  parent: number | null | undefined,
): Promise<void> {
  if (parent === null || parent === undefined) return
  const { rows: found } = await sql<{ id: number; depth: number }>`
    with recursive ancestors as (
      select id, parent, 1 as depth from segments where account = ${account} and id = ${parent}
      union all
      select s.id, s.parent, a.depth + 1 from segments s join ancestors a on s.id = a.parent where a.depth <= ${DEEPEST}
    ) select id, depth from ancestors`.execute(db)
  if (found.length === 0) throw notFound('segment', parent)
  if (found.some((ancestor) => ancestor.id === id)) throw conflict('segment-ring', 'A segment cannot be below itself.')
  if (found.length >= DEEPEST)
    throw conflict('segment-depth', `Segments stand at most ${DEEPEST} levels below each other.`)
}

function refusals(name: string | undefined) {
  return {
    unique: () => conflict('name-taken', `Another segment is called "${name}".`),
    foreignKey: () => notFound('segment', 'named in parentId'),
  }
}

/** Makes a segment that expires in a year unless it says when. Throws 400, 404 (parent), conflict `name-taken`. */
export async function createSegment(db: Db, account: AccountId, body: SegmentBody, now: number): Promise<Segment> {
  const { type, description, isTest, parentId } = body
  if (type === undefined) throw badRequest('/type', 'is required: static or dynamic')
  const name = readName(body.name, NAME_LENGTH)
  checkDynamic(type, body)
  return inTransaction(db, async (tx) => {
    await checkAncestors(tx, account, undefined, parentId)
    const { id } = await refusing(
      tx
        .insertInto('segments')
        .values({
          account,
          type,
          name,
          name_folded: fold(name),
          description: description ?? null,
          created_at: new Date(now),
          expires_at: readExpiration(body.expiration) ?? oneYearAfter(now),
          is_test: isTest ?? false,
          parent: parentId ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
      refusals(name),
    )
    return readSegment(tx, account, id)
  })
}

/** Changes the members given. Throws 400, 404, conflict `segment-type`, `name-taken`, `segment-ring`. */
export async function updateSegment(db: Db, account: AccountId, id: number, body: SegmentBody): Promise<Segment> {
  return inTransaction(db, async (tx) => {
    const present = await lockSegment(tx, account, id)
    if (body.type !== undefined && body.type !== present.type)
      throw conflict('segment-type', 'The type of a segment cannot change.')
    checkDynamic(present.type, body)
    const name = body.name === undefined ? undefined : readName(body.name, NAME_LENGTH)
    await checkAncestors(tx, account, id, body.parentId)
    const expiration = readExpiration(body.expiration)
    const changes = {
      ...(name !== undefined && { name, name_folded: fold(name) }),
      ...(body.description !== undefined && { description: body.description }),
      ...(body.isTest !== undefined && { is_test: body.isTest }),
      ...(body.parentId !== undefined && { parent: body.parentId }),
      ...(expiration && { expires_at: expiration }),
    }
    if (Object.keys(changes).length > 0) {
      await refusing(
        tx.updateTable('segments').set(changes).where('account', '=', account).where('id', '=', id).execute(),
        refusals(name),
      )
    }
    return readSegment(tx, account, id)
  })
}

/** Locks a segment until the transaction ends. Throws notFound. */
export async function lockSegment(db: Db, account: AccountId, id: number): Promise<{ type: 'static' | 'dynamic' }> {
  const row = await db
    .selectFrom('segments')
    .select('type')
    .where('account', '=', account)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('segment', id)
  return row
}

/** Deletes a segment; its contacts stay. Throws notFound, conflict `segment-linked` naming what uses it. */
export async function deleteSegment(db: Db, account: AccountId, id: number): Promise<void> {
  const deletion = inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('segments')
      .where('account', '=', account)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw notFound('segment', id)
    await tx.deleteFrom('segment_counts').where('segment', '=', id).execute()
  })
  let isLinked = false
  try {
    await refusing(deletion, {
      foreignKey: () => {
        isLinked = true
        return conflict('segment-linked', 'The segment is in use.')
      },
    })
  } catch (error) {
    if (!isLinked) throw error
    // The foreign keys refused; who holds them is only told, never asked first.
    const links = await linksOf(db, account, id)
    const named = links.map(({ type, id, name }) => `${type} ${id} (${name})`).join(', ')
    throw conflict('segment-linked', `Segment ${id} is used by ${named}.`, { links })
  }
}

import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { type ContactShapeLoader, loadContactShape } from '../values/stored-shape.ts'
import type { ContactDocument } from './contact-schemas.ts'
import {
  type ContactDocumentRow,
  type ContactView,
  contactDocumentColumns,
  createDocumentBuilder,
} from './documents.ts'
import { contactKeyFromUnicity, parseContactHash } from './find.ts'
import type { WrittenContact } from './upsert.ts'

async function selectContactRows(
  db: Db,
  shape: ContactShape,
  condition: RawBuilder<unknown>,
): Promise<ContactDocumentRow[]> {
  const { rows } = await sql<ContactDocumentRow>`
    select ${contactDocumentColumns} from contacts c where c.account = ${shape.account} and ${condition}`.execute(db)
  return rows
}

async function readMatchingDocument(
  db: Db,
  shape: ContactShape,
  condition: RawBuilder<unknown>,
  view: ContactView,
): Promise<ContactDocument | undefined> {
  const buildDocument = createDocumentBuilder(shape, view)
  const [row] = await selectContactRows(db, shape, condition)
  return row && buildDocument(row)
}

/** One contact, with definitions that are loaded. Throws notFound, and 400 for an unknown field of the view. */
export async function readContactWithShape(
  db: Db,
  shape: ContactShape,
  id: number,
  view: ContactView,
): Promise<ContactDocument> {
  const document = await readMatchingDocument(db, shape, sql`c.id = ${id}`, view)
  if (!document) throw notFoundProblem('contact', formatContactId(id))
  return document
}

/** One contact. Throws notFound, and 400 for an unknown field of the view. */
export async function readContact(db: Db, account: AccountId, id: number, view: ContactView): Promise<ContactDocument> {
  return readContactWithShape(db, await loadContactShape(db, account), id, view)
}

/** The rows of contacts that were just written, by the same names: read again only where they show more than was written. */
export async function readWrittenRows(
  tx: Db,
  shape: ContactShape,
  writtenContacts: ReadonlyMap<string, WrittenContact>,
): Promise<Map<string, ContactDocumentRow>> {
  const unreturnedIds = [...writtenContacts.values()].flatMap(({ id, row }) => (row ? [] : id))
  const unreturnedRows =
    unreturnedIds.length === 0 ? [] : await selectContactRows(tx, shape, sql`c.id = any(${unreturnedIds}::bigint[])`)
  const rowsById = new Map(unreturnedRows.map((row) => [row.id, row]))
  const rows = new Map<string, ContactDocumentRow>()
  for (const [name, { id, row = rowsById.get(id) }] of writtenContacts) if (row) rows.set(name, row)
  return rows
}

/** Reads one contact. Throws notFound, and 400 for an unknown field of the view. */
export type ContactReader = (db: Db, account: AccountId, id: number, view: ContactView) => Promise<ContactDocument>

/** A reader with cached definitions: the contact comes with the number of the present ones, so one statement is enough. */
export function createContactReader(shapes: ContactShapeLoader): ContactReader {
  return async (db, account, id, view) => {
    const { rows } = await sql<ContactDocumentRow & { definitions: number }>`${buildPreparedPrefix('contact-read')}
      select a.definitions, ${contactDocumentColumns} from contacts c join accounts a on a.id = c.account
      where c.account = ${account} and c.id = ${id}`.execute(db)
    const [row] = rows
    if (!row) throw notFoundProblem('contact', formatContactId(id))
    return createDocumentBuilder(await shapes(db, account, row.definitions), view)(row)
  }
}

/** Contacts of one statement. Of all at once, the database would sort millions first, and keep its snapshot for as long as they are read. */
const MAX_STATEMENT_ROWS = 10_000

/**
 * Every contact of an account, ascending id, read through cursors: those after the page's key, at most its limit. Throws 400
 * for an unknown field of the view.
 */
export async function* listContacts(
  db: Db,
  account: AccountId,
  page: { after: number | undefined; limit: number | undefined },
  view: ContactView,
): AsyncGenerator<ContactDocument> {
  const buildDocument = createDocumentBuilder(await loadContactShape(db, account), view)
  let [lastId, remainingCount] = [page.after ?? 0, page.limit ?? Number.POSITIVE_INFINITY]
  while (remainingCount > 0) {
    const batchSize = Math.min(remainingCount, MAX_STATEMENT_ROWS)
    const query = sql<ContactDocumentRow>`
      select ${contactDocumentColumns} from contacts c
      where c.account = ${account} and c.id > ${lastId} order by c.id limit ${batchSize}`
    let batchCount = 0
    for await (const row of streamRows(db, query)) {
      yield buildDocument(row)
      ;[lastId, batchCount] = [row.id, batchCount + 1]
    }
    if (batchCount < batchSize) return
    remainingCount -= batchCount
  }
}

/** Counts the contacts of an account by the counter that every transaction maintains. */
export async function countContacts(db: Db, account: AccountId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::bigint as n from contact_counts where account = ${account}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Finds the contact of a unicity (one string per field, or the concatenated one) or of a hash; `undefined` if no contact matches. */
export async function findContact(
  db: Db,
  account: AccountId,
  sought: { unicity: string | string[] } | { hash: string },
  view: ContactView,
): Promise<ContactDocument | undefined> {
  const shape = await loadContactShape(db, account)
  const key = 'unicity' in sought ? contactKeyFromUnicity(shape, sought.unicity) : undefined
  const hash = 'hash' in sought ? parseContactHash(sought.hash) : undefined
  if (key === undefined && hash === undefined) return undefined
  return readMatchingDocument(
    db,
    shape,
    key !== undefined ? sql`c.key = ${key}` : sql`c.hash = decode(${hash}, 'hex')`,
    view,
  )
}

import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared } from '../../../database/connection/connect.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { contactId } from '../../../lib/ids.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { loadShape, type Shapes } from '../values/stored-shape.ts'
import type { ContactDocument } from './contact-schemas.ts'
import { type ContactRow, contactDocument, documentColumns, type View } from './documents.ts'
import { keySought, readHash } from './find.ts'
import type { Written } from './upsert.ts'

async function selectRows(db: Db, shape: ContactShape, condition: RawBuilder<unknown>): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select ${documentColumns} from contacts c where c.account = ${shape.account} and ${condition}`.execute(db)
  return rows
}

async function showWhere(
  db: Db,
  shape: ContactShape,
  condition: RawBuilder<unknown>,
  view: View,
): Promise<ContactDocument | undefined> {
  const show = contactDocument(shape, view)
  const [row] = await selectRows(db, shape, condition)
  return row && show(row)
}

/** One contact, with definitions that are loaded. Throws notFound, and 400 for an unknown field of the view. */
export async function showContact(db: Db, shape: ContactShape, id: number, view: View): Promise<ContactDocument> {
  const document = await showWhere(db, shape, sql`c.id = ${id}`, view)
  if (!document) throw notFound('contact', contactId(id))
  return document
}

/** One contact. Throws notFound, and 400 for an unknown field of the view. */
export async function readContact(db: Db, account: AccountId, id: number, view: View): Promise<ContactDocument> {
  return showContact(db, await loadShape(db, account), id, view)
}

/** The rows of contacts that were just written, by the same names: read again only where they show more than was written. */
export async function rowsOfWritten(
  tx: Db,
  shape: ContactShape,
  written: ReadonlyMap<string, Written>,
): Promise<Map<string, ContactRow>> {
  const ids = [...written.values()].flatMap(({ id, row }) => (row ? [] : id))
  const read = ids.length === 0 ? [] : await selectRows(tx, shape, sql`c.id = any(${ids}::bigint[])`)
  const byId = new Map(read.map((row) => [row.id, row]))
  const rows = new Map<string, ContactRow>()
  for (const [name, { id, row = byId.get(id) }] of written) if (row) rows.set(name, row)
  return rows
}

/** Reads one contact. Throws notFound, and 400 for an unknown field of the view. */
export type ContactReader = (db: Db, account: AccountId, id: number, view: View) => Promise<ContactDocument>

/** A reader with cached definitions: the contact comes with the number of the present ones, so one statement is enough. */
export function contactReader(shapes: Shapes): ContactReader {
  return async (db, account, id, view) => {
    const { rows } = await sql<ContactRow & { definitions: number }>`${prepared('contact-read')}
      select a.definitions, ${documentColumns} from contacts c join accounts a on a.id = c.account
      where c.account = ${account} and c.id = ${id}`.execute(db)
    const [row] = rows
    if (!row) throw notFound('contact', contactId(id))
    return contactDocument(await shapes(db, account, row.definitions), view)(row)
  }
}

/** Contacts of one statement. Of all at once, the database would sort millions first, and keep its snapshot for as long as they are read. */
const AT_ONCE = 10_000

/**
 * Every contact of an account, ascending id, read through cursors: those after the page's key, at most its limit. Throws 400
 * for an unknown field of the view.
 */
export async function* listContacts(
  db: Db,
  account: AccountId,
  page: { after: number | undefined; limit: number | undefined },
  view: View,
): AsyncGenerator<ContactDocument> {
  const show = contactDocument(await loadShape(db, account), view)
  let [after, left] = [page.after ?? 0, page.limit ?? Number.POSITIVE_INFINITY]
  while (left > 0) {
    const wanted = Math.min(left, AT_ONCE)
    const query = sql<ContactRow>`
      select ${documentColumns} from contacts c
      where c.account = ${account} and c.id > ${after} order by c.id limit ${wanted}`
    let found = 0
    for await (const row of rows(db, query)) {
      yield show(row)
      ;[after, found] = [row.id, found + 1]
    }
    if (found < wanted) return
    left -= found
  }
}

/** How many contacts an account has, from the counter that every transaction keeps. */
export async function countContacts(db: Db, account: AccountId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(n), 0)::bigint as n from contact_counts where account = ${account}`.execute(db)
  return rows[0]?.n ?? 0
}

/** The contact of a unicity (one string per field, or the concatenated one) or of a hash; undefined when there is none. */
export async function lookUpContact(
  db: Db,
  account: AccountId,
  sought: { unicity: string | string[] } | { hash: string },
  view: View,
): Promise<ContactDocument | undefined> {
  const shape = await loadShape(db, account)
  const key = 'unicity' in sought ? keySought(shape, sought.unicity) : undefined
  const hash = 'hash' in sought ? readHash(sought.hash) : undefined
  if (key === undefined && hash === undefined) return undefined
  return showWhere(db, shape, key !== undefined ? sql`c.key = ${key}` : sql`c.hash = decode(${hash}, 'hex')`, view)
}

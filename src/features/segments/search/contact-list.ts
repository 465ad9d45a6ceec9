import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { badRequestProblem, overloadedProblem } from '../../../lib/errors/problem.ts'
import type { ContactDocument } from '../../contacts/records/contact-schemas.ts'
import {
  type ContactDocumentRow,
  contactDocumentColumns,
  createDocumentBuilder,
} from '../../contacts/records/documents.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import { parseCriteria } from '../criteria/criteria.ts'
import type { SegmentCriteria } from '../criteria/criteria-types.ts'
import { loadCriteriaSelection, loadMatchingContacts } from '../members/segment-audience.ts'
import { buildContactTextMatch } from './contact-text.ts'
import { formatContactCursor, parseContactCursor } from './cursor.ts'
import type { ContactList } from './listed.ts'
import { assertUnmaskedSearch, type ContactSearchViewer } from './personal.ts'
import { findContactListPosition } from './places.ts'
import type { ContactSearchBody, ContactSearchPage } from './search-schemas.ts'
import { buildBeyondCondition, buildContactOrder, type ContactListPosition, parseContactSorting } from './sorting.ts'
import { type ContactTotal, countContactList } from './totals.ts'

const DEFAULT_LIMIT = 50
/** A page that takes longer is not worth waiting for. */
const PAGE_TIMEOUT_MS = 10_000

interface ListRow extends ContactDocumentRow {
  place: string | null
}

/** A part of a list: of contacts with a value of what is sorted by, or of those without. */
interface ListSection {
  hasValue: boolean
  /** Null: from its beginning. */
  from: (ContactListPosition & { inclusive: boolean }) | null
  limit: number
}

async function readSection(tx: Db, { account, selected, sorting }: ContactList, leg: ListSection): Promise<ListRow[]> {
  const { hasValue, from, limit } = leg
  const order = buildContactOrder(sorting, hasValue)
  const valueCondition =
    sorting.field === undefined ? sql`true` : sql`${sorting.value} is ${hasValue ? sql`not null` : sql`null`}`
  const sortKey = hasValue ? sql`${sorting.key}::text` : sql`null::text`
  // The page is found first: what is shown of a contact is read of these alone.
  const { rows } = await sql<ListRow>`
    ${selected.shared}
    select p.place, ${contactDocumentColumns} from (
      select c.id, ${sortKey} as place, row_number() over () as nth from (
        select c.* from contacts c
        where c.account = ${account} and ${selected.condition} and ${valueCondition} and ${from ? buildBeyondCondition(sorting, from, from.inclusive) : sql`true`}
        order by ${order} limit ${limit}) c) p
    join contacts c on c.account = ${account} and c.id = p.id
    order by p.nth`.execute(tx)
  return rows
}

/** The contacts from a place on, at most `limit` of them: those without a value stand behind all others. */
async function readPageRows(db: Db, list: ContactList, from: ListSection['from'], limit: number): Promise<ListRow[]> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(PAGE_TIMEOUT_MS)}, true)`.execute(tx)
    const isInLastSection = from !== null && from.key === null && list.sorting.field !== undefined
    const valueRows = isInLastSection ? [] : await readSection(tx, list, { hasValue: true, from, limit })
    if (list.sorting.field === undefined || valueRows.length === limit) return valueRows
    const valuelessSection = { hasValue: false, from: isInLastSection ? from : null, limit: limit - valueRows.length }
    return [...valueRows, ...(await readSection(tx, list, valuelessSection))]
  })
}

async function parseListRequest(
  db: Db,
  account: AccountId,
  body: ContactSearchBody,
  { masked, now }: ContactSearchViewer,
): Promise<ContactList> {
  const shape = await loadContactShape(db, account)
  const sorting = parseContactSorting(shape, body.sort)
  const criteria: SegmentCriteria | null =
    body.criteria == null ? null : (await parseCriteria(db, account, body.criteria)).criteria
  if (masked) assertUnmaskedSearch(shape, { criteria, sorting })
  const text = body.query?.trim() ?? ''
  const textMatch = text === '' ? undefined : buildContactTextMatch(shape, text)
  const selected = await loadCriteriaSelection(db, account, criteria ?? { all: [] }, now)
  const condition = textMatch
    ? sql`(${selected.condition} and ${masked ? textMatch.whole : textMatch.any})`
    : selected.condition
  return {
    account,
    shape,
    sorting,
    selected: { ...selected, condition },
    isWhole: criteria === null && text === '',
  }
}

/**
 * A select of one column, "contact": who criteria and a text select at the time it is run, each once. Throws 400 for what cannot be
 * read, with pointers below `/value`; `now` in milliseconds.
 */
export async function selectSearchedContacts(
  db: Db,
  account: AccountId,
  search: { criteria: unknown; query?: string | null | undefined },
  now: number,
): Promise<RawBuilder<{ contact: number }>> {
  const { criteria } = await parseCriteria(db, account, search.criteria, '/value/criteria')
  const text = search.query?.trim() ?? ''
  if (text === '') return loadMatchingContacts(db, account, criteria ?? { all: [] }, now)
  const textMatch = buildContactTextMatch(await loadContactShape(db, account), text)
  const { shared, condition } = await loadCriteriaSelection(db, account, criteria ?? { all: [] }, now)
  return sql`${shared} select c.id as contact from contacts c where c.account = ${account} and ${condition} and ${textMatch.any}`
}

/** The start of the page, and the total of the whole list if it is already known. */
async function findPageStart(
  db: Db,
  list: ContactList,
  { after, at, keys }: Pick<ContactSearchBody, 'after' | 'at'> & { keys: MasterKeys },
): Promise<{ from: ListSection['from']; known: ContactTotal | undefined }> {
  if (after != null && at != null) throw badRequestProblem('/at', 'cannot be combined with after')
  if (after != null) {
    const { total, exact, ...cursorPosition } = parseContactCursor({ ...list, keys }, after)
    return { from: { ...cursorPosition, inclusive: false }, known: { total, exact } }
  }
  if (at == null || at === 0) return { from: null, known: undefined }
  const total = await countContactList(db, list)
  const place = await findContactListPosition(db, list, { share: at, total })
  return { from: place ? { ...place, inclusive: true } : null, known: total }
}

/**
 * A page of the contacts that criteria and a text select, in the order asked for, with how many there are. `keys` seal where
 * the list goes on. Throws 400 for what cannot be read, 403 where a person who sees masked values compares addresses.
 */
export async function searchContacts(
  db: Db,
  account: AccountId,
  body: ContactSearchBody,
  { keys, ...personal }: ContactSearchViewer & { keys: MasterKeys },
): Promise<ContactSearchPage> {
  const contactList = await parseListRequest(db, account, body, personal)
  const buildDocument = createDocumentBuilder(contactList.shape, { fields: body.fields ?? undefined, bare: false })
  const limit = body.limit ?? DEFAULT_LIMIT
  const { from: pageStart, known: knownTotal } = await findPageStart(db, contactList, { ...body, keys })
  const pendingTotal = knownTotal ? undefined : countContactList(db, contactList)
  pendingTotal?.catch(() => undefined)
  const rows = await readPageRows(db, contactList, pageStart, limit + 1).catch((error) => {
    throw isStatementTimeout(error)
      ? overloadedProblem('This list takes too long to compute. Choose narrower criteria.')
      : error
  })
  const total = knownTotal ?? (await pendingTotal!)
  const pageRows = rows.slice(0, limit)
  const lastRow = pageRows.at(-1)
  return {
    items: pageRows.map(buildDocument) satisfies ContactDocument[],
    ...total,
    next:
      rows.length > limit && lastRow
        ? formatContactCursor({ ...contactList, keys }, { key: lastRow.place, id: lastRow.id, ...total })
        : null,
  }
}

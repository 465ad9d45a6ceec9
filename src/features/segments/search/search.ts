import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { maskFieldValue } from '../../../lib/text/masking.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import { type CriterionSql, isSearchedField } from '../criteria/criterion-columns.ts'
import { buildContactTextMatch } from './contact-text.ts'
import { findObjectsByName } from './objects.ts'
import type { ObjectSearchResult } from './search-schemas.ts'

const DEFAULT_LIMIT = 20
/** Maximum time in milliseconds for searching parts of addresses. */
const PART_TIMEOUT_MS = 2000
interface ContactRow {
  id: number
  unicity: string
  values: Record<string, string>
}

function buildContactSelect(
  account: AccountId,
  { condition, limit, values }: { condition: CriterionSql; limit: number; values: CriterionSql },
) {
  return sql<ContactRow>`
    select c.id, c.unicity, ${values} as values from contacts c
    where c.account = ${account} and ${condition} limit ${limit}`
}

/** The values of contacts that are searched, by field. */
function buildSearchedValues({ fields }: ContactShape): CriterionSql {
  const fieldPairs = fields
    .filter(isSearchedField)
    .map(({ id }) => sql`${String(id)}::text, c.fields->>${String(id)}::text`)
  return sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(fieldPairs)}))`
}

function foldAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/** The matched value of a contact other than its unicity, or null. */
function findMatchedValue({ unicity, values }: ContactRow, text: string): string | null {
  const digits = text.replaceAll(/\D/g, '').replace(/^00?/, '')
  const containsText = (value: string) =>
    foldAccents(value).includes(foldAccents(text)) || (digits.length > 2 && value.includes(digits))
  const otherValues = Object.values(values).filter((value) => value !== unicity)
  return otherValues.find(containsText) ?? otherValues[0] ?? null
}

/** Contacts with a part of an address, by the index of its parts where there is one; none when that takes too long. */
async function findContactRows(db: Db, statement: ReturnType<typeof buildContactSelect>): Promise<ContactRow[]> {
  try {
    return await inTransaction(db, async (tx) => {
      // Without these a part that nobody has would be looked for in every contact, in the hope of finding a few soon.
      await sql`
        select set_config('statement_timeout', ${String(PART_TIMEOUT_MS)}, true), set_config('enable_seqscan', 'off', true),
          set_config('enable_indexscan', 'off', true)`.execute(tx)
      return (await statement.execute(tx)).rows
    })
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return []
  }
}

/** Contacts that a text means: those that it names whole first, then the oldest. */
async function findTextContacts(
  db: Db,
  account: AccountId,
  text: string,
  { limit, masked }: { limit: number; masked: boolean },
): Promise<ObjectSearchResult[]> {
  const shape = await loadContactShape(db, account)
  const values = buildSearchedValues(shape)
  const { whole: wholeMatch, any: anyMatch } = buildContactTextMatch(shape, text)
  const [wholeRows, partialRows] = await Promise.all([
    findContactRows(db, buildContactSelect(account, { condition: wholeMatch, limit, values })),
    masked ? [] : findContactRows(db, buildContactSelect(account, { condition: anyMatch, limit, values })),
  ])
  const rowsById = new Map([...wholeRows, ...partialRows.toSorted((a, b) => a.id - b.id)].map((row) => [row.id, row]))
  // What is masked as the answer leaves knows numbers by their plus; here they may be digits alone.
  const maskIfRequired = (value: string): string => (masked ? maskFieldValue(value) : value)
  return [...rowsById.values()].slice(0, limit).map((row) => {
    const detail = findMatchedValue(row, text)
    return {
      type: 'contact',
      id: formatContactId(row.id),
      name: maskIfRequired(row.unicity),
      detail: detail === null ? null : maskIfRequired(detail),
    }
  })
}

/**
 * Everything that a text means: contacts by their id, unicity, addresses and parts of those, objects by their id and
 * name. Contacts have half of the places at most where there are as many objects. `masked`: only whole addresses find.
 */
export async function searchObjects(
  db: Db,
  account: AccountId,
  { q, limit = DEFAULT_LIMIT }: { q: string; limit?: number },
  masked: boolean,
): Promise<ObjectSearchResult[]> {
  const text = q.trim()
  if (text === '') return []
  const [contacts, objects] = await Promise.all([
    findTextContacts(db, account, text, { limit, masked }),
    findObjectsByName(db, account, text, limit),
  ])
  const contactLimit = Math.max(Math.ceil(limit / 2), limit - objects.length)
  const limitedContacts = contacts.slice(0, contactLimit)
  return [...limitedContacts, ...objects.slice(0, limit - limitedContacts.length)]
}

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
/** How long parts of addresses are searched. */
const PART_MS = 2000
interface ContactRow {
  id: number
  unicity: string
  values: Record<string, string>
}

function contactLeg(
  account: AccountId,
  { condition, limit, values }: { condition: CriterionSql; limit: number; values: CriterionSql },
) {
  return sql<ContactRow>`
    select c.id, c.unicity, ${values} as values from contacts c
    where c.account = ${account} and ${condition} limit ${limit}`
}

/** The values of contacts that are searched, by field. */
function searchedValues({ fields }: ContactShape): CriterionSql {
  const named = fields.filter(isSearchedField).map(({ id }) => sql`${String(id)}::text, c.fields->>${String(id)}::text`)
  return sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(named)}))`
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

/** What of a contact was found beside its unicity: the value with the text in it, or nothing. */
function detailOf({ unicity, values }: ContactRow, text: string): string | null {
  const digits = text.replaceAll(/\D/g, '').replace(/^00?/, '')
  const holds = (value: string) => folded(value).includes(folded(text)) || (digits.length > 2 && value.includes(digits))
  const others = Object.values(values).filter((value) => value !== unicity)
  return others.find(holds) ?? others[0] ?? null
}

/** Contacts with a part of an address, by the index of its parts where there is one; none when that takes too long. */
async function findParts(db: Db, statement: ReturnType<typeof contactLeg>): Promise<ContactRow[]> {
  try {
    return await inTransaction(db, async (tx) => {
      // Without these a part that nobody has would be looked for in every contact, in the hope of finding a few soon.
      await sql`
        select set_config('statement_timeout', ${String(PART_MS)}, true), set_config('enable_seqscan', 'off', true),
          set_config('enable_indexscan', 'off', true)`.execute(tx)
      return (await statement.execute(tx)).rows
    })
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return []
  }
}

/** Contacts that a text means: those that it names whole first, then the oldest. */
async function findContacts(
  db: Db,
  account: AccountId,
  text: string,
  { limit, masked }: { limit: number; masked: boolean },
): Promise<ObjectSearchResult[]> {
  const shape = await loadContactShape(db, account)
  const values = searchedValues(shape)
  const { whole, any } = buildContactTextMatch(shape, text)
  const [named, others] = await Promise.all([
    findParts(db, contactLeg(account, { condition: whole, limit, values })),
    masked ? [] : findParts(db, contactLeg(account, { condition: any, limit, values })),
  ])
  const found = new Map([...named, ...others.toSorted((a, b) => a.id - b.id)].map((row) => [row.id, row]))
  // What is masked as the answer leaves knows numbers by their plus; here they may be digits alone.
  const shown = (value: string): string => (masked ? maskFieldValue(value) : value)
  return [...found.values()].slice(0, limit).map((row) => {
    const detail = detailOf(row, text)
    return {
      type: 'contact',
      ...{ id: formatContactId(row.id), name: shown(row.unicity), detail: detail === null ? null : shown(detail) },
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
    findContacts(db, account, text, { limit, masked }),
    findObjectsByName(db, account, text, limit),
  ])
  const places = Math.max(Math.ceil(limit / 2), limit - objects.length)
  const some = contacts.slice(0, places)
  return [...some, ...objects.slice(0, limit - some.length)]
}

import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import type { ContactDocument } from '../../contacts/records/contact-schemas.ts'
import { type ContactRow, contactDocument, documentColumns } from '../../contacts/records/documents.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { loadShape } from '../../contacts/values/stored-shape.ts'
import { idsOf } from '../counts/estimate.ts'
import { readCriteria } from '../criteria/criteria.ts'
import type { Criteria } from '../criteria/criteria-types.ts'
import { loadSelected, type Selected } from '../members/audience.ts'
import { english } from '../search-words/english.ts'
import { french } from '../search-words/french.ts'
import { loadNames } from '../search-words/names.ts'
import { inWords } from '../search-words/words.ts'
import { type Personal, refusePersonal } from './personal.ts'
import type { Running } from './running.ts'
import type { Preview, PreviewBody } from './search-schemas.ts'
import { estimate, type Total } from './totals.ts'

/** How long members are counted and looked for: the answer is there within two seconds. */
const COUNT_MS = 1500
const SAMPLE = 10

interface Asked {
  account: AccountId
  shape: ContactShape
  selected: Selected
}

/** Runs a statement for so long, as a part of a preview that may be cancelled; undefined when it takes longer. */
async function within<Row>(db: Db, running: Running, work: (tx: Db) => Promise<Row>): Promise<Row | undefined> {
  try {
    return await inTransaction(db, (tx) =>
      running.cancellable(tx, async () => {
        await sql`select set_config('statement_timeout', ${String(COUNT_MS)}, true)`.execute(tx)
        return work(tx)
      }),
    )
  } catch (error) {
    running.throwIfCancelled()
    if (!isTimeout(error)) throw error
    return undefined
  }
}

async function count(db: Db, { account, selected }: Asked, running: Running): Promise<Total> {
  const statement = idsOf(account, selected)
  const total = await within(db, running, async (tx) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from (${statement}) s`.execute(tx)
    return rows[0]?.n ?? 0
  })
  if (total !== undefined) return { total, exact: true }
  return estimate(db, account, selected)
}

async function sample(db: Db, { account, shape, selected }: Asked, running: Running): Promise<ContactDocument[]> {
  const found = await within(db, running, async (tx) => {
    const { rows } = await sql<ContactRow>`
      ${selected.shared}
      select ${documentColumns} from (
        select c.id from contacts c where c.account = ${account} and ${selected.condition} order by c.id desc limit ${SAMPLE}) s
      join contacts c on c.account = ${account} and c.id = s.id order by c.id desc`.execute(tx)
    return rows
  })
  return (found ?? []).map(contactDocument(shape, { bare: false }))
}

async function words(
  db: Db,
  shape: ContactShape,
  criteria: Criteria | null,
  parent: number | null,
): Promise<Preview['words']> {
  const names = await loadNames(db, shape, { criteria, parent })
  const parentName = parent === null ? undefined : names.segment(parent)
  if (parent !== null && parentName === undefined) throw notFound('segment', parent, '/parentId')
  const told = (language: typeof english) => inWords(criteria, parentName, { names, language })
  return { en: told(english), fr: told(french) }
}

/**
 * What a dynamic segment with these criteria would be: how many, some of them, and the criteria in words. Throws 400 with
 * the faults of the criteria, notFound (parent), 403 where a person who sees masked values compares addresses, and
 * conflict when a later preview of the same caller took its place.
 */
export async function previewSegment(
  db: Db,
  account: AccountId,
  { criteria: given, parentId }: PreviewBody,
  { masked, now, running }: Personal & { running: Running },
): Promise<Preview> {
  const shape = await loadShape(db, account)
  const criteria = given === null ? null : (await readCriteria(db, account, given)).criteria
  if (masked) refusePersonal(shape, { criteria })
  const parent = parentId ?? null
  const told = await words(db, shape, criteria, parent)
  if (criteria === null) return { count: 0, exact: true, sample: [], words: told }
  const below: Criteria = parent === null ? criteria : { all: [{ type: 'segment', segment: parent }, criteria] }
  const asked = { account, shape, selected: await loadSelected(db, account, below, now) }
  const [{ total, exact }, some] = await Promise.all([count(db, asked, running), sample(db, asked, running)])
  return { count: total, exact, sample: some, words: told }
}

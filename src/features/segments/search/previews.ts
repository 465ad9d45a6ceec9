import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import type { ContactDocument } from '../../contacts/records/contact-schemas.ts'
import {
  type ContactDocumentRow,
  contactDocumentColumns,
  createDocumentBuilder,
} from '../../contacts/records/documents.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import { selectContactIds } from '../counts/estimate.ts'
import { parseCriteria } from '../criteria/criteria.ts'
import type { SegmentCriteria } from '../criteria/criteria-types.ts'
import { type CriteriaSelection, loadCriteriaSelection } from '../members/segment-audience.ts'
import { englishCriteriaLanguage } from '../search-words/english.ts'
import { frenchCriteriaLanguage } from '../search-words/french.ts'
import { loadCriteriaNames } from '../search-words/names.ts'
import { describeCriteria } from '../search-words/words.ts'
import { assertUnmaskedSearch, type ContactSearchViewer } from './personal.ts'
import type { RunningPreview } from './running.ts'
import type { DynamicSegmentPreview, SegmentPreviewBody } from './search-schemas.ts'
import { type ContactTotal, estimateContactTotal } from './totals.ts'

/** Maximum time in milliseconds for counting and finding members: the response is complete within two seconds. */
const STATEMENT_TIMEOUT_MS = 1500
const SAMPLE_SIZE = 10

interface PreviewInput {
  account: AccountId
  shape: ContactShape
  selected: CriteriaSelection
}

/** Runs a statement for so long, as a part of a preview that may be cancelled; undefined when it takes longer. */
async function runPreviewStatement<Row>(
  db: Db,
  running: RunningPreview,
  work: (tx: Db) => Promise<Row>,
): Promise<Row | undefined> {
  try {
    return await inTransaction(db, (tx) =>
      running.cancellable(tx, async () => {
        await sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`.execute(tx)
        return work(tx)
      }),
    )
  } catch (error) {
    running.throwIfCancelled()
    if (!isStatementTimeout(error)) throw error
    return undefined
  }
}

async function countPreview(
  db: Db,
  { account, selected }: PreviewInput,
  running: RunningPreview,
): Promise<ContactTotal> {
  const statement = selectContactIds(account, selected)
  const total = await runPreviewStatement(db, running, async (tx) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from (${statement}) s`.execute(tx)
    return rows[0]?.n ?? 0
  })
  if (total !== undefined) return { total, exact: true }
  return estimateContactTotal(db, account, selected)
}

async function readSample(
  db: Db,
  { account, shape, selected }: PreviewInput,
  running: RunningPreview,
): Promise<ContactDocument[]> {
  const sampleRows = await runPreviewStatement(db, running, async (tx) => {
    const { rows } = await sql<ContactDocumentRow>`
      ${selected.shared}
      select ${contactDocumentColumns} from (
        select c.id from contacts c where c.account = ${account} and ${selected.condition} order by c.id desc limit ${SAMPLE_SIZE}) s
      join contacts c on c.account = ${account} and c.id = s.id order by c.id desc`.execute(tx)
    return rows
  })
  return (sampleRows ?? []).map(createDocumentBuilder(shape, { bare: false }))
}

async function describePreview(
  db: Db,
  shape: ContactShape,
  criteria: SegmentCriteria | null,
  parent: number | null,
): Promise<DynamicSegmentPreview['words']> {
  const names = await loadCriteriaNames(db, shape, { criteria, parent })
  const parentName = parent === null ? undefined : names.segment(parent)
  if (parent !== null && parentName === undefined) throw notFoundProblem('segment', parent, '/parentId')
  const describeIn = (language: typeof englishCriteriaLanguage) =>
    describeCriteria(criteria, parentName, { names, language })
  return { en: describeIn(englishCriteriaLanguage), fr: describeIn(frenchCriteriaLanguage) }
}

/**
 * Preview of a dynamic segment with these criteria: its count, some of its members, and the criteria in words. Throws 400 with the faults
 * of the criteria, notFound (parent), 403 if a person who sees masked values compares addresses, and conflict if a later preview of the
 * same caller has replaced it.
 */
export async function previewSegment(
  db: Db,
  account: AccountId,
  { criteria: criteriaInput, parentId }: SegmentPreviewBody,
  { masked, now, running }: ContactSearchViewer & { running: RunningPreview },
): Promise<DynamicSegmentPreview> {
  const shape = await loadContactShape(db, account)
  const criteria = criteriaInput === null ? null : (await parseCriteria(db, account, criteriaInput)).criteria
  if (masked) assertUnmaskedSearch(shape, { criteria })
  const parentSegment = parentId ?? null
  const descriptions = await describePreview(db, shape, criteria, parentSegment)
  if (criteria === null) return { count: 0, exact: true, sample: [], words: descriptions }
  const combinedCriteria: SegmentCriteria =
    parentSegment === null ? criteria : { all: [{ type: 'segment', segment: parentSegment }, criteria] }
  const previewInput = { account, shape, selected: await loadCriteriaSelection(db, account, combinedCriteria, now) }
  const [{ total, exact }, sampleContacts] = await Promise.all([
    countPreview(db, previewInput, running),
    readSample(db, previewInput, running),
  ])
  return { count: total, exact, sample: sampleContacts, words: descriptions }
}

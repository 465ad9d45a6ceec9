import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { countContacts } from '../../contacts/records/contacts.ts'
import type { CriterionSql } from '../criteria/criterion-columns.ts'
import type { CriteriaSelection } from '../members/segment-audience.ts'

/** Time budget in milliseconds for sampling contacts for an estimate. */
const ESTIMATE_BUDGET_MS = 90
/** A look that takes longer than this is given up. */
const SAMPLE_TIMEOUT_MS = 150
/** Maximum time in milliseconds for planning a statement: it waits if another transaction holds a table. */
const PLAN_TIMEOUT_MS = 200
/**
 * The number of id ranges that the first sample reads, each with `CONTACTS_PER_RANGE` contacts. Each further sample reads twice as many.
 */
const FIRST_ROUND_RANGES = 64
const CONTACTS_PER_RANGE = 16
const MAX_SAMPLE_ROUNDS = 5
/** With this number of matching contacts, chance makes the share wrong by 28 % at most, 19 times out of 20. */
const MIN_SAMPLE_MATCHES = 50
/** Further looks begin elsewhere, by this share of the distance: multiples of the golden ratio fill a line evenly. */
const GOLDEN_RATIO_STEP = 0.618034

/** Planner estimate for a statement: rows, and cost in the planner's own units. */
export interface QueryPlanEstimate {
  rows: number
  cost: number
}

/** Works in a transaction whose statements may take so long each; undefined when one takes longer. */
async function runWithTimeout<T>(db: Db, timeoutMs: number, work: (tx: Db) => Promise<T>): Promise<T | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
      return work(tx)
    })
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return undefined
  }
}

/** The statement that gives the ids of selected contacts. */
export function selectContactIds(account: AccountId, { shared, condition }: CriteriaSelection): RawBuilder<unknown> {
  return sql`${shared} select c.id from contacts c where c.account = ${account} and ${condition}`
}

/** Planner estimate for a statement; `undefined` if its tables are locked. */
export async function estimateQueryPlan(
  db: Db,
  statement: RawBuilder<unknown>,
): Promise<QueryPlanEstimate | undefined> {
  return runWithTimeout(db, PLAN_TIMEOUT_MS, async (tx) => {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number; 'Total Cost': number } }] }>`
      explain (format json) ${statement}`.execute(tx)
    const rootPlan = rows[0]?.['QUERY PLAN'][0].Plan
    return { rows: rootPlan?.['Plan Rows'] ?? 0, cost: rootPlan?.['Total Cost'] ?? 0 }
  })
}

/** Contacts that were looked at, and those of them that are selected. */
interface SampleCounts {
  tested: number
  matched: number
}

/** The ids of an account, and how many contacts have them. */
export interface ContactIdSpan {
  first: number
  last: number
  contacts: number
}

/** The first and the last id of an account, and how many contacts it has. */
export async function readContactIdSpan(db: Db, account: AccountId): Promise<ContactIdSpan> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select id from contacts where account = ${account} order by id limit 1) as first,
      (select id from contacts where account = ${account} order by id desc limit 1) as last`.execute(db)
  const { first, last } = rows[0] ?? { first: null, last: null }
  return { first: first ?? 0, last: last ?? -1, contacts: await countContacts(db, account) }
}

/** Evenly spread id ranges: their width, so that each contains the expected number of contacts, and their starts. */
function spreadIdRanges(
  { first, last, contacts }: ContactIdSpan,
  count: number,
  offset: number,
): { starts: number[]; width: number } {
  const idCount = last - first + 1
  const rangeWidth = Math.max(1, Math.ceil((CONTACTS_PER_RANGE * idCount) / contacts))
  const rangeStarts = Array.from({ length: count }, (_, n) => first + Math.floor(((n + offset) * idCount) / count))
  return { starts: rangeStarts, width: rangeWidth }
}

/** Looks at the contacts of stretches: what they are selected by is asked of these alone, one by one. */
async function sampleRanges(
  tx: Db,
  account: AccountId,
  { shared, condition }: CriteriaSelection,
  { starts, width }: { starts: readonly number[]; width: number },
): Promise<SampleCounts> {
  const inStretches = (selectedColumns: CriterionSql): CriterionSql => sql`
    select ${selectedColumns} from unnest(${starts}::bigint[]) as w (start)
    join contacts c on c.account = ${account} and c.id >= w.start and c.id < w.start + ${width}::bigint`
  // The limit is never reached: it informs the planner how few they are.
  const { rows } = await sql<SampleCounts>`
    ${shared}
    select (${inStretches(sql`count(*)`)}) as tested,
      (select count(*) from (${inStretches(sql`c.*`)} limit ${starts.length * width}::bigint) c where ${condition}) as matched`.execute(
    tx,
  )
  return rows[0] ?? { tested: 0, matched: 0 }
}

/** Looks at more and more contacts, for as long as the budget lasts. */
async function sampleContacts(
  db: Db,
  account: AccountId,
  selected: CriteriaSelection,
  span: ContactIdSpan,
): Promise<SampleCounts> {
  const totalCounts: SampleCounts = { tested: 0, matched: 0 }
  const startedAt = performance.now()
  await runWithTimeout(db, SAMPLE_TIMEOUT_MS, async (tx) => {
    // Joined otherwise, whole tables would be read for a few contacts.
    await sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(
      tx,
    )
    for (let round = 0; round < MAX_SAMPLE_ROUNDS; round++) {
      const roundCounts = await sampleRanges(
        tx,
        account,
        selected,
        spreadIdRanges(span, FIRST_ROUND_RANGES * 2 ** round, (round * GOLDEN_RATIO_STEP) % 1),
      )
      totalCounts.tested += roundCounts.tested
      totalCounts.matched += roundCounts.matched
      // The next one takes twice as long as the last, and so about as long as all before it.
      if (2 * (performance.now() - startedAt) > ESTIMATE_BUDGET_MS) return
    }
  })
  return totalCounts
}

/** Bounds of the number of matching contacts by a sample: its share, plus or minus what chance may add or remove, 19 times out of 20. */
function computeBounds({ tested, matched }: SampleCounts, contacts: number): { least: number; most: number } {
  if (tested === 0) return { least: 0, most: contacts }
  const deviation = 2 * Math.sqrt(matched + 1)
  const scaleToAll = (sampled: number) => Math.min(contacts, Math.ceil((contacts * sampled) / tested))
  return { least: scaleToAll(Math.max(0, matched - deviation)), most: scaleToAll(matched + deviation) }
}

/**
 * Estimates the number of selected contacts in a tenth of a second: by their share among contacts from everywhere in the account, always
 * the same ones. If too few of them are found, the planner estimate is used, within the bounds of the sample. `undefined` if neither is
 * available.
 */
export async function estimateSelectedContacts(
  db: Db,
  account: AccountId,
  selected: CriteriaSelection,
): Promise<number | undefined> {
  const span = await readContactIdSpan(db, account)
  if (span.contacts <= 0) return 0
  const sampleCounts = await sampleContacts(db, account, selected, span)
  const { tested, matched } = sampleCounts
  if (matched >= MIN_SAMPLE_MATCHES) return Math.min(span.contacts, Math.round((span.contacts * matched) / tested))
  const planEstimate = await estimateQueryPlan(db, selectContactIds(account, selected))
  const { least, most } = computeBounds(sampleCounts, span.contacts)
  if (planEstimate) return Math.min(Math.max(planEstimate.rows, least), most)
  return tested > 0 ? Math.round((span.contacts * matched) / tested) : undefined
}

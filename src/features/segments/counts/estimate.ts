import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { countContacts } from '../../contacts/records/contacts.ts'
import type { CriterionSql } from '../criteria/criterion-columns.ts'
import type { CriteriaSelection } from '../members/audience.ts'

/** How long contacts are looked at for an estimate. */
const BUDGET_MS = 90
/** A look that takes longer than this is given up. */
const LOOK_MS = 150
/** How long a statement may be planned: it waits where another transaction holds a table. */
const PLAN_MS = 200
/** Stretches of ids that the first look reads, each with so many contacts; each further look reads twice as many. */
const STRETCHES = 64
const PER_STRETCH = 16
const LOOKS = 5
/** Of so many contacts met, chance makes the share wrong by 28 % at most, 19 times out of 20. */
const ENOUGH = 50
/** Further looks begin elsewhere, by this share of the distance: multiples of the golden ratio fill a line evenly. */
const GOLDEN = 0.618034

/** What the planner expects of a statement: rows, and what it costs in its own units. */
export interface QueryPlanEstimate {
  rows: number
  cost: number
}

/** Works in a transaction whose statements may take so long each; undefined when one takes longer. */
async function inTime<T>(db: Db, timeoutMs: number, work: (tx: Db) => Promise<T>): Promise<T | undefined> {
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

/** What the planner expects of a statement; undefined where its tables are locked. */
export async function estimateQueryPlan(
  db: Db,
  statement: RawBuilder<unknown>,
): Promise<QueryPlanEstimate | undefined> {
  return inTime(db, PLAN_MS, async (tx) => {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number; 'Total Cost': number } }] }>`
      explain (format json) ${statement}`.execute(tx)
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    return { rows: plan?.['Plan Rows'] ?? 0, cost: plan?.['Total Cost'] ?? 0 }
  })
}

/** Contacts that were looked at, and those of them that are selected. */
interface Looked {
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

/** Evenly spread stretches of ids: how long each is, so that it holds so many contacts, and where each begins. */
function stretches(
  { first, last, contacts }: ContactIdSpan,
  count: number,
  offset: number,
): { starts: number[]; width: number } {
  const ids = last - first + 1
  const width = Math.max(1, Math.ceil((PER_STRETCH * ids) / contacts))
  const starts = Array.from({ length: count }, (_, n) => first + Math.floor(((n + offset) * ids) / count))
  return { starts, width }
}

/** Looks at the contacts of stretches: what they are selected by is asked of these alone, one by one. */
async function look(
  tx: Db,
  account: AccountId,
  { shared, condition }: CriteriaSelection,
  { starts, width }: { starts: readonly number[]; width: number },
): Promise<Looked> {
  const inStretches = (what: CriterionSql): CriterionSql => sql`
    select ${what} from unnest(${starts}::bigint[]) as w (start)
    join contacts c on c.account = ${account} and c.id >= w.start and c.id < w.start + ${width}::bigint`
  // The limit is never reached: it tells the planner how few they are.
  const { rows } = await sql<Looked>`
    ${shared}
    select (${inStretches(sql`count(*)`)}) as tested,
      (select count(*) from (${inStretches(sql`c.*`)} limit ${starts.length * width}::bigint) c where ${condition}) as matched`.execute(
    tx,
  )
  return rows[0] ?? { tested: 0, matched: 0 }
}

/** Looks at more and more contacts, for as long as the budget lasts. */
async function sample(db: Db, account: AccountId, selected: CriteriaSelection, span: ContactIdSpan): Promise<Looked> {
  const sum: Looked = { tested: 0, matched: 0 }
  const started = performance.now()
  await inTime(db, LOOK_MS, async (tx) => {
    // Joined otherwise, whole tables would be read for a few contacts.
    await sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(
      tx,
    )
    for (let round = 0; round < LOOKS; round++) {
      const found = await look(tx, account, selected, stretches(span, STRETCHES * 2 ** round, (round * GOLDEN) % 1))
      sum.tested += found.tested
      sum.matched += found.matched
      // The next one takes twice as long as the last, and so about as long as all before it.
      if (2 * (performance.now() - started) > BUDGET_MS) return
    }
  })
  return sum
}

/** How many contacts there may be in all, by a sample: its share, and what chance may add or take away, 19 times out of 20. */
function boundsBy({ tested, matched }: Looked, contacts: number): { least: number; most: number } {
  if (tested === 0) return { least: 0, most: contacts }
  const deviation = 2 * Math.sqrt(matched + 1)
  const inAll = (sampled: number) => Math.min(contacts, Math.ceil((contacts * sampled) / tested))
  return { least: inAll(Math.max(0, matched - deviation)), most: inAll(matched + deviation) }
}

/**
 * How many contacts are selected, estimated in a tenth of a second: by the share of them among contacts from everywhere in
 * the account, always the same ones; where too few of them are met, by what the planner expects, within what the sample
 * allows. Undefined when neither tells.
 */
export async function estimateSelectedContacts(
  db: Db,
  account: AccountId,
  selected: CriteriaSelection,
): Promise<number | undefined> {
  const span = await readContactIdSpan(db, account)
  if (span.contacts <= 0) return 0
  const looked = await sample(db, account, selected, span)
  const { tested, matched } = looked
  if (matched >= ENOUGH) return Math.min(span.contacts, Math.round((span.contacts * matched) / tested))
  const expected = await estimateQueryPlan(db, selectContactIds(account, selected))
  const { least, most } = boundsBy(looked, span.contacts)
  if (expected) return Math.min(Math.max(expected.rows, least), most)
  return tested > 0 ? Math.round((span.contacts * matched) / tested) : undefined
}

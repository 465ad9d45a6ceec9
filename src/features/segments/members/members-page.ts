import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { estimateQueryPlan, readContactIdSpan, selectContactIds } from '../counts/estimate.ts'
import type { CriteriaSelection } from './segment-audience.ts'

/** Factor by which an id range is made larger than the page requires: the planner estimate is not exact. */
const STRETCH_MARGIN = 1.5

/** Start of a page of members (behind this id), and its size. */
interface MembersPage {
  start: number
  limit: number
}

/** The last id of a stretch that should hold a page of members; undefined where that is most of the account. */
async function estimateRangeEnd(
  db: Db,
  account: AccountId,
  selected: CriteriaSelection,
  { start, limit }: MembersPage,
): Promise<number | undefined> {
  const [{ first, last, contacts }, planEstimate] = [
    await readContactIdSpan(db, account),
    await estimateQueryPlan(db, selectContactIds(account, selected)),
  ]
  if (!planEstimate || contacts <= 0) return undefined
  const rangeIds = Math.ceil((STRETCH_MARGIN * limit * (last - first + 1)) / Math.max(planEstimate.rows, 1))
  const rangeEnd = Math.max(start, first - 1) + rangeIds
  return 2 * rangeIds < last - first ? rangeEnd : undefined
}

/**
 * A select of one column, "contact": the first members behind an id, ascending. Sorted by id, all contacts would be tested from the
 * first on. Within a stretch of ids, indexes of criteria that hold the id behind the value find those to be tested; what lies
 * behind the stretch is read only where it has too few. One statement, so all of it is of one moment.
 */
export async function selectMembersPage(
  db: Db,
  account: AccountId,
  selected: CriteriaSelection,
  page: MembersPage,
): Promise<RawBuilder<{ contact: number }>> {
  const { shared, condition } = selected
  const rangeEnd = await estimateRangeEnd(db, account, selected, page)
  const selectPageRange = (ids: RawBuilder<unknown>) => sql`
    (select c.id as contact from contacts c where c.account = ${account} and ${ids} and ${condition} order by c.id limit ${page.limit})`
  if (rangeEnd === undefined) return sql`${shared} ${selectPageRange(sql`c.id > ${page.start}`)}`
  // Of "union all" parts are read in their order, and no further than the limit.
  return sql`
    ${shared}
    select contact from (
      ${selectPageRange(sql`c.id > ${page.start} and c.id <= ${rangeEnd}`)} union all ${selectPageRange(sql`c.id > ${rangeEnd}`)}) p
    limit ${page.limit}`
}

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { estimateQueryPlan, readContactIdSpan, selectContactIds } from '../counts/estimate.ts'
import type { CriteriaSelection } from './audience.ts'

/** How many more members a stretch of ids is made for than are wanted: the planner's estimate is not exact. */
const MARGIN = 1.5

/** Where a page of members begins (behind this id), and how many it has. */
interface Page {
  start: number
  limit: number
}

/** The last id of a stretch that should hold a page of members; undefined where that is most of the account. */
async function endOfStretch(
  db: Db,
  account: AccountId,
  selected: CriteriaSelection,
  { start, limit }: Page,
): Promise<number | undefined> {
  const [{ first, last, contacts }, expected] = [
    await readContactIdSpan(db, account),
    await estimateQueryPlan(db, selectContactIds(account, selected)),
  ]
  if (!expected || contacts <= 0) return undefined
  const ids = Math.ceil((MARGIN * limit * (last - first + 1)) / Math.max(expected.rows, 1))
  const end = Math.max(start, first - 1) + ids
  return 2 * ids < last - first ? end : undefined
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
  page: Page,
): Promise<RawBuilder<{ contact: number }>> {
  const { shared, condition } = selected
  const end = await endOfStretch(db, account, selected, page)
  const leg = (ids: RawBuilder<unknown>) => sql`
    (select c.id as contact from contacts c where c.account = ${account} and ${ids} and ${condition} order by c.id limit ${page.limit})`
  if (end === undefined) return sql`${shared} ${leg(sql`c.id > ${page.start}`)}`
  // Of "union all" parts are read in their order, and no further than the limit.
  return sql`
    ${shared}
    select contact from (
      ${leg(sql`c.id > ${page.start} and c.id <= ${end}`)} union all ${leg(sql`c.id > ${end}`)}) p
    limit ${page.limit}`
}

import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { countContacts } from '../../contacts/records/contacts.ts'
import type { ContactList } from './listed.ts'
import { buildContactOrder, type ContactListPosition } from './sorting.ts'
import type { ContactTotal } from './totals.ts'

/** Maximum time in milliseconds for scanning a list for a position in it. */
const SCAN_TIMEOUT_MS = 2000

/** Within contacts of one value, so small a share of a list is as good a place as any other. */
const NEGLIGIBLE_SHARE = 0.002

/** A share of a list, 0 to 1, and the total of the list. */
interface SharePosition {
  share: number
  total: ContactTotal
}

/** Walks a list from its nearer end, those with a value or those without; undefined when it is shorter. */
async function scanToOffset(
  db: Db,
  { account, selected, sorting }: ContactList,
  { hasValue, skip, total }: { hasValue: boolean; skip: number; total: number },
): Promise<ContactListPosition | undefined> {
  const isBackward = sorting.field === undefined && skip > total / 2
  const order = buildContactOrder(isBackward ? { ...sorting, descending: !sorting.descending } : sorting, hasValue)
  const offset = isBackward ? Math.max(0, total - 1 - skip) : skip
  const valueCondition =
    sorting.field === undefined ? sql`true` : sql`${sorting.value} is ${hasValue ? sql`not null` : sql`null`}`
  const { rows } = await sql<ContactListPosition>`
    ${selected.shared}
    select ${hasValue ? sql`${sorting.key}::text` : sql`null::text`} as key, c.id from contacts c
    where c.account = ${account} and ${selected.condition} and ${valueCondition}
    order by ${order} offset ${offset} limit 1`.execute(db)
  return rows[0]
}

/** The contact at a place, by walking there: exact, in a time that grows with the place. */
async function scanToShare(
  db: Db,
  list: ContactList,
  { share, total: { total } }: SharePosition,
): Promise<ContactListPosition | undefined> {
  const skippedCount = Math.min(Math.floor(share * total), Math.max(0, total - 1))
  return inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(SCAN_TIMEOUT_MS)}, true)`.execute(tx)
    const scannedPosition = await scanToOffset(tx, list, { hasValue: true, skip: skippedCount, total })
    if (scannedPosition || list.sorting.field === undefined) return scannedPosition
    const { selected, account, sorting } = list
    const { rows } = await sql<{ n: number }>`
      ${selected.shared}
      select count(*) as n from contacts c
      where c.account = ${account} and ${selected.condition} and ${sorting.value} is not null`.execute(tx)
    const filledCount = rows[0]?.n ?? 0
    return scanToOffset(tx, list, {
      hasValue: false,
      skip: Math.max(0, skippedCount - filledCount),
      total: total - filledCount,
    })
  })
}

/** Statistics of an index at a share of the values: the value at this point, and the position among equal values. */
interface Quantile {
  /** Null: among those without a value. */
  value: string | null
  /** Position among the contacts with exactly this value, 0 to 1; 0 for a value that few have. */
  within: number
}

/**
 * The value at a share of an index, from the statistics that the planner keeps of it: frequent values with their shares of
 * the table, and steps of equal shares of the others. Undefined when there are none yet.
 */
async function readQuantile(
  db: Db,
  { sorting: { statistics, type, descending } }: ContactList,
  { share, contacts }: { share: number; contacts: number },
): Promise<Quantile | undefined> {
  const { rows } = await sql<Quantile>`
    with kept as (
      select (select reltuples from pg_class where oid = 'contacts'::regclass) as rows, e.null_frac as empty,
        e.most_common_vals::text::text[] as common, e.most_common_freqs as shares, e.histogram_bounds::text::text[] as bounds
      from pg_stats_ext_exprs e
      where e.schemaname = current_schema() and e.statistics_name = ${statistics}
        and (e.most_common_vals is not null or e.histogram_bounds is not null)),
    situation as (
      -- Shares of the table become shares of the contacts that have a value.
      select *, greatest(1 - empty, 1e-9) as filled, least(1, rows * (1 - empty) / greatest(${contacts}::float8, 1)) as part
      from kept),
    masses as (
      select c.value::${type} as value, c.share / filled as mass, true as is_common
      from situation cross join unnest(common, shares) as c (value, share)
      union all
      select b.value::${type}, (1 - coalesce((select sum(s) from unnest(shares) s), 0) / filled) / (cardinality(bounds) - 1), false
      from situation cross join unnest(bounds) with ordinality as b (value, nth) where b.nth > 1),
    summed as (
      select value, mass, is_common, sum(mass) over (order by value, is_common) as through from masses),
    sought as (
      select part, ${share}::float8 / greatest(part, 1e-9) as place,
        case when ${descending} then 1 - ${share}::float8 / greatest(part, 1e-9) else ${share}::float8 / greatest(part, 1e-9) end as quantile
      from situation)
    (select null as value, (${share}::float8 - part) / greatest(1 - part, 1e-9) as within from sought where place > 1)
    union all
    (select value::text, case when not is_common or mass < ${NEGLIGIBLE_SHARE}::float8 then 0
        when ${descending} then least(1, (through - quantile) / mass) else greatest(0, (quantile - through + mass) / mass) end
      from summed, sought where place <= 1 and through >= quantile - 1e-9 order by through limit 1)`.execute(db)
  return rows[0]
}

/** The id at a share of all contacts of an account, in the direction of the list. */
async function readIdAtShare(
  db: Db,
  account: AccountId,
  { within, contacts, descending }: { within: number; contacts: number; descending: boolean },
): Promise<number> {
  const rank = Math.min(Math.floor(within * contacts), Math.max(0, contacts - 1))
  const isBackward = descending !== rank > contacts / 2
  const offset = rank > contacts / 2 ? contacts - 1 - rank : rank
  const { rows } = await sql<{ id: number }>`
    select id from contacts where account = ${account}
    order by id ${sql.raw(isBackward ? 'desc' : 'asc')} offset ${Math.max(0, offset)} limit 1`.execute(db)
  return rows[0]?.id ?? 0
}

/** A place by the statistics of the index: ids of contacts with the same value are taken to be spread as all are. */
async function estimatePosition(db: Db, list: ContactList, share: number): Promise<ContactListPosition | undefined> {
  const { account, sorting } = list
  const contacts = await countContacts(db, account)
  const shareQuantile = await readQuantile(db, list, { share, contacts })
  if (!shareQuantile) return undefined
  const { descending } = sorting
  return {
    key: shareQuantile.value,
    id: await readIdAtShare(db, account, { within: shareQuantile.within, contacts, descending }),
  }
}

/**
 * The place that a share of a list is at. Ids and dates are walked in their index, also where criteria select; of a field,
 * statistics of its index tell it within 1 %. Where criteria make the walk too long, the place is that of the whole list,
 * as if those left out were spread evenly. Undefined for an empty list.
 */
export async function findContactListPosition(
  db: Db,
  list: ContactList,
  { share, total }: SharePosition,
): Promise<ContactListPosition | undefined> {
  const { account, isWhole } = list
  if (!isWhole) {
    try {
      return await scanToShare(db, list, { share, total })
    } catch (error) {
      if (!isStatementTimeout(error)) throw error
    }
  }
  const estimatedPosition = list.sorting.statistics === undefined ? undefined : await estimatePosition(db, list, share)
  if (estimatedPosition) return estimatedPosition
  const wholeList = { ...list, selected: { shared: sql``, condition: sql`true` } }
  return scanToShare(db, wholeList, { share, total: { total: await countContacts(db, account), exact: true } })
}

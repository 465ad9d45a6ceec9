import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { countContacts } from '../../contacts/records/contacts.ts'
import { estimateSelectedContacts, selectContactIds } from '../counts/estimate.ts'
import type { CriteriaSelection } from '../members/segment-audience.ts'

/** Maximum time in milliseconds that a reader of a list waits for its count. */
const COUNT_TIMEOUT_MS = 1000

/** The number of contacts. `exact` false: an estimate. */
export interface ContactTotal {
  total: number
  exact: boolean
}

/** Counts within a time, in a transaction of its own; undefined when that is not enough. */
export async function countWithinTimeout(
  db: Db,
  statement: RawBuilder<unknown>,
  timeoutMs: number,
): Promise<number | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
      const { rows } = await sql<{ n: number }>`select count(*) as n from (${statement}) s`.execute(tx)
      return rows[0]?.n ?? 0
    })
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return undefined
  }
}

/** An estimate, never more than there are contacts. */
export async function estimateContactTotal(
  db: Db,
  account: AccountId,
  selected: CriteriaSelection,
): Promise<ContactTotal> {
  const total = await estimateSelectedContacts(db, account, selected)
  return { total: total ?? (await countContacts(db, account)), exact: false }
}

/**
 * Counts the contacts of a list: by the maintained counter if the list contains all contacts; otherwise by counting, or by an estimate if
 * that takes long.
 */
export async function countContactList(
  db: Db,
  { account, selected, isWhole }: { account: AccountId; selected: CriteriaSelection; isWhole: boolean },
): Promise<ContactTotal> {
  if (isWhole) return { total: await countContacts(db, account), exact: true }
  const statement = selectContactIds(account, selected)
  const total = await countWithinTimeout(db, statement, COUNT_TIMEOUT_MS)
  if (total !== undefined) return { total, exact: true }
  return estimateContactTotal(db, account, selected)
}

import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { countContacts } from '../contacts/contacts.ts'
import type { Selected } from '../segments/audience.ts'

/** How long a reader of a list waits for its count. */
const COUNT_MS = 1000
/** SQLSTATE of a statement that took too long, or was cancelled. */
const CANCELLED = '57014'

/** How many contacts there are. `exact` false: the planner's estimate. */
export interface Total {
  total: number
  exact: boolean
}

/** Whether a statement took too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CANCELLED
}

/** How many rows the planner expects of a statement. */
async function estimated(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${statement}`.execute(db)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/** The statement that gives the ids of selected contacts. */
export function idsOf(account: AccountId, { shared, condition }: Selected): RawBuilder<unknown> {
  return sql`${shared} select c.id from contacts c where c.account = ${account} and ${condition}`
}

/** Counts within a time, in a transaction of its own; undefined when that is not enough. */
export async function countWithin(
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
    if (!isTimeout(error)) throw error
    return undefined
  }
}

/** An estimate, never more than there are contacts. */
export async function estimate(db: Db, account: AccountId, statement: RawBuilder<unknown>): Promise<number> {
  return Math.min(await estimated(db, statement), await countContacts(db, account))
}

/** How many contacts are in a list: from the kept counter where it holds all, else counted, or estimated where that takes long. */
export async function countSelected(
  db: Db,
  { account, selected, isWhole }: { account: AccountId; selected: Selected; isWhole: boolean },
): Promise<Total> {
  if (isWhole) return { total: await countContacts(db, account), exact: true }
  const statement = idsOf(account, selected)
  const total = await countWithin(db, statement, COUNT_MS)
  if (total !== undefined) return { total, exact: true }
  return { total: await estimate(db, account, statement), exact: false }
}

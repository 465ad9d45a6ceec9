import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection/connect.ts'

/** Rows of a table that have a value in a column. */
export interface RowEstimateTarget {
  table: 'contacts' | 'segment_members'
  column: string
  value: number
}

/** The factor by which the planner may underestimate rows before statistics are taken. */
const MAX_UNDERESTIMATE_FACTOR = 10

/** Returns the number of rows that the planner expects of a statement. */
async function estimateRows(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${statement}`.execute(db)
  return rows[0]!['QUERY PLAN'][0].Plan['Plan Rows']
}

/**
 * Takes statistics of a column when the planner expects less than a tenth of `count` rows. The server takes them by itself a minute
 * after a table has grown by a tenth: until then, or forever in a large table, rows of a new value count as one, and two such tables
 * are joined in time that grows with the square. Does nothing while something else holds the table.
 */
export async function correctRowEstimate(
  db: Db,
  { table, column, value }: RowEstimateTarget,
  count: number,
): Promise<void> {
  const [tableRef, columnRef] = [sql.table(table), sql.ref(column)]
  const estimatedRows = await estimateRows(db, sql`select from ${tableRef} where ${columnRef} = ${sql.lit(value)}`)
  if (estimatedRows * MAX_UNDERESTIMATE_FACTOR < count)
    await sql`analyze (skip_locked) ${tableRef} (${columnRef})`.execute(db)
}

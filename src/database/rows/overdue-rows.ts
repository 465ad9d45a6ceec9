import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection/connect.ts'

/** Rows counted of what is overdue, to bound the cost. */
export const MAX_OVERDUE_ROWS = 10_000

/** The number of overdue rows, up to `MAX_OVERDUE_ROWS`, and the time for which the oldest has been overdue. */
export interface OverdueRows {
  n: number
  seconds: number
}

/** Counts the rows of a query whose `at` is more than `overdueMs` before `now`. */
export async function countOverdueRows(
  db: Db,
  query: RawBuilder<unknown>,
  { now, overdueMs }: { now: Date; overdueMs: number },
): Promise<OverdueRows> {
  const { rows } = await sql<OverdueRows>`
    select count(*)::integer as n, coalesce(extract(epoch from ${now}::timestamptz - min(at)), 0)::float8 as seconds
    from (
      select at from (${query}) due where at < ${new Date(now.getTime() - overdueMs)} order by at limit ${sql.lit(MAX_OVERDUE_ROWS)}
    ) overdue`.execute(db)
  return rows[0]!
}

import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** Rows counted of what is late, to bound the cost. */
export const MOST_LATE = 10_000

/** How many rows are late, up to `MOST_LATE`, and for how long the oldest is. */
export interface LateRows {
  n: number
  seconds: number
}

/** Counts the rows of a query whose `at` is more than `lateMs` before `now`. */
export async function countLateRows(
  db: Db,
  query: RawBuilder<unknown>,
  { now, lateMs }: { now: Date; lateMs: number },
): Promise<LateRows> {
  const { rows } = await sql<LateRows>`
    select count(*)::integer as n, coalesce(extract(epoch from ${now}::timestamptz - min(at)), 0)::float8 as seconds
    from (
      select at from (${query}) due where at < ${new Date(now.getTime() - lateMs)} order by at limit ${sql.lit(MOST_LATE)}
    ) late`.execute(db)
  return rows[0]!
}

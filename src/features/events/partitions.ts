import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/**
 * Makes the monthly partitions of `events` that are missing, from last month to `monthsAhead` months from now by the
 * database's clock, and answers how many it made. Several processes may call it at once; writers are not held up.
 */
export async function ensureEventPartitions(db: Db, monthsAhead: number): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    select make_event_partitions(now() - interval '1 month', ${monthsAhead + 1}) as made`.execute(db)
  return rows[0]?.made ?? 0
}

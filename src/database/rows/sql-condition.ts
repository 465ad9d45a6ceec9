import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../connection/connect.ts'

/**
 * Returns true if an SQL condition holds, by a prepared statement of that name: for conditions that are checked often and are nearly
 * always false.
 */
export async function isSqlConditionTrue(db: Db, name: string, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`${buildPreparedPrefix(name)} select (${condition}) as holds`.execute(
    db,
  )
  return rows[0]?.holds === true
}

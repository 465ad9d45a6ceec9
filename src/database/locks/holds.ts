import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../connection/connect.ts'

/** Whether an SQL condition holds, asked by a prepared statement of that name: for what is asked often, nearly always for nothing. */
export async function isSqlConditionTrue(db: Db, name: string, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`${buildPreparedPrefix(name)} select (${condition}) as holds`.execute(
    db,
  )
  return rows[0]?.holds === true
}

import { sql } from 'kysely'
import type { Db } from '../../../src/database/connection/connect.ts'

async function counters(tx: Db, table: string): Promise<{ inOrder: number; byIndex: number }> {
  const { rows } = await sql<{ inOrder: number; byIndex: number }>`
    select seq_tup_read::float8 as "inOrder", idx_tup_fetch::float8 as "byIndex"
    from pg_stat_xact_user_tables where relname = ${table}`.execute(tx)
  return rows[0] ?? { inOrder: 0, byIndex: 0 }
}

/**
 * How many rows of a table some work reads, one after the other and by an index, and what it answers. `tx`: a transaction, as each
 * connection counts for itself; its counters may still hold what earlier transactions of it have read.
 */
export async function rowsRead<Answer>(tx: Db, table: string, work: () => Promise<Answer>) {
  const before = await counters(tx, table)
  const answer = await work()
  const after = await counters(tx, table)
  return { answer, inOrder: after.inOrder - before.inOrder, byIndex: after.byIndex - before.byIndex }
}

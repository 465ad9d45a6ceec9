import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { DatabasePool, Db } from '../../../database/connection/connect.ts'
import { insertRowsStatement } from '../columnar/rows.ts'
import type { EventStore } from '../columnar/store.ts'

/** Source and target of a copy. */
export interface EventCopyContext {
  db: Db
  pool: DatabasePool
  store: EventStore
  /** Delay behind the present; shorter in tests. */
  behindMs?: number
  /** Events of one batch, at most; fewer in tests. */
  batch?: number
}

/** The least id of an event of an instant: ids begin with their time (RFC 9562, 5.7). */
export const firstEventIdAt = (instant: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (lpad(to_hex(floor(date_part('epoch', ${instant}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`

/** Does work on one connection in one snapshot, without a limit of time. */
export async function runInSnapshot<T>(pool: DatabasePool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let copyError: Error | undefined
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    copyError = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(copyError)
  }
}

/** Sends what a statement selects, in the columns in which rows travel, under a name by which a repetition is left out. */
export async function sendEventRows(
  client: PoolClient,
  store: EventStore,
  { name, select }: { name: string; select: string },
): Promise<number> {
  const copyStream = client.query(copyTo(`copy (${select}) to stdout`))
  await store.command(
    { account: null, statement: insertRowsStatement, settings: { insert_deduplication_token: name } },
    copyStream,
  )
  return copyStream.rowCount
}

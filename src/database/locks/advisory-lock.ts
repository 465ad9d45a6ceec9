import { sql } from 'kysely'
import type { DatabasePool, Db } from '../connection/connect.ts'

/**
 * Does work under the advisory lock of a key; false, and nothing is done, when another process holds the lock. It is a
 * session lock on a connection of its own: PostgreSQL releases it when the process dies.
 */
export async function withAdvisoryLock(pool: DatabasePool, key: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  let connectionError: Error | undefined
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
      [key],
    )
    if (rows[0]?.mine !== true) return false
    try {
      await work()
      return true
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch((error: unknown) => {
        connectionError = error instanceof Error ? error : new Error(String(error))
      })
    }
  } finally {
    client.release(connectionError)
  }
}

/**
 * The same, but waits for the lock: those who try for it meanwhile do not get it before. Should the connection be lost while the
 * work goes on, another process may get the lock: the work must bear it.
 */
export async function withBlockingAdvisoryLock<T>(db: Db, key: string, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (lockConnection) => {
    const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
      lockConnection,
    )
    await sql`set statement_timeout = 0`.execute(lockConnection)
    try {
      await sql`select pg_advisory_lock(hashtextextended(${key}, 0))`.execute(lockConnection)
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${key}, 0))`.execute(lockConnection)
      await sql`select set_config('statement_timeout', ${rows[0]?.limit}, false)`.execute(lockConnection)
    }
  })
}

import type { Pool } from './connect.ts'

/**
 * Does work under the advisory lock of a key; false, and nothing is done, when another process holds the lock. It is a
 * session lock on a connection of its own: PostgreSQL releases it when the process dies.
 */
export async function withAdvisoryLock(pool: Pool, key: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  let broken: Error | undefined
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
        broken = error instanceof Error ? error : new Error(String(error))
      })
    }
  } finally {
    client.release(broken)
  }
}

import type { Pool } from './connect.ts'

/**
 * Does work that no other process may do meanwhile, named by a key; gives whether it was done. When another is at it,
 * nothing is. The lock is that of a session on a connection of its own: it ends with its process, whatever befalls that.
 */
export async function alone(pool: Pool, key: string, work: () => Promise<void>): Promise<boolean> {
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

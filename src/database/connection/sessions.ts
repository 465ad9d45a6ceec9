import type { PoolClient } from 'pg'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import type { DatabasePool } from './connect.ts'

/** The number of times that two connections are compared: a pooler may return the right session to both by chance. */
const COMPARISON_ROUNDS = 5

const SHARED_SESSIONS_ERROR =
  'STENTOR_DATABASE_URL points to a pooler that shares sessions among its clients. Set its pool_mode to session ' +
  '("A pooler" in docs/operations/postgresql.md), or use the address of PostgreSQL itself.'

async function readBackendId(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend')
  return rows[0]!.backend
}

/** True if a connection keeps its session of the server while another one is in a transaction. */
async function hasStableSessions(firstClient: PoolClient, secondClient: PoolClient): Promise<boolean> {
  const firstBackend = await readBackendId(firstClient)
  for (let round = 0; round < COMPARISON_ROUNDS; round++) {
    await secondClient.query('begin')
    const isStable =
      (await readBackendId(secondClient)) !== firstBackend && (await readBackendId(firstClient)) === firstBackend
    await secondClient.query('rollback')
    if (!isStable) return false
  }
  return true
}

/**
 * Throws an OperatorError when a pooler in transaction or statement mode is between the program and its database: the program listens,
 * locks and prepares for a session.
 */
export async function requireSessionPooling(pool: DatabasePool): Promise<void> {
  const [firstClient, secondClient] = [await pool.connect(), await pool.connect()]
  try {
    if (!(await hasStableSessions(firstClient, secondClient))) throw new OperatorError(SHARED_SESSIONS_ERROR)
  } catch (error) {
    // What PgBouncer says to `begin`.
    if (error instanceof Error && error.message.includes('statement pooling mode'))
      throw new OperatorError(SHARED_SESSIONS_ERROR)
    throw error
  } finally {
    firstClient.release()
    secondClient.release()
  }
}

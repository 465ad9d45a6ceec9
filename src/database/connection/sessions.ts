import type { PoolClient } from 'pg'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import type { DatabasePool } from './connect.ts'

/** How often two connections are compared: a pooler may give both the right session by chance. */
const ROUNDS = 5

const SHARED =
  'STENTOR_DATABASE_URL leads to a pooler that shares sessions among its clients: set its pool_mode to session ' +
  '("A pooler" in docs/operations.md), or give the address of PostgreSQL itself.'

async function backendOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend')
  return rows[0]!.backend
}

/** True if a connection keeps its session of the server while another one is in a transaction. */
async function keepSessions(one: PoolClient, other: PoolClient): Promise<boolean> {
  const own = await backendOf(one)
  for (let round = 0; round < ROUNDS; round++) {
    await other.query('begin')
    const isKept = (await backendOf(other)) !== own && (await backendOf(one)) === own
    await other.query('rollback')
    if (!isKept) return false
  }
  return true
}

/**
 * Throws an OperatorError when a pooler in transaction or statement mode is between the program and its database: the program listens,
 * locks and prepares for a session.
 */
export async function requireSessionPooling(pool: DatabasePool): Promise<void> {
  const [one, other] = [await pool.connect(), await pool.connect()]
  try {
    if (!(await keepSessions(one, other))) throw new OperatorError(SHARED)
  } catch (error) {
    // What PgBouncer says to `begin`.
    if (error instanceof Error && error.message.includes('statement pooling mode')) throw new OperatorError(SHARED)
    throw error
  } finally {
    one.release()
    other.release()
  }
}

import type { Pool, PoolClient } from 'pg'
import { isReadOnly, isUnavailable } from '../database/errors.ts'

/** SQLSTATE cannot_connect_now: the queue repeats what fails with it, and ends the process for all else. */
const CANNOT_CONNECT_NOW = '57P03'

/**
 * A pool for the queue, which writes the end of a job without anybody to hear that it could not: a database that is away
 * would end the process. Until `signal` is aborted its errors come in the one form that the queue waits for.
 */
export function patientPool(pool: Pool, signal: AbortSignal): Pool {
  function translate(error: unknown): never {
    if (signal.aborted || !isUnavailable(error)) throw error
    throw Object.assign(new Error('The database cannot be reached.', { cause: error }), { code: CANNOT_CONNECT_NOW })
  }
  async function connect(): Promise<PoolClient> {
    const client = await pool.connect().catch(translate)
    let isUseless = false
    const query = (...words: Parameters<PoolClient['query']>) =>
      Promise.resolve(client.query(...words)).catch((error) => {
        isUseless ||= isReadOnly(error)
        translate(error)
      })
    const release = (error?: Error | boolean) => client.release(error ?? isUseless)
    return Object.create(client, { query: { value: query }, release: { value: release } })
  }
  const either = (...callback: [] | Parameters<Pool['connect']>) =>
    callback.length === 0 ? connect() : pool.connect(...callback)
  return Object.create(pool, { connect: { value: either } })
}

import type { Pool, PoolClient } from 'pg'
import { isReadOnly, isUnavailable } from '../database/errors.ts'

/** SQLSTATE cannot_connect_now: the queue repeats what fails with it, and ends the process for all else. */
const CANNOT_CONNECT_NOW = '57P03'

/** How a queue stands with its connections. */
export interface Connecting {
  /** Once aborted errors come as they are: the queue is to end, and waits for nothing. */
  ending: AbortSignal
  /** Once aborted its statements go nowhere: the jobs are no longer its own, and it has nothing to say of them. */
  lost: AbortSignal
  /** What its statements wait for. */
  ready(): Promise<void>
}

const NO_ROWS = { rows: [], rowCount: 0 }
/** Answers everything with no rows. */
const nowhere = { query: async () => NO_ROWS, release: () => undefined } as unknown as PoolClient

/**
 * A pool for the queue, which writes the end of a job without anybody to hear that it could not: a database that is away
 * would end the process. Until the queue is to end its errors come in the one form that it waits for.
 */
export function poolWithTimeouts(pool: Pool, { ending, lost, ready }: Connecting): Pool {
  async function attempt<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return lost.aborted ? otherwise : await work()
    } catch (error) {
      if (lost.aborted) return otherwise
      if (ending.aborted || !isUnavailable(error)) throw error
      throw Object.assign(new Error('The database cannot be reached.', { cause: error }), { code: CANNOT_CONNECT_NOW })
    }
  }
  async function connect(): Promise<PoolClient> {
    await ready()
    const client = await pool.connect()
    let isUseless = false
    const ask = (...words: Parameters<PoolClient['query']>) =>
      Promise.resolve(client.query(...words)).catch((error) => {
        isUseless ||= isReadOnly(error)
        throw error
      })
    const query = (...words: Parameters<PoolClient['query']>) => attempt<unknown>(() => ask(...words), NO_ROWS)
    const release = (error?: Error | boolean) => client.release(error ?? isUseless)
    return Object.create(client, { query: { value: query }, release: { value: release } })
  }
  const either = (...callback: [] | Parameters<Pool['connect']>) =>
    callback.length === 0 ? attempt(connect, nowhere) : pool.connect(...callback)
  return Object.create(pool, { connect: { value: either } })
}

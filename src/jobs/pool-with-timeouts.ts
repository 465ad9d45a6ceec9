import type { Pool, PoolClient } from 'pg'
import { isDatabaseUnavailable, isReadOnlyDbError } from '../database/errors.ts'

/** SQLSTATE cannot_connect_now: the queue retries what fails with it, and ends the process for any other error. */
const CANNOT_CONNECT_NOW = '57P03'

/** The state of a worker, as its queue needs it. */
export interface WorkerSignals {
  /** Once aborted, errors are not translated: the queue is to end, and must not retry. */
  ending: AbortSignal
  /** Once aborted, statements are discarded: the jobs are no longer its own. */
  lost: AbortSignal
  /** Resolves when the worker is registered; statements wait for it. */
  ready(): Promise<void>
}

const EMPTY_RESULT = { rows: [], rowCount: 0 }
/** A connection that discards every statement. */
const discardingClient = { query: async () => EMPTY_RESULT, release: () => undefined } as unknown as PoolClient

/**
 * A pool for the queue, which does not handle a failure to write the end of a job: a database that is away would end the
 * process. Until the queue is to end, such errors are translated into the one SQLSTATE that it retries.
 */
export function createQueuePool(pool: Pool, { ending, lost, ready }: WorkerSignals): Pool {
  async function tryOrElse<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return lost.aborted ? otherwise : await work()
    } catch (error) {
      if (lost.aborted) return otherwise
      if (ending.aborted || !isDatabaseUnavailable(error)) throw error
      throw Object.assign(new Error('The database cannot be reached.', { cause: error }), { code: CANNOT_CONNECT_NOW })
    }
  }
  async function connectClient(): Promise<PoolClient> {
    await ready()
    const client = await pool.connect()
    let isBroken = false
    const runStatement = (...statement: Parameters<PoolClient['query']>) =>
      Promise.resolve(client.query(...statement)).catch((error) => {
        isBroken ||= isReadOnlyDbError(error)
        throw error
      })
    const query = (...statement: Parameters<PoolClient['query']>) =>
      tryOrElse<unknown>(() => runStatement(...statement), EMPTY_RESULT)
    const releaseClient = (error?: Error | boolean) => client.release(error ?? isBroken)
    return Object.create(client, { query: { value: query }, release: { value: releaseClient } })
  }
  const callOrPromise = (...callback: [] | Parameters<Pool['connect']>) =>
    callback.length === 0 ? tryOrElse(connectClient, discardingClient) : pool.connect(...callback)
  return Object.create(pool, { connect: { value: callOrPromise } })
}

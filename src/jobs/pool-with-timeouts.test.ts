import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../database/connect.ts'
import { poolWithTimeouts, type WorkerSignals } from './pool-with-timeouts.ts'

/** No server listens there. */
const AWAY = 'postgres://nobody@127.0.0.1:9/nothing'

const { signal } = new AbortController()
const worker: WorkerSignals = { ending: signal, lost: signal, ready: async () => undefined }

test('an unreachable database is reported by the SQLSTATE that the queue retries', async () => {
  const { pool, close } = connect(AWAY)
  await assert.rejects(poolWithTimeouts(pool, worker).connect(), { code: '57P03' })
  await close()
})

test('once the queue is to end its errors are not translated, so that nothing is retried', async () => {
  const { pool, close } = connect(AWAY)
  await assert.rejects(poolWithTimeouts(pool, { ...worker, ending: AbortSignal.abort() }).connect(), {
    code: 'ECONNREFUSED',
  })
  await close()
})

test('once its jobs are no longer its own the statements of the queue are discarded', async () => {
  const { pool, close } = connect(AWAY)
  const client = await poolWithTimeouts(pool, { ...worker, lost: AbortSignal.abort() }).connect()
  assert.deepEqual(await client.query('select 1'), { rows: [], rowCount: 0 })
  client.release()
  await close()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabasePool } from '../database/connection/connect.ts'
import { createQueuePool, type WorkerSignals } from './pool-with-timeouts.ts'

/** No server listens there. */
const AWAY = 'postgres://nobody@127.0.0.1:9/nothing'

const { signal } = new AbortController()
const worker: WorkerSignals = { ending: signal, lost: signal, ready: async () => undefined }

test('an unreachable database is reported with the SQLSTATE that the queue retries', async () => {
  const { pool, close } = openDatabasePool(AWAY)
  await assert.rejects(createQueuePool(pool, worker).connect(), { code: '57P03' })
  await close()
})

test('errors are not translated once the queue is stopping, so that nothing is retried', async () => {
  const { pool, close } = openDatabasePool(AWAY)
  await assert.rejects(createQueuePool(pool, { ...worker, ending: AbortSignal.abort() }).connect(), {
    code: 'ECONNREFUSED',
  })
  await close()
})

test("the queue's statements are discarded once its jobs belong to another worker", async () => {
  const { pool, close } = openDatabasePool(AWAY)
  const client = await createQueuePool(pool, { ...worker, lost: AbortSignal.abort() }).connect()
  assert.deepEqual(await client.query('select 1'), { rows: [], rowCount: 0 })
  client.release()
  await close()
})

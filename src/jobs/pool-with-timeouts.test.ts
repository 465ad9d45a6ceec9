import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../database/connect.ts'
import { type Connecting, poolWithTimeouts } from './pool-with-timeouts.ts'

/** Nobody listens there. */
const AWAY = 'postgres://nobody@127.0.0.1:9/nothing'

const { signal } = new AbortController()
const standing: Connecting = { ending: signal, lost: signal, ready: async () => undefined }

test('a database that is away is told in the form that the queue waits for', async () => {
  const { pool, close } = connect(AWAY)
  await assert.rejects(poolWithTimeouts(pool, standing).connect(), { code: '57P03' })
  await close()
})

test('is told as it is once the queue is to end, so that nobody waits', async () => {
  const { pool, close } = connect(AWAY)
  await assert.rejects(poolWithTimeouts(pool, { ...standing, ending: AbortSignal.abort() }).connect(), {
    code: 'ECONNREFUSED',
  })
  await close()
})

test('of jobs that are no longer its own the queue says nothing to anybody', async () => {
  const { pool, close } = connect(AWAY)
  const client = await poolWithTimeouts(pool, { ...standing, lost: AbortSignal.abort() }).connect()
  assert.deepEqual(await client.query('select 1'), { rows: [], rowCount: 0 })
  client.release()
  await close()
})

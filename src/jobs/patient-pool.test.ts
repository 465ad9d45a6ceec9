import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../database/connect.ts'
import { patientPool } from './patient-pool.ts'

/** Nobody listens there. */
const AWAY = 'postgres://nobody@127.0.0.1:9/nothing'

test('a database that is away is told in the form that the queue waits for', async () => {
  const { pool, close } = connect(AWAY)
  await assert.rejects(patientPool(pool, new AbortController().signal).connect(), { code: '57P03' })
  await close()
})

test('is told as it is once the queue is to end, so that nobody waits', async () => {
  const { pool, close } = connect(AWAY)
  await assert.rejects(patientPool(pool, AbortSignal.abort()).connect(), { code: 'ECONNREFUSED' })
  await close()
})

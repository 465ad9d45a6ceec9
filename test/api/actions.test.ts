import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startHarness } from '../harness.ts'

const { call } = await startHarness()

suite('actions › create', () => {
  test('keeps an action of which type and name are given, in state 10', async () => {
    const { status, body } = await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Bare' } })
    assert.equal(status, 200)
    console.log(JSON.stringify(body, null, 1))
  })
})

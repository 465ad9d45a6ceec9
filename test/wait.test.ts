import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eventually } from './wait.ts'

suite('eventually', () => {
  test('gives the first answer that is neither undefined nor false, and takes an error for none', async () => {
    const answers = [() => undefined, () => false as const, () => assert.fail('not yet'), () => 0, () => 1]
    assert.equal(await eventually(() => answers.shift()!()), 0)
    assert.equal(answers.length, 1)
  })

  test('ends with the question and its last error when the time is over', async () => {
    const cause = new Error('away')
    await assert.rejects(
      eventually(() => Promise.reject(cause), 10),
      { message: 'not in time: () => Promise.reject(cause)', cause },
    )
  })

  test('ends when its signal does', async () => {
    await assert.rejects(
      eventually(() => false, AbortSignal.timeout(10)),
      /not in time/,
    )
  })
})

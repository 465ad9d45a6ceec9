import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadOnce } from './load-once.ts'

describe('loadOnce', () => {
  it('shares one result among all calls, and repeats a failed attempt with the next call', async () => {
    let attempts = 0
    const read = loadOnce(async () => {
      attempts++
      if (attempts === 1) throw new Error('unavailable')
      return attempts
    })
    const failures = await Promise.allSettled([read(), read()])
    assert.deepEqual(
      failures.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.deepEqual(await Promise.all([read(), read()]), [2, 2])
    assert.equal(await read(), 2)
    assert.equal(attempts, 2)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoize } from './memoize.ts'

describe('memoized function', () => {
  it('is called once for each cached argument and never caches more than its limit', () => {
    const asked: number[] = []
    const square = memoize(2, (number: number) => {
      asked.push(number)
      return number * number
    })
    assert.deepEqual([3, 3, 4, 3, 4].map(square), [9, 9, 16, 9, 16])
    assert.deepEqual(asked, [3, 4])
    // The third one takes the place of the one that was used longest ago.
    assert.deepEqual([5, 4, 5, 3].map(square), [25, 16, 25, 9])
    assert.deepEqual(asked, [3, 4, 5, 3])
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { mapConcurrently } from './map-at-once.ts'

suite('mapAtOnce', () => {
  test('works on at most N items at once, begins in order and returns results in order', async () => {
    const begun: number[] = []
    let active = 0
    let most = 0
    const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (turns, index) => {
      begun.push(index)
      most = Math.max(most, ++active)
      for (let n = 0; n < turns; n++) await setImmediate()
      active--
      return turns * 10
    })
    assert.deepEqual([results, begun, most], [[50, 10, 40, 20, 30], [0, 1, 2, 3, 4], 2])
    assert.deepEqual(await mapConcurrently([], 2, async () => 1), [])
  })

  test('begins nothing after a failure and waits for the items in progress', async () => {
    const ended: number[] = []
    const work = mapConcurrently([0, 1, 2, 3], 2, async (n) => {
      if (n === 1) throw new Error('no')
      for (let turn = 0; turn < 3; turn++) await setImmediate()
      ended.push(n)
    })
    await assert.rejects(work, /no/)
    assert.deepEqual(ended, [0])
  })
})

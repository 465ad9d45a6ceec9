import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBursts, type LinkHit } from './bursts.ts'

function hits(...given: [link: number, hitAt: number, stamp?: string][]): LinkHit[] {
  return given.map(([link, hitAt, stamp = 's'], n) => ({ event: String(n), stamp, link, hitAt }))
}

test('three different links of one stamp within 2 s are a burst and all of them are flagged', () => {
  assert.deepEqual([...findBursts(hits([1, 0], [2, 900], [3, 2000]))], ['0', '1', '2'])
  assert.deepEqual([...findBursts(hits([1, 0], [2, 900], [2, 950], [3, 1000], [3, 9000]))], ['0', '1', '2', '3'])
})

test('two links, or three over a longer time, are not a burst', () => {
  assert.equal(findBursts(hits([1, 0], [2, 1], [1, 2], [2, 3], [1, 4])).size, 0)
  assert.equal(findBursts(hits([1, 0], [2, 900], [3, 2001])).size, 0)
})

test('links of different stamps are counted separately', () => {
  assert.equal(findBursts(hits([1, 0, 'a'], [2, 1, 'a'], [3, 2, 'b'])).size, 0)
})

test('overlapping windows flag each hit once, whatever the order of the hits', () => {
  const found = findBursts(hits([3, 1500], [4, 3000], [5, 3400], [1, 0], [2, 900]))
  assert.deepEqual([...found].sort(), ['0', '1', '2', '3', '4'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStillWaiting } from './clock.ts'

test('what waits until a time waits up to then, and for as long as it ever does at most', () => {
  const waits = (until: number) => isStillWaiting(until, { now: 1000, longestMs: 60 })
  assert.deepEqual([999, 1000, 1001, 1060, 1061, 3_601_000].map(waits), [false, false, true, true, false, false])
})

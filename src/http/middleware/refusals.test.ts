import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRefusalCounter } from './refusals.ts'

test('refusals of a kind are reported at once, then once a minute with how many there were', () => {
  const count = createRefusalCounter()
  assert.equal(count('overloaded', 0), 1)
  assert.equal(count('unavailable', 1), 1)
  for (const now of [1, 30_000, 59_999]) assert.equal(count('overloaded', now), undefined)
  assert.equal(count('overloaded', 60_000), 4)
  assert.equal(count('overloaded', 60_001), undefined)
  assert.equal(count('overloaded', 500_000), 2)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBadTokenLimiter } from './bad-token-limiter.ts'

test('100 bad tokens a minute are accepted from one address and more are refused until the minute is over', () => {
  const isTooMany = openBadTokenLimiter()
  for (let n = 0; n < 100; n++) assert.equal(isTooMany('203.0.113.1', n), false)
  assert.equal(isTooMany('203.0.113.1', 100), true)
  assert.equal(isTooMany('203.0.113.2', 100), false)
  assert.equal(isTooMany('203.0.113.1', 59_999), true)
  assert.equal(isTooMany('203.0.113.1', 60_000), false)
})

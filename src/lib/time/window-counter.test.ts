import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createWindowCounter } from './window-counter.ts'

const MINUTE_MS = 60_000

suite('a window counter', () => {
  test('allows its maximum for a name, then returns how long to wait until the window is over', () => {
    const waitMs = createWindowCounter(100, MINUTE_MS)
    for (let n = 0; n < 100; n++) assert.equal(waitMs('203.0.113.1', n), 0)
    assert.equal(waitMs('203.0.113.1', 100), 59_900)
    assert.equal(waitMs('203.0.113.2', 100), 0)
    assert.equal(waitMs('203.0.113.1', 59_999), 1)
    assert.equal(waitMs('203.0.113.1', 60_000), 0)
  })

  test('begins a new window when the clock was put back', () => {
    const waitMs = createWindowCounter(1, MINUTE_MS)
    assert.equal(waitMs('203.0.113.1', MINUTE_MS), 0)
    assert.equal(waitMs('203.0.113.1', 0), 0)
    assert.equal(waitMs('203.0.113.1', 1), MINUTE_MS - 1)
  })

  test('forgets the window that began first when there are too many names', () => {
    const waitMs = createWindowCounter(1, MINUTE_MS, 2)
    waitMs('first', 0)
    waitMs('second', 1)
    assert.equal(waitMs('first', 2), MINUTE_MS - 2)
    assert.equal(waitMs('third', 3), 0)
    assert.ok(waitMs('second', 4) > 0)
    assert.equal(waitMs('first', 5), 0)
  })

  test('that allows none asks everybody to wait', () => {
    assert.equal(createWindowCounter(0, MINUTE_MS)('203.0.113.1', 0), MINUTE_MS)
  })
})

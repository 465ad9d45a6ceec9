import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHostWaitTimer } from './guard.ts'

test('patience with the host ends when all waits together have taken its time, and the time between them does not count', (t) => {
  let [now, over] = [0, 0]
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const patience = createHostWaitTimer(100, () => over++)
  const pass = (ms: number): void => {
    now += ms
    t.mock.timers.tick(ms)
  }
  for (const wait of [40, 50]) {
    patience.begin()
    pass(wait)
    patience.end()
    pass(1000)
  }
  patience.begin()
  pass(9)
  assert.equal(over, 0)
  pass(1)
  assert.equal(over, 1)
})

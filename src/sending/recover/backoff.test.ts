import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getRetryDelayMs } from './backoff.ts'

describe('retry delay', () => {
  const seconds = (kind: 'message' | 'campaign', attempts: number, random = 0.5) =>
    getRetryDelayMs({ kind, attempts }, () => random) / 1000

  it('doubles up to a limit and is shorter for single messages than for campaigns', () => {
    const tries = [0, 1, 2, 20]
    assert.deepEqual(
      tries.map((attempts) => seconds('message', attempts)),
      [15, 30, 60, 3600],
    )
    assert.deepEqual(
      tries.map((attempts) => seconds('campaign', attempts)),
      [30, 60, 120, 14_400],
    )
  })

  it('varies by a fifth in either direction', () => {
    assert.deepEqual([seconds('message', 0, 0), seconds('message', 0, 1)], [12, 18])
  })
})

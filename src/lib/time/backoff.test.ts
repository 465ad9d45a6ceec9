import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Backoff,
  countFailure,
  createCircuit,
  delayAfter,
  FIFTH_JITTER,
  FULL_JITTER,
  NO_JITTER,
  openFor,
  readRetryAfter,
  resetFailures,
  waitOf,
} from './backoff.ts'

const NOW = Date.UTC(2026, 0, 1)

describe('backoff', () => {
  it('doubles its first delay up to a limit', () => {
    const backoff: Backoff = { firstMs: 100, maxMs: 1000, jitter: NO_JITTER }
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5000].map((failures) => delayAfter(backoff, failures)),
      [100, 200, 400, 800, 1000, 1000],
    )
  })

  it('uses the listed delays and repeats the last one', () => {
    const backoff: Backoff = { delaysMs: [5, 30, 120], jitter: NO_JITTER }
    assert.deepEqual(
      [0, 1, 2, 3, 100].map((failures) => delayAfter(backoff, failures)),
      [5, 30, 120, 120, 120],
    )
  })

  it('varies between the factors of its jitter', () => {
    const delays = { firstMs: 1000, maxMs: 1000 }
    const spread = (jitter: Backoff['jitter']) => [0, 0.5, 1].map((r) => delayAfter({ ...delays, jitter }, 0, () => r))
    assert.deepEqual(spread(FIFTH_JITTER), [800, 1000, 1200])
    assert.deepEqual(spread(FULL_JITTER), [0, 500, 1000])
  })
})

describe('Retry-After', () => {
  it('is read as seconds or a date, up to an hour', () => {
    assert.equal(readRetryAfter('120', NOW), 120_000)
    assert.equal(readRetryAfter(' 120 ', NOW), 120_000)
    assert.equal(readRetryAfter(new Date(NOW + 30_000).toUTCString(), NOW), 30_000)
    assert.equal(readRetryAfter(new Date(NOW - 30_000).toUTCString(), NOW), 0)
    assert.equal(readRetryAfter('9'.repeat(400), NOW), 3_600_000)
    for (const value of [undefined, '', 'soon', '-']) assert.equal(readRetryAfter(value, NOW), undefined)
  })
})

describe('circuit breaker', () => {
  const backoff: Backoff = { firstMs: 1000, maxMs: 60_000, jitter: NO_JITTER }

  it('stays open for longer after each failure until a success', () => {
    const circuit = createCircuit()
    assert.equal(waitOf(circuit, 0), 0)
    const fail = (now: number) => openFor(circuit, countFailure(circuit, backoff), 'refused', now)
    fail(0)
    assert.deepEqual([waitOf(circuit, 0.5), waitOf(circuit, 1000), circuit.lastFault], [1000, 0, 'refused'])
    fail(1000)
    assert.equal(waitOf(circuit, 1000), 2000)
    resetFailures(circuit)
    fail(5000)
    assert.equal(waitOf(circuit, 5000), 1000)
  })

  it('is not closed earlier by a shorter delay', () => {
    const circuit = createCircuit()
    openFor(circuit, 60_000, 'asked to wait', 0)
    openFor(circuit, 1000, 'refused', 0)
    assert.equal(waitOf(circuit, 0), 60_000)
  })
})

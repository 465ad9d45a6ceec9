import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type BackoffPolicy,
  circuitWaitMs,
  computeBackoffDelay,
  countCircuitFailure,
  createCircuitBreaker,
  FIFTH_JITTER,
  FULL_JITTER,
  NO_JITTER,
  openCircuitBreaker,
  parseRetryAfter,
  resetCircuitBreaker,
} from './backoff.ts'

const NOW = Date.UTC(2026, 0, 1)

describe('backoff', () => {
  it('doubles its first delay up to a limit', () => {
    const backoff: BackoffPolicy = { firstMs: 100, maxMs: 1000, jitter: NO_JITTER }
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5000].map((failures) => computeBackoffDelay(backoff, failures)),
      [100, 200, 400, 800, 1000, 1000],
    )
  })

  it('uses the listed delays and repeats the last one', () => {
    const backoff: BackoffPolicy = { delaysMs: [5, 30, 120], jitter: NO_JITTER }
    assert.deepEqual(
      [0, 1, 2, 3, 100].map((failures) => computeBackoffDelay(backoff, failures)),
      [5, 30, 120, 120, 120],
    )
  })

  it('varies between the factors of its jitter', () => {
    const delays = { firstMs: 1000, maxMs: 1000 }
    const spread = (jitter: BackoffPolicy['jitter']) =>
      [0, 0.5, 1].map((r) => computeBackoffDelay({ ...delays, jitter }, 0, () => r))
    assert.deepEqual(spread(FIFTH_JITTER), [800, 1000, 1200])
    assert.deepEqual(spread(FULL_JITTER), [0, 500, 1000])
  })
})

describe('Retry-After', () => {
  it('is read as seconds or a date, up to an hour', () => {
    assert.equal(parseRetryAfter('120', NOW), 120_000)
    assert.equal(parseRetryAfter(' 120 ', NOW), 120_000)
    assert.equal(parseRetryAfter(new Date(NOW + 30_000).toUTCString(), NOW), 30_000)
    assert.equal(parseRetryAfter(new Date(NOW - 30_000).toUTCString(), NOW), 0)
    assert.equal(parseRetryAfter('9'.repeat(400), NOW), 3_600_000)
    for (const value of [undefined, '', 'soon', '-']) assert.equal(parseRetryAfter(value, NOW), undefined)
  })
})

describe('circuit breaker', () => {
  const backoff: BackoffPolicy = { firstMs: 1000, maxMs: 60_000, jitter: NO_JITTER }

  it('stays open for longer after each failure until a success', () => {
    const circuit = createCircuitBreaker()
    assert.equal(circuitWaitMs(circuit, 0), 0)
    const fail = (now: number) => openCircuitBreaker(circuit, countCircuitFailure(circuit, backoff), 'refused', now)
    fail(0)
    assert.deepEqual(
      [circuitWaitMs(circuit, 0.5), circuitWaitMs(circuit, 1000), circuit.lastFault],
      [1000, 0, 'refused'],
    )
    fail(1000)
    assert.equal(circuitWaitMs(circuit, 1000), 2000)
    resetCircuitBreaker(circuit)
    fail(5000)
    assert.equal(circuitWaitMs(circuit, 5000), 1000)
  })

  it('is not closed earlier by a shorter delay', () => {
    const circuit = createCircuitBreaker()
    openCircuitBreaker(circuit, 60_000, 'asked to wait', 0)
    openCircuitBreaker(circuit, 1000, 'refused', 0)
    assert.equal(circuitWaitMs(circuit, 0), 60_000)
  })
})

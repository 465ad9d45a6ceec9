import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { computeNextWebhookTry, parseWebhookRetryAfter } from './schedule.ts'

const HOUR = 3600 * 1000
const NOW = Date.UTC(2026, 0, 1)

suite('webhook retry schedule', () => {
  test('waits 5 s to 8 h and ends within 72 h of the first attempt', () => {
    const waits: number[] = []
    let now = NOW
    for (let tries = 1; ; tries++) {
      const at = computeNextWebhookTry({ tries, firstAt: NOW, holdUntil: null }, now, 0.5)
      if (at === undefined) break
      waits.push((at - now) / 1000)
      now = at
    }
    assert.deepEqual(waits.slice(0, 9), [5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800])
    assert.ok(waits.slice(9).every((wait) => wait === 28800))
    assert.ok(now - NOW > 64 * HOUR && now - NOW <= 72 * HOUR)
  })

  test('varies each wait by at most 20 %', () => {
    const first = { tries: 1, firstAt: NOW, holdUntil: null }
    assert.equal(computeNextWebhookTry(first, NOW, 0), NOW + 4000)
    assert.equal(computeNextWebhookTry(first, NOW, 1), NOW + 6000)
  })

  test('waits for the end of a hold', () => {
    assert.equal(computeNextWebhookTry({ tries: 1, firstAt: NOW, holdUntil: NOW + 60_000 }, NOW, 0.5), NOW + 60_000)
    assert.equal(computeNextWebhookTry({ tries: 1, firstAt: NOW, holdUntil: NOW + 1 }, NOW, 0.5), NOW + 5000)
  })

  test('holds after 429 and 503 as long as Retry-After says, up to an hour', () => {
    assert.equal(parseWebhookRetryAfter(429, '120', NOW), NOW + 120_000)
    assert.equal(parseWebhookRetryAfter(503, new Date(NOW + 30_000).toUTCString(), NOW), NOW + 30_000)
    assert.equal(parseWebhookRetryAfter(503, '86400', NOW), NOW + HOUR)
    assert.equal(parseWebhookRetryAfter(500, '120', NOW), null)
    assert.equal(parseWebhookRetryAfter(429, 'soon', NOW), null)
    assert.equal(parseWebhookRetryAfter(429, undefined, NOW), null)
  })
})

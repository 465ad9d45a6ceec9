import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { waitOf } from '../../lib/time/backoff.ts'
import { createStanding, note } from './standing.ts'
import type { Verdict } from './verdict.ts'

test('a message waits exactly as long as Retry-After says, whenever the response arrives', () => {
  const random = seeded(7)
  for (let n = 0; n < 1000; n++) {
    const now = random() * 100_000 + random() / 1000
    const standing = createStanding()
    const verdict: Verdict = { what: 'busy', reply: 'slow down', code: '429', retryAfter: '3' }
    assert.equal(note(standing, verdict, { beganAt: now, now, date: 0, attempts: 0 }), 3000)
    assert.equal(waitOf(standing.circuit, now), 3000)
  }
})

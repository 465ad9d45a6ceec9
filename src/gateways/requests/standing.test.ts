import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { circuitWaitMs } from '../../lib/time/backoff.ts'
import { createRemoteStatus, recordRequestVerdict } from './standing.ts'
import type { ReplyVerdict } from './verdict.ts'

test('a message waits exactly as long as Retry-After says, whenever the response arrives', () => {
  const random = seeded(7)
  for (let n = 0; n < 1000; n++) {
    const now = random() * 100_000 + random() / 1000
    const standing = createRemoteStatus()
    const verdict: ReplyVerdict = { what: 'busy', reply: 'slow down', code: '429', retryAfter: '3' }
    assert.equal(recordRequestVerdict(standing, verdict, { beganAt: now, now, date: 0, attempts: 0 }), 3000)
    assert.equal(circuitWaitMs(standing.circuit, now), 3000)
  }
})

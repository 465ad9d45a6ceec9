import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSpooledHit, type TrackingHit } from './hits.ts'

const request = {
  time: 1,
  address: null,
  userAgent: null,
  visitor: null,
  verdict: { classification: null, early: null },
}
const members = {
  account: 1,
  version: 3,
  contact: 7,
  stamp: '019512a0-7c11-7d2e-9a42-0c1de0a5b001',
  link: 2,
  test: false,
}

test('a hit spooled before other sources existed belongs to an action', () => {
  const hit = { ...request, type: 'redirection' as const, url: 'https://shop.example/' }
  assert.deepEqual(parseSpooledHit({ ...hit, token: { ...members, action: 12 } }), {
    ...hit,
    token: { ...members, sourceKind: 'action', source: 12 },
  })
})

test('other spooled hits are read as they are', () => {
  const mail: TrackingHit = {
    ...request,
    type: 'open',
    url: null,
    token: { ...members, sourceKind: 'rcs', source: 41 },
  }
  const display: TrackingHit = {
    ...request,
    channel: 'display',
    type: 'impression',
    url: null,
    token: { account: 1, content: 1, placement: 2, contact: null, stamp: members.stamp, isJoined: false },
  }
  for (const hit of [mail, display]) assert.deepEqual(parseSpooledHit(JSON.parse(JSON.stringify(hit))), hit)
})

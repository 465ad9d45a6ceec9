import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type RbmPeer, startRbmPeer } from '#test/fakes/rcs/rbm-peer.ts'
import { rbmError } from '#test/fakes/rcs/rbm-peer-api.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { RcsGateway } from '../rcs.ts'
import { openRcsProviderGateway } from '../rcs-profile.ts'
import { planRcsLookup } from './regions.ts'

const agent = 'orchard_fr_k2'
const phone = '+33639980012'

async function withPeer(work: (peer: RbmPeer, gateway: RcsGateway) => Promise<void>): Promise<void> {
  const peer = await startRbmPeer()
  const provider = {
    type: 'google-rbm' as const,
    baseUrl: `${peer.url}/`,
    tokenUrl: `${peer.url}/token`,
    credentials: peer.account,
  }
  const context = { clock: systemClock, reach: createOutboundPolicy([peer.host]), dataDir: '/nonexistent' }
  const gateway = openRcsProviderGateway('orchard', { provider, agent, speed: 100 }, context)
  try {
    await work(peer, gateway)
  } finally {
    await gateway.close(100)
    await peer.close()
  }
}

describe('RCS capability lookups', () => {
  it("return a phone's features or that it is unreachable", () =>
    withPeer(async (peer, gateway) => {
      peer.book.unreachable.add('+33639980013')
      assert.deepEqual(await gateway.capabilities(phone), { result: 'reachable', features: peer.book.features })
      assert.deepEqual(await gateway.capabilities('+33639980013'), { result: 'unreachable' })
      assert.deepEqual(peer.book.lookups, [
        { phone, agent },
        { phone: '+33639980013', agent },
      ])
      assert.deepEqual(peer.book.faults, [])
    }))

  it('return unknown when the server returns an error', () =>
    withPeer(async (peer, gateway) => {
      peer.book.plan('*', rbmError(429), rbmError(503), { how: 'drop' }, rbmError(403))
      const answers = [1, 2, 3, 4].map(() => gateway.capabilities(phone))
      const results = await Promise.all(answers)
      assert.deepEqual(
        results.map(({ result }) => result),
        Array(4).fill('unknown'),
      )
      assert.doesNotMatch(JSON.stringify(results), /\+?33639980012/)
    }))

  it('refuse an invalid number before using it in an address', () =>
    withPeer(async (peer, gateway) => {
      await assert.rejects(() => gateway.capabilities('+33/../../users'), /E\.164/)
      assert.deepEqual(peer.seen, [])
    }))

  it('of 600 French and 600 American numbers use two bulk requests of one region each', () =>
    withPeer(async (peer, gateway) => {
      const phones = Array.from({ length: 1200 }, (_, n) => (n % 2 ? `+3363998${1000 + n}` : `+1212555${1000 + n}`))
      for (const gone of phones.slice(0, 10)) peer.book.unreachable.add(gone)
      const { batches, singly } = planRcsLookup(phones)
      const found = await Promise.all(batches.map((batch) => gateway.usersBatchGet(batch)))
      assert.deepEqual([singly, peer.book.faults], [[], []])
      assert.deepEqual(peer.book.bulk.map(({ region, phones: own }) => [region, own.length]).sort(), [
        ['europe', 600],
        ['us', 600],
      ])
      const reachable = new Set(found.flatMap((one) => (one.result === 'known' ? [...one.reachable] : [])))
      assert.deepEqual(reachable, new Set(phones.slice(10)))
    }))

  it('in bulk are refused here for a wrong count and by the server for mixed regions', () =>
    withPeer(async (peer, gateway) => {
      const few = Array.from({ length: 499 }, (_, n) => `+3363998${1000 + n}`)
      await assert.rejects(() => gateway.usersBatchGet({ region: 'europe', phones: few }), /500 to 10000/)
      const mixed = await gateway.usersBatchGet({ region: 'europe', phones: [...few, '+12125550100'] })
      assert.deepEqual(mixed, { result: 'unknown', reason: '400 INVALID_ARGUMENT' })
      assert.deepEqual(peer.book.faults, ['users of mixed regions'])
      peer.book.plan('users', rbmError(429, 'slow down', { 'retry-after': '3' }))
      const later = await gateway.usersBatchGet({ region: 'europe', phones: [...few, '+33612345678'] })
      assert.deepEqual(later, { result: 'unknown', reason: '429 RESOURCE_EXHAUSTED', retryAfterMs: 3000 })
    }))
})

describe('RCS revocations', () => {
  it('revoke a sent message', () =>
    withPeer(async (peer, gateway) => {
      const messageId = '0198c2d4-6a00-7c11-8e5d-91b2c3d4e5f6'
      assert.deepEqual(await gateway.revoke({ to: phone, messageId }), { result: 'absent' })
      const message = { id: 1, to: phone, agent, contentMessage: '{"text":"x"}', ttlSeconds: 60, messageId }
      await gateway.send([{ ...message, trafficType: 'PROMOTION' }], { outcome: () => undefined })
      assert.deepEqual(await gateway.revoke({ to: phone, messageId }), { result: 'revoked' })
      assert.deepEqual(peer.book.revoked, [{ phone, agent, messageId }])
      peer.book.plan('*', rbmError(503, 'later', { 'retry-after': '2' }))
      const later = await gateway.revoke({ to: phone, messageId })
      assert.deepEqual(later, { result: 'unknown', reason: '503 UNAVAILABLE', retryAfterMs: 2000 })
    }))
})

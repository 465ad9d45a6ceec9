import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeAuthority } from '#test/fakes/push/push-certificates.ts'
import type { PushAnswer } from '#test/fakes/push/push-peer.ts'
import { type FcmPeer, fcmError, startFcmPeer, violationOf } from '#test/fakes/push/push-peer-fcm.ts'
import { makeServiceAccount } from '#test/fakes/rcs/rbm-peer-oauth.ts'
import {
  factsOf,
  type PushBench,
  patienceWith,
  pushesOf,
  pushOf,
  withPushGateway,
} from '#test/support/stages/pushes.ts'
import type { PushGatewayContext } from '../push/context.ts'
import { openPushFcmGateway } from './fcm.ts'
import { readPushFcmConfig } from './settings.ts'

const authority = makeAuthority()
const tls = authority.server()
const account = makeServiceAccount('push@project.iam.example')

async function bench(
  work: (bench: PushBench<FcmPeer>) => Promise<void>,
  {
    context = {},
    maxStreams,
    settings = {},
  }: { context?: Partial<PushGatewayContext>; maxStreams?: number; settings?: object } = {},
): Promise<void> {
  const peer = await startFcmPeer({ tls, ...(maxStreams !== undefined && { maxStreams }) }, account)
  const given = readPushFcmConfig(
    { baseUrl: peer.url, tokenUrl: `${peer.url}/token`, ca: authority.certificate, speed: 0, ...settings },
    { key: JSON.stringify(account) },
  )
  await withPushGateway({ peer, open: (own) => openPushFcmGateway('android', given, own) }, context, work)
}

describe('pushes over FCM', () => {
  it('contain only data, with each value as a JSON string', () =>
    bench(async ({ peer, outcomes, begun, send }) => {
      const push = pushOf(7, { device: { token: 'f7Qx' }, sequence: 2, urgent: true })
      assert.deepEqual(await send(push), { taken: 1 })
      assert.deepEqual(peer.faults, [])
      const { message } = JSON.parse(String(peer.requests[0]?.body))
      assert.deepEqual(message, {
        token: 'f7Qx',
        android: { priority: 'HIGH', ttl: '3600s' },
        data: {
          meta: JSON.stringify(push.meta),
          render: JSON.stringify(push.render),
          tracking: JSON.stringify(push.tracking),
        },
      })
      assert.deepEqual(begun, [{ id: 7, sequence: 2 }])
      const reference = 'projects/project/messages/0:1'
      assert.deepEqual(outcomes, [
        { id: 7, sequence: 2, result: 'accepted', reference, reply: '200 OK', mta: 'firebase' },
      ])
    }))

  it('without a redirection contain null, never an empty text', () =>
    bench(async ({ peer, send }) => {
      const { meta } = pushOf(1)
      await send(pushOf(1, { meta: { ...meta, redirection: '' } }), pushOf(2, { meta: { ...meta, redirection: null } }))
      const metas = peer.requests.map(({ body }) => JSON.parse(JSON.parse(String(body)).message.data.meta))
      assert.deepEqual(
        metas.map(({ redirection }) => redirection),
        [null, null],
      )
    }))

  it('live for the rest of their expiration, at most 28 days', () =>
    bench(async ({ peer, send }) => {
      const day = 86_400_000
      const ends = [11 * 3_600_000, 60 * day, -1000]
      await send(...ends.map((left, index) => pushOf(index + 1, { expiresAt: Date.now() + left })))
      const ttls = peer.requests.map(({ body }) => Number.parseInt(JSON.parse(String(body)).message.android.ttl, 10))
      assert.ok((ttls[0] ?? 0) <= 39_600 && (ttls[0] ?? 0) >= 39_598)
      assert.deepEqual(ttls.slice(1), [2_419_200, 0])
    }))

  it('of more than 4,096 octets are refused and not sent', () =>
    bench(async ({ peer, outcomes, begun, send }) => {
      const { render } = pushOf(1)
      await send(pushOf(1, { render: { ...render, body: 'é'.repeat(2000) } }))
      assert.deepEqual(outcomes.map(factsOf), [['refused', 'data', '5.3.4', undefined]])
      assert.deepEqual([peer.requests.length, peer.connections, begun], [0, 0, []])
    }))

  const table: [title: string, answer: PushAnswer, facts: unknown[]][] = [
    ['404 UNREGISTERED', fcmError(404, 'UNREGISTERED'), ['refused', 'rcpt', '5.1.1', 'UNREGISTERED', {}]],
    [
      '403 SENDER_ID_MISMATCH',
      fcmError(403, 'SENDER_ID_MISMATCH'),
      ['refused', 'rcpt', '5.1.1', 'SENDER_ID_MISMATCH', {}],
    ],
    [
      '400 about the token',
      fcmError(400, 'INVALID_ARGUMENT', [violationOf('message.token')]),
      ['refused', 'rcpt', '5.1.1', 'INVALID_ARGUMENT', {}],
    ],
    [
      '400 about the data',
      fcmError(400, 'INVALID_ARGUMENT', [violationOf('message.data')]),
      ['refused', 'data', '5.6.0', 'INVALID_ARGUMENT'],
    ],
    [
      '400 about both',
      fcmError(400, 'INVALID_ARGUMENT', [violationOf('message.token', 'message.data')]),
      ['refused', 'data', '5.6.0', 'INVALID_ARGUMENT'],
    ],
    ['400 about nothing', fcmError(400, 'INVALID_ARGUMENT'), ['refused', 'data', '5.6.0', 'INVALID_ARGUMENT']],
    ['413', { status: 413 }, ['refused', 'data', '5.3.4', '413']],
    ['404 in HTML', { status: 404, body: '<html>UNREGISTERED</html>' }, ['refused', 'connect', '5.7.8', '404']],
    ['403 otherwise', fcmError(403, 'PERMISSION_DENIED'), ['refused', 'connect', '5.7.8', 'PERMISSION_DENIED']],
    [
      '401 THIRD_PARTY_AUTH_ERROR',
      fcmError(401, 'THIRD_PARTY_AUTH_ERROR'),
      ['refused', 'connect', '5.7.8', 'THIRD_PARTY_AUTH_ERROR'],
    ],
    ['429', fcmError(429, 'QUOTA_EXCEEDED'), ['deferred', 'QUOTA_EXCEEDED']],
    [
      '503 with a status alone',
      { status: 503, body: '{"error":{"status":"UNAVAILABLE"}}' },
      ['deferred', 'UNAVAILABLE'],
    ],
    ['500 in HTML', { status: 500, body: '<html></html>' }, ['deferred', '500']],
    ['200 in HTML', { status: 200, body: '<html></html>' }, ['doubtful']],
    ['200 of something else', { status: 200, body: '[]' }, ['doubtful']],
    ['no answer', { how: 'stall' }, ['doubtful']],
    ['a stream that is reset after the body', { how: 'reset' }, ['doubtful']],
    ['half an answer', { how: 'cut' }, ['doubtful']],
    ['a connection that is cut', { how: 'drop' }, ['doubtful']],
  ]
  for (const [title, answer, facts] of table)
    it(`answered with ${title} get their outcome`, () =>
      bench(
        async ({ peer, outcomes, send }) => {
          peer.plan.push(answer)
          await send(pushOf(1))
          assert.deepEqual(outcomes.map(factsOf), [facts])
          assert.deepEqual([peer.requests.length, peer.faults], [1, []])
        },
        { context: patienceWith(answer) },
      ))

  for (const how of ['refuse', 'goaway unprocessed'] as const)
    it(`are retried at once when they were not processed (${how})`, () =>
      bench(async ({ peer, outcomes, begun, send }) => {
        peer.plan.push({ how })
        await send(pushOf(1))
        assert.deepEqual(outcomes.map(factsOf), [['accepted']])
        assert.deepEqual([peer.requests.length, begun], [1, [1]])
      }))

  it('are retried once with a new token when theirs is refused', () =>
    bench(async ({ peer, outcomes, send }) => {
      await send(pushOf(1))
      peer.tokens.revokeTokens()
      await send(pushOf(2))
      peer.plan.push(fcmError(401, 'UNAUTHENTICATED'), fcmError(401, 'UNAUTHENTICATED'))
      await send(pushOf(3))
      assert.deepEqual(outcomes.map(factsOf), [
        ['accepted'],
        ['accepted'],
        ['refused', 'connect', '5.7.8', 'UNAUTHENTICATED'],
      ])
      assert.equal(peer.tokens.requests.length, 3)
    }))

  it('are deferred, not doubtful, while nothing listens', () =>
    bench(async ({ peer, outcomes, send }) => {
      await peer.close()
      await send(pushOf(1))
      assert.deepEqual(outcomes.map(factsOf), [['deferred', undefined]])
    }).catch((error) => assert.match(String(error), /not running/)))

  it('wait after a 429 as long as Retry-After says', () =>
    bench(async ({ peer, outcomes, send }) => {
      peer.plan.push({ ...fcmError(429, 'QUOTA_EXCEEDED'), headers: { 'retry-after': '30' } })
      await send(pushOf(1))
      const [one] = outcomes
      assert.ok(one?.result === 'deferred' && (one.retryAfterMs ?? 0) > 29_000 && (one.retryAfterMs ?? 0) <= 30_001)
      const { taken, stop } = await send(pushOf(2))
      assert.deepEqual([taken, stop?.why], [0, 'down'])
    }))

  it('stop for five minutes after 20 refused credentials in a row, doubling up to an hour', async () => {
    let ticks = 0
    await bench(
      async ({ peer, outcomes, send }) => {
        peer.plan.push(...Array.from({ length: 30 }, () => fcmError(403, 'PERMISSION_DENIED')))
        await send(...pushesOf(20))
        assert.deepEqual(new Set(outcomes.map(({ result }) => result)), new Set(['refused']))
        const rests: unknown[] = []
        for (let id = 21; id <= 26; id++) {
          const { stop } = await send(pushOf(id))
          rests.push(stop?.retryAfterMs)
          ticks += stop?.retryAfterMs ?? 0
          await send(pushOf(id))
        }
        const minute = 60_000
        assert.deepEqual(
          rests,
          [5, 10, 20, 40, 60, 60].map((minutes) => minutes * minute),
        )
        assert.equal(outcomes.filter(({ result }) => result === 'refused').length, 20)
      },
      { context: { ticks: () => ticks }, settings: { concurrency: 1 } },
    )
  })

  it('are sent in parallel over several connections, as the server allows', () =>
    bench(
      async ({ peer, outcomes, send }) => {
        peer.plan.push(...Array.from({ length: 60 }, () => ({ afterMs: 5 })))
        await send(...pushesOf(60))
        assert.equal(outcomes.filter(({ result }) => result === 'accepted').length, 60)
        assert.ok(peer.mostOnOne <= 3 && peer.most > 3, `${peer.mostOnOne} ${peer.most}`)
        assert.ok(peer.connections <= 5)
      },
      { maxStreams: 3 },
    ))

  it('are not needed to check the gateway', () =>
    bench(async ({ peer, gateway }) => {
      assert.deepEqual(await gateway.check(), { ok: true, detail: `${peer.host} is reachable, and a token was issued` })
      assert.equal(peer.requests.length, 0)
    }))
})

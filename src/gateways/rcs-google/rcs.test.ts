import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type PeerOptions, type RbmPeer, startRbmPeer } from '#test/fakes/rcs/rbm-peer.ts'
import { rbmError } from '#test/fakes/rcs/rbm-peer-api.ts'
import { eventually } from '#test/support/wait.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { GatewayOutcome } from '../gateway.ts'
import type { OutgoingRcs, RcsGateway } from '../rcs.ts'
import { openRcsGoogleGateway, type RcsGoogleContext } from './rcs.ts'
import { readRcsGoogleConfig } from './settings.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')
const tls = { key: fixture('test-only-key.pem'), cert: fixture('test-only-cert.pem') }

const stamp = (id: number) => `0198c2d4-6a00-7c11-8e5d-${String(id).padStart(12, '0')}`

const rcs = (id: number, more: Partial<OutgoingRcs> = {}): OutgoingRcs => ({
  id,
  to: `+3363998${String(id).padStart(4, '0')}`,
  agent: 'orchard_fr_k2',
  contentMessage: '{"text":"Hello"}',
  ttlSeconds: 3600,
  trafficType: 'TRANSACTION',
  messageId: stamp(id),
  ...more,
})

interface Bench {
  peer: RbmPeer
  gateway: RcsGateway
  outcomes: GatewayOutcome[]
  begun: number[]
  send(...messages: OutgoingRcs[]): ReturnType<RcsGateway['send']>
}

interface BenchOptions extends PeerOptions {
  settings?: object
  context?: Partial<RcsGoogleContext>
  /** Whether the address of the peer may be called though it is private. */
  open?: boolean
}

async function bench(options: BenchOptions, work: (bench: Bench) => Promise<void>): Promise<void> {
  const { settings = {}, context = {}, open = true, ...peerOptions } = options
  const peer = await startRbmPeer(peerOptions)
  const given = readRcsGoogleConfig(
    {
      agent: 'orchard_fr_k2',
      baseUrl: peer.url,
      tokenUrl: `${peer.url}/token`,
      speed: 0,
      ...(peerOptions.tls && { ca: peerOptions.tls.cert }),
      ...settings,
    },
    { credentials: JSON.stringify(peer.account) },
  )
  const reach = createOutboundPolicy(open ? [peer.host] : [])
  const gateway = openRcsGoogleGateway('rcs-fr', given, { clock: systemClock, reach, ...context })
  const outcomes: GatewayOutcome[] = []
  const begun: number[] = []
  const listener = {
    beforeBody: (...ids: number[]) => begun.push(...ids),
    outcome: (one: GatewayOutcome) => outcomes.push(one),
  }
  try {
    await work({ peer, gateway, outcomes, begun, send: (...messages) => gateway.send(messages, listener) })
  } finally {
    await gateway.close(100)
    await peer.close()
  }
}

const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => rcs(from + index))

/** What an outcome says beside its id. */
const facts = (one: GatewayOutcome | undefined) =>
  one?.result === 'refused'
    ? [one.result, one.stage, one.enhanced, one.gatewayCode]
    : one?.result === 'deferred'
      ? [one.result, one.gatewayCode]
      : [one?.result]

describe('messages over RCS Business Messaging', () => {
  it('are sent unchanged, with their stamp as id and their remaining lifetime', () =>
    bench({}, async ({ peer, outcomes, begun, send }) => {
      const contentMessage = JSON.stringify({
        richCard: {
          standaloneCard: {
            cardOrientation: 'VERTICAL',
            cardContent: {
              title: 'Pears “are” in 🍐',
              media: { height: 'MEDIUM', contentInfo: { fileUrl: 'https://img.orchard.example/pear.jpg' } },
              suggestions: [
                {
                  action: {
                    text: 'See',
                    postbackData: '~a.s0~see',
                    openUrlAction: { url: 'https://orchard.example/' },
                  },
                },
              ],
            },
          },
        },
        suggestions: [{ reply: { text: 'Not now', postbackData: 'later' } }],
      })
      assert.deepEqual(await send(rcs(7, { contentMessage, ttlSeconds: 2399.9, trafficType: 'PROMOTION' })), {
        taken: 1,
      })
      assert.deepEqual(peer.book.faults, [])
      assert.deepEqual(peer.book.taken, [
        {
          phone: '+33639980007',
          agent: 'orchard_fr_k2',
          messageId: stamp(7),
          body: { contentMessage: JSON.parse(contentMessage), ttl: '2399s', messageTrafficType: 'PROMOTION' },
        },
      ])
      assert.deepEqual(begun, [7])
      assert.deepEqual(outcomes, [
        { id: 7, result: 'accepted', reference: stamp(7), reply: '200 OK', mta: 'google-rbm' },
      ])
    }))

  it('have a lifetime between 10 s and 15 days', () =>
    bench({}, async ({ peer, send }) => {
      await send(rcs(1, { ttlSeconds: 3 }), rcs(2, { ttlSeconds: 90 * 86_400 }))
      assert.deepEqual(peer.book.taken.map(({ body }) => body.ttl).sort(), ['10s', '1296000s'])
      assert.deepEqual(peer.book.faults, [])
    }))

  it('that are too long or have an invalid number are refused and not sent', () =>
    bench({}, async ({ peer, outcomes, begun, send }) => {
      const contentMessage = JSON.stringify({ text: 'é'.repeat(128 * 1024) })
      await send(rcs(1, { contentMessage }), rcs(2, { to: '+336/../x' }))
      assert.deepEqual(outcomes.map(facts), [
        ['refused', 'data', '5.6.0', undefined],
        ['refused', 'data', '5.6.0', undefined],
      ])
      assert.deepEqual([begun, peer.seen], [[], []])
    }))

  for (const repeats of [409, 200] as const)
    it(`sent again with the same stamp are accepted again and delivered once (${repeats})`, () =>
      bench({}, async ({ peer, outcomes, send }) => {
        peer.book.repeats = repeats
        await send(rcs(1))
        await send(rcs(1))
        assert.deepEqual(
          outcomes.map(({ result }) => result),
          ['accepted', 'accepted'],
        )
        assert.deepEqual([peer.book.taken.length, peer.book.attempts.length], [1, 2])
      }))

  for (const [status, expected] of [
    [404, ['refused', 'rcpt', '5.3.3', '404 NOT_FOUND']],
    [403, ['refused', 'rcpt', '5.7.1', '403 PERMISSION_DENIED']],
    [400, ['refused', 'data', '5.6.0', '400 INVALID_ARGUMENT']],
    [401, ['refused', 'connect', '5.7.8', '401 UNAUTHENTICATED']],
    [429, ['deferred', '429 RESOURCE_EXHAUSTED']],
    [500, ['deferred', '500 INTERNAL']],
    [503, ['deferred', '503 UNAVAILABLE']],
  ] as const)
    it(`answered with ${status} are ${expected[0]}`, () =>
      bench({}, async ({ peer, outcomes, send }) => {
        peer.book.plan('*', rbmError(status, 'no\r\nBcc: x'), rbmError(status))
        await send(rcs(1))
        assert.deepEqual(outcomes.map(facts), [expected])
        const [outcome] = outcomes
        assert.ok(outcome !== undefined && 'reply' in outcome && !/[\r\n]/.test(outcome.reply))
        // Only a 401 is tried again at once, with another token.
        assert.equal(peer.book.attempts.length, status === 401 ? 2 : 1)
      }))

  it('are retried after a conflict that is not a repetition', () =>
    bench({}, async ({ peer, outcomes, send }) => {
      const error = { code: 409, message: 'aborted', status: 'ABORTED' }
      peer.book.plan('*', { status: 409, body: JSON.stringify({ error }) })
      await send(rcs(1))
      assert.deepEqual(outcomes.map(facts), [['deferred', '409 ABORTED']])
    }))

  it('get a single new token after a 401, however many there are', () =>
    bench({}, async ({ peer, outcomes, send }) => {
      await send(...many(30))
      peer.tokens.revokeTokens()
      await send(...many(30, 31))
      assert.deepEqual(new Set(outcomes.map(({ result }) => result)), new Set(['accepted']))
      assert.equal(outcomes.length, 60)
      assert.deepEqual(
        peer.tokens.requests.map(({ status }) => status),
        [200, 200],
      )
    }))

  it('all wait as long as Retry-After says', () =>
    bench({ settings: { concurrency: 1 }, context: { ticks: () => 0 } }, async ({ peer, outcomes, send }) => {
      peer.book.plan('*', rbmError(429, 'slow down', { 'retry-after': '3' }))
      const stop = { why: 'down', detail: '429 RESOURCE_EXHAUSTED', retryAfterMs: 3000 }
      assert.deepEqual(await send(...many(5)), { taken: 1, stop })
      assert.ok(outcomes[0]?.result === 'deferred' && outcomes[0].retryAfterMs === 3000)
      assert.deepEqual(await send(rcs(9)).then(({ taken: next }) => next), 0)
      assert.equal(peer.book.attempts.length, 1)
    }))

  for (const how of ['drop', 'drop in the body'] as const)
    it(`whose response is lost (${how}) are retried with the same stamp and delivered once`, () =>
      bench({ tls }, async ({ peer, outcomes, send }) => {
        peer.book.plan('*', { how })
        await send(rcs(1))
        assert.deepEqual(outcomes.map(facts), [['deferred', undefined]])
        await eventually(async () => {
          await send(rcs(1))
          return outcomes.some(({ result }) => result === 'accepted')
        })
        assert.deepEqual(new Set(peer.book.attempts.map(({ messageId }) => messageId)), new Set([stamp(1)]))
        assert.equal(peer.book.taken.length, 1)
      }))

  it('use the speed shared by all senders, and twice of it for a minute after a 429', async () => {
    const reserved: number[] = []
    const take = async (n: number) => {
      reserved.push(n)
      return 0
    }
    await bench({ settings: { speed: 100 }, context: { take } }, async ({ peer, send }) => {
      await send(...many(10))
      assert.deepEqual(reserved, [5, 5])
      peer.book.plan('*', rbmError(429, 'slow down', { 'retry-after': '0' }))
      await send(rcs(11))
      await send(...many(4, 12))
      assert.deepEqual(reserved.slice(2), [5, 10])
      assert.equal(peer.book.taken.length, 14)
    })
  })

  it('without a speed limit are sent with half the concurrency after a 429', () =>
    bench({ settings: { concurrency: 8 } }, async ({ peer, begun, send }) => {
      peer.book.plan('*', rbmError(429, 'slow down', { 'retry-after': '0' }))
      await send(rcs(1))
      peer.most = 0
      const { promise: until, resolve: release } = Promise.withResolvers<void>()
      peer.book.plan('*', ...Array.from({ length: 30 }, () => ({ until, afterMs: 5 })))
      const sending = send(...many(30, 2))
      await eventually(() => peer.book.attempts.length === 5)
      assert.deepEqual(begun, [1, 2, 3, 4, 5])
      release()
      await sending
      assert.deepEqual([peer.most, peer.book.taken.length], [4, 30])
    }))

  it('are not sent faster than their speed', () =>
    bench({ settings: { speed: 50 } }, async ({ peer, send }) => {
      // Not since the first request arrived: that one may have been on its way for long.
      const startedAt = performance.now()
      await send(...many(21))
      const last = peer.book.attempts.at(-1)?.at ?? 0
      // 20 intervals of 20 ms, of which reservations of 50 ms may begin early.
      assert.ok(last - startedAt >= 330, `${last - startedAt} ms`)
    }))

  it('are journaled before they are sent, and deferred when that fails', () =>
    bench({}, async ({ peer, gateway, outcomes }) => {
      const beforeBody = () => {
        throw new Error('disk full')
      }
      await gateway.send([rcs(1)], { beforeBody, outcome: (one) => outcomes.push(one) })
      assert.ok(outcomes[0]?.result === 'deferred' && outcomes[0].reply === 'disk full')
      assert.deepEqual(peer.seen, [])
    }))

  it('are deferred, never doubtful, without a response when the gateway closes', () =>
    bench({}, async ({ peer, gateway, outcomes, send }) => {
      peer.book.plan('*', { how: 'stall' }, { how: 'stall' })
      const sending = send(rcs(1), rcs(2))
      await eventually(() => peer.book.attempts.length === 2)
      await gateway.close(20)
      assert.equal((await sending).taken, 2)
      assert.deepEqual(
        outcomes.map(({ result }) => result),
        ['deferred', 'deferred'],
      )
    }))
})

describe('refused RBM agent', () => {
  for (const status of [401, 403] as const)
    it(`pauses after 20 refused messages (${status}) for 5 minutes, doubling to an hour, and the rest stays queued`, async () => {
      let now = 0
      await bench({ settings: { concurrency: 1 }, context: { ticks: () => now } }, async ({ peer, outcomes, send }) => {
        const refuse = (count: number) => {
          const each = status === 401 ? 2 : 1
          peer.book.plan('*', ...Array.from({ length: count * each }, () => rbmError(status)))
        }
        refuse(20)
        const first = await send(...many(25))
        assert.deepEqual([first.taken, first.stop?.why, first.stop?.retryAfterMs], [20, 'down', 300_000])
        assert.deepEqual(new Set(outcomes.map(({ result }) => result)), new Set(['refused']))
        const rests: unknown[] = []
        for (const passed of [300_000, 600_000, 1_200_000, 2_400_000, 3_600_000]) {
          now += passed
          refuse(1)
          const again = await send(...many(3, 21))
          rests.push([again.taken, again.stop?.retryAfterMs])
        }
        assert.deepEqual(rests, [
          [1, 600_000],
          [1, 1_200_000],
          [1, 2_400_000],
          [1, 3_600_000],
          [1, 3_600_000],
        ])
        assert.deepEqual(
          outcomes.slice(20).map(({ result }) => result),
          Array(5).fill('deferred'),
        )
        now += 3_600_000
        assert.deepEqual(await send(...many(3, 21)), { taken: 3 })
        refuse(1)
        await send(rcs(30))
        assert.equal(outcomes.at(-1)?.result, 'refused')
      })
    })

  it('continues after 19 refused messages when one is accepted or refused for its own reason', () =>
    bench({ settings: { concurrency: 1 } }, async ({ peer, outcomes, send }) => {
      const refuse = (count: number) => peer.book.plan('*', ...Array.from({ length: count }, () => rbmError(403)))
      refuse(19)
      await send(...many(20))
      refuse(19)
      peer.book.plan('*', rbmError(404))
      refuse(1)
      assert.deepEqual(await send(...many(21, 21)), { taken: 21 })
      assert.equal(outcomes.filter(({ result }) => result === 'refused').length, 40)
    }))

  it('is a settings fault when the token endpoint refuses it, and is retried when the endpoint fails', () =>
    bench({}, async ({ peer, outcomes, send }) => {
      peer.book.plan('token', { status: 400, body: '{"error":"invalid_grant","error_description":"secret words"}' })
      peer.book.plan('token', { status: 503, body: 'x' })
      await send(rcs(1))
      await send(rcs(2))
      assert.deepEqual(outcomes.map(facts), [
        ['refused', 'connect', '5.7.8', '401 UNAUTHENTICATED'],
        ['deferred', undefined],
      ])
      assert.doesNotMatch(JSON.stringify(outcomes), /secret words/)
      assert.match(JSON.stringify(outcomes), /the token endpoint answers 400 invalid_grant/)
    }))
})

describe('connections to RBM', () => {
  it('are a single one over HTTP/2, however many messages there are', () =>
    bench({ tls }, async ({ peer, send }) => {
      const { promise: until, resolve: release } = Promise.withResolvers<void>()
      peer.book.plan('*', ...Array.from({ length: 60 }, () => ({ until, afterMs: 2 })))
      const sending = send(...many(60))
      await eventually(() => peer.most > 10)
      release()
      assert.deepEqual(await sending, { taken: 60 })
      assert.equal(peer.book.taken.length, 60)
      const api = peer.seen.slice(1)
      assert.deepEqual(new Set(api.map(({ version }) => version)), new Set(['2.0']))
      assert.equal(new Set(api.map(({ connection }) => connection)).size, 1)
      assert.ok(peer.most > 10 && peer.most <= 50, `${peer.most} at once`)
    }))

  it('are reused and few over HTTP/1.1 when the server does not support HTTP/2', () =>
    bench({ tls, http2: false, settings: { concurrency: 4 } }, async ({ peer, send }) => {
      assert.deepEqual(await send(...many(40)), { taken: 40 })
      const api = peer.seen.slice(1)
      assert.deepEqual(new Set(api.map(({ version }) => version)), new Set(['1.1']))
      assert.ok(new Set(api.map(({ connection }) => connection)).size <= 4)
      assert.equal(peer.book.taken.length, 40)
    }))

  it('lose no message when they go away, as the next one sends the rest', () =>
    bench({ tls }, async ({ peer, outcomes, send }) => {
      await send(rcs(1))
      peer.goAway()
      await send(rcs(2))
      peer.book.plan('*', { how: 'goaway' })
      await send(rcs(3))
      await send(rcs(4))
      peer.book.plan('*', { how: 'goaway unprocessed' })
      await send(rcs(5))
      assert.deepEqual(
        outcomes.map(({ result }) => result),
        Array(5).fill('accepted'),
      )
      assert.equal(peer.book.taken.length, 5)
    }))

  it('neither lose nor duplicate a message when they go away in the middle of many', () =>
    bench({ tls }, async ({ peer, outcomes, send }) => {
      peer.book.plan(
        '*',
        ...Array.from({ length: 200 }, (_, n) => (n % 40 === 20 ? { how: 'goaway' as const } : { afterMs: 1 })),
      )
      assert.deepEqual(await send(...many(200)), { taken: 200 })
      assert.deepEqual(new Set(outcomes.map(({ result }) => result)), new Set(['accepted']))
      assert.equal(peer.book.taken.length, 200)
    }))

  it('to private addresses require permission', () =>
    bench({ open: false, tls }, async ({ peer, outcomes, gateway, send }) => {
      await send(rcs(1))
      assert.ok(outcomes[0]?.result === 'deferred')
      assert.match(outcomes[0].reply, /private address/)
      const { ok, detail } = await gateway.check()
      assert.ok(!ok)
      assert.match(detail, /private address/)
      assert.deepEqual(peer.seen, [])
    }))

  it('are checked together with the credentials, without a message', () =>
    bench({ tls }, async ({ peer, gateway }) => {
      const good = await gateway.check()
      assert.ok(good.ok, good.detail)
      peer.tokens.revokeTokens()
      peer.book.plan('token', { status: 401, body: '{"error":"invalid_client"}' })
      const bad = await gateway.check()
      assert.deepEqual([bad.ok, /invalid_client/.test(bad.detail)], [false, true])
      assert.deepEqual([peer.book.attempts, peer.book.faults], [[], []])
    }))
})

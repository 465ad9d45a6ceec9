import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeAuthority } from '#test/fakes/push/push-certificates.ts'
import type { PushAnswer, PushPeer } from '#test/fakes/push/push-peer.ts'
import { startHttpPeer } from '#test/fakes/push/push-peer-http.ts'
import { factsOf, type PushBench, patienceWith, pushOf, withPushGateway } from '#test/support/stages/pushes.ts'
import { createWebhookSecret } from '../../lib/crypto/webhook-signature.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { PushGatewayContext } from '../push/context.ts'
import { openPushHttpGateway } from './http.ts'
import { readPushHttpConfig } from './settings.ts'

const authority = makeAuthority()
const tls = authority.server()
const secret = createWebhookSecret()

async function bench(
  work: (bench: PushBench<PushPeer>) => Promise<void>,
  context: Partial<PushGatewayContext> = {},
): Promise<void> {
  const peer = await startHttpPeer({ tls, secret })
  const given = readPushHttpConfig({ url: `${peer.url}/pushes`, ca: authority.certificate }, { secret })
  await withPushGateway({ peer, open: (own) => openPushHttpGateway('hook', given, own) }, context, work)
}

describe('pushes over HTTP', () => {
  it('are posted as JSON and signed like webhooks', () =>
    bench(async ({ peer, outcomes, send }) => {
      const push = pushOf(7, { device: { token: 'tablet-7' }, expiresAt: Date.UTC(2030, 1, 3) })
      await send(push)
      assert.deepEqual(peer.faults, [])
      const { meta, render, tracking } = push
      const expiration = '2030-02-03T00:00:00.000Z'
      const body = { token: 'tablet-7', subscription: meta.subscription, expiration, meta, render, tracking }
      assert.deepEqual(JSON.parse(String(peer.requests[0]?.body)), body)
      assert.deepEqual(outcomes.map(factsOf), [['accepted']])
    }))

  it('have the same id when they are sent again', () =>
    bench(async ({ peer, send }) => {
      await send(pushOf(7))
      await send(pushOf(7), pushOf(8))
      const ids = peer.requests.map(({ headers }) => headers['webhook-id'])
      assert.equal(ids[0], ids[1])
      assert.notEqual(ids[1], ids[2])
    }))

  const table: [answer: PushAnswer, facts: unknown[]][] = [
    [{ status: 299 }, ['accepted']],
    [{ status: 410 }, ['refused', 'rcpt', '5.1.1', '410', {}]],
    [{ status: 404 }, ['refused', 'rcpt', '5.1.1', '404', {}]],
    [{ status: 413 }, ['refused', 'data', '5.3.4', '413']],
    [{ status: 422 }, ['refused', 'data', '5.6.0', '422']],
    [{ status: 403 }, ['refused', 'connect', '5.7.8', '403']],
    [{ status: 302, headers: { location: 'https://10.0.0.5/' } }, ['deferred', '302']],
    [{ status: 500 }, ['deferred', '500']],
    [{ how: 'cut' }, ['doubtful']],
    [{ how: 'stall' }, ['doubtful']],
  ]
  for (const [answer, facts] of table)
    it(`answered with ${answer.status ?? answer.how} get their outcome`, () =>
      bench(async ({ peer, outcomes, send }) => {
        peer.plan.push(answer)
        await send(pushOf(1))
        assert.deepEqual([outcomes.map(factsOf), peer.faults], [[facts], []])
      }, patienceWith(answer)))

  it('are never sent to an address that may not be called', () =>
    bench(
      async ({ peer, outcomes, send }) => {
        await send(pushOf(1))
        assert.equal(peer.connections, 0)
        assert.notEqual(outcomes[0]?.result, 'accepted')
        assert.notEqual(outcomes[0]?.result, 'doubtful')
      },
      { reach: createOutboundPolicy([]) },
    ))
})

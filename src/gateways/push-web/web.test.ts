import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeAuthority } from '#test/fakes/push/push-certificates.ts'
import type { PushAnswer } from '#test/fakes/push/push-peer.ts'
import { makeBrowser, startWebPeer, type WebPeer } from '#test/fakes/push/push-peer-web.ts'
import { factsOf, type PushBench, patienceWith, pushOf, stampOf, withPushGateway } from '#test/support/stages/pushes.ts'
import { createVapidKeys, parseBase64url } from '../../lib/crypto/credentials/vapid.ts'
import type { PushGatewayContext } from '../push/context.ts'
import { encryptForBrowser } from './encrypt.ts'
import { readPushWebConfig } from './settings.ts'
import { openPushWebGateway } from './web.ts'

const authority = makeAuthority()
const tls = authority.server()
const vapid = createVapidKeys()
const browser = makeBrowser()
const bytes = (text: string) => parseBase64url(text) ?? Buffer.alloc(0)

const endpointOf = (id: number, host = 'updates.push.services.mozilla.com') => `https://${host}/push/${id}`
const webPush = (id: number, endpoint = endpointOf(id)) => pushOf(id, { device: { endpoint, keys: browser.keys } })

async function bench(
  work: (bench: PushBench<WebPeer>) => Promise<void>,
  context: Partial<PushGatewayContext> = {},
): Promise<void> {
  const peer = await startWebPeer({ tls, publicKey: vapid.publicKey, browser })
  const given = readPushWebConfig(
    {
      publicKey: vapid.publicKey,
      subject: 'mailto:push@orchard.example',
      baseUrl: peer.url,
      ca: authority.certificate,
    },
    { privateKey: vapid.privateKey },
  )
  await withPushGateway({ peer, open: (own) => openPushWebGateway('web', given, own) }, context, work)
}

describe('encryption of web pushes', () => {
  it('matches the example of RFC 8291', () => {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
    const keys = {
      p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    }
    const salt = bytes('DGv6ra1nlYgDCS1FRnbzlw')
    assert.equal(
      encryptForBrowser('When I grow up, I want to be a watermelon', keys, { pair, salt }).toString('base64url'),
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('can be decrypted by another implementation (http_ece)', async () => {
    const { decrypt } = (await import('http_ece' as string)) as { decrypt(body: Buffer, parameters: object): Buffer }
    const pair = createECDH('prime256v1')
    const p256dh = pair.generateKeys()
    for (const text of ['', 'é', 'x'.repeat(3993)]) {
      const auth = Buffer.alloc(16, 7)
      const body = encryptForBrowser(text, { p256dh, auth })
      const read = decrypt(body, { version: 'aes128gcm', privateKey: pair, authSecret: auth.toString('base64url') })
      assert.equal(read.toString(), text)
      assert.equal(body.length, Buffer.byteLength(text) + 103)
    }
  })
})

describe('web pushes', () => {
  it('can be read only by the browser and come from a known sender', () =>
    bench(async ({ peer, outcomes, send }) => {
      const push = { ...webPush(7), urgent: true }
      await send(push)
      assert.deepEqual(peer.faults, [])
      const { meta, render, tracking } = push
      assert.deepEqual(peer.read, [{ meta, render, tracking }])
      const { headers = {}, path } = peer.requests[0] ?? {}
      assert.equal(path, '/push/7')
      assert.equal(headers['topic'], Buffer.from(stampOf(7).replaceAll('-', ''), 'hex').toString('base64url'))
      assert.deepEqual([headers['topic']?.length, headers['ttl'], headers['urgency']], [22, '3600', 'high'])
      const reference = `${peer.url}/message/1`
      assert.deepEqual(outcomes, [{ id: 7, result: 'accepted', reference, reply: '201', mta: 'webpush' }])
    }))

  it('to unlisted hosts or with invalid keys are refused and not sent', () =>
    bench(async ({ peer, outcomes, send }) => {
      const endpoints = [
        'https://10.0.0.5/x',
        'http://fcm.googleapis.com/x',
        'https://fcm.googleapis.com.evil.example/x',
      ]
      const broken = { endpoint: endpointOf(9), keys: { ...browser.keys, p256dh: 'AAAA' } }
      await send(...endpoints.map((endpoint, index) => webPush(index + 1, endpoint)), pushOf(9, { device: broken }))
      assert.deepEqual(
        outcomes.map(factsOf),
        Array.from({ length: 4 }, () => ['refused', 'data', '5.1.3', undefined]),
      )
      assert.equal(peer.connections, 0)
    }))

  it('are not sent to a listed host whose name resolves to a private address', async () => {
    const given = readPushWebConfig({ subject: 'mailto:push@orchard.example' }, { privateKey: vapid.privateKey })
    for (const inside of ['10.0.0.5', '127.0.0.1', '169.254.169.254', '::1', 'fd00::5']) {
      const peer = await startWebPeer({ tls, publicKey: vapid.publicKey, browser })
      const port = new URL(peer.url).port
      const reach = { open: new Set<string>(), resolve: async () => ['8.8.8.8', inside] }
      const pushHosts = [`push.example:${port}`]
      const open = (own: PushGatewayContext) => openPushWebGateway('web', given, { ...own, reach, pushHosts })
      await withPushGateway({ peer, open }, {}, async ({ send, outcomes, begun }) => {
        await send(webPush(1, endpointOf(1, `push.example:${port}`)))
        assert.deepEqual(
          outcomes.map((one) => [one.result, 'reply' in one && one.reply]),
          [['deferred', 'resolves to a private address']],
        )
        assert.deepEqual([begun, peer.connections], [[], 0], inside)
      })
    }
  })

  it('of more than 4,096 encrypted octets are refused', () =>
    bench(async ({ peer, outcomes, send }) => {
      const { render } = pushOf(1)
      await send({ ...webPush(1), render: { ...render, body: 'x'.repeat(3900) } })
      assert.deepEqual([outcomes.map(factsOf), peer.connections], [[['refused', 'data', '5.3.4', undefined]], 0])
    }))

  const table: [answer: PushAnswer, facts: unknown[]][] = [
    [{ status: 200 }, ['accepted']],
    [{ status: 202 }, ['accepted']],
    [{ status: 404 }, ['refused', 'rcpt', '5.1.1', '404', {}]],
    [{ status: 410, body: '<html></html>' }, ['refused', 'rcpt', '5.1.1', '410', {}]],
    [{ status: 413 }, ['refused', 'data', '5.3.4', '413']],
    [{ status: 400 }, ['refused', 'data', '5.6.0', '400']],
    [{ status: 401 }, ['refused', 'connect', '5.7.8', '401']],
    [{ status: 403 }, ['refused', 'connect', '5.7.8', '403']],
    [{ status: 429 }, ['deferred', '429']],
    [{ status: 503 }, ['deferred', '503']],
    [{ how: 'reset' }, ['doubtful']],
    [{ how: 'stall' }, ['doubtful']],
    [{ how: 'refuse' }, ['accepted']],
  ]
  for (const [answer, facts] of table)
    it(`answered with ${answer.status ?? answer.how} get their outcome`, () =>
      bench(async ({ peer, outcomes, send }) => {
        peer.plan.push(answer)
        await send(webPush(1))
        assert.deepEqual([outcomes.map(factsOf), peer.faults], [[facts], []])
      }, patienceWith(answer)))

  it('wait while their own push service is suspended, and others are sent', () =>
    bench(async ({ peer, outcomes, send }) => {
      peer.plan.push({ status: 503, headers: { 'retry-after': '60' } })
      await send(webPush(1))
      await send(webPush(2), webPush(3, endpointOf(3, 'fcm.googleapis.com')))
      const returned = outcomes.find(({ result }) => result === 'returned')
      assert.ok(returned?.result === 'returned' && returned.id === 2 && returned.retryAfterMs > 50_000)
      assert.equal(returned.destination, 'updates.push.services.mozilla.com')
      assert.deepEqual(outcomes.find(({ id }) => id === 3)?.result, 'accepted')
    }))
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { type PeerAnswer, type PeerRequest, type SmsHttpPeer, startSmsHttpPeer } from '#test/fakes/sms/sms-http-peer.ts'
import { eventually } from '#test/support/wait.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { GatewayOutcome, MessageGateway, OutgoingSms } from '../gateway.ts'
import { openSmsHttpGateway } from './http.ts'
import { readSmsHttpConfig, type SmsHttpSettings } from './settings.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')
const key = fixture('test-only-key.pem')
const cert = fixture('test-only-cert.pem')

const sms = (id: number, more: Partial<OutgoingSms> = {}): OutgoingSms => ({
  id,
  to: '+33601020304',
  from: 'SHOP',
  text: 'Hello',
  encoding: 'gsm7',
  ...more,
})

const json = {
  headers: { 'content-type': 'application/json' },
  body: '{"to":"{{to}}","text":"{{text}}","ref":"{{reference}}"}',
  answer: { reference: { pointer: '/messages/0/id' }, error: { pointer: '/error/code' } },
}

interface Bench {
  peer: SmsHttpPeer
  gateway: MessageGateway<OutgoingSms>
  settings: SmsHttpSettings
  outcomes: GatewayOutcome[]
  begun: number[]
  send(batch: Iterable<OutgoingSms>): ReturnType<MessageGateway['send']>
}

async function bench(
  answerTo: (request: PeerRequest, n: number) => PeerAnswer,
  settings: object,
  work: (bench: Bench) => Promise<void>,
  secrets?: object,
): Promise<void> {
  const peer = await startSmsHttpPeer(answerTo)
  const read = readSmsHttpConfig({ url: `http://127.0.0.1:${peer.port}/send`, ...settings }, secrets)
  const gateway = openSmsHttpGateway('http-fr', read, { clock: systemClock })
  const outcomes: GatewayOutcome[] = []
  const begun: number[] = []
  const listener = { beforeBody: (id: number) => begun.push(id), outcome: (one: GatewayOutcome) => outcomes.push(one) }
  try {
    await work({
      peer,
      gateway,
      settings: read.settings,
      outcomes,
      begun,
      send: (batch) => gateway.send(batch, listener),
    })
  } finally {
    await gateway.close(100)
    await peer.close()
  }
}

const taken = (request: PeerRequest): PeerAnswer => ({
  body: JSON.stringify({ messages: [{ id: `peer-${JSON.parse(request.body).ref}` }] }),
})

describe('SMS over HTTP', () => {
  it('are written with the templates, and get the reference of the response', () =>
    bench(taken, json, async ({ peer, outcomes, begun, send }) => {
      const text = 'He said "no"\n\\ & <b> \u2028 🎉 {{to}}'
      assert.deepEqual(await send([sms(7, { text, encoding: 'ucs2' })]), { taken: 1 })
      assert.deepEqual(JSON.parse(peer.requests[0]?.body ?? ''), { to: '+33601020304', text, ref: '7' })
      assert.deepEqual([peer.requests[0]?.method, peer.requests[0]?.url], ['POST', '/send'])
      const [outcome] = outcomes
      assert.ok(outcome?.result === 'accepted')
      assert.deepEqual([outcome.reference, outcome.mta], ['peer-7', 'http-fr'])
      assert.deepEqual(begun, [7])
    }))

  it('are escaped for forms, addresses, XML and plain text, and secrets appear only where configured', async () => {
    const text = 'a&b=c <d> "é"+1 🎉'
    const forms = [
      [
        {
          method: 'GET',
          url: '/send?to={{to}}&text={{ text }}&n={{segments}}&e={{encoding}}&key={{secret.key}}',
          encodings: { ucs2: 'unicode' },
        },
        (request: PeerRequest) => Object.fromEntries(new URL(request.url, 'http://x').searchParams),
        { to: '33601020304', text, n: '1', e: 'unicode', key: 'k&y' },
      ],
      [
        {
          headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
          body: 'text={{text}}&to={{to}}',
        },
        (request: PeerRequest) => Object.fromEntries(new URLSearchParams(request.body)),
        { text, to: '33601020304' },
      ],
      [
        { headers: { 'content-type': 'text/xml' }, body: '<m to="{{to}}">{{text}}</m>' },
        (request: PeerRequest) => request.body,
        '<m to="33601020304">a&amp;b=c &lt;d&gt; &quot;é&quot;+1 🎉</m>',
      ],
      [
        { method: 'PUT', headers: { 'content-type': 'text/plain', 'x-text': '{{text}}' }, body: '{{text}}' },
        (request: PeerRequest) => [request.method, request.body, request.headers['x-text']],
        ['PUT', text, 'a&b=c <d> "?"+1 ??'],
      ],
    ] as const
    for (const [{ ...settings }, read, expected] of forms) {
      await bench(
        () => ({}),
        { numbers: 'digits' },
        async ({ peer }) => {
          const url = `http://127.0.0.1:${peer.port}${'url' in settings ? settings.url : '/send'}`
          const given = readSmsHttpConfig(
            { numbers: 'digits', ...settings, url },
            { key: 'k&y', username: 'shop', password: 'p:w' },
          )
          const gateway = openSmsHttpGateway('x', given, { clock: systemClock })
          const outcomes: GatewayOutcome[] = []
          await gateway.send([sms(1, { text, encoding: 'ucs2' })], { outcome: (one) => outcomes.push(one) })
          await gateway.close()
          const [request] = peer.requests
          assert.ok(request)
          assert.deepEqual(read(request), expected)
          assert.equal(request.headers.authorization, `Basic ${Buffer.from('shop:p:w').toString('base64')}`)
          // The peer names nothing: our own name of the message is what its callbacks will say.
          assert.ok(outcomes[0]?.result === 'accepted' && outcomes[0].reference === '1')
        },
      )
    }
  })

  it('use few connections for many messages, within the concurrency limit', () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    return bench(
      (request) => ({ ...(taken(request) as object), until, afterMs: 2 }),
      { ...json, concurrency: 4 },
      async ({ peer, outcomes, send }) => {
        const sending = send(Array.from({ length: 60 }, (_, id) => sms(id)))
        await eventually(() => peer.requests.length === 4)
        release()
        assert.deepEqual(await sending, { taken: 60 })
        assert.ok(outcomes.every(({ result }) => result === 'accepted'))
        assert.equal(peer.most, 4)
        assert.ok(Math.max(...peer.requests.map(({ connection }) => connection)) <= 4)
      },
    )
  })

  it('follow no redirect and pause after one', () =>
    bench(
      () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
      { ...json, concurrency: 1 },
      async ({ peer, outcomes, send }) => {
        const { taken: count, stop } = await send([sms(1), sms(2)])
        assert.deepEqual([count, stop?.why, stop?.retryAfterMs], [1, 'down', stop?.retryAfterMs])
        assert.equal(peer.requests.length, 1)
        assert.deepEqual(
          outcomes.map((one) => one.result === 'deferred' && [one.stage, one.gatewayCode]),
          [['connect', '302']],
        )
      },
    ))

  it('pause as long as Retry-After says, for all messages', () =>
    bench(
      () => ({ status: 429, headers: { 'retry-after': '700' } }),
      { ...json, concurrency: 1 },
      async ({ outcomes, send }) => {
        const { taken: count, stop } = await send([sms(1), sms(2), sms(3)])
        assert.equal(count, 1)
        assert.ok(stop?.why === 'down' && (stop.retryAfterMs ?? 0) > 600_000 && (stop.retryAfterMs ?? 0) <= 700_000)
        assert.ok(outcomes[0]?.result === 'deferred' && outcomes[0].retryAfterMs === 700_000)
        assert.equal((await send([sms(2)])).taken, 0)
      },
    ))

  for (const [how, answer] of [
    ['without an answer', 'drop'],
    ['in the middle of an answer', 'drop in the body'],
    ['without an answer in time', 'stall'],
  ] as const)
    it(`are doubtful when sent and then ended ${how}`, () =>
      bench(
        (request) => (JSON.parse(request.body).ref === '1' ? answer : taken(request)),
        { ...json, concurrency: 1, answerMs: answer === 'stall' ? 100 : 60_000 },
        async ({ settings, outcomes, gateway }) => {
          // The second one may be answered as late as it likes.
          const beforeBody = () => {
            settings.answerMs = 60_000
          }
          const listener = { beforeBody, outcome: (one: GatewayOutcome) => outcomes.push(one) }
          assert.deepEqual(await gateway.send([sms(1), sms(2)], listener), { taken: 2 })
          assert.deepEqual(
            outcomes.map(({ result }) => result),
            ['doubtful', 'accepted'],
          )
        },
      ))

  it('are deferred without blame when the server does not answer, and then pause', (t) =>
    bench(taken, { ...json, url: 'http://127.0.0.1:1/send' }, async ({ outcomes, begun, send, gateway }) => {
      // A slow machine must not outlast the pause.
      t.mock.method(performance, 'now', () => 0)
      const { taken: count, stop } = await send([sms(1), sms(2)])
      assert.ok(count >= 1)
      assert.equal(stop?.why ?? 'down', 'down')
      assert.ok(outcomes.every((one) => one.result === 'deferred' && one.stage === 'connect'))
      assert.deepEqual(begun, [])
      assert.equal((await send([sms(3)])).stop?.why, 'down')
      const { ok, detail } = await gateway.check()
      assert.ok(!ok)
      assert.match(detail, /ECONNREFUSED/)
    }))

  it('give up a connection that is not established in time', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const read = readSmsHttpConfig({ url: `https://127.0.0.1:${port}/`, method: 'GET', connectMs: 50 }, undefined)
    const gateway = openSmsHttpGateway('silent', read, { clock: systemClock })
    const outcomes: GatewayOutcome[] = []
    await gateway.send([sms(1)], { outcome: (one) => outcomes.push(one) })
    assert.deepEqual(
      outcomes.map((one) => one.result === 'deferred' && one.reply),
      ['no connection within 0.05 s'],
    )
    await gateway.close()
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it('are journaled before the first octet is sent, and deferred when that fails', () =>
    bench(taken, json, async ({ peer, gateway }) => {
      const outcomes: GatewayOutcome[] = []
      const beforeBody = (id: number) => {
        assert.equal(peer.requests.length, 0)
        if (id === 1) throw new Error('disk full')
      }
      await gateway.send([sms(1)], { beforeBody, outcome: (one) => outcomes.push(one) })
      assert.deepEqual(
        outcomes.map((one) => one.result === 'deferred' && one.reply),
        ['disk full'],
      )
      assert.equal(peer.requests.length, 0)
    }))

  it('are no longer taken once the gateway closes, and stuck ones are cut off', () =>
    bench(
      () => 'stall',
      { ...json, concurrency: 2 },
      async ({ peer, gateway, outcomes, send }) => {
        const sending = send([sms(1), sms(2), sms(3)])
        await eventually(() => peer.requests.length >= 2)
        await gateway.close(30)
        const { taken: count, stop } = await sending
        assert.deepEqual([count, stop?.why], [2, 'aborted'])
        assert.deepEqual(
          outcomes.map(({ result }) => result),
          ['doubtful', 'doubtful'],
        )
      },
    ))

  it('are sent over TLS with certificate verification', async () => {
    const peer = await startSmsHttpPeer(taken, { key, cert })
    const url = `https://127.0.0.1:${peer.port}/send`
    const outcomes: GatewayOutcome[] = []
    for (const more of [{ ca: cert }, { verify: false }, {}]) {
      const gateway = openSmsHttpGateway('tls', readSmsHttpConfig({ ...json, url, ...more }, undefined), {
        clock: systemClock,
      })
      await gateway.send([sms(1), sms(2)], { outcome: (one) => outcomes.push(one) })
      const { ok, detail } = await gateway.check()
      assert.match(detail, ok ? /TLSv1\.3/ : /certificate/)
      await gateway.close()
    }
    await peer.close()
    assert.deepEqual(outcomes.map(({ result }) => result).filter((result) => result === 'accepted').length, 4)
    assert.ok(outcomes.slice(4).every((one) => one.result === 'deferred' && /certificate/.test(one.reply)))
  })

  it('are not needed to check the gateway', () =>
    bench(taken, json, async ({ peer, gateway }) => {
      const { ok, detail } = await gateway.check()
      assert.ok(ok, detail)
      assert.match(detail, /is reachable/)
      assert.deepEqual(peer.requests, [])
    }))
})

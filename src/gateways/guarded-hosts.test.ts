import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { startSink } from '#test/fakes/mail/smtp-sink.ts'
import type { OutboundPolicy } from '../lib/net/guarded-client.ts'
import { systemClock } from '../lib/time/clock.ts'
import type { GatewayOutcome, OutgoingMail, OutgoingSms } from './gateway.ts'
import { openGateway } from './gateway-definitions.ts'

/** Somebody's server on this machine, which counts who comes. */
let connections = 0
const inside = createServer((socket) => {
  connections++
  socket.destroy()
})
let port: number

before(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = (inside.address() as AddressInfo).port
})
after(() => inside.close())

/** Gateways of each kind whose hosts are free, to a name. */
const rows = (host: string, to = port) => [
  { kind: 'smtp', channel: 'email' as const, settings: { host, port: to, connections: 1 } },
  { kind: 'sms-smpp', channel: 'sms' as const, settings: { host, port: to, tls: false } },
  { kind: 'sms-http', channel: 'sms' as const, settings: { url: `http://${host}:${to}/send?to={{to}}` } },
]

function contextOf(reach: OutboundPolicy) {
  return { dataDir: tmpdir(), clock: systemClock, reach }
}

const sms: OutgoingSms = { id: 1, to: '+33601020304', from: 'SHOP', text: 'Hello', encoding: 'gsm7' }
const mail: OutgoingMail = {
  id: 1,
  envelope: { from: 'bounce@shop.example', to: 'ann@customer.example' },
  bytes: Buffer.from('Subject: Hello\r\n\r\nHello\r\n'),
}

describe('gateway hosts configured through the interface', () => {
  for (const nth of [0, 1, 2])
    it(`are checked on each connection: ${rows('x', 1)[nth]!.kind}`, async () => {
      // A name that led elsewhere when it was written.
      const reach: OutboundPolicy = { open: new Set(), resolve: async () => ['127.0.0.1'] }
      const row = { name: 'moved', guarded: true, ...rows('moved.example')[nth]! }
      const gateway = await openGateway(row, contextOf(reach))
      const outcomes: GatewayOutcome[] = []
      try {
        const { ok, detail } = await gateway.check()
        assert.deepEqual([ok, connections], [false, 0], detail)
        assert.match(detail, /resolves to a private address/)
        await gateway.send([row.channel === 'email' ? mail : sms], {
          outcome: (outcome) => outcomes.push(outcome),
        })
        assert.equal(connections, 0)
        for (const outcome of outcomes)
          assert.ok(outcome.result === 'deferred' && outcome.reply.includes('private address'), JSON.stringify(outcome))
      } finally {
        await gateway.close(0)
      }
    })

  for (const nth of [0, 1, 2])
    it(`are also refused as private addresses: ${rows('x', 1)[nth]!.kind}`, async () => {
      const reach: OutboundPolicy = { open: new Set(), resolve: async () => ['127.0.0.1'] }
      const gateway = await openGateway({ name: 'own', guarded: true, ...rows('127.0.0.1')[nth]! }, contextOf(reach))
      const { ok, detail } = await gateway.check().finally(() => gateway.close(0))
      assert.deepEqual([ok, connections], [false, 0], detail)
      assert.match(detail, /is a private address/)
    })

  it('are reachable at the checked address when the installation allows them', async () => {
    const sink = await startSink()
    let asked = 0
    const resolve = async () => {
      asked++
      return ['127.0.0.1']
    }
    const [relay] = rows('relay.invalid', sink.port)
    const allowed: OutboundPolicy = { open: new Set([`relay.invalid:${sink.port}`]), resolve }
    const gateway = await openGateway({ name: 'allowed', guarded: true, ...relay! }, contextOf(allowed))
    try {
      // No name server knows this name: the address is the one that was looked at.
      const { ok, detail } = await gateway.check()
      assert.equal(ok, true, detail)
      assert.equal(asked, 1)
      const outcomes: GatewayOutcome[] = []
      for (let id = 1; id <= 5; id++)
        await gateway.send([{ ...mail, id }], { outcome: (outcome) => outcomes.push(outcome) })
      assert.equal(outcomes.length, 5, JSON.stringify(outcomes))
      // One connection carried them all: no message asks for a name.
      assert.equal(asked, 2)
    } finally {
      await gateway.close(0)
      await sink.close()
    }
  })

  it('may be private when set on the command line or in the environment', async () => {
    const sink = await startSink()
    const [relay] = rows('127.0.0.1', sink.port)
    const reach: OutboundPolicy = { open: new Set(), resolve: async () => [] }
    const gateway = await openGateway({ name: 'inside', ...relay! }, contextOf(reach))
    const { ok, detail } = await gateway.check()
    await gateway.close(0)
    await sink.close()
    assert.equal(ok, true, detail)
  })
})

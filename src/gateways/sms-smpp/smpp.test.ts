import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import {
  type Delivered,
  type SmppServer,
  type SmppServerOptions,
  startSmppServer,
} from '#test/fakes/sms/smpp-server.ts'
import { contentOf, placeOf } from '#test/fakes/sms/smpp-server-pdu.ts'
import { eventually } from '#test/support/wait.ts'
import { decodeGsmText } from '../../lib/text/gsm.ts'
import { splitSmsText } from '../../lib/text/sms.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import type { GatewayOutcome, MessageGateway, OutgoingSms, SmsReceipt, SmsReply } from '../gateway.ts'
import { readSmppSettings, type SmppSecrets, type SmppSettings } from './settings.ts'
import { openSmppGateway } from './smpp.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'stentor-smpp-'))
after(() => rm(dataDir, { recursive: true, force: true }))

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')
const key = fixture('test-only-key.pem')
const cert = fixture('test-only-cert.pem')

const secrets: SmppSecrets = { systemId: 'shop', password: 'secret' }

const sms = (id: number, more: Partial<OutgoingSms> = {}): OutgoingSms => ({
  id,
  to: `+336010${String(id).padStart(5, '0')}`,
  from: 'SHOP',
  text: `message ${id}`,
  encoding: 'gsm7',
  ...more,
})

const messages = (count: number, from = 1): OutgoingSms[] => Array.from({ length: count }, (_, n) => sms(from + n))

/** What came back, and what is to happen to it. */
function createInbox() {
  const receipts: SmsReceipt[] = []
  const replies: SmsReply[] = []
  const inbox = {
    receipts,
    replies,
    failing: false,
    async onReceipt(_gateway: string, receipt: SmsReceipt) {
      if (inbox.failing) throw new Error('the database is away')
      receipts.push(receipt)
    },
    async onReply(_gateway: string, reply: SmsReply) {
      if (inbox.failing) throw new Error('the database is away')
      replies.push(reply)
    },
  }
  return inbox
}

type TestInbox = ReturnType<typeof createInbox>

interface Bench {
  server: SmppServer
  gateway: MessageGateway<OutgoingSms>
  outcomes: GatewayOutcome[]
  begun: number[]
  send(batch: Iterable<OutgoingSms>, signal?: AbortSignal): ReturnType<MessageGateway['send']>
}

interface BenchOptions {
  server?: SmppServerOptions
  settings?: object
  inbox?: TestInbox
  clock?: Clock
  /** Called before a message is submitted, with the settings that it and later binds go by. */
  beforeBody?: (id: number, settings: SmppSettings) => void
}

/** A clock that stands still. */
const noon: Clock = { now: () => Date.UTC(2026, 2, 20, 12) }

async function bench(
  work: (bench: Bench) => Promise<void>,
  { server: serverOptions, settings: given, inbox, clock = systemClock, beforeBody }: BenchOptions = {},
): Promise<void> {
  const server = await startSmppServer({ credentials: secrets, ...serverOptions })
  const settings = readSmppSettings({ host: '127.0.0.1', port: server.port, reconnectMs: 20, ...given })
  const gateway = openSmppGateway('smpp-fr', { settings, secrets }, { dataDir, clock, inbox })
  const outcomes: GatewayOutcome[] = []
  const begun: number[] = []
  const send: Bench['send'] = (batch, signal) =>
    gateway.send(batch, {
      ...(signal && { signal }),
      beforeBody(id: number) {
        begun.push(id)
        beforeBody?.(id, settings)
      },
      outcome: (outcome) => outcomes.push(outcome),
    })
  try {
    await work({ server, gateway, outcomes, begun, send })
    assert.deepEqual(server.faults, [])
  } finally {
    await gateway.close(200)
    await server.close()
  }
}

const receiving = (server: SmppServer) =>
  eventually(() => [...server.openBinds].some(({ kind }) => kind !== 'transmitter'))

describe('sending over SMPP', () => {
  it("accepts messages with the message centre's id, over one bind and in one window", () =>
    bench(
      async ({ server, outcomes, begun, send }) => {
        assert.deepEqual(await send(messages(100)), { taken: 100 })
        assert.equal(outcomes.length, 100)
        assert.deepEqual(outcomes[0], {
          id: 1,
          result: 'accepted',
          reference: '00000001',
          reply: 'ESME_ROK',
          mta: 'smpp-fr',
        })
        assert.deepEqual(
          begun,
          messages(100).map(({ id }) => id),
        )
        assert.deepEqual(server.binds, [{ connection: 1, kind: 'transmitter', systemId: 'shop', systemType: 'VMA' }])
        const [first] = server.submitted
        assert.ok(first)
        const { tlvs, ...fields } = first
        assert.equal(tlvs.size, 0)
        assert.deepEqual(fields, {
          messageId: '00000001',
          connection: 1,
          serviceType: 'CMT',
          sourceTon: 5,
          sourceNpi: 0,
          source: 'SHOP',
          destinationTon: 1,
          destinationNpi: 1,
          destination: '33601000001',
          esmClass: 0,
          validity: '',
          registeredDelivery: 1,
          dataCoding: 0,
          shortMessage: Buffer.from('message 1'),
        })
      },
      { server: { window: 4 }, settings: { window: 4, systemType: 'VMA', serviceType: 'CMT' } },
    ))

  it('spreads over the allowed number of binds when their windows are full', () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    return bench(
      async ({ server, send }) => {
        const sending = send(messages(200))
        await eventually(() => server.submitted.length === 30)
        release()
        await sending
        assert.deepEqual(new Set(server.submitted.map(({ connection }) => connection)), new Set([1, 2, 3]))
        assert.equal(server.submitted.length, 200)
      },
      {
        server: { behave: ({ kind }) => (kind === 'submit' ? { status: 0, until } : undefined) },
        settings: { connections: 3 },
      },
    )
  })

  it('limits its rate', () =>
    bench(
      async ({ server, send }) => {
        const from = performance.now()
        await send(messages(21))
        assert.ok(performance.now() - from >= 95)
        assert.equal(server.submitted.length, 21)
      },
      { settings: { rate: 200 } },
    ))

  const long = `${'a'.repeat(152)}€${'b'.repeat(200)}{}`
  const pairs = `${'ê'.repeat(66)}🎉${'ü'.repeat(100)}`
  for (const [way, count] of [
    ['udh8', 3],
    ['udh16', 3],
    ['sar', 3],
    ['payload', 1],
  ] as const)
    it(`splits long messages by ${way} without dividing a character`, () =>
      bench(
        async ({ server, outcomes, send }) => {
          await send([sms(300, { text: long }), sms(301, { text: pairs, encoding: 'ucs2' })])
          for (const [id, text] of [
            [300, long],
            [301, pairs],
          ] as const) {
            const parts = server.submitted
              .filter(({ destination }) => destination.endsWith(String(id)))
              .sort((a, b) => placeOf(a).number - placeOf(b).number)
            assert.equal(parts.length, count)
            assert.deepEqual(
              parts.map((part) => placeOf(part).number),
              parts.map((_, index) => index + 1),
            )
            if (way !== 'payload')
              assert.deepEqual(
                parts.map((part) => placeOf(part).total),
                parts.map(() => count),
              )
            assert.equal(new Set(parts.map((part) => placeOf(part).key)).size, 1)
            const texts = parts.map((part) =>
              part.dataCoding === 8
                ? Buffer.from(contentOf(part)).swap16().toString('utf16le')
                : decodeGsmText(contentOf(part)),
            )
            assert.equal(texts.join(''), text)
            for (const part of texts) assert.ok(part.isWellFormed())
            if (way === 'udh8') assert.deepEqual(texts, splitSmsText(text, id === 300 ? 'gsm7' : 'ucs2'))
            for (const part of parts)
              if (way.startsWith('udh')) assert.ok(part.shortMessage.length <= (part.dataCoding === 8 ? 140 : 160))
            const outcome = outcomes.find((one) => one.id === id)
            assert.ok(outcome?.result === 'accepted')
            assert.equal(outcome.reference, parts[0]?.messageId)
            assert.deepEqual(outcome.references, count === 1 ? undefined : parts.map(({ messageId }) => messageId))
          }
        },
        { settings: { long: way } },
      ))

  it('sets the type of numbers, names and short codes and the validity period', () =>
    bench(
      async ({ server, send }) => {
        const expiresAt = noon.now() + 90_061_500
        await send([
          sms(1, { from: '+33700000001' }),
          sms(2, { from: '36111' }),
          sms(3, { from: 'My Shop', expiresAt }),
        ])
        assert.deepEqual(
          server.submitted.map(({ source, sourceTon, sourceNpi }) => [source, sourceTon, sourceNpi]),
          [
            ['33700000001', 1, 1],
            ['36111', 3, 0],
            ['My Shop', 5, 0],
          ],
        )
        assert.equal(server.submitted[2]?.validity, '000001010101000R')
      },
      { clock: noon },
    ))

  it('requests receipts and encodes texts in latin1 as the settings say', () =>
    bench(
      async ({ server, send }) => {
        await send([sms(1, { text: 'été' }), sms(2, { text: '5 €' })])
        assert.deepEqual(
          server.submitted.map(({ dataCoding, shortMessage, registeredDelivery }) => [
            dataCoding,
            shortMessage.toString('hex'),
            registeredDelivery,
          ]),
          [
            [3, 'e974e9', 2],
            [8, '0035002020ac', 2],
          ],
        )
      },
      { settings: { alphabet: 'latin1', dataCoding: 3, receipts: 'failures' } },
    ))

  it('refuses messages that no message centre accepts, without submitting them', () =>
    bench(async ({ server, outcomes, send }) => {
      assert.deepEqual(await send([sms(1, { to: 'nobody' }), sms(2, { from: 'a name too long' }), sms(3)]), {
        taken: 3,
      })
      assert.deepEqual(
        outcomes.map((one) => one.result === 'refused' && [one.stage, one.gatewayCode, one.enhanced, one.mta]),
        [['rcpt', 'ESME_RINVDSTADR', '5.1.1', ''], ['mail', 'ESME_RINVSRCADR', '5.0.0', ''], false],
      )
      assert.equal(server.submitted.length, 1)
    }))

  it('distinguishes refusals of the number, the sender and the settings from temporary ones', () => {
    const statuses = [0x0b, 0x0a, 0x43, 0x01, 0x45, 0x08, 0x0401, 0x0402]
    return bench(
      async ({ outcomes, send }) => {
        await send(messages(statuses.length))
        assert.deepEqual(
          outcomes.map(
            (one) => 'stage' in one && [one.result, one.stage, 'enhanced' in one && one.enhanced, one.gatewayCode],
          ),
          [
            ['refused', 'rcpt', '5.1.1', 'ESME_RINVDSTADR'],
            ['refused', 'mail', '5.0.0', 'ESME_RINVSRCADR'],
            ['refused', 'connect', '5.0.0', 'ESME_RINVESMCLASS'],
            ['refused', 'data', '5.0.0', 'ESME_RINVMSGLEN'],
            ['refused', 'rcpt', '5.0.0', 'ESME_RSUBMITFAIL'],
            ['deferred', 'data', false, 'ESME_RSYSERR'],
            ['refused', 'rcpt', '5.0.0', '0x00000401'],
            ['deferred', 'data', false, '0x00000402'],
          ],
        )
      },
      {
        server: {
          behave: ({ kind, destination }) =>
            kind === 'submit' ? { status: statuses[Number(destination.slice(-5)) - 1] ?? 0 } : undefined,
        },
        settings: { retryStatuses: [0x0402] },
      },
    )
  })

  for (const status of [0x58, 0x14])
    it(`slows down at ${status === 0x58 ? 'ESME_RTHROTTLED' : 'ESME_RMSGQFUL'} and loses no message`, () =>
      bench(
        async ({ server, outcomes, send }) => {
          assert.deepEqual(await send(messages(30)), { taken: 30 })
          assert.equal(server.submitted.length, 30)
          assert.ok(outcomes.every(({ result }) => result === 'accepted'))
        },
        {
          server: {
            behave: ({ kind, attempt, destination }) =>
              kind === 'submit' && attempt === 1 && Number(destination) % 3 === 0 ? { status } : undefined,
          },
        },
      ))

  it('defers messages that are throttled for too long', () =>
    bench(
      async ({ outcomes, send }) => {
        await send(messages(3))
        assert.deepEqual(
          outcomes.map((one) => one.result === 'deferred' && one.gatewayCode),
          Array(3).fill('ESME_RTHROTTLED'),
        )
      },
      {
        server: { behave: ({ kind }) => (kind === 'submit' ? { status: 0x58 } : undefined) },
        settings: { patienceMs: 150 },
      },
    ))

  it('makes only submitted messages without a response doubtful after a lost connection', () =>
    bench(
      async ({ server, outcomes, send }) => {
        const { taken, stop } = await send(messages(20))
        assert.equal(stop, undefined)
        assert.equal(taken, 20)
        const doubtful = outcomes.filter(({ result }) => result === 'doubtful')
        assert.ok(doubtful.length >= 1 && doubtful.length <= 4, `${doubtful.length} in doubt`)
        assert.ok(doubtful.some(({ id }) => id === 10))
        assert.equal(outcomes.filter(({ result }) => result === 'accepted').length, 20 - doubtful.length)
        assert.equal(server.binds.length, 2)
      },
      {
        server: {
          behave: ({ kind, destination }) =>
            kind === 'submit' && destination.endsWith('00010') ? 'take and drop' : undefined,
        },
        settings: { window: 4 },
      },
    ))

  it('makes a message doubtful when its response times out, and continues', () =>
    bench(
      async ({ outcomes, send }) => {
        await send(messages(3))
        const [doubtful] = outcomes.filter(({ result }) => result === 'doubtful')
        assert.ok(doubtful?.result === 'doubtful')
        assert.deepEqual([doubtful.id, doubtful.reason], [2, 'no answer to submit_sm within 0.1 s'])
        assert.equal(outcomes.length, 3)
      },
      {
        server: {
          behave: ({ kind, destination }) =>
            kind === 'submit' && destination.endsWith('00002') ? 'take and stall' : undefined,
        },
        // The others may be answered as late as they like.
        beforeBody(id, settings) {
          settings.answerMs = id === 2 ? 100 : 60_000
        },
      },
    ))

  it('makes a partly accepted long message doubtful, but refuses it when the rest is refused permanently', () => {
    let parts = 0
    const statuses = [0, 0x08, 0, 0x0b]
    return bench(
      async ({ outcomes, send }) => {
        await send([sms(1, { text: 'x'.repeat(200) })])
        await send([sms(2, { text: 'x'.repeat(200) })])
        assert.deepEqual(outcomes, [
          { id: 1, result: 'doubtful', reason: '1 of 2 parts were accepted, then: ESME_RSYSERR', mta: 'smpp-fr' },
          {
            id: 2,
            result: 'refused',
            stage: 'rcpt',
            enhanced: '5.1.1',
            gatewayCode: 'ESME_RINVDSTADR',
            reply: '1 of 2 parts were accepted, then: ESME_RINVDSTADR',
            mta: 'smpp-fr',
          },
        ])
      },
      { server: { behave: ({ kind }) => (kind === 'submit' ? { status: statuses[parts++] ?? 0 } : undefined) } },
    )
  })

  it('sends the rest of a long message over the next bind, even after several failed binds', () => {
    let parts = 0
    return bench(
      async ({ server, outcomes, send }) => {
        const { taken, stop } = await send([sms(1, { text: 'x'.repeat(400) }), sms(2)])
        assert.deepEqual([taken, stop?.why], [1, 'down'])
        const places = server.submitted.map((one) => [one.connection, placeOf(one).number])
        assert.deepEqual(places, [
          [1, 1],
          [4, 2],
          [4, 3],
        ])
        assert.deepEqual(
          outcomes.map((one) => one.result === 'accepted' && one.references?.length),
          [3],
        )
      },
      {
        server: {
          behave({ kind, connection }) {
            if (kind === 'submit' && ++parts === 2) return { status: 0x04 }
            return kind === 'bind' && (connection === 2 || connection === 3) ? { status: 0x0d } : undefined
          },
        },
        settings: { window: 1 },
      },
    )
  })

  it('makes a long message doubtful when its rest cannot be sent in time', () =>
    bench(
      async ({ outcomes, send }) => {
        await send([sms(1, { text: 'x'.repeat(200) })])
        const reason = '1 of 2 parts were accepted, then: the message centre refused the bind: ESME_RBINDFAIL'
        assert.deepEqual(outcomes, [{ id: 1, result: 'doubtful', reason, mta: 'smpp-fr' }])
      },
      {
        server: {
          behave: ({ kind, attempt, connection }) =>
            kind === 'bind' ? { status: connection === 1 ? 0 : 0x0d } : { status: attempt === 1 ? 0 : 0x04 },
        },
        settings: { window: 1, patienceMs: 100 },
      },
    ))

  it('takes no messages while it cannot bind, and blames none', () =>
    bench(
      async ({ server, outcomes, send, gateway }) => {
        const first = await send(messages(3))
        assert.deepEqual([first.taken, first.stop?.why], [0, 'down'])
        assert.match(first.stop?.detail ?? '', /ESME_RINVPASWD/)
        assert.ok((first.stop?.retryAfterMs ?? 0) > 0)
        assert.deepEqual(outcomes, [])
        assert.deepEqual(server.submitted, [])
        const { ok, detail } = await gateway.check()
        assert.ok(!ok)
        assert.match(detail, /refused the bind: ESME_RINVPASWD/)
        assert.doesNotMatch(detail, /secret/)
      },
      { server: { credentials: { systemId: 'shop', password: 'other' } } },
    ))

  it('journals a message before sending its first octet, and defers it when that fails', () =>
    bench(async ({ server, gateway }) => {
      const outcomes: GatewayOutcome[] = []
      await gateway.send(messages(2), {
        beforeBody(id: number) {
          assert.equal(server.submitted.length, 0)
          if (id === 1) throw new Error('disk full')
        },
        outcome: (one) => outcomes.push(one),
      })
      assert.deepEqual(
        outcomes.map(({ id, result }) => [id, result]),
        [
          [1, 'deferred'],
          [2, 'accepted'],
        ],
      )
      assert.equal(server.submitted.length, 1)
    }))

  it('takes no more messages once aborted and finishes those taken', () =>
    bench(
      async ({ outcomes, send }) => {
        const stopping = new AbortController()
        function* endless() {
          for (let id = 1; ; id++) {
            if (id === 20) stopping.abort()
            yield sms(id)
          }
        }
        const { taken, stop } = await send(endless(), stopping.signal)
        assert.equal(stop?.why, 'aborted')
        assert.equal(outcomes.length, taken)
        assert.ok(taken < 22)
      },
      { settings: { window: 2 } },
    ))

  it('unbinds when idle and binds again for the next message', () =>
    bench(
      async ({ server, send, outcomes }) => {
        await send(messages(1))
        await eventually(() => server.unbinds === 1)
        await send(messages(1, 2))
        assert.equal(server.binds.length, 2)
        assert.ok(outcomes.every(({ result }) => result === 'accepted'))
      },
      { settings: { idleMs: 30 } },
    ))

  it('gives every message taken its outcome when it closes', () =>
    bench(
      async ({ gateway, outcomes, send, server }) => {
        const sending = send(messages(50))
        await eventually(() => server.submitted.length > 0)
        await gateway.close(60_000)
        const { taken, stop } = await sending
        assert.equal(stop?.why, 'aborted')
        assert.equal(outcomes.length, taken)
        assert.ok(outcomes.every(({ result }) => result === 'accepted'))
        assert.equal(server.unbinds, 1)
        assert.deepEqual((await send(messages(1))).stop?.why, 'aborted')
      },
      {
        server: { behave: ({ kind }) => (kind === 'submit' ? { status: 0, afterMs: 10 } : undefined) },
        settings: { window: 5 },
      },
    ))

  it('cuts off unanswered messages at the end of a close and reports them as doubtful', () =>
    bench(
      async ({ gateway, outcomes, send, server }) => {
        const sending = send(messages(5))
        await eventually(() => server.submitted.length === 3)
        await gateway.close(50)
        assert.equal((await sending).taken, 3)
        assert.deepEqual(
          outcomes.map(({ result }) => result),
          ['doubtful', 'doubtful', 'doubtful'],
        )
      },
      { server: { behave: ({ kind }) => (kind === 'submit' ? 'take and stall' : undefined) }, settings: { window: 3 } },
    ))

  it('sends enquire_link and binds again without a response', () =>
    bench(
      async ({ server, send, outcomes }) => {
        let count = 0
        // A bind that took no message has failed: the next one is made after a pause.
        await eventually(async () => {
          count += (await send(messages(3 - count, count + 1))).taken
          return count === 3
        })
        await eventually(() => server.enquiries === 1)
        assert.deepEqual(
          outcomes.map((one) => (one.result === 'doubtful' ? one.reason : one.result)),
          ['no answer to enquire_link within 0.03 s', 'accepted', 'accepted'],
        )
      },
      {
        server: { behave: ({ kind, connection }) => (kind !== 'bind' && connection === 1 ? 'stall' : undefined) },
        settings: { window: 1, enquireMs: 30, enquireAnswerMs: 30 },
        // The next bind may be silent for as long as it likes.
        beforeBody(_, settings) {
          settings.enquireMs = 60_000
        },
      },
    ))
})

describe('receiving over SMPP', () => {
  const receipt = (more: Delivered = {}): Delivered => ({
    esmClass: 4,
    octets: Buffer.from(
      'id:00000001 sub:001 dlvrd:001 submit date:2603200800 done date:2603200801 stat:DELIVRD err:000 text:message',
    ),
    ...more,
  })

  it('binds at once when receipts and replies are wanted, and acknowledges them once stored', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server }) => {
        await receiving(server)
        assert.deepEqual(
          server.binds.map(({ kind }) => kind),
          ['transceiver'],
        )
        assert.equal(await server.deliver(receipt()), 0)
        assert.equal(await server.deliver({ octets: Buffer.from('STOP') }), 0)
        const [stored] = inbox.receipts
        assert.ok(stored)
        const { time, diagnostic, ...rest } = stored
        assert.equal(time, noon.now())
        assert.match(diagnostic, /^id:00000001 .*stat:DELIVRD/)
        assert.deepEqual(rest, {
          reference: '00000001',
          state: 'DELIVRD',
          error: null,
          to: '+33601020304',
          from: '36111',
        })
        assert.deepEqual(
          inbox.replies.map(({ id, from, to, text }) => ({ id, from, to, text })),
          [{ id: null, from: '+33601020304', to: '36111', text: 'STOP' }],
        )
      },
      { inbox, clock: noon },
    )
  })

  it('temporarily refuses what cannot be stored and accepts it when it is sent again', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server }) => {
        await receiving(server)
        inbox.failing = true
        assert.equal(await server.deliver(receipt()), 0x64)
        inbox.failing = false
        assert.equal(await server.deliver(receipt()), 0)
        assert.equal(inbox.receipts.length, 1)
      },
      { inbox },
    )
  })

  it('uses a receiver in addition to transmitters when the settings say so, and stays bound', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server, send, outcomes }) => {
        await receiving(server)
        await send(messages(3))
        assert.deepEqual(
          server.binds.map(({ kind }) => kind),
          ['receiver', 'transmitter'],
        )
        assert.equal(await server.deliver(receipt()), 0)
        server.cutAll()
        await eventually(() => server.binds.filter(({ kind }) => kind === 'receiver').length === 2)
        assert.equal(await server.deliver(receipt()), 0)
        assert.equal(inbox.receipts.length, 2)
        assert.equal(outcomes.length, 3)
      },
      { inbox, settings: { bind: 'pair' } },
    )
  })

  it('binds again after the message centre unbinds', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server }) => {
        await receiving(server)
        server.unbindAll()
        await eventually(() => server.binds.length === 2 && server.openBinds.size === 1)
        assert.equal(await server.deliver(receipt()), 0)
      },
      { inbox },
    )
  })

  const network = (code: number) => Buffer.of(3, code >> 8, code & 0xff)
  it('reads receipts from their parameters first, and ids in either base', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server, send, outcomes }) => {
        await receiving(server)
        await send(messages(1))
        const [sent] = outcomes
        assert.ok(sent?.result === 'accepted')
        assert.equal(sent.reference, 'A1F3')
        const octets = Buffer.from('id:0000041459 stat:DELIVRD err:011')
        await server.deliver(receipt({ octets }))
        await server.deliver(
          receipt({
            octets,
            esmClass: 0,
            tlvs: [
              [0x001e, Buffer.from('41459\0')],
              [0x0427, Buffer.of(5)],
              [0x0423, network(27)],
              [0x1400, Buffer.from('vendor')],
            ],
          }),
        )
        await server.deliver({
          ...receipt({ octets: Buffer.alloc(0) }),
          command: 'data_sm',
          tlvs: [
            [0x001e, Buffer.from('41459\0')],
            [0x0427, Buffer.of(3)],
          ],
        })
        assert.deepEqual(
          inbox.receipts.map(({ reference, state, error }) => [reference, state, error]),
          [
            ['A1F3', 'DELIVRD', '011'],
            ['A1F3', 'UNDELIV', '027'],
            ['A1F3', 'EXPIRED', null],
          ],
        )
      },
      { inbox, server: { messageId: () => '0000a1f3' }, settings: { receiptId: 'dec' } },
    )
  })

  it('joins the parts of a reply in any order, by header and by parameters', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server }) => {
        await receiving(server)
        const ucs2 = Buffer.from('Hello 🎉 and good bye, from far away', 'utf16le').swap16()
        const cut = 13
        const udh = (number: number, octets: Buffer): Delivered => ({
          esmClass: 0x40,
          dataCoding: 8,
          octets: Buffer.concat([Buffer.of(5, 0, 3, 77, 2, number), octets]),
        })
        // In the middle of a surrogate pair.
        assert.equal(await server.deliver(udh(2, ucs2.subarray(cut + 1))), 0)
        assert.deepEqual(inbox.replies, [])
        assert.equal(await server.deliver(udh(2, ucs2.subarray(cut + 1))), 0)
        assert.equal(await server.deliver(udh(1, ucs2.subarray(0, cut + 1))), 0)
        const sar = (number: number, text: string): Delivered => ({
          octets: Buffer.from(text),
          tlvs: [
            [0x020c, Buffer.of(0, 77)],
            [0x020e, Buffer.of(3)],
            [0x020f, Buffer.of(number)],
          ],
        })
        for (const [number, text] of [
          [3, 'three'],
          [1, 'one '],
          [2, 'two '],
        ] as const)
          assert.equal(await server.deliver(sar(number, text)), 0)
        assert.equal(await server.deliver({ octets: Buffer.from('alone'), command: 'data_sm' }), 0)
        assert.deepEqual(
          inbox.replies.map(({ text }) => text),
          ['Hello 🎉 and good bye, from far away', 'one two three', 'alone'],
        )
      },
      { inbox },
    )
  })

  it('retains the parts of a reply that cannot be stored until the last one is sent again', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server }) => {
        await receiving(server)
        const part = (number: number): Delivered => ({
          esmClass: 0x40,
          octets: Buffer.concat([Buffer.of(5, 0, 3, 9, 2, number), Buffer.from(`part ${number} `)]),
        })
        assert.equal(await server.deliver(part(1)), 0)
        inbox.failing = true
        assert.equal(await server.deliver(part(2)), 0x64)
        inbox.failing = false
        assert.equal(await server.deliver(part(2)), 0)
        assert.deepEqual(
          inbox.replies.map(({ text }) => text),
          ['part 1 part 2 '],
        )
      },
      { inbox },
    )
  })

  it('nacks malformed PDUs, drops a stream that is not SMPP and continues', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server }) => {
        const garbled = [
          ['00000010 000001ff 00000000 00000007', 3], // no such command
          ['00000012 00000005 00000000 00000008 0000', 2], // ends in the middle of the fields
          ['00000010 00000004 00000000 00000009', 2], // submit_sm without a body
        ] as const
        await receiving(server)
        for (const [hex] of garbled) server.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
        await eventually(() => server.nacks.length === garbled.length)
        assert.deepEqual(
          server.nacks,
          garbled.map(([, status], index) => ({ status, sequence: index + 7 })),
        )
        // An answer to nothing, an alert, a submission from the wrong side: passed over or refused, never fatal.
        server.write(Buffer.from('0000001080000015000000000000ffff', 'hex'))
        assert.equal(await server.deliver(receipt()), 0)
        assert.equal(server.binds.length, 1)
        server.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
        await eventually(() => server.binds.length === 2 && server.openBinds.size === 1)
        assert.deepEqual(server.nacks.at(-1), { status: 2, sequence: 0 })
        assert.equal(await server.deliver(receipt()), 0)
      },
      { inbox },
    )
  })

  it('queues more deliveries than it processes at once and answers them all', async () => {
    const inbox = createInbox()
    await bench(
      async ({ server }) => {
        await receiving(server)
        const statuses = await Promise.all(Array.from({ length: 1000 }, () => server.deliver(receipt())))
        assert.ok(statuses.every((status) => status === 0))
        assert.equal(inbox.receipts.length, 1000)
      },
      { inbox },
    )
  })
})

describe('TLS to a message centre', () => {
  it('verifies the certificate from the first octet', () =>
    bench(
      async ({ server, send, outcomes, gateway }) => {
        await send(messages(2))
        assert.deepEqual(
          outcomes.map(({ result }) => result),
          ['accepted', 'accepted'],
        )
        assert.match((await gateway.check()).detail, /transceiver, TLSv1\.3$/)
        const invalid = [
          [{}, /certificate/],
          [{ tls: false, connectMs: 300 }, /no connection|closed|ECONNRESET|no answer/],
        ] as const
        for (const [more, reason] of invalid) {
          const settings = readSmppSettings({
            host: '127.0.0.1',
            port: server.port,
            tls: true,
            ...more,
          })
          const other = openSmppGateway('other', { settings, secrets }, { dataDir, clock: systemClock })
          const { ok, detail } = await other.check()
          assert.ok(!ok)
          assert.match(detail, reason)
          await other.close()
        }
      },
      { server: { tls: { key, cert } }, settings: { tls: true, ca: cert } },
    ))

  it('skips verification when the settings say so', () =>
    bench(
      async ({ send, outcomes }) => {
        await send(messages(1))
        assert.equal(outcomes[0]?.result, 'accepted')
      },
      { server: { tls: { key, cert } }, settings: { tls: true, verify: false } },
    ))
})

describe('checking a message centre', () => {
  it('binds as configured, sends nothing and reports the result', () =>
    bench(async ({ server, gateway }) => {
      assert.deepEqual(await gateway.check(), {
        ok: true,
        detail: `127.0.0.1:${server.port} accepts binds as shop: transceiver, without TLS`,
      })
      await eventually(() => server.openBinds.size === 0)
      assert.deepEqual([server.submitted.length, server.unbinds], [0, 1])
    }))

  it('succeeds when the system id is already bound', () =>
    bench(
      async ({ gateway }) => {
        const { ok, detail } = await gateway.check()
        assert.ok(ok)
        assert.match(detail, /shop is already bound/)
      },
      { server: { behave: ({ kind }) => (kind === 'bind' ? { status: 5 } : undefined) } },
    ))

  it('reports that there is no connection', async () => {
    const settings = readSmppSettings({ host: '127.0.0.1', port: 1 })
    const gateway = openSmppGateway('gone', { settings, secrets }, { dataDir, clock: systemClock })
    const { ok, detail } = await gateway.check()
    assert.ok(!ok)
    assert.match(detail, /ECONNREFUSED/)
    await gateway.close()
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { startDnsServer, type Zone } from '#test/fakes/mail/dns-server.ts'
import { type Sink, type SinkEvent, type SinkOptions, startSink } from '#test/fakes/mail/smtp-sink.ts'
import { eventually } from '#test/support/wait.ts'
import { createMailDnsResolver } from '../../lib/net/dns.ts'
import { type Clock, systemClock } from '../../lib/time/clock.ts'
import type {
  DomainWarmUp,
  GatewayOutcome,
  MessageGateway,
  MessageOrigin,
  OutgoingMail,
  SendBatchResult,
} from '../gateway.ts'
import { mergeDestinationTable } from './destinations-file.ts'
import { openSmtpDirectGateway } from './direct.ts'
import { readSmtpDirectSettings, type SmtpDirectSettings } from './settings.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')
const key = fixture('test-only-key.pem')
const cert = fixture('test-only-cert.pem')

interface World {
  /** By the last number of its address on loopback, 127.0.0.n. */
  sinks: Record<number, Sink>
  gateway: MessageGateway<OutgoingMail>
}

interface Plan {
  /** Behaviour of the server at 127.0.0.n. */
  sinks: Record<number, SinkOptions>
  zone?: Zone
  settings?: Partial<SmtpDirectSettings>
  table?: object
  policies?: Record<string, string>
  warmUp?: DomainWarmUp
  clock?: Clock
}

/** Servers on one port of several addresses, as the mail servers of the world have. */
async function startSinks(plans: Record<number, SinkOptions>): Promise<Record<number, Sink>> {
  const sinks: Record<number, Sink> = {}
  let port = 0
  for (const [number, options] of Object.entries(plans)) {
    const sink = await startSink({ ...options, host: `127.0.0.${number}`, port })
    port = sink.port
    sinks[Number(number)] = sink
  }
  return sinks
}

/** Where nothing else is said, the domain n.example has one server, mx.n.example at 127.0.0.n. */
async function setUp({
  sinks: plans,
  zone = {},
  settings = {},
  table = {},
  policies = {},
  warmUp,
  clock = systemClock,
}: Plan): Promise<World> {
  const sinks = await startSinks(plans)
  const plain = Object.keys(plans).flatMap((n) => [
    [`d${n}.example`, { mx: [`mx.d${n}.example`] }],
    [`mx.d${n}.example`, { a: [`127.0.0.${n}`] }],
  ])
  const server = await startDnsServer({ ...Object.fromEntries(plain), ...zone })
  const port = Object.values(sinks)[0]?.port ?? 1
  const whole = readSmtpDirectSettings({ allowPrivate: true, tls: 'none', port, ...settings })
  const gateway = openSmtpDirectGateway('test', whole, {
    clock,
    dns: createMailDnsResolver([server.address]),
    table: mergeDestinationTable(table),
    fetchPolicy: async (domain) => policies[domain] ?? Promise.reject(new Error('none')),
    ...(warmUp && { warmUp }),
  })
  after(async () => {
    await gateway.close(100)
    await Promise.all(Object.values(sinks).map((sink) => sink.close()))
    await server.close()
  })
  return { sinks, gateway }
}

function mail(id: number, to: string, more: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    id,
    envelope: { from: 'bounce@shop.example', to },
    bytes: Buffer.from('Subject: x\r\n\r\nHello\r\n'),
    ...more,
  }
}

/** `count` messages from `first` on, to different people of one domain. */
const mails = (domain: string, count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => mail(first + index, `c${first + index}@${domain}`))

async function send(gateway: MessageGateway<OutgoingMail>, batch: Iterable<OutgoingMail>, signal?: AbortSignal) {
  const outcomes: GatewayOutcome[] = []
  const listener = { outcome: (outcome: GatewayOutcome) => outcomes.push(outcome), ...(signal && { signal }) }
  const result: SendBatchResult = await gateway.send(batch, listener)
  return { ...result, outcomes: outcomes.toSorted((a, b) => a.id - b.id) }
}

const results = ({ outcomes }: { outcomes: GatewayOutcome[] }) => outcomes.map(({ result }) => result)
const count = (outcomes: GatewayOutcome[], result: GatewayOutcome['result']) =>
  outcomes.filter((one) => one.result === result).length

/** A server that takes its time for every message, and counts those it took. */
function unhurried(ms: number) {
  let taken = 0
  const behave = ({ stage }: SinkEvent) => {
    if (stage !== 'final') return undefined
    taken++
    return { code: 250, text: '2.0.0 ok', afterMs: ms }
  }
  return { behave, taken: () => taken }
}

describe('direct delivery › routing', () => {
  it('delivers each message to the server of its domain', async () => {
    const { sinks, gateway } = await setUp({ sinks: { 2: {}, 3: {} } })
    const { outcomes, taken, stop } = await send(gateway, [
      mail(1, 'a@d2.example'),
      mail(2, 'b@d3.example'),
      mail(3, 'c@D2.example'),
    ])
    assert.deepEqual(
      outcomes.map(({ result }) => result),
      ['accepted', 'accepted', 'accepted'],
    )
    assert.deepEqual([taken, stop], [3, undefined])
    assert.deepEqual(sinks[2]?.messages.map(({ to }) => to[0]).sort(), ['a@d2.example', 'c@D2.example'])
    assert.deepEqual(
      sinks[3]?.messages.map(({ to }) => to[0]),
      ['b@d3.example'],
    )
  })

  it('uses the next server when the best one is unreachable or does not answer', async () => {
    const zone: Zone = {
      'shop.example': { mx: ['dead.shop.example', 'busy.shop.example', 'good.shop.example'] },
      'dead.shop.example': { a: ['127.0.0.9'] },
      'busy.shop.example': { a: ['127.0.0.2'] },
      'good.shop.example': { a: ['127.0.0.3'] },
    }
    const behave = ({ stage }: SinkEvent) => (stage === 'connect' ? { code: 554, text: 'no' } : undefined)
    const { sinks, gateway } = await setUp({ sinks: { 2: { behave }, 3: {} }, zone })
    assert.deepEqual(results(await send(gateway, mails('shop.example', 3))), ['accepted', 'accepted', 'accepted'])
    assert.equal(sinks[3]?.messages.length, 3)
  })

  it('refuses messages without a route and defers those that DNS cannot resolve yet', async () => {
    const zone: Zone = {
      'null.example': { mx: [['.', 0]] },
      'away.example': { fails: true },
      'bare.example': { a: ['127.0.0.2'] },
    }
    const { gateway } = await setUp({ sinks: { 2: {} }, zone })
    const addresses = ['a@null.example', 'a@nowhere.example', 'a@away.example', 'a@bare.example', 'not an address']
    const { outcomes } = await send(
      gateway,
      addresses.map((to, index) => mail(index + 1, to)),
    )
    assert.deepEqual(
      outcomes.map((one) => [one.result, 'enhanced' in one ? one.enhanced : undefined]),
      [
        ['refused', '5.1.10'],
        ['refused', '5.1.2'],
        ['deferred', undefined],
        ['accepted', undefined],
        ['refused', '5.1.3'],
      ],
    )
  })

  it('never uses a private address unless the settings allow it', async () => {
    const { sinks, gateway } = await setUp({ sinks: { 2: {} }, settings: { allowPrivate: false } })
    const { outcomes } = await send(gateway, mails('d2.example', 1))
    assert.ok(outcomes[0]?.result === 'refused' && outcomes[0].enhanced === '5.4.4')
    assert.equal(sinks[2]?.counters.connections, 0)
  })

  it('defers the mail of a domain without a reachable server and stops trying it for a while', async () => {
    const zone: Zone = { 'dead.example': { mx: ['mx.dead.example'] }, 'mx.dead.example': { a: ['127.0.0.9'] } }
    const { gateway } = await setUp({ sinks: { 2: {} }, zone })
    const story = await send(gateway, [...mails('dead.example', 3), ...mails('d2.example', 2, 10)])
    assert.deepEqual(results(story), ['deferred', 'deferred', 'deferred', 'accepted', 'accepted'])
    assert.deepEqual(results(await send(gateway, mails('dead.example', 1))), ['deferred'])
    assert.deepEqual(
      gateway.shaping?.states().map(({ destination, state }) => [destination, state]),
      [
        ['dead.example', 'open'],
        ['d2.example', 'open'],
      ],
    )
  })
})

describe('direct delivery › TLS', () => {
  const tls = { key, cert, mode: 'starttls' as const }

  it('is used when offered, whatever the certificate', async () => {
    const { sinks, gateway } = await setUp({ sinks: { 2: { tls }, 3: {} }, settings: { tls: 'opportunistic' } })
    assert.deepEqual(results(await send(gateway, [mail(1, 'a@d2.example'), mail(2, 'a@d3.example')])), [
      'accepted',
      'accepted',
    ])
    assert.deepEqual([sinks[2]?.counters.handshakes, sinks[3]?.counters.handshakes], [1, 0])
  })

  const policy = (mx: string, mode = 'enforce') => `version: STSv1\nmode: ${mode}\nmx: ${mx}\nmax_age: 1000\n`
  const zone: Zone = {
    'shop.example': { mx: ['localhost'] },
    localhost: { a: ['127.0.0.2'] },
    '_mta-sts.shop.example': { txt: ['v=STSv1; id=1;'] },
    'bad.example': { mx: ['mx.bad.example'] },
    'mx.bad.example': { a: ['127.0.0.2'] },
    '_mta-sts.bad.example': { txt: ['v=STSv1; id=1;'] },
  }
  const policies = { 'shop.example': policy('localhost'), 'bad.example': policy('mx.bad.example') }

  it('is verified for a policy, including the host name and the certificate', async () => {
    const settings = { tls: 'opportunistic' as const, ca: cert }
    const { sinks, gateway } = await setUp({ sinks: { 2: { tls } }, zone, policies, settings })
    const { outcomes } = await send(gateway, [mail(1, 'a@shop.example'), mail(2, 'a@bad.example')])
    assert.deepEqual(results({ outcomes }), ['accepted', 'deferred'])
    assert.match(outcomes[1]?.result === 'deferred' ? outcomes[1].reply : '', /altnames/)
    assert.deepEqual(
      sinks[2]?.messages.map(({ to }) => to[0]),
      ['a@shop.example'],
    )
  })

  it('is required by a policy, so mail is deferred without TLS', async () => {
    const { sinks, gateway } = await setUp({
      sinks: { 2: {} },
      zone,
      policies,
      settings: { tls: 'opportunistic', ca: cert },
    })
    assert.deepEqual(results(await send(gateway, [mail(1, 'a@shop.example')])), ['deferred'])
    assert.equal(sinks[2]?.messages.length, 0)
  })

  it('is opportunistic with a policy in testing mode or one that the settings ignore', async () => {
    const testing = { 'bad.example': policy('other.example', 'testing') }
    const first = await setUp({ sinks: { 2: {} }, zone, policies: testing, settings: { tls: 'opportunistic' } })
    assert.deepEqual(results(await send(first.gateway, [mail(1, 'a@bad.example')])), ['accepted'])
    const second = await setUp({ sinks: { 2: {} }, zone, policies, settings: { tls: 'opportunistic', mtaSts: false } })
    assert.deepEqual(results(await send(second.gateway, [mail(1, 'a@bad.example')])), ['accepted'])
  })
})

describe('direct delivery › limits', () => {
  it('are those of the destination for connections and for messages per connection', async () => {
    let [open, most, longest] = [0, 0, 0]
    const behave = ({ stage, message }: SinkEvent) => {
      if (stage === 'body') most = Math.max(most, ++open)
      if (stage === 'final') open--
      longest = Math.max(longest, message)
      return stage === 'final' ? { code: 250, text: '2.0.0 ok', afterMs: 5 } : undefined
    }
    const table = { destinations: [{ name: 'two', hosts: ['d2.example'], connections: 2, messages: 5, rate: 1000 }] }
    const { gateway } = await setUp({ sinks: { 2: { behave } }, table })
    assert.equal(count((await send(gateway, mails('d2.example', 30))).outcomes, 'accepted'), 30)
    assert.equal(longest, 5)
    assert.ok(most <= 2, `${most} at once`)
  })

  it('are shared by all domains of a destination and by all senders', async () => {
    const zone: Zone = Object.fromEntries(
      Array.from({ length: 6 }, (_, n) => [
        [`s${n}.example`, { mx: [`s${n}.mx.group.example`] }],
        [`s${n}.mx.group.example`, { a: ['127.0.0.2'] }],
      ]).flat() as [string, Zone[string]][],
    )
    const table = { destinations: [{ name: 'group', hosts: ['mx.group.example'], connections: 4, rate: 1000 }] }
    const sockets = new Set<number>()
    const behave = ({ stage, connection }: SinkEvent) => {
      if (stage === 'connect') sockets.add(connection)
      return stage === 'final' ? { code: 250, text: '2.0.0 ok', afterMs: 10 } : undefined
    }
    const { gateway } = await setUp({ sinks: { 2: { behave } }, zone, table })
    gateway.shaping?.applyOrders({ senders: 4, isHeld: () => false, suspended: new Map() })
    const batch = Array.from({ length: 12 }, (_, n) => mail(n + 1, `c@s${n % 6}.example`))
    const { outcomes } = await send(gateway, batch)
    assert.equal(count(outcomes, 'accepted'), 12)
    assert.deepEqual(
      gateway.shaping?.states().map(({ destination, connections, rate }) => [destination, connections, rate]),
      [['group', 1, 250]],
    )
  })

  it('of the rate return what cannot be sent soon, each message with its own turn', async () => {
    const table = { destinations: [{ name: 'slow', hosts: ['d2.example'], connections: 1, rate: 10 }] }
    const { sinks, gateway } = await setUp({ sinks: { 2: {} }, table, settings: { patienceMs: 1000 } })
    const { outcomes } = await send(gateway, mails('d2.example', 100))
    const back = outcomes.filter((one) => one.result === 'returned')
    assert.ok(back.length >= 75, `${back.length} went back`)
    assert.equal(back.length + (sinks[2]?.messages.length ?? 0), 100)
    assert.deepEqual([...new Set(back.map(({ destination }) => destination))], ['slow'])
    // 1 s for what waits here, then one every 100 ms.
    assert.deepEqual(
      back.slice(0, 3).map(({ retryAfterMs }) => Math.round(retryAfterMs / 100)),
      [11, 12, 13],
    )
  })

  it('of one destination delay no other destination', async () => {
    const table = { destinations: [{ name: 'slow', hosts: ['d2.example'], connections: 1, rate: 1 }] }
    const stall = ({ stage }: SinkEvent) => (stage === 'mail' ? ('stall' as const) : undefined)
    const { sinks, gateway } = await setUp({ sinks: { 2: { behave: stall }, 3: {} }, table })
    const mixed = Array.from({ length: 200 }, (_, n) => mail(n + 1, `c${n}@d${n % 10 === 0 ? 3 : 2}.example`))
    const sending = send(gateway, mixed)
    await eventually(() => sinks[3]?.messages.length === 20)
    await gateway.close(10)
    const { outcomes } = await sending
    assert.equal(count(outcomes, 'accepted'), 20)
    assert.equal(
      count(outcomes, 'accepted') + count(outcomes, 'returned') + count(outcomes, 'deferred'),
      outcomes.length,
    )
  })

  it('let a small batch overtake a long one', async () => {
    const table = { destinations: [{ name: 'one', hosts: ['d2.example'], connections: 1, messages: 8, rate: 1000 }] }
    const { behave, taken } = unhurried(2)
    const { gateway } = await setUp({ sinks: { 2: { behave } }, table })
    const long = send(gateway, mails('d2.example', 200))
    await eventually(() => taken() > 5)
    assert.deepEqual(results(await send(gateway, mails('d2.example', 1, 900))), ['accepted'])
    assert.ok(taken() < 100)
    // On a busy machine what has waited for a second goes back.
    const { outcomes } = await long
    assert.equal(count(outcomes, 'accepted') + count(outcomes, 'returned'), 200)
  })
})

describe('direct delivery › backoff', () => {
  const table = {
    destinations: [
      {
        name: 'two',
        hosts: ['d2.example'],
        connections: 1,
        rate: 1000,
        replies: [
          { pattern: '^4.*go away', verdict: 'suspend', minutes: 0.1 },
          { pattern: '^4.*never', verdict: 'refuse' },
        ],
      },
    ],
  }
  const stateOf = (gateway: MessageGateway) =>
    gateway.shaping?.states().find(({ destination }) => destination === 'two')

  it('slows down after a 421 and reports it without addresses', async () => {
    const behave = ({ stage, attempt }: SinkEvent) =>
      stage === 'rcpt' && attempt === 1 ? { code: 421, text: '4.7.0 too many for <c1@d2.example>' } : undefined
    const { gateway } = await setUp({ sinks: { 2: { behave } }, table })
    assert.deepEqual(results(await send(gateway, mails('d2.example', 1))), ['deferred'])
    const state = stateOf(gateway)
    assert.deepEqual(
      [state?.state, Math.round(state?.rate ?? 0), state?.lastRefusal],
      ['slow', 500, '421 4.7.0 too many for <…>'],
    )
  })

  it('suspends a destination that requests it, returns its waiting mail and continues with others', async () => {
    const behave = ({ stage, message }: SinkEvent) =>
      stage === 'rcpt' && message > 2 ? { code: 451, text: '4.7.1 go away' } : undefined
    const { sinks, gateway } = await setUp({ sinks: { 2: { behave, pipelining: false }, 3: {} }, table })
    const { outcomes } = await send(gateway, [...mails('d2.example', 20), ...mails('d3.example', 5, 100)])
    assert.equal(sinks[2]?.messages.length, 2)
    assert.equal(count(outcomes, 'deferred'), 1)
    assert.equal(count(outcomes, 'returned'), 17)
    assert.equal(sinks[3]?.messages.length, 5)
    const deferred = outcomes.find((one) => one.result === 'deferred')
    assert.ok(deferred?.destination === 'two' && (deferred.retryAfterMs ?? 0) >= 4000)
    assert.equal(stateOf(gateway)?.state, 'suspended')
    assert.ok(gateway.shaping?.closed(1, 'two'))
    const again = await send(gateway, mails('d2.example', 3))
    assert.deepEqual(results(again), ['returned', 'returned', 'returned'])
    assert.ok(again.outcomes.every((one) => one.result === 'returned' && one.retryAfterMs > 3000))
    assert.equal(sinks[2]?.counters.connections, 1)
  })

  it('resumes with one message and continues once it is accepted', async () => {
    const quick = {
      ...table.destinations[0],
      connections: 5,
      backoff: [0.1],
      replies: [{ pattern: '^4.*go away', verdict: 'suspend', minutes: 0.1 }],
    }
    let [isAngry, skippedMs] = [true, 0]
    const clock = { now: () => systemClock.now() + skippedMs }
    const behave = ({ stage }: SinkEvent) =>
      stage === 'rcpt' && isAngry ? { code: 451, text: '4.7.1 go away' } : undefined
    const { sinks, gateway } = await setUp({ sinks: { 2: { behave } }, table: { destinations: [quick] }, clock })
    await send(gateway, mails('d2.example', 1))
    const { retryAfterMs } = gateway.shaping?.closed(1, 'two') ?? {}
    assert.ok(retryAfterMs !== undefined)
    assert.equal(stateOf(gateway)?.state, 'suspended')
    isAngry = false
    skippedMs = retryAfterMs
    await eventually(() => stateOf(gateway)?.state !== 'suspended')
    assert.equal(stateOf(gateway)?.connections, 1)
    const { outcomes } = await send(gateway, mails('d2.example', 5))
    assert.equal(count(outcomes, 'accepted') + count(outcomes, 'returned'), 5)
    assert.ok((sinks[2]?.messages.length ?? 0) >= 1)
    assert.equal(stateOf(gateway)?.state, 'slow')
    assert.equal(Math.round(stateOf(gateway)?.rate ?? 0), 250)
  })

  it('makes temporary refusals final when a rule of the destination says so', async () => {
    const behave = ({ stage }: SinkEvent) => (stage === 'rcpt' ? { code: 451, text: '4.7.1 never again' } : undefined)
    const { gateway } = await setUp({ sinks: { 2: { behave } }, table })
    const { outcomes } = await send(gateway, mails('d2.example', 1))
    assert.deepEqual(outcomes, [
      {
        id: 1,
        result: 'refused',
        stage: 'rcpt',
        code: 451,
        enhanced: '5.7.1',
        reply: '451 4.7.1 never again',
        mta: 'sink.test',
      },
    ])
  })

  it('leaves the destination unchanged for a full mailbox or a greylisted sender', async () => {
    const behave = ({ stage, address }: SinkEvent) => {
      if (stage !== 'rcpt') return undefined
      return address.startsWith('c1@')
        ? { code: 452, text: '4.2.2 mailbox full' }
        : { code: 450, text: '4.7.1 greylisted' }
    }
    const { gateway } = await setUp({ sinks: { 2: { behave } }, table })
    assert.deepEqual(results(await send(gateway, mails('d2.example', 2))), ['deferred', 'deferred'])
    assert.equal(stateOf(gateway)?.state, 'open')
  })
})

describe('direct delivery › instructions', () => {
  const origin = (account: number): MessageOrigin => ({ account, sourceKind: 'action', source: 1, stamp: 's' })

  it('of operators hold the mail of one account to a destination', async () => {
    const { sinks, gateway } = await setUp({ sinks: { 2: {}, 3: {} } })
    const isHeld = (account: number, destination: string) => account === 7 && destination === 'd2.example'
    gateway.shaping?.applyOrders({ senders: 1, isHeld, suspended: new Map() })
    const batch = [
      mail(1, 'a@d2.example', { origin: origin(7) }),
      mail(2, 'a@d2.example', { origin: origin(8) }),
      mail(3, 'a@d3.example', { origin: origin(7) }),
    ]
    const { outcomes } = await send(gateway, batch)
    assert.deepEqual(results({ outcomes }), ['returned', 'accepted', 'accepted'])
    assert.deepEqual(sinks[2]?.messages.length, 1)
    assert.ok(gateway.shaping?.closed(7, 'd2.example'))
    assert.equal(gateway.shaping?.closed(8, 'd2.example'), undefined)
  })

  it('of other senders suspend a destination', async () => {
    const { sinks, gateway } = await setUp({ sinks: { 2: {} } })
    const suspended = new Map([['d2.example', systemClock.now() + 60_000]])
    gateway.shaping?.applyOrders({ senders: 2, isHeld: () => false, suspended })
    assert.deepEqual(results(await send(gateway, mails('d2.example', 2))), ['returned', 'returned'])
    assert.equal(sinks[2]?.counters.connections, 0)
  })

  it('of a warm-up return mail over the daily limit and count only accepted mail', async () => {
    let left = 2
    const warmUp: DomainWarmUp = {
      take: async () => (left-- > 0 ? 0 : 1000 * ++left + 1000),
      giveBack: () => void left++,
    }
    const behave = ({ stage, address }: SinkEvent) =>
      stage === 'rcpt' && address === 'c1@d2.example' ? { code: 550, text: '5.1.1 nobody' } : undefined
    const { gateway } = await setUp({ sinks: { 2: { behave } }, warmUp })
    const batch = mails('d2.example', 3).map((one) => ({ ...one, domain: 'shop.example', origin: origin(1) }))
    assert.deepEqual(results(await send(gateway, batch)), ['refused', 'accepted', 'returned'])
    assert.deepEqual(results(await send(gateway, batch.slice(1))), ['accepted', 'returned'])
    const old = mails('d2.example', 1, 9)
    assert.deepEqual(results(await send(gateway, old)), ['accepted'])
  })

  it('to stop return mail that is still waiting and finish the rest', async () => {
    const table = { destinations: [{ name: 'slow', hosts: ['d2.example'], connections: 1, messages: 8, rate: 1000 }] }
    const { behave, taken: took } = unhurried(20)
    const { gateway } = await setUp({ sinks: { 2: { behave } }, table })
    const stopping = new AbortController()
    const sending = send(gateway, mails('d2.example', 300), stopping.signal)
    await eventually(() => took() > 1)
    stopping.abort()
    const { outcomes, taken } = await sending
    assert.equal(outcomes.length, taken)
    assert.equal(count(outcomes, 'accepted'), took())
    assert.equal(count(outcomes, 'accepted') + count(outcomes, 'returned'), taken)
    const back = outcomes.filter((one) => one.result === 'returned')
    assert.ok(back.every(({ retryAfterMs, reason }) => retryAfterMs === 0 || reason.endsWith(' is full')))
  })

  it('to close leave every message taken with one outcome', async () => {
    const stall = ({ stage }: SinkEvent) => (stage === 'rcpt' ? ('stall' as const) : undefined)
    const { gateway } = await setUp({ sinks: { 2: { behave: stall } } })
    const sending = send(gateway, mails('d2.example', 30))
    await eventually(() => gateway.shaping?.states().length === 1)
    await gateway.close(20)
    const { outcomes, taken } = await sending
    assert.equal(outcomes.length, taken)
    assert.equal(new Set(outcomes.map(({ id }) => id)).size, taken)
    assert.equal(count(outcomes, 'deferred') + count(outcomes, 'returned'), taken)
    assert.deepEqual((await gateway.send(mails('d2.example', 1), { outcome: () => assert.fail() })).taken, 0)
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { registerQueueMetrics } from '../../../src/features/deliverability/queues.ts'
import type { DestinationState, ShapingOrders } from '../../../src/gateways/gateway.ts'
import {
  deregisterSender,
  exchangeDestinations,
  readDestinationOrders,
  writeDestinationStates,
} from '../../../src/sending/deliver/destinations.ts'
import { endDomainWarmUp, openWarmUpLedger, startDomainWarmUp } from '../../../src/sending/shaping/warm-up.ts'
import { type Stage, startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, own, other, gateway, contact, settle } = stage
const { db } = context
const QUEUES = '/settings/sending/queues'

/** A message to a new contact, through a service action. */
let made = 0
async function messageTo(address: string, { sendDue = stage.sendDue }: Partial<Stage> = {}): Promise<void> {
  const action = await stage.validated(await stage.action({ name: `Queue ${++made}` }))
  const { status, text } = await call('POST', `/actions/${action}/executions`, {
    body: [{ recipient: { type: 'id', value: await contact(address) } }],
  })
  assert.ok(status < 300, text)
  await sendDue()
}

async function rowsTo(destination: string) {
  return db
    .selectFrom('messages')
    .select(['attempts', 'not_before', 'state', 'last_reply', 'first_tried_at'])
    .where('destination', '=', destination)
    .execute()
}

const queues = async (key?: string) => (await call('GET', QUEUES, key === undefined ? {} : { key })).body
const queue = async (destination: string | null) =>
  (await queues()).find((one: { destination: string | null }) => one.destination === destination)
const order = (destination: string, operation: string, key = own.key) =>
  call('POST', `${QUEUES}/${destination}`, { body: { operation }, key })

const standing = (destination: string, more: Partial<DestinationState> = {}) => ({
  account: null,
  destination,
  state: 'open' as const,
  rate: 5,
  connections: 2,
  suspendedUntil: null,
  lastRefusal: null,
  lastRefusalAt: null,
  ...more,
})

suite('messages returned by their destination', () => {
  test('wait until the time given without counting as tried, and are counted where they go', async () => {
    gateway.plan('ann@gmail.example', { result: 'returned', destination: 'gmail' }, { result: 'accepted' })
    await messageTo('ann@gmail.example')
    const [row] = await rowsTo('gmail')
    assert.deepEqual(row, {
      attempts: 0,
      not_before: new Date(clock.now() + 60_000),
      state: 'queued',
      last_reply: 'enough for now',
      first_tried_at: null,
    })
    const { oldest: _, ...lane } = (await queue('gmail')).lanes[0]
    assert.deepEqual(lane, { lane: 'transactional', waiting: 1, postponed: 0 })
    clock.advance(60_000)
    await settle()
    assert.equal(gateway.to('ann@gmail.example').length, 1)
    assert.deepEqual(await rowsTo('gmail'), [])
  })

  test('are not even rendered again while their destination is known to be closed', async () => {
    gateway.plan('bob@gmail.example', { result: 'returned', destination: 'gmail' }, { result: 'accepted' })
    await messageTo('bob@gmail.example')
    const outcomes = gateway.outcomes.length
    const asked: unknown[] = []
    gateway.shaping = {
      states: () => [],
      applyOrders: () => undefined,
      closed: (...place) => {
        asked.push(place)
        return { reason: 'left alone', retryAfterMs: 5000 }
      },
    }
    clock.advance(60_000)
    await stage.sendDue()
    delete gateway.shaping
    assert.deepEqual(asked, [[own.account, 'gmail']])
    assert.equal(gateway.outcomes.length, outcomes)
    const [row] = await rowsTo('gmail')
    assert.deepEqual([row?.attempts, row?.not_before, row?.last_reply], [0, new Date(clock.now() + 5000), 'left alone'])
    clock.advance(5000)
    await settle()
  })
})

suite('the queues', () => {
  test("show waiting messages by destination and lane, and each destination's state across all senders", async () => {
    gateway.plan('cleo@yahoo.example', { result: 'returned', destination: 'yahoo', retryAfterMs: 3_600_000 })
    await messageTo('cleo@yahoo.example')
    const [one, two] = [randomUUID(), randomUUID()]
    const until = clock.now() + 600_000
    const refusal = { lastRefusal: '421 4.7.0 [TSS04] later', lastRefusalAt: clock.now() - 1000 }
    await writeDestinationStates(db, one, [standing('yahoo')], clock.now())
    await writeDestinationStates(
      db,
      two,
      [standing('yahoo', { state: 'suspended', suspendedUntil: until, ...refusal })],
      clock.now(),
    )
    const { lanes, ...rest } = await queue('yahoo')
    assert.equal(lanes.length, 1)
    assert.deepEqual([lanes[0].lane, lanes[0].waiting], ['transactional', 1])
    assert.deepEqual(rest, {
      destination: 'yahoo',
      state: 'suspended',
      rate: 10,
      connections: 4,
      suspendedUntil: new Date(until).toISOString(),
      heldSince: null,
      lastRefusal: '421 4.7.0 [TSS04] later',
      lastRefusalDate: new Date(refusal.lastRefusalAt).toISOString(),
    })
    await deregisterSender(db, two)
    assert.deepEqual([(await queue('yahoo')).state, (await queue('yahoo')).rate], ['open', 5])
    await deregisterSender(db, one)
  })

  test('show untried messages in a queue of their own', async () => {
    await messageTo('dora@quiet.example', { sendDue: async () => 0 })
    const { destination, lanes } = (await queues())[0]
    assert.deepEqual(
      [destination, lanes.map(({ lane, waiting }: { lane: string; waiting: number }) => [lane, waiting])],
      [null, [['transactional', 1]]],
    )
    await settle()
    assert.equal(await queue(null), undefined)
  })

  test('show only messages of the account', async () => {
    assert.deepEqual(await queues(other.key), [])
  })

  test('are exported as Prometheus metrics', async () => {
    const registry = new Registry()
    registerQueueMetrics({ db, clock }, registry)
    const text = await registry.metrics()
    assert.match(text, /stentor_queue_waiting_messages\{lane="1",destination="yahoo"\} 1\n/)
    assert.match(text, /stentor_queue_oldest_seconds\{lane="1",destination="yahoo"\} \d/)
  })
})

suite('an operator', () => {
  test('can hold and release a destination, and its waiting messages are then due at once', async () => {
    const { status, body } = await order('yahoo', 'hold')
    assert.deepEqual([status, body.state, body.heldSince], [200, 'held', new Date(clock.now()).toISOString()])
    const { held } = await readDestinationOrders(db, randomUUID(), clock.now())
    assert.deepEqual([...held], [`${own.account} yahoo`])
    assert.equal((await order('yahoo', 'hold')).status, 200)
    const released = await order('yahoo', 'release')
    assert.deepEqual([released.status, released.body.state, released.body.heldSince], [200, 'open', null])
    assert.ok((await rowsTo('yahoo')).every(({ not_before }) => not_before.getTime() <= clock.now()))
  })

  test('can flush a destination, and only its waiting messages are due at once', async () => {
    gateway.plan(
      'eve@orange.example',
      { result: 'returned', destination: 'orange', retryAfterMs: 3_600_000 },
      { result: 'accepted' },
    )
    gateway.plan(
      'fay@free.example',
      { result: 'returned', destination: 'free', retryAfterMs: 3_600_000 },
      { result: 'accepted' },
    )
    await messageTo('eve@orange.example')
    await messageTo('fay@free.example')
    assert.equal((await order('orange', 'flush')).status, 200)
    await stage.sendDue()
    assert.deepEqual([gateway.to('eve@orange.example').length, gateway.to('fay@free.example').length], [1, 0])
  })

  test('can address any known destination, and no other', async () => {
    const { status, body } = await order('microsoft', 'hold')
    assert.deepEqual([status, body.lanes, body.rate], [200, [], null])
    assert.equal((await order('microsoft', 'release')).status, 200)
    assert.equal(await queue('microsoft'), undefined)
    assert.equal((await order('gmial', 'hold')).status, 404)
  })

  test('affects nothing in another account, and can address only its own destinations', async () => {
    await order('free', 'hold', other.key)
    assert.equal((await queue('free')).state, 'open')
    await order('free', 'flush', other.key)
    assert.ok((await rowsTo('free')).every(({ not_before }) => not_before.getTime() > clock.now()))
    gateway.plan('gus@small.example', { result: 'returned', destination: 'small.example' })
    await messageTo('gus@small.example')
    assert.equal((await order('small.example', 'hold', other.key)).status, 404)
    assert.equal((await order('small.example', 'hold')).status, 200)
    await order('small.example', 'release')
    await order('free', 'release', other.key)
  })

  test('requires the right and a valid operation', async () => {
    const key = await stage.makeKey(own.account, ['read', 'write', 'send'])
    assert.equal((await call('GET', QUEUES, { key })).status, 403)
    assert.equal((await order('gmail', 'hold', key)).status, 403)
    const wrong = await order('gmail', 'stop')
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/operation'])
    assert.equal((await call('POST', `${QUEUES}/gmail`, { body: {} })).status, 400)
  })
})

suite('senders', () => {
  /** A sender with one gateway that shapes, and the orders it gets. */
  function sharing(states: DestinationState[] = []) {
    const given: ShapingOrders[] = []
    const shaping = {
      states: () => states,
      applyOrders: (orders: ShapingOrders) => void given.push(orders),
      closed: () => undefined,
    }
    const id = randomUUID()
    const turn = () => exchangeDestinations({ db, id, clock }, { shaping: () => [{ account: null, shaping }] }, true)
    return { id, turn, last: () => given.at(-1) }
  }

  test('share the limits among those that are alive', async () => {
    const [a, b] = [sharing(), sharing()]
    await a.turn()
    assert.equal(a.last()?.senders, 1)
    await b.turn()
    await a.turn()
    assert.deepEqual([a.last()?.senders, b.last()?.senders], [2, 2])
    clock.advance(16_000)
    await a.turn()
    assert.equal(a.last()?.senders, 1)
    await b.turn()
    await deregisterSender(db, b.id)
    await a.turn()
    assert.equal(a.last()?.senders, 1)
    await deregisterSender(db, a.id)
  })

  test('inform each other of suspensions, and respect holds', async () => {
    const until = clock.now() + 300_000
    const { account: _, ...suspended } = standing('gmail', { state: 'suspended', suspendedUntil: until })
    const [a, b] = [sharing([suspended]), sharing()]
    await a.turn()
    await order('laposte', 'hold')
    await b.turn()
    assert.deepEqual([...(b.last()?.suspended ?? [])], [['gmail', until]])
    assert.deepEqual(
      [b.last()?.isHeld(own.account, 'laposte'), b.last()?.isHeld(other.account, 'laposte')],
      [true, false],
    )
    await a.turn()
    assert.deepEqual([...(a.last()?.suspended ?? [])], [])
    await order('laposte', 'release')
    await Promise.all([deregisterSender(db, a.id), deregisterSender(db, b.id)])
  })

  test('are forgotten with their states once they have died', async () => {
    const { account: _, ...state } = standing('gmail')
    const [dead, alive] = [sharing([state]), sharing()]
    await dead.turn()
    clock.advance(61_000)
    await alive.turn()
    const left = await db.selectFrom('destination_states').select('sender').execute()
    assert.deepEqual(left, [])
    await deregisterSender(db, alive.id)
  })
})

suite('the warm-up of a sending domain', () => {
  const origin = { account: own.account, sourceKind: 'action', source: 1, stamp: randomUUID() } as const
  const domain = 'young.example'
  const schedule = { warmUp: [25, 50] }

  test('limits each destination per day, whatever the number of senders, and leaves the rest for the next day', async () => {
    await db
      .insertInto('sending_domains')
      .values({ account: own.account, domain, is_default: false, verified_at: null })
      .execute()
    clock.set('2027-03-01T20:00:00Z')
    await startDomainWarmUp(db, own.account, domain, '2027-03-01')
    const books = [openWarmUpLedger(db, clock, schedule), openWarmUpLedger(db, clock, schedule)]
    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, n) => books[n % 2]?.take(origin, domain, 'gmail') ?? Promise.reject()),
    )
    assert.equal(waits.filter((wait) => wait === 0).length, 25)
    assert.deepEqual([...new Set(waits)].sort(), [0, 4 * 3_600_000])
    assert.equal(await books[0]?.take(origin, domain, 'yahoo'), 0)
    clock.set('2027-03-02T00:00:00Z')
    assert.equal(await books[0]?.take(origin, domain, 'gmail'), 0)
    clock.set('2027-03-03T00:00:00Z')
    assert.equal(await books[0]?.take(origin, domain, 'gmail'), 0)
    await Promise.all(books.map((book) => book.close()))
    const counted = await db
      .selectFrom('warm_up_counts')
      .select(['destination', 'day', 'sent'])
      .orderBy('day')
      .execute()
    assert.deepEqual(
      counted.toSorted((a, b) => `${a.day}${a.destination}`.localeCompare(`${b.day}${b.destination}`)),
      [
        { destination: 'gmail', day: '2027-03-01', sent: 25 },
        // What is left of a day that is over is not given back.
        { destination: 'yahoo', day: '2027-03-01', sent: 20 },
        { destination: 'gmail', day: '2027-03-02', sent: 1 },
      ],
    )
  })

  test('returns the quota of messages that were not delivered', async () => {
    clock.set('2027-03-01T20:00:00Z')
    await startDomainWarmUp(db, own.account, domain, '2027-03-01')
    const book = openWarmUpLedger(db, clock, schedule)
    for (let n = 0; n < 25; n++) assert.equal(await book.take(origin, domain, 'free'), 0)
    assert.notEqual(await book.take(origin, domain, 'free'), 0)
    book.giveBack(origin, domain, 'free')
    assert.equal(await book.take(origin, domain, 'free'), 0)
    book.giveBack(origin, domain, 'free')
    await book.close()
    const [row] = await db.selectFrom('warm_up_counts').select('sent').where('destination', '=', 'free').execute()
    assert.equal(row?.sent, 24)
  })

  test('is read again with the next message after the database refused it', async () => {
    const book = openWarmUpLedger(db, clock, schedule)
    await sql`alter table warm_ups rename to away`.execute(db)
    await assert.rejects(book.take(origin, domain, 'refused'), /warm_ups/)
    await sql`alter table away rename to warm_ups`.execute(db)
    assert.equal(await book.take(origin, domain, 'refused'), 0)
    await book.close()
  })

  test('belongs to one account, and ends when the operator ends it', async () => {
    await assert.rejects(startDomainWarmUp(db, other.account, domain, '2027-03-01'), /There is no domain/)
    await assert.rejects(endDomainWarmUp(db, other.account, domain), /There is no warm-up/)
    await endDomainWarmUp(db, own.account, domain)
    const book = openWarmUpLedger(db, clock, { warmUp: [0] })
    assert.equal(await book.take(origin, domain, 'gmail'), 0)
    assert.deepEqual(await db.selectFrom('warm_up_counts').selectAll().execute(), [])
  })
})

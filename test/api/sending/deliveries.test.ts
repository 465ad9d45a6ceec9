import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import type { ChannelModule, NewFollowup } from '../../../src/channels/channel.ts'
import { loadChannel } from '../../../src/channels/load-channel.ts'
import type { DeliveryKey, GatewayOutcome, MessageGateway, OutgoingMail } from '../../../src/gateways/gateway.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import type { ReservationDecision, ReservationEnd, ReservationKind } from '../../../src/sending/claim/reservations.ts'
import { openSenderCache } from '../../../src/sending/prepare/sender-cache.ts'
import { queueFallbackMessages } from '../../../src/sending/record/fallbacks.ts'
import { type FollowupHandlers, moveFollowups, runDueFollowups } from '../../../src/sending/record/followups.ts'
import { decideHeldMessages } from '../../../src/sending/record/held-messages.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import type { SenderContext } from '../../../src/sending/senders/sender-context.ts'
import { createSenderName } from '../../../src/sending/senders/sender-names.ts'
import { DEVICES, mailToDevices, SECOND_GATEWAY } from '../../fakes/push/devices.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { ageJournals } from '../../support/stages/journals.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, sender } = stage
const { db } = context
const graveyard = join(stage.dataDir, 'graveyard')

/** Devices that each message goes to, and what may follow it. */
let devices = DEVICES
let followup: NewFollowup | undefined

const several: ChannelModule = {
  ...mailToDevices(await loadChannel('email'), () => devices),
  isOurFault: ({ gatewayCode }) => gatewayCode === 'UNAUTHENTICATED',
  followupOf: () => followup,
}

type Say = Pick<GatewayOutcome, 'result'> & { gatewayCode?: string }

/** Gateways that answer as planned for each address and device, and note what arrived. */
interface DeviceGateways {
  arrived: string[]
  say: Map<string, Say[]>
  /** As of a killed process: nothing is answered after so many bodies. */
  killAt: number
  open(name: string, isIdempotent: boolean): MessageGateway
}

function deviceGateways(): DeviceGateways {
  let bodies = 0
  const all: DeviceGateways = {
    arrived: [],
    say: new Map(),
    killAt: Number.POSITIVE_INFINITY,
    open: (name, isIdempotent) => ({
      name,
      kind: 'test',
      channel: 'email',
      isIdempotent,
      async send(batch, listener) {
        let taken = 0
        for (const message of batch as Iterable<OutgoingMail>) {
          taken++
          const { id, sequence = 0 } = message
          const key: DeliveryKey = sequence === 0 ? id : { id, sequence }
          listener.beforeBody?.(key)
          const place = `${message.envelope.to} ${sequence}`
          const { result, gatewayCode } = all.say.get(place)?.shift() ?? { result: 'accepted' as const }
          if (result === 'accepted' || result === 'doubtful') all.arrived.push(place)
          if (++bodies >= all.killAt) throw new Error('killed')
          listener.outcome(answerOf({ id, sequence }, result, gatewayCode))
        }
        return { taken }
      },
      check: async () => ({ ok: true, detail: '' }),
      close: async () => undefined,
    }),
  }
  return all
}

function answerOf(
  key: { id: number; sequence: number },
  result: GatewayOutcome['result'],
  gatewayCode?: string,
): GatewayOutcome {
  const mta = 'device.test'
  switch (result) {
    case 'accepted':
      return { ...key, result, reference: `r${key.sequence}`, reply: 'ok', mta }
    case 'refused': {
      const code = gatewayCode === undefined ? {} : { gatewayCode }
      const enhanced = gatewayCode === 'GONE' ? '5.1.1' : '5.7.1'
      return { ...key, result, stage: 'rcpt', reply: 'not here', code: 550, enhanced, mta, ...code }
    }
    case 'deferred':
      return { ...key, result, stage: 'data', reply: 'later', mta, retryAfterMs: 1000 }
    case 'doubtful':
      return { ...key, result, reason: 'no answer', mta }
    case 'returned':
      return { ...key, result, reason: 'busy', retryAfterMs: 1000, destination: 'x' }
  }
}

function senderOf(gateways: DeviceGateways, more: Partial<SenderContext> = {}, isIdempotent = false): SenderContext {
  const [first, second] = [gateways.open('first', isIdempotent), gateways.open(SECOND_GATEWAY, isIdempotent)]
  return {
    ...sender,
    cache: openSenderCache(db, clock, async () => several),
    channels: async () => new Map([['email' as const, several]]),
    gateways: {
      gatewayOf: async () => first,
      named: async (_account, _channel, { key }) => (key === SECOND_GATEWAY ? second : undefined),
      close: async () => undefined,
    },
    ...more,
  }
}

const action = await stage.validated(await stage.action({ settings: { purpose: { type: 'service' } } }))

async function asked(name: string): Promise<{ address: string; stamp: string; contact: string }> {
  const address = `${name}@devices.example`
  const contact = await stage.contact(address)
  const answer = await call('POST', `/actions/${action}/execution`, {
    body: { recipient: { type: 'id', value: contact } },
  })
  assert.equal(answer.status, 200, answer.text)
  clock.advance(1001)
  return { address, contact, stamp: answer.body.id ?? answer.body.stamp?.id }
}

async function row(stamp: string) {
  const { rows } = await sql<{
    state: string
    deliveries: object | null
    reservations: object | null
    is_idempotent: boolean
  }>`
    select state, deliveries, reservations, is_idempotent from messages where stamp = ${stamp} and kind <> 'fallback'`.execute(
    db,
  )
  return rows[0]
}

async function outcome(stamp: string): Promise<string | undefined> {
  const { rows } = await sql<{ outcome: string }>`select outcome from sent_messages where stamp = ${stamp}`.execute(db)
  return rows[0]?.outcome
}

async function events(stamp: string): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    select kind || coalesce(' ' || (detail #>> '{activation,device}'), '') as event from events
    where stamp = ${stamp} and kind <> 'executions' order by 1`.execute(db)
  return rows.map(({ event }) => event)
}

const send = (by: SenderContext) => sendMessageBatch(by, outboxLanes.transactional, 100)

suite('deliveries', () => {
  test('have their own events, and the message ends with the last one', async () => {
    const gateways = deviceGateways()
    const { address, stamp } = await asked('three')
    gateways.say.set(`${address} 0`, [{ result: 'refused' }])
    gateways.say.set(`${address} 1`, [{ result: 'deferred' }])
    await send(senderOf(gateways))
    assert.deepEqual((await row(stamp))?.deliveries, { 0: 'refused', 2: 'accepted' })
    assert.deepEqual(await events(stamp), ['activations device 0', 'activations device 2', 'bounces device 0'])
    assert.equal(await outcome(stamp), undefined)
    clock.advance(2000)
    await send(senderOf(gateways))
    assert.equal(await row(stamp), undefined)
    assert.equal(await outcome(stamp), 'accepted')
    assert.deepEqual(gateways.arrived, [`${address} 2`, `${address} 1`])
    assert.equal((await events(stamp)).filter((event) => event.startsWith('activations')).length, 3)
  })

  test('are refused as a message when all are refused, and a credentials error is a cancellation', async () => {
    const gateways = deviceGateways()
    const { address, stamp } = await asked('none')
    gateways.say.set(`${address} 0`, [{ result: 'refused', gatewayCode: 'UNAUTHENTICATED' }])
    for (const n of [1, 2]) gateways.say.set(`${address} ${n}`, [{ result: 'refused' }])
    await send(senderOf(gateways))
    assert.equal(await outcome(stamp), 'refused')
    assert.equal((await events(stamp)).filter((event) => event.startsWith('cancellations')).length, 1)
  })

  test('leave the message accepted when one was, although a refusal excludes the rest', async () => {
    const gateways = deviceGateways()
    const { address, stamp } = await asked('rest')
    gateways.say.set(`${address} 0`, [{ result: 'refused', gatewayCode: 'GONE' }])
    gateways.say.set(`${address} 1`, [{ result: 'deferred' }])
    await send(senderOf(gateways))
    clock.advance(2000)
    await send(senderOf(gateways))
    assert.equal(await outcome(stamp), 'accepted')
    assert.deepEqual(gateways.arrived, [`${address} 2`])
  })

  test('are held alone when in doubt while the rest continues, and resent alone', async () => {
    const gateways = deviceGateways()
    const { address, stamp } = await asked('doubt')
    gateways.say.set(`${address} 0`, [{ result: 'doubtful' }])
    gateways.say.set(`${address} 1`, [{ result: 'deferred' }])
    await send(senderOf(gateways))
    assert.deepEqual(await row(stamp).then((one) => [one?.state, one?.deliveries]), [
      'queued',
      { 0: 'held', 2: 'accepted' },
    ])
    clock.advance(2000)
    await send(senderOf(gateways))
    assert.deepEqual(await row(stamp).then((one) => one?.state), 'held')
    const { rows } = await sql<{ account: number }>`select account from messages where stamp = ${stamp}`.execute(db)
    await decideHeldMessages(db, rows[0]!.account, { decision: 'send', of: { stamps: [stamp] } }, new Date(clock.now()))
    await send(senderOf(gateways))
    assert.deepEqual(gateways.arrived, [`${address} 0`, `${address} 2`, `${address} 1`, `${address} 0`])
    assert.equal(await outcome(stamp), 'accepted')
  })

  test('are repeated and not held by an idempotent gateway', async () => {
    const gateways = deviceGateways()
    const { address, stamp } = await asked('once')
    gateways.say.set(`${address} 0`, [{ result: 'doubtful' }])
    await send(senderOf(gateways, {}, true))
    assert.deepEqual(await row(stamp).then((one) => [one?.state, one?.is_idempotent]), ['queued', true])
    clock.advance(60_000)
    await send(senderOf(gateways, {}, true))
    assert.equal(await outcome(stamp), 'accepted')
  })

  test('are cancelled when their gateway is not set up, and the others are sent', async () => {
    const gateways = deviceGateways()
    const { stamp } = await asked('lost')
    const by = senderOf(gateways)
    await send({ ...by, gateways: { ...by.gateways, named: async () => undefined } })
    assert.equal(await outcome(stamp), 'accepted')
    assert.ok((await events(stamp)).some((event) => event.startsWith('cancellations')))
  })

  test('are not sent again when the machine restarted and its journal may lack them, until that is decided', async () => {
    const gateways = deviceGateways()
    const { address, stamp } = await asked('restarted')
    const id = createSenderName()
    const journal = startSenderJournal(graveyard, id)
    gateways.killAt = 2
    const by = senderOf(gateways, { id, journal })
    await send(by).catch((error) => assert.match(error.message, /killed|no outcome/))
    gateways.killAt = Number.POSITIVE_INFINITY
    journal.close()
    ageJournals(graveyard)
    await recoverDeadSenders({ ...by, channels: by.channels!, dataDir: graveyard })
    clock.advance(120_000)
    await send(senderOf(gateways))
    assert.equal((await row(stamp))?.state, 'held')
    assert.equal(new Set(gateways.arrived).size, gateways.arrived.length)
    const { rows } = await sql<{ account: number }>`select account from messages where stamp = ${stamp}`.execute(db)
    await decideHeldMessages(db, rows[0]!.account, { decision: 'send', of: { stamps: [stamp] } }, new Date(clock.now()))
    await send(senderOf(gateways))
    assert.equal(await outcome(stamp), 'accepted')
    const times = (sequence: number) => gateways.arrived.filter((one) => one === `${address} ${sequence}`).length
    assert.equal(times(0), 1, 'its answer was in the journal')
    assert.ok(times(1) > 0 && times(2) > 0)
  })

  for (const isIdempotent of [false, true]) {
    test(`keep one activation per device when the process is killed at random (${isIdempotent ? 'asked again' : 'held'})`, async () => {
      const random = seeded(isIdempotent ? 7 : 11)
      for (let round = 0; round < 6; round++) {
        const messages = await Promise.all([1, 2, 3].map((n) => asked(`kill-${isIdempotent}-${round}-${n}`)))
        const gateways = deviceGateways()
        for (let turn = 0; turn < 12; turn++) {
          const id = createSenderName()
          const journal = startSenderJournal(graveyard, id)
          gateways.killAt = turn < 8 ? gateways.arrived.length + 1 + Math.floor(random() * 5) : Number.POSITIVE_INFINITY
          const isLost = random() < 0.5
          const by = senderOf(gateways, { id, journal }, isIdempotent)
          // As if it had not come to write what it knew.
          const channels = isLost && turn < 8 ? () => Promise.reject(new Error('killed')) : by.channels!
          await send({ ...by, channels }).catch((error) => assert.match(error.message, /killed|no outcome/))
          journal.close()
          await recoverDeadSenders({ ...by, channels: by.channels!, dataDir: graveyard })
          clock.advance(120_000)
        }
        for (const { address, stamp } of messages) {
          const activated = (await events(stamp)).filter((event) => event.startsWith('activations'))
          assert.equal(new Set(activated).size, activated.length, `${address}: ${activated}`)
          const times = gateways.arrived.filter((place) => place.startsWith(address))
          if (isIdempotent) {
            assert.equal(activated.length, 3)
            assert.equal(await outcome(stamp), 'accepted')
          } else {
            assert.equal(new Set(times).size, times.length, `sent twice: ${times}`)
            const held = Object.values((await row(stamp))?.deliveries ?? {}).filter((one) => one === 'held').length
            assert.equal(activated.length + held, 3)
          }
        }
      }
    })
  }
})

suite('follow-ups of a refused delivery', () => {
  test('run once when due, and the fallback is recorded in addition to the first outcome', async () => {
    const gateways = deviceGateways()
    devices = 1
    followup = { kind: 'again', due: clock.now() + 5000, payload: { reason: 'refused' } }
    const { address, stamp, contact } = await asked('follow')
    gateways.say.set(`${address} 0`, [{ result: 'refused' }])
    await send(senderOf(gateways))
    followup = undefined
    let runs = 0
    const handlers: FollowupHandlers = {
      async again(tx, due) {
        runs += due.length
        await db.transaction().execute(async (own) => {
          const moves = due.map((one) => ({ ...one, from: ['pending'], to: 'fallback', due: null }))
          const moved = await moveFollowups(own, moves)
          const { rows } = await sql<{
            account: number
            version: number
            contact: number
            sending: number
            thread: string
            set: string
          }>`
            select s.account, s.version, s.contact, g.id as sending, s.thread, s.set
            from sent_messages s join sendings g on g.account = s.account and g.source = s.source and g.kind = 'message'
            where s.stamp = any(${[...moved]}::uuid[])`.execute(own)
          const messages = rows.map(({ thread, set, ...one }) => ({
            ...one,
            channel: 'email' as const,
            kind: 'fallback' as const,
            depth: 0,
            address: null,
            lane: outboxLanes.transactional,
            notBefore: new Date(clock.now()),
            expiresAt: new Date(clock.now() + 3_600_000),
            stamp: { id: stamp, thread, set, time: clock.now() },
            request: {
              fallback: {
                type: 'email' as const,
                reason: 'refused',
                channel: 'email' as const,
                kind: 'message' as const,
              },
            },
          }))
          assert.deepEqual(await queueFallbackMessages(own, messages, new Date(clock.now())), [stamp])
          assert.deepEqual(await queueFallbackMessages(own, messages, new Date(clock.now())), [])
        })
        void tx
      },
    }
    assert.equal(await runDueFollowups(db, handlers, clock.now()), 0)
    clock.advance(6000)
    await Promise.all([1, 2, 3].map(() => runDueFollowups(db, handlers, clock.now())))
    assert.equal(runs, 1)
    await send(senderOf(gateways))
    devices = 3
    const { rows } = await sql<{ outcome: string; fallback: { outcome: string; address: string } }>`
      select outcome, fallback from sent_messages where stamp = ${stamp}`.execute(db)
    assert.deepEqual(
      [rows[0]?.outcome, rows[0]?.fallback.outcome, rows[0]?.fallback.address],
      ['refused', 'accepted', address],
    )
    const { rows: told } = await sql<{ fallback: object | null }>`
      select detail #> '{activation,fallback}' as fallback from events where stamp = ${stamp} and kind = 'activations' order by id`.execute(
      db,
    )
    assert.deepEqual(
      told.map((one) => one.fallback),
      [null, { type: 'email', reason: 'refused' }],
    )
    assert.equal((await call('DELETE', `/targets/${contact}?erase=true`)).status, 204)
    const { rows: left } = await sql`select from followups where stamp = ${stamp}`.execute(db)
    assert.equal(left.length, 0)
  })
})

/** A kind that counts, in a table of its own, each step that a message takes. */
await sql`create table test_places (stamp uuid, step text, key text)`.execute(db)
const stops = new Map<string, ReservationDecision>()
const note = async (tx: typeof db, step: string, ended: readonly ReservationEnd[]) => {
  await sql`
    insert into test_places select * from unnest(${ended.map(({ message }) => message.stamp.id)}::uuid[],
      ${ended.map(() => step)}::text[], ${ended.map(({ key }) => key)}::text[])`.execute(tx)
}
const places: ReservationKind = {
  async decide(tx, candidates) {
    const decisions = new Map<number, ReservationDecision>()
    for (const { message, held, key } of candidates) {
      const stop = stops.get(message.stamp.id)
      if (stop) decisions.set(message.id, stop)
      else if (held === null) decisions.set(message.id, { type: 'reserved', key: key ?? `bucket ${clock.now()}` })
    }
    const reserved = candidates.filter(({ message }) => decisions.get(message.id)?.type === 'reserved')
    await note(
      tx,
      'reserved',
      reserved.map(({ message }) => ({ message, key: null, at: 0 })),
    )
    return decisions
  },
  confirm: (tx, ended) => note(tx, 'confirmed', ended),
  release: (tx, ended) => note(tx, 'released', ended),
}

async function steps(stamp: string): Promise<string[]> {
  const { rows } = await sql<{ step: string }>`select step from test_places where stamp = ${stamp}`.execute(db)
  return rows.map(({ step }) => step)
}

suite('reservations of messages', () => {
  const reserving = (gateways: DeviceGateways, more: Partial<SenderContext> = {}) =>
    senderOf(gateways, { reservations: { places }, ...more })

  test('are confirmed when accepted, released when refused, and not repeated by a second claim', async () => {
    devices = 1
    const gateways = deviceGateways()
    const [good, bad] = [await asked('good'), await asked('bad')]
    gateways.say.set(`${good.address} 0`, [{ result: 'deferred' }])
    gateways.say.set(`${bad.address} 0`, [{ result: 'refused' }])
    await send(reserving(gateways))
    assert.deepEqual([await steps(good.stamp), await steps(bad.stamp)], [['reserved'], ['reserved', 'released']])
    clock.advance(2000)
    await send(reserving(gateways))
    assert.deepEqual(await steps(good.stamp), ['reserved', 'confirmed'])
  })

  test('a stopped message is cancelled, or waits until it may leave', async () => {
    const gateways = deviceGateways()
    const [never, later] = [await asked('never'), await asked('later')]
    stops.set(never.stamp, { type: 'cancelled', cancellation: { type: 'marketing pressure', value: {} } })
    stops.set(later.stamp, { type: 'postponed', until: clock.now() + 5000, reply: 'quiet hours' })
    await send(reserving(gateways))
    stops.clear()
    assert.equal(await outcome(never.stamp), 'cancelled')
    assert.deepEqual([await steps(never.stamp), (await row(later.stamp))?.state], [[], 'queued'])
    assert.equal(await send(reserving(gateways)), 0)
    clock.advance(5000)
    await send(reserving(gateways))
    assert.deepEqual(await steps(later.stamp), ['reserved', 'confirmed'])
  })

  test('a process that dies between decision and handover reserves once', async () => {
    const gateways = deviceGateways()
    const { stamp } = await asked('dies')
    const id = createSenderName()
    const journal = startSenderJournal(graveyard, id)
    gateways.killAt = 1
    const by = reserving(gateways, { id, journal })
    await assert.rejects(send(by))
    journal.close()
    await recoverDeadSenders({ ...by, channels: by.channels!, reservations: by.reservations!, dataDir: graveyard })
    await recoverDeadSenders({ ...by, channels: by.channels!, reservations: by.reservations!, dataDir: graveyard })
    assert.deepEqual(await steps(stamp), ['reserved'])
    assert.equal((await row(stamp))?.state, 'held')
    const { rows } = await sql<{ account: number }>`select account from messages where stamp = ${stamp}`.execute(db)
    const dropped = { decision: 'drop', of: { stamps: [stamp] }, kinds: { places } } as const
    await decideHeldMessages(db, rows[0]!.account, dropped, new Date(clock.now()))
    await decideHeldMessages(db, rows[0]!.account, dropped, new Date(clock.now()))
    assert.deepEqual(await steps(stamp), ['reserved', 'confirmed'])
  })

  test('a slice is decided once with one key, which its rows keep', async () => {
    const gateways = deviceGateways()
    const contacts = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => stage.contact(`slice-${name}@devices.example`)),
    )
    await stage.planned(await stage.segment(contacts), 4)
    gateways.say.set('slice-b@devices.example 0', [{ result: 'deferred' }])
    gateways.say.set('slice-c@devices.example 0', [{ result: 'refused' }])
    await sendMessageBatch(reserving(gateways), outboxLanes.bulk, 100)
    const { rows } = await sql<{
      reservations: object
    }>`select reservations from messages where kind = 'campaign'`.execute(db)
    assert.equal(rows.length, 1)
    assert.match(JSON.stringify(rows[0]?.reservations), /^\{"places":"bucket \d+"\}$/)
    clock.advance(2000)
    await sendMessageBatch(reserving(gateways), outboxLanes.bulk, 100)
    const { rows: counted } = await sql<{ step: string; n: number }>`
      select step, count(*)::integer as n from test_places p join sent_messages s using (stamp)
      where s.kind = 'campaign' group by step order by step`.execute(db)
    assert.deepEqual(counted, [
      { step: 'confirmed', n: 3 },
      { step: 'released', n: 1 },
      { step: 'reserved', n: 4 },
    ])
  })
})

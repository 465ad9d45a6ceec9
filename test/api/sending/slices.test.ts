import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { registerQueueMetrics } from '../../../src/features/deliverability/queues.ts'
import { findSendByStamp } from '../../../src/features/inbound/sends.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { releaseAllMessages, releaseMessages } from '../../../src/sending/claim/claim-messages.ts'
import { findMessage } from '../../../src/sending/claim/find-messages.ts'
import type { ClaimedMessage } from '../../../src/sending/claim/queue-messages.ts'
import { renewMessageLeases } from '../../../src/sending/claim/renew-message-leases.ts'
import { claimMessageSlices, endMessageSlices, getMessageSliceId } from '../../../src/sending/plan/message-slices.ts'
import { listContactsWithMessages } from '../../../src/sending/record/erase-messages.ts'
import type { MessageOutcome } from '../../../src/sending/record/outcome.ts'
import { recordOutcomes } from '../../../src/sending/record/record-outcomes.ts'
import { holdLostMessages } from '../../../src/sending/recover/hold-lost-messages.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import { createSenderName, getBatchName } from '../../../src/sending/senders/sender-names.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, gateway, get, settle, advance, sender, sendDue } = stage
const { db, pool } = context
/** Contacts planned at once, so that a few make several slices. */
const SLICE = 3
const LEASE_MS = 60_000

interface Campaign {
  id: string
  action: number
  addresses: string[]
  contacts: string[]
}

let made = 0

/** A campaign under way to as many contacts as asked for, planned in slices of three; nothing of it is sent yet. */
async function planned(size: number): Promise<Campaign> {
  const name = `crowd${++made}`
  const addresses = Array.from({ length: size }, (_, n) => `${name}-${n}@slices.example`)
  const contacts: string[] = []
  for (const address of addresses) contacts.push(await stage.contact(address))
  const segment = await stage.segment(contacts)
  return { ...(await stage.planned(segment, SLICE)), addresses, contacts }
}

function received({ addresses }: Campaign): number[] {
  return addresses.map((address) => gateway.to(address).length)
}

interface Left {
  slices: number
  /** Messages that are rows, by state. */
  rows: Record<string, number>
  recorded: number
}

async function left({ action }: Campaign): Promise<Left> {
  const { rows } = await pool.query<Left>(
    `select (select count(*)::integer from message_slices where sending in (select id from sendings where source = $1)) as slices,
      (select coalesce(jsonb_object_agg(state, n), '{}') from (
        select state, count(*) as n from messages where sending in (select id from sendings where source = $1) and kind = 'campaign' group by state) s) as rows,
      (select count(*)::integer from sent_messages where source = $1 and kind = 'campaign') as recorded`,
    [action],
  )
  return rows[0]!
}

async function monitor({ id }: Campaign) {
  const { pending, sent, cancelled, held } = (await get(id)).monitor
  return { pending, sent, cancelled, held }
}

async function activations({ action }: Campaign): Promise<number> {
  const { rowCount } = await pool.query(
    `select from events where subject = $1 and kind = 'activations' and not is_test`,
    [action],
  )
  return rowCount ?? 0
}

/** Claims everything that waits in slices, for a batch of that name. */
const claimAll = (name: string, limit = 100): Promise<ClaimedMessage[]> =>
  claimMessageSlices(db, name, outboxLanes.bulk, { limit, now: clock.now(), leaseMs: LEASE_MS })

function accepted({ id }: ClaimedMessage, address: string): MessageOutcome {
  const ending = { type: 'accepted', address, reference: 'r1', gateway: 'gone', values: { contact: null } } as const
  return { id, footprint: null, field: 1, at: clock.now(), ending }
}

/** Until a statement waits for another transaction's lock. */
const lockIsAwaited = () =>
  eventually(async () => (await pool.query('select from pg_locks where not granted')).rowCount !== 0)

const byId = (messages: readonly ClaimedMessage[]) => new Map(messages.map((message) => [message.id, message]))
const recover = (dataDir: string) => recoverDeadSenders({ db, clock, log: context.log, cache: sender.cache, dataDir })

suite('a campaign without a pace', () => {
  test('waits in slices, and each message is sent once under its own stamp', async () => {
    const campaign = await planned(7)
    assert.deepEqual(await left(campaign), { slices: 3, rows: {}, recorded: 0 })
    await settle()
    assert.deepEqual(received(campaign), Array(7).fill(1))
    assert.deepEqual(await left(campaign), { slices: 0, rows: {}, recorded: 7 })
    assert.deepEqual(await monitor(campaign), { pending: 0, sent: 7, cancelled: 0, held: 0 })
    const { rows } = await pool.query('select distinct stamp from sent_messages where source = $1', [campaign.action])
    assert.equal(rows.length, 8, 'with the proof')
    assert.equal(await activations(campaign), 7)
    assert.equal(await stage.state(campaign.id), 60)
  })

  test('does not end while a slice waits', async () => {
    const campaign = await planned(2)
    await advance()
    assert.equal(await stage.state(campaign.id), 55)
    await settle()
    assert.equal(await stage.state(campaign.id), 60)
  })

  test('has each slice claimed once, and shares the turns with other accounts and actions', async () => {
    const first = await planned(9)
    // So that it waits while the other one is made.
    await call('POST', `/actions/${first.id}/pause`)
    const campaigns = [first, await planned(9)]
    await call('DELETE', `/actions/${first.id}/pause`)
    const one = await claimAll(createSenderName(), 2)
    assert.deepEqual(
      new Set(one.map(({ source }) => source)),
      new Set(campaigns.map(({ action }) => action)),
      'one slice of each',
    )
    const rest = await claimAll(createSenderName())
    assert.equal(one.length + rest.length, 18)
    assert.equal(new Set([...one, ...rest].map(({ id }) => id)).size, 18)
    assert.equal(new Set([...one, ...rest].map(({ stamp }) => stamp.id)).size, 18)
    assert.deepEqual(await claimAll(createSenderName()), [])
    await pool.query('update message_slices set claimed_by = null, lease_until = null')
    await settle()
  })

  test('has nothing claimed while paused, and everything cancelled when deleted', async () => {
    const campaign = await planned(4)
    await call('POST', `/actions/${campaign.id}/pause`)
    await sendDue()
    assert.deepEqual(received(campaign), [0, 0, 0, 0])
    assert.equal((await call('DELETE', `/actions/${campaign.id}`)).status, 204)
    await sendDue()
    assert.deepEqual(await left(campaign), { slices: 0, rows: {}, recorded: 4 })
    const { rows } = await pool.query(
      `select detail #>> '{cancellation,type}' as type from events where subject = $1 and kind = 'cancellations'`,
      [campaign.action],
    )
    assert.deepEqual(rows, Array(4).fill({ type: 'action deleted' }))
  })

  test('is counted as waiting in the queues and in the metrics', async () => {
    const campaign = await planned(5)
    const { body } = await call('GET', '/settings/sending/queues')
    const [lane] = body.find(({ destination }: { destination: null }) => destination === null).lanes
    assert.deepEqual([lane.lane, lane.waiting], ['bulk', 5])
    const registry = new Registry()
    registerQueueMetrics(context, registry)
    assert.match(await registry.metrics(), /stentor_queue_waiting_messages\{lane="2",destination=""\} 5\n/)
    assert.deepEqual((await call('GET', '/settings/sending/queues', { key: stage.other.key })).body, [])
    await settle()
    assert.deepEqual(received(campaign), Array(5).fill(1))
  })
})

suite('messages that do not leave with their slice', () => {
  test('are postponed as a row when deferred, and leave under the same stamp', async () => {
    const campaign = await planned(4)
    gateway.plan(campaign.addresses[1]!, { result: 'deferred' }, { result: 'accepted' })
    await sendDue()
    assert.deepEqual(await left(campaign), { slices: 0, rows: { queued: 1 }, recorded: 3 })
    const { rows } = await pool.query<{ stamp: string; attempts: number }>(
      `select stamp, attempts from messages where sending in (select id from sendings where source = $1) and kind = 'campaign'`,
      [campaign.action],
    )
    assert.equal(rows[0]?.attempts, 1)
    clock.advance(3_600_000)
    await settle()
    const { rows: sent } = await pool.query<{ stamp: string }>(
      'select stamp from sent_messages where source = $1 and contact = $2',
      [campaign.action, parseContactId(campaign.contacts[1]!)],
    )
    assert.deepEqual(sent, [{ stamp: rows[0]!.stamp }])
    assert.deepEqual(received(campaign), [1, 1, 1, 1])
    assert.deepEqual(await monitor(campaign), { pending: 0, sent: 4, cancelled: 0, held: 0 })
  })

  test('are held and counted when in doubt', async () => {
    const campaign = await planned(2)
    gateway.plan(campaign.addresses[0]!, { result: 'doubtful' })
    await settle()
    assert.deepEqual(await left(campaign), { slices: 0, rows: { held: 1 }, recorded: 1 })
    assert.deepEqual(await monitor(campaign), { pending: 0, sent: 1, cancelled: 0, held: 1 })
  })

  test('are returned as a whole slice while the gateway is down, and leave when it is up again', async () => {
    const campaign = await planned(6)
    gateway.down = 'nobody is there'
    await sendMessageBatch(sender, outboxLanes.bulk, 500)
    assert.deepEqual(await left(campaign), { slices: 2, rows: {}, recorded: 0 })
    gateway.down = undefined
    clock.advance(10_000)
    await settle()
    assert.deepEqual(received(campaign), Array(6).fill(1))
  })

  test('are returned in part when a part of the slice was begun', async () => {
    const campaign = await planned(3)
    const name = createSenderName()
    const [first, ...others] = await claimAll(name)
    await recordOutcomes(db, { id: name }, byId([first!]), [accepted(first!, campaign.addresses[0]!)])
    const release = { notBefore: clock.now(), reply: 'the sender is stopping' }
    await releaseMessages(
      db,
      name,
      others.map(({ id }) => id),
      release,
    )
    assert.deepEqual((await left(campaign)).rows, { queued: 2 })
    // What is left of the slice is accounted for: its recovery makes no messages of it.
    clock.advance(LEASE_MS + 1)
    assert.equal(await holdLostMessages(db, new Date(clock.now())), 0)
    await settle()
    assert.deepEqual(received(campaign), [0, 1, 1])
    assert.deepEqual(await left(campaign), { slices: 0, rows: {}, recorded: 3 })
  })
})

suite('concurrent work on a slice', () => {
  test('messages returned while another process takes the slice as lost are left to that process', async () => {
    const campaign = await planned(3)
    const name = createSenderName()
    const [first, ...others] = await claimAll(name)
    await recordOutcomes(db, { id: name }, byId([first!]), [accepted(first!, campaign.addresses[0]!)])
    clock.advance(LEASE_MS + 1)
    const client = await pool.connect()
    await client.query('begin')
    await client.query(
      'select from message_slices where sending in (select id from sendings where source = $1) for update',
      [campaign.action],
    )
    const release = { notBefore: clock.now(), reply: 'the sender is stopping' }
    const released = releaseMessages(
      db,
      name,
      others.map(({ id }) => id),
      release,
    )
    await lockIsAwaited()
    // What a recovery does.
    await client.query(
      `insert into messages (id, account, lane, channel, kind, sending, version, contact, stamp, thread, set, stamp_time,
        not_before, expires_at, created_at, state, claimed_by)
      overriding system value
      select slice_message_id(s.id, n), s.account, s.lane, g.channel, 'campaign', sending, s.version, contacts[n + 1],
        slice_stamp(stamp_prefix, seed, n), slice_stamp(stamp_prefix, seed, n), run, g.created_at, not_before, expires_at, s.created_at,
        'queued', null
      from message_slices s join sendings g on g.id = s.sending, unnest($2::bigint[]) as n where g.source = $1`,
      [campaign.action, others.map(({ id }) => -id % 1024)],
    )
    await client.query('delete from message_slices where sending in (select id from sendings where source = $1)', [
      campaign.action,
    ])
    await client.query('commit')
    client.release()
    await released
    assert.deepEqual(await left(campaign), { slices: 0, rows: { queued: 2 }, recorded: 1 })
    await settle()
    assert.deepEqual(await left(campaign), { slices: 0, rows: {}, recorded: 3 })
  })

  test('a message reported several times at once becomes one row', async () => {
    const campaign = await planned(3)
    const name = createSenderName()
    const messages = await claimAll(name)
    const ending = { type: 'postponed', notBefore: clock.now(), reply: '451 later' } as const
    const outcomes = messages.map((message) => ({ ...accepted(message, ''), ending }))
    await Promise.all(Array.from({ length: 4 }, () => recordOutcomes(db, { id: name }, byId(messages), outcomes)))
    await endMessageSlices(db, name, new Set(messages.map(({ id }) => getMessageSliceId(id))))
    const { rows } = await pool.query(
      'select attempts from messages where sending in (select id from sendings where source = $1)',
      [campaign.action],
    )
    assert.deepEqual(rows, Array(3).fill({ attempts: 1 }))
    await settle()
  })

  test('a slice with an outcome being recorded is not taken as lost, and no lock is waited for', async () => {
    const campaign = await planned(2)
    const name = createSenderName()
    const messages = await claimAll(name)
    clock.advance(LEASE_MS + 1)
    await db.transaction().execute(async (tx) => {
      await recordOutcomes(tx, { id: name }, byId(messages), [accepted(messages[0]!, campaign.addresses[0]!)])
      assert.equal(await holdLostMessages(db, new Date(clock.now())), 0)
      await renewMessageLeases(db, name, new Date(clock.now()))
    })
    assert.equal(await holdLostMessages(db, new Date(clock.now() + 1)), 1)
    assert.deepEqual(await left(campaign), { slices: 0, rows: { held: 1 }, recorded: 1 })
  })
})

suite('the outcome of a message of a slice', () => {
  test('is recorded once although it is reported twice', async () => {
    const campaign = await planned(2)
    const name = createSenderName()
    const messages = await claimAll(name)
    const outcomes = messages.map((message, n) => accepted(message, campaign.addresses[n]!))
    await recordOutcomes(db, { id: name }, byId(messages), outcomes)
    await recordOutcomes(db, { id: name }, byId(messages), outcomes)
    assert.deepEqual(await monitor(campaign), { pending: 0, sent: 2, cancelled: 0, held: 0 })
    assert.equal(await activations(campaign), 2)
    await pool.query('delete from message_slices where sending in (select id from sendings where source = $1)', [
      campaign.action,
    ])
  })

  test('is ignored when another process has the slice by now', async () => {
    const campaign = await planned(2)
    const [late, now] = [createSenderName(), createSenderName()]
    const messages = await claimAll(late)
    await pool.query(
      'update message_slices set claimed_by = $1 where sending in (select id from sendings where source = $2)',
      [now, campaign.action],
    )
    for (const ending of [
      accepted(messages[0]!, campaign.addresses[0]!).ending,
      { type: 'postponed', notBefore: 0, reply: '451 later' } as const,
      { type: 'held', reason: 'in doubt' } as const,
    ])
      await recordOutcomes(db, { id: late }, byId(messages), [{ ...accepted(messages[0]!, ''), ending }])
    assert.deepEqual(await left(campaign), { slices: 1, rows: {}, recorded: 0 })
    assert.equal(await activations(campaign), 0)
    await pool.query(
      'update message_slices set claimed_by = null where sending in (select id from sendings where source = $1)',
      [campaign.action],
    )
    await settle()
    assert.deepEqual(received(campaign), [1, 1])
  })

  test('keeps nothing of a contact erased meanwhile', async () => {
    const campaign = await planned(2)
    const name = createSenderName()
    const messages = await claimAll(name)
    assert.equal((await call('DELETE', `/targets/${campaign.contacts[0]}?erase=true`)).status, 204)
    const outcomes = messages.map((message, n) => accepted(message, campaign.addresses[n]!))
    await recordOutcomes(db, { id: name }, byId(messages), outcomes)
    const { rows } = await pool.query(
      `select address, values from sent_messages where source = $1 and kind = 'campaign' order by contact`,
      [campaign.action],
    )
    assert.deepEqual(rows, [
      { address: '', values: null },
      { address: campaign.addresses[1], values: { contact: null } },
    ])
    await pool.query('delete from message_slices where sending in (select id from sendings where source = $1)', [
      campaign.action,
    ])
  })
})

suite('a pending message in a slice', () => {
  test('is found by its stamp, by its own account only', async () => {
    const campaign = await planned(4)
    const messages = await claimAll(createSenderName())
    const { account } = messages[0]!
    for (const { stamp, contact, version, source } of messages) {
      const found = await findMessage(db, account, stamp.id)
      assert.deepEqual(found, {
        channel: 'email',
        kind: 'campaign',
        sourceKind: 'action',
        source,
        outcome: null,
        waits: 'queued',
        lastReply: null,
        version,
        contact,
        address: null,
        stamp,
        request: {},
        values: null,
        isRecorded: false,
      })
      const send = await findSendByStamp(db, account, stamp.id)
      assert.deepEqual([send?.send.source, send?.send.contact, send?.send.kind], [source, contact, 'campaign'])
      assert.ok(campaign.addresses.includes(send?.address ?? ''))
      assert.equal(await findMessage(db, account + 1, stamp.id), undefined)
    }
    const { id: stamp } = messages[0]!.stamp
    const adjacent = (BigInt(`0x${stamp.slice(-12)}`) ^ 1n).toString(16).padStart(12, '0')
    for (const digits of [adjacent, '000000000000'])
      assert.equal(await findMessage(db, account, stamp.slice(0, -12) + digits), undefined)
    // Others cannot be derived from one of them.
    const endings = new Set(messages.map((message) => message.stamp.id.slice(-12, -4)))
    assert.equal(endings.size, messages.length)
    await pool.query('update message_slices set claimed_by = null, lease_until = null')
    await settle()
  })

  test('has its stamp, so an execution with the same stamp is skipped', async () => {
    const campaign = await planned(2)
    const [first] = await claimAll(createSenderName())
    const contact = campaign.contacts[0]!
    const action = await stage.validated(await stage.action({}))
    const items = [{ recipient: { type: 'id', value: contact }, stamp: { id: first!.stamp.id } }]
    const answer = await call('POST', `/actions/${action}/executions`, { body: items })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(
      answer.body.map(({ type, id }: { type: string; id: string }) => [type, id]),
      [['success', first!.stamp.id]],
    )
    const { rowCount } = await pool.query('select from messages where stamp = $1', [first!.stamp.id])
    assert.equal(rowCount, 0)
    await pool.query('update message_slices set claimed_by = null, lease_until = null')
    await settle()
  })

  test('counts as recorded once its contact is erased, and is still known for a deleted contact', async () => {
    const campaign = await planned(2)
    const [message, deleted] = (await claimAll(createSenderName())).toSorted((a, b) => a.contact! - b.contact!)
    assert.equal((await call('DELETE', `/targets/${campaign.contacts[0]}?erase=true`)).status, 204)
    assert.equal((await call('DELETE', `/targets/${campaign.contacts[1]}`)).status, 204)
    const { account, stamp } = message!
    assert.equal((await findMessage(db, account, stamp.id))?.isRecorded, true)
    assert.equal((await findMessage(db, account, deleted!.stamp.id))?.isRecorded, false)
    const unknown = deleted!.contact! + 1_000_000
    assert.deepEqual(await listContactsWithMessages(db, account, [deleted!.contact!, unknown]), [deleted!.contact!])
    assert.deepEqual(await listContactsWithMessages(db, account + 1, [deleted!.contact!]), [])
    await pool.query('update message_slices set claimed_by = null, lease_until = null')
    await settle()
  })
})

suite('recovery of a sender that died with slices', () => {
  test('keeps recorded outcomes, records answered ones, holds those in doubt and sends the rest', async () => {
    const campaign = await planned(5)
    const graveyard = join(stage.dataDir, 'slices-1')
    const name = createSenderName()
    const journal = startSenderJournal(graveyard, name)
    const batch = journal.open()
    const messages = await claimAll(batch.name)
    const [recorded, answered, doubtful] = messages.toSorted((a, b) => a.contact! - b.contact!)
    for (const one of [recorded!, answered!, doubtful!]) batch.begin(one.id)
    batch.end(recorded!.id, accepted(recorded!, campaign.addresses[0]!))
    batch.end(answered!.id, accepted(answered!, campaign.addresses[1]!))
    const outcome = accepted(recorded!, campaign.addresses[0]!)
    await recordOutcomes(db, { id: batch.name }, byId([recorded!]), [outcome])
    journal.close()
    await recover(graveyard)
    assert.deepEqual(await left(campaign), { slices: 0, rows: { held: 1, queued: 2 }, recorded: 2 })
    // Recorded by it late, nothing changes.
    await recordOutcomes(db, { id: batch.name }, byId(messages), [outcome])
    await settle()
    assert.deepEqual(received(campaign), [0, 0, 0, 1, 1])
    assert.deepEqual(await monitor(campaign), { pending: 0, sent: 4, cancelled: 0, held: 1 })
    assert.equal(await activations(campaign), 4)
  })

  test('without its journal, holds what is not recorded after the lease, until the journal is found', async () => {
    const campaign = await planned(3)
    const graveyard = join(stage.dataDir, 'slices-2')
    const name = createSenderName()
    const messages = (await claimAll(getBatchName(name, 1))).toSorted((a, b) => a.contact! - b.contact!)
    await recordOutcomes(db, { id: getBatchName(name, 1) }, byId(messages), [
      accepted(messages[0]!, campaign.addresses[0]!),
    ])
    clock.advance(LEASE_MS + 1)
    assert.equal(await holdLostMessages(db, new Date(clock.now())), 2)
    assert.deepEqual(await left(campaign), { slices: 0, rows: { held: 2 }, recorded: 1 })
    const journal = startSenderJournal(graveyard, name)
    const batch = journal.open()
    batch.begin(messages[1]!.id)
    batch.end(messages[1]!.id, accepted(messages[1]!, campaign.addresses[1]!))
    journal.close()
    await recover(graveyard)
    await settle()
    assert.deepEqual(received(campaign), [0, 0, 1])
    assert.deepEqual(await monitor(campaign), { pending: 0, sent: 3, cancelled: 0, held: 0 })
  })

  test('releases a claim whose answer was lost', async () => {
    const campaign = await planned(2)
    const name = createSenderName()
    const messages = await claimAll(name)
    assert.equal(new Set(messages.map(({ id }) => getMessageSliceId(id))).size, 1)
    await releaseAllMessages(db, name)
    await settle()
    assert.deepEqual(received(campaign), [1, 1])
  })
})

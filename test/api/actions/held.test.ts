import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { parseActionId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { takeOverMessages } from '../../../src/sending/claim/claim-messages.ts'
import { findMessage } from '../../../src/sending/claim/find-messages.ts'
import { claimMessageSlices, dissolveLostSlices } from '../../../src/sending/plan/message-slices.ts'
import { holdLostMessages } from '../../../src/sending/recover/hold-lost-messages.ts'
import { createSenderName, getBatchName } from '../../../src/sending/senders/sender-names.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, own, other, gateway, contact, settle } = stage
const { db, pool } = context
const HELD = '/settings/sending/held'
const WHY = 'the connection was closed'

interface Held {
  message: string
  action: string
  contact: string | null
  since: string
  why: string | null
}

const listed = async (query = ''): Promise<Held[]> => (await call('GET', `${HELD}${query}`)).body
const decide = (body: unknown, key: string | null = own.key) => call('POST', `${HELD}/release`, { body, key })

let made = 0

/** A campaign to so many contacts, of whom the first gets the mail; the outcomes of the others are unknown. */
async function doubtfulCampaign(size: number) {
  const addresses = Array.from({ length: size }, (_, n) => `held-${++made}-${n}@shop.example`)
  const contacts: string[] = []
  for (const [n, address] of addresses.entries()) {
    contacts.push(await contact(address))
    if (n > 0) gateway.plan(address, { result: 'doubtful' }, { result: 'accepted' })
  }
  const { id, action } = await stage.planned(await stage.segment(contacts), size)
  await settle()
  return { id, action, addresses, contacts }
}

async function monitorOf(id: string) {
  const { recipients, sent, cancelled, refused, held, pending } = (await stage.get(id)).monitor
  assert.equal(recipients, sent + cancelled + refused + held + pending, 'the monitor adds up')
  return { recipients, sent, held, pending }
}

/** How often each address was handed over, in doubt or not. */
const arrivals = (addresses: string[]) => addresses.map((address) => gateway.to(address).length)

/** Everything that happened to its contacts: one hand-over that was answered is one event. */
async function events(id: string): Promise<number> {
  const { rowCount } = await pool.query('select from events where subject = $1 and not is_test', [parseActionId(id)])
  return rowCount ?? 0
}

suite('held messages', () => {
  test('are listed in pages with action, contact, time and reason', async () => {
    const since = new Date(clock.now()).toISOString()
    const first = await doubtfulCampaign(3)
    const second = await doubtfulCampaign(2)
    const all = await listed()
    const shown = (campaign: typeof first, n: number) => ({
      action: campaign.id,
      contact: campaign.contacts[n],
      since,
      why: WHY,
    })
    const wanted = [shown(first, 1), shown(first, 2), shown(second, 1)]
    assert.deepEqual(
      all.map(({ message: _, ...rest }) => rest).sort((a, b) => (a.contact! < b.contact! ? -1 : 1)),
      wanted,
    )
    const { rows } = await pool.query<{ stamp: string }>(`select stamp from messages where state = 'held' order by id`)
    assert.deepEqual(
      all.map(({ message }) => message),
      rows.map(({ stamp }) => stamp),
    )
    assert.deepEqual(
      await listed(`?action=${second.id.toLowerCase()}`),
      all.filter(({ action }) => action === second.id),
    )
    const page = await call('GET', `${HELD}?limit=2`)
    assert.deepEqual(page.body, all.slice(0, 2))
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1]
    const rest = await call('GET', next!)
    assert.deepEqual([rest.body, rest.headers['link']], [all.slice(2), undefined])
  })

  test('leave once after release, and are counted by the monitor', async () => {
    const { id, addresses, contacts } = await doubtfulCampaign(4)
    assert.deepEqual(await monitorOf(id), { recipients: 4, sent: 1, held: 3, pending: 0 })
    assert.equal(await stage.state(id), 60)
    const own = await listed(`?action=${id}`)
    const { message } = own.find((one) => one.contact === contacts[1])!
    const released = await decide({ decision: 'send', messages: [message.toUpperCase(), randomUUID()] })
    assert.deepEqual([released.status, released.body], [200, { messages: 1 }])
    assert.deepEqual(await monitorOf(id), { recipients: 4, sent: 1, held: 2, pending: 1 })
    assert.deepEqual((await decide({ decision: 'send', messages: [message] })).body, { messages: 0 })
    await settle()
    assert.deepEqual(arrivals(addresses), [1, 2, 1, 1])
    assert.deepEqual(await monitorOf(id), { recipients: 4, sent: 2, held: 2, pending: 0 })
    assert.equal(await events(id), 2)
    assert.deepEqual(
      await listed(`?action=${id}`),
      own.filter((one) => one.message !== message),
    )
    assert.deepEqual((await decide({ decision: 'send', messages: [message] })).body, { messages: 0 })
  })

  test('leave once when several requests release them at the same time', async () => {
    const { id, addresses } = await doubtfulCampaign(6)
    const messages = (await listed(`?action=${id}`)).map(({ message }) => message)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        decide({ decision: 'send', ...(n % 2 === 0 ? { action: id } : { messages: messages.toReversed() }) }),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.messages, 0),
      5,
    )
    assert.deepEqual(await monitorOf(id), { recipients: 6, sent: 1, held: 0, pending: 5 })
    await settle()
    assert.deepEqual(arrivals(addresses), [1, 2, 2, 2, 2, 2])
    assert.deepEqual(await monitorOf(id), { recipients: 6, sent: 6, held: 0, pending: 0 })
  })

  test('can be held and released again', async () => {
    const { id, addresses } = await doubtfulCampaign(2)
    gateway.plan(addresses[1]!, { result: 'doubtful' }, { result: 'accepted' })
    clock.advance(60_000)
    const since = new Date(clock.now()).toISOString()
    assert.deepEqual((await decide({ decision: 'send', action: id })).body, { messages: 1 })
    await settle()
    assert.deepEqual(
      (await listed(`?action=${id}`)).map((one) => one.since),
      [since],
    )
    assert.deepEqual(await monitorOf(id), { recipients: 2, sent: 1, held: 1, pending: 0 })
    assert.deepEqual((await decide({ decision: 'send', action: id })).body, { messages: 1 })
    await settle()
    assert.deepEqual(arrivals(addresses), [1, 3])
    assert.deepEqual(await monitorOf(id), { recipients: 2, sent: 2, held: 0, pending: 0 })
  })

  test('are never sent once dropped, end without an event, and still count as held', async () => {
    const { id, addresses } = await doubtfulCampaign(3)
    const [{ message } = { message: '' }] = await listed(`?action=${id}`)
    assert.deepEqual((await decide({ decision: 'drop', action: id })).body, { messages: 2 })
    assert.deepEqual((await decide({ decision: 'send', action: id })).body, { messages: 0 })
    await settle()
    assert.deepEqual(arrivals(addresses), [1, 1, 1])
    assert.deepEqual(await listed(`?action=${id}`), [])
    assert.deepEqual(await monitorOf(id), { recipients: 3, sent: 1, held: 2, pending: 0 })
    assert.equal(await events(id), 1)
    // They may have arrived: what their links and replies ask for is known as before, to their account alone.
    const found = await findMessage(db, own.account, message)
    assert.ok(found && addresses.includes(found.address ?? '') && !found.isRecorded)
    assert.equal(await findMessage(db, other.account, message), undefined)
  })

  test('messages of executions are released and dropped alike, and a dropped stamp is not sent again', async () => {
    const action = await stage.validated(await stage.action())
    const stamps = [randomUUID(), randomUUID()]
    const items: object[] = []
    for (const [n, id] of stamps.entries()) {
      const address = `demand-${n}@shop.example`
      gateway.plan(address, { result: 'doubtful' }, { result: 'accepted' })
      items.push({ recipient: { type: 'id', value: await contact(address) }, stamp: { id } })
    }
    const execute = () => call('POST', `/actions/${action}/executions`, { body: items })
    await execute()
    await settle()
    assert.deepEqual((await listed(`?action=${action}`)).map(({ message }) => message).sort(), stamps.toSorted())
    assert.deepEqual((await decide({ decision: 'send', messages: [stamps[0]] })).body, { messages: 1 })
    assert.deepEqual((await decide({ decision: 'drop', messages: [stamps[1]] })).body, { messages: 1 })
    await execute()
    await settle()
    assert.deepEqual(arrivals(['demand-0@shop.example', 'demand-1@shop.example']), [2, 1])
  })

  test('are cancelled on release if their contact has been deleted', async () => {
    const { id, addresses, contacts } = await doubtfulCampaign(3)
    assert.equal((await call('DELETE', `/targets/${contacts[1]}`)).status, 204)
    assert.equal((await call('DELETE', `/targets/${contacts[2]}?erase=true`)).status, 204)
    const reasons = new Map((await listed(`?action=${id}`)).map((one) => [one.contact, one.why]))
    assert.deepEqual(reasons.size, 2)
    assert.deepEqual([reasons.get(contacts[1]!), reasons.get(contacts[2]!)], [WHY, null])
    assert.deepEqual((await decide({ decision: 'send', action: id })).body, { messages: 2 })
    await settle()
    assert.deepEqual(arrivals(addresses), [1, 1, 1])
    const { cancelled, ...rest } = (await stage.get(id)).monitor
    assert.deepEqual([cancelled, rest.held, rest.pending], [2, 0, 0])
    assert.deepEqual(await listed(`?action=${id}`), [])
  })

  test('do not reappear once dropped while their slice is still being sent', async () => {
    const contacts = [await contact('slow-1@shop.example'), await contact('slow-2@shop.example')]
    const { id, action } = await stage.planned(await stage.segment(contacts), 2)
    const gone = createSenderName()
    const turn = { limit: 1, now: clock.now(), leaseMs: 1000 }
    const messages = await claimMessageSlices(db, getBatchName(gone, 1), outboxLanes.bulk, turn)
    assert.equal(messages.length, 2)
    // Its lease is over: both are held; then the slice is found once more, as by a statement of a lost connection.
    const { rows } = await pool.query(
      'select * from message_slices where sending in (select id from sendings where source = $1)',
      [action],
    )
    clock.advance(2000)
    assert.equal(await holdLostMessages(db, new Date(clock.now())), 2)
    const [first, second] = await listed(`?action=${id}`)
    assert.deepEqual(
      [first?.why, first?.since],
      ['sender process died, outcome unknown', new Date(clock.now()).toISOString()],
    )
    await decide({ decision: 'drop', messages: [first?.message] })
    await decide({ decision: 'send', messages: [second?.message] })
    const columns = Object.keys(rows[0]).map((name) => `"${name}"`)
    await pool.query(
      `insert into message_slices (${columns}) overriding system value values (${columns.map((_, n) => `$${n + 1}`)})`,
      Object.values(rows[0]),
    )
    await dissolveLostSlices(db, new Date(clock.now()))
    await settle()
    assert.deepEqual(arrivals(['slow-1@shop.example', 'slow-2@shop.example']).sort(), [0, 1])
    assert.deepEqual(await monitorOf(id), { recipients: 2, sent: 1, held: 1, pending: 0 })
    // A process that recovers the journal of their sender finds nothing to decide any more.
    assert.deepEqual(await takeOverMessages(db, gone, { name: createSenderName(), now: clock.now() }), [])
  })

  test('are unknown to another account, by id or by action', async () => {
    const { id, addresses } = await doubtfulCampaign(2)
    const before = await listed(`?action=${id}`)
    const messages = before.map(({ message }) => message)
    for (const decision of ['send', 'drop']) {
      assert.deepEqual((await decide({ decision, messages }, other.key)).body, { messages: 0 })
      assert.equal((await decide({ decision, action: id }, other.key)).status, 404)
    }
    assert.deepEqual((await call('GET', HELD, { key: other.key })).body, [])
    assert.equal((await call('GET', `${HELD}?action=${id}`, { key: other.key })).status, 404)
    await settle()
    assert.deepEqual([await listed(`?action=${id}`), arrivals(addresses)], [before, [1, 1]])
  })

  test('require the send right and a valid decision', async () => {
    const { id } = await doubtfulCampaign(2)
    const before = await listed(`?action=${id}`)
    const key = await stage.makeKey(own.account, ['read', 'write', 'admin'])
    assert.equal((await call('GET', HELD, { key })).status, 403)
    assert.equal((await decide({ decision: 'send', action: id }, key)).status, 403)
    assert.equal((await decide({ decision: 'send', action: id }, null)).status, 401)
    const { message } = before[0]!
    for (const body of [
      undefined,
      {},
      { decision: 'send' },
      { decision: 'send', action: id, messages: [message] },
      { decision: 'keep', action: id },
      { action: id },
      { decision: 'drop', messages: 'all' },
      { decision: 'drop', messages: ['x'] },
      { decision: 'drop', messages: Array.from({ length: 1001 }, () => message) },
    ])
      assert.equal((await decide(body)).status, 400, JSON.stringify(body)?.slice(0, 100))
    for (const action of ['ZZZZZZ', 'x', ''])
      assert.equal((await decide({ decision: 'drop', action })).status, 404, action)
    assert.equal((await call('GET', `${HELD}?action=ZZZZZZ`)).status, 404)
    assert.equal((await call('GET', `${HELD}?after=x`)).status, 400)
    assert.deepEqual((await decide({ decision: 'drop', messages: [] })).body, { messages: 0 })
    assert.deepEqual(await listed(`?action=${id}`), before)
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { type Claimed, claimMessages } from '../../src/features/messages/claim.ts'
import { journalsLeft, startJournal } from '../../src/features/messages/journal.ts'
import { lanes } from '../../src/features/messages/outbox.ts'
import type { Outcome } from '../../src/features/messages/record.ts'
import { recoverSenders } from '../../src/features/messages/recover.ts'
import { startHarness } from '../harness.ts'
import { startTestSender } from '../sending.ts'

const harness = await startHarness()
const { call, clock, context, dataDir } = harness
const { gateway, sender, settle, sendDue } = startTestSender(harness)
/** Where the dead kept their journals; that of the living sender of this test is elsewhere. */
const graveyard = join(dataDir, 'graveyard')

const action = await call('POST', '/actions', {
  body: {
    type: 'mailMessage',
    name: 'Order',
    content: { subject: 'Your order', html: '<p>It is on its way.</p>' },
    settings: { purpose: { type: 'service' } },
  },
})
await call('POST', `/actions/${action.body.id}/validation`, {
  body: { fortest: true, mediaForTest: 'proof@shop.example' },
})
await settle()
assert.equal((await call('POST', `/actions/${action.body.id}/validation`, { body: { fortest: false } })).status, 204)

/** Queues a message to each of the contacts, claims them for a sender of that name, and gives them in order. */
async function claimed(dead: string, names: string[]): Promise<Claimed[]> {
  const recipients = names.map((name) => `${name}@example.org`)
  for (const Email of recipients) await call('PUT', '/targets', { body: { Email } })
  const items = recipients.map((address) => ({ recipient: { type: 'unicity', value: [address] } }))
  const { status, body } = await call('POST', `/actions/${action.body.id}/executions`, { body: items })
  assert.equal(status, 200, JSON.stringify(body))
  const messages = await claimMessages(context.db, dead, lanes.transactional, {
    limit: 100,
    now: clock.now(),
    leaseMs: 60_000,
  })
  assert.equal(messages.length, names.length)
  // The contacts were made in the order of their names.
  return messages.toSorted((a, b) => a.contact! - b.contact!)
}

function recovery() {
  return { db: context.db, clock, log: context.log, materials: sender.materials, dataDir: graveyard }
}

function accepted(id: number): Outcome {
  return {
    id,
    footprint: null,
    field: 1,
    at: clock.now(),
    ending: { type: 'accepted', address: 'x@example.org', reference: 'r1', gateway: 'gone', values: null },
  }
}

suite('a sender that died', () => {
  test('what it never began is queued again, what was answered is recorded, what is in doubt is held', async () => {
    const dead = randomUUID()
    const [, answered, doubtful] = await claimed(dead, ['untouched', 'answered', 'doubtful'])
    const journal = startJournal(graveyard, dead).open()
    journal.begin(answered!.id)
    journal.end(answered!.id, accepted(answered!.id))
    journal.begin(doubtful!.id)
    await recoverSenders(recovery())
    const { rows } = await context.pool.query('select state from messages order by contact')
    assert.deepEqual(rows, [{ state: 'queued' }, { state: 'held' }])
    const { rows: sent } = await context.pool.query('select outcome from sent_messages where stamp = $1', [
      answered!.stamp.id,
    ])
    assert.deepEqual(sent, [{ outcome: 'accepted' }])
    assert.ok(!journalsLeft(graveyard).includes(dead))
    await sendDue()
    assert.equal(gateway.to('untouched@example.org').length, 1)
    assert.equal(gateway.to('answered@example.org').length + gateway.to('doubtful@example.org').length, 0)
  })

  test('sends what is in doubt again when the account says so', async () => {
    await call('PUT', '/settings/sending', { body: { inDoubt: 'send' } })
    clock.advance(1001)
    const dead = randomUUID()
    const [doubtful] = await claimed(dead, ['again'])
    startJournal(graveyard, dead).open().begin(doubtful!.id)
    await recoverSenders(recovery())
    clock.advance(60_000)
    await sendDue()
    assert.equal(gateway.to('again@example.org').length, 1)
    await call('PUT', '/settings/sending', { body: { inDoubt: 'hold' } })
  })

  test('a line that was cut off while it was written counts as begun', async () => {
    clock.advance(1001)
    const dead = randomUUID()
    const [half] = await claimed(dead, ['half'])
    const directory = join(graveyard, 'journals', dead)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, '1.log'), `b ${half!.id}\ne ${half!.id} {"id":1,"end`)
    await recoverSenders(recovery())
    const { rows } = await context.pool.query('select state from messages where id = $1', [half!.id])
    assert.deepEqual(rows, [{ state: 'held' }])
  })

  test('is left alone while it lives', async () => {
    const living = randomUUID()
    const [message] = await claimed(living, ['living'])
    startJournal(graveyard, living).open().begin(message!.id)
    const client = await context.pool.connect()
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [living])
    await recoverSenders(recovery())
    const { rows } = await context.pool.query('select state from messages where id = $1', [message!.id])
    assert.deepEqual(rows, [{ state: 'claimed' }])
    client.release(true)
  })
})

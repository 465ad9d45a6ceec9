import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { claimMessages, releaseMessages } from '../../../src/sending/claim/claim-messages.ts'
import type { ClaimedMessage } from '../../../src/sending/claim/queue-messages.ts'
import type { MessageOutcome } from '../../../src/sending/record/outcome.ts'
import { recordOutcomes } from '../../../src/sending/record/record-outcomes.ts'
import { holdLostMessages } from '../../../src/sending/recover/hold-lost-messages.ts'
import {
  type BatchJournal,
  listJournalSenders,
  type SenderJournal,
  startSenderJournal,
} from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import { holdSenderLock } from '../../../src/sending/senders/sender-lock.ts'
import { createSenderName } from '../../../src/sending/senders/sender-names.ts'
import { startHarness } from '../../support/harness.ts'
import { ageJournals } from '../../support/stages/journals.ts'
import { startTestSender } from '../../support/stages/sending.ts'
import { eventually } from '../../support/wait.ts'

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

/** A sender that is to die, and its first batch. */
interface Mortal {
  name: string
  directory: string
  /** The journal of its first batch. */
  file: string
  journal: SenderJournal
  batch: BatchJournal
}

function mortal(): Mortal {
  const name = createSenderName()
  const journal = startSenderJournal(graveyard, name)
  const directory = join(graveyard, 'journals', name)
  return { name, directory, file: join(directory, '1.log'), journal, batch: journal.open() }
}

/** What the kernel does when its thread ends. */
function dies({ journal }: Mortal): void {
  journal.close()
}

/** The processes of the database that hold the lock of a sender. */
async function holders(sender: string): Promise<number[]> {
  const { rows } = await context.pool.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted
       and (classid::bigint << 32) | objid::bigint = hashtextextended('stentor sender ' || left($1, 24), 0)`,
    [sender],
  )
  return rows.map(({ pid }) => pid)
}

/** A lock is free a moment after its connection was closed. */
const isFree = (sender: string): Promise<boolean> => eventually(async () => (await holders(sender)).length === 0)

async function stateOf({ id }: ClaimedMessage): Promise<string | undefined> {
  const { rows } = await context.pool.query<{ state: string }>('select state from messages where id = $1', [id])
  return rows[0]?.state
}

/** Held messages as they are counted, and as they are. */
async function held(): Promise<{ counted: number; there: number }> {
  const { rows } = await context.pool.query<{ counted: number; there: number }>(`
    select (select coalesce(sum(held), 0)::integer from sending_counts) as counted,
      (select count(*)::integer from messages where state = 'held') as there`)
  return rows[0]!
}

/** Queues a message to each of the contacts, claims them for a batch of that name, and gives them in order. */
async function claimed(batch: string, names: string[]): Promise<ClaimedMessage[]> {
  clock.advance(1001)
  const recipients = names.map((name) => `${name}@example.org`)
  for (const Email of recipients) await call('PUT', '/targets', { body: { Email } })
  const items = recipients.map((address) => ({ recipient: { type: 'unicity', value: [address] } }))
  const { status, body } = await call('POST', `/actions/${action.body.id}/executions`, { body: items })
  assert.equal(status, 200, JSON.stringify(body))
  const messages = await claimMessages(context.db, batch, outboxLanes.transactional, {
    limit: 100,
    now: clock.now(),
    leaseMs: 60_000,
  })
  assert.equal(messages.length, names.length)
  // The contacts were made in the order of their names.
  return messages.toSorted((a, b) => a.contact! - b.contact!)
}

function recovery() {
  return { db: context.db, clock, log: context.log, cache: sender.cache, dataDir: graveyard }
}

function accepted(id: number): MessageOutcome {
  return {
    id,
    footprint: null,
    field: 1,
    at: clock.now(),
    ending: { type: 'accepted', address: 'x@example.org', reference: 'r1', gateway: 'gone', values: null },
  }
}

suite('recovery of a dead sender', () => {
  test('queues messages never begun, records answered ones and holds those in doubt', async () => {
    const dead = mortal()
    const [, answered, doubtful] = await claimed(dead.batch.name, ['untouched', 'answered', 'doubtful'])
    dead.batch.begin(answered!.id)
    dead.batch.end(answered!.id, accepted(answered!.id))
    dead.batch.begin(doubtful!.id)
    dies(dead)
    await recoverDeadSenders(recovery())
    const { rows } = await context.pool.query('select state from messages order by contact')
    assert.deepEqual(rows, [{ state: 'queued' }, { state: 'held' }])
    const { rows: sent } = await context.pool.query('select outcome from sent_messages where stamp = $1', [
      answered!.stamp.id,
    ])
    assert.deepEqual(sent, [{ outcome: 'accepted' }])
    assert.ok(!listJournalSenders(graveyard).includes(dead.name))
    await sendDue()
    assert.equal(gateway.to('untouched@example.org').length, 1)
    assert.equal(gateway.to('answered@example.org').length + gateway.to('doubtful@example.org').length, 0)
  })

  test('resends messages in doubt if the account prefers that', async () => {
    await call('PUT', '/settings/sending', { body: { inDoubt: 'send' } })
    const dead = mortal()
    const [doubtful] = await claimed(dead.batch.name, ['again'])
    dead.batch.begin(doubtful!.id)
    dies(dead)
    await recoverDeadSenders(recovery())
    clock.advance(60_000)
    await sendDue()
    assert.equal(gateway.to('again@example.org').length, 1)
    await call('PUT', '/settings/sending', { body: { inDoubt: 'hold' } })
  })

  /** Loses what its journal says of messages, as a failed machine may. */
  const losses: Record<string, (dead: Mortal) => unknown> = {
    'the machine restarted': () => ageJournals(graveyard),
    'the journal is cut within a line': ({ file }) => truncateSync(file, 20),
    'the journal is empty': ({ file }) => truncateSync(file),
    'the journal is filled with NULs': ({ file }) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
    'the journal is of an earlier version': ({ directory }) => {
      for (const file of readdirSync(directory).filter((name) => name.startsWith('boot-')))
        rmSync(join(directory, file))
    },
  }
  for (const [loss, lose] of Object.entries(losses)) {
    const name = loss.replaceAll(' ', '-')
    test(`holds what its journal does not name if ${loss}, and sends none of it again`, async () => {
      const dead = mortal()
      const [answered, ...silent] = await claimed(dead.batch.name, [`${name}-1`, `${name}-2`, `${name}-3`])
      dead.batch.begin(answered!.id)
      dead.batch.end(answered!.id, accepted(answered!.id))
      dies(dead)
      lose(dead)
      await recoverDeadSenders(recovery())
      assert.deepEqual(await Promise.all(silent.map(stateOf)), ['held', 'held'])
      clock.advance(120_000)
      await sendDue()
      for (const n of [1, 2, 3]) assert.equal(gateway.to(`${name}-${n}@example.org`).length, 0)
    })
  }

  test('sends what a lost journal may have named again, where the account or its gateway says so', async () => {
    const dead = mortal()
    const [held, idempotent] = await claimed(dead.batch.name, ['lost-held', 'lost-idempotent'])
    await context.pool.query('update messages set is_idempotent = true where id = $1', [idempotent!.id])
    dies(dead)
    ageJournals(graveyard)
    await recoverDeadSenders(recovery())
    assert.deepEqual([await stateOf(held!), await stateOf(idempotent!)], ['held', 'queued'])
    await call('PUT', '/settings/sending', { body: { inDoubt: 'send' } })
    const second = mortal()
    // What the first one left is due later.
    await claimed(second.batch.name, ['lost-again'])
    dies(second)
    ageJournals(graveyard)
    await recoverDeadSenders(recovery())
    clock.advance(120_000)
    await sendDue()
    for (const name of ['lost-idempotent', 'lost-again'])
      assert.equal(gateway.to(`${name}@example.org`).length, 1, name)
    assert.equal(gateway.to('lost-held@example.org').length, 0)
    await call('PUT', '/settings/sending', { body: { inDoubt: 'hold' } })
  })

  test("applies a batch's journal only to what that batch had claimed", async () => {
    const dead = mortal()
    const [again] = await claimed(dead.batch.name, ['claimed-twice'])
    dead.batch.begin(again!.id)
    const ending = { type: 'postponed', notBefore: clock.now(), reply: '451 later' } as const
    const later: MessageOutcome = { ...accepted(again!.id), ending }
    dead.batch.end(again!.id, later)
    await recordOutcomes(context.db, { id: dead.batch.name }, new Map([[again!.id, again!]]), [later])
    // Ten batches on: by their names as texts its file comes before the first one's.
    const batches = Array.from({ length: 9 }, () => dead.journal.open())
    const last = batches.at(-1)!
    await claimMessages(context.db, last.name, outboxLanes.transactional, {
      limit: 1,
      now: clock.now(),
      leaseMs: 60_000,
    })
    last.begin(again!.id)
    dies(dead)
    await recoverDeadSenders(recovery())
    assert.equal(await stateOf(again!), 'held')
  })

  test('leaves a living sender alone, even if the database has lost it', async () => {
    const living = mortal()
    const [message] = await claimed(living.batch.name, ['living'])
    living.batch.begin(message!.id)
    await recoverDeadSenders(recovery())
    assert.equal(await stateOf(message!), 'claimed')
    dies(living)
    await recoverDeadSenders(recovery())
    assert.equal(await stateOf(message!), 'held')
  })

  test('can run several times at once without conflict', async () => {
    const dead = mortal()
    const messages = await claimed(dead.batch.name, ['one', 'two'])
    dead.batch.begin(messages[0]!.id)
    dies(dead)
    await Promise.all([recoverDeadSenders(recovery()), recoverDeadSenders(recovery()), recoverDeadSenders(recovery())])
    assert.deepEqual(await Promise.all(messages.map(stateOf)), ['held', 'queued'])
    await sendDue()
  })

  test('ends the connection of a late claim', async () => {
    const dead = mortal()
    const client = await context.pool.connect()
    client.on('error', () => undefined)
    await client.query(`set application_name = 'stentor sender ${dead.name}'`)
    await client.query('begin')
    dies(dead)
    await recoverDeadSenders(recovery())
    await assert.rejects(client.query('commit'))
    client.release(true)
  })
})

suite('a sender whose journal could not be read in time', () => {
  test('has its messages held, until the journal is found and frees those never begun', async () => {
    const before = await held()
    const dead = mortal()
    const messages = await claimed(dead.batch.name, ['away-untouched', 'away-answered', 'away-doubtful'])
    const [untouched, answered, doubtful] = messages
    dead.batch.begin(answered!.id)
    dead.batch.end(answered!.id, accepted(answered!.id))
    dead.batch.begin(doubtful!.id)
    clock.advance(60_001)
    assert.equal(await holdLostMessages(context.db, new Date(clock.now())), 3)
    assert.deepEqual(await held(), { counted: before.counted + 3, there: before.there + 3 })
    dies(dead)
    await recoverDeadSenders(recovery())
    assert.deepEqual(await Promise.all(messages.map(stateOf)), ['queued', undefined, 'held'])
    assert.deepEqual(await held(), { counted: before.counted + 1, there: before.there + 1 })
    await sendDue()
    assert.equal(gateway.to('away-untouched@example.org').length, 1)
    assert.equal(await stateOf(untouched!), undefined)
  })

  test('keeps its messages in doubt if it is still alive, and its own end does not free them', async () => {
    const before = await held()
    const late = mortal()
    const [message] = await claimed(late.batch.name, ['late'])
    late.batch.begin(message!.id)
    clock.advance(60_001)
    await holdLostMessages(context.db, new Date(clock.now()))
    const doubt: MessageOutcome = { ...accepted(message!.id), ending: { type: 'held', reason: 'connection lost' } }
    await recordOutcomes(context.db, { id: late.batch.name }, new Map([[message!.id, message!]]), [doubt])
    late.batch.close()
    dies(late)
    await recoverDeadSenders(recovery())
    assert.equal(await stateOf(message!), 'held')
    assert.deepEqual(await held(), { counted: before.counted + 1, there: before.there + 1 })
  })

  test('if still alive, returns what it never began or will retry, and nothing stays held', async () => {
    const before = await held()
    const { clock: time } = recovery()
    const late = mortal()
    const [untouched, postponed, returned] = await claimed(late.batch.name, ['late-a', 'late-b', 'late-c'])
    clock.advance(60_001)
    await holdLostMessages(context.db, new Date(clock.now()))
    assert.deepEqual(await held(), { counted: before.counted + 3, there: before.there + 3 })
    const again: MessageOutcome[] = [
      { ...accepted(postponed!.id), ending: { type: 'postponed', notBefore: time.now(), reply: '451 later' } },
      {
        ...accepted(returned!.id),
        ending: { type: 'returned', notBefore: time.now(), reply: 'enough', destination: 'x.example' },
      },
    ]
    const known = new Map([postponed!, returned!].map((message) => [message.id, message]))
    await recordOutcomes(context.db, { id: late.batch.name }, known, again)
    await releaseMessages(context.db, late.batch.name, [untouched!.id], { notBefore: time.now(), reply: 'later' })
    assert.deepEqual(await Promise.all([untouched!, postponed!, returned!].map(stateOf)), [
      'queued',
      'queued',
      'queued',
    ])
    assert.deepEqual(await held(), before)
    late.batch.close()
    dies(late)
    clock.advance(1000)
    await sendDue()
    for (const name of ['late-a', 'late-b', 'late-c']) assert.equal(gateway.to(`${name}@example.org`).length, 1)
  })

  test('keeps its messages while it lives, however far the clock goes forward', async () => {
    const before = await held()
    const living = mortal()
    const lock = holdSenderLock(context.pool, living.name, context.log)
    await lock.held
    const [message] = await claimed(living.batch.name, ['living'])
    const now = clock.now()
    clock.advance(3_600_000)
    assert.equal(await holdLostMessages(context.db, new Date(clock.now())), 0)
    assert.equal(await stateOf(message!), 'claimed')
    await lock.release()
    await isFree(living.name)
    assert.equal(await holdLostMessages(context.db, new Date(now)), 0)
    assert.equal(await stateOf(message!), 'claimed')
    assert.equal(await holdLostMessages(context.db, new Date(clock.now())), 1)
    assert.equal(await stateOf(message!), 'held')
    dies(living)
    await recoverDeadSenders(recovery())
    assert.deepEqual(await held(), before)
    await sendDue()
    assert.equal(gateway.to('living@example.org').length, 1)
  })

  test('holds its lock again after its connection was lost', async () => {
    const living = mortal()
    const lock = holdSenderLock(context.pool, living.name, context.log)
    await lock.held
    const [first] = await holders(living.name)
    await context.pool.query('select pg_terminate_backend($1)', [first])
    const second = await eventually(async () => (await holders(living.name)).find((pid) => pid !== first))
    assert.deepEqual(await holders(living.name), [second])
    await lock.release()
    await isFree(living.name)
    dies(living)
  })

  test('has its messages resent if the account prefers that', async () => {
    await call('PUT', '/settings/sending', { body: { inDoubt: 'send' } })
    const before = await held()
    const dead = mortal()
    const [message] = await claimed(dead.batch.name, ['away-again'])
    clock.advance(60_001)
    assert.equal(await holdLostMessages(context.db, new Date(clock.now())), 0)
    assert.deepEqual(await held(), before)
    assert.equal(await stateOf(message!), 'queued')
    await sendDue()
    assert.equal(gateway.to('away-again@example.org').length, 1)
    dies(dead)
    await call('PUT', '/settings/sending', { body: { inDoubt: 'hold' } })
  })
})

test('held messages are sent once released as docs/operations/recovery.md describes', async () => {
  const dead = mortal()
  const [message] = await claimed(dead.batch.name, ['released'])
  dead.batch.begin(message!.id)
  dies(dead)
  await recoverDeadSenders(recovery())
  const { there } = await held()
  assert.ok(there > 0)
  const page = readFileSync(new URL('../../../docs/operations/recovery.md', import.meta.url), 'utf8')
  const body = JSON.parse(/-d '({"decision"[^']*)'/.exec(page)?.[1] ?? '')
  const listed = await call('GET', '/settings/sending/held')
  assert.deepEqual(
    listed.body.map((one: { action: string }) => one.action),
    Array.from({ length: there }, () => action.body.id),
  )
  const released = await call('POST', '/settings/sending/held/release', { body: { ...body, action: action.body.id } })
  assert.deepEqual(released.body, { messages: there })
  assert.deepEqual(await held(), { counted: 0, there: 0 })
  clock.advance(1000)
  await sendDue()
  assert.equal(gateway.to('released@example.org').length, 1)
})

test('a claim whose answer was lost with the connection is released', async () => {
  clock.advance(1001)
  await call('PUT', '/targets', { body: { Email: 'lost-claim@example.org' } })
  const items = [{ recipient: { type: 'unicity', value: ['lost-claim@example.org'] } }]
  assert.equal((await call('POST', `/actions/${action.body.id}/executions`, { body: items })).status, 200)
  // The claim is made, and the connection breaks before its answer is read.
  let isFirst = true
  const lost = new Error('Connection terminated unexpectedly')
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isFirst) return result
      isFirst = false
      throw lost
    },
  })
  await assert.rejects(sendMessageBatch({ ...sender, db }, outboxLanes.transactional, 10), lost)
  const { rows } = await context.pool.query(`select from messages where state = 'claimed' and lane = $1`, [
    outboxLanes.transactional,
  ])
  assert.equal(rows.length, 0)
  await sendDue()
  assert.equal(gateway.to('lost-claim@example.org').length, 1)
})

test("a closed journal accepts no line, which would reach another batch's file", () => {
  const journal = startSenderJournal(graveyard, createSenderName())
  const batch = journal.open()
  batch.begin(1)
  batch.close()
  assert.throws(() => batch.end(1, {}), /is closed/)
  journal.close()
})

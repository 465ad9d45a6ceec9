import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { finishContactErasure } from '../../../src/features/personal-data/erase.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import type { SenderContext } from '../../../src/sending/senders/sender-context.ts'
import { createSenderName } from '../../../src/sending/senders/sender-names.ts'
import { refuseInserts } from '../../support/database/refusing.ts'
import { limit, pressureTools } from '../../support/stages/pressure.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, dataDir, gateway, other, own, sendDue } = stage
const tools = pressureTools(stage)
const { rule, withoutRules, contact, mail, ask, outcome, counted, topic } = tools
const { db } = context
/** Where the journals of senders that end lie. */
const graveyard = join(dataDir, 'graveyard')
const LIMITED = { timeout: 60_000 }
const send = (id: string, to: string) => tools.send(id, to)
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const action = await mail()

/** The accounts that have counters under the number of a contact. */
async function accountsWith(id: string): Promise<number[]> {
  const { rows } = await sql<{ account: number }>`
    select account from pressure_counters where contact = ${parseContactId(id)!} order by account`.execute(db)
  return rows.map(({ account }) => account)
}

suite('pressure counts of a contact', () => {
  test("are in the contact's export, with the labels of deleted topics", async () => {
    clock.set('2026-03-02T10:07:00.000Z')
    const named = await topic('Fresh fruit')
    const [about, service] = [
      await mail({ mp: { topic: named } }),
      await mail({ purpose: { type: 'service' }, mp: { increment: true } }),
    ]
    const to = await contact()
    await send(about, to)
    await send(about, to)
    clock.set('2026-03-02T10:15:00.000Z')
    await send(service, to)
    const [first, second] = ['2026-03-02T10:00:00.000Z', '2026-03-02T10:15:00.000Z']
    const expected = [
      { start: first, channel: 'email', purpose: 'marketing', topic: { id: named, label: 'Fresh fruit' }, count: 2 },
      { start: second, channel: 'email', purpose: 'service', topic: null, count: 1 },
    ]
    const exported = async () => (await call('GET', `/targets/${to}/export`)).body.pressure
    assert.deepEqual(await exported(), expected)
    await call('PUT', `/actions/${about}`, { body: { settings: { mp: { topic: null } } } })
    await sql`update pressure_topics set deleted_at = now() where id = ${named}`.execute(db)
    assert.deepEqual(await exported(), expected)
    assert.equal((await call('GET', `/targets/${to}/export`, { key: other.key })).status, 404)
  })

  test('are erased by ?erase=true, even for a contact that was deleted before', async () => {
    const finish = () =>
      runDueJobs(context.pool, context.log, { 'contacts.erase': (payload) => finishContactErasure(context, payload) })
    const [erased, gone, stays] = [await contact(), await contact(), await contact()]
    for (const to of [erased, gone, stays]) assert.equal(await send(action, to), 'accepted')
    assert.equal((await call('DELETE', `/targets/${gone}`)).status, 204)
    assert.deepEqual(await accountsWith(gone), [])
    // As a copy of the database that was put back may have it; that of the other account has the number by chance.
    for (const account of [own.account, other.account])
      await sql`insert into pressure_counters (account, contact, buckets)
        select ${account}, ${parseContactId(gone)!}, buckets from pressure_counters
        where account = ${own.account} and contact = ${parseContactId(stays)!}`.execute(db)
    for (const to of [erased, gone]) assert.equal((await call('DELETE', `/targets/${to}?erase=true`)).status, 204)
    await finish()
    assert.deepEqual([await accountsWith(erased), await accountsWith(gone)], [[], [other.account]])
    assert.equal(await counted(stays), 1)
  })
})

suite('pressure on messages of other accounts', () => {
  test('sends of another account neither count here nor are stopped by the rules of this one', async () => {
    const key = other.key
    const made = async (method: string, url: string, body: object) => {
      const answer = await call(method, url, { key, body })
      assert.ok(answer.status < 300, `${url}: ${answer.text}`)
      return answer.body
    }
    await made('PUT', '/settings/sending', { testRequired: false })
    const content = { subject: 'Hello', html: '<p>Come in.</p>' }
    const { id: theirs } = await made('POST', '/actions', { type: 'mailMessage', name: 'Theirs', content })
    await made('POST', `/actions/${theirs}/validation`, { fortest: false })
    // The same person is a contact of both.
    const address = 'both@shop.example'
    const here = await stage.contact(address)
    const { id: there } = await made('POST', '/targets', { Email: address })
    await rule([limit(1)])
    for (let n = 0; n < 3; n++)
      await made('POST', `/actions/${theirs}/execution`, { recipient: { type: 'id', value: there } })
    await sendDue()
    assert.equal(gateway.to(address).length, 3)
    assert.deepEqual([await counted(there), await counted(here)], [3, 0])
    // Even under the number of the contact.
    await sql`insert into pressure_counters (account, contact, buckets)
      select account, ${parseContactId(here)!}, buckets from pressure_counters
      where account = ${other.account} and contact = ${parseContactId(there)!}`.execute(db)
    assert.equal((await tools.standing(here))[0].count, 0)
    assert.deepEqual([await send(action, here), await send(action, here)], ['accepted', 'cancelled'])
    assert.deepEqual(await accountsWith(here), [own.account, other.account])
    assert.equal(gateway.to(address).length, 4)
    await withoutRules()
  })
})

suite('pressure decisions that cannot be made', () => {
  /** A sender of its own that counts how often it waits for the database, and can be ended. */
  function waitingSender() {
    const id = createSenderName()
    const stopping = new AbortController()
    const journal = startSenderJournal(graveyard, id)
    let waits = 0
    const log = Object.assign(Object.create(context.log), { warn: () => waits++ }) as SenderContext['log']
    const sender: SenderContext = { ...stage.sender, id, journal, log, signal: stopping.signal }
    return {
      waits: () => waits,
      async send() {
        for (const lane of Object.values(outboxLanes)) await sendMessageBatch(sender, lane, 100)
      },
      /** As of a process that ends, with what the next one does for it. */
      async recover() {
        journal.close()
        await recoverDeadSenders({ db, clock, log: context.log, cache: sender.cache, dataDir: graveyard })
      },
      stop: () => stopping.abort(),
    }
  }

  /** Two messages to one contact under a limit of one, and how they stand. */
  async function pair() {
    await rule([limit(1)])
    const to = await contact()
    const stamps = await ask(action, [to, to])
    const states = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from messages where stamp = any(${stamps}::uuid[]) order by id`.execute(db)
      return rows.map(({ state }) => state)
    }
    const outcomes = () => Promise.all(stamps.map(outcome))
    return { to, states, outcomes }
  }

  test('messages wait while the database is down, and are decided when it is back', LIMITED, async (t) => {
    const { to, states, outcomes } = await pair()
    const before = gateway.sent.length
    const allow = await refuseInserts(context.pool, 'pressure_counters', '57P03')
    const sender = waitingSender()
    const sending = sender.send()
    try {
      await eventually(() => sender.waits() >= 2, t.signal)
      assert.deepEqual([await states(), gateway.sent.length], [['claimed', 'claimed'], before])
    } finally {
      await allow()
      await sending
    }
    assert.deepEqual([await outcomes(), await counted(to)], [['accepted', 'cancelled'], 1])
    await withoutRules()
  })

  test('a sender that ends meanwhile leaves the messages queued and counts nothing', LIMITED, async (t) => {
    const { to, states, outcomes } = await pair()
    const before = gateway.sent.length
    const allow = await refuseInserts(context.pool, 'pressure_counters', '57P03')
    const sender = waitingSender()
    const sending = assert.rejects(sender.send())
    try {
      await eventually(() => sender.waits() >= 1, t.signal)
    } finally {
      sender.stop()
      await sending
      await sender.recover()
      await allow()
    }
    assert.deepEqual([await states(), gateway.sent.length, await counted(to)], [['queued', 'queued'], before, 0])
    await sendDue()
    assert.deepEqual([await outcomes(), await counted(to)], [['accepted', 'cancelled'], 1])
    await withoutRules()
  })
})

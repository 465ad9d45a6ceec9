import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { parseContactId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { claimMessages } from '../../../src/sending/claim/claim-messages.ts'
import type { ClaimedMessage } from '../../../src/sending/claim/queue-messages.ts'
import type { MessageOutcome } from '../../../src/sending/record/outcome.ts'
import { type BatchJournal, type SenderJournal, startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { createSenderName } from '../../../src/sending/senders/sender-names.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import type { Answer } from '../../support/harness.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, dataDir, gateway, sender } = stage
const { db, pool } = context
/** Where the dead senders kept their journals. */
const graveyard = join(dataDir, 'graveyard')

const ROUNDS = 15
const CONTACTS = 12
const MESSAGES_EACH = 3
/** Erasures that wait before a test goes on. */
const AT_LEAST = 2
/** `deadlock_timeout`, and time for a session to notice that it is over on a busy machine. */
const LOOKED_AFTER_MS = 1000 + 2000

const action = await stage.validated(await stage.action({ settings: { purpose: { type: 'service' } } }))
const recovery = { db, clock, log: context.log, cache: sender.cache, dataDir: graveyard }

type Fate = 'untouched' | 'accepted' | 'refused' | 'in doubt'

interface Person {
  address: string
  /** As the interface has it. */
  id: string
  contact: number
}

interface Claimed extends ClaimedMessage {
  fate: Fate
}

function outcomeOf({ id, address }: { id: number; address: string }, fate: 'accepted' | 'refused'): MessageOutcome {
  const common = { address, gateway: 'gone', values: null }
  return {
    id,
    footprint: null,
    field: 1,
    at: clock.now(),
    ending:
      fate === 'accepted'
        ? { type: 'accepted', ...common, reference: `r${id}` }
        : {
            type: 'refused',
            ...common,
            stage: 'rcpt',
            code: 550,
            enhanced: '5.1.1',
            reply: '5.1.1 unknown',
            mta: 'mx.test',
          },
  }
}

async function people(prefix: string): Promise<Person[]> {
  const made: Person[] = []
  for (let n = 0; n < CONTACTS; n++) {
    // Keys, ids and messages each have an order of their own.
    const address = `${prefix}-${(n * 7) % CONTACTS}@erased.example`
    const id = await stage.contact(address)
    made.push({ address, id, contact: parseContactId(id)! })
  }
  return made
}

/** Messages to everybody, as a sender that died had them. */
async function claimedByTheDead(all: readonly Person[], random: () => number): Promise<Claimed[]> {
  const addresses = new Map(all.map(({ contact, address }) => [contact, address]))
  for (let n = 0; n < MESSAGES_EACH; n++) {
    clock.advance(1001)
    const ordered = n % 2 === 0 ? all : all.toReversed()
    const body = ordered.map(({ id }) => ({ recipient: { type: 'id', value: id } }))
    const { status, text } = await call('POST', `/actions/${action}/executions`, { body })
    assert.equal(status, 200, text)
  }
  const journal: SenderJournal = startSenderJournal(graveyard, createSenderName())
  const batch: BatchJournal = journal.open()
  const due = { limit: 100, now: clock.now(), leaseMs: 60_000 }
  const messages = await claimMessages(db, batch.name, outboxLanes.transactional, due)
  assert.equal(messages.length, all.length * MESSAGES_EACH)
  const fates = ['untouched', 'accepted', 'refused', 'in doubt'] as const
  const claimed = messages.map((message) => ({ ...message, fate: fates[Math.floor(random() * fates.length)]! }))
  for (const { id, contact, fate } of claimed) {
    if (fate === 'untouched') continue
    batch.begin(id)
    if (fate !== 'in doubt') batch.end(id, outcomeOf({ id, address: addresses.get(contact!)! }, fate))
  }
  journal.close()
  return claimed
}

/** What became of a message: its state while it waits, its outcome when it has left, and the address that is kept. */
async function fatesOf(messages: readonly Claimed[]): Promise<Map<string, { now: string; address: string | null }>> {
  const stamps = messages.map(({ stamp }) => stamp.id)
  const { rows } = await sql<{ stamp: string; now: string; address: string | null }>`
    select stamp, state as now, address from messages where stamp = any(${stamps}::uuid[])
    union all
    select stamp, outcome, address from sent_messages where stamp = any(${stamps}::uuid[])`.execute(db)
  assert.equal(rows.length, messages.length, 'each message is there once')
  return new Map(rows.map(({ stamp, ...rest }) => [stamp, rest]))
}

const expected: Record<Fate, string> = {
  untouched: 'queued',
  accepted: 'accepted',
  refused: 'refused',
  'in doubt': 'held',
}

const eraseOne = ({ id }: Person): Promise<Answer> => call('DELETE', `/targets/${id}?erase=true`)

/** Erases half of the contacts in one request, and the others one by one, all at once. */
function erasures(contacts: readonly Person[]): Promise<Answer[]> {
  const half = Math.floor(contacts.length / 2)
  const [together, alone] = [contacts.slice(0, half), contacts.slice(half)]
  const value = together.map(({ id }) => id).toReversed()
  const requests = alone.map(eraseOne)
  if (value.length > 0) requests.push(call('DELETE', '/targets?erase=true', { body: { type: 'id', value } }))
  return Promise.all(requests)
}

async function heldCount(): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select coalesce(sum(held), 0)::integer as n from sending_counts')
  return rows[0]!.n
}

async function heldRows(): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*)::integer as n from messages where state = 'held'`)
  return rows[0]!.n
}

/** The number of sessions of this database that have waited for a lock for at least `leastMs`. */
async function waiters(leastMs = 0): Promise<number> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity join pg_locks using (pid)
     where datname = current_database() and not granted and clock_timestamp() - waitstart >= $1 * interval '1 ms'`,
    [leastMs],
  )
  return rowCount ?? 0
}

suite('erasure during the recovery of the same messages', () => {
  test('both run concurrently without failing, and every message is accounted for', async (t) => {
    const random = seeded(41)
    for (let round = 0; round < ROUNDS; round++) {
      const all = await people(`round-${round}`)
      const messages = await claimedByTheDead(all, random)
      const leaving = all.filter(() => random() < 0.6)
      const isFirst = random() < 0.5
      const early = isFirst ? recoverDeadSenders(recovery) : undefined
      const answers = erasures(leaving)
      const [erased] = await Promise.all([answers, early ?? recoverDeadSenders(recovery)])
      for (const { status, text } of erased) assert.equal(status, 204, `round ${round}: ${text}`)

      const gone = new Set(leaving.map(({ contact }) => contact))
      const fates = await fatesOf(messages)
      for (const { stamp, contact, fate } of messages) {
        const { now, address } = fates.get(stamp.id)!
        assert.equal(now, expected[fate], `round ${round}`)
        if (gone.has(contact!)) assert.ok(!address, `round ${round}: an erased contact's message has an address`)
      }
      assert.equal(await heldCount(), await heldRows())

      clock.advance(60_000)
      await stage.sendDue()
      for (const { address, contact } of all) {
        const untouched = messages.filter((one) => one.contact === contact && one.fate === 'untouched').length
        const isRefused = messages.some((one) => one.contact === contact && one.fate === 'refused')
        const arrived = gateway.to(address).length
        // A contact whose address was refused for good is excluded.
        assert.equal(arrived, gone.has(contact) || isRefused ? 0 : untouched, `round ${round}: ${address}`)
      }
    }
    t.diagnostic(`${ROUNDS} rounds of ${CONTACTS * MESSAGES_EACH} messages`)
  })

  for (const form of ['one by one', 'together'] as const) {
    test(`an erasure of contacts (${form}) that waits for a message holds no lock on a contact`, async (t) => {
      const all = await people(`order-${form.replaceAll(' ', '-')}`)
      const messages = await claimedByTheDead(all, () => 0)
      const other = await pool.connect()
      t.after(() => other.release(true))
      await other.query('begin')
      await other.query('select from messages where id = any($1) for update', [messages.map(({ id }) => id)])
      const erased = form === 'together' ? erasures(all) : Promise.all(all.slice(0, 2).map(eraseOne))
      await eventually(async () => (await waiters()) >= AT_LEAST)
      // Throws when one is locked: as a recovery of these messages would, it could wait for the erasure in turn.
      const ids = all.map(({ contact }) => contact)
      await other.query('select from contacts where id = any($1) order by id for update nowait', [ids])
      await other.query('rollback')
      for (const { status, text } of await erased) assert.equal(status, 204, text)
      await recoverDeadSenders(recovery)
      await stage.sendDue()
    })
  }

  for (const victim of ['the recovery', 'the erasure'] as const) {
    test(`a deadlock that aborts ${victim} makes it restart its transaction`, async (t) => {
      const all = await people(`victim-${victim.replace(' ', '-')}`)
      const messages = await claimedByTheDead(all, () => 0)
      const [first, last] = [messages[0]!, messages.at(-1)!]
      const erased = all.find(({ contact }) => contact === first.contact)!
      // Of the contact's messages the last, which is locked after the first, and one that is locked between them.
      const own = messages.filter(({ contact }) => contact === erased.contact)
      const [between, held] = victim === 'the recovery' ? [messages[1]!, last] : [own[1]!, own.at(-1)!]
      const locked = async (...ids: number[]): Promise<PoolClient> => {
        const client = await pool.connect()
        t.after(() => client.release(true))
        await client.query('begin')
        await client.query('select from messages where id = any($1) for update', [ids])
        return client
      }
      const other = await locked(held.id)
      const brake = await locked(between.id)
      let isOver = false
      const work =
        victim === 'the recovery' ? recoverDeadSenders(recovery) : call('DELETE', `/targets/${erased.id}?erase=true`)
      const ended = work.finally(() => {
        isOver = true
      })
      // The work has the first message, and is kept from the last; who has the last waits for the first.
      await eventually(async () => (await waiters()) === 1)
      const blocked = other.query('select from messages where id = $1 for update', [first.id])
      // A session looks for a deadlock once, after a second of waiting. This one has looked, and found none: now only the work can be ended.
      await eventually(async () => (await waiters(LOOKED_AFTER_MS)) === 2)
      await brake.query('rollback')
      await blocked
      assert.equal(isOver, false, 'the work has begun again')
      await other.query('rollback')
      const answer = await ended
      if (answer) assert.equal(answer.status, 204, answer.text)
      await recoverDeadSenders(recovery)
      const fates = await fatesOf(messages)
      for (const { stamp } of messages) assert.equal(fates.get(stamp.id)?.now, 'queued')
      await stage.sendDue()
    })
  }
})

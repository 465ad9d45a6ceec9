import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { claimMessages, releaseMessages } from '../../../src/sending/claim/claim-messages.ts'
import type { ClaimedMessage } from '../../../src/sending/claim/queue-messages.ts'
import { renewMessageLeases } from '../../../src/sending/claim/renew-message-leases.ts'
import {
  claimMessageSlices,
  endMessageSlices,
  getMessageSliceId,
  isSliceMessageId,
} from '../../../src/sending/plan/message-slices.ts'
import type { MessageOutcome } from '../../../src/sending/record/outcome.ts'
import { recordOutcomes } from '../../../src/sending/record/record-outcomes.ts'
import { holdLostMessages } from '../../../src/sending/recover/hold-lost-messages.ts'
import { type BatchJournal, type SenderJournal, startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { createSenderName } from '../../../src/sending/senders/sender-names.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, get, sender } = stage
const { db, pool } = context
const LEASE_MS = 60_000
const SLICE = 10
const dataDir = join(stage.dataDir, 'chaos')

/** A campaign under way to `size` contacts, in slices; nothing of it is sent yet. */
async function planned(name: string, size: number): Promise<{ id: string; action: number; contacts: string[] }> {
  const contacts: string[] = []
  for (let n = 0; n < size; n++) contacts.push(await stage.contact(`${name}-${n}@chaos.example`))
  const segment = await stage.segment([])
  for (let from = 0; from < size; from += 50)
    assert.equal(
      (await call('PUT', `/segments/${segment}/targets`, { body: contacts.slice(from, from + 50) })).status,
      200,
    )
  return { ...(await stage.planned(segment, SLICE)), contacts }
}

/** What a batch of a sender has in its hands. */
interface Batch {
  journal: BatchJournal
  messages: ReadonlyMap<number, ClaimedMessage>
  untouched: Set<number>
  /** What is to be recorded, and all that ever was. */
  waiting: MessageOutcome[]
  recorded: MessageOutcome[]
  /** One of its messages was begun, and nothing more is known of it. */
  isInDoubt: boolean
}

interface Living {
  name: string
  journal: SenderJournal
  batches: Set<Batch>
}

/** What the world outside saw, by stamp: how often a message may have arrived, and which of them were answered. */
interface World {
  arrived: Map<string, number>
  answered: Set<string>
}

const endings: Record<Exclude<Choice, 'doubtful'>, (address: string) => MessageOutcome['ending']> = {
  accepted: (address) => ({ type: 'accepted', address, reference: 'r', gateway: 'chaos', values: {} }),
  refused: (address) => ({
    type: 'refused',
    address,
    gateway: 'chaos',
    values: {},
    stage: 'rcpt',
    code: 550,
    enhanced: '5.1.1',
    reply: '550 5.1.1 nobody',
    mta: 'mx.chaos.example',
  }),
  postponed: () => ({ type: 'postponed', notBefore: clock.now(), reply: '451 later' }),
  returned: () => ({ type: 'returned', notBefore: clock.now(), reply: 'busy', destination: 'chaos.example' }),
  cancelled: () => ({ type: 'cancelled', cancellation: { type: 'action deleted' } }),
  held: () => ({ type: 'held', reason: 'the connection broke' }),
}
type Choice = 'accepted' | 'refused' | 'postponed' | 'returned' | 'cancelled' | 'held' | 'doubtful'
/** How messages end, and how often. */
const odds: readonly (readonly [Choice, number])[] = [
  ['accepted', 0.6],
  ['refused', 0.08],
  ['postponed', 0.12],
  ['returned', 0.08],
  ['cancelled', 0.06],
  ['held', 0.03],
  ['doubtful', 0.03],
]

function choose(lot: number): Choice {
  let sum = 0
  return odds.find(([, share]) => lot < (sum += share))?.[0] ?? 'accepted'
}

/** Lets some messages of a batch come to an end. */
function sendSome(batch: Batch, lot: () => number, world: World): void {
  const { journal, messages, untouched, waiting, recorded } = batch
  for (const id of [...untouched].filter(() => lot() < 0.4)) {
    const { stamp, contact } = messages.get(id)!
    const choice = choose(lot())
    untouched.delete(id)
    const isBegun = choice !== 'returned' && choice !== 'cancelled'
    if (isBegun) journal.begin(id)
    if (choice === 'accepted' || choice === 'held' || choice === 'doubtful')
      world.arrived.set(stamp.id, (world.arrived.get(stamp.id) ?? 0) + 1)
    if (choice === 'doubtful') {
      batch.isInDoubt = true
      continue
    }
    const ending = endings[choice](`${contact}@chaos.example`)
    const outcome = { id, footprint: null, field: 1, at: clock.now(), ending }
    if (isBegun) journal.end(id, outcome)
    if (choice === 'accepted') world.answered.add(stamp.id)
    waiting.push(outcome)
    recorded.push(outcome)
  }
}

async function claim({ journal, batches }: Living): Promise<void> {
  const own = journal.open()
  const turn = { now: clock.now(), leaseMs: LEASE_MS }
  const rows = await claimMessages(db, own.name, outboxLanes.bulk, { limit: 15, ...turn })
  const claimed = [...rows, ...(await claimMessageSlices(db, own.name, outboxLanes.bulk, { limit: 2, ...turn }))]
  const messages = new Map(claimed.map((message) => [message.id, message]))
  assert.equal(messages.size, claimed.length, 'no message twice in a batch')
  batches.add({
    journal: own,
    messages,
    untouched: new Set(messages.keys()),
    waiting: [],
    recorded: [],
    isInDoubt: false,
  })
}

/** Writes what waits; `times` at once, as when the answer of the first one is lost. */
async function record({ journal, messages, waiting }: Batch, times: number): Promise<void> {
  const outcomes = waiting.splice(0)
  await Promise.all(Array.from({ length: times }, () => recordOutcomes(db, { id: journal.name }, messages, outcomes)))
}

/** Gives back what was not begun, while the rest is recorded, and ends the batch. */
async function end({ batches }: Living, batch: Batch, times: number): Promise<void> {
  const { journal, messages, untouched } = batch
  batches.delete(batch)
  const release = { notBefore: clock.now(), reply: 'the sender is stopping' }
  await Promise.all([record(batch, times), releaseMessages(db, journal.name, [...untouched], release)])
  await endMessageSlices(
    db,
    journal.name,
    new Set([...messages.keys()].filter(isSliceMessageId).map(getMessageSliceId)),
  )
  journal.close()
}

/** One thing that a sender does; gives whether it lives on. It cannot end a batch with a message in doubt but by dying. */
async function step(living: Living, lot: () => number, world: World): Promise<boolean> {
  const what = lot()
  const batch = [...living.batches][Math.floor(lot() * living.batches.size)]
  const times = lot() < 0.3 ? 2 : 1
  if (!batch || what < 0.2) await claim(living)
  else if (what < 0.65) {
    sendSome(batch, lot, world)
    if (lot() < 0.7) await record(batch, times)
  } else if (what < 0.75) await renewMessageLeases(db, living.name, new Date(clock.now() + LEASE_MS))
  else if (what < 0.95 && !batch.isInDoubt) await end(living, batch, times)
  else {
    living.journal.close()
    return false
  }
  return true
}

function born(): Living {
  const name = createSenderName()
  return { name, journal: startSenderJournal(dataDir, name), batches: new Set() }
}

const recover = () => recoverDeadSenders({ db, clock, log: context.log, cache: sender.cache, dataDir })
const hold = () => holdLostMessages(db, new Date(clock.now()))

/** What those who died still had under way, or on a connection that the database takes for alive. */
async function comeLate({ batches }: Living): Promise<void> {
  for (const { journal, messages, untouched, recorded } of batches) {
    await recordOutcomes(db, { id: journal.name }, messages, recorded)
    await releaseMessages(db, journal.name, [...untouched], { notBefore: clock.now(), reply: 'late' })
    await endMessageSlices(
      db,
      journal.name,
      new Set([...messages.keys()].filter(isSliceMessageId).map(getMessageSliceId)),
    )
  }
}

const journalsOf = ({ name }: Living): string => join(dataDir, 'journals', name)

/** How much of the campaigns waits, or is being sent. */
async function waiting(): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select (select count(*) from message_slices)
      + (select count(*) from messages where state <> 'held' and kind = 'campaign') as n`,
  )
  return Number(rows[0]!.n)
}

/** Senders work side by side, die and are recovered, and lose their leases, until nothing waits. */
async function live(lot: () => number, world: World): Promise<void> {
  let living = Array.from({ length: 3 }, born)
  for (let turn = 0; turn < 400; turn++) {
    const died = new Set<Living>()
    const sharing = living.map(async (one) => {
      if (!(await step(one, lot, world))) died.add(one)
    })
    if (lot() < 0.08) clock.advance(LEASE_MS + 1)
    await Promise.all([...sharing, ...(lot() < 0.3 ? [hold()] : [])])
    living = living.map((one) => (died.has(one) ? born() : one))
    if (died.size > 0 && lot() < 0.7) await Promise.all([recover(), hold()])
    // Those accounted for are no longer waited for.
    for (const one of died) if (!existsSync(journalsOf(one))) await comeLate(one)
    if (died.size === 0 && (await waiting()) === 0) break
  }
  for (const { journal } of living) journal.close()
  await recover()
  const last = born()
  for (let turn = 0; turn < 400 && (await waiting()) > 0; turn++) {
    await claim(last)
    for (const batch of last.batches) {
      sendSome(batch, () => 0, world)
      await end(last, batch, 1)
    }
  }
  last.journal.close()
  await recover()
}

suite('message slices whose senders fail at random', () => {
  for (const seed of [1, 2, 3])
    test(`each message has one outcome or is held, and the monitors add up (seed ${seed})`, async () => {
      const lot = seeded(seed)
      const world: World = { arrived: new Map(), answered: new Set() }
      const first = await planned(`first${seed}`, 120)
      // So that it waits while the other one is made.
      await call('POST', `/actions/${first.id}/pause`)
      const campaigns = [first, await planned(`second${seed}`, 90)]
      await call('DELETE', `/actions/${first.id}/pause`)
      const erasure = call('DELETE', `/targets/${campaigns[0]!.contacts[40]}?erase=true`)
      await live(lot, world)
      assert.equal((await erasure).status, 204)

      assert.equal(await waiting(), 0)
      for (const { id, action, contacts } of campaigns) {
        const { rows } = await pool.query<{ stamp: string; contact: number; outcome: string }>(
          `select stamp, contact, outcome from sent_messages where source = $1 and kind = 'campaign'
          union all select stamp, contact, state from messages where sending in (select id from sendings where source = $1) and kind = 'campaign'`,
          [action],
        )
        assert.equal(rows.length, contacts.length)
        assert.equal(new Set(rows.map(({ stamp }) => stamp)).size, contacts.length)
        assert.equal(new Set(rows.map(({ contact }) => contact)).size, contacts.length)
        const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length
        for (const { stamp, outcome } of rows) {
          const times = world.arrived.get(stamp) ?? 0
          if (outcome === 'accepted') assert.equal(times, 1, 'what was accepted arrived once')
          else if (outcome === 'held') assert.ok(times <= 1, 'what is held did not arrive twice')
          else assert.equal(times, 0, 'what was refused or cancelled did not arrive')
          if (world.answered.has(stamp)) assert.equal(outcome, 'accepted', 'what was answered is recorded')
        }
        const { rows: events } = await pool.query<{ kind: string; n: number }>(
          `select kind, count(*)::integer as n, count(distinct stamp)::integer as stamps from events
          where subject = $1 and not is_test group by kind order by kind`,
          [action],
        )
        const bounces = { kind: 'bounces', n: count('refused'), stamps: count('refused') }
        const handedOver = count('accepted') + count('refused')
        const activations = { kind: 'activations', n: handedOver, stamps: handedOver }
        const cancellations = { kind: 'cancellations', n: count('cancelled'), stamps: count('cancelled') }
        assert.deepEqual(
          events,
          [activations, bounces, cancellations].filter(({ n }) => n > 0),
        )
        const { recipients, pending, sent, cancelled, held } = (await get(id)).monitor
        assert.deepEqual(
          { recipients, pending, sent, cancelled, held },
          {
            recipients: contacts.length,
            pending: 0,
            sent: count('accepted'),
            cancelled: count('cancelled'),
            held: count('held'),
          },
        )
      }
      await pool.query(`delete from messages where kind = 'campaign'`)
    })
})

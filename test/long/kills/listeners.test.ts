import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import {
  type ListenerInterest,
  registerListenerInterest,
  removeListenerInterest,
  waitForListenerInterests,
} from '../../../src/features/listeners/interests.ts'
import { leaseListenerPartitions, releaseListenerPartitions } from '../../../src/features/listeners/partitions.ts'
import { type ListenerRow, takeListenerRows } from '../../../src/features/listeners/take.ts'
import { replaceListenedTypes } from '../../../src/features/notices/listening.ts'
import { setNoticeCause, writeNotices } from '../../../src/features/notices/notices.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { startHarness } from '../../support/harness.ts'
import { programPath } from '../../support/processes/programs.ts'
import { eventually } from '../../support/wait.ts'

const { context, own, other } = await startHarness()
const { account } = own
const { db, pool } = context
const url = String(pool.options.connectionString)
const MINUTE = 60_000

const everything: ListenerInterest = { events: [], channels: [], classification: ['human'], listener: null }

let kinds = 0

/** A kind of listener of the test alone, and what takes its rows; the account listens to everything unless told otherwise. */
async function stage(interest: Partial<ListenerInterest> | null = {}) {
  await pool.query('delete from listener_interests')
  const kind = `test ${++kinds}`
  const register = async (owner: string, wanted: Partial<ListenerInterest> = {}, of = account): Promise<void> => {
    const whole = { ...everything, ...wanted }
    await db.transaction().execute((tx) => registerListenerInterest(tx, { account: of, kind, owner }, whole))
    await waitForListenerInterests(db, of, kind)
  }
  if (interest) await register('first', interest)
  const taker = { kind, taker: randomUUID() }
  await leaseListenerPartitions(db, taker, 10 * MINUTE)
  const take = (limit = 1000): Promise<ListenerRow[]> =>
    db.transaction().execute((tx) => takeListenerRows(tx, taker, { limit }))
  return { kind, register, taker, take }
}

function event(more: Partial<NewEvent> = {}): NewEvent {
  return {
    account,
    channel: 'email',
    kind: 'complaints',
    subject: null,
    contact: null,
    stamp: null,
    thread: null,
    isTest: false,
    key: null,
    detail: { complaint: { feedback: { type: 'abuse' } } },
    ...more,
  } as NewEvent
}

async function write(...events: Partial<NewEvent>[]): Promise<string[]> {
  return (await recordEvents(db, events.map(event))).map((one) => one!.id)
}

function hit(): Partial<NewEvent> {
  const at = Date.now()
  return {
    kind: 'hits/open',
    stamp: createUuidV7(at),
    classification: null,
    detail: { link: { type: 'open' }, hit: { classification: null } },
    watch: { hitAt: at, link: null, visitor: null, early: null },
  }
}

const eventsOf = (rows: readonly ListenerRow[]): string[] => rows.map((row) => row.event)

/** A transaction that stays open: resolves when `fn` has run in it; the function given commits it. */
async function openTransaction(fn: (tx: typeof db) => Promise<unknown>): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const done = db.transaction().execute(async (tx) => {
    await fn(tx)
    ready.resolve()
    await release.promise
  })
  await Promise.race([ready.promise, done])
  return async () => {
    release.resolve()
    await done
  }
}

suite('listener interests', () => {
  test('one row is queued for each event, with contact, stamp and depth, however many interests match', async () => {
    const { register, take } = await stage()
    await register('second')
    await register('third', { events: ['hits'] })
    const stamp = createUuidV7(Date.now())
    const [id] = await write({ contact: 7, stamp, depth: 3 })
    const [row, ...more] = await take()
    assert.deepEqual(more, [])
    assert.deepEqual(row, { id: row?.id, account, event: id, contact: 7, stamp, depth: 3 })
    assert.deepEqual(await take(), [])
  })

  test('match by kind, channel, classification and account, and hits arrive once settled', async () => {
    const { register, take } = await stage({ events: ['hits', 'bounces'], channels: ['email'] })
    await register('elsewhere', { events: ['complaints'] }, other.account)
    const sms = { kind: 'bounces', channel: 'sms' } as const
    const [, , bounce] = await write({}, sms, { kind: 'bounces' })
    const [human] = await write(hit(), { ...hit(), classification: 'gsr' })
    assert.deepEqual(eventsOf(await take()), [bounce])
    const [foreign] = await write({ account: other.account })
    await eventually(async () => {
      await finalizeHits(db)
      return (await pool.query('select from unsettled_hits')).rowCount === 0
    })
    assert.deepEqual(eventsOf(await take()).toSorted(), [human, foreign].toSorted())
  })

  test('notices carry their cause and depth, and notices of other types are not queued', async () => {
    const { take } = await stage({ events: ['target.updated'] })
    await replaceListenedTypes(db, account, 'test', ['target.updated', 'target.created'])
    const stamp = createUuidV7(Date.now())
    await db.transaction().execute(async (tx) => {
      await setNoticeCause(tx, { stamp: { id: stamp }, depth: 4 })
      const of = (type: 'target.updated' | 'target.created') => ({ type, contact: 9, data: {} })
      await writeNotices(tx, account, [of('target.created'), of('target.updated')])
    })
    await replaceListenedTypes(db, account, 'test', [])
    const rows = await take()
    assert.equal(rows.length, 1)
    assert.deepEqual({ ...rows[0], id: 0, event: '' }, { id: 0, account, event: '', contact: 9, stamp, depth: 4 })
  })

  test('are registered once every transaction that had published before has ended, without waiting for others', async () => {
    const { kind, register, take } = await stage(null)
    const commitLate = await openTransaction((tx) => recordEvents(tx, [event({ contact: 1 })]))
    const silent = Promise.withResolvers<void>()
    const published = Promise.withResolvers<string[]>()
    const commitSilent = await openTransaction(async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx)
      silent.promise.then(() =>
        recordEvents(tx, [event({ contact: 2 })]).then((done) => published.resolve(done.map((one) => one!.id))),
      )
    })
    let isHeld = false
    const held = register('first').then(() => (isHeld = true))
    const since = async () =>
      (await pool.query('select since from listener_interests where kind = $1', [kind])).rows[0]?.since
    await eventually(async () => (await since()) === null)
    const polls = async () =>
      (
        await pool.query(
          "select count(*)::integer as n from pg_stat_activity where query like '%virtualtransaction%' and pid <> pg_backend_pid()",
        )
      ).rows[0].n
    await eventually(async () => (await polls()) > 0)
    const [during] = await write({ contact: 3 })
    assert.equal(isHeld, false)
    assert.equal(await since(), null)
    await commitLate()
    await held
    assert.notEqual(await since(), null)
    silent.resolve()
    const [late] = await published.promise
    await commitSilent()
    const [afterwards] = await write({ contact: 4 })
    assert.deepEqual(eventsOf(await take()), [during, late, afterwards])
  })

  test('an interest registered while others publish misses no event and duplicates none', async () => {
    const { register, take } = await stage(null)
    const done = new AbortController()
    const begun: { at: number; id: string }[] = []
    const publish = async (contact: number): Promise<void> => {
      while (!done.signal.aborted) {
        const at = performance.now()
        const [id] = await write({ contact })
        begun.push({ at, id: id! })
      }
    }
    const publishing = [1, 2, 3, 4].map(publish)
    await eventually(() => begun.length > 20)
    await register('first')
    const answered = performance.now()
    await eventually(() => begun.filter(({ at }) => at > answered).length > 40)
    done.abort()
    await Promise.all(publishing)
    const taken = eventsOf(await take(10_000))
    assert.equal(new Set(taken).size, taken.length)
    const missed = begun.filter(({ at, id }) => at > answered && !taken.includes(id))
    assert.deepEqual(missed, [])
  })

  test('re-registering the same interest keeps its start, and removal keeps the rows already queued', async () => {
    const { kind, register, take } = await stage()
    const since = async () =>
      (await pool.query('select since from listener_interests where kind = $1', [kind])).rows[0]?.since
    const before = await since()
    await register('first')
    assert.equal(await since(), before)
    await register('first', { channels: ['email'] })
    assert.notEqual(await since(), before)
    const [id] = await write({})
    await removeListenerInterest(db, { account, kind, owner: 'first' })
    await write({})
    assert.deepEqual(eventsOf(await take()), [id])
  })
})

suite('takers of listener rows', () => {
  test('share the partitions, and take over those of a dead taker after its lease and of a stopped one immediately', async () => {
    const { kind, taker } = await stage()
    const [dead, third] = [
      { kind, taker: randomUUID() },
      { kind, taker: randomUUID() },
    ]
    assert.equal((await leaseListenerPartitions(db, taker, MINUTE)).length, 64)
    assert.deepEqual(await leaseListenerPartitions(db, dead, MINUTE), [])
    const left = await leaseListenerPartitions(db, taker, MINUTE)
    const gained = await leaseListenerPartitions(db, dead, MINUTE)
    assert.deepEqual([left.length, gained.length], [32, 32])
    assert.equal(new Set([...left, ...gained]).size, 64)
    await leaseListenerPartitions(db, dead, -1)
    assert.equal((await leaseListenerPartitions(db, taker, MINUTE)).length, 64)
    await leaseListenerPartitions(db, third, MINUTE)
    assert.equal((await leaseListenerPartitions(db, taker, MINUTE)).length, 32)
    assert.equal((await leaseListenerPartitions(db, third, MINUTE)).length, 32)
    await releaseListenerPartitions(db, taker)
    assert.equal((await leaseListenerPartitions(db, third, MINUTE)).length, 64)
  })

  test('that lose their lease during a transaction keep its contacts until the transaction ends', async () => {
    const { kind, taker, take } = await stage()
    const ids = [...(await write({ contact: 1 })), ...(await write({ contact: 1 })), ...(await write({ contact: 1 }))]
    const next = { kind, taker: randomUUID() }
    let taken: ListenerRow[] = []
    const commit = await openTransaction(async (tx) => {
      taken = await takeListenerRows(tx, taker, { limit: 1 })
    })
    await leaseListenerPartitions(db, taker, -1)
    await leaseListenerPartitions(db, next, MINUTE)
    const nextRows = () => db.transaction().execute((tx) => takeListenerRows(tx, next, { limit: 10 }))
    assert.deepEqual(await nextRows(), [])
    await commit()
    assert.equal((await leaseListenerPartitions(db, next, MINUTE)).length, 64)
    assert.deepEqual(await take(), [])
    assert.deepEqual([...eventsOf(taken), ...eventsOf(await nextRows())], ids)
  })

  test('take rows again after a rollback, and serve accounts in turns', async () => {
    const { taker, take, register } = await stage()
    await register('elsewhere', {}, other.account)
    const ids = await write(...Array.from({ length: 200 }, (_, n) => ({ contact: n })))
    const [foreign] = await write({ account: other.account, contact: 1 })
    await assert.rejects(
      db.transaction().execute(async (tx) => {
        await takeListenerRows(tx, taker, { limit: 100 })
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    const first = eventsOf(await take(10))
    assert.equal(first.length, 10)
    assert.ok(first.includes(foreign!))
    assert.deepEqual([...first, ...eventsOf(await take())].toSorted(), [...ids, foreign!].toSorted())
  })
})

suite('a listener queue with many publishers and takers', () => {
  const RESTARTS = 3
  const children = new Set<ChildProcess>()
  after(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  function start(kind: string, ...mode: string[]): ChildProcess {
    const child = fork(programPath('test/fakes/programs/listener-taker.ts'), [url, kind, ...mode])
    children.add(child)
    child.on('exit', () => children.delete(child))
    return child
  }

  async function kill(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  test("loses nothing, duplicates nothing and keeps each contact's order while takers are killed", async (t) => {
    const random = seededRun(t)
    const { kind, taker } = await stage()
    await releaseListenerPartitions(db, taker)
    await pool.query(
      `create table taken (seq bigint generated always as identity, process integer, event uuid, contact bigint)`,
    )
    const published = new Map<number, string[]>()
    const late: (() => Promise<void>)[] = []
    let restarts = 0

    /**
     * Publishes to contacts of its own, one transaction after the other, at least until the last taker is killed; some contacts
     * are written by one that commits late.
     */
    async function publish(writer: number): Promise<void> {
      for (let n = 0; n < 50 || restarts < RESTARTS; n++) {
        // Events of one list have no order of their own, unless they are of one send.
        const few = Array.from(
          { length: 1 + Math.floor(random() * 4) },
          () => 1_000_000 * writer + Math.floor(random() * 20),
        )
        const contacts = [...new Set(few)]
        const ids = await write(...contacts.map((contact) => ({ contact })))
        for (const [i, contact] of contacts.entries())
          published.set(contact, [...(published.get(contact) ?? []), ids[i]!])
        if (n % 10 === 5) {
          const contact = 1_000_000 * writer + 100 + n
          late.push(
            await openTransaction(async (tx) => {
              const [one] = await recordEvents(tx, [event({ contact })])
              published.set(contact, [one!.id])
            }),
          )
        }
        if (late.length > 2) await late.shift()?.()
      }
    }

    const publishing = Promise.all([1, 2, 3].map(publish))
    const takenBy = async (): Promise<number> =>
      (await pool.query('select count(*)::integer as n from taken')).rows[0].n
    const stalled = start(kind, 'stall')
    await once(stalled, 'message', { signal: t.signal })
    const takers = [start(kind), start(kind)]
    await kill(stalled)
    for (; restarts < RESTARTS; restarts++) {
      const enough = (await takenBy()) + 5 * random()
      await eventually(async () => (await takenBy()) > enough)
      await kill(takers.shift()!)
      takers.push(start(kind))
    }
    await publishing
    for (const commit of late) await commit()
    const all = [...published.values()].flat()
    await eventually(async () => (await takenBy()) >= all.length)
    await Promise.all(takers.map(kill))

    const { rows } = await pool.query<{ event: string; contact: number; process: number }>(
      'select * from taken order by seq',
    )
    assert.deepEqual(rows.map((row) => row.event).toSorted(), all.toSorted(), 'each event was taken once')
    const order = Map.groupBy(rows, ({ contact }) => Number(contact))
    for (const [contact, ids] of published)
      assert.deepEqual(
        order.get(contact)?.map((row) => row.event),
        ids,
        `contact ${contact}`,
      )
    assert.ok(new Set(rows.map((row) => row.process)).size >= 2, 'several processes took rows')
    assert.deepEqual((await pool.query('select from listener_queue where kind = $1', [kind])).rowCount, 0)
    t.diagnostic(
      `${all.length} events of ${published.size} contacts, ${new Set(rows.map((row) => row.process)).size} processes`,
    )
  })
})

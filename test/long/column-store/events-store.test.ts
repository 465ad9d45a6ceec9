import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { type EventStore, openEventStore } from '../../../src/features/events/columnar/store.ts'
import { copyNextEvents } from '../../../src/features/events/columnar-copy/copier.ts'
import { recopyEvents } from '../../../src/features/events/columnar-copy/recopy.ts'
import { findDifferingDays } from '../../../src/features/events/columnar-copy/verify.ts'
import { updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { eventListScopes } from '../../../src/features/events/history/scopes.ts'
import { createHitEvent } from '../../../src/features/events/hits/hit.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { appendHits } from '../../../src/features/events/record/append-hits.ts'
import { type ChannelSend, createActivationEvent } from '../../../src/features/events/record/record.ts'
import { finalizeHits, recordHoneypot } from '../../../src/features/events/record/settle.ts'
import { dropCopiedMonths } from '../../../src/features/events/store/store-keeping.ts'
import { advanceStoreBorder, readEventStoreState } from '../../../src/features/events/store/store-state.ts'
import { createUuidV7, formatContactId } from '../../../src/lib/ids.ts'
import { parseEventStoreUrl } from '../../../src/lib/net/event-store-url.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { startCrossing } from '../../support/crossing.ts'
import { copyEverything, makeEvents } from '../../support/database/events-store.ts'
import { startHarness } from '../../support/harness.ts'

const skip = await engineIsMissing()

const ALL = { from: Number.NEGATIVE_INFINITY, until: Date.now() + DAY_MS }
const log = { info: () => undefined, warn: () => undefined }

interface Record {
  id: string
  timestamp: number
}

suite('event store', { skip }, async () => {
  if (skip) return
  const { context, own, other, call } = await startHarness()
  const { db, pool } = context
  const { store, engine, cross } = await startCrossing(context)
  const stored = { db, pool, store, log }

  const pages = async (path: string, between: () => Promise<unknown>): Promise<Record[]> => {
    const records: Record[] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { status, body, headers, text }: Awaited<ReturnType<typeof call>> = await call('GET', next)
      assert.equal(status, 200, text)
      records.push(...body)
      next = /^<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1]
      await between()
    }
    return records
  }
  const idsOf = async (account: number): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>('select id from events where account = $1 order by at, id', [
      account,
    ])
    return rows.map(({ id }) => id)
  }
  const countAll = async (): Promise<void> => {
    // Days are counted one after the other, some of them a call.
    for (let isDone = false; !isDone; ) {
      await updateEventCounts(db)
      const { rows } = await pool.query<{ done: boolean }>(
        "select least(counted_until, days_until) > now() - interval '40 days' as done from event_counting",
      )
      isDone = rows[0]?.done ?? false
    }
  }

  test('a list paged across the border while events are copied and dropped has each event once', async () => {
    const now = Date.now()
    await makeEvents(pool, {
      accounts: [own.account, other.account],
      count: 3000,
      from: now - 130 * DAY_MS,
      until: now - DAY_MS,
    })
    const expected = await idsOf(own.account)
    await countAll()
    let border = now - 129 * DAY_MS
    const work = [
      () => copyNextEvents({ db, pool, store, behindMs: 0, batch: 300 }),
      () => advanceStoreBorder(db, (border += 4 * DAY_MS)),
      async () => (await readEventStoreState(db))!.copiedUntil > now - 2 * DAY_MS && dropCopiedMonths(stored, now),
    ]
    for (const sort of ['asc', 'desc']) {
      let turn = 0
      const read = await pages(`/actions/events?limit=67&classification=all&sort=${sort}`, () =>
        work[turn++ % work.length]!(),
      )
      assert.deepEqual(
        read.map(({ id }) => id),
        sort === 'asc' ? expected : expected.toReversed(),
      )
    }
    await copyEverything({ db, pool, store })
    await dropCopiedMonths(stored, now)
    const { rows } = await pool.query<{ n: number }>('select count(*)::integer as n from events where at < $1', [
      new Date(now - 70 * DAY_MS),
    ])
    assert.deepEqual(rows, [{ n: 0 }], 'old months are dropped here')
    const whole = (await call('GET', '/actions/events?classification=all')).body as Record[]
    assert.deepEqual(
      whole.map(({ id }) => id),
      expected,
    )
  })

  test('dropped events keep their activations for later hits', async () => {
    const { rows } = await pool.query<{ stamp: string; contact: number; subject: number }>(
      'select stamp, contact, subject from kept_activations where account = $1 order by at limit 1',
      [own.account],
    )
    const [kept] = rows
    assert.ok(kept)
    const request = { time: Date.now(), address: '203.0.113.9', userAgent: 'Mozilla/5.0', visitor: null }
    const message = {
      account: own.account,
      channel: 'email',
      source: kept.subject,
      contact: null,
      stamp: kept.stamp,
      test: false,
      kind: 'message',
    }
    const late = createHitEvent({ ...message, contact: kept.contact } as never, { type: 'open' } as never, request, {
      verdict: { classification: null, early: null },
      addressDetail: 'truncated',
    })
    await appendHits(db, randomUUID(), [late])
    const { rows: hits } = await pool.query<{ activation_at: Date | null; contact: number; unicity: string }>(
      `select activation_at, contact, detail #>> '{activation,receiver,unicity}' as unicity from events
       where account = $1 and stamp = $2 order by id desc limit 1`,
      [own.account, kept.stamp],
    )
    assert.equal(hits[0]?.contact, kept.contact)
    assert.equal(hits[0]?.unicity, `reader${kept.contact}@shop.example`)
    assert.ok(hits[0]?.activation_at)
  })

  test('robots detected after the copy leave the lists of people on both sides of the border', async () => {
    const [early, late] = [createUuidV7(Date.now()), createUuidV7(Date.now())]
    const visitor = Buffer.from('visitor')
    for (const stamp of [early, late]) {
      const send = {
        account: own.account,
        channel: 'email',
        sourceKind: 'action',
        source: 1,
        kind: 'message',
        contact: 5,
        footprint: { type: 'footprint', id: formatContactId(5), unicity: 'ann@shop.test', hash: '0'.repeat(32) },
        field: 1,
        stamp: { time: Date.now(), id: stamp, thread: stamp, set: stamp },
      } as ChannelSend
      const request = { time: Date.now() + 60_000, address: '203.0.113.7', userAgent: 'Mozilla/5.0', visitor }
      const click = createHitEvent(
        { ...send, stamp } as never,
        { type: 'redirection', id: 1, name: null, url: 'https://shop.example/' } as never,
        request,
        {
          verdict: { classification: null, early: null },
          addressDetail: 'truncated',
        },
      )
      await appendEvents(db, [
        createActivationEvent(send, { address: 'ann@shop.test', gateway: { name: 'mx1', message: '7F' } }),
      ])
      await appendEvents(db, [{ ...click, watch: { ...click.watch!, visitor } }])
    }
    const clicksOf = async (classification: string) =>
      (
        (
          await call(
            'GET',
            `/actions/events/hits/redirection?start=${Date.now() - DAY_MS / 2}&classification=${classification}`,
          )
        ).body as Record[]
      ).length
    await cross(0)
    assert.deepEqual(await Promise.all(['human', 'genericrobot'].map(clicksOf)), [2, 0])
    for (const stamp of [early, late]) await recordHoneypot(db, { account: own.account, stamp, visitor })
    const { rows: unsettled } = await pool.query<{ at: Date }>('select min(at) as at from unsettled_hits')
    const held = await advanceStoreBorder(db, Date.now(), { counted: false })
    assert.ok(held <= unsettled[0]!.at.getTime(), 'unsettled hits hold the border back')
    await pool.query('delete from unsettled_hits')
    await finalizeHits(db)
    await cross(0)
    const { rows } = await pool.query<{ at: Date }>("select at from events where stamp = $1 and kind = 'activations'", [
      late,
    ])
    await cross(rows[0]!.at.getTime())
    assert.deepEqual(await Promise.all(['human', 'genericrobot'].map(clicksOf)), [0, 2], 'one on each side')
    await cross()
    assert.deepEqual(await Promise.all(['human', 'genericrobot'].map(clicksOf)), [0, 2], 'both in the store')
  })

  test('no query can read the events of another account', async () => {
    const asked: { account: number | null; text: string }[] = []
    const watched: Pick<EventStore, 'rows' | 'bytes'> = { rows: store.rows, bytes: store.bytes }
    const watch = <T>(given: { account: number | null; statement: unknown }, answer: T): T => {
      asked.push({ account: given.account, text: JSON.stringify(given.statement) })
      return answer
    }
    Object.assign(store, {
      rows: (given: never) => watch(given, watched.rows(given)),
      bytes: (given: never) => watch(given, watched.bytes(given)),
    })
    const theirs = new Set(await idsOf(other.account))
    for (const { path } of eventListScopes) {
      if (path.includes('/:id')) continue
      const query = path.endsWith('/stamp')
        ? `?id=${createUuidV7(1)}`
        : path.endsWith('/lookup')
          ? '?phone=33601020304&agent=a'
          : ''
      const { body } = await call(
        'GET',
        path === '/targets/events' ? `${path}?unicity=reader@none.example` : `${path}${query}`,
      )
      for (const { id } of Array.isArray(body) ? (body as Record[]) : []) assert.ok(!theirs.has(id))
    }
    Object.assign(store, watched)
    assert.ok(asked.length > 3)
    for (const { account, text } of asked) {
      assert.equal(account, own.account)
      assert.match(text, /account = \{account:Int32\}/)
    }
    const without = { account: own.account, statement: { texts: ['select 1 from events_by_time'], parts: [] } }
    await assert.rejects(store.rows(without), /must name it/)
  })

  test('while the store is away, events are recorded, recent ones are readable and older ones return 503', async () => {
    await engine.pause('refuse')
    const { border } = store
    const before = await idsOf(own.account)
    await makeEvents(pool, { accounts: [own.account], count: 200, from: Date.now(), until: Date.now() + 5 })
    const recent = await call('GET', `/actions/events?classification=all&start=${border}`)
    assert.equal(recent.status, 200)
    const old = await call('GET', '/actions/events?limit=10')
    assert.equal(old.status, 503)
    assert.equal(old.body.type, 'urn:stentor:problem:event-history-away')
    assert.equal(old.headers['retry-after'], '10')
    await assert.rejects(copyNextEvents({ db, pool, store, behindMs: 0 }), { kind: 'event-history-away' })
    await engine.resume()
    await cross()
    assert.deepEqual(await findDifferingDays({ pool, store }, ALL), [])
    assert.equal((await idsOf(own.account)).length, before.length + 200)
  })

  test('a batch whose answer was lost is not stored twice', async () => {
    const before = new Set(await idsOf(own.account))
    await makeEvents(pool, { accounts: [own.account], count: 100, from: Date.now(), until: Date.now() + 5 })
    const batch = (await idsOf(own.account)).filter((id) => !before.has(id))
    await engine.loseAnswer('insert into events_inbox')
    await assert.rejects(copyNextEvents({ db, pool, store, behindMs: 0 }), { kind: 'event-history-away' })
    await cross(0)
    // The store has ids as numbers.
    const numbers = batch.map((id) => `toUInt128('${BigInt(`0x${id.replaceAll('-', '')}`)}')`)
    const bare = openEventStore(parseEventStoreUrl(engine.url), 35)
    const [row] = await bare.rows<{ n: number; different: number }>({
      account: null,
      statement: {
        texts: [`select count() as n, uniqExact(id) as different from events_by_time where id in (${numbers})`],
        parts: [],
      },
      settings: { final: 0 },
    })
    await bare.close()
    assert.deepEqual(await findDifferingDays({ pool, store }, ALL), [])
    assert.deepEqual(row, { n: 100, different: 100 })
  })

  test('events that the store has lost are detected and copied again', async () => {
    const { rows } = await pool.query<{ at: Date }>(
      'select at from events where account = $1 order by id desc limit 1',
      [own.account],
    )
    const from = rows[0]!.at.getTime() - 1000
    await store.command({
      account: null,
      statement: {
        texts: [`alter table events_by_time delete where at >= fromUnixTimestamp64Milli(${from})`],
        parts: [],
      },
    })
    const differing = await findDifferingDays({ pool, store }, ALL)
    assert.ok(differing.length > 0 && differing.every(({ here, stored: there }) => here > there))
    await recopyEvents({ db, pool, store }, { from, until: Date.now() })
    assert.deepEqual(await findDifferingDays({ pool, store }, ALL), [])
  })
})

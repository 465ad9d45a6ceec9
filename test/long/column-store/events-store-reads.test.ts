import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { eraseActionExports } from '../../../src/features/actions/reports/export-files.ts'
import { exportActionCsv } from '../../../src/features/events/history/action-exports.ts'
import {
  isEventHistoryAway,
  openEventSnapshot,
  prepareEventTable,
  readEventRows,
  withEventTable,
} from '../../../src/features/events/history/older-events.ts'
import { readEventRecords } from '../../../src/features/events/history/records.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { readTypedRecords } from '../../../src/features/workflows/dispatch/event-records.ts'
import type { AccountId } from '../../../src/lib/account.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { startCrossing } from '../../support/crossing.ts'
import { startHarness } from '../../support/harness.ts'

const skip = await engineIsMissing()
const { context, own, other, call } = await startHarness()
const { db } = context
const [mine, theirs] = [own.account as AccountId, other.account as AccountId]

const ACTION = 7

/** An event about a send of an action. */
function eventOf(kind: NewEvent['kind'], stamp: string, more: Partial<NewEvent> = {}): NewEvent {
  const receiver = { type: 'footprint', id: `${'0'.repeat(23)}5`, unicity: 'ann', hash: 'ab' }
  const activation = {
    id: '1',
    kind: 'message',
    receiver,
    stamp: { id: stamp, time: Date.now() },
    recipient: 'ann@example.org',
  }
  return {
    account: mine,
    channel: 'email',
    kind,
    subject: ACTION,
    contact: 5,
    stamp,
    thread: stamp,
    isTest: false,
    key: null,
    detail: {
      activation,
      ...(kind.startsWith('hits/') && {
        link: { type: 'redirection', id: 3, name: 'hé"ro', url: 'https://shop.example/' },
      }),
    },
    ...more,
  }
}

/** Stores events, each of an instant of its own; gives their ids. */
async function store(...events: NewEvent[]): Promise<string[]> {
  const ids: string[] = []
  for (const event of events) {
    const before = new Set(await idsOf())
    await appendEvents(db, [event])
    ids.push(...(await idsOf()).filter((id) => !before.has(id)))
    await sql`select pg_sleep(0.003)`.execute(db)
  }
  return ids
}

async function idsOf(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from events order by id`.execute(db)
  return rows.map(({ id }) => id)
}

const [first = '', second = '', foreign = ''] = [randomUUID(), randomUUID(), randomUUID()]
const stored = await store(
  eventOf('activations', first),
  eventOf('activations', second),
  eventOf('hits/open', first),
  eventOf('activations', foreign, { account: theirs }),
  eventOf('hits/redirection', first),
  eventOf('hits/open', first),
  eventOf('hits/open', second),
  eventOf('hits/redirection', first),
)
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** What readers give without a store, and what they are to give with one. */
async function everything() {
  const wanted = { account: mine, contacts: [5] }
  const query = (events: Parameters<Parameters<typeof withEventTable>[2]>[1]) => sql<Record<string, unknown>>`
    select e.id, e.at, e.account, e.channel, e.kind, e.subject, e.contact, e.stamp, e.thread, e.phone, e.classification, e.is_test, e.depth,
      e.activation_at, e.detail from ${events} e where e.account = ${mine} and e.contact = 5 order by e.at, e.id`
  const exported: string[] = []
  for (const kind of ['recipients', 'opens', 'clicks'] as const)
    for await (const text of exportActionCsv(db, { account: mine, action: ACTION, kind })) exported.push(text)
  const listed: unknown[] = []
  for await (const row of readEventRows(db, [wanted], query)) listed.push(row)
  const reading = await openEventSnapshot(db)
  const inReading = await query(await prepareEventTable(reading, [wanted])).execute(reading)
  await reading.rollback().execute()
  return {
    exported,
    listed,
    inReading: inReading.rows,
    joined: await withEventTable(db, [wanted], async (tx, events) => (await query(events).execute(tx)).rows),
    first: await withEventTable(
      db,
      [{ ...wanted, first: { sort: 'desc', limit: 3 }, paths: ['activation,recipient', 'link,name'] }],
      async (tx, events) =>
        (
          await sql`select id, detail #>> '{activation,recipient}' as recipient, detail #>> '{link,name}' as name from ${events} e
            where account = ${mine} and contact = 5 order by at desc, id desc limit 3`.execute(tx)
        ).rows,
    ),
    records: await readEventRecords(db, stored, [mine, theirs]),
    ofMine: (await readEventRecords(db, stored, [mine])).map(({ id }) => id),
    typed: [...(await readTypedRecords(db, stored, [mine]))],
    gone: (await call('GET', `/messages/${first}`)).status,
    unknown: (await call('GET', `/messages/${foreign}`)).status,
  }
}

const before = await everything()
const crossing = skip ? undefined : await startCrossing(context)

suite('event readers across the border', { skip }, () => {
  test('return the same with the border at every event', async () => {
    assert.deepEqual([before.records.length, before.ofMine.length, before.gone, before.unknown], [8, 7, 410, 404])
    for (const id of stored) {
      await crossing!.cross(timeOf(id))
      // What the store alone has is not read here, whatever is here.
      const { rows } = await sql<{
        n: number
      }>`select count(*) as n from events where at < (select border from event_store)`.execute(db)
      assert.equal(rows[0]!.n, stored.indexOf(id))
      assert.deepEqual(await everything(), before)
    }
  })

  test('read dropped events from the store, and later reactions still find their activation', async () => {
    await crossing!.cross()
    await sql`
      insert into kept_activations (id, at, account, channel, subject, contact, stamp, thread, subscription, phone, agent, title, is_test, depth, activation)
      select id, at, account, channel, subject, contact, stamp, thread, subscription, phone, agent, title, is_test, depth, detail -> 'activation'
      from events where kind = 'activations'`.execute(db)
    await sql`alter table events disable trigger user`.execute(db)
    await sql`delete from events`.execute(db)
    await sql`alter table events enable trigger user`.execute(db)
    assert.deepEqual(await everything(), before)
    await appendEvents(db, [eventOf('bounces', second, { subject: null, contact: null, detail: { bounce: {} } })])
    const { rows } = await sql<Record<string, unknown>>`
      select subject, contact, activation_at is not null as known, detail #>> '{activation,recipient}' as recipient from events`.execute(
      db,
    )
    assert.deepEqual(rows, [{ subject: ACTION, contact: 5, known: true, recipient: 'ann@example.org' }])
  })

  test('fail with 503 if they need the store while it is away, and others work', async () => {
    const late = new Date(Date.now() + 60_000).getTime()
    await crossing!.engine.pause('refuse')
    try {
      const answer = await call('GET', `/messages/${first}`)
      assert.deepEqual(
        [answer.status, answer.body.type ?? answer.body.kind],
        [503, answer.body.type ?? answer.body.kind],
      )
      assert.match(answer.text, /event-history-away/)
      await assert.rejects(readEventRecords(db, stored, [mine]), isEventHistoryAway)
      await assert.rejects(
        Array.fromAsync(exportActionCsv(db, { account: mine, action: ACTION, kind: 'opens' })),
        isEventHistoryAway,
      )
      const some = await withEventTable(
        db,
        [{ account: mine, since: late }],
        async (tx, events) => (await sql`select from ${events} e where at >= ${new Date(late)}`.execute(tx)).rows,
      )
      assert.equal(some.length, 0)
      // No account has an export: erasing needs nothing of the store.
      await inTransaction(db, (tx) => eraseActionExports(tx, mine, [5]))
    } finally {
      await crossing!.engine.resume()
    }
    assert.equal((await call('GET', `/messages/${first}`)).status, 410)
  })
})

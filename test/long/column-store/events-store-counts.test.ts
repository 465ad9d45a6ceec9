import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { purgeEventCounts, updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import type { EventSelection } from '../../../src/features/events/history/filters.ts'
import {
  type ReactivityStatistics,
  type SummaryBuckets,
  summarizeReactivities,
} from '../../../src/features/events/history/reactivities.ts'
import { type EventChannel, type EventKind, eventKindTable } from '../../../src/features/events/kinds/event-kinds.ts'
import { advanceStoreBorder } from '../../../src/features/events/store/store-state.ts'
import { DAY_MS as DAY, HOUR_MS as HOUR, QUARTER_HOUR_MS as QUARTER } from '../../../src/lib/time/spans.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { startCrossing } from '../../support/crossing.ts'
import { startHarness } from '../../support/harness.ts'

const skip = await engineIsMissing()
const { context, own, other } = await startHarness()
const { db } = context
/** The same database as one sees it that knows of no store: everything stays here until months are dropped. */
const alone = openDatabasePool(String(context.pool.options.connectionString), { max: 2 })

const random = seeded(20_261_126)
const below = (n: number): number => Math.floor(random() * n)
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!

/** Some days of two months ago, across a change of clocks where there is one. */
const now = Date.now()
const first = Math.floor((now - 70 * DAY) / DAY) * DAY
const SPAN = 3 * DAY
const SUBJECTS = 3
await sql`select make_event_partitions(now() - interval '4 months', 5)`.execute(db)

interface Row {
  at: number
  account: number
  channel: EventChannel
  kind: EventKind
  subject: number | null
  contact: number | null
  stamp: string | null
  classification: string | null
  isTest: boolean
  activationAt: number | null
  detail: object
}

/** Messages on demand, of which several events may come. */
const stamps = Array.from({ length: 60 }, (_, n) => `0198${String(n).padStart(4, '0')}-0000-7000-8000-000000000000`)

function someRow(account: number, from: number, span: number): Row {
  const channel = pick<EventChannel>(['email', 'email', 'sms', 'rcs', 'display'])
  const of = eventKindTable.filter(({ channels }) => (channels as readonly EventChannel[]).includes(channel))
  const kind = pick(of).kind
  const isClassed = kind.startsWith('hits/') || kind.startsWith('interactions/')
  // A message has one contact, and was asked for once.
  const n = below(6) === 0 ? undefined : below(stamps.length)
  const at = from + (below(5) === 0 ? QUARTER * below(span / QUARTER) : below(span))
  const time = n === undefined ? at - below(DAY) : first - n * 7_654_321
  const status = { type: pick(['sync', 'async']), diagnostic: 'no' }
  const analysis = { verdict: pick(['hard', 'soft']), subject: { type: 'address' } }
  return {
    at,
    account,
    channel,
    kind,
    subject: below(15) === 0 ? null : 1 + below(SUBJECTS),
    contact: below(12) === 0 ? null : [1, 65_536, 70_000_000_000][(n ?? below(27)) % 3]! + ((n ?? below(27)) % 9),
    stamp: n === undefined ? null : stamps[n]!,
    classification: isClassed ? pick([null, null, 'mpp', 'genericrobot']) : null,
    isTest: below(20) === 0,
    activationAt: kind === 'executions' || below(15) === 0 ? null : at - below(6 * HOUR),
    detail: {
      ...(kind === 'executions' ? { execution: { stamp: { time } } } : {}),
      ...(below(3) === 0 ? {} : { activation: { kind: 'message', recipient: 'a@pear.example', stamp: { time } } }),
      ...(kind === 'bounces' ? { bounce: { status, analysis } } : {}),
      ...(kind === 'cancellations' ? { cancellation: { type: 'redlist', value: 'é\\u0000\t"' } } : {}),
      ...(isClassed ? { link: { id: below(3) }, hit: { device: { type: 'phone', os: 'One', client: 'Reader' } } } : {}),
    },
  }
}

async function write(rows: readonly Row[]): Promise<void> {
  const column = <T>(of: (row: Row) => T) => rows.map(of)
  await sql`
    insert into events (id, at, account, channel, kind, subject, contact, stamp, classification, is_test, activation_at, detail)
    select (lpad(to_hex(ms), 12, '0') || substr(uuidv7()::text, 15))::uuid, to_timestamp(ms / 1000.0), account, channel, kind, subject, contact,
      stamp, classification, is_test, to_timestamp(activation_ms / 1000.0), detail::json
    from unnest(${column(({ at }) => at)}::bigint[], ${column(({ account }) => account)}::integer[], ${column(({ channel }) => channel)}::text[],
      ${column(({ kind }) => kind)}::text[], ${column(({ subject }) => subject)}::integer[], ${column(({ contact }) => contact)}::bigint[],
      ${column(({ stamp }) => stamp)}::uuid[], ${column(({ classification }) => classification)}::text[],
      ${column(({ isTest }) => isTest)}::boolean[], ${column(({ activationAt }) => activationAt)}::bigint[],
      ${column(({ detail }) => JSON.stringify(detail))}::text[])
      as r (ms, account, channel, kind, subject, contact, stamp, classification, is_test, activation_ms, detail)`.execute(
    db,
  )
}

const zones = ['UTC', 'Europe/Paris', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham', 'Australia/Lord_Howe']

interface Asked {
  list: EventSelection
  buckets: SummaryBuckets | undefined
}

function someAsked(): Asked {
  const bound = () => first + (below(2) === 0 ? QUARTER * below(SPAN / QUARTER) : below(SPAN))
  const period = (): { start: number | undefined; end: number | undefined } => {
    const [start, end] = [bound(), bound()].sort((a, b) => a - b)
    return { start: below(2) === 0 ? start : undefined, end: below(2) === 0 ? end : undefined }
  }
  const channels = pick<readonly EventChannel[]>([['email', 'sms'], ['rcs'], ['display'], ['email']])
  const own_kinds = eventKindTable
    .filter((one) => one.kind !== 'activations' && one.channels.some((channel) => channels.includes(channel)))
    .map(({ kind }) => kind)
  return {
    list: {
      account: own.account,
      channels,
      kinds: below(2) === 0 ? own_kinds : own_kinds.slice(0, 1 + below(own_kinds.length)),
      ...(below(2) === 0 && { subject: 1 + below(SUBJECTS) }),
      shown: { start: now - 365 * DAY, end: now },
      period: period(),
      ...(below(2) === 0 && { activation: period() }),
      isReactivity: channels[0] !== 'display',
      classes: 'all',
    },
    buckets: pick<SummaryBuckets | undefined>([
      undefined,
      { unit: 'hour', zone: pick(zones) },
      { unit: 'day', zone: pick(zones) },
    ]),
  }
}

interface Compared {
  asked: Asked
  summary: ReactivityStatistics
}

/** Some summaries as one sees them who knows of no store. */
async function summaries(times: number): Promise<Compared[]> {
  const all: Compared[] = []
  for (let n = 0; n < times; n++) {
    const asked = someAsked()
    all.push({ asked, summary: await summarizeReactivities(alone.db, asked.list, asked.buckets) })
  }
  return all
}

async function same(all: readonly Compared[]): Promise<void> {
  for (const { asked, summary } of all)
    assert.deepEqual(await summarizeReactivities(db, asked.list, asked.buckets), summary, JSON.stringify(asked))
}

const tables = ['event_counts', 'event_details', 'asked_counts', 'event_days', 'asked_days'] as const

/** All that is kept, as one text a row. */
async function kept(): Promise<Record<string, unknown[]>> {
  const found = tables.map(async (table) => {
    const { rows } = await sql<{
      row: unknown
    }>`select to_jsonb(t) as row from ${sql.table(table)} t order by to_jsonb(t)::text`.execute(db)
    return [table, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

async function stale(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from stale_event_counts`.execute(db)
  return rows[0]!.n
}

/** Some quarters that are counted are to be counted again. */
const noteAll = () =>
  sql`insert into stale_event_counts (account, channel, start) select distinct account, channel, quarter_of(start) from event_counts
    where date_part('hour', start) in (3, 16)`.execute(db)

suite('event summaries across the border to a column store', { skip }, async () => {
  after(() => alone.close())
  if (skip) return
  await write(Array.from({ length: 2000 }, () => someRow(below(8) === 0 ? other.account : own.account, first, SPAN)))
  const crossing = await startCrossing(context)

  test('equal those of a single database for every border, before anything is counted', async () => {
    for (let day = 0; day < 3; day++) {
      await crossing.cross(first + day * DAY + below(DAY))
      await same(await summaries(5))
    }
  })

  test('are the same when the border moves while they are read', async () => {
    const { asked, summary } = (await summaries(1))[0]!
    await Promise.all([same([{ asked, summary }]), crossing.cross(first + SPAN - HOUR), same([{ asked, summary }])])
  })

  test('are the same when quarters are counted and some are counted again', async () => {
    await updateEventCounts(db)
    const before = await kept()
    await same(await summaries(5))
    await noteAll()
    assert.ok((await stale()) > 20)
    await same(await summaries(5))
    await updateEventCounts(db)
    assert.equal(await stale(), 0)
    assert.deepEqual(await kept(), before)
  })

  test('a quarter is not counted again before the store has its changes', async () => {
    await crossing.cross(first + SPAN + DAY)
    await sql`update events set classification = 'mpp' where kind = 'hits/open' and account = ${own.account} and contact < 5`.execute(
      db,
    )
    const noted = await stale()
    assert.ok(noted > 0)
    await updateEventCounts(db)
    assert.equal(await stale(), noted)
    await crossing.copy()
    await updateEventCounts(db)
    assert.equal(await stale(), 0)
    await same(await summaries(5))
  })

  test('fail if they need the store while it is away, and pending recounts wait', async () => {
    const before = await kept()
    await noteAll()
    const noted = await stale()
    const [{ asked }] = (await summaries(1)) as [Compared]
    const list = {
      ...asked.list,
      period: { start: first, end: first + DAY },
      channels: ['email'] as const,
      isReactivity: true,
    }
    await crossing.engine.pause('refuse')
    await assert.rejects(summarizeReactivities(db, { ...list, kinds: ['bounces', 'hits/open'] }, undefined), {
      kind: 'event-history-away',
    })
    await updateEventCounts(db)
    assert.equal(await stale(), noted)
    await crossing.engine.resume()
    await updateEventCounts(db)
    assert.equal(await stale(), 0)
    assert.deepEqual(await kept(), before)
  })

  test('the border does not pass a quarter that must be counted again', async () => {
    await sql`update event_store set border = ${new Date(first - DAY)}`.execute(db)
    const start = new Date(first + 10 * HOUR)
    await sql`update event_counting set days_until = greatest(days_until, ${new Date(first + SPAN)})`.execute(db)
    await sql`insert into stale_event_counts (account, channel, start) values (${own.account}, 'email', ${start})`.execute(
      db,
    )
    assert.equal(await advanceStoreBorder(db, first + SPAN), start.getTime())
    await updateEventCounts(db)
    assert.equal(await stale(), 0)
    assert.ok((await advanceStoreBorder(db, first + SPAN)) > start.getTime())
  })

  test('counts outlive the events they were made from and can be rebuilt from the store', async () => {
    const all = await summaries(6)
    const before = await kept()
    await crossing.cross(now - 35 * DAY)
    await sql`update event_store set dropped_until = date_trunc('month', ${new Date(first + SPAN)}::timestamptz + interval '1 month')`.execute(
      db,
    )
    for (const at of [first, first + SPAN]) {
      const { rows } = await sql<{ name: string }>`select events_partition(${new Date(at)}) as name`.execute(db)
      await sql`drop table if exists ${sql.table(rows[0]!.name)}`.execute(db)
    }
    assert.equal(await stale(), 0)
    await purgeEventCounts(db)
    await updateEventCounts(db)
    assert.deepEqual(await kept(), before)
    await same(all)
    await noteAll()
    await same(all)
    await updateEventCounts(db)
    assert.equal(await stale(), 0)
    assert.deepEqual(await kept(), before)
    await sql`truncate event_counts, event_details, asked_counts`.execute(db)
    await sql`update event_counting set counted_until = 'epoch'`.execute(db)
    await same(all)
  })
})

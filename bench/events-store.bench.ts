import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabasePool, openDatabasePool } from '../src/database/connection/connect.ts'
import { rawClickHouseSql } from '../src/features/events/columnar/sql.ts'
import { type EventStore, openEventStore } from '../src/features/events/columnar/store.ts'
import { eventStoreTableNames } from '../src/features/events/columnar/tables.ts'
import { dropCopiedMonths } from '../src/features/events/store/store-keeping.ts'
import { advanceStoreBorder } from '../src/features/events/store/store-state.ts'
import { formatActionId, formatContactId } from '../src/lib/ids.ts'
import { parseEventStoreUrl } from '../src/lib/net/event-store-url.ts'
import { DAY_MS } from '../src/lib/time/spans.ts'
import { type Engine, startEngine } from '../test/fakes/column-store/columnar-engine.ts'
import { CITIES, createFields, type Fields, loadContacts } from './contact-fields.ts'
import { median, rounded, timed } from './load.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'
import { loadCounts, loadHere, loadStored, type Shape } from './stored-events.ts'

const EVENTS = 100_000_000
const MOST_CONTACTS = 1_000_000
/** Fewer of them have no indexes of criteria. */
const LEAST_CONTACTS = 30_000
const ACTIONS = 30
/** At most so many events go through PostgreSQL: the rest is loaded as if it had been copied long ago. */
const HERE = 3_000_000
const READ = 1_000_000
const ROUNDS = 5
const READS = 100

/** What the measures are taken on. */
interface Stage {
  service: BenchService
  engine: Engine
  store: EventStore
  pool: DatabasePool
  shape: Shape
  report: (line: string) => void
}

async function makeActions(pool: DatabasePool, account: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
     select $1, 'mailCampaign', 'Any', 38, 1, id, '{"purpose":{"type":"marketing"}}', '{}', now(), now()
     from (select min(id) as id from categories where account = $1) c, generate_series(1, $2) returning id`,
    [account, ACTIONS],
  )
  return rows[0]!.id
}

/** Bytes that the table of events takes here. */
async function sizeHere(pool: DatabasePool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits where inhparent = 'events'::regclass`,
  )
  return rows[0]?.bytes ?? 0
}

/** Waits until the service, as the one that holds the lease, has copied what was just published. Gives events a second. */
async function copyAll(pool: DatabasePool, count: number): Promise<number> {
  const started = performance.now()
  for (;;) {
    const { rows } = await pool.query<{ done: boolean }>(
      `select copied_id >= (select id from events order by id desc limit 1) as done from event_store`,
    )
    if (rows[0]?.done) return Math.round(count / ((performance.now() - started) / 1000))
    await delay(50)
  }
}

/** Merges what was loaded at once, as the engine has by and by what was copied over a year. */
async function mergeAll(store: EventStore): Promise<void> {
  for (const name of eventStoreTableNames) {
    const parts = rawClickHouseSql(
      `select distinct partition_id as month from system.parts where active and table = '${name}'`,
    )
    for (const { month } of await store.rows<{ month: string }>({ account: null, statement: parts }))
      await store.command({
        account: null,
        statement: rawClickHouseSql(`optimize table ${name} partition id '${month}' final`),
      })
  }
}

/** Reads bytes until so many lines came, as fast as they come. Gives seconds until the first byte, and until the last. */
async function readLines(answer: { body: AsyncIterable<Uint8Array> | null }, started: number, most: number) {
  let [lines, first] = [0, 0]
  for await (const chunk of answer.body ?? []) {
    first ||= performance.now() - started
    for (const byte of chunk) if (byte === 10) lines++
    if (lines >= most) break
  }
  return { firstMs: first, perSecond: lines / ((performance.now() - started) / 1000) }
}

/** A list of one action, of the service and of the engine's own client: the same columns in the same order. */
async function measureList({ service, engine, shape, report }: Stage) {
  const [first, rates, ratios]: number[][] = [[], [], []]
  const sql = `select id, at, kind, channel, detail from events_by_subject final where account = ${service.account} and channel = 'email'
    and subject = ${shape.action + 2} and at < now() and classification = '' order by at, id limit ${READ} format TabSeparatedRaw`
  for (let round = 0; round <= ROUNDS; round++) {
    let started = performance.now()
    const headers = { 'x-key': service.key, accept: 'application/x-ndjson' }
    const answer = await fetch(`${service.client.url}/actions/${formatActionId(shape.action + 2)}/events`, { headers })
    assert.equal(answer.status, 200)
    const own = await readLines(answer, started, READ)
    started = performance.now()
    const bare = await readLines(await ask(engine, sql), started, READ)
    report(
      `list: first byte after ${rounded(own.firstMs, 1)} ms, ${Math.round(own.perSecond)} a second; the engine ${Math.round(bare.perSecond)}`,
    )
    if (round === 0) continue
    first!.push(own.firstMs)
    rates!.push(own.perSecond)
    ratios!.push(own.perSecond / bare.perSecond)
  }
  return {
    listFirstByteMs: rounded(median(first!), 1),
    listPerSecond: Math.round(median(rates!)),
    listRatioToEngine: rounded(median(ratios!)),
  }
}

/** A query as one types it: over HTTP, with a password. */
async function ask(engine: Engine, sql: string): Promise<Response> {
  const headers = { 'x-clickhouse-user': engine.user, 'x-clickhouse-key': engine.password }
  const answer = await fetch(`${engine.httpUrl}/?database=events`, { method: 'POST', headers, body: sql })
  assert.equal(answer.status, 200)
  return answer
}

async function measureContacts({ service, engine, shape }: Stage) {
  const [own, bare]: number[][] = [[], []]
  for (let n = 0; n < READS; n++) {
    const contact = shape.contact + ((n * 104_729) % shape.contacts)
    await timed(own!, () => service.client.call('GET', `/targets/${formatContactId(contact)}/events`))
    const sql = `select id, at, kind, channel, detail from events_by_contact final where account = ${service.account} and contact = ${contact}
      and at < now() order by at, id format TabSeparatedRaw`
    await timed(bare!, async () => (await ask(engine, sql)).text())
  }
  return { contactP50Ms: rounded(median(own!), 1), contactRatioToEngine: rounded(median(bare!) / median(own!)) }
}

async function measureSummary({ service, engine, shape }: Stage) {
  const [own, bare]: number[][] = [[], []]
  const year = `reactivityStart=${Date.now() - 365 * DAY_MS}`
  for (let round = 0; round < ROUNDS; round++) {
    await timed(own!, async () => {
      const headers = { 'x-key': service.key, accept: 'application/vnd.reactivity.summary+json' }
      const answer = await fetch(
        `${service.client.url}/actions/${formatActionId(shape.action + 2)}/reactivities?bucket=day&${year}`,
        { headers },
      )
      assert.equal(answer.status, 200)
      await answer.text()
    })
    const sql = `select kind, toDate(at) as day, count(), uniqExact(contact) from events_by_subject final where account = ${service.account}
      and channel = 'email' and subject = ${shape.action + 2} and is_test = 0 group by kind, day order by kind, day`
    await timed(bare!, async () => (await ask(engine, sql)).text())
  }
  return { summaryMs: rounded(median(own!), 1), summaryRatioToEngine: rounded(median(bare!) / median(own!)) }
}

async function measureSegment({ service }: Stage, fields: Fields) {
  const times: number[] = []
  const criteria = {
    all: [
      { type: 'field', field: fields.city, operator: 'in', value: CITIES.slice(3, 8) },
      { type: 'field', field: fields.spend, operator: 'greater', value: 500 },
      { type: 'event', event: 'hit', link: 'open', period: { last: { value: 365, unit: 'day' } } },
    ],
  }
  let members = 0
  for (let round = 0; round < ROUNDS; round++) {
    const segment = { type: 'dynamic', name: `Readers ${round}`, criteria }
    const { id } = await service.client.call<{ id: number }>('POST', '/segments', segment)
    await timed(times, async () => {
      for (;;) {
        const read = await service.client.call<{ targetsCount: number | null }>('GET', `/segments/${id}`)
        if (read.targetsCount) {
          members = read.targetsCount
          return
        }
        await delay(20)
      }
    })
  }
  return { segmentMs: rounded(median(times), 1), segmentMembers: members }
}

async function prepare(stage: Omit<Stage, 'shape' | 'store'> & { store: EventStore }, size: number) {
  const { service, store, pool, report } = stage
  const { db, close } = openDatabasePool(service.databaseUrl, { max: 3, statementTimeoutMs: 0 })
  const fields = await createFields(service)
  const contacts = Math.min(MOST_CONTACTS, Math.max(LEAST_CONTACTS, Math.ceil(size / 100)))
  await loadContacts({ db, pool }, service.account, fields, contacts)
  report(`${contacts} contacts loaded`)
  const { rows } = await pool.query<{ id: number }>('select min(id) as id from contacts where account = $1', [
    service.account,
  ])
  const { rows: others } = await pool.query<{ id: number }>(
    `insert into accounts (agency, customer, name) values ('RIVL', '002', 'Other') returning id`,
  )
  const accounts = [service.account, others[0]!.id] as const
  const shape: Shape = {
    accounts,
    action: await makeActions(pool, service.account),
    actions: ACTIONS,
    contact: rows[0]!.id,
    contacts,
  }
  const now = Date.now()
  const here = Math.min(HERE, Math.ceil(size / 10))
  const begin = now - 75 * DAY_MS
  await loadHere(pool, shape, { count: here, from: begin, until: now - 60_000 })
  report(`${here} events published`)
  const copyPerSecond = await copyAll(pool, here)
  report(`copied: ${copyPerSecond} events per second`)
  await loadStored(store, shape, { count: size - here, from: now - 365 * DAY_MS, until: begin })
  await loadCounts(pool, store, begin)
  report(`${size - here} earlier events are in the store`)
  const fullMb = Math.round((await sizeHere(pool)) / 1e6)
  for (let counted = false; !counted; await delay(1000)) {
    const state = await pool.query<{ counted: boolean }>(
      `select days_until > now() - interval '3 days' as counted from event_counting`,
    )
    counted = state.rows[0]?.counted ?? false
  }
  const months = await dropCopiedMonths({ db, pool, store, log: { info: () => undefined, warn: report as never } }, now)
  await advanceStoreBorder(db, now - 35 * DAY_MS)
  const hotMb = Math.round((await sizeHere(pool)) / 1e6)
  report(`${months} months dropped: events take ${hotMb} MB instead of ${fullMb} MB`)
  await mergeAll(store)
  report('merged')
  await close()
  return { shape, fields, figures: { copyPerSecond, fullMb, hotMb, monthsDropped: months } }
}

/**
 * The events store with a year of events of two accounts: how fast events are copied, and what lists, histories of contacts, summaries
 * and segments cost beside the same query typed into the engine's own client. The engine is that of the tests, in a process beside.
 */
export const benchmark: Benchmark = async (report, size = EVENTS) => {
  const engine = await startEngine()
  process.env['STENTOR_EVENTS_URL'] = engine.url
  const service = await startBenchService()
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 3, statementTimeoutMs: 0 })
  const store = openEventStore(parseEventStoreUrl(engine.url), 35)
  try {
    const { shape, fields, figures } = await prepare({ service, engine, store, pool, report }, size)
    const stage: Stage = { service, engine, store, pool, shape, report }
    const [row] = await store.rows<{ n: number; bytes: number }>({
      account: null,
      statement: rawClickHouseSql(
        `select sum(rows) as n, sum(bytes_on_disk) as bytes from system.parts where database = currentDatabase() and active`,
      ),
    })
    return {
      events: size,
      ...figures,
      bytesPerEvent: Math.round((row?.bytes ?? 0) / size),
      ...(await measureList(stage)),
      ...(await measureContacts(stage)),
      ...(await measureSummary(stage)),
      ...(await measureSegment(stage, fields)),
    }
  } finally {
    await store.close()
    await close()
    await service.stop()
    await engine.stop()
  }
}

import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { purgeEventCounts, updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { createHitEvent } from '../../../src/features/events/hits/hit.ts'
import { type EventKind, listKindsBelow } from '../../../src/features/events/kinds/event-kinds.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { type ChannelSend, createActivationEvent } from '../../../src/features/events/record/record.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { createUuidV7, formatActionId, formatContactId } from '../../../src/lib/ids.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { CROSSING } from '../../support/crossing.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { call, context, copied, own, other } = await startHarness()
const { db } = context
const { account } = own

const random = seeded(20_261_121)
const below = (n: number): number => Math.floor(random() * n)
const one = <Item>(items: readonly Item[]): Item => items[below(items.length)]!

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const QUARTER = 15 * MINUTE
const DAY = 24 * HOUR
const CONTACTS = 12

/** The start of the last full day, and of the quarter that goes on now. */
const yesterday = Math.floor(Date.now() / DAY) * DAY - 2 * DAY
const SUMMARY = { accept: 'application/vnd.reactivity.summary+json' }

const kinds: readonly EventKind[] = [
  'hits/open',
  'hits/open',
  'hits/open',
  'hits/redirection',
  'hits/unsubscribe',
  'bounces',
  'complaints',
  'activations',
  'executions',
]
const classes = [null, null, null, 'mpp', 'gsr', 'genericrobot'] as const

async function keptCounts(): Promise<void> {
  await copied()
  await updateEventCounts(db)
}

interface Row {
  at: number
  kind: EventKind
  subject: number
  contact: number | null
  classification: string | null
  isTest: boolean
  activationAt: number | null
}

async function makeAction(of = account): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
    select ${of}, 'mailMessage', 'Any', 38, 1, id, '{}', '{}', now(), now() from categories where account = ${of} limit 1
    returning id`.execute(db)
  return rows[0]!.id
}

/** An event of any kind, mostly of some hours around a send, on bounds of buckets now and then. */
function someEvent(subject: number, from = yesterday, span = DAY): Row {
  const kind = one(kinds)
  const isClassed = kind.startsWith('hits/')
  const isReaction = kind !== 'activations' && kind !== 'executions'
  const at = from + (random() < 0.2 ? QUARTER * below(span / QUARTER) : below(span))
  return {
    at,
    kind,
    subject,
    contact: random() < 0.02 ? null : 1 + below(CONTACTS) * 70_000,
    classification: isClassed ? one(classes) : null,
    isTest: random() < 0.05,
    activationAt: isReaction && random() < 0.95 ? at - below(6 * HOUR) : null,
  }
}

function detailOf({ kind, contact, subject, classification }: Row): string {
  const receiver = contact === null ? null : { type: 'footprint', id: formatContactId(contact) }
  const activated = { activation: { id: formatActionId(subject), receiver } }
  return JSON.stringify(
    kind.startsWith('hits/') ? { ...activated, link: { type: kind.slice(5) }, hit: { classification } } : activated,
  )
}

/** Writes events with whatever time, as nothing in the house does. */
async function write(rows: readonly Row[]): Promise<void> {
  const column = <T>(of: (row: Row) => T) => rows.map(of)
  await sql`
    insert into events (id, at, account, channel, kind, subject, contact, classification, is_test, activation_at, detail)
    select (lpad(to_hex(ms), 12, '0') || substr(uuidv7()::text, 15))::uuid, to_timestamp(ms / 1000.0), ${account}, 'email', kind,
      subject, contact, classification, is_test, to_timestamp(activation_ms / 1000.0), detail::json
    from unnest(${column(({ at }) => at)}::bigint[], ${column(({ kind }) => kind)}::text[],
      ${column(({ subject }) => subject)}::integer[], ${column(({ contact }) => contact)}::bigint[],
      ${column(({ classification }) => classification)}::text[], ${column(({ isTest }) => isTest)}::boolean[],
      ${column(({ activationAt }) => activationAt)}::bigint[], ${column(detailOf)}::text[])
      as r (ms, kind, subject, contact, classification, is_test, activation_ms, detail)`.execute(db)
}

interface Counts {
  total: number
  contacts: number
  robots: number
}

interface Shown {
  id: string
  type: string
  timestamp: number
  source: { detail: { activation: { receiver: { id: string } | null }; link?: { type: string } } }
}

interface Summed {
  activations: { total: number; contacts: number }
  kinds: (Counts & { kind: EventKind; buckets: (Counts & { start: string })[] })[]
}

async function summary(url: string): Promise<Summed> {
  const answer = await call('GET', url, { headers: SUMMARY })
  assert.equal(answer.status, 200, `${url}: ${answer.text}`)
  return answer.body
}

async function read(url: string): Promise<Shown[]> {
  const answer = await call('GET', url)
  assert.equal(answer.status, 200, `${url}: ${answer.text}`)
  return answer.body
}

const kindOf = ({ type, source }: Shown): EventKind =>
  (type === 'hit' ? `hits/${source.detail.link?.type}` : `${type}s`) as EventKind

function countsOf(people: readonly Shown[], all: readonly Shown[]): Counts {
  const ids = people.map(({ source }) => source.detail.activation.receiver?.id).filter((id) => id !== undefined)
  return { total: people.length, contacts: new Set(ids).size, robots: all.length - people.length }
}

function startOf(bucket: 'hour' | 'day', zone: string, ms: number): string {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
  const start = bucket === 'day' ? local.startOfDay() : local.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  return new Date(start.epochMilliseconds).toISOString()
}

interface Asked {
  path: string
  suffix: string
  bucket: 'hour' | 'day' | undefined
  zone: string
  filters: Record<string, string>
}

/** What the summary must be, by the raw reads of the same filters: of people, and of all. */
async function expected({ path, suffix, bucket, zone, filters }: Asked): Promise<Summed> {
  const list = `${path}/reactivities${suffix === '' ? '' : `/${suffix}`}?${new URLSearchParams(filters)}`
  const [people, all] = [await read(list), await read(`${list}&classification=all`)]
  const period = { start: filters['activationStart'] ?? '', end: filters['activationEnd'] ?? '' }
  // Proofs are in no summary; the raw list of activations has them.
  const proofs = new Set(
    (await db.selectFrom('events').select('id').where('is_test', '=', true).execute()).map(({ id }) => id),
  )
  const sent = (await read(`${path}/events/activations?${new URLSearchParams(period)}`)).filter(
    ({ id }) => !proofs.has(id),
  )
  const { robots: _, ...activations } = countsOf(sent, sent)
  return {
    activations,
    kinds: listKindsBelow(suffix, ['email', 'sms'])
      .filter((kind) => kind !== 'activations' && kind !== 'executions' && kind !== 'cancellations')
      .map((kind) => {
        const [own, robots] = [people, all].map((list) => list.filter((record) => kindOf(record) === kind))
        const starts =
          bucket && [...new Set(robots!.map(({ timestamp }) => startOf(bucket, zone, timestamp)))].toSorted()
        const buckets = (starts ?? []).map((start) => {
          const within = ({ timestamp }: Shown) => startOf(bucket!, zone, timestamp) === start
          return { start, ...countsOf(own!.filter(within), robots!.filter(within)) }
        })
        return { kind, ...countsOf(own!, robots!), buckets }
      }),
  }
}

const zones = ['UTC', 'Europe/Paris', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham']
const suffixes = ['', '', 'hits', 'hits/open', 'bounces', 'complaints', 'hits/form']

function someFilters(from: number): Record<string, string> {
  const instants = [from - 3 * HOUR, from + below(DAY), from + QUARTER * below(96), from + HOUR * below(24), from + DAY]
  const period = (name: string): Record<string, string> => {
    const [start, end] = [one(instants), one(instants)].toSorted((a, b) => a - b)
    return {
      ...(random() < 0.4 && { [`${name}Start`]: String(start) }),
      ...(random() < 0.4 && { [`${name}End`]: new Date(end!).toISOString() }),
    }
  }
  return { ...period('activation'), ...period('reactivity') }
}

/** Compares summaries with raw reads, over filters of all sorts. */
async function compare(path: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const bucket = one([undefined, 'hour', 'day'] as const)
    const asked: Asked = { path, suffix: one(suffixes), bucket, zone: one(zones), filters: someFilters(yesterday) }
    const { suffix, zone, filters } = asked
    const query = new URLSearchParams({ ...filters, zone, ...(bucket && { bucket }) })
    const { activations, kinds: shown } = await summary(
      `${path}/reactivities${suffix === '' ? '' : `/${suffix}`}?${query}`,
    )
    assert.deepEqual({ activations, kinds: shown }, await expected(asked), `${path} ${JSON.stringify(asked)}`)
  }
}

const pathOf = (action: number): string => `/actions/${formatActionId(action)}`

/** Quarters in which events of an action are counted; `kinds`: a pattern of those alone. */
async function countedQuarters(action: number, kinds = '%'): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct start) as n from event_counts where subject = ${action} and kind like ${kinds}`.execute(db)
  return rows[0]!.n
}

/** Nothing is counted, as after an upgrade. */
async function forgetCounts(): Promise<void> {
  await sql`truncate event_counts, event_details, event_days, stale_event_counts`.execute(db)
  await sql`update event_counting set counted_until = 'epoch', days_until = 'epoch'`.execute(db)
}

suite('the summary of a raw event list', async () => {
  const actions = [await makeAction(), await makeAction()]
  const [action] = actions
  await write(Array.from({ length: 1500 }, () => someEvent(one(actions))))

  test('matches the list when nothing is counted in advance', async () => {
    assert.equal(await countedQuarters(action!), 0)
    await compare(pathOf(action!), 10)
  })

  test('matches the list with stored, stale and recounted quarters', async () => {
    await keptCounts()
    assert.ok((await countedQuarters(action!)) > 80)
    await compare(pathOf(action!), 30)
    await compare('/actions', 10)
    await sql`
      update events set classification = 'mpp', detail = jsonb_set(detail::jsonb, '{hit,classification}', '"mpp"')::json
      where kind = 'hits/open' and contact % 3 = 0 and extract(hour from at) = 10`.execute(db)
    await sql`update events set activation_at = at - interval '1 hour' where activation_at is null and kind = 'bounces'`.execute(
      db,
    )
    await sql`delete from events where subject = ${action} and extract(hour from at) = 11`.execute(db)
    await write(Array.from({ length: 200 }, () => someEvent(action!)))
    await compare(pathOf(action!), 20)
    await keptCounts()
    assert.deepEqual(await db.selectFrom('stale_event_counts').selectAll().execute(), [])
    await compare(pathOf(action!), 30)
    await compare('/actions', 10)
  })

  test('matches the list including recent hits', async () => {
    await write(Array.from({ length: 100 }, () => someEvent(action!, Date.now() - 2 * HOUR, 2 * HOUR)))
    await keptCounts()
    await write(Array.from({ length: 50 }, () => someEvent(action!, Date.now() - 20 * MINUTE, 20 * MINUTE)))
    await compare(pathOf(action!), 10)
  })

  test('is the same with and without stored counts', async () => {
    const before = await summary(`${pathOf(action!)}/reactivities?bucket=hour&reactivityEnd=${yesterday + DAY}`)
    await forgetCounts()
    assert.deepEqual(
      await summary(`${pathOf(action!)}/reactivities?bucket=hour&reactivityEnd=${yesterday + DAY}`),
      before,
    )
    await keptCounts()
    assert.deepEqual(
      await summary(`${pathOf(action!)}/reactivities?bucket=hour&reactivityEnd=${yesterday + DAY}`),
      before,
    )
  })

  test('counts a contact with three opens once', async () => {
    const one = await makeAction()
    const open: Row = { ...someEvent(one), kind: 'hits/open', classification: null, isTest: false, contact: 7 }
    const at = yesterday + 10 * HOUR
    const opens = [0, 20 * MINUTE, HOUR].map((ms) => ({ ...open, at: at + ms, activationAt: at - HOUR }))
    await write(opens)
    for (const _ of ['from the events', 'from the counts']) {
      const { kinds: shown } = await summary(`${pathOf(one)}/reactivities/hits/open?bucket=hour`)
      assert.deepEqual(shown, [
        {
          kind: 'hits/open',
          total: 3,
          contacts: 1,
          robots: 0,
          buckets: [
            { start: new Date(at).toISOString(), total: 2, contacts: 1, robots: 0 },
            { start: new Date(at + HOUR).toISOString(), total: 1, contacts: 1, robots: 0 },
          ],
        },
      ])
      await keptCounts()
    }
  })
})

suite('the counting of events', () => {
  const field = 1
  const sendOf = (action: number, kind: ChannelSend['kind'] = 'message'): ChannelSend => {
    const id = createUuidV7(Date.now())
    const footprint = {
      type: 'footprint',
      id: formatContactId(5),
      unicity: 'x@shop.test',
      hash: '0'.repeat(32),
    } as const
    const stamp = { time: Date.now(), id, thread: id, set: id }
    return {
      account,
      channel: 'email',
      sourceKind: 'action',
      source: action,
      kind,
      contact: 5,
      footprint,
      field,
      stamp,
    }
  }
  const handOver = (send: ChannelSend) =>
    createActivationEvent(send, { address: 'x@shop.test', gateway: { name: 'mx1', message: 'm' } })
  const clickOn = (send: ChannelSend, id: number, time: number) =>
    createHitEvent(
      { ...send, stamp: send.stamp.id },
      { type: 'redirection', id, name: null, url: 'https://shop.test' },
      { time, address: '203.0.113.77', userAgent: 'Mozilla/5.0 (X11; Linux)', visitor: null },
      { verdict: { classification: null, early: null }, addressDetail: 'none' },
    )
  const clicksOf = async (action: number) => {
    const [shown] = (await summary(`${pathOf(action)}/reactivities/hits/redirection`)).kinds
    return [shown!.total, shown!.robots]
  }
  /** Some hours pass for the events of an action, and those of them that are not settled. */
  async function pass(action: number): Promise<void> {
    await sql`
      with given as (
        select id as old, at, (lpad(to_hex(floor(date_part('epoch', at - interval '3 hours') * 1000)::bigint), 12, '0')
          || substr(id::text, 15))::uuid as id
        from events where subject = ${action}),
      moved as (update events e set at = e.at - interval '3 hours', id = g.id from given g where e.id = g.old returning g.old, e.id, e.at)
      update unsettled_hits u set event = m.id, at = m.at from moved m where u.event = m.old`.execute(db)
  }

  beforeEach(async () => {
    await forgetCounts()
    await keptCounts()
    await forgetCounts()
  })

  test('moves hits found to be robots, and counts none before they are settled', async () => {
    const action = await makeAction()
    const send = sendOf(action)
    await appendEvents(db, [handOver(send)])
    const base = Date.now() + HOUR
    await appendEvents(
      db,
      [1, 2, 3].map((link) => clickOn(send, link, base + link * 100)),
    )
    await appendEvents(db, [clickOn(send, 4, base + 9000)])
    await pass(action)
    await keptCounts()
    assert.equal(await countedQuarters(action, 'hits/%'), 0)
    assert.deepEqual(await clicksOf(action), [4, 0])
    await eventually(async () => (await finalizeHits(db)) === 0)
    assert.deepEqual(await clicksOf(action), [1, 3])
    await keptCounts()
    assert.ok((await countedQuarters(action, 'hits/%')) > 0)
    assert.deepEqual(await clicksOf(action), [1, 3])
  })

  test('stays one to three minutes behind the present', async () => {
    const action = await makeAction()
    await write([{ ...someEvent(action, Date.now(), 1), kind: 'bounces', isTest: false, activationAt: Date.now() }])
    await keptCounts()
    assert.equal(await countedQuarters(action), 0)
    const { rows } = await sql<{ counted: Date }>`select counted_until as counted from event_counting`.execute(db)
    const age = Date.now() - rows[0]!.counted.getTime()
    assert.ok(age >= MINUTE && age < 3 * MINUTE, `${age} ms`)
  })

  test('counts a running quarter in pieces, and as a whole once it is over', async () => {
    const action = await makeAction()
    const opened: Row = { ...someEvent(action), kind: 'hits/open', classification: null, isTest: false }
    const quarter = yesterday + 9 * HOUR
    const minutes = [1, 2, 6, 7, 12]
    await write(
      minutes.map((n) => ({ ...opened, at: quarter + n * MINUTE, contact: 1 + (n % 2), activationAt: quarter - HOUR })),
    )
    const pieces = async () => {
      const { rows } = await sql<{ minute: number; humans: number }>`
        select date_part('minute', start)::integer as minute, humans from event_counts where subject = ${action} order by 1`.execute(
        db,
      )
      return rows.map(({ minute, humans }) => [minute, humans])
    }
    const expectedPieces = [
      [5, [[0, 2]]],
      [
        10,
        [
          [0, 2],
          [5, 2],
        ],
      ],
      [null, [[0, 5]]],
    ] as const
    for (const [minute, expectation] of expectedPieces) {
      await sql`delete from unsettled_hits where account = 0`.execute(db)
      // An unsettled hit of a contact is as far as counting goes.
      if (minute !== null) {
        await sql`
          insert into unsettled_hits (event, at, account, stamp, hit_at)
          values (uuidv7(), ${new Date(quarter + minute * MINUTE)}, 0, uuidv7(), now())`.execute(db)
      }
      await keptCounts()
      assert.deepEqual(await pieces(), expectation)
      const [shown] = (await summary(`${pathOf(action)}/reactivities/hits/open?bucket=hour`)).kinds
      assert.deepEqual([shown!.total, shown!.contacts, shown!.buckets[0]!.contacts], [5, 2, 2])
    }
  })

  test('skips events that an uncommitted transaction is changing', async () => {
    const action = await makeAction()
    const opened: Row = { ...someEvent(action), kind: 'hits/open', classification: null, isTest: false }
    await write([{ ...opened, activationAt: opened.at - HOUR }])
    await db.transaction().execute(async (tx) => {
      await sql`update events set classification = 'mpp' where subject = ${action}`.execute(tx)
      await keptCounts()
      assert.equal(await countedQuarters(action), 0)
    })
    await keptCounts()
    const { rows } = await sql`select humans, robots from event_counts where subject = ${action}`.execute(db)
    assert.deepEqual(rows, [{ humans: 0, robots: 1 }])
  })

  test('leaves proofs out of every summary', async () => {
    const action = await makeAction()
    const proof = sendOf(action, 'test')
    await appendEvents(db, [handOver(proof)])
    await appendEvents(db, [clickOn(proof, 1, Date.now() + HOUR)])
    await pass(action)
    await finalizeHits(db)
    for (const _ of ['from the events', 'from the counts']) {
      const { activations, kinds: shown } = await summary(`${pathOf(action)}/reactivities`)
      assert.deepEqual(activations, { total: 0, contacts: 0 })
      assert.deepEqual(
        shown.filter(({ total, robots }) => total + robots > 0),
        [],
      )
      await keptCounts()
    }
  })

  test('counts every quarter once when several processes run', async () => {
    const action = await makeAction()
    await write(Array.from({ length: 300 }, () => someEvent(action)))
    await Promise.all([keptCounts(), keptCounts(), keptCounts()])
    await keptCounts()
    await compare(pathOf(action), 5)
  })

  test('keeps counts only for the months whose events are retained', async () => {
    const action = await makeAction()
    await sql`select make_event_partitions(now() - interval '5 months', 5)`.execute(db)
    const now = new Date()
    // Within the month four before this one.
    const old = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 4, 15)
    await write([{ ...someEvent(action, old), kind: 'bounces', isTest: false, activationAt: old }])
    await keptCounts()
    assert.equal(await countedQuarters(action), 1)
    await purgeEventCounts(db)
    assert.equal(await countedQuarters(action), 1)
    for (const months of [5, 4]) {
      const { rows } = await sql<{ name: string }>`
        select events_partition(now() - make_interval(months => ${months})) as name`.execute(db)
      await sql`drop table if exists ${sql.table(rows[0]!.name)}`.execute(db)
    }
    await purgeEventCounts(db)
    // A column store has what is dropped here.
    assert.equal(await countedQuarters(action), process.env[CROSSING] === undefined ? 0 : 1)
  })

  test("hides another account's action, and includes its events in no count", async () => {
    const action = await makeAction(other.account)
    assert.equal((await call('GET', `${pathOf(action)}/reactivities`, { headers: SUMMARY })).status, 404)
    const mine = await makeAction()
    await write([someEvent(mine)].map((row) => ({ ...row, kind: 'bounces', isTest: false, activationAt: row.at })))
    await keptCounts()
    const answer = await call('GET', '/actions/reactivities/bounces', { headers: SUMMARY, key: other.key })
    assert.equal(answer.body.kinds[0].total, 0)
  })

  test('refuses more than 10,000 buckets', async () => {
    const action = await makeAction()
    await sql`
      insert into event_counts (account, channel, subject, start, kind, humans, robots, contacts)
      select ${account}, 'email', ${action}, quarter_of(now()) - n * interval '1 hour', 'bounces', 1, 0, '' from generate_series(1, 10001) n`.execute(
      db,
    )
    await keptCounts()
    const list = `${pathOf(action)}/reactivities/bounces`
    const answer = await call('GET', `${list}?bucket=hour`, { headers: SUMMARY })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /too-many-buckets/)
    assert.equal((await summary(`${list}?bucket=day`)).kinds[0]!.total, 10_001)
  })
})

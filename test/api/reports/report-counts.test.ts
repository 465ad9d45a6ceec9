import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { purgeEventCounts, updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { purgeOldEvents } from '../../../src/features/events/retention.ts'
import { parseActionId } from '../../../src/lib/ids.ts'
import { DAY_MS as DAY, HOUR_MS as HOUR, QUARTER_HOUR_MS as QUARTER } from '../../../src/lib/time/spans.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { reportTools, type Shown } from '../../support/stages/reports.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { context, copied, own } = stage
const { db } = context
const { behind, report } = reportTools(stage, '/actions')
const random = seeded(20_261_124)
const below = (n: number): number => Math.floor(random() * n)
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!

/** A month and more ago, so that its partition can be dropped. */
const first = Math.floor((Date.now() - 100 * DAY) / DAY) * DAY
/** The same happens to a campaign and to a message on demand. */
const campaign = await stage.action({ type: 'mailCampaign' })
const message = await stage.action({ type: 'mailMessage' })
const action = parseActionId(campaign)!
const onDemand = parseActionId(message)!
const subjects = [action, onDemand]
await sql`select make_event_partitions(now() - interval '5 months', 6)`.execute(db)
const classes = [null, null, null, 'mpp', 'genericrobot']

async function keptCounts(): Promise<void> {
  await copied()
  await updateEventCounts(db)
}

interface Row {
  at: Date
  kind: string
  contact: number | null
  classification: string | null
  detail: object
  /** When its message was asked for, in milliseconds. */
  asked: number
}

function someRow(from: number, span: number): Row {
  const kind = pick([
    'activations',
    'hits/open',
    'hits/open',
    'hits/redirection',
    'hits/unsubscribe',
    'bounces',
    'complaints',
    'cancellations',
  ])
  const device = { type: pick(['phone', 'desktop']), os: pick(['One', 'Two']), client: pick(['Reader', 'Post']) }
  const details: Record<string, object> = {
    activations: {},
    bounces: {
      bounce: {
        status: { type: pick(['sync', 'async']), diagnostic: 'no' },
        analysis: {
          verdict: pick(['hard', 'soft']),
          subject: { type: 'address', detail: { type: pick(['full', 'gone']) } },
        },
      },
    },
    complaints: { complaint: { feedback: 'abuse' } },
    cancellations: { cancellation: { type: pick(['redlist', 'bounce', 'expired']), value: {} } },
  }
  const contact = below(20) === 0 && kind.startsWith('hits/') ? null : 1 + below(40)
  const at = from + below(span)
  const asked = at - below(pick([1, QUARTER, 6 * HOUR, 4 * DAY]))
  return {
    at: new Date(at),
    kind,
    contact,
    classification: kind.startsWith('hits/') ? pick(classes) : null,
    asked,
    detail: {
      activation: { kind: 'KIND', stamp: { time: asked }, recipient: `c${contact}@${pick(['pear', 'plum'])}.example` },
      ...(details[kind] ?? { link: { type: kind.slice(5), id: below(3) }, hit: { device } }),
    },
  }
}

async function write(rows: readonly Row[]): Promise<void> {
  await sql`
    insert into events (id, at, account, channel, kind, subject, contact, stamp, thread, classification, is_test, activation_at, detail)
    select (lpad(to_hex((date_part('epoch', at) * 1000)::bigint), 12, '0') || substr(uuidv7()::text, 15))::uuid, at, ${own.account}, 'email', kind, subject, contact, gen_random_uuid(), gen_random_uuid(), classification, false,
      case when kind <> 'cancellations' then at end, replace(detail, 'KIND', of_kind)::json
    from unnest(${rows.map(({ at }) => at)}::timestamptz[], ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ contact }) => contact)}::bigint[],
      ${rows.map(({ classification }) => classification)}::text[], ${rows.map(({ detail }) => JSON.stringify(detail))}::text[])
      as r (at, kind, contact, classification, detail)
      cross join (values (${action}::integer, 'campaign'), (${onDemand}::integer, 'message')) s (subject, of_kind)`.execute(
    db,
  )
}

/** When the messages of a report were asked for. */
interface Asked {
  start?: number
  end?: number
}

/** The figures of a report that come from events, of all events one by one. */
async function expected(subject: number, { start = 0, end = Number.POSITIVE_INFINITY }: Asked): Promise<Shown> {
  const { rows } = await sql<Row & { detail: Shown }>`
    select at, kind, contact, classification, detail from events where subject = ${subject} order by at`.execute(db)
  const chosen = rows.filter(({ detail }) => {
    const { time } = detail.activation.stamp
    return time >= start && time < end
  })
  const of = (...kinds: string[]) => chosen.filter(({ kind }) => kinds.includes(kind))
  const people = (...kinds: string[]) => of(...kinds).filter(({ classification }) => classification === null)
  const reactions = (kind: string) => ({
    human: people(kind).length,
    machine: of(kind).length - people(kind).length,
    contacts: new Set(people(kind).flatMap(({ contact }) => contact ?? [])).size,
  })
  const times = people('activations', 'hits/open', 'hits/redirection').map(({ at }) => at.getTime())
  const hour = (ms: number): number => ms - (ms % 3_600_000)
  const unit = hour(Math.max(...times)) - hour(Math.min(...times)) > 7 * DAY ? DAY : 3_600_000
  const moments = [...new Set(times.map((ms) => ms - (ms % unit)))].sort((a, b) => a - b)
  const count = (kind: string, at: number) =>
    people(kind).filter(({ at: t }) => t.getTime() - (t.getTime() % unit) === at).length
  return {
    opens: reactions('hits/open'),
    clicks: reactions('hits/redirection'),
    unsubscribes: people('hits/unsubscribe').length,
    complaints: people('complaints').length,
    bounces: groups(people('bounces'), ({ detail: { activation, bounce } }) => ({
      destination: activation.recipient.split('@')[1],
      verdict: bounce.analysis.verdict,
      cause: bounce.analysis.subject.detail.type,
    })),
    links: [...Map.groupBy(people('hits/redirection'), ({ detail }) => detail.link.id)]
      .sort(([a], [b]) => a - b)
      .map(([link, hits]) => {
        const contacts = new Set(hits.flatMap(({ contact: one }) => one ?? [])).size
        return { id: link, address: null, clicks: hits.length, contacts }
      }),
    devices: groups(people('hits/open', 'hits/redirection'), ({ detail }) => detail.hit.device),
    series: moments.map((at) => ({
      at: new Date(at).toISOString(),
      sends: count('activations', at),
      opens: count('hits/open', at),
      clicks: count('hits/redirection', at),
    })),
  }
}

/** How often each thing is said, in the order of its text. */
function groups<T extends { kind: string }>(rows: readonly T[], of: (row: T) => object): object[] {
  const found = Map.groupBy(rows, (row) => JSON.stringify(of(row)))
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([said, all]) => ({ ...JSON.parse(said), count: all.length }))
}

/** The same of a report. */
async function shownNow(id: string, { start, end }: Asked = {}): Promise<Shown> {
  const bounds = [start, end].map((ms, n) => (ms === undefined ? '' : `&${['start', 'end'][n]}=${ms}`)).join('')
  const shown = await report(id, bounds.replace('&', '?'))
  const { opens, clicks, unsubscribes, complaints, bounces, links, devices, series } = shown
  const named = (list: Shown[]) => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const used = devices.map(({ opens: o, clicks: c, ...device }: Shown) => ({ ...device, count: o + c }))
  return { opens, clicks, unsubscribes, complaints, bounces: named(bounces), links, devices: named(used), series }
}

/** Bounds within days, on days, quarters or open. */
function someAsked(): Asked {
  const bound = (): number => {
    const ms = pick([first - 3 * DAY, first, Date.now() - 3 * DAY]) + below(8 * DAY)
    return ms - (ms % pick([1, 1, QUARTER, DAY]))
  }
  const [start, end] = [bound(), bound()].sort((a, b) => a - b) as [number, number]
  return pick<Asked>([{ start, end }, { start, end }, { start, end: start + below(DAY) }, { start }, { end }])
}

async function compare(): Promise<void> {
  assert.deepEqual(await shownNow(campaign), await expected(action, {}))
  assert.deepEqual(await shownNow(message), await expected(onDemand, {}))
  for (let n = 0; n < 5; n++) {
    const asked = someAsked()
    assert.deepEqual(await shownNow(message, asked), await expected(onDemand, asked), JSON.stringify(asked))
  }
}

async function daysKept(): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(distinct day) as n from event_days where subject = ${action}`.execute(db)
  return rows[0]!.n
}

suite('reports from stored counts', () => {
  test('equal the events, by quarters and days, after changes of counted events and with late ones', async () => {
    await write(Array.from({ length: 800 }, () => someRow(first, 6 * DAY)))
    await compare()
    await keptCounts()
    assert.ok((await daysKept()) >= 6)
    await compare()
    await sql`
      update events set classification = 'mpp' where subject = any(${subjects}) and kind like 'hits/%' and contact % 5 = 0 and extract(hour from at) < 12`.execute(
      db,
    )
    await sql`delete from events where subject = any(${subjects}) and contact % 7 = 0 and extract(hour from at) = 20`.execute(
      db,
    )
    await compare()
    await keptCounts()
    await compare()
    await write(Array.from({ length: 50 }, () => someRow(first + DAY, 3 * DAY)))
    await compare()
    await keptCounts()
    await compare()
  })

  test('equal the events while a quarter and a day go on', async () => {
    for (const [from, span] of [
      [Date.now() - 3 * DAY, 3 * DAY - 4 * QUARTER],
      [Date.now() - 300_000, 240_000],
      [Date.now() - 50_000, 50_000],
    ] as const) {
      await write(Array.from({ length: 60 }, () => someRow(from, span)))
      await compare()
      await keptCounts()
      await compare()
    }
  })

  test('are aggregated by day once by concurrent processes', async () => {
    await sql`truncate event_days, asked_days`.execute(db)
    await sql`update event_counting set days_until = 'epoch'`.execute(db)
    await compare()
    await Promise.all([keptCounts(), keptCounts(), keptCounts()])
    await keptCounts()
    assert.ok((await daysKept()) >= 6)
    await compare()
  })
})

/** A report with a series by day. */
function byDay({ series, ...shown }: Shown): Shown {
  const days = Map.groupBy(series as Shown[], ({ at }) => at.slice(0, 10))
  const sum = (points: Shown[], name: string) => points.reduce((all, point) => all + point[name], 0)
  return {
    ...shown,
    series: [...days].map(([at, points]) => [at, ...['sends', 'opens', 'clicks'].map((name) => sum(points, name))]),
  }
}

suite('reports whose events are no longer kept', () => {
  const keptMonths = (months: number, all: boolean) =>
    sql`
    update accounts set settings = jsonb_set(settings, '{events}', ${JSON.stringify({ retentionMonths: months })}::jsonb)
    where ${all} or id = ${own.account}`.execute(db)
  const eventsLeft = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from events where subject = ${action} and at < now() - interval '2 months'`.execute(db)
    return rows[0]!.n
  }

  test('remain, whether this account or every account keeps events for a shorter time', async () => {
    const asked = [
      { start: first + DAY, end: first + 4 * DAY },
      { start: first + 12_345_678 },
      { end: first + 3 * DAY + 7 },
    ]
    const shownAll = async () => {
      const whole = [await shownNow(campaign), await shownNow(message)]
      return [...whole, ...(await Promise.all(asked.map((period) => shownNow(message, period))))]
    }
    const before = await shownAll()
    assert.ok((await eventsLeft()) > 100)
    const opened = async (id: string) => (await behind(id, 'opens')).map(({ at }) => at).sort()
    const monthAgo = new Date(Date.now() - 31 * DAY).toISOString()
    assert.ok((await opened(message))[0] < monthAgo)
    await keptMonths(1, false)
    // What is kept no more is hidden from lists at once, and counts stand.
    for (const id of [campaign, message]) {
      const [oldest] = await opened(id)
      assert.ok(oldest > monthAgo, oldest)
    }
    assert.deepEqual(await shownAll(), before)
    await purgeOldEvents(db)
    await purgeEventCounts(db)
    await keptCounts()
    assert.equal(await eventsLeft(), 0)
    assert.deepEqual(await shownAll(), before)
    await keptMonths(1, true)
    await purgeOldEvents(db)
    await purgeEventCounts(db)
    await keptCounts()
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from event_counts where subject = ${action} and start < now() - interval '70 days'`.execute(
      db,
    )
    assert.equal(rows[0]!.n, 0)
    // Hours are known no more.
    assert.deepEqual((await shownAll()).map(byDay), before.map(byDay))
  })
})

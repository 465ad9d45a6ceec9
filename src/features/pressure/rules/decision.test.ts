import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { DAY_MS, HOUR_MS } from '../../../lib/time/spans.ts'
import {
  countInPressureBuckets,
  oldestPressureBucketKey,
  PRESSURE_BUCKET_MS,
  type PressureBucket,
  packPressureBuckets,
  pressureBucketKey,
  unpackPressureBuckets,
} from '../counters/buckets.ts'
import { parsePressureZone } from '../counters/periods.ts'
import type { MessagePurpose, PressureChannel, PressureLimit } from '../pressure-schemas.ts'
import { messagePurposes, pressureChannels } from '../pressure-schemas.ts'
import {
  computeLimitStatus,
  findPressureStop,
  type IndexedPressureRule,
  type PressureCheckMessage,
} from './decision.ts'

/** A message of the past: what the reference looks at one by one. */
interface Past {
  at: number
  channel: PressureChannel
  purpose: MessagePurpose
  topic: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What clocks of a zone show, as milliseconds of a clock without zone. */
function wallOf(at: number, zone: string): number {
  const known =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  formats.set(zone, known)
  const parts = Object.fromEntries(known.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The number of the calendar span that a moment is in. */
function spanNumber({ unit, value }: PressureLimit['period'], at: number, zone: string): number {
  const wall = wallOf(at, zone)
  const day = Math.floor(wall / DAY_MS)
  const date = new Date(wall)
  const units = {
    HOUR: Math.floor(wall / HOUR_MS),
    DAY: day,
    // 1970-01-05 was a Monday.
    WEEK: Math.floor((day - 4) / 7),
    MONTH: (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth(),
  }
  return Math.floor(units[unit] / value)
}

const rollingMs = { HOUR: HOUR_MS, DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS }

function quarterOf(at: number): number {
  return Math.floor(at / PRESSURE_BUCKET_MS) * PRESSURE_BUCKET_MS
}

function isInPeriod({ period }: PressureLimit, at: number, now: number, zone: string): boolean {
  const quarter = quarterOf(at)
  if (period.type === 'rolling') return quarter + PRESSURE_BUCKET_MS > now - rollingMs[period.unit] * period.value
  return spanNumber(period, quarter, zone) === spanNumber(period, now, zone)
}

function isInScope(limit: PressureLimit, { channel, purpose, topic }: Omit<Past, 'at'>): boolean {
  return (
    (limit.channels.length === 0 || limit.channels.includes(channel)) &&
    (limit.purposes.length === 0 || limit.purposes.includes(purpose)) &&
    (limit.topics.length === 0 || limit.topics.includes(String(topic)))
  )
}

function isInWindow({ window }: PressureLimit, now: number, zone: string): boolean {
  if (window === null) return true
  const wall = wallOf(now, zone)
  const minutes = (text: string): number => Number(text.split(':')[0]) * 60 + Number(text.split(':')[1])
  const minute = Math.floor((wall % DAY_MS) / 60_000)
  const today = Math.floor(wall / DAY_MS)
  const allows = (day: number) => {
    // 1970-01-01 was a Thursday.
    const ofWeek = ((((day + 3) % 7) + 7) % 7) + 1
    return window.daysOfWeek?.includes(ofWeek) ?? true
  }
  const [from, to] = [minutes(window.from), minutes(window.to)]
  if (from < to) return minute >= from && minute < to && allows(today)
  return minute < to ? allows(today - 1) : minute >= from && allows(today)
}

interface Naive {
  history: readonly Past[]
  now: number
  zone: string
}

/** Counts every message of the past anew for each limit, as the contract words it. */
function naiveStop(
  rules: readonly IndexedPressureRule[],
  message: PressureCheckMessage,
  { history, now, zone }: Naive,
) {
  for (const { id, type, limits } of rules) {
    const concerned = limits
      .map(({ limit }, expression) => ({ limit, expression }))
      .filter(({ limit }) => isInScope(limit, message) && isInWindow(limit, now, zone))
    const holds = ({ limit }: { limit: PressureLimit }) => {
      const counted = history.filter((past) => isInScope(limit, past) && isInPeriod(limit, past.at, now, zone)).length
      const most = message.priority >= limit.reservePriority ? limit.count : limit.count - limit.reserve
      return counted + 1 <= most
    }
    const failing = concerned.filter((one) => !holds(one))
    if (type === 'and' ? failing.length > 0 : concerned.length > 0 && failing.length === concerned.length)
      return { rule: id, expression: failing[0]!.expression }
  }
  return undefined
}

/** Zones with changes of clocks at night, at midnight, of half an hour, with odd offsets, and without any. */
const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  '+05:45',
  '-03:30',
  'Pacific/Chatham',
  'Africa/Cairo',
]
/** Around changes of clocks, and an ordinary day. */
const moments = [
  '2026-03-29T00:30Z',
  '2026-10-25T00:45Z',
  '2026-11-01T05:10Z',
  '2026-04-05T03:00Z',
  '2026-07-14T12:00Z',
]

type Random = ReturnType<typeof seeded>
const below = (random: Random, n: number): number => Math.floor(random() * n)
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!
const some = <T>(random: Random, list: readonly T[]): T[] => (random() < 0.5 ? [] : list.filter(() => random() < 0.5))
const time = (random: Random): string =>
  `${String(below(random, 24)).padStart(2, '0')}:${pick(random, ['00', '15', '30', '45'])}`

function randomLimit(random: Random): PressureLimit {
  const unit = pick(random, ['HOUR', 'DAY', 'WEEK', 'MONTH'] as const)
  const most = { HOUR: 48, DAY: 10, WEEK: 3, MONTH: 2 }[unit]
  const count = below(random, 6)
  return {
    type: 'limit',
    count,
    period: { type: pick(random, ['rolling', 'calendar'] as const), unit, value: 1 + below(random, most) },
    channels: some(random, pressureChannels),
    topics: some(random, ['1', '2']),
    purposes: some(random, messagePurposes),
    reserve: count > 1 && random() < 0.3 ? 1 : 0,
    reservePriority: 50 + below(random, 50),
    window:
      random() < 0.3
        ? {
            from: time(random),
            to: time(random),
            ...(random() < 0.5 && { daysOfWeek: [1, 2, 3, 4, 5, 6, 7].filter(() => random() < 0.6) }),
          }
        : null,
  }
}

function randomRule(random: Random, place: number): IndexedPressureRule {
  const limits = Array.from({ length: 1 + below(random, 3) }, () => {
    const limit = randomLimit(random)
    return { limit, topics: new Set(limit.topics.map(Number)) }
  })
  return { id: `rule ${place}`, label: `Rule ${place}`, type: pick(random, ['and', 'or'] as const), limits }
}

function randomPast(random: Random, now: number): Past {
  const age = random() < 0.5 ? random() * 2 * DAY_MS : random() * 80 * DAY_MS
  return {
    at: Math.floor(now - age),
    channel: pick(random, pressureChannels),
    purpose: pick(random, messagePurposes),
    topic: below(random, 3),
  }
}

function bucketsOf(history: readonly Past[]): PressureBucket[] {
  const buckets: PressureBucket[] = []
  for (const { at, ...scope } of history) countInPressureBuckets(buckets, scope, at)
  return buckets
}

suite('marketing pressure decision', () => {
  test('matches a reference that recounts every message, for random rules and histories around clock changes', () => {
    const random = seeded(51)
    let stopped = 0
    for (let round = 0; round < 4000; round++) {
      const now = Date.parse(pick(random, moments)) + below(random, 12 * HOUR_MS) - 6 * HOUR_MS
      const zone = pick(random, zones)
      const history = Array.from({ length: below(random, 25) }, () => randomPast(random, now))
      const rules = Array.from({ length: 1 + below(random, 3) }, (_, place) => randomRule(random, place))
      const message = { ...randomPast(random, now), priority: below(random, 101) }
      const expected = naiveStop(rules, message, { history, now, zone })
      const buckets = unpackPressureBuckets(packPressureBuckets(bucketsOf(history), oldestPressureBucketKey(now)))
      const stop = findPressureStop(rules, { message, counted: { buckets, present: { now, zone } } })
      const found = stop && { rule: stop.rule.id, expression: stop.expression }
      assert.deepEqual(found, expected, JSON.stringify({ round, now, zone, rules, message, history }))
      if (stop) stopped++
    }
    assert.ok(stopped > 500 && stopped < 3500, `${stopped} of 4000 stopped`)
  })

  test('a message held until its reported time passes the limit then, but not a millisecond earlier', () => {
    const random = seeded(52)
    let tried = 0
    for (let round = 0; round < 4000; round++) {
      const now = Date.parse(pick(random, moments)) + below(random, 12 * HOUR_MS) - 6 * HOUR_MS
      const zone = pick(random, zones)
      const history = Array.from({ length: below(random, 25) }, () => randomPast(random, now))
      const rule = { ...randomRule(random, 0), type: 'and' as const }
      const [asked] = rule.limits
      // Windows of whole days follow each other.
      if (asked!.limit.window?.from === asked!.limit.window?.to && asked!.limit.window) continue
      const single = { ...rule, limits: [{ ...asked!, limit: { ...asked!.limit, channels: [], purposes: [] } }] }
      const message = { ...randomPast(random, now), priority: 100, topic: 1 }
      const buckets = bucketsOf(history)
      const at = (moment: number) =>
        findPressureStop([single], { message, counted: { buckets, present: { now: moment, zone } } })
      const stop = at(now)
      if (!stop || stop.waitUntil === null) continue
      tried++
      const context = JSON.stringify({ round, now, zone, single, stop })
      assert.ok(stop.waitUntil > now, context)
      assert.equal(at(stop.waitUntil), undefined, context)
      assert.ok(at(Math.max(now, stop.waitUntil - 1)), context)
    }
    assert.ok(tried > 300, `${tried} waited`)
  })

  test('a reserved message is stopped only by limits of 0', () => {
    const limit = (count: number): IndexedPressureRule['limits'][number] => ({
      topics: new Set(),
      limit: {
        type: 'limit',
        count,
        channels: [],
        topics: [],
        purposes: [],
        reserve: 0,
        reservePriority: 50,
        period: { type: 'rolling', unit: 'DAY', value: 1 },
        window: null,
      },
    })
    const now = Date.parse('2026-07-14T12:00Z')
    const message: PressureCheckMessage = { channel: 'email', purpose: 'marketing', topic: 0, priority: 50 }
    const counted = { buckets: bucketsOf([{ ...message, at: now }]), present: { now, zone: 'UTC' } }
    const rule = (...limits: IndexedPressureRule['limits'][number][]): IndexedPressureRule => ({
      id: 'r',
      label: 'R',
      type: 'and',
      limits,
    })
    assert.ok(findPressureStop([rule(limit(1))], { message, counted }))
    assert.equal(findPressureStop([rule(limit(1))], { message, counted, isReserved: true }), undefined)
    assert.equal(findPressureStop([rule(limit(1), limit(0))], { message, counted, isReserved: true })?.expression, 1)
    assert.deepEqual(computeLimitStatus(limit(1), counted, 50), {
      count: 1,
      holds: false,
      until: Date.parse('2026-07-15T12:15Z'),
    })
  })
})

test('buckets are read back as packed, and their number format matches the migration', () => {
  const random = seeded(53)
  const now = Date.parse('2026-07-14T12:00Z')
  const buckets = bucketsOf(Array.from({ length: 200 }, () => randomPast(random, now)))
  const packed = packPressureBuckets(buckets, 0)
  assert.deepEqual(
    packed,
    packed.toSorted((a, b) => a - b),
  )
  assert.ok(packed.every(Number.isSafeInteger))
  assert.deepEqual(
    unpackPressureBuckets(packed),
    buckets.toSorted((a, b) => pressureBucketKey(a, a.at) - pressureBucketKey(b, b.at)),
  )
  const key = pressureBucketKey({ channel: 'rcs', purpose: 'service', topic: 5 }, now)
  assert.equal(BigInt(key), (BigInt(now / PRESSURE_BUCKET_MS) << 16n) | (2n << 14n) | (1n << 13n) | 5n)
})

test("a contact's zone is a time zone name or an offset in whole quarters of an hour", () => {
  const read = [
    'Europe/Paris',
    'europe/paris',
    '+05:45',
    '-03:30',
    '+05:37',
    '+24:00',
    'Paris',
    '',
    '2026-01-01T00:00Z',
  ]
  const asRead = [
    'Europe/Paris',
    'Europe/Paris',
    '+05:45',
    '-03:30',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]
  assert.deepEqual(read.map(parsePressureZone), asRead)
})

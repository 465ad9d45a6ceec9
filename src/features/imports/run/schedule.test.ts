import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findNextScheduleTick, type ImportSchedule } from './schedule.ts'

const at = (hour: number, minute = 0, second = 0): ImportSchedule['periodicity'] => ({
  type: 'once',
  value: { hour, minute, second },
})
const every = (minutes: number): ImportSchedule['periodicity'] => ({ type: 'every', value: { minutes } })
const daily: ImportSchedule['occurs'] = { type: 'daily' }
const PARIS = 'Europe/Paris'

/** The ticks after an instant, as long as there are any, at most so many. */
function ticks(schedule: Partial<ImportSchedule>, after: string, { zone = 'UTC', most = 4 } = {}): string[] {
  const whole = { occurs: daily, periodicity: at(0), start: undefined, end: undefined, ...schedule }
  const found: string[] = []
  for (let last = Date.parse(after); found.length < most; ) {
    const next = findNextScheduleTick(whole, zone, last)
    if (next === undefined) break
    found.push(new Date(next).toISOString().replace(/:00\.000Z$|\.000Z$/, 'Z'))
    last = next
  }
  return found
}

const cases: [string, Partial<ImportSchedule>, string, { zone?: string; most?: number }, string[]][] = [
  [
    'every day at midnight by default',
    {},
    '2026-03-01T00:00:00Z',
    { most: 2 },
    ['2026-03-02T00:00Z', '2026-03-03T00:00Z'],
  ],
  [
    'later the same day',
    { periodicity: at(6, 30, 15) },
    '2026-03-01T06:30:14.999Z',
    { most: 2 },
    ['2026-03-01T06:30:15Z', '2026-03-02T06:30:15Z'],
  ],
  ['the very instant has passed', { periodicity: at(6) }, '2026-03-01T06:00:00Z', { most: 1 }, ['2026-03-02T06:00Z']],
  [
    'days of the week',
    { occurs: { type: 'weekly', days: ['Sun', 'Mon'] } },
    '2026-03-03T12:00:00Z',
    { most: 3 },
    ['2026-03-08T00:00Z', '2026-03-09T00:00Z', '2026-03-15T00:00Z'],
  ],
  [
    'a day the month lacks is its last',
    { occurs: { type: 'monthly', days: [31] } },
    '2026-01-31T00:00:00Z',
    { most: 3 },
    ['2026-02-28T00:00Z', '2026-03-31T00:00Z', '2026-04-30T00:00Z'],
  ],
  [
    'two days that fall together come once',
    { occurs: { type: 'monthly', days: [29, 30, 31] } },
    '2026-02-01T00:00:00Z',
    { most: 2 },
    ['2026-02-28T00:00Z', '2026-03-29T00:00Z'],
  ],
  [
    'the clock of the zone, winter and summer',
    { periodicity: at(8) },
    '2026-03-27T12:00:00Z',
    { zone: PARIS, most: 3 },
    ['2026-03-28T07:00Z', '2026-03-29T06:00Z', '2026-03-30T06:00Z'],
  ],
  [
    'a skipped time moves forward by the gap',
    { periodicity: at(2, 30) },
    '2026-03-28T12:00:00Z',
    { zone: PARIS, most: 2 },
    ['2026-03-29T01:30Z', '2026-03-30T00:30Z'],
  ],
  [
    'a doubled time is the first',
    { periodicity: at(2, 30) },
    '2026-10-24T12:00:00Z',
    { zone: PARIS, most: 2 },
    ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  ],
  [
    'every so many minutes from midnight',
    { periodicity: every(600) },
    '2026-03-01T09:00:00Z',
    { most: 4 },
    ['2026-03-01T10:00Z', '2026-03-01T20:00Z', '2026-03-02T00:00Z', '2026-03-02T10:00Z'],
  ],
  [
    'an hour more on the long day',
    { periodicity: every(60 * 12) },
    '2026-10-24T22:00:00Z',
    { zone: PARIS, most: 3 },
    ['2026-10-25T10:00Z', '2026-10-25T22:00Z', '2026-10-25T23:00Z'],
  ],
  [
    'from its start, before its end',
    { start: Date.parse('2026-03-05T00:00:00Z'), end: Date.parse('2026-03-07T00:00:00Z') },
    '2026-03-01T00:00:00Z',
    {},
    ['2026-03-05T00:00Z', '2026-03-06T00:00Z'],
  ],
  ['over', { end: Date.parse('2026-03-01T00:00:00Z') }, '2026-03-01T00:00:00Z', {}, []],
]

suite('due times of an import schedule', () => {
  for (const [name, schedule, after, options, expected] of cases)
    test(name, () => assert.deepEqual(ticks(schedule, after, options), expected))
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { computeNextFiring, type WorkflowTask } from '../../../src/features/workflows/tasks/task-definitions.ts'
import { type CronFields, EVERY_MINUTE_CRON } from '../../../src/lib/time/cron.ts'
import { findNextCronTime } from '../../../src/lib/time/cron-times.ts'

const PARIS = 'Europe/Paris'
const SPRING = ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'] as const
const AUTUMN = ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'] as const

/** All times from an instant until before another. */
function times(fields: Partial<CronFields>, zone: string, [from, until]: readonly [string, string]): string[] {
  const found: string[] = []
  for (let after = Date.parse(from) - 1; ; ) {
    const next = findNextCronTime({ ...EVERY_MINUTE_CRON, ...fields }, zone, after)
    if (next === undefined || next >= Date.parse(until)) return found
    found.push(new Date(next).toISOString())
    after = next
  }
}

describe('cron times', () => {
  test('a fixed time that a clock change skips or repeats fires once', () => {
    assert.deepEqual(times({ minute: '30', hour: '2' }, PARIS, SPRING), ['2026-03-29T01:00:00.000Z'])
    assert.deepEqual(times({ minute: '30', hour: '2' }, PARIS, AUTUMN), ['2026-10-25T00:30:00.000Z'])
  })

  test('"every half hour" fires 46 times on the 23-hour day and 50 times on the 25-hour day', () => {
    assert.equal(times({ minute: '*/30' }, PARIS, SPRING).length, 46)
    assert.equal(times({ minute: '*/30' }, PARIS, AUTUMN).length, 50)
  })

  test('fixed times skipped by a clock change and the time at its end fire only once', () => {
    assert.deepEqual(times({ minute: '0,15,45', hour: '2,3' }, PARIS, SPRING), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T01:15:00.000Z',
      '2026-03-29T01:45:00.000Z',
    ])
  })

  test('an hour step fires at every real minute that matches the local clock', () => {
    assert.equal(times({ minute: '30', hour: '*/2' }, PARIS, SPRING).length, 11)
    assert.equal(times({ minute: '30', hour: '*/2' }, PARIS, AUTUMN).length, 13)
    assert.equal(times({ minute: '30', hour: '2,4' }, PARIS, AUTUMN).length, 2)
  })

  test('half-hour gaps, gaps at midnight and skipped days are handled', () => {
    // Lord Howe goes from 02:00 to 02:30.
    const howe = ['2026-10-03T13:30:00.000Z', '2026-10-04T13:00:00.000Z'] as const
    assert.deepEqual(times({ minute: '15', hour: '2' }, 'Australia/Lord_Howe', howe), ['2026-10-03T15:30:00.000Z'])
    // Cairo went from 00:00 to 01:00.
    const cairo = ['2024-04-25T12:00:00.000Z', '2024-04-26T12:00:00.000Z'] as const
    assert.deepEqual(times({ minute: '30', hour: '0' }, 'Africa/Cairo', cairo), ['2024-04-25T22:00:00.000Z'])
    assert.deepEqual(times({ minute: '30', hour: '*', dayOfMonth: '26' }, 'Africa/Cairo', cairo).slice(0, 1), [
      '2024-04-25T22:30:00.000Z',
    ])
    // Apia had no 30 December 2011.
    const apia = ['2011-12-29T10:00:00.000Z', '2012-01-01T10:00:00.000Z'] as const
    assert.deepEqual(times({ minute: '30', hour: '12', dayOfMonth: '30' }, 'Pacific/Apia', apia), [
      '2011-12-30T10:00:00.000Z',
    ])
  })

  test('when day of month and day of week are both restricted, either one matches', () => {
    const found = times({ minute: '0', hour: '12', dayOfMonth: '1,15', dayOfWeek: 'MON' }, 'UTC', [
      '2026-02-01T00:00:00.000Z',
      '2026-02-17T00:00:00.000Z',
    ])
    assert.deepEqual(
      found.map((at) => at.slice(8, 10)),
      ['01', '02', '09', '15', '16'],
    )
  })

  test('the last day of the month, names, ranges with steps, and Sunday as SUN, 0 and 7 are accepted', () => {
    const year = ['2027-12-01T00:00:00.000Z', '2028-03-31T00:00:00.000Z'] as const
    const at = { minute: '0', hour: '0' }
    assert.deepEqual(
      times({ ...at, dayOfMonth: 'L' }, 'UTC', year).map((one) => one.slice(0, 10)),
      ['2027-12-31', '2028-01-31', '2028-02-29'],
    )
    assert.deepEqual(
      times({ ...at, dayOfMonth: '1-10/4', month: 'JAN-feb' }, 'UTC', year).map((one) => one.slice(5, 10)),
      ['01-01', '01-05', '01-09', '02-01', '02-05', '02-09'],
    )
    const sundays = times({ ...at, dayOfWeek: 'SUN' }, 'UTC', year)
    assert.equal(new Date(sundays[0]!).getUTCDay(), 0)
    assert.deepEqual(times({ ...at, dayOfWeek: '0' }, 'UTC', year), sundays)
    assert.deepEqual(times({ ...at, dayOfWeek: '7' }, 'UTC', year), sundays)
    const weekends = times({ ...at, dayOfWeek: 'SAT-SUN' }, 'UTC', year)
    assert.deepEqual(new Set(weekends.map((one) => new Date(one).getUTCDay())), new Set([6, 0]))
  })

  test('a time that never occurs returns undefined, and a rare leap day is found', () => {
    assert.equal(findNextCronTime({ ...EVERY_MINUTE_CRON, dayOfMonth: '30', month: '2' }, PARIS, 0), undefined)
    const after = Date.parse('2096-03-01T00:00:00.000Z')
    const leap = findNextCronTime(
      { ...EVERY_MINUTE_CRON, minute: '0', hour: '0', dayOfMonth: '29', month: 'FEB' },
      'UTC',
      after,
    )
    assert.equal(new Date(leap!).toISOString(), '2104-02-29T00:00:00.000Z')
  })

  test('away from clock changes, the times equal those of a minute-by-minute check', () => {
    const fields = { minute: '7-50/13', hour: '3,9-12', dayOfMonth: '*', month: '*', dayOfWeek: 'TUE-THU' }
    const [from, until] = ['2026-05-01T00:00:00.000Z', '2026-05-15T00:00:00.000Z'] as const
    const expected: string[] = []
    for (let at = Date.parse(from); at < Date.parse(until); at += 60_000) {
      const { minute, hour, dayOfWeek } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(PARIS)
      if (![7, 20, 33, 46].includes(minute) || ![3, 9, 10, 11, 12].includes(hour)) continue
      if (dayOfWeek >= 2 && dayOfWeek <= 4) expected.push(new Date(at).toISOString())
    }
    assert.ok(expected.length > 50)
    assert.deepEqual(times(fields, PARIS, [from, until]), expected)
  })
})

describe('the next firing of a task', () => {
  const cron = { type: 'cron', id: 'c', name: null, timeZone: null, ...EVERY_MINUTE_CRON, minute: '0' }
  const once = { type: 'once', id: 'o', name: null, at: '2026-02-02T09:30:00.000Z' }
  const task = (schedulers: object[], enabled = true) => ({ schedulers, enabled }) as unknown as WorkflowTask
  const after = Date.parse('2026-02-02T09:10:00.000Z')

  test('is the earliest time of its schedulers', () => {
    assert.equal(computeNextFiring(task([cron, once]), 'UTC', after), Date.parse('2026-02-02T09:30:00.000Z'))
    assert.equal(computeNextFiring(task([cron]), 'UTC', after), Date.parse('2026-02-02T10:00:00.000Z'))
  })

  test('is null without schedulers, after the last time, or when the task is disabled', () => {
    assert.equal(computeNextFiring(task([]), 'UTC', after), null)
    assert.equal(computeNextFiring(task([once]), 'UTC', Date.parse(once.at)), null)
    assert.equal(computeNextFiring(task([cron, once], false), 'UTC', after), null)
  })

  test('uses the time zone of the scheduler, or else that of the workflow', () => {
    const daily = { ...cron, hour: '9' }
    assert.equal(computeNextFiring(task([daily]), PARIS, after), Date.parse('2026-02-03T08:00:00.000Z'))
    const own = { ...daily, timeZone: { id: 'UTC' } }
    assert.equal(computeNextFiring(task([own]), PARIS, after), Date.parse('2026-02-03T09:00:00.000Z'))
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findDayStart, isCalendarDate, nextCalendarDay } from '../../console/text/days.ts'

suite('days of a time zone', () => {
  test('begin at local midnight, also where the clock changes on that day', () => {
    const begins = (day: string, zone: string) => findDayStart(day, zone)
    assert.equal(begins('2026-03-29', 'Europe/Paris'), '2026-03-28T23:00:00.000Z')
    assert.equal(begins('2026-03-30', 'Europe/Paris'), '2026-03-29T22:00:00.000Z')
    assert.equal(begins('2026-10-25', 'Europe/Paris'), '2026-10-24T22:00:00.000Z')
    assert.equal(begins('2026-10-26', 'Europe/Paris'), '2026-10-25T23:00:00.000Z')
    assert.equal(begins('2026-01-01', 'Asia/Kolkata'), '2025-12-31T18:30:00.000Z')
    assert.equal(begins('2026-01-01', 'America/St_Johns'), '2026-01-01T03:30:00.000Z')
    assert.equal(begins('2026-01-01', 'UTC'), '2026-01-01T00:00:00.000Z')
  })

  test('can be incremented, and other texts are not accepted as days', () => {
    assert.equal(nextCalendarDay('2026-02-28'), '2026-03-01')
    assert.deepEqual(
      ['2026-02-28', '2026-13-01', '20260228', 5].map((text) => isCalendarDate(text)),
      [true, false, false, false],
    )
  })
})

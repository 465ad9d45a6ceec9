import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPeriod, type Period } from './periods.ts'

const after = (date: string, period: Period, zone = 'Europe/Paris') =>
  new Date(addPeriod(Date.parse(date), period, zone)).toISOString()

test('days and more keep the time of day, hours and less are exact', () => {
  const start = '2026-03-28T11:00:00.000Z'
  assert.equal(after(start, { unit: 'DAY', value: 1 }), '2026-03-29T10:00:00.000Z')
  assert.equal(after(start, { unit: 'HOUR', value: 24 }), '2026-03-29T11:00:00.000Z')
  assert.equal(after('2026-01-31T12:00:00.000Z', { unit: 'MONTH', value: 1 }), '2026-02-28T12:00:00.000Z')
  assert.equal(after(start, { unit: 'YEAR', value: -1 }, 'UTC'), '2025-03-28T11:00:00.000Z')
})

test('a time of day in a gap is the first instant after it, of two the first', () => {
  assert.equal(after('2026-03-28T01:30:00.000Z', { unit: 'DAY', value: 1 }), '2026-03-29T01:00:00.000Z')
  assert.equal(after('2026-10-24T00:30:00.000Z', { unit: 'DAY', value: 1 }), '2026-10-25T00:30:00.000Z')
})

test('calendar: from the start of the unit, weeks begin on Monday', () => {
  const wednesday = '2026-11-18T15:00:00.000Z'
  const next = (unit: Period['unit']) => after(wednesday, { type: 'calendar', unit, value: 1 }, 'UTC')
  assert.equal(next('DAY'), '2026-11-19T00:00:00.000Z')
  assert.equal(next('WEEK'), '2026-11-23T00:00:00.000Z')
  assert.equal(next('MONTH'), '2026-12-01T00:00:00.000Z')
  assert.equal(next('YEAR'), '2027-01-01T00:00:00.000Z')
  assert.equal(next('HOUR'), '2026-11-18T16:00:00.000Z')
})

test('unknown units and zones are RangeErrors', () => {
  assert.throws(() => after('2026-01-01T00:00:00Z', { unit: 'constructor' as 'DAY', value: 1 }), RangeError)
  assert.throws(() => after('2026-01-01T00:00:00Z', { unit: 'DAY', value: 1 }, 'Nowhere/None'), RangeError)
})

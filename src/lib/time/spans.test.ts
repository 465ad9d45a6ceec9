import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeTimeSpanEnd, computeTimeSpanStart, findFirstInstant, type TimeSpan } from './spans.ts'

type Given = Partial<TimeSpan> & Pick<TimeSpan, 'unit' | 'value'>
const at = (ms: number) => new Date(ms).toISOString()
const after = (date: string, span: Given, zone = 'Europe/Paris') =>
  at(computeTimeSpanEnd({ type: 'rolling', ...span }, Date.parse(date), zone))
const before = (date: string, span: Given, zone = 'Europe/Paris') =>
  at(computeTimeSpanStart({ type: 'rolling', ...span }, Date.parse(date), zone))

test('days and longer units keep the time of day, and hours and shorter units are exact', () => {
  const start = '2026-03-28T11:00:00.000Z'
  assert.equal(after(start, { unit: 'DAY', value: 1 }), '2026-03-29T10:00:00.000Z')
  assert.equal(after(start, { unit: 'HOUR', value: 24 }), '2026-03-29T11:00:00.000Z')
  assert.equal(after('2026-01-31T12:00:00.000Z', { unit: 'MONTH', value: 1 }), '2026-02-28T12:00:00.000Z')
  assert.equal(after(start, { unit: 'YEAR', value: -1 }, 'UTC'), '2025-03-28T11:00:00.000Z')
})

test('a time of day in a gap becomes the first instant after it, and a repeated one its first occurrence', () => {
  assert.equal(after('2026-03-28T01:30:00.000Z', { unit: 'DAY', value: 1 }), '2026-03-29T01:00:00.000Z')
  assert.equal(after('2026-10-24T00:30:00.000Z', { unit: 'DAY', value: 1 }), '2026-10-25T00:30:00.000Z')
})

test('calendar spans begin at the start of the unit, and weeks on Monday', () => {
  const wednesday = '2026-11-18T15:00:00.000Z'
  const next = (unit: TimeSpan['unit']) => after(wednesday, { type: 'calendar', unit, value: 1 }, 'UTC')
  assert.equal(next('DAY'), '2026-11-19T00:00:00.000Z')
  assert.equal(next('WEEK'), '2026-11-23T00:00:00.000Z')
  assert.equal(next('MONTH'), '2026-12-01T00:00:00.000Z')
  assert.equal(next('YEAR'), '2027-01-01T00:00:00.000Z')
  assert.equal(next('HOUR'), '2026-11-18T16:00:00.000Z')
})

test('calendar hours count elapsed hours, even when clocks go back', () => {
  const hour = { type: 'calendar', unit: 'HOUR', value: 1 } as const
  assert.equal(after('2026-10-25T00:30:00.000Z', hour), '2026-10-25T01:00:00.000Z')
  assert.equal(after('2026-10-25T01:30:00.000Z', hour), '2026-10-25T02:00:00.000Z')
  assert.equal(after('2026-03-29T00:30:00.000Z', hour), '2026-03-29T01:00:00.000Z')
  assert.equal(after('2026-11-18T15:20:00.000Z', hour, 'Asia/Kolkata'), '2026-11-18T15:30:00.000Z')
})

test('spans can end at an instant', () => {
  assert.equal(before('2026-03-29T10:00:00.000Z', { unit: 'DAY', value: 1 }), '2026-03-28T11:00:00.000Z')
  assert.equal(before('2026-03-29T10:00:00.000Z', { unit: 'HOUR', value: 24 }), '2026-03-28T10:00:00.000Z')
  const calendar = (unit: TimeSpan['unit'], value: number) =>
    before('2026-11-18T15:20:00.000Z', { type: 'calendar', unit, value }, 'UTC')
  assert.equal(calendar('DAY', 1), '2026-11-18T00:00:00.000Z')
  assert.equal(calendar('WEEK', 2), '2026-11-09T00:00:00.000Z')
  assert.equal(calendar('HOUR', 2), '2026-11-18T14:00:00.000Z')
})

test('a local time that clocks skip becomes the first instant after it, and a repeated one the first', () => {
  const first = (local: string, zone = 'Europe/Paris') => at(findFirstInstant(Temporal.PlainDateTime.from(local), zone))
  assert.equal(first('2026-03-29T02:30'), '2026-03-29T01:00:00.000Z')
  assert.equal(first('2026-03-29T02:00'), '2026-03-29T01:00:00.000Z')
  assert.equal(first('2026-10-25T02:30'), '2026-10-25T00:30:00.000Z')
  // A whole day that was left out.
  assert.equal(first('2011-12-30T12:00', 'Pacific/Apia'), '2011-12-30T10:00:00.000Z')
})

test('unknown zones throw a RangeError', () => {
  assert.throws(() => after('2026-01-01T00:00:00Z', { unit: 'DAY', value: 1 }, 'Nowhere/None'), RangeError)
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Problem } from '../errors/problem.ts'
import { formatIsoInstant, parseInstant, parseTimePeriod } from './period.ts'

suite('instants', () => {
  test('are ISO dates and date-times, in UTC without an offset', () => {
    const noon = Date.UTC(2026, 2, 1, 12)
    for (const text of [
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:00',
      '2026-03-01 12:00:00',
      '2026-03-01T14:00:00+02:00',
      '2026-03-01T14:00:00 02:00',
      '2026-03-01T10:30-01:30',
      '2026-03-01 13:00:00 +0100',
      '2026-03-01T11:59:60Z',
    ]) {
      assert.equal(parseInstant(text), noon, text)
    }
    assert.equal(parseInstant('2026-03-01'), Date.UTC(2026, 2, 1))
    assert.equal(parseInstant('2026-03-01T24:00'), Date.UTC(2026, 2, 2))
  })

  test('are Unix milliseconds as a number or as digits', () => {
    assert.equal(parseInstant(1767258005120), 1767258005120)
    assert.equal(parseInstant('1767258005120'), 1767258005120)
    assert.equal(parseInstant('0'), 0)
    assert.equal(parseInstant(1767258005120.7), 1767258005120)
  })

  test('are limited to the years 0001 to 9999, even when an offset exceeds them', () => {
    const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
    const within: [unknown, number][] = [
      ['0001-01-01', first],
      ['0001-01-01T01:00+01:00', first],
      ['0000-12-31T23:00-01:00', first],
      [first, first],
      ['9999-12-31T23:59:59.999Z', last],
      ['9999-12-31T22:59:59.999-01:00', last],
      [String(last), last],
    ]
    for (const [value, instant] of within) assert.equal(parseInstant(value), instant, String(value))
    for (const value of [
      '0000-12-31',
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T24:00',
      '9999-12-31T23:59:60Z',
      '+010000-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '10000-01-01',
      first - 1,
      last + 1,
      String(first - 1),
      String(last + 1),
      1e15,
      8.64e15,
      -8.64e15,
      Number.POSITIVE_INFINITY,
    ])
      assert.equal(parseInstant(value), undefined, String(value))
    assert.deepEqual(
      [formatIsoInstant(last), formatIsoInstant(last + 1), formatIsoInstant(1.5)],
      ['9999-12-31T23:59:59.999Z', undefined, undefined],
    )
  })

  test('are refused when the day or the time does not exist', () => {
    for (const text of [
      '2026-02-30',
      '2026-13-01',
      '2026-01-01T25:00',
      '2026-01-01T10:61',
      '2026-01-01T24:01',
      'yesterday',
      '',
      '31/12/2026',
      '2026',
      '2026-01-01T10:00+24:00',
      '2026-01-01T10:00+01:60',
      '2026-01-01T10:00 PM',
      null,
      true,
      Number.NaN,
    ]) {
      assert.equal(parseInstant(text), undefined, String(text))
    }
  })
})

suite('periods', () => {
  test('may be open on either side or empty', () => {
    assert.deepEqual(parseTimePeriod({}), { start: undefined, end: undefined })
    assert.deepEqual(parseTimePeriod({ start: '5', end: '5' }), { start: 5, end: 5 })
  })

  test('report invalid dates and an end before the start', () => {
    assert.throws(
      () => parseTimePeriod({ from: 'soon', to: 'later' }, 'from', 'to'),
      (error) => error instanceof Problem && error.errors?.length === 2 && error.errors[0]?.pointer === 'from',
    )
    assert.throws(() => parseTimePeriod({ end: '253402300800000' }), /end: must be an ISO 8601 date/)
    assert.throws(() => parseTimePeriod({ start: '2', end: '1' }), /end: must not be before "start"/)
  })
})

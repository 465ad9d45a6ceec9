import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readInstant, readPeriod } from './period.ts'
import { Problem } from './problem.ts'

suite('instants', () => {
  test('are ISO dates and date-times, UTC without an offset', () => {
    const noon = Date.UTC(2026, 2, 1, 12)
    for (const text of [
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T12:00',
      '2026-03-01 12:00:00',
      '2026-03-01T14:00:00+02:00',
      '2026-03-01T14:00:00 02:00',
      '2026-03-01T10:30-01:30',
    ]) {
      assert.equal(readInstant(text), noon, text)
    }
    assert.equal(readInstant('2026-03-01'), Date.UTC(2026, 2, 1))
    assert.equal(readInstant('0001-01-01'), Date.parse('0001-01-01T00:00:00Z'))
  })

  test('are Unix milliseconds, as a number or digits', () => {
    assert.equal(readInstant(1767258005120), 1767258005120)
    assert.equal(readInstant('1767258005120'), 1767258005120)
    assert.equal(readInstant('0'), 0)
  })

  test('are none when the calendar has no such day, or the clock no such time', () => {
    for (const text of [
      '2026-02-30',
      '2026-13-01',
      '2026-01-01T25:00',
      '2026-01-01T10:61',
      '2026-01-01T24:01',
      'yesterday',
      '',
      '31/12/2026',
      null,
      true,
      Number.NaN,
    ]) {
      assert.equal(readInstant(text), undefined, String(text))
    }
  })
})

suite('periods', () => {
  test('have open sides, and may be empty', () => {
    assert.deepEqual(readPeriod({}), { start: undefined, end: undefined })
    assert.deepEqual(readPeriod({ start: '5', end: '5' }), { start: 5, end: 5 })
  })

  test('name what is no date, and an end before the start', () => {
    assert.throws(
      () => readPeriod({ from: 'soon', to: 'later' }, 'from', 'to'),
      (error) => error instanceof Problem && error.errors?.length === 2 && error.errors[0]?.pointer === 'from',
    )
    assert.throws(() => readPeriod({ start: '2', end: '1' }), /end: is before "start"/)
  })
})

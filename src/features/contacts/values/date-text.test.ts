import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isUncertainDate, parseCellDate, parseDateNumber, parseFieldDate } from './date-text.ts'

describe('readDate', () => {
  it('reads every accepted form as UTC with milliseconds', () => {
    const forms: [string, string][] = [
      ['1990-05-17', '1990-05-17T00:00:00.000Z'],
      ['1990-05-17T13:45', '1990-05-17T13:45:00.000Z'],
      ['1990-05-17 13:45:10', '1990-05-17T13:45:10.000Z'],
      ['1990-05-17T13:45:10.5Z', '1990-05-17T13:45:10.500Z'],
      ['1990-05-17T13:45:10.123456Z', '1990-05-17T13:45:10.123Z'],
      ['1990-05-17T00:30:00+02:00', '1990-05-16T22:30:00.000Z'],
      ['1990-05-17T23:30:00-0330', '1990-05-18T03:00:00.000Z'],
      ['0001-01-01', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      ['20240131', '2024-01-31T00:00:00.000Z'],
      ['19991231235959', '1999-12-31T23:59:59.000Z'],
      ['1767258005118', '2026-01-01T09:00:05.118Z'],
      ['1700000000', '1970-01-20T16:13:20.000Z'],
      ['-1', '1969-12-31T23:59:59.999Z'],
    ]
    for (const [text, value] of forms) assert.equal(parseFieldDate(text), value, text)
  })

  it('reads dates with slashes only when an order is set, and in that order', () => {
    assert.equal(parseFieldDate('01/02/2000', 'dmy'), '2000-02-01T00:00:00.000Z')
    assert.equal(parseFieldDate('01/02/2000', 'mdy'), '2000-01-02T00:00:00.000Z')
    assert.equal(parseFieldDate('31/1/2000 13:45', 'dmy'), '2000-01-31T13:45:00.000Z')
    assert.equal(parseFieldDate('31/01/2000 3:45:10', 'dmy'), '2000-01-31T03:45:10.000Z')
    assert.equal(parseFieldDate('01/02/2000'), undefined)
  })

  it('takes no bare number of a file or a form for a date that could mean several', () => {
    for (const text of [
      '45292',
      '45292.5',
      '1700000000',
      '-1',
      '0',
      '20240230',
      '20241301',
      '20240131240101',
      '12345678901',
    ])
      assert.equal(parseCellDate(text, 'dmy'), undefined, text)
    assert.equal(parseCellDate('20240131'), '2024-01-31T00:00:00.000Z')
    assert.equal(parseCellDate('19991231235959'), '1999-12-31T23:59:59.000Z')
    assert.equal(parseCellDate('1767258005118'), '2026-01-01T09:00:05.118Z')
    assert.equal(parseCellDate('176725800511'), '1975-08-08T10:30:00.511Z')
    assert.equal(parseCellDate('31/01/2024', 'dmy'), '2024-01-31T00:00:00.000Z')
    assert.deepEqual(['45292', '2024-01-31', '20240131', 'x'].map(isUncertainDate), [true, false, false, false])
  })

  it('reads bare numbers as seconds, milliseconds or spreadsheet days when a unit is chosen', () => {
    for (const [text, unit, date] of [
      ['1704067200', 'seconds', '2024-01-01T00:00:00.000Z'],
      ['1704067200.5', 'seconds', '2024-01-01T00:00:00.500Z'],
      ['-86400', 'seconds', '1969-12-31T00:00:00.000Z'],
      ['1704067200000', 'milliseconds', '2024-01-01T00:00:00.000Z'],
      ['86400000', 'milliseconds', '1970-01-02T00:00:00.000Z'],
      ['20240131', 'milliseconds', '1970-01-01T05:37:20.131Z'],
      ['61', 'serial', '1900-03-01T00:00:00.000Z'],
      ['45292', 'serial', '2024-01-01T00:00:00.000Z'],
      ['45292,52083', 'serial', '2024-01-01T12:30:00.000Z'],
      ['45292.5', 'serial', '2024-01-01T12:00:00.000Z'],
      ['1704067200', 'serial', undefined],
      ['999999999999', 'seconds', undefined],
    ] as const) {
      assert.equal(parseCellDate(text, 'dmy', unit), date, `${text} ${unit}`)
      assert.equal(parseDateNumber(text, unit), date, `${text} ${unit}`)
    }
    assert.equal(parseCellDate('31/01/2024', 'dmy', 'serial'), '2024-01-31T00:00:00.000Z')
    assert.equal(parseCellDate('2024-01-31', 'dmy', 'seconds'), '2024-01-31T00:00:00.000Z')
    assert.equal(parseCellDate('1e9', 'dmy', 'seconds'), undefined)
  })

  it('refuses days beyond the end of the month', () => {
    for (const text of [
      '20240230',
      '20241301',
      '20240131250000',
      '31/02/1990',
      '29/02/1900',
      '31/04/2001',
      '00/01/2001',
      '1/13/2001',
      '1/1/0000',
    ])
      assert.equal(parseFieldDate(text, 'dmy'), undefined, text)
    assert.equal(parseFieldDate('29/02/2000', 'dmy'), '2000-02-29T00:00:00.000Z')
    assert.equal(parseFieldDate('2001-02-29'), undefined)
  })

  it('refuses years outside 0001 to 9999, even when an offset causes them', () => {
    for (const text of ['0000-12-31', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '253402300800000'])
      assert.equal(parseFieldDate(text), undefined, text)
  })

  it('refuses texts that are not dates', () => {
    for (const text of [
      '',
      'today',
      '2000-1-1',
      '2000',
      '2000-01-01T24:01',
      '2000-01-01T12:60',
      '1/2/03',
      '2000-01-01T12:00 P',
    ])
      assert.equal(parseFieldDate(text, 'dmy'), undefined, text)
  })
})

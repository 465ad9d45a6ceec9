import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  detectDecimalMark,
  formatPlainNumber,
  isAmbiguousNumber,
  parseCellNumber,
  parseFieldNumber,
} from './number-text.ts'

describe('number text', () => {
  it('keeps 15 significant digits exactly and refuses 16', () => {
    assert.equal(parseFieldNumber('123456789012345'), 123456789012345)
    assert.equal(parseFieldNumber('1234567890123456'), undefined)
    assert.equal(parseFieldNumber('0.000123456789012345'), 0.000123456789012345)
    assert.equal(parseFieldNumber('0.1234567890123456'), undefined)
  })

  it('ignores insignificant zeros', () => {
    assert.equal(parseFieldNumber('12.10'), 12.1)
    assert.equal(parseFieldNumber('000012.500000000000000000'), 12.5)
    assert.equal(parseFieldNumber('1000000000000000000'), 1e18)
  })

  it('reads -0 and 0.000 as 0', () => {
    assert.ok(Object.is(parseFieldNumber('-0'), 0))
    assert.ok(Object.is(parseFieldNumber('0.000'), 0))
  })

  it('refuses texts that are not numbers or do not fit a double', () => {
    for (const text of ['', '.', '-', 'NaN', 'Infinity', '0x10', '1_000', '1,5', '1 2', '1e400', '1e-400', '١'])
      assert.equal(parseFieldNumber(text), undefined, text)
  })

  it('reads decimal commas and thousands separators in cells only', () => {
    const cells: [string, number | undefined][] = [
      ['1 234,50', 1234.5],
      ['1\u202f234\u00a0567', 1234567],
      ['-12,5', -12.5],
      ['12.5', 12.5],
      ['1,234.5', 1234.5],
      ['1.234,5', 1234.5],
      ['-1.234.567', -1234567],
      ['1,234,567.25', 1234567.25],
      ["1'234.567", 1234.567],
      ['1’234’567', 1234567],
      ['1\u2009234,567', 1234.567],
      ['0,125', 0.125],
      ['1234,567', 1234.567],
      ['1,5e3', 1500],
      ['1 2', undefined],
      ['1,2,3', undefined],
      ['1.234.56', undefined],
      ['1,234,56', undefined],
      ['12,34.5', undefined],
      ['1 234.567,5', undefined],
      ['a lot', undefined],
    ]
    for (const mark of ['comma', 'point'] as const)
      for (const [text, value] of cells) assert.equal(parseCellNumber(text, mark), value, `${text} with a ${mark}`)
  })

  it('reads cells with one mark before three digits by the decimal mark', () => {
    for (const [text, comma, point] of [
      ['1,234', 1.234, 1234],
      ['1.234', 1234, 1.234],
      ['-12,500 €', -12.5, -12500],
    ] as const) {
      assert.deepEqual([parseCellNumber(text, 'comma'), parseCellNumber(text, 'point')], [comma, point], text)
      assert.ok(isAmbiguousNumber(text), text)
    }
    for (const text of ['1,23', '1,2345', '0,123', '1234,567', '1,234,567', '1,234.5', '1234', ''])
      assert.ok(!isAmbiguousNumber(text), text)
  })

  it('drops currency and percent signs and spaces around the numbers of cells, but not within other text', () => {
    for (const text of ['12,5\u00a0€', '€ 12.5', '$12.5', '£12.5', '12.5%', '12,5\u202f%', '+€12.5'])
      assert.equal(parseCellNumber(text, 'point'), 12.5, text)
    for (const text of ['-€12.5', '€-12.5', '\u221212,5']) assert.equal(parseCellNumber(text, 'point'), -12.5, text)
    for (const text of ['12€50', '€', '%', '%12', '12 pcs', '12.5 EUR'])
      assert.equal(parseCellNumber(text, 'point'), undefined, text)
  })

  it('detects the decimal mark of a column unless no cell shows it or cells contradict each other', () => {
    const columns: [cells: string[], mark: string | undefined][] = [
      [['1.234', '1.234,5'], 'comma'],
      [['1,234', '1,234.5'], 'point'],
      [['1,234', '1,234,567'], 'point'],
      [['1.234', '1.234.567'], 'comma'],
      [['1.234', '12,5'], 'comma'],
      [['1,234', ' 12.50 € '], 'point'],
      [['1,234', '0,5'], 'comma'],
      [['1,234', '0,125'], 'comma'],
      [['1,234', '1 234,567'], 'comma'],
      [['1,234', '2,500'], undefined],
      [['1,234', '2.500'], undefined],
      [['1,234', '12,5', '12.5'], undefined],
      [['1,234', '1,2,3', 'x', '1 234', '7', ''], undefined],
    ]
    for (const [cells, mark] of columns) assert.equal(detectDecimalMark(cells), mark, cells.join(' | '))
  })

  it('is written without an exponent', () => {
    assert.equal(formatPlainNumber(1e21), '1000000000000000000000')
    assert.equal(formatPlainNumber(-1.5e22), '-15000000000000000000000')
    assert.equal(formatPlainNumber(1.25e-7), '0.000000125')
    assert.equal(formatPlainNumber(7), '7')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plainNumber, readCellNumber, readNumber } from './number-text.ts'

describe('number text', () => {
  it('keeps 15 significant digits exactly and refuses 16', () => {
    assert.equal(readNumber('123456789012345'), 123456789012345)
    assert.equal(readNumber('1234567890123456'), undefined)
    assert.equal(readNumber('0.000123456789012345'), 0.000123456789012345)
    assert.equal(readNumber('0.1234567890123456'), undefined)
  })

  it('ignores insignificant zeros', () => {
    assert.equal(readNumber('12.10'), 12.1)
    assert.equal(readNumber('000012.500000000000000000'), 12.5)
    assert.equal(readNumber('1000000000000000000'), 1e18)
  })

  it('reads -0 and 0.000 as 0', () => {
    assert.ok(Object.is(readNumber('-0'), 0))
    assert.ok(Object.is(readNumber('0.000'), 0))
  })

  it('refuses texts that are not numbers or do not fit a double', () => {
    for (const text of ['', '.', '-', 'NaN', 'Infinity', '0x10', '1_000', '1,5', '1 2', '1e400', '1e-400', '١'])
      assert.equal(readNumber(text), undefined, text)
  })

  it('reads decimal commas and thousands separators in cells only', () => {
    const cells: [string, number | undefined][] = [
      ['1 234,50', 1234.5],
      ['1\u202f234\u00a0567', 1234567],
      ['-12,5', -12.5],
      ['12.5', 12.5],
      ['1 2', undefined],
      ['1,234.5', undefined],
      ['1,2,3', undefined],
      ['a lot', undefined],
    ]
    for (const [text, value] of cells) assert.equal(readCellNumber(text), value, text)
  })

  it('is written without an exponent', () => {
    assert.equal(plainNumber(1e21), '1000000000000000000000')
    assert.equal(plainNumber(-1.5e22), '-15000000000000000000000')
    assert.equal(plainNumber(1.25e-7), '0.000000125')
    assert.equal(plainNumber(7), '7')
  })
})

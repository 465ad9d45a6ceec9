import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSheetNumber, getBuiltInNumberKind, parseNumberKind } from './sheet-values.ts'

const textOf = (stored: string, kind: Parameters<typeof formatSheetNumber>[1] = 'number', is1904 = false) =>
  formatSheetNumber(stored, kind, is1904).text

test('the kind of a number format is that of its tokens, without literals, colours and conditions', () => {
  const kinds = {
    General: 'number',
    '0': 'number',
    '#,##0.00': 'number',
    '0.00E+00': 'number',
    '@': 'number',
    '[Red]#,##0;[Blue]-#,##0': 'number',
    '0" days"': 'number',
    'General" EUR"': 'number',
    '[$€-407] #,##0.00': 'number',
    '\\d0': 'number',
    '0_d': 'number',
    '0%': 'percent',
    '0.0 %;[Red]-0.0 %': 'percent',
    'yyyy-mm-dd': 'date',
    'dd/mm/yyyy;@': 'date',
    '[$-40C]d mmmm yyyy': 'date',
    mmm: 'date',
    'm/d/yy h:mm': 'dateTime',
    'yyyy-mm-dd"T"hh:mm:ss': 'dateTime',
    'h:mm AM/PM': 'time',
    'mm:ss.0': 'time',
    '[h]:mm:ss': 'elapsed',
    '[mm]:ss': 'elapsed',
    'ggge"年"m"月"d"日"': 'date',
  }
  for (const [code, kind] of Object.entries(kinds)) assert.equal(parseNumberKind(code), kind, code)
  assert.deepEqual([0, 9, 14, 20, 22, 44, 46, 49, 57].map(getBuiltInNumberKind), [
    'number',
    'percent',
    'date',
    'time',
    'dateTime',
    'number',
    'elapsed',
    'number',
    'date',
  ])
})

test('numbers have the digits that people typed, and no others', () => {
  const texts = {
    '33612345678': '33612345678',
    '3.3612345678E+10': '33612345678',
    '1.1000000000000001': '1.1',
    '0.30000000000000004': '0.3',
    '1.0': '1',
    '-12.5': '-12.5',
    '00612': '00612',
    '1234567890123456789': '1234567890123456789',
    '1E-3': '0.001',
    x: 'x',
  }
  for (const [stored, text] of Object.entries(texts)) assert.equal(textOf(stored), text, stored)
})

test('a number of more than 15 digits is reported, as spreadsheets have changed its last ones', () => {
  const isLong = (stored: string) => formatSheetNumber(stored, 'number', false).isLong
  assert.deepEqual(['999999999999999', '4111111111111111', '4.1111111111111109E+15'].map(isLong), [false, true, true])
})

test('per cent are as the sheet shows them', () => {
  assert.deepEqual(
    ['0.125', '0.07', '1', '0.333333333333333'].map((stored) => textOf(stored, 'percent')),
    ['12.5%', '7%', '100%', '33.3333333333333%'],
  )
})

test('dates count from 1900, with the 29 February 1900 that never was, or from 1904', () => {
  const dates = { '1': '1900-01-01', '59': '1900-02-28', '60': '1900-02-29', '61': '1900-03-01', '45292': '2024-01-01' }
  for (const [stored, text] of Object.entries(dates)) assert.equal(textOf(stored, 'date'), text, stored)
  assert.deepEqual([textOf('0', 'date', true), textOf('43830', 'date', true)], ['1904-01-01', '2024-01-01'])
})

test('times are kept: of dates where there are any, alone where the format shows no date', () => {
  assert.equal(textOf('45292.5', 'date'), '2024-01-01T12:00:00')
  assert.equal(textOf('45292', 'dateTime'), '2024-01-01T00:00:00')
  assert.equal(textOf('45292.999999', 'dateTime'), '2024-01-02T00:00:00')
  assert.equal(textOf('0.75', 'time'), '18:00:00')
  assert.equal(textOf('45292.75', 'time'), '2024-01-01T18:00:00')
  assert.equal(textOf('1.5', 'elapsed'), '36:00:00')
})

test('a number that is no date of the system stays a number', () => {
  assert.deepEqual(
    ['-1', '2958466', '1E+300'].map((stored) => textOf(stored, 'date')),
    ['-1', '2958466', '1e+300'],
  )
})

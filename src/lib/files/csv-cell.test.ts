import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCsvCell } from './csv-cell.ts'

test('cells that a spreadsheet would evaluate as a formula are escaped', () => {
  const cells = ['=1+1', '+33612345678', '-1', '@a', '\tx', '\rx', 'a=b', ' =1', null, 3, -3]
  const written = ["'=1+1", "'+33612345678", "'-1", "'@a", "'\tx", '"\'\rx"', 'a=b', ' =1', '', '3', "'-3"]
  assert.deepEqual(
    cells.map((cell) => formatCsvCell(cell, ',')),
    written,
  )
})

test('line breaks, quotes and the cell separator are quoted, even in formulas', () => {
  const cells = ['say "hi"', 'a\nb', 'a,b', 'a;b', '=HYPERLINK("x";"y")', new Date(0)]
  assert.deepEqual(
    cells.map((cell) => formatCsvCell(cell, ';')),
    ['"say ""hi"""', '"a\nb"', 'a,b', '"a;b"', `"'=HYPERLINK(""x"";""y"")"`, '1970-01-01T00:00:00.000Z'],
  )
  assert.equal(formatCsvCell('a,b', ','), '"a,b"')
  assert.equal(formatCsvCell('a;b', ','), 'a;b')
})

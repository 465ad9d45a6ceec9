import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { guessColumnKind, listColumnLabels } from '../../console/screens/imports/columns/column-kinds.ts'
import { parseDelimitedRows } from '../../console/screens/imports/columns/delimited.ts'
import { findFreeFieldName } from '../../console/screens/imports/columns/free-name.ts'
import { buildPastedFile } from '../../console/screens/imports/columns/pasted-file.ts'

const column = (heading: string, cells: readonly string[], isWhole = true) => ({
  heading,
  cells,
  isWhole,
  labelSeparator: '|',
})
const guess = (heading: string, cells: readonly string[], isWhole = true) =>
  guessColumnKind(column(heading, cells, isWhole))
const repeat = (values: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => values[index % values.length] ?? '')

suite('the kind of a column of an import', () => {
  test('is text where cells differ in kind, and where there are none', () => {
    assert.deepEqual(guess('Points', ['12', 'n/a', '7']), { kind: 'text' })
    assert.deepEqual(guess('Contact', ['ann@orchard.example', 'none']), { kind: 'text' })
    assert.deepEqual(guess('Empty', ['', ' ']), { kind: 'text' })
    assert.deepEqual(guess('None', []), { kind: 'text' })
  })

  test('is a date with the order that its cells show', () => {
    assert.deepEqual(guess('Joined', ['2026-03-01', '2025-12-31']), { kind: 'date' })
    assert.deepEqual(guess('Joined', ['31/01/2026', '02/03/2026']), { kind: 'date', dateOrder: 'dmy' })
    assert.deepEqual(guess('Joined', ['01/31/2026', '02/03/2026']), { kind: 'date', dateOrder: 'mdy' })
    assert.deepEqual(guess('Joined', ['01/02/2026']), { kind: 'date' })
    assert.deepEqual(guess('Joined', ['31/01/2026', '01/31/2026']), { kind: 'text' })
    assert.deepEqual(guess('Joined', ['2026-02-30']), { kind: 'text' })
    assert.deepEqual(guess('Seen', ['2026-03-01T10:00:00Z', '2026-03-02']), { kind: 'dateTime' })
    assert.deepEqual(guess('Seen', ['31/01/2026 8:30']), { kind: 'dateTime', dateOrder: 'dmy' })
  })

  test('is a number with either decimal mark, but not with both, and not with leading zeros', () => {
    assert.deepEqual(guess('Prix', ['12,50', '7', '1 234,5']), { kind: 'number' })
    assert.deepEqual(guess('Price', ['12.50', '-7', '1,234.50']), { kind: 'number' })
    assert.deepEqual(guess('Price', ['12.50', '7,25']), { kind: 'text' })
    assert.deepEqual(guess('Post code', ['01234', '69003']), { kind: 'text' })
    assert.deepEqual(guess('Card', ['1234567890123456']), { kind: 'text' })
  })

  test('is a phone number with a plus, or with the heading of one, also with accents', () => {
    assert.deepEqual(guess('Contact', ['+33 6 12 34 56 78', '+44 20 7946 0000']), { kind: 'phone' })
    assert.deepEqual(guess('Téléphone', ['0612345678', '01.23.45.67.89']), { kind: 'phone' })
    assert.deepEqual(guess('Mobile', ['+33612345678', 'ask Ann']), { kind: 'text' })
    assert.deepEqual(guess('Reference', ['612345678']), { kind: 'number' })
  })

  test('is an address of mail or of a page, and long text where a line is too short', () => {
    assert.deepEqual(guess('Second email', ['émilie@orchard.example', 'bob@orchard.example']), { kind: 'email' })
    assert.deepEqual(guess('Site', ['https://orchard.example/apples']), { kind: 'url' })
    assert.deepEqual(guess('Note', ['a'.repeat(256), 'b']), { kind: 'longText' })
  })

  test('is yes or no in several languages', () => {
    assert.deepEqual(guess('Member', ['Yes', 'no', '']), { kind: 'yesNo' })
    assert.deepEqual(guess('Adhérent', ['OUI', 'NON']), { kind: 'yesNo' })
    assert.deepEqual(guess('Member', ['yes', 'maybe']), { kind: 'text' })
  })

  test('is a list only where few values repeat and all rows are known', () => {
    const fruits = repeat(['Apple', 'Pear', 'apple'], 60)
    assert.deepEqual(guess('Favourite fruit', fruits), { kind: 'one' })
    assert.deepEqual(guess('Favourite fruit', fruits, false), { kind: 'text' })
    assert.deepEqual(guess('Prénom', repeat(['Zoë', 'Ann'], 60)), { kind: 'text' })
    assert.deepEqual(guess('Town', repeat(['Lyon', 'Paris'], 60)), { kind: 'text' })
    assert.deepEqual(guess('Fruits', repeat(['Apple|Pear', 'Pear', 'Plum'], 60)), { kind: 'several' })
  })

  test('is guessed from each of 10,000 rows', () => {
    const numbers = Array.from({ length: 9_999 }, (_, index) => String(index))
    assert.deepEqual(guess('Points', [...numbers, '10000']), { kind: 'number' })
    assert.deepEqual(guess('Points', [...numbers, 'unknown']), { kind: 'text' })
  })
})

suite('values of the list for a column', () => {
  test('are each listed once, regardless of case', () => {
    assert.deepEqual(listColumnLabels('one', column('Fruit', ['Apple', 'pear', 'APPLE', ''])), ['Apple', 'pear'])
    assert.deepEqual(listColumnLabels('several', column('Fruits', ['Apple|Pear', 'Plum'])), ['Apple', 'Pear', 'Plum'])
  })

  test('have yes and no, in the case of the file, even if one does not occur', () => {
    assert.deepEqual(listColumnLabels('yesNo', column('Member', ['Yes'])), ['Yes', 'No'])
    assert.deepEqual(listColumnLabels('yesNo', column('Member', ['NON'])), ['NON', 'OUI'])
    assert.deepEqual(listColumnLabels('yesNo', column('Member', ['true'])), ['true', 'false'])
  })
})

suite('sampled rows', () => {
  test('keep quoted separators, quotes and line breaks, and leave out empty lines', () => {
    const text = 'a;"b;""c""\nd";\r\n\r\n"x";y;z\n1;2'
    assert.deepEqual(parseDelimitedRows(text, ';', 10), [
      ['a', 'b;"c"\nd', ''],
      ['x', 'y', 'z'],
      ['1', '2'],
    ])
    assert.deepEqual(parseDelimitedRows(text, ';', 1).length, 1)
    assert.deepEqual(parseDelimitedRows('a,', ',', 10), [['a', '']])
  })
})

suite('the name of a new field', () => {
  test('is not that of another field, and not a number', () => {
    assert.equal(findFreeFieldName('Town', ['Email']), 'Town')
    assert.equal(findFreeFieldName(' Date d’anniversaire ', ['date d’anniversaire']), 'Date d’anniversaire (2)')
    assert.equal(findFreeFieldName('2026', []), '2026 (2)')
  })
})

suite('pasted text as a file', () => {
  const paste = async (text: string) => {
    const file = buildPastedFile(text, 'Pasted')
    return [file.name, await file.text()]
  }

  test('has one address on each line, without the names around them', async () => {
    const addresses = 'ann@orchard.example\nomar@orchard.example'
    assert.deepEqual(await paste('Ann <ann@orchard.example>, "Omar" <omar@orchard.example>;'), [
      'Pasted.csv',
      addresses,
    ])
    assert.deepEqual(await paste(' ann@orchard.example\n\nomar@orchard.example\n'), ['Pasted.csv', addresses])
  })

  test('keeps the rows of a spreadsheet, and those of a text with headings', async () => {
    const rows = 'Email\tTown\nann@orchard.example\tLyon'
    assert.deepEqual(await paste(rows), ['Pasted.tsv', rows])
    assert.deepEqual(await paste('Email,Town\nann@orchard.example,Lyon'), [
      'Pasted.csv',
      'Email,Town\nann@orchard.example,Lyon',
    ])
  })
})

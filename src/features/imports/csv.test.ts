import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvReader, type Line, MAX_LINE } from './csv.ts'

function readAll(text: string, separator = ';', pieceLength = text.length || 1): Line[] {
  const reader = csvReader(separator)
  const lines: Line[] = []
  for (let at = 0; at < text.length; at += pieceLength) lines.push(...reader.read(text.slice(at, at + pieceLength)))
  return [...lines, ...reader.end()]
}

const cellsOf = (text: string, separator?: string): string[][] => readAll(text, separator).map(({ cells }) => cells)

const cases: [name: string, text: string, lines: Line[]][] = [
  [
    'reads the last line without a line break',
    'a;b\r\nc;d',
    [
      { number: 1, cells: ['a', 'b'] },
      { number: 2, cells: ['c', 'd'] },
    ],
  ],
  [
    'takes CR, LF and CRLF alike',
    'a\rb\nc\r\nd\r',
    [
      { number: 1, cells: ['a'] },
      { number: 2, cells: ['b'] },
      { number: 3, cells: ['c'] },
      { number: 4, cells: ['d'] },
    ],
  ],
  [
    'passes over blank lines and counts them in the numbers',
    'a\n\n  \n\nb\n',
    [
      { number: 1, cells: ['a'] },
      { number: 5, cells: ['b'] },
    ],
  ],
  ['keeps a line of empty cells', ';;\n', [{ number: 1, cells: ['', '', ''] }]],
  [
    'reads doubled quotes, separators and line breaks within quotes',
    '"say ""hi""; you";"two\r\nlines"\nb;c\n',
    [
      { number: 1, cells: ['say "hi"; you', 'two\r\nlines'] },
      { number: 3, cells: ['b', 'c'] },
    ],
  ],
  ['reads empty quoted cells', '"";"""";x\n', [{ number: 1, cells: ['', '"', 'x'] }]],
  [
    'keeps a quote amid a cell, and what follows a closing one',
    'a"b;"c"d;e\n',
    [{ number: 1, cells: ['a"b', 'cd', 'e'] }],
  ],
  [
    'says of a quote that is still open at the end',
    'a\nb;"c\nd',
    [
      { number: 1, cells: ['a'] },
      { number: 2, cells: ['b', 'c\nd'], fault: 'open-quote' },
    ],
  ],
]

for (const [name, text, lines] of cases) {
  test(name, () => assert.deepEqual(readAll(text), lines))
  test(`${name}, however the text is split`, () => {
    for (let length = 1; length < text.length; length++) assert.deepEqual(readAll(text, ';', length), lines)
  })
}

test('splits at any separator', () => {
  assert.deepEqual(cellsOf('a\tb\n', '\t'), [['a', 'b']])
  assert.deepEqual(cellsOf('a|"b|c"\n', '|'), [['a', 'b|c']])
})

test('refuses a line over 1 MiB and continues after it, however the text is split', () => {
  const long = 'x'.repeat(MAX_LINE + 1)
  const expected = [
    { number: 1, cells: ['a'] },
    { number: 2, cells: [], fault: 'too-long' },
    { number: 3, cells: ['b'] },
  ]
  for (const pieceLength of [1 << 16, 1 << 18, MAX_LINE, MAX_LINE + 3, 1 << 22]) {
    for (const lineBreak of ['\n', '\r', '\r\n']) {
      assert.deepEqual(readAll(['a', long, 'b'].join(lineBreak), ';', pieceLength), expected)
    }
  }
})

test('finds the end of a long line despite line breaks and separators in quoted cells', () => {
  const long = `"${'x;"";\n'.repeat(MAX_LINE / 4)}"`
  const lines = readAll(`a\n${long};c\nb`, ';', 1 << 16)
  assert.deepEqual(lines.at(-1), { number: 3 + MAX_LINE / 4, cells: ['b'] })
  assert.deepEqual(
    lines.map(({ fault }) => fault),
    [undefined, 'too-long', undefined],
  )
})

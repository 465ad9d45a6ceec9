import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImportLine, MAX_IMPORT_LINE_LENGTH } from '../run/lines.ts'
import { type CsvDialect, createCsvReader } from './csv.ts'

const plain: CsvDialect = { separator: ';' }

function readAll(text: string, dialect = plain, pieceLength = text.length || 1): ImportLine[] {
  const reader = createCsvReader(dialect)
  const pieces: ImportLine[][] = []
  for (let at = 0; at < text.length; at += pieceLength) pieces.push(reader.read(text.slice(at, at + pieceLength)))
  return [...pieces.flat(), ...reader.end()]
}

const cellsOf = (text: string, dialect?: CsvDialect): string[][] => readAll(text, dialect).map(({ cells }) => cells)

const cases: [name: string, text: string, lines: ImportLine[]][] = [
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
      { number: 1, cells: ['say "hi"; you', 'two\r\nlines'], hasBreaks: true },
      { number: 3, cells: ['b', 'c'] },
    ],
  ],
  ['reads empty quoted cells', '"";"""";x\n', [{ number: 1, cells: ['', '"', 'x'] }]],
  [
    'keeps a quote amid a cell, and what follows a closing one',
    'a"b;"c"d;e\n',
    [{ number: 1, cells: ['a"b', 'cd', 'e'], isOdd: true }],
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
    for (let length = 1; length < text.length; length++) assert.deepEqual(readAll(text, plain, length), lines)
  })
}

test('splits at any separator', () => {
  assert.deepEqual(cellsOf('a\tb\n', { separator: '\t' }), [['a', 'b']])
  assert.deepEqual(cellsOf('a|"b|c"\n', { separator: '|' }), [['a', 'b|c']])
})

const quotings: [name: string, dialect: Partial<CsvDialect>, text: string, cells: string[][]][] = [
  ['a backslash before a quote', { isEscaped: true }, '"say \\"a; b\\"";c\n', [['say "a; b"', 'c']]],
  ['doubled quotes next to backslashes', { isEscaped: true }, '"a""b\\"c";d\n', [['a"b"c', 'd']]],
  ['a backslash at the end of a cell', { isEscaped: true }, '"C:\\\\dir\\\\";d\n', [['C:\\dir\\', 'd']]],
  ['a backslash before another character', { isEscaped: true }, '"C:\\new";"\\N"\n', [['C:\\new', '\\N']]],
  ['an escaped quote outside of quotes', { isEscaped: true }, 'say \\"a\\";"b"\n', [['say "a"', 'b']]],
  [
    'a line break after an escaped quote',
    { isEscaped: true },
    '"a\\"\nb";c\nd;e\n',
    [
      ['a"\nb', 'c'],
      ['d', 'e'],
    ],
  ],
  ['a backslash as any character where it escapes nothing', {}, '"C:\\";c\n', [['C:\\', 'c']]],
  ['blanks before a quote', { isPadded: true }, 'a; "b; c";\t "d"\n', [['a', 'b; c', 'd']]],
  ['blanks before a quote of the first cell', { isPadded: true }, '  "a;b" ;c\n', [['a;b', 'c']]],
  ['blanks before text', { isPadded: true }, 'a;  b "c"\n', [['a', '  b "c"']]],
  ['blanks before a quote as text where no quote has any', {}, 'a; "b"\n', [['a', ' "b"']]],
  ['blanks behind a quote', {}, '"a" ;"b"\t\n"c" \n', [['a', 'b'], ['c']]],
]
for (const [name, dialect, text, cells] of quotings) {
  test(`reads ${name}, however the text is split`, () => {
    for (let length = 1; length <= text.length; length++)
      assert.deepEqual(
        readAll(text, { ...plain, ...dialect }, length).map((line) => line.cells),
        cells,
      )
  })
}

const three: CsvDialect = { separator: ';', width: 3 }

/** Lines by number: their cells joined, or their fault. */
const summaryOf = (lines: readonly ImportLine[]): string[] =>
  lines.map(({ number, cells, fault, opened }) => `${number} ${fault ?? cells.join('|')}${opened ? ` ${opened}` : ''}`)

const doubts: [name: string, text: string, lines: string[]][] = [
  ['after an unclosed quote', 'a;b;c\nd;"e;f\ng;h;i\n', ['1 a|b|c', '2 open-quote', '3 g|h|i']],
  ['after one that the next quoted cell closes', 'a;"b;c\nd;"e";f\ng;h;i\n', ['1 open-quote', '2 d|e|f', '3 g|h|i']],
  ['after one in a file that quotes each cell', '"a";"b;"c"\n"d";"e";"f"\n', ['1 open-quote', '2 d|e|f']],
  ['after one at the end of a line', '"a";"b";"c\r\n"d";"e";"f"\r\n', ['1 open-quote', '2 d|e|f']],
  ['after one in the last line', 'a;b;c\nd;e;"f', ['1 a|b|c', '2 open-quote']],
  [
    'after one in each of some lines',
    'a;"b;c\nd;"e;f\ng;"h;i\nj;k;l\n',
    ['1 open-quote', '2 open-quote', '3 open-quote', '4 j|k|l'],
  ],
  [
    'after lines without the usual number of cells',
    'a;"b;c\nd;e\n\nf\ng;h;i\nj;k\n',
    ['1 open-quote', '2 in-doubt 1', '4 in-doubt 1', '5 g|h|i', '6 j|k'],
  ],
  ['at a record of several lines', 'a;"b;c\nd;"e\nf";g\nh;i;j\n', ['1 open-quote', '2 d|e\nf|g', '4 h|i|j']],
  [
    'twice',
    'a;"b;c\nd;e;f\ng;"h;i\nj;k;l\nm;"n";o\n',
    ['1 open-quote', '2 d|e|f', '3 open-quote', '4 j|k|l', '5 m|n|o'],
  ],
  ['at once where quotes of a line shift its cells', 'a; "b;c";d\ne;f;g\n', ['1 open-quote', '2 e|f|g']],
  ['nowhere where quotes are odd and cells are right', 'a;"b"x;c\nd;5" e;f\n', ['1 a|bx|c', '2 d|5" e|f']],
  ['nowhere where lines are short or long', 'a;"b"\n"c";d;e;"f"\n', ['1 a|b', '2 c|d|e|f']],
  ['nowhere within a cell of several lines', 'a;"b\nc;d;e\n";f\n', ['1 a|b\nc;d;e\n|f']],
]
for (const [name, text, lines] of doubts) {
  test(`reads again ${name}, however the text is split`, () => {
    for (let length = 1; length <= text.length; length++)
      assert.deepEqual(summaryOf(readAll(text, three, length)), lines)
  })
}

test('loses one line to an unclosed quote in a file of several megabytes', () => {
  const line = 'a;b;c\n'
  const text = `a;"b;c\n${line.repeat(500_000)}`
  for (const pieceLength of [1 << 16, 1 << 18, 1 << 22]) {
    const lines = readAll(text, three, pieceLength)
    assert.deepEqual([lines.length, lines.filter(({ fault }) => fault).length], [500_001, 1])
    assert.deepEqual(lines.at(-1), { number: 500_001, cells: ['a', 'b', 'c'] })
  }
})

test('takes time in proportion to the length of a text with unclosed quotes', () => {
  const took = (text: string): number => {
    // Of this thread alone: others of the process may be at work.
    const before = process.threadCpuUsage()
    readAll(text, { separator: ';', width: 2 }, 1 << 18)
    return process.threadCpuUsage(before).user
  }
  const lines = ['a";"\n', 'a;"b\n', 'a;"b\nc;d\n', 'a;";"\n', 'a";"\nb;c\n', 'a;"""\n']
  took(lines.join('').repeat(10_000))
  for (const line of lines) {
    const [few, many] = [took(line.repeat(20_000)), took(line.repeat(160_000))]
    assert.ok(many < few * 40 + 400_000, `${JSON.stringify(line)}: ${few} and ${many} µs`)
  }
})

test('refuses a line over 1 MiB and continues after it, however the text is split', () => {
  const long = 'x'.repeat(MAX_IMPORT_LINE_LENGTH + 1)
  const expected = [
    { number: 1, cells: ['a'] },
    { number: 2, cells: [], fault: 'too-long' },
    { number: 3, cells: ['b'] },
  ]
  for (const pieceLength of [1 << 16, 1 << 18, MAX_IMPORT_LINE_LENGTH, MAX_IMPORT_LINE_LENGTH + 3, 1 << 22]) {
    for (const lineBreak of ['\n', '\r', '\r\n']) {
      assert.deepEqual(readAll(['a', long, 'b'].join(lineBreak), plain, pieceLength), expected)
    }
  }
})

test('finds the end of a long line despite line breaks and separators in quoted cells', () => {
  const long = `"${'x;"";\n'.repeat(MAX_IMPORT_LINE_LENGTH / 4)}"`
  const lines = readAll(`a\n${long};c\nb`, plain, 1 << 16)
  assert.deepEqual(lines.at(-1), { number: 3 + MAX_IMPORT_LINE_LENGTH / 4, cells: ['b'] })
  assert.deepEqual(
    lines.map(({ fault }) => fault),
    [undefined, 'too-long', undefined],
  )
})

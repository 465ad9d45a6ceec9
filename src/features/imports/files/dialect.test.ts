import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectDialect, detectSeparator } from './dialect.ts'

const cases: [sample: string, separator: string][] = [
  ['a;b;c\n1;2;3\n', ';'],
  ['a,b,c\n1,2,3\n', ','],
  ['a|b|c\n1|2|3\n', '|'],
  ['a\tb\tc\n1\t2\t3\n', '\t'],
  ['email;spent\na@shop.example;1,5\nb@shop.example;2,5\n', ';'],
  ['email,tastes\na@shop.example,Tea|Chess|Wine\nb@shop.example,Tea\n', ','],
  ['"a;b","c;d"\n"1","2"\n"3","4"\n', ','],
  ['a;b\n1;2,3\n4;5,6\n7,8;9\n', ';'],
  ['a;1,2\nb;3,4\n', ';'],
  ['email\na@shop.example\n', ';'],
  ['', ';'],
]

for (const [sample, separator] of cases) {
  test(`finds ${JSON.stringify(separator)} in ${JSON.stringify(sample)}`, () =>
    assert.equal(detectSeparator(sample), separator))
}

test('looks at the first 20 lines only', () => {
  assert.equal(detectSeparator('a,b\n'.repeat(20) + 'a;b;c\n'.repeat(100)), ',')
})

test('prefers the tab for a file named .tsv', () => {
  const text = 'email;note\tx\na@shop.example;1\ty\n'
  const separatorOf = (name: string) => detectDialect(text, { separator: undefined, name }).separator
  assert.deepEqual(
    [separatorOf('people.csv'), separatorOf('people.TSV'), separatorOf('a/people.tsv')],
    [';', '\t', '\t'],
  )
})

const firstLines: [text: string, separator: string | undefined][] = [
  ['sep=;\na,b;c\n1,2;3\n', ';'],
  ['sep=,\r\na;b\n1;2\n', ','],
  ['SEP=|\ra;b\n', '|'],
  ['"sep=\t"\na;b\n', '\t'],
  ['Sep=^\na^b\n', '^'],
  ['sep=;', ';'],
  ['sep=ab\na,b\n', undefined],
  ['sep=;x;y\n1;2;3\n', undefined],
  ['\nsep=,\na;b\n', undefined],
  ['separator;b\n', undefined],
]
for (const [text, separator] of firstLines) {
  test(`takes ${separator ? 'the' : 'no'} separator from the first line of ${JSON.stringify(text)}`, () => {
    const dialect = detectDialect(text, { separator: undefined, name: 'people.csv' })
    assert.equal(dialect.hasSeparatorLine, separator !== undefined)
    if (separator) assert.equal(dialect.separator, separator)
  })
}

const quotings: [what: string, text: string, quoting: object][] = [
  ['quotes are doubled', 'a;"b ""c"""\n', {}],
  ['a cell ends with a backslash', 'a;b\n"C:\\";d\n"D:\\";"e"\n', {}],
  ['backslashes stand before quotes', 'a;b\n"x \\"y\\"";c\n', { isEscaped: true }],
  ['backslashes stand before quotes and before separators', 'a,b\n"x, \\"y, z\\"",c\n', { isEscaped: true }],
  ['blanks stand before quotes', 'a, "b, c"\nd, "e"\n', { isPadded: true }],
  ['blanks and backslashes stand before quotes', 'a, "b, \\"c\\""\n', { isPadded: true, isEscaped: true }],
  ['an inch is amid a cell', 'a;5" pipe\nb;6" pipe\n', {}],
  ['most backslashes end a cell', '"C:\\";a\n"D:\\";b\n"E:\\";c\n"x \\" y";d\n', {}],
]
for (const [what, text, quoting] of quotings) {
  test(`finds how quotes are written when ${what}`, () => {
    const { separator, hasSeparatorLine, width, ...found } = detectDialect(text, {
      separator: undefined,
      name: 'people.csv',
    })
    assert.deepEqual(found, quoting)
  })
}

const widths: [text: string, width: number][] = [
  ['a;b;c\n1;2;3\n1;2\n', 3],
  ['title\na;b;c\n1;2;3\n', 3],
  ['a;b;c\n1;2\n', 3],
  ['a;b\n1;2;3\n1;2;3\n', 3],
  ['a;b;c\n1;"2;3\n4;5;6\n7;8;9\n', 3],
  ['a;b;c\n1;"2;3\n4;"5";6\n7;8;9\n', 3],
  ['sep=;\na;b;c\n', 3],
  ['email\na@shop.example\n', 1],
  ['', 1],
]
for (const [text, width] of widths) {
  test(`finds ${width} cells in most lines of ${JSON.stringify(text)}`, () => {
    assert.equal(detectDialect(text, { separator: ';', name: 'people.csv' }).width, width)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSeparator } from './separator.ts'

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

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { within } from '#test/support/processes/processor-time.ts'
import { compileLinearPattern } from './linear-pattern.ts'

describe('a pattern of an account', () => {
  it('is read in bounded processor time, whatever repeats in it and in the text', () => {
    const attacks = [
      ['^(a+)+$', `${'a'.repeat(8192)}!`],
      ['(?:a|a)*b', 'a'.repeat(8192)],
      ['(.*)(.*)(.*)(.*)x', 'a'.repeat(8192)],
      ['.{500}x', 'a'.repeat(8192)],
    ] as const
    for (const [source, text] of attacks)
      within(2000, () => assert.equal(compileLinearPattern(source).isIn(text), false))
  })

  it('finds its first group, or all that it matches', () => {
    assert.equal(compileLinearPattern('^OK: (\\S+)').find('OK: 12ab\n'), '12ab')
    assert.equal(compileLinearPattern('(?<reference>\\d+)').find('a12'), '12')
    assert.equal(compileLinearPattern('\\d+').find('a12'), '12')
    assert.equal(compileLinearPattern('(x)?\\d').find('1'), '1')
    assert.equal(compileLinearPattern('b').find('a'), undefined)
  })

  it('has the escapes of JavaScript', () => {
    const texts = {
      '\\u00e9': 'é',
      '\\u{1f600}': '😀',
      'a\\/b': 'a/b',
      'a\\-b': 'a-b',
      '[^]': '\n',
      '\\p{L}': 'é',
      '\\x41': 'A',
    }
    for (const [source, text] of Object.entries(texts)) assert.equal(compileLinearPattern(source).find(text), text)
  })

  it('matches in any case and across lines where that is said', () => {
    assert.equal(compileLinearPattern('^4.*BUSY', { ignoreCase: true, dotAll: true }).isIn('421 we\nare busy'), true)
    assert.equal(compileLinearPattern('^4.*BUSY').isIn('421 we are busy'), false)
    assert.equal(compileLinearPattern('^4.*busy').isIn('421 we\nare busy'), false)
  })

  it('is refused with what to change when it cannot be linear, is too large or ill-formed', () => {
    const refused: [string, RegExp][] = [
      ['a(?=b)', /without lookaround.*`\(\?=`/],
      ['(?<!a)b', /without lookaround.*`\(\?<!a\)b`/],
      ['(a)\\1', /backreferences.*`\\1`/],
      ['a{1,2000}', /counts above 1,000.*`\{1,2000\}`/],
      ['(?:abc){1,900}', /too large: shorten it, or lower its counts/],
      ['(', /missing closing \): `\(`/],
    ]
    for (const [source, message] of refused) assert.throws(() => compileLinearPattern(source), { message })
  })

  it('may be of 500 characters when it has no counts', () => {
    for (const piece of ['a', 'a|', '[a-z]*', '(a)', '\\p{L}?']) compileLinearPattern(piece.repeat(500 / piece.length))
  })
})

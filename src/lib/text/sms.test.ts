import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { measureSmsText, splitSmsText } from './sms.ts'

describe('counting an SMS', () => {
  const cases: [string, string, string, number, number][] = [
    ['nothing', '', 'gsm7', 0, 1],
    ['160 characters', 'a'.repeat(160), 'gsm7', 160, 1],
    ['161 characters', 'a'.repeat(161), 'gsm7', 161, 2],
    ['306 characters', 'a'.repeat(306), 'gsm7', 306, 2],
    ['307 characters', 'a'.repeat(307), 'gsm7', 307, 3],
    ['159 characters and a euro sign', `${'a'.repeat(159)}€`, 'gsm7', 161, 2],
    ['158 characters and a euro sign', `${'a'.repeat(158)}€`, 'gsm7', 160, 1],
    ['a euro sign that does not fit the first segment', `${'a'.repeat(152)}€${'a'.repeat(151)}`, 'gsm7', 305, 2],
    ['and pushes the last one over', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'gsm7', 306, 3],
    ['70 units', 'ê'.repeat(70), 'ucs2', 70, 1],
    ['71 units', 'ê'.repeat(71), 'ucs2', 71, 2],
    ['35 pairs', '🎉'.repeat(35), 'ucs2', 70, 1],
    ['a pair that is not split', `${'ê'.repeat(66)}🎉${'ê'.repeat(66)}`, 'ucs2', 134, 3],
    ['every extended character', '\f^{}\\[~]|€', 'gsm7', 20, 1],
  ]
  for (const [name, text, encoding, length, segments] of cases)
    it(`counts ${name} as ${segments} of ${encoding}`, () =>
      assert.deepEqual(measureSmsText(text), { encoding, length, segments }))

  it('knows which characters GSM-7 contains', () => {
    assert.equal(measureSmsText('@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ').length, 31)
    for (const character of 'çêâîôûëïÀÈ`') assert.equal(measureSmsText(character).encoding, 'ucs2')
  })
})

describe('splitting an SMS', () => {
  it('divides no character and loses none', () => {
    const texts = [`${'a'.repeat(152)}€${'b'.repeat(400)}`, `${'ê'.repeat(66)}🎉${'ê'.repeat(66)}🎉🎉`, '€'.repeat(500)]
    for (const text of texts) {
      const { encoding, segments } = measureSmsText(text)
      const parts = splitSmsText(text, encoding)
      assert.equal(parts.join(''), text)
      assert.equal(parts.length, segments)
      for (const part of parts) {
        assert.ok(part.isWellFormed())
        assert.ok(measureSmsText(part, encoding).length <= (encoding === 'gsm7' ? 153 : 67))
      }
    }
    assert.deepEqual(splitSmsText(`${'a'.repeat(152)}€b`.padEnd(161, 'b'), 'gsm7')[1]?.[0], '€')
  })

  it('uses the given sizes', () => {
    const parts = splitSmsText('a'.repeat(305), 'gsm7', { single: 160, part: 152 })
    assert.deepEqual(
      parts.map(({ length }) => length),
      [152, 152, 1],
    )
  })

  it('returns one segment for an empty text', () => assert.deepEqual(splitSmsText('', 'gsm7'), ['']))
})

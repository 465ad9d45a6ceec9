import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countSms, fitSms } from './sms-count.ts'

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
    it(`takes ${name} as ${segments} of ${encoding}`, () =>
      assert.deepEqual(countSms(text), { encoding, length, segments }))

  it('knows what GSM-7 has and what it has not', () => {
    assert.equal(countSms('@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ').length, 31)
    for (const character of 'çêâîôûëïÀÈ`') assert.equal(countSms(character).encoding, 'ucs2')
  })
})

describe('fitting an SMS', () => {
  it('writes look-alikes in format 1 and refuses what has none', () => {
    const fitted = fitSms('“Ça va…” – l’été à Nîmes\u00a0: œuf ç', 1, null)
    assert.equal(fitted.outcome === 'fits' && fitted.text, '"Ça va..." - l\'été à Nimes : oeuf c')
    assert.equal(fitted.outcome === 'fits' && fitted.encoding, 'gsm7')
    const refused = fitSms('ok 🎉', 1, null)
    assert.deepEqual(refused.outcome === 'failed' && [refused.type, refused.message.includes('🎉')], [
      'sms-alphabet',
      true,
    ])
  })

  it('keeps to UCS-2 in format 2, and chooses in format 3', () => {
    assert.equal(countSms('abc', 'ucs2').encoding, 'ucs2')
    for (const [format, encoding] of [
      [2, 'ucs2'],
      [3, 'gsm7'],
    ] as const) {
      const fitted = fitSms('abc', format, null)
      assert.equal(fitted.outcome === 'fits' && fitted.encoding, encoding)
    }
  })

  it('adds the STOP mention when it is not there, and counts it', () => {
    const added = fitSms('a'.repeat(150), 3, 'STOP au 36111')
    assert.deepEqual(added.outcome === 'fits' && [added.text.endsWith('a STOP au 36111'), added.segments], [true, 2])
    const there = fitSms('Bye, stop  AU\n36111', 3, 'STOP au 36111')
    assert.equal(there.outcome === 'fits' && there.text, 'Bye, stop  AU\n36111')
  })

  it('refuses nine segments', () => {
    assert.equal(fitSms('a'.repeat(8 * 153), 3, null).outcome, 'fits')
    const refused = fitSms('a'.repeat(8 * 153 + 1), 3, null)
    assert.equal(refused.outcome === 'failed' && refused.type, 'sms-length')
  })
})

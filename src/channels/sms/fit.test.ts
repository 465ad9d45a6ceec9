import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { measureSmsText } from '../../lib/text/sms.ts'
import { fitSms } from './fit.ts'

describe('fitSms', () => {
  it('replaces characters with look-alikes in format 1 and refuses those without one', () => {
    const fitted = fitSms('“Ça va…” – l’été à Nîmes\u00a0: œuf ç', 1, null)
    assert.equal(fitted.outcome === 'fits' && fitted.text, '"Ça va..." - l\'été à Nimes : oeuf c')
    assert.equal(fitted.outcome === 'fits' && fitted.encoding, 'gsm7')
    const refused = fitSms('ok 🎉', 1, null)
    assert.deepEqual(refused.outcome === 'failed' && [refused.type, refused.message.includes('🎉')], [
      'sms-alphabet',
      true,
    ])
  })

  it('always uses UCS-2 in format 2 and chooses the encoding in format 3', () => {
    assert.equal(measureSmsText('abc', 'ucs2').encoding, 'ucs2')
    for (const [format, encoding] of [
      [2, 'ucs2'],
      [3, 'gsm7'],
    ] as const) {
      const fitted = fitSms('abc', format, null)
      assert.equal(fitted.outcome === 'fits' && fitted.encoding, encoding)
    }
  })

  it('adds a missing STOP mention and counts it', () => {
    const added = fitSms('a'.repeat(150), 3, 'STOP au 36111')
    assert.deepEqual(added.outcome === 'fits' && [added.text.endsWith('a STOP au 36111'), added.segments], [true, 2])
    const there = fitSms('Bye, stop  AU\n36111', 3, 'STOP au 36111')
    assert.equal(there.outcome === 'fits' && there.text, 'Bye, stop  AU\n36111')
  })

  it('refuses more than eight segments', () => {
    assert.equal(fitSms('a'.repeat(8 * 153), 3, null).outcome, 'fits')
    const refused = fitSms('a'.repeat(8 * 153 + 1), 3, null)
    assert.equal(refused.outcome === 'failed' && refused.type, 'sms-length')
  })
})

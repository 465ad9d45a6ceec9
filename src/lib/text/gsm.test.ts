import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countGsmSeptets, decodeGsmText, encodeGsmText } from './gsm.ts'

describe('GSM alphabet', () => {
  it('has every code of 3GPP TS 23.038 at its position', () => {
    const known: [string, number[]][] = [
      ['@', [0x00]],
      ['Δ', [0x10]],
      ['Ξ', [0x1a]],
      ['É', [0x1f]],
      [' ', [0x20]],
      ['¤', [0x24]],
      ['¡', [0x40]],
      ['A', [0x41]],
      ['§', [0x5f]],
      ['¿', [0x60]],
      ['à', [0x7f]],
      ['€', [0x1b, 0x65]],
      ['\\', [0x1b, 0x2f]],
      ['|', [0x1b, 0x40]],
    ]
    for (const [character, codes] of known) assert.deepEqual([...(encodeGsmText(character) ?? [])], codes, character)
  })

  it('decodes what it encoded', () => {
    const all = Array.from({ length: 128 }, (_, code) => decodeGsmText(Uint8Array.of(code))).join('')
    const whole = `${all.replace(' ', '')}\f^{}\\[~]|€`
    assert.equal(decodeGsmText(encodeGsmText(whole) ?? new Uint8Array()), whole)
    assert.equal(new Set(whole).size, 137)
  })

  it('decodes unknown codes as the standard defines', () => {
    assert.equal(decodeGsmText(Uint8Array.of(0x1b, 0x41, 0x1b, 0x1b, 0x41)), 'A A')
    assert.equal(decodeGsmText(Uint8Array.of(0x41, 0x1b)), 'A ')
    assert.equal(decodeGsmText(Uint8Array.of(0x41, 0x80, 0xff)), 'A\ufffd\ufffd')
  })

  it('refuses characters outside the alphabet', () => {
    assert.equal(encodeGsmText('aç'), undefined)
    assert.equal(countGsmSeptets('\u001b'), undefined)
    assert.deepEqual(['a', '€', 'ê'].map(countGsmSeptets), [1, 2, undefined])
  })
})

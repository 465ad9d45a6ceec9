import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import {
  appendTextPiece,
  joinTextPieces,
  splitTextPieces,
  type TextPiece,
} from '../../../features/rendering/templates/pieces.ts'
import { relaxBodyPiece } from '../../../lib/crypto/dkim.ts'
import { buildMimeBody, type MimeBody } from './mime-body.ts'
import { encodeQuotedPrintable } from './mime-quoted.ts'
import { createStaticEncoder, encodeMimeText } from './mime-text.ts'

/** Strict decoder, written from RFC 2045 and independent of the encoder. */
function decode(encoded: Buffer): string {
  const text = encoded.toString('latin1').replace(/=\r\n/g, '')
  assert.doesNotMatch(text, /=(?![0-9A-F]{2})/)
  const octets = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(octets, 'latin1').toString('utf8')
}

function assertLines(encoded: Buffer): void {
  const lines = encoded.toString('latin1').split('\r\n')
  for (const line of lines) {
    assert.ok(line.length <= 76, `${line.length}: ${line}`)
    assert.match(line, /^[\t\x20-\x7e]*$/)
    assert.doesNotMatch(line, /[ \t]$|^\.|^From /)
    assert.doesNotMatch(line, /=[0-9A-F]?$(?<!=)/)
  }
}

const lineEnds = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n')

function assertRoundTrip(text: string): void {
  const encoded = encodeQuotedPrintable(text)
  assertLines(encoded)
  assert.equal(decode(encoded), lineEnds(text.toWellFormed()))
}

describe('quoted-printable', () => {
  const cases: Record<string, string> = {
    nothing: '',
    'a line': 'Hello',
    'an equals sign and accents': 'a=b é “x” 🎉',
    'line ends of every kind': 'a\r\nb\nc\rd\n\r\n\n\re',
    'blanks at line ends': 'a \nb\t\r\n \n\t',
    'lone dots, and From at line starts': '.\n..\nFrom me\n.From you\nFrom\nx From y',
    'a blank exactly at the limit': `${'x'.repeat(75)} \n${'x'.repeat(74)} \n${'x'.repeat(76)} `,
    'an escape exactly at the limit': `${'x'.repeat(73)}é${'x'.repeat(72)}é${'x'.repeat(74)}=`,
    'dots where soft breaks fall': `${'x'.repeat(75)}.${'x'.repeat(74)}.${'.'.repeat(300)}`,
    'From where soft breaks fall': `${'x'.repeat(75)}From a${'x'.repeat(70)}From b`,
    'control characters': '\0\x01\x07\x1f\x7f',
    'half a surrogate pair': 'a\ud800b\udc00',
    'a megabyte of escapes': 'é'.repeat(500_000),
  }
  for (const [name, text] of Object.entries(cases))
    it(`decodes to the original text: ${name}`, () => assertRoundTrip(text))

  it('wraps 5,000 accented characters of one line at 76', () => assertRoundTrip('éàüçñ'.repeat(1000)))

  it('decodes 3,000 random texts of troublesome characters to the original', () => {
    const next = seeded(1)
    const random = (below: number): number => Math.floor(next() * below)
    const alphabet = [
      ' ',
      '\t',
      '\r',
      '\n',
      '\r\n',
      '.',
      'From ',
      'F',
      '=',
      'é',
      '🎉',
      'a',
      'bcdefghij',
      'x'.repeat(70),
      '\x7f',
    ]
    for (let round = 0; round < 3000; round++) {
      const parts = Array.from({ length: random(60) }, () => alphabet[random(alphabet.length)] ?? '')
      assertRoundTrip(parts.join(''))
    }
  })

  it('allows pieces to be joined by soft line breaks', () => {
    const pieces = ['<p>Dear ', 'Zoé ', '\r\n', '. From ', 'x'.repeat(80), ' ', '</p>\n']
    const joined = Buffer.from(
      pieces.map((piece) => encodeQuotedPrintable(piece).toString('latin1')).join('=\r\n'),
      'latin1',
    )
    assertLines(joined)
    assert.equal(decode(joined), lineEnds(pieces.join('')))
  })
})

/** A text part of pieces, and its body. */
function encoded(pieces: readonly TextPiece[], encode = createStaticEncoder()): MimeBody & { encoding: string } {
  const { encoding, body } = encodeMimeText(pieces, encode)
  return { encoding, ...buildMimeBody([body]) }
}

describe('text parts', () => {
  it('are 7bit whenever possible', () => {
    for (const text of ['', 'Hello', 'a\nb\r\nc\rd', `${'x'.repeat(76)}\r\n${'x'.repeat(76)}`, 'a.b From c = d']) {
      const { encoding, body } = encoded([text])
      assert.equal(encoding, '7bit', JSON.stringify(text))
      assert.equal(body.toString(), lineEnds(text))
    }
  })

  it('are quoted-printable when a character or line requires it', () => {
    for (const text of [
      'é',
      'x'.repeat(77),
      `${'x'.repeat(77)}\n`,
      'a ',
      'a\t\nb',
      '.',
      'a\n.b',
      'From a',
      'a\rFrom b',
      'a\0b',
      '=_x',
    ])
      assert.equal(encoded([text]).encoding, 'quoted-printable', JSON.stringify(text))
  })

  it('keep lines within 76 characters where a space and a soft break end a line', () => {
    const next: TextPiece = { type: 'static', text: 'é' }
    for (let length = 70; length < 80; length++) {
      const { body } = encoded([`${'x'.repeat(length)} `, next])
      assertLines(body)
      assert.equal(decode(body), `${'x'.repeat(length)} é`)
    }
  })
})

describe('static text parts', () => {
  it('are encoded once and copied', () => {
    const [text] = splitTextPieces('Dear reader, '.repeat(20).trim())
    assert.ok(typeof text === 'object')
    const encode = createStaticEncoder()
    const { bytes } = encode(text)
    assert.equal(encode(text).bytes, bytes)
    assert.ok(encoded(['Ann é', text, 'Bob'], encode).body.includes(bytes))
  })

  it('decode to the same text, whatever surrounds them', () => {
    const next = seeded(7)
    const random = (below: number): number => Math.floor(next() * below)
    const alphabet = [
      ' ',
      '\t',
      '\r',
      '\n',
      '\r\n',
      '.',
      '\n.',
      'From ',
      '=',
      '=_',
      'é',
      '🎉',
      'a',
      '  ',
      'x'.repeat(90),
      'y'.repeat(37),
      '\ud800',
      '\udc00',
    ]
    const text = (most: number): string =>
      Array.from({ length: random(most) }, () => alphabet[random(alphabet.length)]).join('')
    const encode = createStaticEncoder()
    for (let round = 0; round < 1500; round++) {
      const pieces: TextPiece[] = []
      for (let count = random(6); count > 0; count--)
        for (const piece of [...splitTextPieces(text(60)), text(random(4) === 0 ? 30 : 3)])
          appendTextPiece(pieces, piece)
      const whole = joinTextPieces(pieces)
      const { encoding, body, relaxedBody } = encoded(pieces, encode)
      assert.equal(encoding, encoded([whole]).encoding)
      if (encoding === 'quoted-printable') {
        assertLines(body)
        assert.equal(decode(body), lineEnds(whole.toWellFormed()))
      } else assert.equal(body.toString(), lineEnds(whole))
      assert.equal(relaxedBody().toString('latin1'), relaxBodyPiece(body).toString('latin1'))
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { appendTextPiece, joinTextPieces, splitTextPieces, type TextPiece } from '../templates/pieces.ts'
import { collapseBlankLines, splitCollapsedPieces } from './close-up.ts'

/** The rules as they read, over the whole text. */
const closed = (text: string): string =>
  `${text
    .replace(/[ \t]+(?=\r?\n)/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`

describe('derived text', () => {
  it('has its blank lines closed up the same in pieces as in one text', () => {
    const next = seeded(20)
    const random = (below: number): number => Math.floor(next() * below)
    const words = ['a', 'Ann', 'x'.repeat(70), ' ', '  ', '\t', '\n', '\n\n', '\r\n', '\r', '\u00a0', 'é', '.']
    const text = (most: number): string =>
      Array.from({ length: random(most) }, () => words[random(words.length)]).join('')
    for (let round = 0; round < 3000; round++) {
      const whole: TextPiece[] = []
      const pieces: TextPiece[] = []
      for (let count = random(5); count > 0; count--) {
        const [written, value] = [text(20), text(4)]
        for (const piece of [...splitTextPieces(written), value]) appendTextPiece(whole, piece)
        for (const piece of [...splitCollapsedPieces(written), value]) appendTextPiece(pieces, piece)
      }
      assert.equal(joinTextPieces(collapseBlankLines(pieces)), closed(joinTextPieces(whole)))
    }
  })
})

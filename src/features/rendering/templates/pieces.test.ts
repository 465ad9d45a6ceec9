import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileContent } from '../compile.ts'
import { renderMessagePieces } from '../render.ts'
import { sampleInput, sampleSource } from '../samples.ts'
import { joinTextPieces, splitTextPieces, type TextPiece } from './pieces.ts'

const LONG = 'The late varieties came down from the hill on Tuesday, and the press has been at it since.'

describe('static text of a template', () => {
  const isStatic = (piece: TextPiece): boolean => typeof piece !== 'string'

  it('is one piece without its surrounding white space', () => {
    assert.deepEqual(splitTextPieces(` \n${LONG}\u00a0`), [' \n', { type: 'static', text: LONG }, '\u00a0'])
    assert.deepEqual(splitTextPieces(LONG), [{ type: 'static', text: LONG }])
  })

  it('is not static when it is short or may end in half a character', () => {
    assert.deepEqual([splitTextPieces(''), splitTextPieces(' \n'), splitTextPieces('short')], [[], [' \n'], ['short']])
    assert.deepEqual(splitTextPieces(`${LONG}\ud83c`), [`${LONG}\ud83c`])
  })

  it('is the same object in every message, between links and values', () => {
    const html = `${LONG}{{ data.a }}${LONG}<a href="https://shop.example/">${LONG}</a>{% raw %}{{ ${LONG}{% endraw %}`
    const compiled = compileContent(sampleSource({ html }))
    const render = (a: string): readonly TextPiece[] => {
      const rendered = renderMessagePieces(compiled, sampleInput({ data: { a } }))
      if (rendered.outcome !== 'rendered') throw new Error(rendered.message)
      return rendered.parts['html'] ?? []
    }
    const [one, other] = [render('Ann'), render('<Bob>')]
    assert.deepEqual(one.map(isStatic), [true, false, true, false, true, true])
    for (const [index, piece] of one.entries()) if (isStatic(piece)) assert.equal(piece, other[index])
    assert.deepEqual([one[1], other[1]], ['Ann', '&lt;Bob&gt;'])
    assert.match(joinTextPieces(one), /<a href="https:\/\/t\.shop\.example\/t\/r\/[\w-]{72}">The late/)
  })

  it('is not static when a tag captured it', () => {
    const html = `{% capture kept %}${LONG}<a href="https://shop.example/">${LONG}</a>{% endcapture %}{{ kept | raw }}`
    const rendered = renderMessagePieces(compileContent(sampleSource({ html })), sampleInput({}))
    assert.ok(rendered.outcome === 'rendered')
    const { html: pieces = [] } = rendered.parts
    assert.equal(pieces.length, 1)
    assert.match(joinTextPieces(pieces), /since\.<a href="https:\/\/t\.shop\.example\/t\/r\/[\w-]{72}">The late/)
  })
})

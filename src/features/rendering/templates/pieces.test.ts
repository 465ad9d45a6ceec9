import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileContent } from '../compile.ts'
import { renderPieces } from '../render.ts'
import { sampleInput, sampleSource } from '../samples.ts'
import { type Piece, piecesOf, textOf } from './pieces.ts'

const LONG = 'The late varieties came down from the hill on Tuesday, and the press has been at it since.'

describe('static text of a template', () => {
  const isStatic = (piece: Piece): boolean => typeof piece !== 'string'

  it('is one piece without its surrounding white space', () => {
    assert.deepEqual(piecesOf(` \n${LONG}\u00a0`), [' \n', { type: 'static', text: LONG }, '\u00a0'])
    assert.deepEqual(piecesOf(LONG), [{ type: 'static', text: LONG }])
  })

  it('is not static when it is short or may end in half a character', () => {
    assert.deepEqual([piecesOf(''), piecesOf(' \n'), piecesOf('short')], [[], [' \n'], ['short']])
    assert.deepEqual(piecesOf(`${LONG}\ud83c`), [`${LONG}\ud83c`])
  })

  it('is the same object in every message, between links and values', () => {
    const html = `${LONG}{{ data.a }}${LONG}<a href="https://shop.example/">${LONG}</a>{% raw %}{{ ${LONG}{% endraw %}`
    const compiled = compileContent(sampleSource({ html }))
    const render = (a: string): readonly Piece[] => {
      const rendered = renderPieces(compiled, sampleInput({ data: { a } }))
      if (rendered.outcome !== 'rendered') throw new Error(rendered.message)
      return rendered.parts['html'] ?? []
    }
    const [one, other] = [render('Ann'), render('<Bob>')]
    assert.deepEqual(one.map(isStatic), [true, false, true, false, true, true])
    for (const [index, piece] of one.entries()) if (isStatic(piece)) assert.equal(piece, other[index])
    assert.deepEqual([one[1], other[1]], ['Ann', '&lt;Bob&gt;'])
    assert.match(textOf(one), /<a href="https:\/\/t\.shop\.example\/t\/r\/[\w-]{72}">The late/)
  })

  it('is not static when a tag captured it', () => {
    const html = `{% capture kept %}${LONG}<a href="https://shop.example/">${LONG}</a>{% endcapture %}{{ kept | raw }}`
    const rendered = renderPieces(compileContent(sampleSource({ html })), sampleInput({}))
    assert.ok(rendered.outcome === 'rendered')
    const { html: pieces = [] } = rendered.parts
    assert.equal(pieces.length, 1)
    assert.match(textOf(pieces), /since\.<a href="https:\/\/t\.shop\.example\/t\/r\/[\w-]{72}">The late/)
  })
})

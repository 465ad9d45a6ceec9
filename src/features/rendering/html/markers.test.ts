import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joinTextPieces } from '../templates/pieces.ts'
import { createTemplateMarkers } from './markers.ts'

describe('template markers', () => {
  const markers = createTemplateMarkers((place) => place === 1)
  const fill = (text: string, resolve: Parameters<typeof markers.fill>[1]): string =>
    joinTextPieces(markers.fill(markers.split(text), resolve))
  const resolve = (place: number, inner: string | undefined) => `<${place}:${inner ?? ''}>`

  it('are filled in one pass, wherever and however often they occur', () => {
    const text = `a${markers.at(0)}b${markers.at(1)}in ner${markers.end}c${markers.at(0)}`
    assert.equal(fill(text, resolve), 'a<0:>b<1:in ner>c<0:>')
    assert.equal(fill('plain', resolve), 'plain')
  })

  it('are removed when they were cut', () => {
    const marker = markers.at(0)
    assert.equal(fill(`a${marker.slice(0, -1)}`, resolve), 'a0')
    assert.equal(fill(`a${markers.end}b`, resolve), 'ab')
    assert.equal(fill(`a${markers.at(1)}b`, resolve), 'ab')
    assert.equal(fill(`${marker.slice(0, -1)} x${marker}`, resolve), '0 x<0:>')
  })

  it('of another version are plain text', () => {
    const other = createTemplateMarkers(() => false).at(0)
    assert.equal(fill(`a${other}b`, resolve), `a${other}b`)
  })
})

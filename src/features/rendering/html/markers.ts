import { randomBytes } from 'node:crypto'
import { appendTextPiece, joinTextPieces, splitTextPieces, type TextPiece } from '../templates/pieces.ts'

const OPEN = '\u0002'
const CLOSE = '\u0003'
const END = '/'
/** At most so many digits: a part has at most 1,000,000 characters. */
const PLACE_LENGTH = 6

/** A marker that was read: of a numbered place, or of the end of one. `text` is the marker itself. */
export type TemplateMarker = { readonly type: 'place'; readonly text: string; readonly place: number } | EndMark
interface EndMark {
  readonly type: 'end'
  readonly text: string
}

/** What Liquid writes: pieces, and the markers between them. */
export type RenderFragment = TextPiece | TemplateMarker

/**
 * Markers stand in a template where something of each message goes. They carry a random number, so that no value can
 * look like one; they are plain characters to Liquid, and come out of it where the template put them.
 */
export interface TemplateMarkers {
  /** The marker of a numbered place. */
  at(place: number): string
  /** Ends a place that holds something of its own. */
  end: string
  /** A text of a template in fragments. A marker that was cut apart is left out. */
  split(text: string): RenderFragment[]
  /**
   * Fills every marker. `resolve` is given the place, and what stood between it and its end when there is one. An end
   * without a beginning, or the other way round, is left out. Texts of a message are split first: what was captured
   * holds markers.
   */
  fill(fragments: readonly RenderFragment[], resolve: (place: number, inner: string | undefined) => string): TextPiece[]
}

const asTexts = (text: string): string[] => (text === '' ? [] : [text])

/** `holds` says which places have an end of their own. */
export function createTemplateMarkers(holds: (place: number) => boolean): TemplateMarkers {
  const lead = `${OPEN}${randomBytes(9).toString('base64url')}`
  const end: EndMark = { type: 'end', text: `${lead}${END}${CLOSE}` }

  /** The marks of a text, and the texts between them as `read` gives them. */
  function splitBy(text: string, read: (text: string) => TextPiece[]): RenderFragment[] {
    const fragments: RenderFragment[] = []
    let at = 0
    for (let next = text.indexOf(lead); next !== -1; next = text.indexOf(lead, at)) {
      fragments.push(...read(text.slice(at, next)))
      const close = text.indexOf(CLOSE, next)
      at = next + lead.length
      const name = close === -1 || close > at + PLACE_LENGTH ? '' : text.slice(at, close)
      const place = name === '' ? Number.NaN : Number(name)
      if (Number.isNaN(place) && name !== END) continue
      at = close + 1
      fragments.push(name === END ? end : { type: 'place', text: text.slice(next, at), place })
    }
    fragments.push(...read(text.slice(at)))
    return fragments
  }

  const isCaptured = (fragment: RenderFragment): fragment is string =>
    typeof fragment === 'string' && fragment.includes(lead)

  return {
    at: (place) => `${lead}${place}${CLOSE}`,
    end: end.text,
    split: (text) => splitBy(text, splitTextPieces),
    fill(written, resolve) {
      const fragments = written.some(isCaptured)
        ? written.flatMap((fragment) => (isCaptured(fragment) ? splitBy(fragment, asTexts) : fragment))
        : written
      const filled: TextPiece[] = []
      const lastEnd = fragments.lastIndexOf(end)
      for (let at = 0; at < fragments.length; at++) {
        const fragment = fragments[at]!
        if (typeof fragment === 'string' || fragment.type === 'static') appendTextPiece(filled, fragment)
        else if (fragment.type === 'end') continue
        else if (!holds(fragment.place)) appendTextPiece(filled, resolve(fragment.place, undefined))
        else {
          if (at > lastEnd) continue
          const close = fragments.indexOf(end, at)
          appendTextPiece(filled, resolve(fragment.place, joinTextPieces(fragments.slice(at + 1, close))))
          at = close
        }
      }
      return filled
    },
  }
}

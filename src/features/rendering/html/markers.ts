import { randomBytes } from 'node:crypto'
import { appendTextPiece, joinTextPieces, splitTextPieces, type TextPiece } from '../templates/pieces.ts'

const MARKER_START = '\u0002'
const MARKER_END = '\u0003'
const END_MARK_NAME = '/'
/** Maximum number of digits: a part has at most 1,000,000 characters. */
const MAX_PLACE_DIGITS = 6

/** A marker that was read: of a numbered place, or of the end of one. `text` is the marker itself. */
export type TemplateMarker = { readonly type: 'place'; readonly text: string; readonly place: number } | EndMark
interface EndMark {
  readonly type: 'end'
  readonly text: string
}

/** Output of Liquid: pieces, and the markers between them. */
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

const toTexts = (text: string): string[] => (text === '' ? [] : [text])

/** `holds` says which places have an end of their own. */
export function createTemplateMarkers(holds: (place: number) => boolean): TemplateMarkers {
  const markerPrefix = `${MARKER_START}${randomBytes(9).toString('base64url')}`
  const endMark: EndMark = { type: 'end', text: `${markerPrefix}${END_MARK_NAME}${MARKER_END}` }

  /** The marks of a text, and the texts between them as `splitText` gives them. */
  function splitAtMarkers(text: string, splitText: (text: string) => TextPiece[]): RenderFragment[] {
    const fragments: RenderFragment[] = []
    let position = 0
    for (
      let markerStart = text.indexOf(markerPrefix);
      markerStart !== -1;
      markerStart = text.indexOf(markerPrefix, position)
    ) {
      fragments.push(...splitText(text.slice(position, markerStart)))
      const markerEnd = text.indexOf(MARKER_END, markerStart)
      position = markerStart + markerPrefix.length
      const name = markerEnd === -1 || markerEnd > position + MAX_PLACE_DIGITS ? '' : text.slice(position, markerEnd)
      const place = name === '' ? Number.NaN : Number(name)
      if (Number.isNaN(place) && name !== END_MARK_NAME) continue
      position = markerEnd + 1
      fragments.push(
        name === END_MARK_NAME ? endMark : { type: 'place', text: text.slice(markerStart, position), place },
      )
    }
    fragments.push(...splitText(text.slice(position)))
    return fragments
  }

  const isCaptured = (fragment: RenderFragment): fragment is string =>
    typeof fragment === 'string' && fragment.includes(markerPrefix)

  return {
    at: (place) => `${markerPrefix}${place}${MARKER_END}`,
    end: endMark.text,
    split: (text) => splitAtMarkers(text, splitTextPieces),
    fill(writtenFragments, resolve) {
      const fragments = writtenFragments.some(isCaptured)
        ? writtenFragments.flatMap((fragment) => (isCaptured(fragment) ? splitAtMarkers(fragment, toTexts) : fragment))
        : writtenFragments
      const filledPieces: TextPiece[] = []
      const lastEnd = fragments.lastIndexOf(endMark)
      for (let fragmentIndex = 0; fragmentIndex < fragments.length; fragmentIndex++) {
        const fragment = fragments[fragmentIndex]!
        if (typeof fragment === 'string' || fragment.type === 'static') appendTextPiece(filledPieces, fragment)
        else if (fragment.type === 'end') continue
        else if (!holds(fragment.place)) appendTextPiece(filledPieces, resolve(fragment.place, undefined))
        else {
          if (fragmentIndex > lastEnd) continue
          const closingIndex = fragments.indexOf(endMark, fragmentIndex)
          appendTextPiece(
            filledPieces,
            resolve(fragment.place, joinTextPieces(fragments.slice(fragmentIndex + 1, closingIndex))),
          )
          fragmentIndex = closingIndex
        }
      }
      return filledPieces
    },
  }
}

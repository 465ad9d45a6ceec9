import { randomBytes } from 'node:crypto'

const OPEN = '\u0002'
const CLOSE = '\u0003'
const END = '/'
/** At most so many digits: a part has at most 1,000,000 characters. */
const PLACE_LENGTH = 6

/**
 * Markers stand in a template where something of each message goes. They carry a random number, so that no value can
 * look like one; they are plain characters to Liquid, and come out of it where the template put them.
 */
export interface Markers {
  /** The marker of a numbered place. */
  at(place: number): string
  /** Ends a place that holds something of its own. */
  end: string
  /**
   * Fills every marker of a text in one scan. `resolve` is given the place, and what stood between it and its end
   * when there is one. A marker that was cut apart, or an end without a beginning, is left out.
   */
  fill(text: string, resolve: (place: number, inner: string | undefined) => string): string
}

/** `holds` says which places have an end of their own. */
export function createMarkers(holds: (place: number) => boolean): Markers {
  const lead = `${OPEN}${randomBytes(9).toString('base64url')}`
  const end = `${lead}${END}${CLOSE}`

  return {
    at: (place) => `${lead}${place}${CLOSE}`,
    end,
    fill(text, resolve) {
      let filled = ''
      let at = 0
      for (let next = text.indexOf(lead); next !== -1; next = text.indexOf(lead, at)) {
        filled += text.slice(at, next)
        const close = text.indexOf(CLOSE, next)
        at = next + lead.length
        const name = close === -1 || close > at + PLACE_LENGTH ? '' : text.slice(at, close)
        const place = name === '' ? Number.NaN : Number(name)
        if (Number.isNaN(place) && name !== END) continue
        at = close + 1
        if (name === END) continue
        if (!holds(place)) {
          filled += resolve(place, undefined)
          continue
        }
        const inner = text.indexOf(end, at)
        if (inner === -1) continue
        filled += resolve(place, text.slice(at, inner))
        at = inner + end.length
      }
      return at === 0 ? text : filled + text.slice(at)
    },
  }
}

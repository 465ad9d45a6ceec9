import { Parser } from 'htmlparser2'
import { SVG_ELEMENTS, SVG_TEXT_ELEMENTS } from './svg-names.ts'

/** Why a drawing is not taken, in words for who sent it. */
export class SvgRefusedError extends Error {}

/** An element that is drawn again, with its attributes as they were written. */
export interface SvgElement {
  name: string
  given: Record<string, string>
  children: (SvgElement | string)[]
}

const MOST_ELEMENTS = 100_000

/** Other names of the same elements; what a link holds is drawn without it. */
const nameOf = (written: string): string => {
  const name = written.replace(/^svg:/, '')
  return name === 'a' ? 'g' : name
}

/** Builds the tree of what may be drawn. */
class Builder {
  root: SvgElement | undefined
  isWhole = false
  readonly #open: SvgElement[] = []
  /** Depth within an element that falls away. */
  #skipped = 0
  #count = 0

  onopentag(written: string, given: Record<string, string>): void {
    if (++this.#count > MOST_ELEMENTS) throw new SvgRefusedError(`The drawing has more than ${MOST_ELEMENTS} elements.`)
    const name = nameOf(written)
    const parent = this.#open.at(-1)
    if (this.#skipped > 0 || !SVG_ELEMENTS.has(name) || (this.root && !parent)) {
      this.#skipped++
      return
    }
    const element = { name, given, children: [] }
    if (parent) parent.children.push(element)
    else this.root = element
    this.#open.push(element)
  }

  onclosetag(_: string, isImplied: boolean): void {
    if (this.#skipped > 0) {
      this.#skipped--
      return
    }
    const closed = this.#open.pop()
    if (closed === this.root) this.isWhole = !isImplied
  }

  ontext(text: string): void {
    const into = this.#open.at(-1)
    if (this.#skipped === 0 && into && SVG_TEXT_ELEMENTS.has(into.name)) into.children.push(text)
  }
}

/** The elements of a drawing that are on the allow-list. Throws SvgRefusedError. */
export function parseSvgTree(bytes: Uint8Array): SvgElement {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SvgRefusedError('The drawing is not written in UTF-8.')
  }
  // Entities may stand for each other without end.
  if (/<!(?:ENTITY|ELEMENT|ATTLIST|NOTATION)|<!DOCTYPE[^<>[]*\[/i.test(text))
    throw new SvgRefusedError('The drawing declares entities: save it as plain SVG.')
  const builder = new Builder()
  new Parser(builder, { xmlMode: true, decodeEntities: true }).end(text)
  if (builder.root?.name !== 'svg') throw new SvgRefusedError('The file is no SVG drawing.')
  if (!builder.isWhole) throw new SvgRefusedError('The drawing is cut off.')
  if (builder.root.children.length === 0) throw new SvgRefusedError('The drawing is empty.')
  return builder.root
}

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

const MAX_ELEMENTS = 100_000

/** Other names of the same elements; what a link holds is drawn without it. */
const normalizeName = (qualifiedName: string): string => {
  const name = qualifiedName.replace(/^svg:/, '')
  return name === 'a' ? 'g' : name
}

/** Builds the tree of what may be drawn. */
class SvgTreeBuilder {
  root: SvgElement | undefined
  isWhole = false
  readonly #open: SvgElement[] = []
  /** Depth within an element that falls away. */
  #skipped = 0
  #count = 0

  onopentag(qualifiedName: string, rawAttributes: Record<string, string>): void {
    if (++this.#count > MAX_ELEMENTS) throw new SvgRefusedError(`The drawing has more than ${MAX_ELEMENTS} elements.`)
    const name = normalizeName(qualifiedName)
    const parent = this.#open.at(-1)
    if (this.#skipped > 0 || !SVG_ELEMENTS.has(name) || (this.root && !parent)) {
      this.#skipped++
      return
    }
    const element = { name, given: rawAttributes, children: [] }
    if (parent) parent.children.push(element)
    else this.root = element
    this.#open.push(element)
  }

  onclosetag(_: string, isImplied: boolean): void {
    if (this.#skipped > 0) {
      this.#skipped--
      return
    }
    const closedElement = this.#open.pop()
    if (closedElement === this.root) this.isWhole = !isImplied
  }

  ontext(text: string): void {
    const parentElement = this.#open.at(-1)
    if (this.#skipped === 0 && parentElement && SVG_TEXT_ELEMENTS.has(parentElement.name))
      parentElement.children.push(text)
  }
}

/** The elements of a drawing that are on the allow-list. Throws SvgRefusedError. */
export function parseSvgTree(bytes: Uint8Array): SvgElement {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SvgRefusedError('The drawing is not encoded in UTF-8.')
  }
  // Entities may stand for each other without end.
  if (/<!(?:ENTITY|ELEMENT|ATTLIST|NOTATION)|<!DOCTYPE[^<>[]*\[/i.test(text))
    throw new SvgRefusedError('The drawing declares entities. Save it as plain SVG.')
  const builder = new SvgTreeBuilder()
  new Parser(builder, { xmlMode: true, decodeEntities: true }).end(text)
  if (builder.root?.name !== 'svg') throw new SvgRefusedError('The file is not an SVG drawing.')
  if (!builder.isWhole) throw new SvgRefusedError('The drawing is truncated.')
  if (builder.root.children.length === 0) throw new SvgRefusedError('The drawing is empty.')
  return builder.root
}

import { detectMediaKind } from './media-types.ts'
import { stripPictureMetadata } from './metadata.ts'
import { SVG_ATTRIBUTES, SVG_PROPERTIES } from './svg-names.ts'
import {
  parseSvgDeclarations,
  parseSvgStyleSheet,
  parseSvgValue,
  SVG_ID_PATTERN,
  type SvgPropertyValue,
  type SvgStyleRule,
} from './svg-styles.ts'
import { parseSvgTree, type SvgElement, SvgRefusedError } from './svg-tree.ts'

/** An element as it is drawn again. */
interface Drawn {
  name: string
  attributes: Map<string, string>
  children: (Drawn | string)[]
  /** Ids of what it uses: each is drawn once more. */
  uses: string[]
}

/** Elements and references one in another: what readers draw by calling themselves. */
const MOST_DEEP = 400
/** Elements that are drawn, each as often as it is used. */
const MOST_DRAWN = 200_000

/** A picture within a drawing: what cameras write is taken out of it too. */
function readPicture(href: string): string | undefined {
  const found = /^data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=\s]+)$/.exec(href.trim())
  if (!found) return undefined
  const bytes = Buffer.from(found[1]!, 'base64')
  const { type } = detectMediaKind(bytes)
  if (!type.startsWith('image/') || type === 'image/svg+xml') return undefined
  return `data:${type};base64,${stripPictureMetadata(type, bytes).bytes.toString('base64')}`
}

/** An attribute as it may stand; undefined where it may not. */
function readAttribute(element: string, name: string, given: string): SvgPropertyValue | undefined {
  if (name === 'style') return parseSvgDeclarations(given)
  if (SVG_PROPERTIES.has(name)) return parseSvgValue(given)
  if (name === 'id') return SVG_ID_PATTERN.test(given) ? { text: given, uses: [] } : undefined
  if (name === 'class') return { text: given.replaceAll(/[^\w\s-]/g, ''), uses: [] }
  if (SVG_ATTRIBUTES.has(name)) return { text: given, uses: [] }
  if (name !== 'href') return undefined
  const id = given.trim().slice(1)
  if (given.trim().startsWith('#') && SVG_ID_PATTERN.test(id)) return { text: `#${id}`, uses: [id] }
  const picture = element === 'image' ? readPicture(given) : undefined
  return picture === undefined ? undefined : { text: picture, uses: [] }
}

interface Sheet {
  byClass: Map<string, string[]>
}

const isSpace = (text: string): boolean => /^\s*$/.test(text)

function drawn({ name, given, children }: SvgElement, sheet: Sheet, depth = 0): Drawn {
  if (depth > MOST_DEEP) throw new SvgRefusedError(`Elements are nested more than ${MOST_DEEP} deep.`)
  const attributes = new Map<string, string>()
  const uses: string[] = []
  for (const [written, value] of Object.entries(given)) {
    const attribute = written === 'xlink:href' ? 'href' : written
    const read = readAttribute(name, attribute, value)
    if (!read || (attribute === 'style' && read.text === '')) continue
    attributes.set(attribute, read.text)
    uses.push(...read.uses)
  }
  for (const one of attributes.get('class')?.split(/\s+/) ?? []) uses.push(...(sheet.byClass.get(one) ?? []))
  return { name, attributes, uses, children: childrenOf(name, children, sheet, depth) }
}

function childrenOf(name: string, children: SvgElement['children'], sheet: Sheet, depth: number): Drawn['children'] {
  if (name === 'style')
    return [
      parseSvgStyleSheet(children.join(''))
        .map(({ selectors, text }) => `${selectors}{${text}}`)
        .join('\n'),
    ]
  return children.map((child) => (typeof child === 'string' ? child : drawn(child, sheet, depth + 1)))
}

/** The rules of all style sheets: a class may use elements, wherever it is written. */
function sheetOf(root: SvgElement): Sheet {
  const byClass: Sheet['byClass'] = new Map()
  const add = ({ classes = [], uses }: SvgStyleRule): void => {
    for (const one of uses.length > 0 ? classes : []) byClass.set(one, [...(byClass.get(one) ?? []), ...uses])
  }
  const open: SvgElement[] = [root]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.name === 'style') parseSvgStyleSheet(next.children.join('')).forEach(add)
    for (const child of next.children) if (typeof child !== 'string') open.push(child)
  }
  return { byClass }
}

/** Counts what is drawn: an element that uses one that uses others draws them all. Throws SvgRefusedError for too many. */
function countDrawn(root: Drawn): void {
  const known = new Map<string, Drawn>()
  const open: Drawn[] = [root]
  for (let next = open.pop(); next; next = open.pop()) {
    const id = next.attributes.get('id')
    if (id !== undefined && !known.has(id)) known.set(id, next)
    for (const child of next.children) if (typeof child !== 'string') open.push(child)
  }
  const counts = new Map<Drawn, number>()
  const count = (element: Drawn, depth: number): number => {
    const before = counts.get(element)
    if (before !== undefined) return before
    if (depth > MOST_DEEP) throw new SvgRefusedError('Elements of the drawing use each other without end.')
    const used = element.uses.flatMap((id) => known.get(id) ?? [])
    const below = element.children.filter((child) => typeof child !== 'string')
    const total = [...used, ...below].reduce((sum, one) => sum + count(one, depth + 1), 1)
    if (total > MOST_DRAWN) throw new SvgRefusedError(`The drawing draws more than ${MOST_DRAWN} elements.`)
    counts.set(element, total)
    return total
  }
  count(root, 0)
}

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as XML has it; characters that XML does not have fall away. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"]/g, (one) => NAMES[one]!)
}

function written({ name, attributes, children }: Drawn): string {
  const start = [name, ...Array.from(attributes, ([key, value]) => `${key}="${escaped(value)}"`)].join(' ')
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : written(child))).join('')
  return isSpace(inner) ? `<${start}/>` : `<${start}>${inner}</${name}>`
}

const pixelsOf = (given: string | undefined): number | undefined =>
  given !== undefined && /^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(given) ? Math.round(Number.parseFloat(given)) : undefined

function sizeOf({ attributes }: Drawn): { width: number | null; height: number | null } {
  const [, , boxWidth, boxHeight] =
    attributes
      .get('viewBox')
      ?.trim()
      .split(/[\s,]+/) ?? []
  const width = pixelsOf(attributes.get('width')) ?? pixelsOf(boxWidth)
  const height = pixelsOf(attributes.get('height')) ?? pixelsOf(boxHeight)
  const isSized = width !== undefined && height !== undefined && Math.max(width, height) < 2 ** 31
  return isSized ? { width, height } : { width: null, height: null }
}

/**
 * An SVG drawn anew from what is known to do no harm: no scripts, no events, no addresses. Throws SvgRefusedError for one that is
 * cut off, declares entities or draws without end.
 */
export function redrawSvg(bytes: Uint8Array): { bytes: Buffer; width: number | null; height: number | null } {
  const tree = parseSvgTree(bytes)
  const root = drawn(tree, sheetOf(tree))
  countDrawn(root)
  root.attributes = new Map([['xmlns', 'http://www.w3.org/2000/svg'], ...root.attributes])
  return { bytes: Buffer.from(`${written(root)}\n`), ...sizeOf(root) }
}

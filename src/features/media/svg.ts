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
interface DrawnElement {
  name: string
  attributes: Map<string, string>
  children: (DrawnElement | string)[]
  /** Ids of what it uses: each is drawn once more. */
  uses: string[]
}

/** Elements and references one in another: what readers draw by calling themselves. */
const MAX_DEPTH = 400
/** Elements that are drawn, each as often as it is used. */
const MAX_DRAWN_ELEMENTS = 200_000

/** A picture within a drawing: what cameras write is taken out of it too. */
function parseEmbeddedPicture(href: string): string | undefined {
  const dataUrlMatch = /^data:image\/(?:png|jpe?g|gif|webp);base64,([A-Za-z0-9+/=\s]+)$/.exec(href.trim())
  if (!dataUrlMatch) return undefined
  const pictureBytes = Buffer.from(dataUrlMatch[1]!, 'base64')
  const { type } = detectMediaKind(pictureBytes)
  if (!type.startsWith('image/') || type === 'image/svg+xml') return undefined
  return `data:${type};base64,${stripPictureMetadata(type, pictureBytes).bytes.toString('base64')}`
}

/** An attribute as it may stand; undefined where it may not. */
function parseAttribute(element: string, name: string, attributeText: string): SvgPropertyValue | undefined {
  if (name === 'style') return parseSvgDeclarations(attributeText)
  if (SVG_PROPERTIES.has(name)) return parseSvgValue(attributeText)
  if (name === 'id') return SVG_ID_PATTERN.test(attributeText) ? { text: attributeText, uses: [] } : undefined
  if (name === 'class') return { text: attributeText.replaceAll(/[^\w\s-]/g, ''), uses: [] }
  if (SVG_ATTRIBUTES.has(name)) return { text: attributeText, uses: [] }
  if (name !== 'href') return undefined
  const id = attributeText.trim().slice(1)
  if (attributeText.trim().startsWith('#') && SVG_ID_PATTERN.test(id)) return { text: `#${id}`, uses: [id] }
  const picture = element === 'image' ? parseEmbeddedPicture(attributeText) : undefined
  return picture === undefined ? undefined : { text: picture, uses: [] }
}

interface StyleSheet {
  byClass: Map<string, string[]>
}

const isBlank = (text: string): boolean => /^\s*$/.test(text)

function drawElement(
  { name, given: sourceAttributes, children }: SvgElement,
  sheet: StyleSheet,
  depth = 0,
): DrawnElement {
  if (depth > MAX_DEPTH) throw new SvgRefusedError(`Elements are nested more than ${MAX_DEPTH} deep.`)
  const attributes = new Map<string, string>()
  const usedIds: string[] = []
  for (const [attributeName, value] of Object.entries(sourceAttributes)) {
    const attribute = attributeName === 'xlink:href' ? 'href' : attributeName
    const parsedValue = parseAttribute(name, attribute, value)
    if (!parsedValue || (attribute === 'style' && parsedValue.text === '')) continue
    attributes.set(attribute, parsedValue.text)
    usedIds.push(...parsedValue.uses)
  }
  for (const reference of attributes.get('class')?.split(/\s+/) ?? [])
    usedIds.push(...(sheet.byClass.get(reference) ?? []))
  return { name, attributes, uses: usedIds, children: drawChildren(name, children, sheet, depth) }
}

function drawChildren(
  name: string,
  children: SvgElement['children'],
  sheet: StyleSheet,
  depth: number,
): DrawnElement['children'] {
  if (name === 'style')
    return [
      parseSvgStyleSheet(children.join(''))
        .map(({ selectors, text }) => `${selectors}{${text}}`)
        .join('\n'),
    ]
  return children.map((child) => (typeof child === 'string' ? child : drawElement(child, sheet, depth + 1)))
}

/** The rules of all style sheets: a class may use elements, wherever it is written. */
function collectStyles(root: SvgElement): StyleSheet {
  const byClass: StyleSheet['byClass'] = new Map()
  const addRule = ({ classes = [], uses }: SvgStyleRule): void => {
    for (const className of uses.length > 0 ? classes : [])
      byClass.set(className, [...(byClass.get(className) ?? []), ...uses])
  }
  const pendingElements: SvgElement[] = [root]
  for (let nextElement = pendingElements.pop(); nextElement; nextElement = pendingElements.pop()) {
    if (nextElement.name === 'style') parseSvgStyleSheet(nextElement.children.join('')).forEach(addRule)
    for (const child of nextElement.children) if (typeof child !== 'string') pendingElements.push(child)
  }
  return { byClass }
}

/** Counts what is drawn: an element that uses one that uses others draws them all. Throws SvgRefusedError for too many. */
function countDrawn(root: DrawnElement): void {
  const elementsById = new Map<string, DrawnElement>()
  const pendingElements: DrawnElement[] = [root]
  for (let nextElement = pendingElements.pop(); nextElement; nextElement = pendingElements.pop()) {
    const id = nextElement.attributes.get('id')
    if (id !== undefined && !elementsById.has(id)) elementsById.set(id, nextElement)
    for (const child of nextElement.children) if (typeof child !== 'string') pendingElements.push(child)
  }
  const drawnCounts = new Map<DrawnElement, number>()
  const count = (element: DrawnElement, depth: number): number => {
    const countedBefore = drawnCounts.get(element)
    if (countedBefore !== undefined) return countedBefore
    if (depth > MAX_DEPTH) throw new SvgRefusedError('Elements of the drawing use each other in a cycle.')
    const usedElements = element.uses.flatMap((id) => elementsById.get(id) ?? [])
    const childElements = element.children.filter((child) => typeof child !== 'string')
    const total = [...usedElements, ...childElements].reduce(
      (sum, nestedElement) => sum + count(nestedElement, depth + 1),
      1,
    )
    if (total > MAX_DRAWN_ELEMENTS)
      throw new SvgRefusedError(`The drawing renders more than ${MAX_DRAWN_ELEMENTS} elements.`)
    drawnCounts.set(element, total)
    return total
  }
  count(root, 0)
}

const XML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as XML has it; characters that XML does not have fall away. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => XML_ENTITIES[character]!)
}

function renderElement({ name, attributes, children }: DrawnElement): string {
  const startTag = [name, ...Array.from(attributes, ([key, value]) => `${key}="${escapeXml(value)}"`)].join(' ')
  const innerText = children
    .map((child) => (typeof child === 'string' ? escapeXml(child) : renderElement(child)))
    .join('')
  return isBlank(innerText) ? `<${startTag}/>` : `<${startTag}>${innerText}</${name}>`
}

const parsePixels = (lengthText: string | undefined): number | undefined =>
  lengthText !== undefined && /^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(lengthText)
    ? Math.round(Number.parseFloat(lengthText))
    : undefined

function readDrawnSize({ attributes }: DrawnElement): { width: number | null; height: number | null } {
  const [, , boxWidth, boxHeight] =
    attributes
      .get('viewBox')
      ?.trim()
      .split(/[\s,]+/) ?? []
  const width = parsePixels(attributes.get('width')) ?? parsePixels(boxWidth)
  const height = parsePixels(attributes.get('height')) ?? parsePixels(boxHeight)
  const isSized = width !== undefined && height !== undefined && Math.max(width, height) < 2 ** 31
  return isSized ? { width, height } : { width: null, height: null }
}

/**
 * Redraws an SVG from elements and attributes known to be harmless: no scripts, no events, no addresses. Throws SvgRefusedError for one
 * that is truncated, declares entities or draws without end.
 */
export function redrawSvg(bytes: Uint8Array): { bytes: Buffer; width: number | null; height: number | null } {
  const svgTree = parseSvgTree(bytes)
  const drawnRoot = drawElement(svgTree, collectStyles(svgTree))
  countDrawn(drawnRoot)
  drawnRoot.attributes = new Map([['xmlns', 'http://www.w3.org/2000/svg'], ...drawnRoot.attributes])
  return { bytes: Buffer.from(`${renderElement(drawnRoot)}\n`), ...readDrawnSize(drawnRoot) }
}

import { replaceTextSpans } from '../../lib/text/spans-of-text.ts'
import { SVG_PROPERTIES, SVG_VALUE_FUNCTIONS } from './svg-names.ts'

/** The id of an element that another one refers to. */
export const SVG_ID_PATTERN = /^[\w:.-]+$/

/** A value that may stand, and which elements of the drawing it uses. */
export interface SvgPropertyValue {
  text: string
  uses: string[]
}

/** The name of the function whose bracket is at `bracket`; empty without one. */
function nameOfCall(text: string, bracket: number): string {
  let end = bracket
  while (end > 0 && /\s/.test(text[end - 1]!)) end--
  let start = end
  while (start > 0 && /[\w-]/.test(text[start - 1]!)) start--
  return text.slice(start, end)
}

/** A value of a property; undefined for one that could lead out of the drawing. */
export function parseSvgValue(given: string): SvgPropertyValue | undefined {
  const uses: string[] = []
  const rest = given.replace(/url\(\s*(['"]?)#([\w:.-]+)\1\s*\)/gi, (_, _quote, id: string) => {
    uses.push(id)
    return ' '
  })
  // An escape could spell any of the words that are looked for.
  if (/[\\<>{};@]|\/\*/.test(given)) return undefined
  for (const { index } of rest.matchAll(/\(/g))
    if (!SVG_VALUE_FUNCTIONS.has(nameOfCall(rest, index).toLowerCase())) return undefined
  return { text: given.trim(), uses }
}

/** What of `fill: red; …` may stand. */
export function parseSvgDeclarations(given: string): SvgPropertyValue {
  const read = given.split(';').flatMap((one) => {
    const colon = one.indexOf(':')
    const name = one.slice(0, colon).trim().toLowerCase()
    const value = colon > 0 && SVG_PROPERTIES.has(name) ? parseSvgValue(one.slice(colon + 1)) : undefined
    return value ? [{ name, ...value }] : []
  })
  return {
    text: read.map(({ name, text }) => `${name}:${text}`).join(';'),
    uses: read.flatMap(({ uses }) => uses),
  }
}

/** A rule of a style sheet; `classes` when it is of elements by their class alone. */
export interface SvgStyleRule extends SvgPropertyValue {
  selectors: string
  classes: string[] | undefined
}

const SELECTOR = /^[\w\s.#>*-]+$/
const CLASS = /^\.[\w-]+$/

function readRule(prelude: string, body: string): SvgStyleRule[] {
  const selectors = prelude
    .split(',')
    .map((one) => one.trim())
    .filter((one) => SELECTOR.test(one))
  const { text, uses } = parseSvgDeclarations(body)
  const classes = selectors.every((one) => CLASS.test(one)) ? selectors.map((one) => one.slice(1)) : undefined
  // What uses other elements is counted by element: that can be done for classes.
  if (selectors.length === 0 || text === '' || (uses.length > 0 && !classes)) return []
  return [{ selectors: selectors.join(','), classes, text, uses }]
}

/** Where the block that opens at `open` ends: behind its last brace. */
function endOfBlock(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at + 1
  }
  return text.length
}

/** What of a style sheet may stand; rules that begin with `@` fall away. */
export function parseSvgStyleSheet(given: string): SvgStyleRule[] {
  const text = replaceTextSpans(given, /\/\*/g, /\*\//g, () => ' ').replaceAll(/<!--|-->/g, ' ')
  const rules: SvgStyleRule[] = []
  for (let at = 0; at < text.length; ) {
    const length = text.slice(at).search(/[{;]/)
    if (length === -1) break
    const stop = at + length
    const prelude = text.slice(at, stop).trim()
    at = text[stop] === ';' ? stop + 1 : endOfBlock(text, stop)
    if (text[stop] === '{' && !prelude.startsWith('@')) rules.push(...readRule(prelude, text.slice(stop + 1, at - 1)))
  }
  return rules
}

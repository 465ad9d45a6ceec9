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
function readFunctionName(text: string, bracket: number): string {
  let nameEnd = bracket
  while (nameEnd > 0 && /\s/.test(text[nameEnd - 1]!)) nameEnd--
  let nameStart = nameEnd
  while (nameStart > 0 && /[\w-]/.test(text[nameStart - 1]!)) nameStart--
  return text.slice(nameStart, nameEnd)
}

/** A value of a property; undefined for one that could lead out of the drawing. */
export function parseSvgValue(valueText: string): SvgPropertyValue | undefined {
  const usedIds: string[] = []
  const valueRest = valueText.replace(/url\(\s*(['"]?)#([\w:.-]+)\1\s*\)/gi, (_, _quote, id: string) => {
    usedIds.push(id)
    return ' '
  })
  // An escape could spell any of the words that are looked for.
  if (/[\\<>{};@]|\/\*/.test(valueText)) return undefined
  for (const { index } of valueRest.matchAll(/\(/g))
    if (!SVG_VALUE_FUNCTIONS.has(readFunctionName(valueRest, index).toLowerCase())) return undefined
  return { text: valueText.trim(), uses: usedIds }
}

/** Parses the allowed declarations of `fill: red; …`. */
export function parseSvgDeclarations(declarationText: string): SvgPropertyValue {
  const declarations = declarationText.split(';').flatMap((declaration) => {
    const colonIndex = declaration.indexOf(':')
    const name = declaration.slice(0, colonIndex).trim().toLowerCase()
    const value =
      colonIndex > 0 && SVG_PROPERTIES.has(name) ? parseSvgValue(declaration.slice(colonIndex + 1)) : undefined
    return value ? [{ name, ...value }] : []
  })
  return {
    text: declarations.map(({ name, text }) => `${name}:${text}`).join(';'),
    uses: declarations.flatMap(({ uses }) => uses),
  }
}

/** A rule of a style sheet; `classes` when it is of elements by their class alone. */
export interface SvgStyleRule extends SvgPropertyValue {
  selectors: string
  classes: string[] | undefined
}

const SELECTOR_PATTERN = /^[\w\s.#>*-]+$/
const CLASS_PATTERN = /^\.[\w-]+$/

function parseRule(prelude: string, body: string): SvgStyleRule[] {
  const selectors = prelude
    .split(',')
    .map((selector) => selector.trim())
    .filter((selector) => SELECTOR_PATTERN.test(selector))
  const { text, uses } = parseSvgDeclarations(body)
  const classNames = selectors.every((selector) => CLASS_PATTERN.test(selector))
    ? selectors.map((selector) => selector.slice(1))
    : undefined
  // What uses other elements is counted by element: that can be done for classes.
  if (selectors.length === 0 || text === '' || (uses.length > 0 && !classNames)) return []
  return [{ selectors: selectors.join(','), classes: classNames, text, uses }]
}

/** Finds the end of the block that opens at `openingBrace`: the position after its last brace. */
function findBlockEnd(text: string, openingBrace: number): number {
  let depth = 0
  for (let position = openingBrace; position < text.length; position++) {
    if (text[position] === '{') depth++
    if (text[position] === '}' && --depth === 0) return position + 1
  }
  return text.length
}

/** Parses the allowed rules of a style sheet. Rules that begin with `@` are removed. */
export function parseSvgStyleSheet(styleText: string): SvgStyleRule[] {
  const text = replaceTextSpans(styleText, /\/\*/g, /\*\//g, () => ' ').replaceAll(/<!--|-->/g, ' ')
  const rules: SvgStyleRule[] = []
  for (let position = 0; position < text.length; ) {
    const preludeLength = text.slice(position).search(/[{;]/)
    if (preludeLength === -1) break
    const preludeEnd = position + preludeLength
    const prelude = text.slice(position, preludeEnd).trim()
    position = text[preludeEnd] === ';' ? preludeEnd + 1 : findBlockEnd(text, preludeEnd)
    if (text[preludeEnd] === '{' && !prelude.startsWith('@'))
      rules.push(...parseRule(prelude, text.slice(preludeEnd + 1, position - 1)))
  }
  return rules
}

import { memberPointer } from '../form/pointers.ts'
import type { CodePosition } from './places.ts'

const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** A container that is open: what is next in it. */
type OpenContainer = { isList: true; key: number } | { isList: false; key: string; isNamed: boolean }

/** Offsets and lengths (of containers: 1) of all values of a text of JSON, by their pointers (RFC 6901). */
function* iterateJsonValues(text: string): Generator<{ pointer: string; offset: number; length: number }> {
  const openContainers: OpenContainer[] = []
  const buildPointer = (): string => openContainers.reduce((path, { key }) => memberPointer(path, String(key)), '')
  for (const { 0: token, index: offset } of text.matchAll(JSON_TOKENS)) {
    const innermost = openContainers.at(-1)
    if (token === '}' || token === ']') openContainers.pop()
    else if (token === ',' && innermost?.isList) innermost.key++
    else if (token === ',' && innermost) Object.assign(innermost, { isNamed: false })
    else if (innermost && !innermost.isList && !innermost.isNamed)
      Object.assign(innermost, { key: JSON.parse(token), isNamed: true })
    else if (token !== ':' && token !== ',') {
      yield { pointer: buildPointer(), offset, length: token.length }
      if (token === '{') openContainers.push({ isList: false, key: '', isNamed: false })
      else if (token === '[') openContainers.push({ isList: true, key: 0 })
    }
  }
}

/** Returns the position of the value at a pointer in a JSON text; if it does not exist, the position of its closest existing ancestor. */
export function locateJsonPointer(text: string, pointer: string): CodePosition {
  let [valueOffset, length, matchedLength] = [0, 1, -1]
  for (const value of iterateJsonValues(text))
    if (value.pointer.length > matchedLength && `${pointer}/`.startsWith(`${value.pointer}/`))
      [valueOffset, length, matchedLength] = [value.offset, value.length, value.pointer.length]
  const precedingLines = text.slice(0, valueOffset).split('\n')
  return { line: precedingLines.length, column: (precedingLines.at(-1)?.length ?? 0) + 1, length }
}

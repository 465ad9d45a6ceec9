import { memberPointer } from '../form/pointers.ts'
import type { CodePosition } from './places.ts'

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** A container that is open: what is next in it. */
type Open = { isList: true; key: number } | { isList: false; key: string; isNamed: boolean }

/** Offsets and lengths (of containers: 1) of all values of a text of JSON, by their pointers (RFC 6901). */
function* valuesIn(text: string): Generator<{ pointer: string; offset: number; length: number }> {
  const open: Open[] = []
  const pointer = (): string => open.reduce((path, { key }) => memberPointer(path, String(key)), '')
  for (const { 0: token, index: offset } of text.matchAll(TOKENS)) {
    const inner = open.at(-1)
    if (token === '}' || token === ']') open.pop()
    else if (token === ',' && inner?.isList) inner.key++
    else if (token === ',' && inner) Object.assign(inner, { isNamed: false })
    else if (inner && !inner.isList && !inner.isNamed) Object.assign(inner, { key: JSON.parse(token), isNamed: true })
    else if (token !== ':' && token !== ',') {
      yield { pointer: pointer(), offset, length: token.length }
      if (token === '{') open.push({ isList: false, key: '', isNamed: false })
      else if (token === '[') open.push({ isList: true, key: 0 })
    }
  }
}

/** Where in a text of JSON the value at a pointer begins; where it is not there, the last on the way to it that is. */
export function locateJsonPointer(text: string, pointer: string): CodePosition {
  let [at, length, way] = [0, 1, -1]
  for (const value of valuesIn(text))
    if (value.pointer.length > way && `${pointer}/`.startsWith(`${value.pointer}/`))
      [at, length, way] = [value.offset, value.length, value.pointer.length]
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, length }
}

import { ch, type Fragment, joined, raw, text } from './sql.ts'

/*
 * Members of the details, which the store keeps as text.
 */

/** A tree of members: null is a member that is wanted whole. */
export interface Paths {
  [name: string]: Paths | null
}

/** Paths such as `activation,recipient` as a tree. */
export function pathsOf(paths: readonly string[]): Paths {
  const tree: Paths = {}
  for (const path of paths) {
    const names = path.split(',')
    let place = tree
    for (const name of names.slice(0, -1)) place = place[name] ??= {}
    place[names.at(-1)!] ??= null
  }
  return tree
}

const keysOf = (path: readonly string[]): Fragment =>
  joined(
    path.map((name) => ch`${text(name)}`),
    ', ',
  )

const rawAt = (path: readonly string[]): Fragment => ch`JSONExtractRaw(detail, ${keysOf(path)})`

/** Text of a detail with the members of a tree alone. A member that is missing is null. */
export function memberOf(tree: Paths, path: readonly string[] = []): Fragment {
  const members = Object.entries(tree).map(([name, below]) => {
    const own = [...path, name]
    const value = below === null ? ch`if(empty(${rawAt(own)}), 'null', ${rawAt(own)})` : memberOf(below, own)
    return ch`${text(`${JSON.stringify(name)}:`)}, ${value}`
  })
  if (members.length === 0) return raw("'{}'")
  return ch`concat('{', ${joined(members, ", ',', ")}, '}')`
}

/** A member as text, as `#>>` of PostgreSQL gives it: null where there is none, texts without their quotes. */
export function textAt(path: string): Fragment {
  const names = path.split(',')
  const own = rawAt(names)
  return ch`multiIf(empty(${own}) or ${own} = 'null', null, startsWith(${own}, '"'), JSONExtractString(detail, ${keysOf(names)}), ${own})`
}

import {
  type ClickHouseFragment,
  clickHouseSql,
  joinClickHouseFragments,
  rawClickHouseSql,
  stringParam,
} from './sql.ts'

/*
 * Members of the details, which the store keeps as text.
 */

/** A tree of members: null is a member that is wanted whole. */
export interface DetailPathTree {
  [name: string]: DetailPathTree | null
}

/** Paths such as `activation,recipient` as a tree. */
export function buildDetailPathTree(paths: readonly string[]): DetailPathTree {
  const tree: DetailPathTree = {}
  for (const path of paths) {
    const names = path.split(',')
    let place = tree
    for (const name of names.slice(0, -1)) place = place[name] ??= {}
    place[names.at(-1)!] ??= null
  }
  return tree
}

const keysOf = (path: readonly string[]): ClickHouseFragment =>
  joinClickHouseFragments(
    path.map((name) => clickHouseSql`${stringParam(name)}`),
    ', ',
  )

const rawAt = (path: readonly string[]): ClickHouseFragment => clickHouseSql`JSONExtractRaw(detail, ${keysOf(path)})`

/** Text of a detail with the members of a tree alone. A member that is missing is null. */
export function buildDetailJson(tree: DetailPathTree, path: readonly string[] = []): ClickHouseFragment {
  const members = Object.entries(tree).map(([name, below]) => {
    const own = [...path, name]
    const value =
      below === null ? clickHouseSql`if(empty(${rawAt(own)}), 'null', ${rawAt(own)})` : buildDetailJson(below, own)
    return clickHouseSql`${stringParam(`${JSON.stringify(name)}:`)}, ${value}`
  })
  if (members.length === 0) return rawClickHouseSql("'{}'")
  return clickHouseSql`concat('{', ${joinClickHouseFragments(members, ", ',', ")}, '}')`
}

/** A member as text, as `#>>` of PostgreSQL gives it: null where there is none, texts without their quotes. */
export function extractDetailText(path: string): ClickHouseFragment {
  const names = path.split(',')
  const own = rawAt(names)
  return clickHouseSql`multiIf(empty(${own}) or ${own} = 'null', null, startsWith(${own}, '"'), JSONExtractString(detail, ${keysOf(names)}), ${own})`
}

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
    let node = tree
    for (const name of names.slice(0, -1)) node = node[name] ??= {}
    node[names.at(-1)!] ??= null
  }
  return tree
}

const joinPathKeys = (path: readonly string[]): ClickHouseFragment =>
  joinClickHouseFragments(
    path.map((name) => clickHouseSql`${stringParam(name)}`),
    ', ',
  )

const extractRawMember = (path: readonly string[]): ClickHouseFragment =>
  clickHouseSql`JSONExtractRaw(detail, ${joinPathKeys(path)})`

/** Text of a detail with the members of a tree alone. A member that is missing is null. */
export function buildDetailJson(tree: DetailPathTree, path: readonly string[] = []): ClickHouseFragment {
  const members = Object.entries(tree).map(([name, below]) => {
    const memberPath = [...path, name]
    const value =
      below === null
        ? clickHouseSql`if(empty(${extractRawMember(memberPath)}), 'null', ${extractRawMember(memberPath)})`
        : buildDetailJson(below, memberPath)
    return clickHouseSql`${stringParam(`${JSON.stringify(name)}:`)}, ${value}`
  })
  if (members.length === 0) return rawClickHouseSql("'{}'")
  return clickHouseSql`concat('{', ${joinClickHouseFragments(members, ", ',', ")}, '}')`
}

/** Extracts a member as text, as PostgreSQL's `#>>` does: null if it is absent, texts without their quotes. */
export function extractDetailText(path: string): ClickHouseFragment {
  const names = path.split(',')
  const rawMember = extractRawMember(names)
  return clickHouseSql`multiIf(empty(${rawMember}) or ${rawMember} = 'null', null, startsWith(${rawMember}, '"'), JSONExtractString(detail, ${joinPathKeys(names)}), ${rawMember})`
}

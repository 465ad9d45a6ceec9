import type { ApiBlockKind, ApiColumnsBlock, ApiDesign, ApiDesignBlock, ApiDesignRow } from './shapes.ts'

/**
 * Where something stands in a design: `[row]`, `[row, column, block]`, or `[row, column, block, column, block]` of a block
 * within columns. The last number is its place in its list.
 */
export type DesignPath = readonly number[]
export type DesignNode = ApiDesignRow | ApiDesignBlock

export const MAX_EDITOR_BLOCKS = 1_000

const isRow = (node: DesignNode): node is ApiDesignRow => !('type' in node)
const isColumns = (node: DesignNode): node is ApiColumnsBlock => 'type' in node && node.type === 'columns'

/** A path as a text read again; the empty one is none. */
export const parseDesignPath = (at: string): DesignPath => (at === '' ? [] : at.split(',').map(Number))

export const isSameDesignPath = (one: DesignPath | null, other: DesignPath | null): boolean =>
  String(one) === String(other)

/** The list that a path points into; undefined: there is none. */
function listAt(design: ApiDesign, path: DesignPath): readonly DesignNode[] | undefined {
  if (path.length === 1) return design.rows
  const parent = findDesignNode(design, path.slice(0, -2))
  return parent && 'blocks' in parent ? parent.blocks[path.at(-2)!] : undefined
}

/** What stands at a path; undefined: nothing does. */
export function findDesignNode(design: ApiDesign, path: DesignPath): DesignNode | undefined {
  return listAt(design, path)?.[path.at(-1)!]
}

function withList(
  design: ApiDesign,
  path: DesignPath,
  change: (list: readonly DesignNode[]) => DesignNode[],
): ApiDesign {
  if (path.length === 1) return { ...design, rows: change(design.rows) as ApiDesignRow[] }
  const parentPath = path.slice(0, -2)
  return replaceDesignNode(design, parentPath, (parent) => {
    if (!('blocks' in parent)) return parent
    const blocks = parent.blocks.map((list, column) =>
      column === path.at(-2) ? (change(list) as ApiDesignBlock[]) : list,
    )
    return { ...parent, blocks } as DesignNode
  })
}

/** A design with one node changed; all others are the same objects. */
export function replaceDesignNode(
  design: ApiDesign,
  path: DesignPath,
  change: (node: DesignNode) => DesignNode,
): ApiDesign {
  return withList(design, path, (list) =>
    list.map((node, index) => (index === path.at(-1) ? keyed(node, change(node)) : node)),
  )
}

const keys = new WeakMap<DesignNode, string>()
let made = 0

function keyed(before: DesignNode, after: DesignNode): DesignNode {
  keys.set(after, designNodeKey(before))
  return after
}

/** What React knows a node by: it stays when the node changes or moves, and is never in the JSON. */
export function designNodeKey(node: DesignNode): string {
  const known = keys.get(node)
  if (known !== undefined) return known
  const key = `n${made++}`
  keys.set(node, key)
  return key
}

/** How many blocks a list of nodes has, those within others included. */
function countBlocks(nodes: readonly DesignNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (isRow(node) ? 0 : 1) + ('blocks' in node ? countBlocks(node.blocks.flat()) : 0),
    0,
  )
}

/** Whether a node may stand at a path: columns only in rows of one column, and nothing within itself. */
export function canPlaceDesignNode(design: ApiDesign, path: DesignPath, node: DesignNode): boolean {
  const list = listAt(design, path)
  if (!list || path.at(-1)! < 0 || path.at(-1)! > list.length) return false
  if (isRow(node)) return path.length === 1
  if (path.length === 1 || !isColumns(node)) return path.length !== 1
  const row = design.rows[path[0]!]
  return path.length === 3 && row?.columns.length === 1
}

/** Puts a node at a path; a design that may not have it stays as it is. */
export function insertDesignNode(design: ApiDesign, path: DesignPath, node: DesignNode): ApiDesign {
  if (!canPlaceDesignNode(design, path, node)) return design
  if (countBlocks(design.rows) + countBlocks([node]) > MAX_EDITOR_BLOCKS || design.rows.length >= MAX_EDITOR_BLOCKS)
    return design
  return withList(design, path, (list) => [...list.slice(0, path.at(-1)), node, ...list.slice(path.at(-1))])
}

export function removeDesignNode(design: ApiDesign, path: DesignPath): ApiDesign {
  return withList(design, path, (list) => list.filter((_, index) => index !== path.at(-1)))
}

/** A path after what stood at `removed` is gone. */
function without(path: DesignPath, removed: DesignPath): DesignPath {
  const last = removed.length - 1
  const isBehind =
    path.length >= removed.length &&
    isSameDesignPath(path.slice(0, last), removed.slice(0, -1)) &&
    path[last]! > removed[last]!
  return isBehind ? path.map((place, index) => (index === last ? place - 1 : place)) : path
}

export interface DesignMoveResult {
  design: ApiDesign
  path: DesignPath
}

/** Moves a node to before what stands at `to` now; undefined where it may not be or already is. */
export function moveDesignNode(design: ApiDesign, from: DesignPath, to: DesignPath): DesignMoveResult | undefined {
  const node = findDesignNode(design, from)
  const isWithin = to.length > from.length && isSameDesignPath(to.slice(0, from.length), from)
  if (!node || isWithin || !canPlaceDesignNode(design, to, node)) return undefined
  const path = without(to, from)
  if (isSameDesignPath(path, from)) return undefined
  return { design: insertDesignNode(removeDesignNode(design, from), path, node), path }
}

/** All paths in the order people read them, rows before their blocks. */
export function listDesignPaths(design: ApiDesign): DesignPath[] {
  const inside = (node: DesignNode, path: DesignPath): DesignPath[] => [
    path,
    ...('blocks' in node
      ? node.blocks.flatMap((list, column) => list.flatMap((block, index) => inside(block, [...path, column, index])))
      : []),
  ]
  return design.rows.flatMap((row, index) => inside(row, [index]))
}

/** Where a step up or down takes a node: within its list, else into the next column or row. */
export function findDesignStepPath(design: ApiDesign, path: DesignPath, step: 1 | -1): DesignPath | undefined {
  const list = listAt(design, path)
  const place = path.at(-1)!
  if (!list) return undefined
  const next = place + step
  if (next >= 0 && next < list.length) return [...path.slice(0, -1), step === 1 ? place + 2 : next]
  if (path.length === 1) return undefined
  const parentPath = path.slice(0, -2)
  const parent = findDesignNode(design, parentPath)
  const column = path.at(-2)! + step
  if (parent && 'blocks' in parent && parent.blocks[column]) return endOf(parent, parentPath, column, step)
  if (path.length === 5) return step === 1 ? [...parentPath.slice(0, -1), parentPath.at(-1)! + 1] : parentPath
  const row = design.rows[path[0]! + step]
  return row && endOf(row, [path[0]! + step], step === 1 ? 0 : row.blocks.length - 1, step)
}

const endOf = (parent: ApiDesignRow | ApiColumnsBlock, path: DesignPath, column: number, step: 1 | -1): DesignPath => [
  ...path,
  column,
  step === 1 ? 0 : (parent.blocks[column]?.length ?? 0),
]

/** Where a new block goes: after the chosen one, at the end of the chosen row, or into a new row at the end. */
export function findInsertionPath(design: ApiDesign, chosen: DesignPath | null): DesignPath {
  const node = chosen && findDesignNode(design, chosen)
  if (!chosen || !node) return [design.rows.length]
  if (isRow(node)) return [...chosen, 0, node.blocks[0]?.length ?? 0]
  return [...chosen.slice(0, -1), chosen.at(-1)! + 1]
}

/** Puts a block at a path; a path of a row gets a new row around it. */
export function insertDesignBlock(
  design: ApiDesign,
  path: DesignPath,
  block: ApiDesignBlock,
): DesignMoveResult | undefined {
  const node: DesignNode = path.length === 1 ? { columns: [100], blocks: [[block]] } : block
  // Columns stand in no columns: they get a row of their own.
  if (path.length > 1 && !canPlaceDesignNode(design, path, block))
    return insertDesignBlock(design, [path[0]! + 1], block)
  const next = insertDesignNode(design, path, node)
  if (next === design) return undefined
  return { design: next, path: path.length === 1 ? [...path, 0, 0] : path }
}

/** A node with other columns: blocks of those that go join the last that stays. */
export function resizeDesignColumns<Parent extends ApiDesignRow | ApiColumnsBlock>(
  parent: Parent,
  widths: number[],
): Parent {
  const last = widths.length - 1
  const blocks: ApiDesignBlock[][] = widths.map((_, index) =>
    index < last ? (parent.blocks[index] ?? []) : parent.blocks.slice(last).flat(),
  )
  const isNested = blocks.flat().some(isColumns)
  return isNested && widths.length > 1 ? parent : { ...parent, columns: widths, blocks }
}

/** What is copied, read again; undefined: it is something else. */
export function parseDesignNode(text: string): DesignNode | undefined {
  try {
    const node = JSON.parse(text)
    if (typeof node !== 'object' || node === null) return undefined
    const hasLists = Array.isArray(node.columns) && Array.isArray(node.blocks) && node.blocks.every(Array.isArray)
    if (node.type === undefined || node.type === 'columns') return hasLists ? node : undefined
    return (node.type as ApiBlockKind) in NEEDED && NEEDED[node.type as ApiBlockKind].every((name) => name in node)
      ? node
      : undefined
  } catch {
    return undefined
  }
}

/** Members that a block cannot be without. */
const NEEDED: Record<ApiBlockKind, readonly string[]> = {
  ...{ text: ['text'], heading: ['text'], image: ['src', 'alt'], button: ['text', 'href'], divider: [] },
  ...{ spacer: ['height'], columns: ['columns', 'blocks'], header: ['name'], footer: ['address', 'unsubscribe'] },
  ...{ social: ['links'], product: ['title'], html: ['html'] },
}

/** A copy that is another node to React. */
export const cloneDesignNode = <T extends DesignNode>(node: T): T => structuredClone(node)

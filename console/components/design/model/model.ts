import type { ApiBlockKind, ApiColumnsBlock, ApiDesign, ApiDesignBlock, ApiDesignRow } from './shapes.ts'

/**
 * Position of a node in a design: `[row]`, `[row, column, block]`, or `[row, column, block, column, block]` for a block within columns.
 * The last number is its index in its list.
 */
export type DesignPath = readonly number[]
export type DesignNode = ApiDesignRow | ApiDesignBlock

export const MAX_EDITOR_BLOCKS = 1_000

const isRow = (node: DesignNode): node is ApiDesignRow => !('type' in node)
const isColumnsBlock = (node: DesignNode): node is ApiColumnsBlock => 'type' in node && node.type === 'columns'

/** Parses the text of a path; an empty text is the empty path. */
export const parseDesignPath = (at: string): DesignPath => (at === '' ? [] : at.split(',').map(Number))

export const isSameDesignPath = (leftPath: DesignPath | null, rightPath: DesignPath | null): boolean =>
  String(leftPath) === String(rightPath)

/** Returns the list that a path points into, or `undefined` if it does not exist. */
function findNodeList(design: ApiDesign, path: DesignPath): readonly DesignNode[] | undefined {
  if (path.length === 1) return design.rows
  const parent = findDesignNode(design, path.slice(0, -2))
  return parent && 'blocks' in parent ? parent.blocks[path.at(-2)!] : undefined
}

/** Returns the node at a path, or `undefined` if it does not exist. */
export function findDesignNode(design: ApiDesign, path: DesignPath): DesignNode | undefined {
  return findNodeList(design, path)?.[path.at(-1)!]
}

function updateNodeList(
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
  return updateNodeList(design, path, (list) =>
    list.map((node, index) => (index === path.at(-1) ? transferKey(node, change(node)) : node)),
  )
}

const nodeKeys = new WeakMap<DesignNode, string>()
let keyCount = 0

function transferKey(before: DesignNode, after: DesignNode): DesignNode {
  nodeKeys.set(after, designNodeKey(before))
  return after
}

/** Returns the React key of a node: it survives changes and moves of the node, and is never part of the JSON. */
export function designNodeKey(node: DesignNode): string {
  const existingKey = nodeKeys.get(node)
  if (existingKey !== undefined) return existingKey
  const key = `n${keyCount++}`
  nodeKeys.set(node, key)
  return key
}

/** Counts the blocks of a list of nodes, including nested ones. */
function countBlocks(nodes: readonly DesignNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (isRow(node) ? 0 : 1) + ('blocks' in node ? countBlocks(node.blocks.flat()) : 0),
    0,
  )
}

/** True if a node may be placed at a path: columns only in rows of one column, and no node within itself. */
export function canPlaceDesignNode(design: ApiDesign, path: DesignPath, node: DesignNode): boolean {
  const nodeList = findNodeList(design, path)
  if (!nodeList || path.at(-1)! < 0 || path.at(-1)! > nodeList.length) return false
  if (isRow(node)) return path.length === 1
  if (path.length === 1 || !isColumnsBlock(node)) return path.length !== 1
  const row = design.rows[path[0]!]
  return path.length === 3 && row?.columns.length === 1
}

/** Puts a node at a path; a design that may not have it stays as it is. */
export function insertDesignNode(design: ApiDesign, path: DesignPath, node: DesignNode): ApiDesign {
  if (!canPlaceDesignNode(design, path, node)) return design
  if (countBlocks(design.rows) + countBlocks([node]) > MAX_EDITOR_BLOCKS || design.rows.length >= MAX_EDITOR_BLOCKS)
    return design
  return updateNodeList(design, path, (list) => [...list.slice(0, path.at(-1)), node, ...list.slice(path.at(-1))])
}

export function removeDesignNode(design: ApiDesign, path: DesignPath): ApiDesign {
  return updateNodeList(design, path, (list) => list.filter((_, index) => index !== path.at(-1)))
}

/** A path after what stood at `removed` is gone. */
function adjustPathAfterRemoval(path: DesignPath, removed: DesignPath): DesignPath {
  const lastLevel = removed.length - 1
  const isFollowing =
    path.length >= removed.length &&
    isSameDesignPath(path.slice(0, lastLevel), removed.slice(0, -1)) &&
    path[lastLevel]! > removed[lastLevel]!
  return isFollowing ? path.map((place, index) => (index === lastLevel ? place - 1 : place)) : path
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
  const path = adjustPathAfterRemoval(to, from)
  if (isSameDesignPath(path, from)) return undefined
  return { design: insertDesignNode(removeDesignNode(design, from), path, node), path }
}

/** All paths in the order people read them, rows before their blocks. */
export function listDesignPaths(design: ApiDesign): DesignPath[] {
  const listNodePaths = (node: DesignNode, path: DesignPath): DesignPath[] => [
    path,
    ...('blocks' in node
      ? node.blocks.flatMap((list, column) =>
          list.flatMap((block, index) => listNodePaths(block, [...path, column, index])),
        )
      : []),
  ]
  return design.rows.flatMap((row, index) => listNodePaths(row, [index]))
}

/** Returns the target of a step up or down: within its list, otherwise in the next column or row. */
export function findDesignStepPath(design: ApiDesign, path: DesignPath, step: 1 | -1): DesignPath | undefined {
  const siblings = findNodeList(design, path)
  const currentIndex = path.at(-1)!
  if (!siblings) return undefined
  const nextIndex = currentIndex + step
  if (nextIndex >= 0 && nextIndex < siblings.length)
    return [...path.slice(0, -1), step === 1 ? currentIndex + 2 : nextIndex]
  if (path.length === 1) return undefined
  const parentPath = path.slice(0, -2)
  const parent = findDesignNode(design, parentPath)
  const column = path.at(-2)! + step
  if (parent && 'blocks' in parent && parent.blocks[column]) return findColumnEnd(parent, parentPath, column, step)
  if (path.length === 5) return step === 1 ? [...parentPath.slice(0, -1), parentPath.at(-1)! + 1] : parentPath
  const row = design.rows[path[0]! + step]
  return row && findColumnEnd(row, [path[0]! + step], step === 1 ? 0 : row.blocks.length - 1, step)
}

const findColumnEnd = (
  parent: ApiDesignRow | ApiColumnsBlock,
  path: DesignPath,
  column: number,
  step: 1 | -1,
): DesignPath => [...path, column, step === 1 ? 0 : (parent.blocks[column]?.length ?? 0)]

/** Returns the position of a new block: after the chosen block, at the end of the chosen row, or in a new row at the end. */
export function findInsertionPath(design: ApiDesign, chosenPath: DesignPath | null): DesignPath {
  const node = chosenPath && findDesignNode(design, chosenPath)
  if (!chosenPath || !node) return [design.rows.length]
  if (isRow(node)) return [...chosenPath, 0, node.blocks[0]?.length ?? 0]
  return [...chosenPath.slice(0, -1), chosenPath.at(-1)! + 1]
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
  const changedDesign = insertDesignNode(design, path, node)
  if (changedDesign === design) return undefined
  return { design: changedDesign, path: path.length === 1 ? [...path, 0, 0] : path }
}

/** A node with other columns: blocks of those that go join the last that stays. */
export function resizeDesignColumns<Parent extends ApiDesignRow | ApiColumnsBlock>(
  parent: Parent,
  widths: number[],
): Parent {
  const lastColumn = widths.length - 1
  const blocks: ApiDesignBlock[][] = widths.map((_, index) =>
    index < lastColumn ? (parent.blocks[index] ?? []) : parent.blocks.slice(lastColumn).flat(),
  )
  const isNested = blocks.flat().some(isColumnsBlock)
  return isNested && widths.length > 1 ? parent : { ...parent, columns: widths, blocks }
}

/** Parses a copied node. Returns `undefined` for any other text. */
export function parseDesignNode(text: string): DesignNode | undefined {
  try {
    const node = JSON.parse(text)
    if (typeof node !== 'object' || node === null) return undefined
    const hasLists = Array.isArray(node.columns) && Array.isArray(node.blocks) && node.blocks.every(Array.isArray)
    if (node.type === undefined || node.type === 'columns') return hasLists ? node : undefined
    return (node.type as ApiBlockKind) in REQUIRED_MEMBERS &&
      REQUIRED_MEMBERS[node.type as ApiBlockKind].every((name) => name in node)
      ? node
      : undefined
  } catch {
    return undefined
  }
}

/** Members that a block cannot be without. */
const REQUIRED_MEMBERS: Record<ApiBlockKind, readonly string[]> = {
  text: ['text'],
  heading: ['text'],
  image: ['src', 'alt'],
  button: ['text', 'href'],
  divider: [],
  spacer: ['height'],
  columns: ['columns', 'blocks'],
  header: ['name'],
  footer: ['address', 'unsubscribe'],
  social: ['links'],
  product: ['title'],
  html: ['html'],
}

/** A copy that is another node to React. */
export const cloneDesignNode = <T extends DesignNode>(node: T): T => structuredClone(node)

import { listNodeOutputs, type WorkflowFormNode } from './graph.ts'

export const NODE_WIDTH_PX = 220
export const NODE_HEIGHT_PX = 64

export interface NodePosition {
  x: number
  y: number
}
export type NodePositions = Readonly<Record<string, NodePosition>>

/** Parts of a graph that determine its layout. */
export interface GraphShape {
  ids: readonly string[]
  ways: readonly (readonly [from: string, to: string, at: string])[]
}

export function buildGraphShape(steps: readonly WorkflowFormNode[]): GraphShape {
  const existingIds = new Set(steps.map(({ id }) => id))
  const listConnections = (step: WorkflowFormNode): GraphShape['ways'] =>
    listNodeOutputs(step).flatMap(({ at, target }) =>
      target !== null && existingIds.has(target) ? [[step.id, target, at]] : [],
    )
  return { ids: [...existingIds], ways: steps.flatMap(listConnections) }
}

/** Places of nodes that are there; those of removed ones are kept for when they come back. */
const listExistingPositions = (steps: readonly WorkflowFormNode[], places: NodePositions): NodePosition[] =>
  steps.flatMap(({ id }) => places[id] ?? [])

/** Bounding box of all nodes. */
export function findGraphBounds(
  steps: readonly WorkflowFormNode[],
  places: NodePositions,
): NodePosition & { width: number; height: number } {
  const existingPositions = listExistingPositions(steps, places)
  const [minX, minY] = [
    Math.min(...existingPositions.map((position) => position.x)),
    Math.min(...existingPositions.map((position) => position.y)),
  ]
  const boundsWidth = Math.max(...existingPositions.map((position) => position.x)) - minX + NODE_WIDTH_PX
  return {
    x: minX,
    y: minY,
    width: boundsWidth,
    height: Math.max(...existingPositions.map((position) => position.y)) - minY + NODE_HEIGHT_PX,
  }
}

/** Start of the graph for a reader: the entry, otherwise the highest node. */
export function findGraphStart(steps: readonly WorkflowFormNode[], places: NodePositions): NodePosition {
  const entryNode = steps.find((step) => step.default === true)
  const highestPosition = listExistingPositions(steps, places).toSorted((a, b) => a.y - b.y)[0]
  return (entryNode && places[entryNode.id]) ?? highestPosition ?? { x: 0, y: 0 }
}

/** True if nodes have no positions before the layout is computed: none of the existing nodes has one. */
export const isGraphUnplaced = (
  knownPositions: NodePositions,
  steps: readonly WorkflowFormNode[],
  droppedPositions: NodePositions = {},
): boolean =>
  steps.length > 0 && steps.every(({ id }) => knownPositions[id] === undefined && droppedPositions[id] === undefined)

/**
 * The places of a graph that was laid out while people went on with it: nodes that they moved meanwhile stay where they were put. `before`: the
 * places when it was asked for; `now`: those of now.
 */
export function mergeMovedPositions(laid: NodePositions, before: NodePositions, now: NodePositions): NodePositions {
  const movedEntries = Object.entries(now).filter(([id, place]) => {
    const previousPosition = before[id]
    return (
      laid[id] === undefined ||
      (previousPosition !== undefined && (previousPosition.x !== place.x || previousPosition.y !== place.y))
    )
  })
  return { ...laid, ...Object.fromEntries(movedEntries) }
}

/** Known and dropped positions, and below them one for each node without a position. */
export function completePositions(
  knownPositions: NodePositions,
  steps: readonly WorkflowFormNode[],
  droppedPositions: NodePositions = {},
): NodePositions {
  const droppedNodes = steps.filter(({ id }) => knownPositions[id] === undefined && droppedPositions[id] !== undefined)
  const placedPositions =
    droppedNodes.length === 0
      ? knownPositions
      : {
          ...knownPositions,
          ...Object.fromEntries(droppedNodes.map(({ id }) => [id, droppedPositions[id] as NodePosition])),
        }
  const unplacedNodes = steps.filter(({ id }) => placedPositions[id] === undefined)
  if (unplacedNodes.length === 0) return placedPositions
  const shownPositions = listExistingPositions(steps, placedPositions)
  const leftEdge = Math.min(...shownPositions.map(({ x }) => x))
  const bottomEdge = Math.max(...shownPositions.map(({ y }) => y)) + NODE_HEIGHT_PX + 56
  const addedPositions = unplacedNodes.map(
    ({ id }, n) => [id, { x: leftEdge + n * (NODE_WIDTH_PX + 48), y: bottomEdge }] as const,
  )
  return { ...placedPositions, ...Object.fromEntries(addedPositions) }
}

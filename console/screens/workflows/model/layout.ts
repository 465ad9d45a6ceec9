import { listNodeOutputs, type WorkflowFormNode } from './graph.ts'

export const NODE_WIDTH_PX = 220
export const NODE_HEIGHT_PX = 64

export interface NodePosition {
  x: number
  y: number
}
export type NodePositions = Readonly<Record<string, NodePosition>>

/** What of a graph decides where its nodes stand. */
export interface GraphShape {
  ids: readonly string[]
  ways: readonly (readonly [from: string, to: string, at: string])[]
}

export function buildGraphShape(steps: readonly WorkflowFormNode[]): GraphShape {
  const known = new Set(steps.map(({ id }) => id))
  const waysOf = (step: WorkflowFormNode): GraphShape['ways'] =>
    listNodeOutputs(step).flatMap(({ at, target }) =>
      target !== null && known.has(target) ? [[step.id, target, at]] : [],
    )
  return { ids: [...known], ways: steps.flatMap(waysOf) }
}

/** Places of nodes that are there; those of removed ones are kept for when they come back. */
const standing = (steps: readonly WorkflowFormNode[], places: NodePositions): NodePosition[] =>
  steps.flatMap(({ id }) => places[id] ?? [])

/** What is drawn around everything. */
export function findGraphBounds(
  steps: readonly WorkflowFormNode[],
  places: NodePositions,
): NodePosition & { width: number; height: number } {
  const all = standing(steps, places)
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))]
  const width = Math.max(...all.map((one) => one.x)) - x + NODE_WIDTH_PX
  return { x, y, width, height: Math.max(...all.map((one) => one.y)) - y + NODE_HEIGHT_PX }
}

/** Where a reader begins: at the entry, else at the highest node. */
export function findGraphStart(steps: readonly WorkflowFormNode[], places: NodePositions): NodePosition {
  const entry = steps.find((step) => step.default === true)
  const highest = standing(steps, places).toSorted((a, b) => a.y - b.y)[0]
  return (entry && places[entry.id]) ?? highest ?? { x: 0, y: 0 }
}

/** Whether nodes have places only once they are laid out: nothing of what there is has one. */
export const isGraphUnplaced = (
  known: NodePositions,
  steps: readonly WorkflowFormNode[],
  chosen: NodePositions = {},
): boolean => steps.length > 0 && steps.every(({ id }) => known[id] === undefined && chosen[id] === undefined)

/**
 * The places of a graph that was laid out while people went on with it: nodes that they moved meanwhile stay where they were put. `before`: the
 * places when it was asked for; `now`: those of now.
 */
export function mergeMovedPositions(laid: NodePositions, before: NodePositions, now: NodePositions): NodePositions {
  const moved = Object.entries(now).filter(([id, place]) => {
    const old = before[id]
    return laid[id] === undefined || (old !== undefined && (old.x !== place.x || old.y !== place.y))
  })
  return { ...laid, ...Object.fromEntries(moved) }
}

/** The places that are known or were chosen, and below all of them one for each node that has none. */
export function completePositions(
  known: NodePositions,
  steps: readonly WorkflowFormNode[],
  chosen: NodePositions = {},
): NodePositions {
  const fresh = steps.filter(({ id }) => known[id] === undefined && chosen[id] !== undefined)
  const places =
    fresh.length === 0
      ? known
      : { ...known, ...Object.fromEntries(fresh.map(({ id }) => [id, chosen[id] as NodePosition])) }
  const missing = steps.filter(({ id }) => places[id] === undefined)
  if (missing.length === 0) return places
  const shown = standing(steps, places)
  const left = Math.min(...shown.map(({ x }) => x))
  const below = Math.max(...shown.map(({ y }) => y)) + NODE_HEIGHT_PX + 56
  const next = missing.map(({ id }, n) => [id, { x: left + n * (NODE_WIDTH_PX + 48), y: below }] as const)
  return { ...places, ...Object.fromEntries(next) }
}

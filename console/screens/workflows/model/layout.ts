import { Graph, layout } from '@dagrejs/dagre'
import { outputsOf, type Step } from './graph.ts'

export const WIDTH = 220
export const HEIGHT = 64

export interface Place {
  x: number
  y: number
}
export type Places = Readonly<Record<string, Place>>

/** Where nodes stand when the graph is drawn from top to bottom. */
export function laidOut(steps: readonly Step[]): Places {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 72 })
  graph.setDefaultEdgeLabel(() => ({}))
  const known = new Set(steps.map(({ id }) => id))
  for (const { id } of steps) graph.setNode(id, { width: WIDTH, height: HEIGHT })
  for (const step of steps)
    for (const { at, target } of outputsOf(step))
      if (target !== null && known.has(target)) graph.setEdge(step.id, target, {}, at)
  layout(graph)
  return Object.fromEntries(
    steps.map(({ id }) => {
      const { x, y } = graph.node(id) as Place
      return [id, { x: x - WIDTH / 2, y: y - HEIGHT / 2 }]
    }),
  )
}

/** What is drawn around everything. */
export function boundsOf(places: Places): Place & { width: number; height: number } {
  const all = Object.values(places)
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))]
  const width = Math.max(...all.map((one) => one.x)) - x + WIDTH
  return { x, y, width, height: Math.max(...all.map((one) => one.y)) - y + HEIGHT }
}

/** Where a reader begins: at the entry, else at the highest node. */
export function startOf(steps: readonly Step[], places: Places): Place {
  const entry = steps.find((step) => step.default === true)
  const highest = Object.values(places).toSorted((a, b) => a.y - b.y)[0]
  return (entry && places[entry.id]) ?? highest ?? { x: 0, y: 0 }
}

/** The places that are known or were chosen, and below all of them one for each node that has none. */
export function completed(known: Places, steps: readonly Step[], chosen: Places = {}): Places {
  const fresh = steps.filter(({ id }) => known[id] === undefined && chosen[id] !== undefined)
  const places =
    fresh.length === 0 ? known : { ...known, ...Object.fromEntries(fresh.map(({ id }) => [id, chosen[id] as Place])) }
  const missing = steps.filter(({ id }) => places[id] === undefined)
  if (missing.length === 0) return places
  if (missing.length === steps.length) return laidOut(steps)
  const shown = steps.flatMap(({ id }) => places[id] ?? [])
  const left = Math.min(...shown.map(({ x }) => x))
  const below = Math.max(...shown.map(({ y }) => y)) + HEIGHT + 56
  const next = missing.map(({ id }, n) => [id, { x: left + n * (WIDTH + 48), y: below }] as const)
  return { ...places, ...Object.fromEntries(next) }
}

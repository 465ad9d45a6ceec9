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

/** The places that are known, and below all of them one for each node that has none. */
export function completed(places: Places, steps: readonly Step[]): Places {
  const missing = steps.filter(({ id }) => places[id] === undefined)
  if (missing.length === 0) return places
  if (missing.length === steps.length) return laidOut(steps)
  const shown = steps.flatMap(({ id }) => places[id] ?? [])
  const left = Math.min(...shown.map(({ x }) => x))
  const below = Math.max(...shown.map(({ y }) => y)) + HEIGHT + 56
  const next = missing.map(({ id }, n) => [id, { x: left + n * (WIDTH + 48), y: below }] as const)
  return { ...places, ...Object.fromEntries(next) }
}

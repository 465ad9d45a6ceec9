import { Graph, layout } from '@dagrejs/dagre'
import { type GraphShape, NODE_HEIGHT_PX, NODE_WIDTH_PX, type NodePosition, type NodePositions } from './layout.ts'

const BESIDE = 48
const BELOW = 72
const STEP = NODE_HEIGHT_PX + BELOW
/** Longer graphs are laid out by their chains: node by node the library needs seconds, and more stack than a worker has. */
const MOST_SINGLE = 200

/** Nodes that follow each other, each the only way on from the one before and the only way to itself. Every node is in one. */
function chainsOf({ ids, ways }: GraphShape): string[][] {
  const after = new Map<string, string[]>()
  const before = new Map<string, number>()
  for (const [from, to] of ways) {
    after.set(from, [...(after.get(from) ?? []), to])
    before.set(to, (before.get(to) ?? 0) + 1)
  }
  const followerOf = (id: string): string | undefined => {
    const [to, ...others] = after.get(id) ?? []
    return to !== undefined && others.length === 0 && before.get(to) === 1 ? to : undefined
  }
  const followers = new Set(ids.flatMap((id) => followerOf(id) ?? []))
  const taken = new Set<string>()
  const chainFrom = (head: string): string[] => {
    const chain: string[] = []
    for (let id: string | undefined = head; id !== undefined && !taken.has(id); id = followerOf(id)) {
      taken.add(id)
      chain.push(id)
    }
    return chain
  }
  // Heads first; what is left are rings, which begin anywhere.
  const heads = [...ids.filter((id) => !followers.has(id)), ...ids]
  return heads.map(chainFrom).filter(({ length }) => length > 0)
}

/** Where nodes stand when the graph is drawn from top to bottom. */
export function computeGraphLayout(shape: GraphShape): NodePositions {
  const chains = shape.ids.length > MOST_SINGLE ? chainsOf(shape) : shape.ids.map((id) => [id])
  const chainOf = new Map(chains.flatMap((chain, n) => chain.map((id) => [id, String(n)] as const)))
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: BESIDE, ranksep: BELOW })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const [n, { length }] of chains.entries())
    graph.setNode(String(n), { width: NODE_WIDTH_PX, height: length * STEP - BELOW })
  for (const [from, to, at] of shape.ways) {
    const [one, other] = [chainOf.get(from) as string, chainOf.get(to) as string]
    if (one !== other || from === to) graph.setEdge(one, other, {}, `${from}\n${at}`)
  }
  layout(graph)
  const placesOf = (chain: readonly string[], n: number): (readonly [string, NodePosition])[] => {
    const { x, y, height } = graph.node(String(n)) as NodePosition & { height: number }
    return chain.map((id, nth) => [id, { x: x - NODE_WIDTH_PX / 2, y: y - height / 2 + nth * STEP }] as const)
  }
  return Object.fromEntries(chains.flatMap(placesOf))
}

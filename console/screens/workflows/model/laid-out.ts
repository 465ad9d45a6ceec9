import { Graph, layout } from '@dagrejs/dagre'
import { type GraphShape, NODE_HEIGHT_PX, NODE_WIDTH_PX, type NodePosition, type NodePositions } from './layout.ts'

const NODE_GAP_PX = 48
const RANK_GAP_PX = 72
const RANK_HEIGHT_PX = NODE_HEIGHT_PX + RANK_GAP_PX
/** Longer graphs are laid out by their chains: node by node the library needs seconds, and more stack than a worker has. */
const MAX_UNGROUPED_NODES = 200

/** Nodes that follow each other, each the only way on from the one before and the only way to itself. Every node is in one. */
function findChains({ ids, ways }: GraphShape): string[][] {
  const successors = new Map<string, string[]>()
  const predecessorCounts = new Map<string, number>()
  for (const [fromId, toId] of ways) {
    successors.set(fromId, [...(successors.get(fromId) ?? []), toId])
    predecessorCounts.set(toId, (predecessorCounts.get(toId) ?? 0) + 1)
  }
  const followerOf = (id: string): string | undefined => {
    const [nextId, ...otherFollowers] = successors.get(id) ?? []
    return nextId !== undefined && otherFollowers.length === 0 && predecessorCounts.get(nextId) === 1
      ? nextId
      : undefined
  }
  const followers = new Set(ids.flatMap((id) => followerOf(id) ?? []))
  const chainedIds = new Set<string>()
  const chainFrom = (head: string): string[] => {
    const chainIds: string[] = []
    for (let id: string | undefined = head; id !== undefined && !chainedIds.has(id); id = followerOf(id)) {
      chainedIds.add(id)
      chainIds.push(id)
    }
    return chainIds
  }
  // Heads first; what is left are rings, which begin anywhere.
  const chainHeads = [...ids.filter((id) => !followers.has(id)), ...ids]
  return chainHeads.map(chainFrom).filter(({ length }) => length > 0)
}

/** Computes node positions for a graph drawn from top to bottom. */
export function computeGraphLayout(shape: GraphShape): NodePositions {
  const chains = shape.ids.length > MAX_UNGROUPED_NODES ? findChains(shape) : shape.ids.map((id) => [id])
  const chainById = new Map(chains.flatMap((chain, chainIndex) => chain.map((id) => [id, String(chainIndex)] as const)))
  const dagreGraph = new Graph({ multigraph: true })
  dagreGraph.setGraph({ rankdir: 'TB', nodesep: NODE_GAP_PX, ranksep: RANK_GAP_PX })
  dagreGraph.setDefaultEdgeLabel(() => ({}))
  for (const [chainIndex, { length }] of chains.entries())
    dagreGraph.setNode(String(chainIndex), { width: NODE_WIDTH_PX, height: length * RANK_HEIGHT_PX - RANK_GAP_PX })
  for (const [fromId, toId, outputPointer] of shape.ways) {
    const [fromChain, toChain] = [chainById.get(fromId) as string, chainById.get(toId) as string]
    if (fromChain !== toChain || fromId === toId)
      dagreGraph.setEdge(fromChain, toChain, {}, `${fromId}\n${outputPointer}`)
  }
  layout(dagreGraph)
  const positionChain = (chain: readonly string[], chainIndex: number): (readonly [string, NodePosition])[] => {
    const { x, y, height } = dagreGraph.node(String(chainIndex)) as NodePosition & { height: number }
    return chain.map((id, nth) => [id, { x: x - NODE_WIDTH_PX / 2, y: y - height / 2 + nth * RANK_HEIGHT_PX }] as const)
  }
  return Object.fromEntries(chains.flatMap(positionChain))
}

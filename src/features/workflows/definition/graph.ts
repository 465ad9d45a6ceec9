import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { StoredWorkflowNode } from '../nodes/node-type.ts'
import { workflowNodeTypes } from '../nodes/node-types.ts'
import type { WorkflowContents } from './contents.ts'
import type { WorkflowDefinition } from './definition.ts'

/** Nodes by their ids, with their places. */
type Placed = ReadonlyMap<string, { node: StoredWorkflowNode; index: number }>

const named = (node: string): string => `Node ${JSON.stringify(node)}`

/** The nodes that a run may go to from one. */
function waysOf(node: StoredWorkflowNode, placed: Placed): string[] {
  const targets = workflowNodeTypes.get(node.type)?.targets(node.settings) ?? []
  const ways = [...targets.map((target) => target.node), ...(node.next === null ? [] : [node.next])]
  return ways.filter((way) => placed.has(way))
}

function checkNames({ targets, mentions }: WorkflowContents, placed: Placed): DefinitionFlaw[] {
  const unknown = [...targets, ...mentions].filter(({ node }) => !placed.has(node))
  const toGoals = targets.filter(({ node }) => workflowNodeTypes.get(placed.get(node)?.node.type ?? '')?.isAside)
  const unfit = mentions.flatMap(({ node, path, must }) => {
    const type = workflowNodeTypes.get(placed.get(node)?.node.type ?? '')
    if (!type || must === 'any') return []
    if (must === 'pause' ? type.isPause : type.family === 'sends') return []
    return [
      createFlaw(
        'type-mismatch',
        path,
        `${named(node)} is no node ${must === 'pause' ? 'where runs wait' : 'that sends'}.`,
      ),
    ]
  })
  return [
    ...unknown.map(({ node, path }) => createFlaw('unknown-reference', path, `${named(node)} does not exist.`)),
    ...toGoals.map(({ node, path }) =>
      createFlaw('goal-as-target', path, `${named(node)} is a goal: no run can go to it.`),
    ),
    ...unfit,
  ]
}

function checkEntries({ nodes, listeners, tasks }: WorkflowDefinition): DefinitionFlaw[] {
  if (nodes.length === 0) return [createFlaw('no-node', '/nodes', 'The workflow has no node.')]
  const entries = nodes.flatMap((node, index) => (node.default ? [index] : []))
  if (entries.length > 1)
    return entries
      .slice(1)
      .map((index) => createFlaw('duplicate-entry', `/nodes/${index}/default`, 'Another node is the default.'))
  const isStarted = listeners.length + tasks.length > 0
  const hint = isStarted ? 'Executions must name one.' : 'Nothing but executions that name a node can start it.'
  return entries.length === 1 ? [] : [createFlaw('missing-entry', '/nodes', `No node is the default. ${hint}`)]
}

function checkReach({ nodes, listeners, tasks }: WorkflowDefinition, placed: Placed): DefinitionFlaw[] {
  const handlers = [...listeners, ...tasks].flatMap(({ handler }) => (handler === null ? [] : handler))
  const entries = nodes.filter((node) => node.default).map(({ id }) => id)
  if (handlers.length + entries.length === 0) return []
  const goals = nodes.filter(({ type }) => workflowNodeTypes.get(type)?.isAside).map(({ id }) => id)
  const reached = new Set([...entries, ...handlers, ...goals].filter((id) => placed.has(id)))
  // A set is gone through with what is added meanwhile.
  for (const id of reached) for (const way of waysOf(placed.get(id)!.node, placed)) reached.add(way)
  return nodes.flatMap(({ id }, index) =>
    reached.has(id) ? [] : [createFlaw('unreachable', `/nodes/${index}`, `${named(id)} is never reached.`)],
  )
}

/**
 * The groups of nodes that lead to one another (strongly connected components, Tarjan 1972), of those on which no run ever
 * waits; a node alone is one when it leads to itself.
 */
function endless(nodes: readonly StoredWorkflowNode[], placed: Placed): string[][] {
  const left = nodes.filter(({ type }) => !workflowNodeTypes.get(type)?.isPause)
  const ways = new Map(left.map((node) => [node.id, waysOf(node, placed)]))
  const [order, lowest] = [new Map<string, number>(), new Map<string, number>()]
  const [open, groups]: [string[], string[][]] = [[], []]
  const isOpen = new Set<string>()
  function visit(id: string): number {
    const number = order.size
    order.set(id, number)
    lowest.set(id, number)
    open.push(id)
    isOpen.add(id)
    for (const way of ways.get(id)!) {
      if (!ways.has(way)) continue
      const reached = order.has(way) ? (isOpen.has(way) ? order.get(way)! : number) : visit(way)
      lowest.set(id, Math.min(lowest.get(id)!, reached))
    }
    if (lowest.get(id) !== number) return lowest.get(id)!
    const group = open.splice(open.lastIndexOf(id))
    for (const one of group) isOpen.delete(one)
    groups.push(group)
    return lowest.get(id)!
  }
  for (const id of ways.keys()) if (!order.has(id)) visit(id)
  return groups.filter((group) => group.length > 1 || ways.get(group[0]!)!.includes(group[0]!))
}

function checkCycles(nodes: readonly StoredWorkflowNode[], placed: Placed): DefinitionFlaw[] {
  return endless(nodes, placed).map((group) => {
    const first = group.map((id) => placed.get(id)!).reduce((one, other) => (other.index < one.index ? other : one))
    const message = `${named(first.node.id)} leads back to itself without a sleep or a wait.`
    return createFlaw('cycle', `/nodes/${first.index}`, message)
  })
}

/** What is wrong with the graph of a definition. */
export function findGraphFlaws(definition: WorkflowDefinition, contents: WorkflowContents): DefinitionFlaw[] {
  const placed: Placed = new Map(definition.nodes.map((node, index) => [node.id, { node, index }]))
  return [
    ...checkEntries(definition),
    ...checkNames(contents, placed),
    ...checkReach(definition, placed),
    ...checkCycles(definition.nodes, placed),
  ]
}

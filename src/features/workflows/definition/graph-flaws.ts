import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { StoredWorkflowNode } from '../nodes/node-type.ts'
import { workflowNodeTypes } from '../nodes/node-types.ts'
import type { WorkflowContents } from './definition-contents.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

/** Nodes by their ids, with their places. */
type NodePositions = ReadonlyMap<string, { node: StoredWorkflowNode; index: number }>

const describeNode = (node: string): string => `Node ${JSON.stringify(node)}`

/** The nodes that a run may go to from one. */
function listNextNodes(node: StoredWorkflowNode, positionsById: NodePositions): string[] {
  const settingTargets = workflowNodeTypes.get(node.type)?.targets(node.settings) ?? []
  const nextNodes = [...settingTargets.map((target) => target.node), ...(node.next === null ? [] : [node.next])]
  return nextNodes.filter((nextNode) => positionsById.has(nextNode))
}

function findNameFlaws({ targets, mentions }: WorkflowContents, positionsById: NodePositions): DefinitionFlaw[] {
  const unknownTargets = [...targets, ...mentions].filter(({ node }) => !positionsById.has(node))
  const goalTargets = targets.filter(
    ({ node }) => workflowNodeTypes.get(positionsById.get(node)?.node.type ?? '')?.isGoal,
  )
  const unfitMentions = mentions.flatMap(({ node, path, must }) => {
    const type = workflowNodeTypes.get(positionsById.get(node)?.node.type ?? '')
    if (!type || must === 'any') return []
    if (must === 'pause' ? type.isPause : type.isSend) return []
    return [
      createFlaw(
        'type-mismatch',
        path,
        `${describeNode(node)} is not a node ${must === 'pause' ? 'where runs wait' : 'that sends'}.`,
      ),
    ]
  })
  return [
    ...unknownTargets.map(({ node, path }) =>
      createFlaw('unknown-reference', path, `${describeNode(node)} does not exist.`),
    ),
    ...goalTargets.map(({ node, path }) =>
      createFlaw('goal-as-target', path, `${describeNode(node)} is a goal: no run can go to it.`),
    ),
    ...unfitMentions,
  ]
}

function findEntryFlaws({ nodes, listeners, tasks }: WorkflowDefinition): DefinitionFlaw[] {
  if (nodes.length === 0) return [createFlaw('no-node', '/nodes', 'The workflow has no nodes.')]
  const entryIndexes = nodes.flatMap((node, index) => (node.default ? [index] : []))
  if (entryIndexes.length > 1)
    return entryIndexes
      .slice(1)
      .map((index) => createFlaw('duplicate-entry', `/nodes/${index}/default`, 'Another node is already the default.'))
  const isStarted = listeners.length + tasks.length > 0
  const hint = isStarted ? 'Executions must name one.' : 'Only executions that name a node can start it.'
  return entryIndexes.length === 1 ? [] : [createFlaw('missing-entry', '/nodes', `No node is the default. ${hint}`)]
}

function findUnreachableNodes(
  { nodes, listeners, tasks }: WorkflowDefinition,
  positionsById: NodePositions,
): DefinitionFlaw[] {
  const handlerIds = [...listeners, ...tasks].flatMap(({ handler }) => (handler === null ? [] : handler))
  const entryIds = nodes.filter((node) => node.default).map(({ id }) => id)
  if (handlerIds.length + entryIds.length === 0) return []
  const goalIds = nodes.filter(({ type }) => workflowNodeTypes.get(type)?.isGoal).map(({ id }) => id)
  const reachableIds = new Set([...entryIds, ...handlerIds, ...goalIds].filter((id) => positionsById.has(id)))
  // A set is gone through with what is added meanwhile.
  for (const id of reachableIds)
    for (const nextNode of listNextNodes(positionsById.get(id)!.node, positionsById)) reachableIds.add(nextNode)
  return nodes.flatMap(({ id }, index) =>
    reachableIds.has(id) ? [] : [createFlaw('unreachable', `/nodes/${index}`, `${describeNode(id)} is never reached.`)],
  )
}

/**
 * The groups of nodes that lead to one another (strongly connected components, Tarjan 1972), of those on which no run ever
 * waits; a node alone is one when it leads to itself.
 */
function findEndlessGroups(nodes: readonly StoredWorkflowNode[], positionsById: NodePositions): string[][] {
  const unpausedNodes = nodes.filter(({ type }) => !workflowNodeTypes.get(type)?.isPause)
  const edgesByNode = new Map(unpausedNodes.map((node) => [node.id, listNextNodes(node, positionsById)]))
  const [visitOrder, lowestLinks] = [new Map<string, number>(), new Map<string, number>()]
  const [componentStack, groups]: [string[], string[][]] = [[], []]
  const idsOnStack = new Set<string>()
  function visit(id: string): number {
    const visitNumber = visitOrder.size
    visitOrder.set(id, visitNumber)
    lowestLinks.set(id, visitNumber)
    componentStack.push(id)
    idsOnStack.add(id)
    for (const nextNode of edgesByNode.get(id)!) {
      if (!edgesByNode.has(nextNode)) continue
      const linkNumber = visitOrder.has(nextNode)
        ? idsOnStack.has(nextNode)
          ? visitOrder.get(nextNode)!
          : visitNumber
        : visit(nextNode)
      lowestLinks.set(id, Math.min(lowestLinks.get(id)!, linkNumber))
    }
    if (lowestLinks.get(id) !== visitNumber) return lowestLinks.get(id)!
    const nodeGroup = componentStack.splice(componentStack.lastIndexOf(id))
    for (const nodeId of nodeGroup) idsOnStack.delete(nodeId)
    groups.push(nodeGroup)
    return lowestLinks.get(id)!
  }
  for (const id of edgesByNode.keys()) if (!visitOrder.has(id)) visit(id)
  return groups.filter((nodeGroup) => nodeGroup.length > 1 || edgesByNode.get(nodeGroup[0]!)!.includes(nodeGroup[0]!))
}

function findCycleFlaws(nodes: readonly StoredWorkflowNode[], positionsById: NodePositions): DefinitionFlaw[] {
  return findEndlessGroups(nodes, positionsById).map((nodeGroup) => {
    const firstPosition = nodeGroup
      .map((id) => positionsById.get(id)!)
      .reduce((bestPosition, nodePosition) => (nodePosition.index < bestPosition.index ? nodePosition : bestPosition))
    const message = `${describeNode(firstPosition.node.id)} leads back to itself without a sleep or a wait.`
    return createFlaw('cycle', `/nodes/${firstPosition.index}`, message)
  })
}

/** Finds the flaws in the graph of a definition. */
export function findGraphFlaws(definition: WorkflowDefinition, contents: WorkflowContents): DefinitionFlaw[] {
  const positionsById: NodePositions = new Map(definition.nodes.map((node, index) => [node.id, { node, index }]))
  return [
    ...findEntryFlaws(definition),
    ...findNameFlaws(contents, positionsById),
    ...findUnreachableNodes(definition, positionsById),
    ...findCycleFlaws(definition.nodes, positionsById),
  ]
}

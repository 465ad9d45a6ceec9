import type { WorkflowFormNode } from './graph.ts'

export type WorkflowNodeChange = 'added' | 'removed' | 'changed'

/** Change of each node between two versions; unchanged nodes are omitted. */
export function compareWorkflowNodes(
  before: readonly WorkflowFormNode[],
  after: readonly WorkflowFormNode[],
): Map<string, WorkflowNodeChange> {
  const previousNodes = new Map(before.map((step) => [step.id, JSON.stringify(step)]))
  const nodeChanges = new Map<string, WorkflowNodeChange>()
  for (const step of after) {
    const text = previousNodes.get(step.id)
    if (text === undefined) nodeChanges.set(step.id, 'added')
    else if (text !== JSON.stringify(step)) nodeChanges.set(step.id, 'changed')
    previousNodes.delete(step.id)
  }
  for (const id of previousNodes.keys()) nodeChanges.set(id, 'removed')
  return nodeChanges
}

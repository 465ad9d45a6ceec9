import type { WorkflowFormNode } from './graph.ts'

export type WorkflowNodeChange = 'added' | 'removed' | 'changed'

/** What became of each node between two versions; nodes that are the same are not named. */
export function compareWorkflowNodes(
  before: readonly WorkflowFormNode[],
  after: readonly WorkflowFormNode[],
): Map<string, WorkflowNodeChange> {
  const old = new Map(before.map((step) => [step.id, JSON.stringify(step)]))
  const changes = new Map<string, WorkflowNodeChange>()
  for (const step of after) {
    const text = old.get(step.id)
    if (text === undefined) changes.set(step.id, 'added')
    else if (text !== JSON.stringify(step)) changes.set(step.id, 'changed')
    old.delete(step.id)
  }
  for (const id of old.keys()) changes.set(id, 'removed')
  return changes
}

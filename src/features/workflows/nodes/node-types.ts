import { branchNodeTypes } from './branch-nodes.ts'
import { callNodeTypes } from './call-nodes.ts'
import { endNodeTypes } from './end-nodes.ts'
import type { NodeEventFilters, StoredWorkflowNode, WorkflowNodeType } from './node-type.ts'
import { sendNodeTypes } from './send-nodes.ts'
import { slotNodeTypes } from './slot-nodes.ts'

import { waitNodeTypes } from './wait-nodes.ts'
import { writeNodeTypes } from './write-nodes.ts'

const nodeTypes: readonly WorkflowNodeType[] = [
  ...sendNodeTypes,
  ...writeNodeTypes,
  ...callNodeTypes,
  ...waitNodeTypes,
  ...slotNodeTypes,
  ...branchNodeTypes,
  ...endNodeTypes,
]

/** Every type of node, by its name. */
export const workflowNodeTypes: ReadonlyMap<string, WorkflowNodeType> = new Map(
  nodeTypes.map((nodeType) => [nodeType.type, nodeType]),
)

/** The event filters of a stored node, by the ids of its waits. */
export function listNodeEventFilters({
  type,
  settings,
}: Pick<StoredWorkflowNode, 'type' | 'settings'>): NodeEventFilters {
  return workflowNodeTypes.get(type)?.listEventFilters(settings) ?? []
}

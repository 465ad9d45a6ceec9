import type { DefinitionShape, DefinitionVisitor } from '../../../scripting/schemas/shape.ts'
import type { ScriptingObject } from '../../../scripting/scripting-object.ts'
import { nodeListShape } from '../nodes/node-list-shape.ts'
import type { StoredWorkflowNode } from '../nodes/node-type.ts'
import { taskListShape, type WorkflowTask } from '../tasks/task-definitions.ts'
import { type CappingEntry, cappingListShape } from './capping-entries.ts'
import { listenerListShape, type WorkflowListener } from './listener-list.ts'
import { visitWorkflowSettings, type WorkflowSettings } from './workflow-settings.ts'

/** Behavior of a workflow: the content that its version covers. */
export interface WorkflowDefinition {
  scripting: ScriptingObject
  settings: WorkflowSettings
  listeners: WorkflowListener[]
  capping: CappingEntry[]
  nodes: StoredWorkflowNode[]
  tasks: WorkflowTask[]
}

/** The parts that are arrays. */
export const workflowArrayParts = ['listeners', 'tasks', 'nodes', 'capping'] as const
export type WorkflowArrayPart = (typeof workflowArrayParts)[number]

export const workflowPartShapes: { [Part in WorkflowArrayPart]: DefinitionShape<WorkflowDefinition[Part]> } = {
  listeners: listenerListShape,
  tasks: taskListShape,
  nodes: nodeListShape,
  capping: cappingListShape,
}

/** Tells of all that is in a definition. */
export function visitWorkflowDefinition(definition: WorkflowDefinition, visitor: DefinitionVisitor): void {
  for (const part of workflowArrayParts)
    (workflowPartShapes[part] as DefinitionShape<unknown>).visit?.(definition[part], `/${part}`, visitor)
  visitWorkflowSettings(definition.settings, '/settings', visitor)
}

import type { Shape, Visitor } from '../../../scripting/schemas/shape.ts'
import type { Scripting } from '../../../scripting/scripting-object.ts'
import { nodes } from '../nodes/node-list.ts'
import type { WorkflowNode } from '../nodes/node-type.ts'
import { type Task, tasks } from '../tasks/task-definitions.ts'
import { type CappingEntry, capping } from './capping.ts'
import { type Listener, listeners } from './listeners.ts'
import { visitSettings, type WorkflowSettings } from './settings.ts'

/** What a workflow does: what counts for its version. */
export interface Definition {
  scripting: Scripting
  settings: WorkflowSettings
  listeners: Listener[]
  capping: CappingEntry[]
  nodes: WorkflowNode[]
  tasks: Task[]
}

/** The parts that are arrays. */
export const arrayParts = ['listeners', 'tasks', 'nodes', 'capping'] as const
export type ArrayPart = (typeof arrayParts)[number]

export const partShapes: { [Part in ArrayPart]: Shape<Definition[Part]> } = { listeners, tasks, nodes, capping }

/** Tells of all that is in a definition. */
export function visitDefinition(definition: Definition, visitor: Visitor): void {
  for (const part of arrayParts) (partShapes[part] as Shape<unknown>).visit?.(definition[part], `/${part}`, visitor)
  visitSettings(definition.settings, '/settings', visitor)
}

import { showScripting } from '../../scripting/scripting-object.ts'
import type { WorkflowDefinition } from './definition/definition.ts'
import type { StoredWorkflow, WorkflowVersionRow } from './stored.ts'
import type { WorkflowDocument, WorkflowTaskDocument, WorkflowVersion } from './workflow-schemas.ts'

const iso = (text: string | null | undefined): string | null => (text ? new Date(text).toISOString() : null)

function showTasks({ taskRuns, definition }: StoredWorkflow): WorkflowTaskDocument[] {
  return definition.tasks.map((task) => {
    const { next, last } = taskRuns?.[task.id] ?? {}
    return { ...task, nextRun: iso(next), lastRun: iso(last) }
  })
}

/** The parts of a workflow as they are answered. */
export function showWorkflowParts(stored: StoredWorkflow): Pick<WorkflowDocument, keyof WorkflowDefinition> {
  const { definition } = stored
  return { ...definition, scripting: showScripting(definition.scripting), tasks: showTasks(stored) }
}

/** A workflow as it is answered. */
export function showWorkflow(stored: StoredWorkflow): WorkflowDocument {
  const { id, name, description, state, version, createdAt, updatedAt } = stored
  return {
    ...{ id, name, description, state, version },
    creationDate: createdAt.toISOString(),
    updateDate: updatedAt.toISOString(),
    ...showWorkflowParts(stored),
  }
}

/** A version as a list shows it. */
export const showWorkflowVersionRow = ({ version, createdAt }: WorkflowVersionRow) => ({
  version,
  date: createdAt.toISOString(),
})

/** The definition of one version. */
export function showWorkflowVersion(row: WorkflowVersionRow & { definition: WorkflowDefinition }): WorkflowVersion {
  const { scripting, ...parts } = row.definition
  return { ...showWorkflowVersionRow(row), ...parts, scripting: showScripting(scripting) }
}

import { showScripting } from '../../scripting/scripting-object.ts'
import type { WorkflowDefinition } from './definition/workflow-definition.ts'
import type { StoredWorkflow, WorkflowVersionRow } from './workflow-repository.ts'
import type { WorkflowDocument, WorkflowTaskDocument, WorkflowVersion } from './workflow-schemas.ts'

const toIsoDate = (text: string | null | undefined): string | null => (text ? new Date(text).toISOString() : null)

function showTasks({ taskRuns, definition }: StoredWorkflow): WorkflowTaskDocument[] {
  return definition.tasks.map((task) => {
    const { next: nextFiring, last: lastFiring } = taskRuns?.[task.id] ?? {}
    return { ...task, nextRun: toIsoDate(nextFiring), lastRun: toIsoDate(lastFiring) }
  })
}

/** The parts of a workflow as they are answered. */
export function showWorkflowParts(storedWorkflow: StoredWorkflow): Pick<WorkflowDocument, keyof WorkflowDefinition> {
  const { definition } = storedWorkflow
  return { ...definition, scripting: showScripting(definition.scripting), tasks: showTasks(storedWorkflow) }
}

/** A workflow as it is answered. */
export function showWorkflow(storedWorkflow: StoredWorkflow): WorkflowDocument {
  const { id, name, description, state, version, createdAt, updatedAt } = storedWorkflow
  return {
    id,
    name,
    description,
    state,
    version,
    creationDate: createdAt.toISOString(),
    updateDate: updatedAt.toISOString(),
    ...showWorkflowParts(storedWorkflow),
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

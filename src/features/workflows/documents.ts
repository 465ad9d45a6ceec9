import { showScripting } from '../../scripting/scripting-object.ts'
import type { Definition } from './definition/definition.ts'
import type { StoredWorkflow, VersionRow } from './stored.ts'
import type { ShownTask, Version, Workflow } from './workflow-schemas.ts'

const iso = (text: string | null | undefined): string | null => (text ? new Date(text).toISOString() : null)

function showTasks({ taskRuns, definition }: StoredWorkflow): ShownTask[] {
  return definition.tasks.map((task) => {
    const { next, last } = taskRuns?.[task.id] ?? {}
    return { ...task, nextRun: iso(next), lastRun: iso(last) }
  })
}

/** The parts of a workflow as they are answered. */
export function showParts(stored: StoredWorkflow): Pick<Workflow, keyof Definition> {
  const { definition } = stored
  return { ...definition, scripting: showScripting(definition.scripting), tasks: showTasks(stored) }
}

/** A workflow as it is answered. */
export function showWorkflow(stored: StoredWorkflow): Workflow {
  const { id, name, description, state, version, createdAt, updatedAt } = stored
  return {
    ...{ id, name, description, state, version },
    creationDate: createdAt.toISOString(),
    updateDate: updatedAt.toISOString(),
    ...showParts(stored),
  }
}

/** A version as a list shows it. */
export const showVersionRow = ({ version, createdAt }: VersionRow) => ({ version, date: createdAt.toISOString() })

/** The definition of one version. */
export function showVersion(row: VersionRow & { definition: Definition }): Version {
  const { scripting, ...parts } = row.definition
  return { ...showVersionRow(row), ...parts, scripting: showScripting(scripting) }
}

import { showScripting } from '../scripting-object.ts'
import type { Definition } from './definition.ts'
import type { StoredWorkflow, VersionRow } from './stored.ts'
import { nextFiring } from './tasks.ts'
import type { ShownTask, Version, Workflow } from './workflow-schemas.ts'

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function showTasks({ state, definition }: StoredWorkflow, now: number): ShownTask[] {
  const zone = definition.settings.timeZone.id
  return definition.tasks.map((task) => ({
    ...task,
    nextRun: state === 1 ? iso(nextFiring(task, zone, now)) : null,
    lastRun: null,
  }))
}

/** The parts of a workflow as they are answered. `now` in milliseconds. */
export function showParts(stored: StoredWorkflow, now: number): Pick<Workflow, keyof Definition> {
  const { definition } = stored
  return { ...definition, scripting: showScripting(definition.scripting), tasks: showTasks(stored, now) }
}

/** A workflow as it is answered. */
export function showWorkflow(stored: StoredWorkflow, now: number): Workflow {
  const { id, name, description, state, version, createdAt, updatedAt } = stored
  return {
    ...{ id, name, description, state, version },
    creationDate: createdAt.toISOString(),
    updateDate: updatedAt.toISOString(),
    ...showParts(stored, now),
  }
}

/** A version as a list shows it. */
export const showVersionRow = ({ version, createdAt }: VersionRow) => ({ version, date: createdAt.toISOString() })

/** The definition of one version. */
export function showVersion(row: VersionRow & { definition: Definition }): Version {
  const { scripting, ...parts } = row.definition
  return { ...showVersionRow(row), ...parts, scripting: showScripting(scripting) }
}

import { isDeepStrictEqual } from 'node:util'
import { invalidRequestProblem, Problem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import type { DefinitionLocation } from '../../../scripting/schemas/shape.ts'
import {
  createScriptingObject,
  parseScripting,
  type ScriptSecretSealer,
  showScripting,
} from '../../../scripting/scripting-object.ts'
import { assignCappingIds } from './capping.ts'
import { type WorkflowArrayPart, type WorkflowDefinition, workflowPartShapes } from './definition.ts'
import { createWorkflowSettings, parseWorkflowSettings } from './settings.ts'

/** Bytes of a workflow as it is answered: what is answered can be sent back. */
export const MAX_WORKFLOW_BYTES = 4 * 1024 * 1024

/** What reading a definition needs beside it. */
export interface DefinitionParseContext {
  /** IANA: of the account. */
  timeZone: string
  secrets: ScriptSecretSealer
  /** Milliseconds: ids are made of it. */
  now: number
  /** Unknown members are refused. */
  strict: boolean
}

/** The parts of a definition as a client sends them; those that are absent are undefined. */
export type WorkflowPartsWrite = { [Part in keyof WorkflowDefinition]?: unknown }

/** The definition of a new workflow. */
export function createWorkflowDefinition({ timeZone }: DefinitionParseContext): WorkflowDefinition {
  const scripting = createScriptingObject()
  return { scripting, settings: createWorkflowSettings(timeZone), listeners: [], capping: [], nodes: [], tasks: [] }
}

/** Where the pointers of faults begin: at the workflow, or at one part that is the body. */
function placeOf(
  part: keyof WorkflowDefinition,
  only: keyof WorkflowDefinition | undefined,
  place: DefinitionLocation,
): DefinitionLocation {
  return only === part ? place : { ...place, pointer: `/${part}` }
}

function sizeOf(definition: WorkflowDefinition): number {
  return Buffer.byteLength(JSON.stringify({ ...definition, scripting: showScripting(definition.scripting) }))
}

/** What a write begins with. */
export interface DefinitionWriteBase {
  /** What absent parts and members keep. */
  kept: WorkflowDefinition
  /** What is stored: ids of capping entries and secrets may be kept of it. */
  stored: WorkflowDefinition
}

/**
 * A definition after a write. `only`: the part that is the body. Throws 400 with a pointer for each fault of structure, 413
 * for a definition that is too large.
 */
export function parseWorkflowDefinition(
  given: WorkflowPartsWrite,
  { kept, stored }: DefinitionWriteBase,
  reader: DefinitionParseContext,
  only?: keyof WorkflowDefinition,
): WorkflowDefinition {
  const faults: ProblemFault[] = []
  const makeId = () => createUuidV7(reader.now)
  const place: DefinitionLocation = { pointer: '', reading: { faults, strict: reader.strict, makeId } }
  const at = (part: keyof WorkflowDefinition) => placeOf(part, only, place)
  const array = <Part extends WorkflowArrayPart>(part: Part): WorkflowDefinition[Part] =>
    given[part] == null ? kept[part] : workflowPartShapes[part].read(given[part], at(part))
  const { secrets, timeZone } = reader
  const definition: WorkflowDefinition = {
    scripting: parseScripting(given.scripting, at('scripting'), {
      ...{ base: kept.scripting, stored: stored.scripting, secrets },
    }),
    settings: parseWorkflowSettings(given.settings, at('settings'), kept.settings, createWorkflowSettings(timeZone)),
    listeners: array('listeners'),
    capping: array('capping'),
    nodes: array('nodes'),
    tasks: array('tasks'),
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  definition.capping = assignCappingIds(definition.capping, stored.capping, makeId)
  if (sizeOf(definition) > MAX_WORKFLOW_BYTES)
    throw new Problem(413, 'body-too-large', `A workflow has at most ${MAX_WORKFLOW_BYTES} bytes of JSON.`)
  return definition
}

/** Whether two definitions are the same. */
export function isSameDefinition(one: WorkflowDefinition, other: WorkflowDefinition): boolean {
  return isDeepStrictEqual(one, other)
}

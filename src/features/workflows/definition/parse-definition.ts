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
import { assignCappingIds } from './capping-entries.ts'
import { type WorkflowArrayPart, type WorkflowDefinition, workflowPartShapes } from './workflow-definition.ts'
import { createWorkflowSettings, parseWorkflowSettings } from './workflow-settings.ts'

/** Bytes of a workflow as it is answered: what is answered can be sent back. */
export const MAX_WORKFLOW_BYTES = 4 * 1024 * 1024

/** Additional input for parsing a definition. */
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

/** Locates the start of fault pointers: the workflow, or the one part that is the body. */
function locatePart(
  part: keyof WorkflowDefinition,
  only: keyof WorkflowDefinition | undefined,
  place: DefinitionLocation,
): DefinitionLocation {
  return only === part ? place : { ...place, pointer: `/${part}` }
}

function measureDefinition(definition: WorkflowDefinition): number {
  return Buffer.byteLength(JSON.stringify({ ...definition, scripting: showScripting(definition.scripting) }))
}

/** Base of a write. */
export interface DefinitionWriteBase {
  /** Definition from which absent parts and members are taken. */
  kept: WorkflowDefinition
  /** Stored definition: ids of capping entries and secrets may be taken from it. */
  stored: WorkflowDefinition
}

/**
 * A definition after a write. `only`: the part that is the body. Throws 400 with a pointer for each fault of structure, 413
 * for a definition that is too large.
 */
export function parseWorkflowDefinition(
  writtenParts: WorkflowPartsWrite,
  { kept: keptDefinition, stored: storedDefinition }: DefinitionWriteBase,
  reader: DefinitionParseContext,
  only?: keyof WorkflowDefinition,
): WorkflowDefinition {
  const faults: ProblemFault[] = []
  const makeId = () => createUuidV7(reader.now)
  const rootLocation: DefinitionLocation = { pointer: '', reading: { faults, strict: reader.strict, makeId } }
  const locate = (part: keyof WorkflowDefinition) => locatePart(part, only, rootLocation)
  const parseArrayPart = <Part extends WorkflowArrayPart>(part: Part): WorkflowDefinition[Part] =>
    writtenParts[part] == null ? keptDefinition[part] : workflowPartShapes[part].read(writtenParts[part], locate(part))
  const { secrets, timeZone } = reader
  const definition: WorkflowDefinition = {
    scripting: parseScripting(writtenParts.scripting, locate('scripting'), {
      base: keptDefinition.scripting,
      stored: storedDefinition.scripting,
      secrets,
    }),
    settings: parseWorkflowSettings(
      writtenParts.settings,
      locate('settings'),
      keptDefinition.settings,
      createWorkflowSettings(timeZone),
    ),
    listeners: parseArrayPart('listeners'),
    capping: parseArrayPart('capping'),
    nodes: parseArrayPart('nodes'),
    tasks: parseArrayPart('tasks'),
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  definition.capping = assignCappingIds(definition.capping, storedDefinition.capping, makeId)
  if (measureDefinition(definition) > MAX_WORKFLOW_BYTES)
    throw new Problem(413, 'body-too-large', `A workflow can have at most ${MAX_WORKFLOW_BYTES} bytes of JSON.`)
  return definition
}

/** Returns true if two definitions are the same. */
export function isSameDefinition(firstDefinition: WorkflowDefinition, secondDefinition: WorkflowDefinition): boolean {
  return isDeepStrictEqual(firstDefinition, secondDefinition)
}

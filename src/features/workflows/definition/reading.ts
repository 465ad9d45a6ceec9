import { isDeepStrictEqual } from 'node:util'
import { type Fault, invalid, Problem } from '../../../lib/errors/problem.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import type { Place } from '../../../scripting/schemas/shape.ts'
import { newScripting, readScripting, type Secrets, showScripting } from '../../../scripting/scripting-object.ts'
import { identified } from './capping.ts'
import { type ArrayPart, type Definition, partShapes } from './definition.ts'
import { newSettings, readSettings } from './settings.ts'

/** Bytes of a workflow as it is answered: what is answered can be sent back. */
export const MAX_BYTES = 4 * 1024 * 1024

/** What reading a definition needs beside it. */
export interface Reader {
  /** IANA: of the account. */
  timeZone: string
  secrets: Secrets
  /** Milliseconds: ids are made of it. */
  now: number
  /** Unknown members are refused. */
  strict: boolean
}

/** The parts of a definition as a client sends them; those that are absent are undefined. */
export type GivenParts = { [Part in keyof Definition]?: unknown }

/** The definition of a new workflow. */
export function newDefinition({ timeZone }: Reader): Definition {
  const scripting = newScripting()
  return { scripting, settings: newSettings(timeZone), listeners: [], capping: [], nodes: [], tasks: [] }
}

/** Where the pointers of faults begin: at the workflow, or at one part that is the body. */
function placeOf(part: keyof Definition, only: keyof Definition | undefined, place: Place): Place {
  return only === part ? place : { ...place, pointer: `/${part}` }
}

function sizeOf(definition: Definition): number {
  return Buffer.byteLength(JSON.stringify({ ...definition, scripting: showScripting(definition.scripting) }))
}

/** What a write begins with. */
export interface Base {
  /** What absent parts and members keep. */
  kept: Definition
  /** What is stored: ids of capping entries and secrets may be kept of it. */
  stored: Definition
}

/**
 * A definition after a write. `only`: the part that is the body. Throws 400 with a pointer for each fault of structure, 413
 * for a definition that is too large.
 */
export function readDefinition(
  given: GivenParts,
  { kept, stored }: Base,
  reader: Reader,
  only?: keyof Definition,
): Definition {
  const faults: Fault[] = []
  const makeId = () => uuidV7(reader.now)
  const place: Place = { pointer: '', reading: { faults, strict: reader.strict, makeId } }
  const at = (part: keyof Definition) => placeOf(part, only, place)
  const array = <Part extends ArrayPart>(part: Part): Definition[Part] =>
    given[part] == null ? kept[part] : partShapes[part].read(given[part], at(part))
  const { secrets, timeZone } = reader
  const definition: Definition = {
    scripting: readScripting(given.scripting, at('scripting'), {
      ...{ base: kept.scripting, stored: stored.scripting, secrets },
    }),
    settings: readSettings(given.settings, at('settings'), kept.settings, newSettings(timeZone)),
    listeners: array('listeners'),
    capping: array('capping'),
    nodes: array('nodes'),
    tasks: array('tasks'),
  }
  if (faults.length > 0) throw invalid(faults)
  definition.capping = identified(definition.capping, stored.capping, makeId)
  if (sizeOf(definition) > MAX_BYTES)
    throw new Problem(413, 'body-too-large', `A workflow has at most ${MAX_BYTES} bytes of JSON.`)
  return definition
}

/** Whether two definitions are the same. */
export function isSame(one: Definition, other: Definition): boolean {
  return isDeepStrictEqual(one, other)
}

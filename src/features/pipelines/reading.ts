import type { ServiceContext } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, invalidRequestProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { locateMember } from '../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionLocation } from '../../scripting/schemas/shape.ts'
import {
  createScriptingObject,
  parseScripting,
  type ScriptingObject,
  type ScriptSecretSealer,
  showScripting,
} from '../../scripting/scripting-object.ts'
import { createScriptSecretSealer } from '../../scripting/secrets.ts'
import { type CompilableValue, compilableValueShape } from './definition/definition.ts'
import { isStorableText } from './definition/parameter-types.ts'
import { createPreviewDefaults, parsePreview } from './definition/preview.ts'
import type { CompilableContent } from './stored.ts'

/** Bytes of a compilable as it is answered: what is answered can be sent back. */
export const MAX_COMPILABLE_BYTES = 1024 * 1024

/** A write as a client sends it; what is absent is undefined. */
export interface CompilableWrite {
  name?: string | undefined
  description?: string | null | undefined
  value?: unknown
  preview?: unknown
}

/** What reading a compilable needs beside it. */
export interface CompilableParseContext {
  secrets: ScriptSecretSealer
  /** Milliseconds. */
  now: number
  /** Unknown members are refused. */
  strict: boolean
}

export const createCompilableParser = (
  { clock, masterKeys }: Pick<ServiceContext, 'clock' | 'masterKeys'>,
  account: AccountId,
  strict: boolean,
): CompilableParseContext => ({ secrets: createScriptSecretSealer(masterKeys, account), now: clock.now(), strict })

/** What a write keeps: `kept` where it says nothing, `stored` for secrets that it repeats. */
export interface CompilableWriteBase {
  kept: CompilableContent | null
  stored: CompilableContent | null
}

const scriptingOf = (content: CompilableContent | null): ScriptingObject =>
  content?.value.type === 'script' ? content.value.scripting : createScriptingObject()

function readValue(
  given: unknown,
  place: DefinitionLocation,
  { kept, stored }: CompilableWriteBase,
  secrets: ScriptSecretSealer,
): CompilableValue {
  if (!isJsonObject(given) || given['type'] !== 'script')
    return compilableValueShape.read(given, place) as CompilableValue
  const { scripting, ...members } = given
  const base = { base: scriptingOf(kept), stored: scriptingOf(stored), secrets }
  const read = compilableValueShape.read(members, place) as Omit<
    Extract<CompilableValue, { type: 'script' }>,
    'scripting'
  >
  return { ...read, scripting: parseScripting(scripting, locateMember(place, 'scripting'), base) }
}

/** A value as it is answered: no secret is shown. */
export function showCompilableValue(value: CompilableValue): CompilableValue {
  return value.type === 'script' ? { ...value, scripting: showScripting(value.scripting) } : value
}

function refuseUnfit(content: CompilableContent): void {
  const { name, description, value, preview } = content
  for (const [member, one] of Object.entries({ name, description, value, preview }))
    if (!isStorableText(one)) throw badRequestProblem(`/${member}`, 'has characters that cannot be stored')
  const bytes = Buffer.byteLength(JSON.stringify({ name, description, value: showCompilableValue(value), preview }))
  if (bytes > MAX_COMPILABLE_BYTES)
    throw new Problem(413, 'body-too-large', `A compilable has at most ${MAX_COMPILABLE_BYTES} bytes of JSON.`)
}

/** What a compilable is after a write. Throws 400 with a pointer for each fault of structure, 413 for what is too large. */
export function parseCompilableContent(
  given: CompilableWrite,
  base: CompilableWriteBase,
  reader: CompilableParseContext,
): CompilableContent {
  const { kept } = base
  const faults: ProblemFault[] = []
  const makeId = () => createUuidV7(reader.now)
  const place: DefinitionLocation = { pointer: '', reading: { faults, strict: reader.strict, makeId } }
  const name = given.name ?? kept?.name ?? addStructureFault(locateMember(place, 'name'), 'is required')
  const at = locateMember(place, 'value')
  const value =
    given.value == null
      ? (kept?.value ?? addStructureFault(at, 'is required'))
      : readValue(given.value, at, base, reader.secrets)
  const preview = parsePreview(given.preview, locateMember(place, 'preview'), kept?.preview ?? createPreviewDefaults())
  if (faults.length > 0) throw invalidRequestProblem(faults)
  const { description = kept?.description ?? null } = given
  const content = { name, description, value, preview }
  refuseUnfit(content)
  return content
}

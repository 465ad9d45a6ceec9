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

/** Context for parsing a compilable. */
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

/** Base of a write: `kept` supplies the members that it omits, `stored` the secrets that it repeats. */
export interface CompilableWriteBase {
  kept: CompilableContent | null
  stored: CompilableContent | null
}

const getScripting = (content: CompilableContent | null): ScriptingObject =>
  content?.value.type === 'script' ? content.value.scripting : createScriptingObject()

function parseValue(
  rawValue: unknown,
  place: DefinitionLocation,
  { kept: baseContent, stored: storedContent }: CompilableWriteBase,
  secrets: ScriptSecretSealer,
): CompilableValue {
  if (!isJsonObject(rawValue) || rawValue['type'] !== 'script')
    return compilableValueShape.read(rawValue, place) as CompilableValue
  const { scripting, ...members } = rawValue
  const scriptingBase = { base: getScripting(baseContent), stored: getScripting(storedContent), secrets }
  const parsedValue = compilableValueShape.read(members, place) as Omit<
    Extract<CompilableValue, { type: 'script' }>,
    'scripting'
  >
  return { ...parsedValue, scripting: parseScripting(scripting, locateMember(place, 'scripting'), scriptingBase) }
}

/** A value as it is answered: no secret is shown. */
export function showCompilableValue(value: CompilableValue): CompilableValue {
  return value.type === 'script' ? { ...value, scripting: showScripting(value.scripting) } : value
}

function requireStorable(content: CompilableContent): void {
  const { name, description, value, preview } = content
  for (const [member, memberValue] of Object.entries({ name, description, value, preview }))
    if (!isStorableText(memberValue)) throw badRequestProblem(`/${member}`, 'contains characters that cannot be stored')
  const bytes = Buffer.byteLength(JSON.stringify({ name, description, value: showCompilableValue(value), preview }))
  if (bytes > MAX_COMPILABLE_BYTES)
    throw new Problem(413, 'body-too-large', `A compilable can have at most ${MAX_COMPILABLE_BYTES} bytes of JSON.`)
}

/** Content of a compilable after a write. Throws 400 with a pointer for each structural fault, 413 for a compilable that is too large. */
export function parseCompilableContent(
  writeInput: CompilableWrite,
  base: CompilableWriteBase,
  reader: CompilableParseContext,
): CompilableContent {
  const { kept: baseContent } = base
  const faults: ProblemFault[] = []
  const makeId = () => createUuidV7(reader.now)
  const place: DefinitionLocation = { pointer: '', reading: { faults, strict: reader.strict, makeId } }
  const name = writeInput.name ?? baseContent?.name ?? addStructureFault(locateMember(place, 'name'), 'is required')
  const valuePlace = locateMember(place, 'value')
  const value =
    writeInput.value == null
      ? (baseContent?.value ?? addStructureFault(valuePlace, 'is required'))
      : parseValue(writeInput.value, valuePlace, base, reader.secrets)
  const preview = parsePreview(
    writeInput.preview,
    locateMember(place, 'preview'),
    baseContent?.preview ?? createPreviewDefaults(),
  )
  if (faults.length > 0) throw invalidRequestProblem(faults)
  const { description = baseContent?.description ?? null } = writeInput
  const content = { name, description, value, preview }
  requireStorable(content)
  return content
}

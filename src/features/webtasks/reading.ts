import { badRequestProblem, invalidRequestProblem, type ProblemFault } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import type { DefinitionLocation } from '../../scripting/schemas/shape.ts'
import {
  createScriptingObject,
  parseScripting,
  type ScriptingObject,
  type ScriptSecretSealer,
} from '../../scripting/scripting-object.ts'
import { createWebtaskSettings, parseWebtaskSettings, type WebtaskSettings } from './settings.ts'

const DEFAULT_SOURCE = 'export default function (input) {\n  return null;\n}\n'

/** Members of a webtask that a write sets. */
export interface WebtaskContent {
  name: string
  description: string | null
  scripting: ScriptingObject
  settings: WebtaskSettings
  source: string
}

/** A write: absent members are undefined. */
export interface WebtaskWrite {
  name?: string | undefined
  description?: string | null | undefined
  scripting?: unknown
  settings?: unknown
  value?: string | undefined
}

/** Context for parsing a webtask. */
export interface WebtaskParseContext {
  secrets: ScriptSecretSealer
  /** Milliseconds. */
  now: number
  /** Unknown members are refused. */
  strict: boolean
}

/** Base of a write: the values of absent members, and the stored scripting, whose secrets may be reused. */
export interface WebtaskWriteBase {
  kept: Omit<WebtaskContent, 'name'> & { name: string | undefined }
  stored: ScriptingObject
}

/** All of a webtask but its name, as it is when nothing is said of it. */
export const createWebtaskContent = (): WebtaskWriteBase['kept'] => ({
  name: undefined,
  description: null,
  scripting: createScriptingObject(),
  settings: createWebtaskSettings(),
  source: DEFAULT_SOURCE,
})

/** A webtask after a write. Throws 400 with a pointer for each fault. */
export function parseWebtaskContent(
  write: WebtaskWrite,
  { kept: baseContent, stored: storedScripting }: WebtaskWriteBase,
  reader: WebtaskParseContext,
): WebtaskContent {
  const { now, strict, secrets } = reader
  const { name = baseContent.name, description = baseContent.description, value: source = baseContent.source } = write
  if (name === undefined) throw badRequestProblem('/name', 'is required')
  const faults: ProblemFault[] = []
  const place: DefinitionLocation = { pointer: '', reading: { faults, strict, makeId: () => createUuidV7(now) } }
  const locate = (member: string): DefinitionLocation => ({ ...place, pointer: `/${member}` })
  const content = {
    name,
    description,
    source,
    scripting: parseScripting(write.scripting, locate('scripting'), {
      base: baseContent.scripting,
      stored: storedScripting,
      secrets,
    }),
    settings: parseWebtaskSettings(write.settings, locate('settings'), baseContent.settings),
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return content
}

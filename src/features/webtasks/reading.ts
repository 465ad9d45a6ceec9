import { badRequest, type Fault, invalid } from '../../lib/errors/problem.ts'
import { uuidV7 } from '../../lib/ids.ts'
import type { Place } from '../../scripting/schemas/shape.ts'
import { newScripting, readScripting, type Scripting, type Secrets } from '../../scripting/scripting-object.ts'
import { newSettings, readSettings, type WebtaskSettings } from './settings.ts'

const DEFAULT_SOURCE = 'export default function (input) {\n  return null;\n}\n'

/** What is written of a webtask. */
export interface WebtaskContent {
  name: string
  description: string | null
  scripting: Scripting
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

/** What reading a webtask needs beside it. */
export interface Reader {
  secrets: Secrets
  /** Milliseconds. */
  now: number
  /** Unknown members are refused. */
  strict: boolean
}

/** What a write begins with: what absent members keep, and what is stored, whose secrets may be kept. */
export interface Base {
  kept: Omit<WebtaskContent, 'name'> & { name: string | undefined }
  stored: Scripting
}

/** All of a webtask but its name, as it is when nothing is said of it. */
export const newContent = (): Base['kept'] => ({
  ...{ name: undefined, description: null, scripting: newScripting(), settings: newSettings() },
  source: DEFAULT_SOURCE,
})

/** A webtask after a write. Throws 400 with a pointer for each fault. */
export function readContent(write: WebtaskWrite, { kept, stored }: Base, reader: Reader): WebtaskContent {
  const { now, strict, secrets } = reader
  const { name = kept.name, description = kept.description, value: source = kept.source } = write
  if (name === undefined) throw badRequest('/name', 'is required')
  const faults: Fault[] = []
  const place: Place = { pointer: '', reading: { faults, strict, makeId: () => uuidV7(now) } }
  const at = (member: string): Place => ({ ...place, pointer: `/${member}` })
  const content = {
    ...{ name, description, source },
    scripting: readScripting(write.scripting, at('scripting'), { base: kept.scripting, stored, secrets }),
    settings: readSettings(write.settings, at('settings'), kept.settings),
  }
  if (faults.length > 0) throw invalid(faults)
  return content
}

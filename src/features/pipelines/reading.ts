import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequest, type Fault, invalid, Problem } from '../../lib/errors/problem.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { isObject } from '../../lib/objects.ts'
import { within } from '../../scripting/schemas/objects.ts'
import { fault, type Place } from '../../scripting/schemas/shape.ts'
import {
  newScripting,
  readScripting,
  type Scripting,
  type Secrets,
  showScripting,
} from '../../scripting/scripting-object.ts'
import { secretsOf } from '../../scripting/secrets.ts'
import { type CompilableValue, values } from './definition/definition.ts'
import { isStorable } from './definition/parameter-types.ts'
import { newPreview, readPreview } from './definition/preview.ts'
import type { Content } from './stored.ts'

/** Bytes of a compilable as it is answered: what is answered can be sent back. */
export const MAX_BYTES = 1024 * 1024

/** A write as a client sends it; what is absent is undefined. */
export interface GivenCompilable {
  name?: string | undefined
  description?: string | null | undefined
  value?: unknown
  preview?: unknown
}

/** What reading a compilable needs beside it. */
export interface Reader {
  secrets: Secrets
  /** Milliseconds. */
  now: number
  /** Unknown members are refused. */
  strict: boolean
}

export const readerOf = (
  { clock, masterKeys }: Pick<Context, 'clock' | 'masterKeys'>,
  account: AccountId,
  strict: boolean,
): Reader => ({ secrets: secretsOf(masterKeys, account), now: clock.now(), strict })

/** What a write keeps: `kept` where it says nothing, `stored` for secrets that it repeats. */
export interface Base {
  kept: Content | null
  stored: Content | null
}

const scriptingOf = (content: Content | null): Scripting =>
  content?.value.type === 'script' ? content.value.scripting : newScripting()

function readValue(given: unknown, place: Place, { kept, stored }: Base, secrets: Secrets): CompilableValue {
  if (!isObject(given) || given['type'] !== 'script') return values.read(given, place) as CompilableValue
  const { scripting, ...members } = given
  const base = { base: scriptingOf(kept), stored: scriptingOf(stored), secrets }
  const read = values.read(members, place) as Omit<Extract<CompilableValue, { type: 'script' }>, 'scripting'>
  return { ...read, scripting: readScripting(scripting, within(place, 'scripting'), base) }
}

/** A value as it is answered: no secret is shown. */
export function showValue(value: CompilableValue): CompilableValue {
  return value.type === 'script' ? { ...value, scripting: showScripting(value.scripting) } : value
}

function refuseUnfit(content: Content): void {
  const { name, description, value, preview } = content
  for (const [member, one] of Object.entries({ name, description, value, preview }))
    if (!isStorable(one)) throw badRequest(`/${member}`, 'has characters that cannot be stored')
  const bytes = Buffer.byteLength(JSON.stringify({ name, description, value: showValue(value), preview }))
  if (bytes > MAX_BYTES)
    throw new Problem(413, 'body-too-large', `A compilable has at most ${MAX_BYTES} bytes of JSON.`)
}

/** What a compilable is after a write. Throws 400 with a pointer for each fault of structure, 413 for what is too large. */
export function readContent(given: GivenCompilable, base: Base, reader: Reader): Content {
  const { kept } = base
  const faults: Fault[] = []
  const makeId = () => uuidV7(reader.now)
  const place: Place = { pointer: '', reading: { faults, strict: reader.strict, makeId } }
  const name = given.name ?? kept?.name ?? fault(within(place, 'name'), 'is required')
  const at = within(place, 'value')
  const value =
    given.value == null ? (kept?.value ?? fault(at, 'is required')) : readValue(given.value, at, base, reader.secrets)
  const preview = readPreview(given.preview, within(place, 'preview'), kept?.preview ?? newPreview())
  if (faults.length > 0) throw invalid(faults)
  const { description = kept?.description ?? null } = given
  const content = { name, description, value, preview }
  refuseUnfit(content)
  return content
}

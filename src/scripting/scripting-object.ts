import { scriptCapabilityNames } from './capabilities.ts'
import { isBuiltInTemplateFilter, type TemplateFilter } from './expressions/templates.ts'
import { parseAllowedHost } from './fetch/allow-list.ts'
import {
  listShape,
  locateMember,
  objectShape,
  optionalMember,
  requiredMember,
  toPlainObject,
  variantsShape,
} from './schemas/objects.ts'
import { addStructureFault, type DefinitionLocation, type DefinitionShape, type ShapeValue } from './schemas/shape.ts'
import { numberShape, textShape } from './schemas/values.ts'

const VERSION = '7.0.0'
const MAX_VARIABLES_LENGTH = 32 * 1024
const MAX_MODULES_LENGTH = 1024 * 1024
const MAX_SOURCE_LENGTH = 256 * 1024
const MAX_SECRETS = 100
const MAX_SECRET_LENGTH = 16 * 1024
/** What is read in place of a secret, and keeps it. */
export const HIDDEN_SECRET = '***'

/** Seals secrets for storage and opens them; texts are base64. */
export interface ScriptSecretSealer {
  seal(name: string, secret: string): string
  open(name: string, sealed: string): string
}

/** What is allowed and given to scripts. Members that were not given are absent. */
export interface ScriptingEnvironment {
  capabilities?: string[]
  http?: { allow: string[] }
  variables?: Record<string, unknown>
  /** Sealed. */
  secrets?: Record<string, string>
}

const moduleName = textShape({ least: 1, most: 255 })
const source = textShape({ most: MAX_SOURCE_LENGTH })
const named = objectShape({ name: requiredMember(moduleName), value: requiredMember(source) })
const imports = listShape(
  variantsShape({
    source: objectShape({ name: requiredMember(moduleName), value: requiredMember(source) }),
    webtask: objectShape({ name: requiredMember(moduleName), value: requiredMember(numberShape(1, 0x7fffffff)) }),
  }),
  { most: 20 },
)
const initializers = listShape(named, { most: 10 })

const FILTER_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const filterName: DefinitionShape<string> = {
  read(given, place) {
    const words = 'must be a name of letters, digits, _ and -'
    const name = textShape({ most: 64, pattern: FILTER_NAME, words }).read(given, place)
    return name !== undefined && isBuiltInTemplateFilter(name)
      ? addStructureFault(place, `"${name}" is a filter of the language`)
      : name
  },
}
const filters = listShape(objectShape({ name: requiredMember(filterName), value: requiredMember(source) }), {
  ...{ most: 50, member: 'name', unique: ({ name }) => name },
})

/** The `scripting` object as it is stored. */
export interface ScriptingObject {
  version: typeof VERSION
  environment: ScriptingEnvironment
  imports: ShapeValue<typeof imports> | null
  initializers: ShapeValue<typeof initializers> | null
  filters: ShapeValue<typeof filters> | null
}

/** The `scripting` object of something new. */
export const createScriptingObject = (): ScriptingObject => ({
  ...{ version: VERSION, environment: {}, imports: null, initializers: null, filters: null },
})

/** What the scripts of an object may do. */
export const listCapabilities = ({ environment }: Pick<ScriptingObject, 'environment'>): readonly string[] =>
  environment.capabilities ?? []

/** The filters that a definition brings. */
export function listTemplateFilters({ filters: given }: ScriptingObject): TemplateFilter[] {
  return (given ?? []).map(({ name, value }) => ({ name: name ?? '', value: value ?? '' }))
}

const MAX_HOST_LENGTH = 260

/** A host that may be called or redirected to. */
export const allowedHostShape: DefinitionShape<string> = {
  read(given, place) {
    const name = typeof given === 'string' ? given.toLowerCase() : ''
    if (name.length <= MAX_HOST_LENGTH && parseAllowedHost(name) !== undefined) return name
    return addStructureFault(
      place,
      'must be a host such as api.shop.test or *.shop.test, with a port if needed; http:// in front of it allows http',
    )
  },
}

const capability: DefinitionShape<string> = {
  read: (given, place) =>
    typeof given === 'string' && scriptCapabilityNames.includes(given)
      ? given
      : addStructureFault(place, `must be one of ${scriptCapabilityNames.join(', ')}`),
}
const capabilities = listShape(capability, { most: 100 })
const allow = listShape(allowedHostShape, { most: 50 })

function readVariables(value: unknown, place: DefinitionLocation): Record<string, unknown> {
  const given = toPlainObject(value)
  if (!given) return addStructureFault(place, 'must be an object')
  const { length } = JSON.stringify(given)
  return length > MAX_VARIABLES_LENGTH
    ? addStructureFault(place, `has ${length} characters: at most ${MAX_VARIABLES_LENGTH} are possible`)
    : given
}

const SECRET_NAME = /^[A-Za-z0-9_.-]{1,64}$/

function readSecret(
  name: string,
  given: unknown,
  { place, stored, secrets }: { place: DefinitionLocation; stored: string | undefined; secrets: ScriptSecretSealer },
): string {
  if (!SECRET_NAME.test(name)) return addStructureFault(place, 'must be named with letters, digits, _, - and .')
  if (given === HIDDEN_SECRET)
    return (
      stored ??
      addStructureFault(place, `must be given: there is no secret of this name that "${HIDDEN_SECRET}" could keep`)
    )
  if (typeof given !== 'string' || given.length === 0 || given.length > MAX_SECRET_LENGTH)
    return addStructureFault(place, `must be a string of 1 to ${MAX_SECRET_LENGTH} characters`)
  // The same secret is sealed differently each time: what did not change stays as it is.
  return stored !== undefined && secrets.open(name, stored) === given ? stored : secrets.seal(name, given)
}

function readSecrets(
  value: unknown,
  place: DefinitionLocation,
  stored: Record<string, string>,
  secrets: ScriptSecretSealer,
) {
  const given = toPlainObject(value)
  if (!given) return addStructureFault(place, 'must be an object')
  const entries = Object.entries(given)
  if (entries.length > MAX_SECRETS)
    return addStructureFault(place, `has ${entries.length} secrets: at most ${MAX_SECRETS} are possible`)
  const read = entries.map(([name, one]) => {
    const known = Object.hasOwn(stored, name) ? stored[name] : undefined
    return [name, readSecret(name, one, { place: locateMember(place, name), stored: known, secrets })] as const
  })
  return Object.fromEntries(read)
}

/** How a write is read: what is absent keeps what is in `base`. `stored`: whose secrets "***" keeps. */
export interface ScriptingParseBase {
  base: ScriptingObject
  stored: ScriptingObject
  secrets: ScriptSecretSealer
}

function readEnvironment(
  whole: unknown,
  place: DefinitionLocation,
  { base, stored, secrets }: ScriptingParseBase,
): ScriptingEnvironment {
  if (whole === null) return {}
  if (whole === undefined) return base.environment
  const given = toPlainObject(whole)
  if (!given) return addStructureFault(place, 'must be an object')
  const readers: Record<string, (value: unknown, at: DefinitionLocation) => unknown> = {
    capabilities: (value, at) => [...new Set(capabilities.read(value, at))],
    http: (value, at) => objectShape({ allow: optionalMember(allow) }).read(value, at),
    variables: readVariables,
    secrets: (value, at) => readSecrets(value, at, stored.environment.secrets ?? {}, secrets),
  }
  if (place.reading.strict)
    for (const name of Object.keys(given))
      if (!Object.hasOwn(readers, name)) addStructureFault(locateMember(place, name), 'is not a member of this object')
  const members = Object.entries(readers).flatMap(([name, read]) => {
    const value = given[name]
    if (value === null) return []
    const kept = base.environment[name as keyof ScriptingEnvironment]
    if (value === undefined) return kept === undefined ? [] : [[name, kept]]
    return [[name, read(value, locateMember(place, name))]]
  })
  const environment: ScriptingEnvironment = Object.fromEntries(members)
  if (environment.http) environment.http = { allow: environment.http.allow ?? [] }
  return environment
}

/** Modules of all kinds together. */
function refuseLarge(scripting: ScriptingObject, place: DefinitionLocation): void {
  const texts = [...(scripting.imports ?? []), ...(scripting.initializers ?? [])].map(({ value }) => value)
  const length = texts.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  if (length > MAX_MODULES_LENGTH)
    addStructureFault(place, `its modules have ${length} characters: at most ${MAX_MODULES_LENGTH} are possible`)
}

/** Reads a `scripting` object. Null, for all of it or a member, is the default. */
export function parseScripting(whole: unknown, place: DefinitionLocation, write: ScriptingParseBase): ScriptingObject {
  if (whole === null) return createScriptingObject()
  if (whole === undefined) return write.base
  const given = toPlainObject(whole)
  if (!given) return addStructureFault(place, 'must be an object')
  const { base } = write
  const version = given['version'] ?? VERSION
  if (version !== VERSION) addStructureFault(locateMember(place, 'version'), `must be "${VERSION}"`)
  const member = <T>(name: keyof ScriptingObject, shape: DefinitionShape<T>, kept: T | null): T | null => {
    const value = given[name]
    if (value === undefined) return kept
    return value === null ? null : shape.read(value, locateMember(place, name))
  }
  const scripting: ScriptingObject = {
    version: VERSION,
    environment: readEnvironment(given['environment'], locateMember(place, 'environment'), write),
    imports: member('imports', imports, base.imports),
    initializers: member('initializers', initializers, base.initializers),
    filters: member('filters', filters, base.filters),
  }
  if (place.reading.faults.length === 0) refuseLarge(scripting, place)
  return scripting
}

/** A `scripting` object as it is answered: no secret is shown. */
export function showScripting({ environment, ...others }: ScriptingObject): ScriptingObject {
  const { secrets } = environment
  const hidden = secrets && Object.fromEntries(Object.keys(secrets).map((name) => [name, HIDDEN_SECRET]))
  return { ...others, environment: { ...environment, ...(hidden && { secrets: hidden }) } }
}

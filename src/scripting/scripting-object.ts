import { capabilityNames } from './capabilities.ts'
import { isBuiltInFilter, type OwnFilter } from './expressions/templates.ts'
import { readAllowed } from './fetch/allow-list.ts'
import { asObject, list, object, optional, required, variants, within } from './schemas/objects.ts'
import { fault, type Place, type Read, type Shape } from './schemas/shape.ts'
import { number, text } from './schemas/values.ts'

const VERSION = '7.0.0'
const MAX_VARIABLES_LENGTH = 32 * 1024
const MAX_MODULES_LENGTH = 1024 * 1024
const MAX_SOURCE_LENGTH = 256 * 1024
const MAX_SECRETS = 100
const MAX_SECRET_LENGTH = 16 * 1024
/** What is read in place of a secret, and keeps it. */
export const HIDDEN = '***'

/** Seals secrets for storage and opens them; texts are base64. */
export interface Secrets {
  seal(name: string, secret: string): string
  open(name: string, sealed: string): string
}

/** What is allowed and given to scripts. Members that were not given are absent. */
export interface Environment {
  capabilities?: string[]
  http?: { allow: string[] }
  variables?: Record<string, unknown>
  /** Sealed. */
  secrets?: Record<string, string>
}

const moduleName = text({ least: 1, most: 255 })
const source = text({ most: MAX_SOURCE_LENGTH })
const named = object({ name: required(moduleName), value: required(source) })
const imports = list(
  variants({
    source: object({ name: required(moduleName), value: required(source) }),
    webtask: object({ name: required(moduleName), value: required(number(1, 0x7fffffff)) }),
  }),
  { most: 20 },
)
const initializers = list(named, { most: 10 })

const FILTER_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const filterName: Shape<string> = {
  read(given, place) {
    const words = 'must be a name of letters, digits, _ and -'
    const name = text({ most: 64, pattern: FILTER_NAME, words }).read(given, place)
    return name !== undefined && isBuiltInFilter(name) ? fault(place, `"${name}" is a filter of the language`) : name
  },
}
const filters = list(object({ name: required(filterName), value: required(source) }), {
  ...{ most: 50, member: 'name', unique: ({ name }) => name },
})

/** The `scripting` object as it is stored. */
export interface Scripting {
  version: typeof VERSION
  environment: Environment
  imports: Read<typeof imports> | null
  initializers: Read<typeof initializers> | null
  filters: Read<typeof filters> | null
}

/** The `scripting` object of something new. */
export const newScripting = (): Scripting => ({
  ...{ version: VERSION, environment: {}, imports: null, initializers: null, filters: null },
})

/** What the scripts of an object may do. */
export const capabilitiesOf = ({ environment }: Pick<Scripting, 'environment'>): readonly string[] =>
  environment.capabilities ?? []

/** The filters that a definition brings. */
export function filtersOf({ filters: given }: Scripting): OwnFilter[] {
  return (given ?? []).map(({ name, value }) => ({ name: name ?? '', value: value ?? '' }))
}

const MAX_HOST_LENGTH = 260

/** A host that may be called or redirected to. */
export const host: Shape<string> = {
  read(given, place) {
    const name = typeof given === 'string' ? given.toLowerCase() : ''
    if (name.length <= MAX_HOST_LENGTH && readAllowed(name) !== undefined) return name
    return fault(
      place,
      'must be a host such as api.shop.test or *.shop.test, with a port if needed; http:// in front of it allows http',
    )
  },
}

const capability: Shape<string> = {
  read: (given, place) =>
    typeof given === 'string' && capabilityNames.includes(given)
      ? given
      : fault(place, `must be one of ${capabilityNames.join(', ')}`),
}
const capabilities = list(capability, { most: 100 })
const allow = list(host, { most: 50 })

function readVariables(value: unknown, place: Place): Record<string, unknown> {
  const given = asObject(value)
  if (!given) return fault(place, 'must be an object')
  const { length } = JSON.stringify(given)
  return length > MAX_VARIABLES_LENGTH
    ? fault(place, `has ${length} characters: at most ${MAX_VARIABLES_LENGTH} are possible`)
    : given
}

const SECRET_NAME = /^[A-Za-z0-9_.-]{1,64}$/

function readSecret(
  name: string,
  given: unknown,
  { place, stored, secrets }: { place: Place; stored: string | undefined; secrets: Secrets },
): string {
  if (!SECRET_NAME.test(name)) return fault(place, 'must be named with letters, digits, _, - and .')
  if (given === HIDDEN)
    return stored ?? fault(place, `must be given: there is no secret of this name that "${HIDDEN}" could keep`)
  if (typeof given !== 'string' || given.length === 0 || given.length > MAX_SECRET_LENGTH)
    return fault(place, `must be a string of 1 to ${MAX_SECRET_LENGTH} characters`)
  // The same secret is sealed differently each time: what did not change stays as it is.
  return stored !== undefined && secrets.open(name, stored) === given ? stored : secrets.seal(name, given)
}

function readSecrets(value: unknown, place: Place, stored: Record<string, string>, secrets: Secrets) {
  const given = asObject(value)
  if (!given) return fault(place, 'must be an object')
  const entries = Object.entries(given)
  if (entries.length > MAX_SECRETS)
    return fault(place, `has ${entries.length} secrets: at most ${MAX_SECRETS} are possible`)
  const read = entries.map(([name, one]) => {
    const known = Object.hasOwn(stored, name) ? stored[name] : undefined
    return [name, readSecret(name, one, { place: within(place, name), stored: known, secrets })] as const
  })
  return Object.fromEntries(read)
}

/** How a write is read: what is absent keeps what is in `base`. `stored`: whose secrets "***" keeps. */
export interface ScriptingWrite {
  base: Scripting
  stored: Scripting
  secrets: Secrets
}

function readEnvironment(whole: unknown, place: Place, { base, stored, secrets }: ScriptingWrite): Environment {
  if (whole === null) return {}
  if (whole === undefined) return base.environment
  const given = asObject(whole)
  if (!given) return fault(place, 'must be an object')
  const readers: Record<string, (value: unknown, at: Place) => unknown> = {
    capabilities: (value, at) => [...new Set(capabilities.read(value, at))],
    http: (value, at) => object({ allow: optional(allow) }).read(value, at),
    variables: readVariables,
    secrets: (value, at) => readSecrets(value, at, stored.environment.secrets ?? {}, secrets),
  }
  if (place.reading.strict)
    for (const name of Object.keys(given))
      if (!Object.hasOwn(readers, name)) fault(within(place, name), 'is not a member of this object')
  const members = Object.entries(readers).flatMap(([name, read]) => {
    const value = given[name]
    if (value === null) return []
    const kept = base.environment[name as keyof Environment]
    if (value === undefined) return kept === undefined ? [] : [[name, kept]]
    return [[name, read(value, within(place, name))]]
  })
  const environment: Environment = Object.fromEntries(members)
  if (environment.http) environment.http = { allow: environment.http.allow ?? [] }
  return environment
}

/** Modules of all kinds together. */
function refuseLarge(scripting: Scripting, place: Place): void {
  const texts = [...(scripting.imports ?? []), ...(scripting.initializers ?? [])].map(({ value }) => value)
  const length = texts.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  if (length > MAX_MODULES_LENGTH)
    fault(place, `its modules have ${length} characters: at most ${MAX_MODULES_LENGTH} are possible`)
}

/** Reads a `scripting` object. Null, for all of it or a member, is the default. */
export function readScripting(whole: unknown, place: Place, write: ScriptingWrite): Scripting {
  if (whole === null) return newScripting()
  if (whole === undefined) return write.base
  const given = asObject(whole)
  if (!given) return fault(place, 'must be an object')
  const { base } = write
  const version = given['version'] ?? VERSION
  if (version !== VERSION) fault(within(place, 'version'), `must be "${VERSION}"`)
  const member = <T>(name: keyof Scripting, shape: Shape<T>, kept: T | null): T | null => {
    const value = given[name]
    if (value === undefined) return kept
    return value === null ? null : shape.read(value, within(place, name))
  }
  const scripting: Scripting = {
    version: VERSION,
    environment: readEnvironment(given['environment'], within(place, 'environment'), write),
    imports: member('imports', imports, base.imports),
    initializers: member('initializers', initializers, base.initializers),
    filters: member('filters', filters, base.filters),
  }
  if (place.reading.faults.length === 0) refuseLarge(scripting, place)
  return scripting
}

/** A `scripting` object as it is answered: no secret is shown. */
export function showScripting({ environment, ...others }: Scripting): Scripting {
  const { secrets } = environment
  const hidden = secrets && Object.fromEntries(Object.keys(secrets).map((name) => [name, HIDDEN]))
  return { ...others, environment: { ...environment, ...(hidden && { secrets: hidden }) } }
}

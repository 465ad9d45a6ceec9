import { MAX_INT32 } from '../lib/int32.ts'
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

const SCRIPTING_VERSION = '7.0.0'
const MAX_VARIABLES_LENGTH = 32 * 1024
const MAX_MODULES_LENGTH = 1024 * 1024
const MAX_SOURCE_LENGTH = 256 * 1024
const MAX_SECRETS = 100
const MAX_SECRET_LENGTH = 16 * 1024
/** Placeholder that is shown instead of a secret, and that retains the secret in a write. */
export const HIDDEN_SECRET = '***'

/** Seals secrets for storage and opens them; texts are base64. */
export interface ScriptSecretSealer {
  seal(name: string, secret: string): string
  open(name: string, sealed: string): string
}

/** Permissions and values of scripts. Members that were not sent are absent. */
export interface ScriptingEnvironment {
  capabilities?: string[]
  http?: { allow: string[] }
  variables?: Record<string, unknown>
  /** Sealed. */
  secrets?: Record<string, string>
}

const moduleNameShape = textShape({ least: 1, most: 255 })
const sourceShape = textShape({ most: MAX_SOURCE_LENGTH })
const namedModuleShape = objectShape({ name: requiredMember(moduleNameShape), value: requiredMember(sourceShape) })
const importsShape = listShape(
  variantsShape({
    source: objectShape({ name: requiredMember(moduleNameShape), value: requiredMember(sourceShape) }),
    webtask: objectShape({ name: requiredMember(moduleNameShape), value: requiredMember(numberShape(1, MAX_INT32)) }),
  }),
  { most: 20 },
)
const initializersShape = listShape(namedModuleShape, { most: 10 })

const FILTER_NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const filterNameShape: DefinitionShape<string> = {
  read(rawValue, place) {
    const nameRule = 'must be a name of letters, digits, _ and -'
    const name = textShape({ most: 64, pattern: FILTER_NAME_PATTERN, words: nameRule }).read(rawValue, place)
    return name !== undefined && isBuiltInTemplateFilter(name)
      ? addStructureFault(place, `"${name}" is a built-in filter`)
      : name
  },
}
const filtersShape = listShape(
  objectShape({ name: requiredMember(filterNameShape), value: requiredMember(sourceShape) }),
  {
    most: 50,
    member: 'name',
    unique: ({ name }) => name,
  },
)

/** The `scripting` object as it is stored. */
export interface ScriptingObject {
  version: typeof SCRIPTING_VERSION
  environment: ScriptingEnvironment
  imports: ShapeValue<typeof importsShape> | null
  initializers: ShapeValue<typeof initializersShape> | null
  filters: ShapeValue<typeof filtersShape> | null
}

/** The `scripting` object of something new. */
export const createScriptingObject = (): ScriptingObject => ({
  version: SCRIPTING_VERSION,
  environment: {},
  imports: null,
  initializers: null,
  filters: null,
})

/** Lists the capabilities of the scripts of an object. */
export const listCapabilities = ({ environment }: Pick<ScriptingObject, 'environment'>): readonly string[] =>
  environment.capabilities ?? []

/** The filters that a definition brings. */
export function listTemplateFilters({ filters: templateFilters }: ScriptingObject): TemplateFilter[] {
  return (templateFilters ?? []).map(({ name, value }) => ({ name: name ?? '', value: value ?? '' }))
}

const MAX_HOST_LENGTH = 260

/** A host that may be called or redirected to. */
export const allowedHostShape: DefinitionShape<string> = {
  read(rawValue, place) {
    const name = typeof rawValue === 'string' ? rawValue.toLowerCase() : ''
    if (name.length <= MAX_HOST_LENGTH && parseAllowedHost(name) !== undefined) return name
    return addStructureFault(
      place,
      'must be a host such as api.shop.test or *.shop.test, with a port if needed; the prefix http:// allows http',
    )
  },
}

const capabilityShape: DefinitionShape<string> = {
  read: (rawValue, place) =>
    typeof rawValue === 'string' && scriptCapabilityNames.includes(rawValue)
      ? rawValue
      : addStructureFault(place, `must be one of ${scriptCapabilityNames.join(', ')}`),
}
const capabilitiesShape = listShape(capabilityShape, { most: 100 })
const allowShape = listShape(allowedHostShape, { most: 50 })

function parseVariables(value: unknown, place: DefinitionLocation): Record<string, unknown> {
  const rawVariables = toPlainObject(value)
  if (!rawVariables) return addStructureFault(place, 'must be an object')
  const { length } = JSON.stringify(rawVariables)
  return length > MAX_VARIABLES_LENGTH
    ? addStructureFault(place, `has ${length} characters; at most ${MAX_VARIABLES_LENGTH} are allowed`)
    : rawVariables
}

const SECRET_NAME_PATTERN = /^[A-Za-z0-9_.-]{1,64}$/

function parseSecret(
  name: string,
  rawSecret: unknown,
  {
    place,
    stored: storedSecret,
    secrets,
  }: { place: DefinitionLocation; stored: string | undefined; secrets: ScriptSecretSealer },
): string {
  if (!SECRET_NAME_PATTERN.test(name)) return addStructureFault(place, 'must be named with letters, digits, _, - and .')
  if (rawSecret === HIDDEN_SECRET)
    return (
      storedSecret ??
      addStructureFault(
        place,
        `is required: there is no stored secret of this name that "${HIDDEN_SECRET}" could retain`,
      )
    )
  if (typeof rawSecret !== 'string' || rawSecret.length === 0 || rawSecret.length > MAX_SECRET_LENGTH)
    return addStructureFault(place, `must be a string of 1 to ${MAX_SECRET_LENGTH} characters`)
  // The same secret is sealed differently each time: what did not change stays as it is.
  return storedSecret !== undefined && secrets.open(name, storedSecret) === rawSecret
    ? storedSecret
    : secrets.seal(name, rawSecret)
}

function parseSecrets(
  value: unknown,
  place: DefinitionLocation,
  storedSecrets: Record<string, string>,
  secrets: ScriptSecretSealer,
) {
  const rawSecrets = toPlainObject(value)
  if (!rawSecrets) return addStructureFault(place, 'must be an object')
  const secretEntries = Object.entries(rawSecrets)
  if (secretEntries.length > MAX_SECRETS)
    return addStructureFault(place, `has ${secretEntries.length} secrets; at most ${MAX_SECRETS} are allowed`)
  const parsedSecrets = secretEntries.map(([name, secretEntry]) => {
    const knownSecret = Object.hasOwn(storedSecrets, name) ? storedSecrets[name] : undefined
    return [
      name,
      parseSecret(name, secretEntry, { place: locateMember(place, name), stored: knownSecret, secrets }),
    ] as const
  })
  return Object.fromEntries(parsedSecrets)
}

/** Base of parsing a write. Absent members take the values of `base`; "***" retains the secrets of `stored`. */
export interface ScriptingParseBase {
  base: ScriptingObject
  stored: ScriptingObject
  secrets: ScriptSecretSealer
}

function parseEnvironment(
  whole: unknown,
  place: DefinitionLocation,
  { base, stored: storedScripting, secrets }: ScriptingParseBase,
): ScriptingEnvironment {
  if (whole === null) return {}
  if (whole === undefined) return base.environment
  const rawEnvironment = toPlainObject(whole)
  if (!rawEnvironment) return addStructureFault(place, 'must be an object')
  const memberReaders: Record<string, (value: unknown, at: DefinitionLocation) => unknown> = {
    capabilities: (value, at) => [...new Set(capabilitiesShape.read(value, at))],
    http: (value, at) => objectShape({ allow: optionalMember(allowShape) }).read(value, at),
    variables: parseVariables,
    secrets: (value, at) => parseSecrets(value, at, storedScripting.environment.secrets ?? {}, secrets),
  }
  if (place.reading.strict)
    for (const name of Object.keys(rawEnvironment))
      if (!Object.hasOwn(memberReaders, name))
        addStructureFault(locateMember(place, name), 'is not a member of this object')
  const memberEntries = Object.entries(memberReaders).flatMap(([name, readMember]) => {
    const value = rawEnvironment[name]
    if (value === null) return []
    const baseValue = base.environment[name as keyof ScriptingEnvironment]
    if (value === undefined) return baseValue === undefined ? [] : [[name, baseValue]]
    return [[name, readMember(value, locateMember(place, name))]]
  })
  const environment: ScriptingEnvironment = Object.fromEntries(memberEntries)
  if (environment.http) environment.http = { allow: environment.http.allow ?? [] }
  return environment
}

/** Modules of all kinds together. */
function requireModuleSizes(scripting: ScriptingObject, place: DefinitionLocation): void {
  const moduleTexts = [...(scripting.imports ?? []), ...(scripting.initializers ?? [])].map(({ value }) => value)
  const length = moduleTexts.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
  if (length > MAX_MODULES_LENGTH)
    addStructureFault(place, `its modules have ${length} characters; at most ${MAX_MODULES_LENGTH} are allowed`)
}

/** Reads a `scripting` object. Null, for all of it or a member, is the default. */
export function parseScripting(whole: unknown, place: DefinitionLocation, write: ScriptingParseBase): ScriptingObject {
  if (whole === null) return createScriptingObject()
  if (whole === undefined) return write.base
  const rawScripting = toPlainObject(whole)
  if (!rawScripting) return addStructureFault(place, 'must be an object')
  const { base } = write
  const version = rawScripting['version'] ?? SCRIPTING_VERSION
  if (version !== SCRIPTING_VERSION) addStructureFault(locateMember(place, 'version'), `must be "${SCRIPTING_VERSION}"`)
  const resolveMember = <T>(name: keyof ScriptingObject, shape: DefinitionShape<T>, baseMember: T | null): T | null => {
    const value = rawScripting[name]
    if (value === undefined) return baseMember
    return value === null ? null : shape.read(value, locateMember(place, name))
  }
  const scripting: ScriptingObject = {
    version: SCRIPTING_VERSION,
    environment: parseEnvironment(rawScripting['environment'], locateMember(place, 'environment'), write),
    imports: resolveMember('imports', importsShape, base.imports),
    initializers: resolveMember('initializers', initializersShape, base.initializers),
    filters: resolveMember('filters', filtersShape, base.filters),
  }
  if (place.reading.faults.length === 0) requireModuleSizes(scripting, place)
  return scripting
}

/** A `scripting` object as it is answered: no secret is shown. */
export function showScripting({ environment, ...others }: ScriptingObject): ScriptingObject {
  const { secrets } = environment
  const hiddenSecrets = secrets && Object.fromEntries(Object.keys(secrets).map((name) => [name, HIDDEN_SECRET]))
  return { ...others, environment: { ...environment, ...(hiddenSecrets && { secrets: hiddenSecrets }) } }
}

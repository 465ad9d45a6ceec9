/** What of JSON Schema the definitions of gateways use. */
export interface SettingSchema {
  type?: string
  const?: string
  enum?: readonly string[]
  anyOf?: readonly SettingSchema[]
  properties?: Readonly<Record<string, SettingSchema>>
  patternProperties?: Readonly<Record<string, SettingSchema>>
  items?: SettingSchema
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** Texts that may be longer than this stand in a field of several lines. */
const LINE = 4000

/** How a setting is edited. */
export type SettingFieldShape =
  | 'switch'
  | 'number'
  | 'choice'
  | 'line'
  | 'lines'
  | 'words'
  | 'map'
  | 'group'
  | 'variants'

/** A schema without the null that it may also be. */
export function omitNullVariant(schema: SettingSchema): SettingSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 ? others[0]! : schema
}

export const isOptional = (schema: SettingSchema): boolean => omitNullVariant(schema) !== schema

export function findSettingShape(given: SettingSchema): SettingFieldShape {
  const schema = omitNullVariant(given)
  if (schema.anyOf) return 'variants'
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'array') return 'words'
  if (schema.type === 'object') return schema.patternProperties ? 'map' : 'group'
  return schema.maxLength === undefined || schema.maxLength > LINE ? 'lines' : 'line'
}

/** The settings of a schema by their names. */
export const listSchemaSettings = (schema: SettingSchema): [string, SettingSchema][] =>
  Object.entries(schema.properties ?? {})

/** What a new document begins with. */
export function buildSchemaDefaults(schema: SettingSchema): Record<string, unknown> {
  const known = listSchemaSettings(schema).map(([name, one]) => [
    name,
    findSettingShape(one) === 'group' ? buildSchemaDefaults(one) : one.default,
  ])
  return Object.fromEntries(known.filter(([, value]) => value !== undefined))
}

/** The pointers of all that fields of a schema show faults of. */
export function listSchemaPointers(schema: SettingSchema, at: string): string[] {
  return listSchemaSettings(schema).flatMap(([name, one]) => {
    const here = `${at}/${name}`
    const below =
      findSettingShape(one) === 'variants' ? (one.anyOf ?? []) : findSettingShape(one) === 'group' ? [one] : []
    return [here, ...below.flatMap((part) => listSchemaPointers(part, here))]
  })
}

/** A variant is told by the constant in it, else by the one member that it has. */
export const findVariantName = ({ properties = {} }: SettingSchema): string =>
  Object.values(properties).find((one) => one.const !== undefined)?.const ?? Object.keys(properties)[0] ?? ''

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What makes one document another (RFC 7396): what was emptied is null, and takes its default again. */
export function buildMergePatch(before: unknown, after: Record<string, unknown>): Record<string, unknown> {
  const old = isObject(before) ? before : {}
  const gone = Object.keys(old).filter((name) => after[name] === undefined)
  const changed = Object.entries(after).map(([name, value]) => [
    name,
    isObject(value) ? buildMergePatch(old[name], value) : value === '' || value === undefined ? null : value,
  ])
  return Object.fromEntries([...gone.map((name) => [name, null]), ...changed])
}

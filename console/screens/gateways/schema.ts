/** Subset of JSON Schema used by gateway definitions. */
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
const MAX_LINE_LENGTH = 4000

/** Input type of a setting. */
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
  const otherVariants = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return otherVariants.length === 1 ? otherVariants[0]! : schema
}

export const isOptional = (schema: SettingSchema): boolean => omitNullVariant(schema) !== schema

export function findSettingShape(rawSchema: SettingSchema): SettingFieldShape {
  const settingSchema = omitNullVariant(rawSchema)
  if (settingSchema.anyOf) return 'variants'
  if (settingSchema.enum) return 'choice'
  if (settingSchema.type === 'boolean') return 'switch'
  if (settingSchema.type === 'integer') return 'number'
  if (settingSchema.type === 'array') return 'words'
  if (settingSchema.type === 'object') return settingSchema.patternProperties ? 'map' : 'group'
  return settingSchema.maxLength === undefined || settingSchema.maxLength > MAX_LINE_LENGTH ? 'lines' : 'line'
}

/** The settings of a schema by their names. */
export const listSchemaSettings = (schema: SettingSchema): [string, SettingSchema][] =>
  Object.entries(schema.properties ?? {})

/** Initial document of a schema. */
export function buildSchemaDefaults(schema: SettingSchema): Record<string, unknown> {
  const schemaDefaults = listSchemaSettings(schema).map(([name, memberSchema]) => [
    name,
    findSettingShape(memberSchema) === 'group' ? buildSchemaDefaults(memberSchema) : memberSchema.default,
  ])
  return Object.fromEntries(schemaDefaults.filter(([, value]) => value !== undefined))
}

/** The pointers of all that fields of a schema show faults of. */
export function listSchemaPointers(schema: SettingSchema, at: string): string[] {
  return listSchemaSettings(schema).flatMap(([name, memberSchema]) => {
    const memberPointer = `${at}/${name}`
    const nestedSchemas =
      findSettingShape(memberSchema) === 'variants'
        ? (memberSchema.anyOf ?? [])
        : findSettingShape(memberSchema) === 'group'
          ? [memberSchema]
          : []
    return [memberPointer, ...nestedSchemas.flatMap((part) => listSchemaPointers(part, memberPointer))]
  })
}

/** Returns the name of a variant: its constant, otherwise its only member. */
export const findVariantName = ({ properties = {} }: SettingSchema): string =>
  Object.values(properties).find((constantSchema) => constantSchema.const !== undefined)?.const ??
  Object.keys(properties)[0] ??
  ''

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Builds the merge patch (RFC 7396) between two documents: emptied members are null and return to their defaults. */
export function buildMergePatch(before: unknown, after: Record<string, unknown>): Record<string, unknown> {
  const previousMembers = isObject(before) ? before : {}
  const removedNames = Object.keys(previousMembers).filter((name) => after[name] === undefined)
  const changedMembers = Object.entries(after).map(([name, value]) => [
    name,
    isObject(value)
      ? buildMergePatch(previousMembers[name], value)
      : value === '' || value === undefined
        ? null
        : value,
  ])
  return Object.fromEntries([...removedNames.map((name) => [name, null]), ...changedMembers])
}

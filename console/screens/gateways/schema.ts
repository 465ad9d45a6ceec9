/** What of JSON Schema the definitions of gateways use. */
export interface Schema {
  type?: string
  const?: string
  enum?: readonly string[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  items?: Schema
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** Texts that may be longer than this stand in a field of several lines. */
const LINE = 4000

/** How a setting is edited. */
export type Shape = 'switch' | 'number' | 'choice' | 'line' | 'lines' | 'words' | 'map' | 'group' | 'variants'

/** A schema without the null that it may also be. */
export function present(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 ? others[0]! : schema
}

export const isOptional = (schema: Schema): boolean => present(schema) !== schema

export function shapeOf(given: Schema): Shape {
  const schema = present(given)
  if (schema.anyOf) return 'variants'
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean') return 'switch'
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'array') return 'words'
  if (schema.type === 'object') return schema.patternProperties ? 'map' : 'group'
  return schema.maxLength === undefined || schema.maxLength > LINE ? 'lines' : 'line'
}

/** The settings of a schema by their names. */
export const settingsOf = (schema: Schema): [string, Schema][] => Object.entries(schema.properties ?? {})

/** What a new document begins with. */
export function defaultsOf(schema: Schema): Record<string, unknown> {
  const known = settingsOf(schema).map(([name, one]) => [
    name,
    shapeOf(one) === 'group' ? defaultsOf(one) : one.default,
  ])
  return Object.fromEntries(known.filter(([, value]) => value !== undefined))
}

/** The pointers of all that fields of a schema show faults of. */
export function pointersOf(schema: Schema, at: string): string[] {
  return settingsOf(schema).flatMap(([name, one]) => {
    const here = `${at}/${name}`
    const below = shapeOf(one) === 'variants' ? (one.anyOf ?? []) : shapeOf(one) === 'group' ? [one] : []
    return [here, ...below.flatMap((part) => pointersOf(part, here))]
  })
}

/** A variant is told by the constant in it, else by the one member that it has. */
export const variantOf = ({ properties = {} }: Schema): string =>
  Object.values(properties).find((one) => one.const !== undefined)?.const ?? Object.keys(properties)[0] ?? ''

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What makes one document another (RFC 7396): what was emptied is null, and takes its default again. */
export function patchOf(before: unknown, after: Record<string, unknown>): Record<string, unknown> {
  const old = isObject(before) ? before : {}
  const gone = Object.keys(old).filter((name) => after[name] === undefined)
  const changed = Object.entries(after).map(([name, value]) => [
    name,
    isObject(value) ? patchOf(old[name], value) : value === '' || value === undefined ? null : value,
  ])
  return Object.fromEntries([...gone.map((name) => [name, null]), ...changed])
}

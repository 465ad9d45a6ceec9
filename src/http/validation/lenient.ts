import { isJsonObject } from '../../lib/objects.ts'
import {
  hasDeclaredMembers,
  listItemBranches,
  listMemberBranches,
  listSchemaBranches,
  type ValidationSchema,
} from './schema-branches.ts'

/** No operation accepts longer lists of objects: their items need not be relaxed. */
const MAX_ITEMS = 10_000

type Kind = 'null' | 'array' | 'object'

const KINDS: Record<Kind, (value: unknown) => boolean> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: isJsonObject,
}

/** Whether a branch accepts values of a kind. One that only has alternatives accepts none itself; one without type, all. */
function takes({ type, const: only, enum: words, anyOf, oneOf, allOf }: ValidationSchema, kind: Kind): boolean {
  if (type !== undefined) return [type].flat().includes(kind)
  if (words) return words.some(KINDS[kind])
  if (only !== undefined) return KINDS[kind](only)
  return !anyOf && !oneOf && !allOf
}

const taken = (branches: readonly ValidationSchema[], kind: Kind): boolean =>
  branches.some((branch) => takes(branch, kind))

/** Whether an object can be of this branch: it has the branch's value of the discriminating member. */
function isOf({ properties }: ValidationSchema, value: Record<string, unknown>): boolean {
  return Object.entries(properties ?? {}).every(([name, { const: only }]) => only === undefined || value[name] === only)
}

function relaxMembers(branches: readonly ValidationSchema[], value: Record<string, unknown>, keepsNull: boolean): void {
  const options = branches.filter((branch) => branch.properties && isOf(branch, value))
  for (const name of new Set(options.flatMap(({ properties }) => Object.keys(properties ?? {})))) {
    if (!Object.hasOwn(value, name)) continue
    const member = listMemberBranches(options, name)
    const given = value[name]
    const isUnset = given === null && !keepsNull && !taken(member, 'null')
    if (isUnset && !options.some(({ required }) => required?.includes(name))) delete value[name]
    else if (typeof given === 'object' && given !== null) value[name] = relax(member, given, keepsNull)
  }
}

function relaxItems(branches: readonly ValidationSchema[], list: unknown[], keepsNull: boolean): void {
  const items = listItemBranches(branches)
  if (list.length > MAX_ITEMS || !(hasDeclaredMembers(items) || taken(items, 'object'))) return
  for (const [index, item] of list.entries()) {
    if (typeof item === 'object' && item !== null) list[index] = relax(items, item, keepsNull)
  }
}

function relax(branches: readonly ValidationSchema[], value: object, keepsNull: boolean): unknown {
  if (!Array.isArray(value)) {
    relaxMembers(branches, value as Record<string, unknown>, keepsNull)
    return value
  }
  if (value.length === 0 && taken(branches, 'object') && !taken(branches, 'array')) return {}
  relaxItems(branches, value, keepsNull)
  return value
}

/**
 * Relaxes what typed and PHP clients send for an empty value: [] in place of an object, and null for an optional member.
 * Changes the body. `keepsNull`: null has a meaning (PATCH).
 */
export function relaxRequestBody(schema: ValidationSchema, body: unknown, keepsNull: boolean): unknown {
  return typeof body === 'object' && body !== null ? relax(listSchemaBranches(schema), body, keepsNull) : body
}

/** Parameters whose empty value has a meaning, or is a fault: an empty list of fields shows none. */
const MEANINGFUL_EMPTY = ['unicity', 'hash', 'id', 'query', 'reason', 'fields']

/** Removes empty optional parameters from a query. */
export function relaxQueryParameters(
  { properties = {}, required = [] }: ValidationSchema,
  query: Record<string, unknown>,
): void {
  for (const name of Object.keys(properties)) {
    if (query[name] === '' && !required.includes(name) && !MEANINGFUL_EMPTY.includes(name)) delete query[name]
  }
}

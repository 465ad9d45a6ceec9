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

type ValueKind = 'null' | 'array' | 'object'

const KIND_CHECKS: Record<ValueKind, (value: unknown) => boolean> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: isJsonObject,
}

/**
 * Returns true if a branch accepts values of a kind. A branch that only has alternatives accepts none itself; one without type accepts
 * all.
 */
function acceptsKind(
  { type, const: only, enum: words, anyOf, oneOf, allOf }: ValidationSchema,
  kind: ValueKind,
): boolean {
  if (type !== undefined) return [type].flat().includes(kind)
  if (words) return words.some(KIND_CHECKS[kind])
  if (only !== undefined) return KIND_CHECKS[kind](only)
  return !anyOf && !oneOf && !allOf
}

const isKindAccepted = (branches: readonly ValidationSchema[], kind: ValueKind): boolean =>
  branches.some((branch) => acceptsKind(branch, kind))

/** Returns true if an object can match this branch: it has the branch's value of the discriminating member. */
function matchesDiscriminator({ properties }: ValidationSchema, value: Record<string, unknown>): boolean {
  return Object.entries(properties ?? {}).every(([name, { const: only }]) => only === undefined || value[name] === only)
}

function relaxObjectMembers(
  branches: readonly ValidationSchema[],
  value: Record<string, unknown>,
  keepsNull: boolean,
): void {
  const objectBranches = branches.filter((branch) => branch.properties && matchesDiscriminator(branch, value))
  for (const name of new Set(objectBranches.flatMap(({ properties }) => Object.keys(properties ?? {})))) {
    if (!Object.hasOwn(value, name)) continue
    const memberBranches = listMemberBranches(objectBranches, name)
    const memberValue = value[name]
    const isUnset = memberValue === null && !keepsNull && !isKindAccepted(memberBranches, 'null')
    if (isUnset && !objectBranches.some(({ required }) => required?.includes(name))) delete value[name]
    else if (typeof memberValue === 'object' && memberValue !== null)
      value[name] = relaxValue(memberBranches, memberValue, keepsNull)
  }
}

function relaxArrayItems(branches: readonly ValidationSchema[], list: unknown[], keepsNull: boolean): void {
  const items = listItemBranches(branches)
  if (list.length > MAX_ITEMS || !(hasDeclaredMembers(items) || isKindAccepted(items, 'object'))) return
  for (const [index, item] of list.entries()) {
    if (typeof item === 'object' && item !== null) list[index] = relaxValue(items, item, keepsNull)
  }
}

function relaxValue(branches: readonly ValidationSchema[], value: object, keepsNull: boolean): unknown {
  if (!Array.isArray(value)) {
    relaxObjectMembers(branches, value as Record<string, unknown>, keepsNull)
    return value
  }
  if (value.length === 0 && isKindAccepted(branches, 'object') && !isKindAccepted(branches, 'array')) return {}
  relaxArrayItems(branches, value, keepsNull)
  return value
}

/**
 * Relaxes what typed and PHP clients send for an empty value: [] in place of an object, and null for an optional member.
 * Changes the body. `keepsNull`: null has a meaning (PATCH).
 */
export function relaxRequestBody(schema: ValidationSchema, body: unknown, keepsNull: boolean): unknown {
  return typeof body === 'object' && body !== null ? relaxValue(listSchemaBranches(schema), body, keepsNull) : body
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

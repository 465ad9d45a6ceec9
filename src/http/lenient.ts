import { isObject } from '../lib/objects.ts'
import { branchesOf, hasMembers, itemsOf, memberOf, type Schema } from './schema-branches.ts'

/** No operation takes longer lists of objects: there is no use in looking at their items. */
const MOST_ITEMS = 10_000

type Kind = 'null' | 'array' | 'object'

const KINDS: Record<Kind, (value: unknown) => boolean> = {
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

/** Whether a branch takes values of a kind. One that only offers a choice takes none itself; one without type, all. */
function takes({ type, const: only, enum: words, anyOf, oneOf, allOf }: Schema, kind: Kind): boolean {
  if (type !== undefined) return [type].flat().includes(kind)
  if (words) return words.some(KINDS[kind])
  if (only !== undefined) return KINDS[kind](only)
  return !anyOf && !oneOf && !allOf
}

const taken = (branches: readonly Schema[], kind: Kind): boolean => branches.some((branch) => takes(branch, kind))

/** Whether an object can be of this branch: the word that tells the branches apart is the one it has. */
function isOf({ properties }: Schema, value: Record<string, unknown>): boolean {
  return Object.entries(properties ?? {}).every(([name, { const: only }]) => only === undefined || value[name] === only)
}

function relaxMembers(branches: readonly Schema[], value: Record<string, unknown>, keepsNull: boolean): void {
  const options = branches.filter((branch) => branch.properties && isOf(branch, value))
  for (const name of new Set(options.flatMap(({ properties }) => Object.keys(properties ?? {})))) {
    if (!Object.hasOwn(value, name)) continue
    const member = memberOf(options, name)
    const given = value[name]
    const isUnset = given === null && !keepsNull && !taken(member, 'null')
    if (isUnset && !options.some(({ required }) => required?.includes(name))) delete value[name]
    else if (typeof given === 'object' && given !== null) value[name] = relax(member, given, keepsNull)
  }
}

function relaxItems(branches: readonly Schema[], list: unknown[], keepsNull: boolean): void {
  const items = itemsOf(branches)
  if (list.length > MOST_ITEMS || !(hasMembers(items) || taken(items, 'object'))) return
  for (const [index, item] of list.entries()) {
    if (typeof item === 'object' && item !== null) list[index] = relax(items, item, keepsNull)
  }
}

function relax(branches: readonly Schema[], value: object, keepsNull: boolean): unknown {
  if (!Array.isArray(value)) {
    relaxMembers(branches, value as Record<string, unknown>, keepsNull)
    return value
  }
  if (value.length === 0 && taken(branches, 'object') && !taken(branches, 'array')) return {}
  relaxItems(branches, value, keepsNull)
  return value
}

/**
 * A body with what typed and PHP clients send for nothing read as it is meant: [] where an object belongs, and null for
 * a member that may be left out. Changes the body. `keepsNull`: null has a meaning (PATCH).
 */
export function relaxBody(schema: Schema, body: unknown, keepsNull: boolean): unknown {
  return typeof body === 'object' && body !== null ? relax(branchesOf(schema), body, keepsNull) : body
}

/** Parameters of which an empty value says something, or is a fault: an empty list of fields shows none. */
const SAID_BY_EMPTY = ['unicity', 'hash', 'id', 'query', 'reason', 'fields']

/** Takes the optional parameters that are empty out of a query. */
export function relaxQuery({ properties = {}, required = [] }: Schema, query: Record<string, unknown>): void {
  for (const name of Object.keys(properties)) {
    if (query[name] === '' && !required.includes(name) && !SAID_BY_EMPTY.includes(name)) delete query[name]
  }
}

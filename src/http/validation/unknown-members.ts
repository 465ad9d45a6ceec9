import { appendJsonPointer, MAX_PROBLEM_FAULTS } from '../../lib/errors/problem.ts'
import {
  hasDeclaredMembers,
  listItemBranches,
  listMemberBranches,
  listSchemaBranches,
  type ValidationSchema,
} from './schema-branches.ts'

/** The first pointers found, and how many there are. */
interface Found {
  pointers: string[]
  count: number
}

/** The path of a value; its pointer is built only when it is needed. */
interface Place {
  above: Place | undefined
  name: string | number
}

function pointerOf(place: Place | undefined): string {
  return place ? appendJsonPointer(pointerOf(place.above), place.name) : ''
}

function search(branches: readonly ValidationSchema[], value: unknown, place: Place | undefined, found: Found): void {
  if (Array.isArray(value)) {
    const items = listItemBranches(branches)
    if (!hasDeclaredMembers(items)) return
    for (const [name, item] of value.entries()) search(items, item, { above: place, name }, found)
    return
  }
  if (typeof value !== 'object' || value === null || !branches.some(({ properties }) => properties)) return
  if (branches.some(({ additionalProperties, patternProperties }) => additionalProperties || patternProperties)) return
  for (const name in value) {
    const member = listMemberBranches(branches, name)
    const at = { above: place, name }
    if (member.length > 0) search(member, (value as Record<string, unknown>)[name], at, found)
    else if (++found.count <= MAX_PROBLEM_FAULTS) found.pointers.push(pointerOf(at))
  }
}

/** Pointers of the members which no branch of the schema knows, the first hundred, and how many such members there are. */
export function findUnknownMembers(schema: ValidationSchema, value: unknown): Found {
  const found: Found = { pointers: [], count: 0 }
  search(listSchemaBranches(schema), value, undefined, found)
  return found
}

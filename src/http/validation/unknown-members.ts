import { appendJsonPointer, MAX_PROBLEM_FAULTS } from '../../lib/errors/problem.ts'
import {
  hasDeclaredMembers,
  listItemBranches,
  listMemberBranches,
  listSchemaBranches,
  type ValidationSchema,
} from './schema-branches.ts'

/** The first pointers found, and how many there are. */
interface UnknownMembers {
  pointers: string[]
  count: number
}

/** The path of a value; its pointer is built only when it is needed. */
interface ValuePath {
  above: ValuePath | undefined
  name: string | number
}

function buildPointer(place: ValuePath | undefined): string {
  return place ? appendJsonPointer(buildPointer(place.above), place.name) : ''
}

function searchUnknownMembers(
  branches: readonly ValidationSchema[],
  value: unknown,
  place: ValuePath | undefined,
  unknownMembers: UnknownMembers,
): void {
  if (Array.isArray(value)) {
    const items = listItemBranches(branches)
    if (!hasDeclaredMembers(items)) return
    for (const [name, item] of value.entries())
      searchUnknownMembers(items, item, { above: place, name }, unknownMembers)
    return
  }
  if (typeof value !== 'object' || value === null || !branches.some(({ properties }) => properties)) return
  if (branches.some(({ additionalProperties, patternProperties }) => additionalProperties || patternProperties)) return
  for (const name in value) {
    const memberBranches = listMemberBranches(branches, name)
    const memberPath = { above: place, name }
    if (memberBranches.length > 0)
      searchUnknownMembers(memberBranches, (value as Record<string, unknown>)[name], memberPath, unknownMembers)
    else if (++unknownMembers.count <= MAX_PROBLEM_FAULTS) unknownMembers.pointers.push(buildPointer(memberPath))
  }
}

/** Pointers of the members which no branch of the schema knows, the first hundred, and how many such members there are. */
export function findUnknownMembers(schema: ValidationSchema, value: unknown): UnknownMembers {
  const unknownMembers: UnknownMembers = { pointers: [], count: 0 }
  searchUnknownMembers(listSchemaBranches(schema), value, undefined, unknownMembers)
  return unknownMembers
}

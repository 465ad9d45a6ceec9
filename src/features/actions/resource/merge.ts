import { isJsonObject } from '../../../lib/objects.ts'

/** A copy of `stored` with the members given: objects member by member, all else replaced; undefined is absent. */
export function mergeMembers<T extends object>(stored: T, given: object): T {
  const changes = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const present: unknown = Reflect.get(stored, name)
      return [name, isJsonObject(present) && isJsonObject(value) ? mergeMembers(present, value) : value]
    })
  return { ...stored, ...Object.fromEntries(changes) }
}

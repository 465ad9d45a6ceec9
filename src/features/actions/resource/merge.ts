import { isJsonObject } from '../../../lib/objects.ts'

/** A copy of `storedObject` with the members given: objects member by member, all else replaced; undefined is absent. */
export function mergeMembers<T extends object>(storedObject: T, newMembers: object): T {
  const changes = Object.entries(newMembers)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const storedValue: unknown = Reflect.get(storedObject, name)
      return [name, isJsonObject(storedValue) && isJsonObject(value) ? mergeMembers(storedValue, value) : value]
    })
  return { ...storedObject, ...Object.fromEntries(changes) }
}

import { appendJsonPointer } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { createFlaw } from '../flaws.ts'
import {
  addStructureFault,
  type DefinitionLocation,
  type DefinitionShape,
  type DefinitionVisitor,
  type ShapeValue,
} from './shape.ts'

/** A member of an object. */
export interface ObjectMember<T> {
  shape: DefinitionShape<NonNullable<T>> | DefinitionShape<T>
  /** Its absence is a flaw. */
  required?: boolean
  /** The value of an absent one; null unless it is given. */
  absent?: (place: DefinitionLocation) => T
}

/** The value of a member. */
type MemberValue<M> = M extends ObjectMember<infer T> ? T : never

/** A member whose absence is a flaw: null until it is given. */
export const requiredMember = <T>(shape: DefinitionShape<T>): ObjectMember<T | null> =>
  ({ shape, required: true }) as ObjectMember<T | null>

/** A member that is null when it is absent. */
export const optionalMember = <T>(shape: DefinitionShape<T>): ObjectMember<T | null> =>
  ({ shape }) as ObjectMember<T | null>

/** A member with a default. */
export const defaultedMember = <T>(
  shape: DefinitionShape<T>,
  value: T | ((place: DefinitionLocation) => T),
): ObjectMember<T> => {
  const defaultValue =
    typeof value === 'function' ? (value as (place: DefinitionLocation) => T) : () => structuredClone(value)
  return { shape, absent: defaultValue } as ObjectMember<T>
}

/** Rules between members: flaws of a value whose members are fine one by one. */
export type ObjectRule<T> = (value: T, path: string, visitor: DefinitionVisitor) => void

type ShapeMembers = Record<string, ObjectMember<never> | ObjectMember<unknown>>
export type ObjectMemberValues<M> = { [Name in keyof M]: MemberValue<M[Name]> }

export interface ObjectShape<T> extends DefinitionShape<T> {
  members: ShapeMembers
}

/** An object, or an empty array in its place, as PHP clients send it; undefined for anything else. */
export function toPlainObject(rawValue: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(rawValue)) return rawValue.length === 0 ? {} : undefined
  return isJsonObject(rawValue) ? rawValue : undefined
}

/** The place of a member or an item. */
export function locateMember(place: DefinitionLocation, name: string | number): DefinitionLocation {
  return { ...place, pointer: appendJsonPointer(place.pointer, name) }
}

/** An object of known members; null counts as absent, unknown members are passed over. */
export function objectShape<M extends ShapeMembers>(
  members: M,
  ...rules: ObjectRule<ObjectMemberValues<M>>[]
): ObjectShape<ObjectMemberValues<M>> {
  return {
    members,
    read(value, place) {
      const plainObject = toPlainObject(value)
      if (!plainObject) return addStructureFault(place, 'must be an object')
      if (place.reading.strict)
        for (const name of Object.keys(plainObject))
          if (!Object.hasOwn(members, name))
            addStructureFault(locateMember(place, name), 'is not a member of this object')
      return Object.fromEntries(
        Object.entries(members as Record<string, ObjectMember<unknown>>).map(
          ([name, { shape, absent: defaultValue }]) => {
            const memberValue = Object.hasOwn(plainObject, name) ? plainObject[name] : undefined
            if (memberValue !== undefined && memberValue !== null)
              return [name, shape.read(memberValue, locateMember(place, name))]
            return [name, defaultValue ? defaultValue(locateMember(place, name)) : null]
          },
        ),
      ) as ObjectMemberValues<M>
    },
    visit(value, path, visitor) {
      for (const [name, member] of Object.entries(members as Record<string, ObjectMember<unknown>>)) {
        const memberValue = (value as Record<string, unknown>)[name]
        const memberPath = appendJsonPointer(path, name)
        if (memberValue !== null && memberValue !== undefined)
          (member.shape as DefinitionShape<unknown>).visit?.(memberValue, memberPath, visitor)
        else if (member.required) visitor.flaw?.(createFlaw('missing-setting', memberPath, `"${name}" is required.`))
      }
      for (const rule of rules) rule(value, path, visitor)
    },
  }
}

/** A rule: one of several members, and no two of them. */
export function exactlyOneRule<Name extends string>(...names: Name[]): ObjectRule<Partial<Record<Name, unknown>>> {
  return (value, path, visitor) => {
    const presentNames = names.filter((name) => (value[name] ?? null) !== null)
    const listedNames = names.map((name) => `"${name}"`).join(', ')
    if (presentNames.length === 0)
      visitor.flaw?.(createFlaw('missing-setting', path, `One of ${listedNames} is required.`))
    if (presentNames.length > 1)
      visitor.flaw?.(createFlaw('ambiguous-setting', path, `Only one of ${listedNames} can be given.`))
  }
}

/** Bounds of an array. `least`: fewer are a flaw; more than `most` are refused. */
export interface ArrayBounds<T> {
  least?: number
  most: number
  /** No two items have the same. */
  unique?: (item: T) => unknown
  /** The member of an item that is so; "id" unless it is named. */
  member?: string
}

/** An array. */
export function listShape<T>(
  item: DefinitionShape<T>,
  { least = 0, most, unique, member = 'id' }: ArrayBounds<T>,
): DefinitionShape<T[]> {
  return {
    read(plainObject, place) {
      if (!Array.isArray(plainObject)) return addStructureFault(place, 'must be an array')
      if (plainObject.length > most)
        return addStructureFault(place, `has ${plainObject.length} items; at most ${most} are allowed`)
      const items = plainObject.map((rawItem, index) => item.read(rawItem, locateMember(place, index)))
      if (unique && place.reading.faults.length === 0) addDuplicateFaults(items, { unique, member }, place)
      return items
    },
    visit(items, path, visitor) {
      if (items.length < least)
        visitor.flaw?.(createFlaw('missing-setting', path, `At least ${least} of these are required.`))
      if (item.visit)
        for (const [index, itemValue] of items.entries()) item.visit(itemValue, `${path}/${index}`, visitor)
    },
  }
}

function addDuplicateFaults<T>(
  items: readonly T[],
  { unique, member }: Required<Pick<ArrayBounds<T>, 'unique' | 'member'>>,
  place: DefinitionLocation,
): void {
  const seenValues = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const key = unique(item)
    if (seenValues.has(key))
      addStructureFault(
        locateMember(locateMember(place, index), member),
        `must be unique: another item has the ${member} ${JSON.stringify(key)}`,
      )
    seenValues.add(key)
  }
}

/** Values by names of the caller's choice; null is a value if the shape reads it. */
export function mapShape<T>(
  value: DefinitionShape<T>,
  { most, name }: { most: number; name?: RegExp },
): DefinitionShape<Record<string, T>> {
  return {
    read(raw, place) {
      const plainObject = toPlainObject(raw)
      if (!plainObject) return addStructureFault(place, 'must be an object')
      const entries = Object.entries(plainObject)
      if (entries.length > most)
        return addStructureFault(place, `has ${entries.length} members; at most ${most} are allowed`)
      return Object.fromEntries(
        entries.map(([key, rawItem]) => {
          if (name && !name.test(key))
            addStructureFault(locateMember(place, key), `must have a name that matches ${name.source}`)
          return [key, value.read(rawItem, locateMember(place, key))]
        }),
      )
    },
    visit(values, path, visitor) {
      if (value.visit)
        for (const [key, itemValue] of Object.entries(values))
          value.visit(itemValue, appendJsonPointer(path, key), visitor)
    },
  }
}

/** Shape of objects that are distinguished by their `type`. */
export function variantsShape<M extends Record<string, DefinitionShape<unknown>>>(
  shapes: M,
): DefinitionShape<{ [Type in keyof M]: { type: Type } & ShapeValue<M[Type]> }[keyof M]> {
  const knownTypes = Object.keys(shapes)
  return {
    read(plainObject, place) {
      if (!isJsonObject(plainObject)) return addStructureFault(place, 'must be an object')
      const { type } = plainObject
      if (typeof type !== 'string' || !Object.hasOwn(shapes, type))
        return addStructureFault(locateMember(place, 'type'), `must be one of ${knownTypes.join(', ')}`)
      const { type: _, ...members } = plainObject
      return { type, ...(shapes[type]!.read(members, place) as object) } as never
    },
    visit(value, path, visitor) {
      shapes[value.type as string]?.visit?.(value, path, visitor)
    },
  }
}

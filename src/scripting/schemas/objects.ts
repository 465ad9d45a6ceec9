import { pointerTo } from '../../lib/errors/problem.ts'
import { isObject } from '../../lib/objects.ts'
import { flaw } from '../flaws.ts'
import { fault, type Place, type Read, type Shape, type Visitor } from './shape.ts'

/** A member of an object. */
export interface Member<T> {
  shape: Shape<NonNullable<T>> | Shape<T>
  /** Its absence is a flaw. */
  required?: boolean
  /** The value of an absent one; null unless it is given. */
  absent?: (place: Place) => T
}

/** The value of a member. */
type Held<M> = M extends Member<infer T> ? T : never

/** A member whose absence is a flaw: null until it is given. */
export const required = <T>(shape: Shape<T>): Member<T | null> => ({ shape, required: true }) as Member<T | null>

/** A member that is null when it is absent. */
export const optional = <T>(shape: Shape<T>): Member<T | null> => ({ shape }) as Member<T | null>

/** A member with a default. */
export const defaulted = <T>(shape: Shape<T>, value: T | ((place: Place) => T)): Member<T> => {
  const absent = typeof value === 'function' ? (value as (place: Place) => T) : () => structuredClone(value)
  return { shape, absent } as Member<T>
}

/** Rules between members: flaws of a value whose members are fine one by one. */
export type Rule<T> = (value: T, path: string, visitor: Visitor) => void

type Members = Record<string, Member<never> | Member<unknown>>
export type Fields<M> = { [Name in keyof M]: Held<M[Name]> }

export interface ObjectShape<T> extends Shape<T> {
  members: Members
}

/** An object, or an empty array in its place, as PHP clients send it; undefined for anything else. */
export function asObject(given: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(given)) return given.length === 0 ? {} : undefined
  return isObject(given) ? given : undefined
}

/** The place of a member or an item. */
export function within(place: Place, name: string | number): Place {
  return { ...place, pointer: pointerTo(place.pointer, name) }
}

/** An object of known members; null counts as absent, unknown members are passed over. */
export function object<M extends Members>(members: M, ...rules: Rule<Fields<M>>[]): ObjectShape<Fields<M>> {
  return {
    members,
    read(value, place) {
      const given = asObject(value)
      if (!given) return fault(place, 'must be an object')
      if (place.reading.strict)
        for (const name of Object.keys(given))
          if (!Object.hasOwn(members, name)) fault(within(place, name), 'is not a member of this object')
      return Object.fromEntries(
        Object.entries(members as Record<string, Member<unknown>>).map(([name, { shape, absent }]) => {
          const held = Object.hasOwn(given, name) ? given[name] : undefined
          if (held !== undefined && held !== null) return [name, shape.read(held, within(place, name))]
          return [name, absent ? absent(within(place, name)) : null]
        }),
      ) as Fields<M>
    },
    visit(value, path, visitor) {
      for (const [name, member] of Object.entries(members as Record<string, Member<unknown>>)) {
        const held = (value as Record<string, unknown>)[name]
        const below = pointerTo(path, name)
        if (held !== null && held !== undefined) (member.shape as Shape<unknown>).visit?.(held, below, visitor)
        else if (member.required) visitor.flaw?.(flaw('missing-setting', below, `"${name}" is required.`))
      }
      for (const rule of rules) rule(value, path, visitor)
    },
  }
}

/** A rule: one of several members, and no two of them. */
export function exactlyOne<Name extends string>(...names: Name[]): Rule<Partial<Record<Name, unknown>>> {
  return (value, path, visitor) => {
    const given = names.filter((name) => (value[name] ?? null) !== null)
    const listedNames = names.map((name) => `"${name}"`).join(', ')
    if (given.length === 0) visitor.flaw?.(flaw('missing-setting', path, `One of ${listedNames} is required.`))
    if (given.length > 1) visitor.flaw?.(flaw('ambiguous-setting', path, `Only one of ${listedNames} can be given.`))
  }
}

/** Bounds of an array. `least`: fewer are a flaw; more than `most` are refused. */
export interface Bounds<T> {
  least?: number
  most: number
  /** No two items have the same. */
  unique?: (item: T) => unknown
  /** The member of an item that is so; "id" unless it is named. */
  member?: string
}

/** An array. */
export function list<T>(item: Shape<T>, { least = 0, most, unique, member = 'id' }: Bounds<T>): Shape<T[]> {
  return {
    read(given, place) {
      if (!Array.isArray(given)) return fault(place, 'must be an array')
      if (given.length > most) return fault(place, `has ${given.length} items: at most ${most} are possible`)
      const items = given.map((one, index) => item.read(one, within(place, index)))
      if (unique && place.reading.faults.length === 0) refuseEqual(items, { unique, member }, place)
      return items
    },
    visit(items, path, visitor) {
      if (items.length < least)
        visitor.flaw?.(flaw('missing-setting', path, `At least ${least} of these are required.`))
      if (item.visit) for (const [index, one] of items.entries()) item.visit(one, `${path}/${index}`, visitor)
    },
  }
}

function refuseEqual<T>(
  items: readonly T[],
  { unique, member }: Required<Pick<Bounds<T>, 'unique' | 'member'>>,
  place: Place,
): void {
  const seen = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const key = unique(item)
    if (seen.has(key))
      fault(within(within(place, index), member), `is the ${member} of another one: ${JSON.stringify(key)}`)
    seen.add(key)
  }
}

/** Values by names of the caller's choice; null is a value if the shape reads it. */
export function map<T>(value: Shape<T>, { most, name }: { most: number; name?: RegExp }): Shape<Record<string, T>> {
  return {
    read(object, place) {
      const given = asObject(object)
      if (!given) return fault(place, 'must be an object')
      const entries = Object.entries(given)
      if (entries.length > most) return fault(place, `has ${entries.length} members: at most ${most} are possible`)
      return Object.fromEntries(
        entries.map(([key, one]) => {
          if (name && !name.test(key)) fault(within(place, key), `must be named as ${name.source} says`)
          return [key, value.read(one, within(place, key))]
        }),
      )
    },
    visit(values, path, visitor) {
      if (value.visit) for (const [key, one] of Object.entries(values)) value.visit(one, pointerTo(path, key), visitor)
    },
  }
}

/** Objects told apart by their `type`. */
export function variants<M extends Record<string, Shape<unknown>>>(
  shapes: M,
): Shape<{ [Type in keyof M]: { type: Type } & Read<M[Type]> }[keyof M]> {
  const known = Object.keys(shapes)
  return {
    read(given, place) {
      if (!isObject(given)) return fault(place, 'must be an object')
      const { type } = given
      if (typeof type !== 'string' || !Object.hasOwn(shapes, type))
        return fault(within(place, 'type'), `must be one of ${known.join(', ')}`)
      const { type: _, ...members } = given
      return { type, ...(shapes[type]!.read(members, place) as object) } as never
    },
    visit(value, path, visitor) {
      shapes[value.type as string]?.visit?.(value, path, visitor)
    },
  }
}

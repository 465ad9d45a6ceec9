import { setPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'

/** Props of the field of a literal value. */
export interface LiteralShapeProps {
  label: string
  value: unknown
  isReadOnly: boolean
  error: string | undefined
  /** undefined: nothing is given. */
  onChange(value: unknown): void
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Without members that say nothing; undefined: it says nothing at all. */
export function omitEmptyMembers(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (!isObject(value)) return value
  const filledMembers = Object.entries(value).flatMap(([name, member]) => {
    const retainedValue = omitEmptyMembers(member)
    return retainedValue === undefined ? [] : [[name, retainedValue] as const]
  })
  return filledMembers.length === 0 ? undefined : Object.fromEntries(filledMembers)
}

/** A given object as a form has it. */
export const createLiteralForm = ({
  value,
  onChange,
}: Pick<LiteralShapeProps, 'value' | 'onChange'>): FormBinding<object> => {
  const parentObject = isObject(value) ? value : {}
  return {
    value: parentObject,
    set: (pointer, next) => onChange(omitEmptyMembers(setPointerValue(parentObject, pointer, next))),
    faultAt: () => undefined,
  }
}

/** The items of a given list, those that are none left out. */
export const listLiteralElements = <Item extends object>(value: unknown): Item[] =>
  Array.isArray(value) ? value.filter((item): item is Item => isObject(item)) : []

import type { FieldName } from '../../../scripting/expressions/known-names.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import { comparisonOf } from '../../segments/criteria/criterion-columns.ts'
import type { ParameterType } from '../definition/parameter-types.ts'
import { dateText } from '../values/dates.ts'

/** What is known of a value before anything is executed. */
export type ValueType =
  | { kind: 'any' | 'text' | 'number' | 'boolean' | 'date' | 'list' }
  | {
      kind: 'object'
      /** Types of members, by name. */
      members: ReadonlyMap<string, ValueType>
      /** The row is that of a contact, so that criteria fit it. */
      isContact?: boolean
      /** The members are the fields of contacts: there are no others. */
      isFields?: boolean
    }

export type ObjectType = Extract<ValueType, { kind: 'object' }>

export const ANY: ValueType = { kind: 'any' }
const TEXT: ValueType = { kind: 'text' }
const NUMBER: ValueType = { kind: 'number' }
const DATE: ValueType = { kind: 'date' }
export const LIST: ValueType = { kind: 'list' }
/** An object of which nothing is known. */
const OPEN: ValueType = { kind: 'object', members: new Map() }

export const objectOf = (members: Readonly<Record<string, ValueType>>): ObjectType => ({
  kind: 'object',
  members: new Map(Object.entries(members)),
})

const ofFields = {
  ...{ text: TEXT, number: NUMBER, date: DATE, label: TEXT, labels: LIST },
} as const

/** The rows of contacts. */
export function contactType(fields: readonly (FieldName & { type: FieldType })[]): ObjectType {
  const members = new Map<string, ValueType>()
  for (const { name, type } of fields) members.set(name, ofFields[comparisonOf[type]])
  for (const { id, type } of fields) members.set(String(id), ofFields[comparisonOf[type]])
  const known = { id: TEXT, unicity: TEXT, hash: TEXT, creationDate: DATE, lastUpdateDate: DATE }
  return { ...objectOf({ ...known, fields: { kind: 'object', members, isFields: true } }), isContact: true }
}

export const eventType: ObjectType = objectOf({
  ...{ id: TEXT, type: TEXT, timestamp: DATE, contact: TEXT, source: TEXT, kind: TEXT, stamp: OPEN, data: OPEN },
})

export const labelType: ObjectType = objectOf({ index: NUMBER, value: TEXT })

const ofParameters: Record<ParameterType, ValueType> = {
  ...{ string: TEXT, number: NUMBER, boolean: { kind: 'boolean' }, date: DATE, list: LIST, object: OPEN },
}

export const parameterType = (type: ParameterType | null): ValueType => (type === null ? ANY : ofParameters[type])

/** The type of a literal; a text may be one of a date as well. */
export function literalType(value: unknown): ValueType {
  if (value === null) return ANY
  if (Array.isArray(value)) return LIST
  if (typeof value === 'object') return OPEN
  return { kind: typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean' }
}

/** What stands at a path below a type. */
export function typeAt(type: ValueType, steps: readonly string[]): ValueType {
  const [step, ...rest] = steps
  if (step === undefined) return type
  const member = type.kind === 'object' ? type.members.get(step) : undefined
  return member ? typeAt(member, rest) : ANY
}

const words = { any: 'any value', text: 'a text', number: 'a number', boolean: 'true or false', date: 'a date' }
export const wordsOf = ({ kind }: ValueType): string =>
  kind === 'list' ? 'a list' : kind === 'object' ? 'an object' : words[kind]

/** Whether values of two types can be equal; `literal`: the value of the second. */
export function canEqual(one: ValueType, other: ValueType, literal?: unknown): boolean {
  if (one.kind === 'any' || other.kind === 'any' || one.kind === other.kind) return true
  if (one.kind === 'date' && other.kind === 'text') return literal === undefined || dateText(literal) !== null
  return one.kind === 'text' && other.kind === 'date'
}

import type { ContactFieldName } from '../../../scripting/expressions/known-names.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import { comparisonByFieldType } from '../../segments/criteria/criterion-columns.ts'
import type { ParameterType } from '../definition/parameter-types.ts'
import { toCanonicalDate } from '../values/dates.ts'

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

export type ObjectValueType = Extract<ValueType, { kind: 'object' }>

export const ANY_TYPE: ValueType = { kind: 'any' }
const TEXT: ValueType = { kind: 'text' }
const NUMBER: ValueType = { kind: 'number' }
const DATE: ValueType = { kind: 'date' }
export const LIST_TYPE: ValueType = { kind: 'list' }
/** An object of which nothing is known. */
const OPEN: ValueType = { kind: 'object', members: new Map() }

export const createObjectType = (members: Readonly<Record<string, ValueType>>): ObjectValueType => ({
  kind: 'object',
  members: new Map(Object.entries(members)),
})

const ofFields = {
  ...{ text: TEXT, number: NUMBER, date: DATE, label: TEXT, labels: LIST_TYPE },
} as const

/** The rows of contacts. */
export function createContactType(fields: readonly (ContactFieldName & { type: FieldType })[]): ObjectValueType {
  const members = new Map<string, ValueType>()
  for (const { name, type } of fields) members.set(name, ofFields[comparisonByFieldType[type]])
  for (const { id, type } of fields) members.set(String(id), ofFields[comparisonByFieldType[type]])
  const known = { id: TEXT, unicity: TEXT, hash: TEXT, creationDate: DATE, lastUpdateDate: DATE }
  return { ...createObjectType({ ...known, fields: { kind: 'object', members, isFields: true } }), isContact: true }
}

export const eventRowType: ObjectValueType = createObjectType({
  ...{ id: TEXT, type: TEXT, timestamp: DATE, contact: TEXT, source: TEXT, kind: TEXT, stamp: OPEN, data: OPEN },
})

export const labelValueType: ObjectValueType = createObjectType({ index: NUMBER, value: TEXT })

const ofParameters: Record<ParameterType, ValueType> = {
  ...{ string: TEXT, number: NUMBER, boolean: { kind: 'boolean' }, date: DATE, list: LIST_TYPE, object: OPEN },
}

export const toParameterValueType = (type: ParameterType | null): ValueType =>
  type === null ? ANY_TYPE : ofParameters[type]

/** The type of a literal; a text may be one of a date as well. */
export function inferLiteralType(value: unknown): ValueType {
  if (value === null) return ANY_TYPE
  if (Array.isArray(value)) return LIST_TYPE
  if (typeof value === 'object') return OPEN
  return { kind: typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean' }
}

/** What stands at a path below a type. */
export function findTypeAtPath(type: ValueType, steps: readonly string[]): ValueType {
  const [step, ...rest] = steps
  if (step === undefined) return type
  const member = type.kind === 'object' ? type.members.get(step) : undefined
  return member ? findTypeAtPath(member, rest) : ANY_TYPE
}

const words = { any: 'any value', text: 'a text', number: 'a number', boolean: 'true or false', date: 'a date' }
export const formatValueType = ({ kind }: ValueType): string =>
  kind === 'list' ? 'a list' : kind === 'object' ? 'an object' : words[kind]

/** Whether values of two types can be equal; `literal`: the value of the second. */
export function canEqual(one: ValueType, other: ValueType, literal?: unknown): boolean {
  if (one.kind === 'any' || other.kind === 'any' || one.kind === other.kind) return true
  if (one.kind === 'date' && other.kind === 'text') return literal === undefined || toCanonicalDate(literal) !== null
  return one.kind === 'text' && other.kind === 'date'
}

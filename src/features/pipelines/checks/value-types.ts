import type { ContactFieldName } from '../../../scripting/expressions/known-names.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import { comparisonByFieldType } from '../../segments/criteria/criterion-columns.ts'
import type { ParameterType } from '../definition/parameter-types.ts'
import { toCanonicalDate } from '../values/dates.ts'

/** Static type of a value, inferred before anything is executed. */
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
const TEXT_TYPE: ValueType = { kind: 'text' }
const NUMBER_TYPE: ValueType = { kind: 'number' }
const DATE_TYPE: ValueType = { kind: 'date' }
export const LIST_TYPE: ValueType = { kind: 'list' }
/** An object of which nothing is known. */
const OPEN_OBJECT_TYPE: ValueType = { kind: 'object', members: new Map() }

export const createObjectType = (members: Readonly<Record<string, ValueType>>): ObjectValueType => ({
  kind: 'object',
  members: new Map(Object.entries(members)),
})

const FIELD_TYPES = {
  text: TEXT_TYPE,
  number: NUMBER_TYPE,
  date: DATE_TYPE,
  label: TEXT_TYPE,
  labels: LIST_TYPE,
} as const

/** The rows of contacts. */
export function createContactType(fields: readonly (ContactFieldName & { type: FieldType })[]): ObjectValueType {
  const members = new Map<string, ValueType>()
  for (const { name, type } of fields) members.set(name, FIELD_TYPES[comparisonByFieldType[type]])
  for (const { id, type } of fields) members.set(String(id), FIELD_TYPES[comparisonByFieldType[type]])
  const standardMembers = {
    id: TEXT_TYPE,
    unicity: TEXT_TYPE,
    hash: TEXT_TYPE,
    creationDate: DATE_TYPE,
    lastUpdateDate: DATE_TYPE,
  }
  return {
    ...createObjectType({ ...standardMembers, fields: { kind: 'object', members, isFields: true } }),
    isContact: true,
  }
}

export const eventRowType: ObjectValueType = createObjectType({
  id: TEXT_TYPE,
  type: TEXT_TYPE,
  timestamp: DATE_TYPE,
  contact: TEXT_TYPE,
  source: TEXT_TYPE,
  kind: TEXT_TYPE,
  stamp: OPEN_OBJECT_TYPE,
  data: OPEN_OBJECT_TYPE,
})

export const labelValueType: ObjectValueType = createObjectType({ index: NUMBER_TYPE, value: TEXT_TYPE })

const PARAMETER_TYPES: Record<ParameterType, ValueType> = {
  string: TEXT_TYPE,
  number: NUMBER_TYPE,
  boolean: { kind: 'boolean' },
  date: DATE_TYPE,
  list: LIST_TYPE,
  object: OPEN_OBJECT_TYPE,
}

export const toParameterValueType = (type: ParameterType | null): ValueType =>
  type === null ? ANY_TYPE : PARAMETER_TYPES[type]

/** The type of a literal; a text may be one of a date as well. */
export function inferLiteralType(value: unknown): ValueType {
  if (value === null) return ANY_TYPE
  if (Array.isArray(value)) return LIST_TYPE
  if (typeof value === 'object') return OPEN_OBJECT_TYPE
  return { kind: typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean' }
}

/** Type at a path below a type. */
export function findTypeAtPath(type: ValueType, steps: readonly string[]): ValueType {
  const [step, ...remainingSteps] = steps
  if (step === undefined) return type
  const member = type.kind === 'object' ? type.members.get(step) : undefined
  return member ? findTypeAtPath(member, remainingSteps) : ANY_TYPE
}

const TYPE_DESCRIPTIONS = {
  any: 'any value',
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
}
export const formatValueType = ({ kind }: ValueType): string =>
  kind === 'list' ? 'a list' : kind === 'object' ? 'an object' : TYPE_DESCRIPTIONS[kind]

/** True if values of two types can be equal; `literal` is the value of the second. */
export function canEqual(firstType: ValueType, secondType: ValueType, literal?: unknown): boolean {
  if (firstType.kind === 'any' || secondType.kind === 'any' || firstType.kind === secondType.kind) return true
  if (firstType.kind === 'date' && secondType.kind === 'text')
    return literal === undefined || toCanonicalDate(literal) !== null
  return firstType.kind === 'text' && secondType.kind === 'date'
}

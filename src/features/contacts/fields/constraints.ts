import { parseFieldDate } from '../values/date-text.ts'
import { parseFieldNumber } from '../values/number-text.ts'
import { countCharacters } from '../values/text-value.ts'
import type { FieldConstraint, FieldType } from './field-schemas.ts'

type ComparableValue = number | string
type Comparison = (value: ComparableValue, bound: ComparableValue) => boolean

/** The operators of a constraint by their number; 0 constrains nothing. */
const constraintOperators: readonly { sign: string; holds: Comparison }[] = [
  { sign: '', holds: () => true },
  { sign: '>', holds: (value, bound) => value > bound },
  { sign: '<', holds: (value, bound) => value < bound },
  { sign: '>=', holds: (value, bound) => value >= bound },
  { sign: '<=', holds: (value, bound) => value <= bound },
  { sign: '==', holds: (value, bound) => value === bound },
]

/** Parser of the bound of a constraint, and the property of a value that is compared with it. Other types take no constraint. */
const constrainableTypes: Partial<
  Record<
    FieldType,
    { read: (text: string) => ComparableValue | undefined; subject: string; of: (value: unknown) => unknown }
  >
> = {
  numeric: { read: parseFieldNumber, subject: 'must be', of: (value) => value },
  // Slashes are not read here: the account's order of day and month may change, a constraint does not.
  date: { read: (text) => parseFieldDate(text), subject: 'must be', of: (value) => value },
  textField: { read: parseLengthBound, subject: 'its number of characters must be', of: countValueCharacters },
  textArea: { read: parseLengthBound, subject: 'its number of characters must be', of: countValueCharacters },
}

function parseLengthBound(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function countValueCharacters(value: unknown): number {
  return countCharacters(String(value))
}

/** Describes the fault of a constraint on a field of this type; `undefined` if it is valid. */
export function findConstraintFault(type: FieldType, constraint: FieldConstraint): string | undefined {
  if (constraint.operator === 0) return undefined
  const constrainableType = constrainableTypes[type]
  if (!constrainableType) return `a field of type ${type} allows only operator 0`
  if (constrainableType.read(constraint.value.trim()) !== undefined) return undefined
  return type === 'numeric'
    ? 'must be a number'
    : type === 'date'
      ? 'must be an ISO 8601 date'
      : 'must be a whole number'
}

export interface CompiledConstraint {
  allows: (value: unknown) => boolean
  /** The correction that a disallowed value requires. */
  detail: string
}

/** Prepares a constraint for stored values; undefined when it allows all of them. */
export function compileConstraint(
  type: FieldType,
  constraint: FieldConstraint | undefined,
): CompiledConstraint | undefined {
  const constrainableType = constrainableTypes[type]
  const operator = constraintOperators[constraint?.operator ?? 0]
  const bound = constraint && constrainableType?.read(constraint.value.trim())
  if (!constraint?.operator || !constrainableType || !operator || bound === undefined) return undefined
  return {
    detail: `${constrainableType.subject} ${operator.sign} ${constraint.value}`,
    allows: (value) => {
      const comparableValue = constrainableType.of(value)
      return (
        (typeof comparableValue === 'number' || typeof comparableValue === 'string') &&
        operator.holds(comparableValue, bound)
      )
    },
  }
}

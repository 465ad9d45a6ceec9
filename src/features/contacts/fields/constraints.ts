import { parseFieldDate } from '../values/date-text.ts'
import { parseFieldNumber } from '../values/number-text.ts'
import { countCharacters } from '../values/text-value.ts'
import type { FieldConstraint, FieldType } from './field-schemas.ts'

type Comparable = number | string
type Comparison = (value: Comparable, bound: Comparable) => boolean

/** The operators of a constraint by their number; 0 constrains nothing. */
const operators: readonly { sign: string; holds: Comparison }[] = [
  { sign: '', holds: () => true },
  { sign: '>', holds: (value, bound) => value > bound },
  { sign: '<', holds: (value, bound) => value < bound },
  { sign: '>=', holds: (value, bound) => value >= bound },
  { sign: '<=', holds: (value, bound) => value <= bound },
  { sign: '==', holds: (value, bound) => value === bound },
]

/** How the bound of a constraint reads and what of a value is compared with it; other types take no constraint. */
const constrainable: Partial<
  Record<
    FieldType,
    { read: (text: string) => Comparable | undefined; subject: string; of: (value: unknown) => unknown }
  >
> = {
  numeric: { read: parseFieldNumber, subject: 'must be', of: (value) => value },
  // Slashes are not read here: the account's order of day and month may change, a constraint does not.
  date: { read: (text) => parseFieldDate(text), subject: 'must be', of: (value) => value },
  textField: { read: readLength, subject: 'its number of characters must be', of: lengthOf },
  textArea: { read: readLength, subject: 'its number of characters must be', of: lengthOf },
}

function readLength(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function lengthOf(value: unknown): number {
  return countCharacters(String(value))
}

/** What is wrong with a constraint on a field of this type; undefined when it is valid. */
export function findConstraintFault(type: FieldType, constraint: FieldConstraint): string | undefined {
  if (constraint.operator === 0) return undefined
  const kind = constrainable[type]
  if (!kind) return `a field of type ${type} takes no constraint but operator 0`
  if (kind.read(constraint.value.trim()) !== undefined) return undefined
  return type === 'numeric'
    ? 'must be a number'
    : type === 'date'
      ? 'must be an ISO 8601 date'
      : 'must be a whole number'
}

export interface CompiledConstraint {
  allows: (value: unknown) => boolean
  /** What to change, of a value that is not allowed. */
  detail: string
}

/** Prepares a constraint for stored values; undefined when it allows all of them. */
export function compileConstraint(
  type: FieldType,
  constraint: FieldConstraint | undefined,
): CompiledConstraint | undefined {
  const kind = constrainable[type]
  const operator = operators[constraint?.operator ?? 0]
  const bound = constraint && kind?.read(constraint.value.trim())
  if (!constraint?.operator || !kind || !operator || bound === undefined) return undefined
  return {
    detail: `${kind.subject} ${operator.sign} ${constraint.value}`,
    allows: (value) => {
      const compared = kind.of(value)
      return (typeof compared === 'number' || typeof compared === 'string') && operator.holds(compared, bound)
    },
  }
}

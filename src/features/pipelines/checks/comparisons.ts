import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { RowComparison } from '../definition/conditions.ts'
import {
  type ComparisonOperator,
  type ComparisonTest,
  comparisonOperators,
  toConstantOperand,
} from '../values/operators.ts'
import { canEqual, formatValueType, inferLiteralType, type ValueType } from './value-types.ts'

const MAX_VALUES = 1000

const EQUALITY: readonly ComparisonOperator[] = ['equals', 'notEquals', 'in', 'notIn', 'empty', 'notEmpty']
const TEXTS: readonly ComparisonOperator[] = ['contains', 'notContains', 'startsWith', 'endsWith']
const NUMBERS: readonly ComparisonOperator[] = ['greater', 'greaterOrEqual', 'less', 'lessOrEqual', 'between']
const DATES: readonly ComparisonOperator[] = ['before', 'after', 'between', 'within']

/** The operators that fit a declared type; those of criteria. */
const fitting: Partial<Record<ValueType['kind'], readonly ComparisonOperator[]>> = {
  text: [...EQUALITY, ...TEXTS],
  number: [...EQUALITY, ...NUMBERS],
  date: [...EQUALITY, ...DATES],
  boolean: EQUALITY,
  list: ['in', 'notIn', 'empty', 'notEmpty'],
  object: ['equals', 'notEquals', 'empty', 'notEmpty'],
}

/** What the right side of each test must be, and how that is said. */
const sides: Record<ComparisonTest, { kinds: readonly ValueType['kind'][]; words: string }> = {
  equals: { kinds: ['text', 'number', 'boolean', 'date', 'list', 'object'], words: 'any value' },
  contains: { kinds: ['text'], words: 'a text' },
  startsWith: { kinds: ['text'], words: 'a text' },
  endsWith: { kinds: ['text'], words: 'a text' },
  greater: { kinds: ['number'], words: 'a number' },
  greaterOrEqual: { kinds: ['number'], words: 'a number' },
  less: { kinds: ['number'], words: 'a number' },
  lessOrEqual: { kinds: ['number'], words: 'a number' },
  between: { kinds: ['list'], words: 'an array of two numbers, or of two dates' },
  in: { kinds: ['list'], words: `an array of at most ${MAX_VALUES} values` },
  filled: { kinds: ['text', 'number', 'boolean', 'date', 'list', 'object'], words: 'nothing' },
  before: { kinds: ['text', 'date', 'number', 'object'], words: 'a date, or an object with ago or ahead' },
  after: { kinds: ['text', 'date', 'number', 'object'], words: 'a date, or an object with ago or ahead' },
  within: { kinds: ['object'], words: 'an object with last, with next, or with start and end' },
}

/** Types of two sides. */
export interface ComparedTypes {
  left: ValueType
  right: ValueType
  shape: ContactShape
}

/** Why a literal cannot be compared with. */
function literalFault(test: ComparisonTest, value: unknown, { left, shape }: ComparedTypes): string | undefined {
  const { words } = sides[test]
  if (test === 'in') {
    if (!Array.isArray(value) || value.length > MAX_VALUES) return `This must be ${words}.`
    const odd = left.kind === 'list' ? undefined : value.find((one) => !canEqual(left, inferLiteralType(one), one))
    return odd === undefined ? undefined : `${JSON.stringify(odd).slice(0, 100)} is not ${formatValueType(left)}.`
  }
  if (test === 'equals')
    return canEqual(left, inferLiteralType(value), value)
      ? undefined
      : `This is compared with ${formatValueType(left)}.`
  const operand = toConstantOperand(test, value, { shape, present: { now: 0, zone: 'UTC' } })
  if (operand.type === 'none') return `This must be ${words}.`
  if (test !== 'between' || left.kind === 'any') return undefined
  return (operand.type === 'numbers') === (left.kind === 'number')
    ? undefined
    : `This must be two of ${formatValueType(left)}.`
}

function rightFault(test: ComparisonTest, right: DefinitionExpression, types: ComparedTypes): string | undefined {
  const { kinds, words } = sides[test]
  const type = right.type === 'literal' ? inferLiteralType(right.value) : types.right
  if (type.kind !== 'any' && !kinds.includes(type.kind)) return `This must be ${words}.`
  if (right.type === 'literal' && right.value !== null) return literalFault(test, right.value, types)
  const isOther = test === 'equals' && !canEqual(types.left, type)
  return isOther ? `This is compared with ${formatValueType(types.left)}.` : undefined
}

/** What is wrong with the operator of a comparison, or with what it compares. */
export function findComparisonFlaws(
  { operator, right }: RowComparison,
  path: string,
  types: ComparedTypes,
): DefinitionFlaw[] {
  if (operator === null) return []
  const { left } = types
  const known = fitting[left.kind]
  if (known && !known.includes(operator)) {
    const message = `What is ${formatValueType(left)} is compared by ${known.join(', ')}.`
    return [createFlaw('type-mismatch', `${path}/operator`, message)]
  }
  const { test } = comparisonOperators[operator]
  if (right === null || test === 'filled') return []
  const message = rightFault(test, right, types)

  return message === undefined ? [] : [createFlaw('type-mismatch', `${path}/right`, message)]
}

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

const MAX_LIST_VALUES = 1000

const EQUALITY_OPERATORS: readonly ComparisonOperator[] = ['equals', 'notEquals', 'in', 'notIn', 'empty', 'notEmpty']
const TEXT_OPERATORS: readonly ComparisonOperator[] = ['contains', 'notContains', 'startsWith', 'endsWith']
const NUMBER_OPERATORS: readonly ComparisonOperator[] = ['greater', 'greaterOrEqual', 'less', 'lessOrEqual', 'between']
const DATE_OPERATORS: readonly ComparisonOperator[] = ['before', 'after', 'between', 'within']

/** The operators that fit a declared type; those of criteria. */
const OPERATORS_BY_KIND: Partial<Record<ValueType['kind'], readonly ComparisonOperator[]>> = {
  text: [...EQUALITY_OPERATORS, ...TEXT_OPERATORS],
  number: [...EQUALITY_OPERATORS, ...NUMBER_OPERATORS],
  date: [...EQUALITY_OPERATORS, ...DATE_OPERATORS],
  boolean: EQUALITY_OPERATORS,
  list: ['in', 'notIn', 'empty', 'notEmpty'],
  object: ['equals', 'notEquals', 'empty', 'notEmpty'],
}

/** Allowed types of the right side of each test, and their description. */
const RIGHT_SIDE_RULES: Record<ComparisonTest, { kinds: readonly ValueType['kind'][]; words: string }> = {
  equals: { kinds: ['text', 'number', 'boolean', 'date', 'list', 'object'], words: 'any value' },
  contains: { kinds: ['text'], words: 'a text' },
  startsWith: { kinds: ['text'], words: 'a text' },
  endsWith: { kinds: ['text'], words: 'a text' },
  greater: { kinds: ['number'], words: 'a number' },
  greaterOrEqual: { kinds: ['number'], words: 'a number' },
  less: { kinds: ['number'], words: 'a number' },
  lessOrEqual: { kinds: ['number'], words: 'a number' },
  between: { kinds: ['list'], words: 'an array of two numbers, or of two dates' },
  in: { kinds: ['list'], words: `an array of at most ${MAX_LIST_VALUES} values` },
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
function findLiteralFault(
  test: ComparisonTest,
  value: unknown,
  { left: leftType, shape }: ComparedTypes,
): string | undefined {
  const { words: expectedWords } = RIGHT_SIDE_RULES[test]
  if (test === 'in') {
    if (!Array.isArray(value) || value.length > MAX_LIST_VALUES) return `This must be ${expectedWords}.`
    const mismatchedValue =
      leftType.kind === 'list'
        ? undefined
        : value.find((listValue) => !canEqual(leftType, inferLiteralType(listValue), listValue))
    return mismatchedValue === undefined
      ? undefined
      : `${JSON.stringify(mismatchedValue).slice(0, 100)} is not ${formatValueType(leftType)}.`
  }
  if (test === 'equals')
    return canEqual(leftType, inferLiteralType(value), value)
      ? undefined
      : `This must be ${formatValueType(leftType)}, as the left side is.`
  const operand = toConstantOperand(test, value, { shape, present: { now: 0, zone: 'UTC' } })
  if (operand.type === 'none') return `This must be ${expectedWords}.`
  if (test !== 'between' || leftType.kind === 'any') return undefined
  return (operand.type === 'numbers') === (leftType.kind === 'number')
    ? undefined
    : `This must be an array of two values, each ${formatValueType(leftType)}.`
}

function findRightSideFault(
  test: ComparisonTest,
  right: DefinitionExpression,
  types: ComparedTypes,
): string | undefined {
  const { kinds, words: expectedWords } = RIGHT_SIDE_RULES[test]
  const type = right.type === 'literal' ? inferLiteralType(right.value) : types.right
  if (type.kind !== 'any' && !kinds.includes(type.kind)) return `This must be ${expectedWords}.`
  if (right.type === 'literal' && right.value !== null) return findLiteralFault(test, right.value, types)
  const isDifferentType = test === 'equals' && !canEqual(types.left, type)
  return isDifferentType ? `This must be ${formatValueType(types.left)}, as the left side is.` : undefined
}

/** Flaws of a comparison's operator or of its operands. */
export function findComparisonFlaws(
  { operator, right }: RowComparison,
  path: string,
  types: ComparedTypes,
): DefinitionFlaw[] {
  if (operator === null) return []
  const { left: leftType } = types
  const allowedOperators = OPERATORS_BY_KIND[leftType.kind]
  if (allowedOperators && !allowedOperators.includes(operator)) {
    const message = `The operator for ${formatValueType(leftType)} must be one of ${allowedOperators.join(', ')}.`
    return [createFlaw('type-mismatch', `${path}/operator`, message)]
  }
  const { test } = comparisonOperators[operator]
  if (right === null || test === 'filled') return []
  const message = findRightSideFault(test, right, types)

  return message === undefined ? [] : [createFlaw('type-mismatch', `${path}/right`, message)]
}

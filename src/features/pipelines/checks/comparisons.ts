import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import { type Flaw, flaw } from '../../../scripting/flaws.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { Compare } from '../definition/conditions.ts'
import { type OperatorName, operandOf, operators, type Test } from '../values/operators.ts'
import { canEqual, literalType, type ValueType, wordsOf } from './value-types.ts'

const MAX_VALUES = 1000

const EQUALITY: readonly OperatorName[] = ['equals', 'notEquals', 'in', 'notIn', 'empty', 'notEmpty']
const TEXTS: readonly OperatorName[] = ['contains', 'notContains', 'startsWith', 'endsWith']
const NUMBERS: readonly OperatorName[] = ['greater', 'greaterOrEqual', 'less', 'lessOrEqual', 'between']
const DATES: readonly OperatorName[] = ['before', 'after', 'between', 'within']

/** The operators that fit a declared type; those of criteria. */
const fitting: Partial<Record<ValueType['kind'], readonly OperatorName[]>> = {
  text: [...EQUALITY, ...TEXTS],
  number: [...EQUALITY, ...NUMBERS],
  date: [...EQUALITY, ...DATES],
  boolean: EQUALITY,
  list: ['in', 'notIn', 'empty', 'notEmpty'],
  object: ['equals', 'notEquals', 'empty', 'notEmpty'],
}

/** What the right side of each test must be, and how that is said. */
const sides: Record<Test, { kinds: readonly ValueType['kind'][]; words: string }> = {
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
export interface Compared {
  left: ValueType
  right: ValueType
  shape: ContactShape
}

/** Why a literal cannot be compared with. */
function literalFault(test: Test, value: unknown, { left, shape }: Compared): string | undefined {
  const { words } = sides[test]
  if (test === 'in') {
    if (!Array.isArray(value) || value.length > MAX_VALUES) return `This must be ${words}.`
    const odd = left.kind === 'list' ? undefined : value.find((one) => !canEqual(left, literalType(one), one))
    return odd === undefined ? undefined : `${JSON.stringify(odd).slice(0, 100)} is not ${wordsOf(left)}.`
  }
  if (test === 'equals')
    return canEqual(left, literalType(value), value) ? undefined : `This is compared with ${wordsOf(left)}.`
  const operand = operandOf(test, value, { shape, present: { now: 0, zone: 'UTC' } })
  if (operand.type === 'none') return `This must be ${words}.`
  if (test !== 'between' || left.kind === 'any') return undefined
  return (operand.type === 'numbers') === (left.kind === 'number') ? undefined : `This must be two of ${wordsOf(left)}.`
}

function rightFault(test: Test, right: Expression, types: Compared): string | undefined {
  const { kinds, words } = sides[test]
  const type = right.type === 'literal' ? literalType(right.value) : types.right
  if (type.kind !== 'any' && !kinds.includes(type.kind)) return `This must be ${words}.`
  if (right.type === 'literal' && right.value !== null) return literalFault(test, right.value, types)
  const isOther = test === 'equals' && !canEqual(types.left, type)
  return isOther ? `This is compared with ${wordsOf(types.left)}.` : undefined
}

/** What is wrong with the operator of a comparison, or with what it compares. */
export function comparisonFlaws({ operator, right }: Compare, path: string, types: Compared): Flaw[] {
  if (operator === null) return []
  const { left } = types
  const known = fitting[left.kind]
  if (known && !known.includes(operator)) {
    const message = `What is ${wordsOf(left)} is compared by ${known.join(', ')}.`
    return [flaw('type-mismatch', `${path}/operator`, message)]
  }
  const { test } = operators[operator]
  if (right === null || test === 'filled') return []
  const message = rightFault(test, right, types)

  return message === undefined ? [] : [flaw('type-mismatch', `${path}/right`, message)]
}

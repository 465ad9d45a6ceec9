import { isJsonObject } from '../../../lib/objects.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import {
  type CriteriaInstantBounds,
  type CriteriaPresent,
  resolveCriteriaMoment,
  resolveCriteriaTimeSpan,
} from '../../segments/criteria/moments.ts'
import { parseCriteriaMoment, parseCriteriaTimeSpan } from '../../segments/criteria/operands.ts'
import type { CriteriaPosition } from '../../segments/criteria/reading.ts'
import { MIDNIGHT_SUFFIX, toCanonicalDate } from './dates.ts'
import { foldTextUnlessExact } from './texts.ts'
import { isEmptyRowValue, isSameRowValue } from './values.ts'

/** Tests of the operators, without the negated ones. */
export type ComparisonTest =
  | 'equals'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'greater'
  | 'greaterOrEqual'
  | 'less'
  | 'lessOrEqual'
  | 'between'
  | 'in'
  | 'filled'
  | 'before'
  | 'after'
  | 'within'

const createPositive = (test: ComparisonTest) => ({ test, isNegated: false })
const createNegative = (test: ComparisonTest) => ({ test, isNegated: true })

/** The operators of criteria: negative ones hold where what they negate does not, also of what cannot be compared. */
export const comparisonOperators = {
  equals: createPositive('equals'),
  notEquals: createNegative('equals'),
  contains: createPositive('contains'),
  notContains: createNegative('contains'),
  startsWith: createPositive('startsWith'),
  endsWith: createPositive('endsWith'),
  greater: createPositive('greater'),
  greaterOrEqual: createPositive('greaterOrEqual'),
  less: createPositive('less'),
  lessOrEqual: createPositive('lessOrEqual'),
  between: createPositive('between'),
  in: createPositive('in'),
  notIn: createNegative('in'),
  empty: createNegative('filled'),
  notEmpty: createPositive('filled'),
  before: createPositive('before'),
  after: createPositive('after'),
  within: createPositive('within'),
} as const

export type ComparisonOperator = keyof typeof comparisonOperators
export const comparisonOperatorNames = Object.keys(comparisonOperators) as ComparisonOperator[]

/** Bounds of instants; `days`: those of days without a time, midnight UTC, where the zone begins its days at other moments. */
export interface DateRangeOperand extends CriteriaInstantBounds {
  type: 'dates'
  days?: CriteriaInstantBounds
}

/** Right side of a comparison; a constant is parsed only once. */
export type ComparisonOperand =
  | { type: 'value'; value: unknown }
  | { type: 'numbers'; from: number; to: number }
  | DateRangeOperand
  | { type: 'list'; values: readonly unknown[] }
  /** Nothing compares with it. */
  | { type: 'none' }

const EMPTY_OPERAND: ComparisonOperand = { type: 'none' }

/** The bounds of dates that a test asks for. */
function getDateBounds(test: ComparisonTest, at: string): ComparisonOperand {
  return test === 'before' ? { type: 'dates', end: at } : { type: 'dates', start: at }
}

function buildRangeOperand(rawRange: unknown, toInstant: (rawBound: unknown) => string | null): ComparisonOperand {
  if (!Array.isArray(rawRange) || rawRange.length !== 2) return EMPTY_OPERAND
  const [rangeStart, rangeEnd] = rawRange
  if (typeof rangeStart === 'number' && typeof rangeEnd === 'number')
    return { type: 'numbers', from: rangeStart, to: rangeEnd }
  const [start, end] = [toInstant(rangeStart), toInstant(rangeEnd)]
  return start === null || end === null ? EMPTY_OPERAND : { type: 'dates', start, end }
}

/** Operand of a test whose value comes from a row. */
export function toRowOperand(test: ComparisonTest, rowValue: unknown): ComparisonOperand {
  if (test === 'before' || test === 'after') {
    const canonicalDate = toCanonicalDate(rowValue)
    return canonicalDate === null ? EMPTY_OPERAND : getDateBounds(test, canonicalDate)
  }
  if (test === 'between')
    return typeof rowValue === 'object' ? buildRangeOperand(rowValue, toCanonicalDate) : EMPTY_OPERAND
  if (test === 'in') return Array.isArray(rowValue) ? { type: 'list', values: rowValue } : EMPTY_OPERAND
  return test === 'within' ? EMPTY_OPERAND : { type: 'value', value: rowValue }
}

/** Context for parsing constants. */
export interface OperandContext {
  shape: ContactShape
  present: CriteriaPresent
}

/** A position of segment criteria, whose values these are. */
function createCriteriaPosition(shape: ContactShape): CriteriaPosition {
  return { pointer: '', reading: { shape, faults: [], leaves: 0, fields: new Set(), segments: [], actions: [] } }
}

function parseConstantInstant(constantValue: unknown, { shape, present }: OperandContext): string | null {
  const position = createCriteriaPosition(shape)
  const parsedMoment = parseCriteriaMoment(constantValue, position)
  return parsedMoment === undefined || position.reading.faults.length > 0
    ? null
    : resolveCriteriaMoment(parsedMoment, present)
}

/**
 * Operand of a test whose value is constant: dates may also be relative to the current time. Days without a time are compared as days, as
 * in segment criteria.
 */
export function toConstantOperand(
  test: ComparisonTest,
  constantValue: unknown,
  reading: OperandContext,
): ComparisonOperand {
  const operand = buildConstantOperand(test, constantValue, reading)
  if (operand.type !== 'dates') return operand
  const dayOperand = buildConstantOperand(test, constantValue, {
    ...reading,
    present: { ...reading.present, storedDays: true },
  }) as CriteriaInstantBounds
  return dayOperand.start === operand.start && dayOperand.end === operand.end
    ? operand
    : { ...operand, days: dayOperand }
}

function buildConstantOperand(
  test: ComparisonTest,
  constantValue: unknown,
  reading: OperandContext,
): ComparisonOperand {
  if (test === 'before' || test === 'after') {
    const instant = parseConstantInstant(constantValue, reading)
    return instant === null ? EMPTY_OPERAND : getDateBounds(test, instant)
  }
  if (test === 'between')
    return buildRangeOperand(constantValue, (boundValue) => parseConstantInstant(boundValue, reading))
  if (test !== 'within') return toRowOperand(test, constantValue)
  const position = createCriteriaPosition(reading.shape)
  const parsedSpan = isJsonObject(constantValue) ? parseCriteriaTimeSpan(constantValue, position) : undefined
  if (parsedSpan === undefined || position.reading.faults.length > 0) return EMPTY_OPERAND
  return { type: 'dates', ...resolveCriteriaTimeSpan(parsedSpan, reading.present) }
}

type CompareValues<Value> = (leftValue: Value, rightValue: Value) => boolean

const NUMBER_COMPARISONS: Partial<Record<ComparisonTest, CompareValues<number>>> = {
  greater: (leftValue, rightValue) => leftValue > rightValue,
  greaterOrEqual: (leftValue, rightValue) => leftValue >= rightValue,
  less: (leftValue, rightValue) => leftValue < rightValue,
  lessOrEqual: (leftValue, rightValue) => leftValue <= rightValue,
}

const TEXT_COMPARISONS: Partial<Record<ComparisonTest, CompareValues<string>>> = {
  contains: (leftValue, rightValue) => leftValue.includes(rightValue),
  startsWith: (leftValue, rightValue) => leftValue.startsWith(rightValue),
  endsWith: (leftValue, rightValue) => leftValue.endsWith(rightValue),
}

function isDateWithin(dateValue: unknown, { days, ...instants }: DateRangeOperand): boolean {
  const canonicalDate = toCanonicalDate(dateValue)
  const { start, end } = (canonicalDate?.endsWith(MIDNIGHT_SUFFIX) ? days : undefined) ?? instants
  return (
    canonicalDate !== null &&
    (start === undefined || canonicalDate >= start) &&
    (end === undefined || canonicalDate < end)
  )
}

/** True if a test passes; it never passes for null, or for values of different kinds. */
export function isTestPassed(
  test: ComparisonTest,
  testedValue: unknown,
  operand: ComparisonOperand,
  isExact: boolean,
): boolean {
  if (test === 'filled') return !isEmptyRowValue(testedValue)
  if (testedValue === null) return false
  if (operand.type === 'dates') return isDateWithin(testedValue, operand)
  if (operand.type === 'numbers')
    return typeof testedValue === 'number' && testedValue >= operand.from && testedValue <= operand.to
  if (operand.type === 'list') {
    const testedValues = Array.isArray(testedValue) ? testedValue : [testedValue]
    return testedValues.some((leftValue) =>
      operand.values.some((rightValue) => isSameRowValue(leftValue, rightValue, isExact)),
    )
  }
  if (operand.type === 'none') return false
  const { value } = operand
  if (test === 'equals') return isSameRowValue(testedValue, value, isExact)
  if (typeof testedValue === 'number' && typeof value === 'number')
    return NUMBER_COMPARISONS[test]?.(testedValue, value) ?? false
  if (typeof testedValue !== 'string' || typeof value !== 'string') return false
  return (
    TEXT_COMPARISONS[test]?.(foldTextUnlessExact(testedValue, isExact), foldTextUnlessExact(value, isExact)) ?? false
  )
}

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

/** What operators compare by, the negative ones of them left out. */
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

const positive = (test: ComparisonTest) => ({ test, isNegated: false })
const negative = (test: ComparisonTest) => ({ test, isNegated: true })

/** The operators of criteria: negative ones hold where what they negate does not, also of what cannot be compared. */
export const comparisonOperators = {
  equals: positive('equals'),
  notEquals: negative('equals'),
  contains: positive('contains'),
  notContains: negative('contains'),
  startsWith: positive('startsWith'),
  endsWith: positive('endsWith'),
  greater: positive('greater'),
  greaterOrEqual: positive('greaterOrEqual'),
  less: positive('less'),
  lessOrEqual: positive('lessOrEqual'),
  between: positive('between'),
  in: positive('in'),
  notIn: negative('in'),
  empty: negative('filled'),
  notEmpty: positive('filled'),
  before: positive('before'),
  after: positive('after'),
  within: positive('within'),
} as const

export type ComparisonOperator = keyof typeof comparisonOperators
export const comparisonOperatorNames = Object.keys(comparisonOperators) as ComparisonOperator[]

/** Bounds of instants; `days`: those of days without a time, midnight UTC, where the zone begins its days at other moments. */
export interface DateRangeOperand extends CriteriaInstantBounds {
  type: 'dates'
  days?: CriteriaInstantBounds
}

/** What is compared with: read once where it is a constant. */
export type ComparisonOperand =
  | { type: 'value'; value: unknown }
  | { type: 'numbers'; from: number; to: number }
  | DateRangeOperand
  | { type: 'list'; values: readonly unknown[] }
  /** Nothing compares with it. */
  | { type: 'none' }

const NONE: ComparisonOperand = { type: 'none' }

/** The bounds of dates that a test asks for. */
function datesOf(test: ComparisonTest, at: string): ComparisonOperand {
  return test === 'before' ? { type: 'dates', end: at } : { type: 'dates', start: at }
}

function rangeOf(given: unknown, instantOf: (one: unknown) => string | null): ComparisonOperand {
  if (!Array.isArray(given) || given.length !== 2) return NONE
  const [from, to] = given
  if (typeof from === 'number' && typeof to === 'number') return { type: 'numbers', from, to }
  const [start, end] = [instantOf(from), instantOf(to)]
  return start === null || end === null ? NONE : { type: 'dates', start, end }
}

/** What a test compares with where it comes from a row. */
export function toRowOperand(test: ComparisonTest, given: unknown): ComparisonOperand {
  if (test === 'before' || test === 'after') {
    const at = toCanonicalDate(given)
    return at === null ? NONE : datesOf(test, at)
  }
  if (test === 'between') return typeof given === 'object' ? rangeOf(given, toCanonicalDate) : NONE
  if (test === 'in') return Array.isArray(given) ? { type: 'list', values: given } : NONE
  return test === 'within' ? NONE : { type: 'value', value: given }
}

/** What constants are read by. */
export interface OperandContext {
  shape: ContactShape
  present: CriteriaPresent
}

/** A position of segment criteria, whose values these are. */
function positionOf(shape: ContactShape): CriteriaPosition {
  return { pointer: '', reading: { shape, faults: [], leaves: 0, fields: new Set(), segments: [], actions: [] } }
}

function instantOf(given: unknown, { shape, present }: OperandContext): string | null {
  const position = positionOf(shape)
  const read = parseCriteriaMoment(given, position)
  return read === undefined || position.reading.faults.length > 0 ? null : resolveCriteriaMoment(read, present)
}

/**
 * What a test compares with where it is known beforehand: dates may also be given from the present. Days without a time are compared as
 * days, as criteria do.
 */
export function toConstantOperand(test: ComparisonTest, given: unknown, reading: OperandContext): ComparisonOperand {
  const operand = operandAt(test, given, reading)
  if (operand.type !== 'dates') return operand
  const days = operandAt(test, given, {
    ...reading,
    present: { ...reading.present, storedDays: true },
  }) as CriteriaInstantBounds
  return days.start === operand.start && days.end === operand.end ? operand : { ...operand, days }
}

function operandAt(test: ComparisonTest, given: unknown, reading: OperandContext): ComparisonOperand {
  if (test === 'before' || test === 'after') {
    const at = instantOf(given, reading)
    return at === null ? NONE : datesOf(test, at)
  }
  if (test === 'between') return rangeOf(given, (one) => instantOf(one, reading))
  if (test !== 'within') return toRowOperand(test, given)
  const position = positionOf(reading.shape)
  const read = isJsonObject(given) ? parseCriteriaTimeSpan(given, position) : undefined
  if (read === undefined || position.reading.faults.length > 0) return NONE
  return { type: 'dates', ...resolveCriteriaTimeSpan(read, reading.present) }
}

type Compare<Value> = (one: Value, other: Value) => boolean

const numbers: Partial<Record<ComparisonTest, Compare<number>>> = {
  greater: (one, other) => one > other,
  greaterOrEqual: (one, other) => one >= other,
  less: (one, other) => one < other,
  lessOrEqual: (one, other) => one <= other,
}

const texts: Partial<Record<ComparisonTest, Compare<string>>> = {
  contains: (one, other) => one.includes(other),
  startsWith: (one, other) => one.startsWith(other),
  endsWith: (one, other) => one.endsWith(other),
}

function isWithin(left: unknown, { days, ...instants }: DateRangeOperand): boolean {
  const at = toCanonicalDate(left)
  const { start, end } = (at?.endsWith(MIDNIGHT_SUFFIX) ? days : undefined) ?? instants
  return at !== null && (start === undefined || at >= start) && (end === undefined || at < end)
}

/** Whether a test holds: never of null, nor of values of different kinds. */
export function isTestPassed(
  test: ComparisonTest,
  left: unknown,
  operand: ComparisonOperand,
  isExact: boolean,
): boolean {
  if (test === 'filled') return !isEmptyRowValue(left)
  if (left === null) return false
  if (operand.type === 'dates') return isWithin(left, operand)
  if (operand.type === 'numbers') return typeof left === 'number' && left >= operand.from && left <= operand.to
  if (operand.type === 'list') {
    const own = Array.isArray(left) ? left : [left]
    return own.some((one) => operand.values.some((other) => isSameRowValue(one, other, isExact)))
  }
  if (operand.type === 'none') return false
  const { value } = operand
  if (test === 'equals') return isSameRowValue(left, value, isExact)
  if (typeof left === 'number' && typeof value === 'number') return numbers[test]?.(left, value) ?? false
  if (typeof left !== 'string' || typeof value !== 'string') return false
  return texts[test]?.(foldTextUnlessExact(left, isExact), foldTextUnlessExact(value, isExact)) ?? false
}

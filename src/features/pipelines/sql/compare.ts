import { sql } from 'kysely'
import { formatContactId, parseContactId } from '../../../lib/ids.ts'
import { formatPlainNumber } from '../../contacts/values/number-text.ts'
import { comparisonColumns } from '../../segments/criteria/criterion-columns.ts'
import { fieldOperators } from '../../segments/criteria/field-operators.ts'
import type { CriteriaInstantBounds } from '../../segments/criteria/moments.ts'
import { MIDNIGHT_SUFFIX, toCanonicalDate } from '../values/dates.ts'
import {
  type ComparisonOperand,
  type ComparisonTest,
  type DateRangeOperand,
  isTestPassed,
  type OperandContext,
  toConstantOperand,
} from '../values/operators.ts'
import { isEmptyRowValue } from '../values/values.ts'
import { bindJson, type SqlCell, type SqlExpression } from './cells.ts'
import { cellToJsonSql, cellToTextSql } from './json.ts'

const ALWAYS_FALSE = sql`false`
const ALWAYS_TRUE = sql`true`

/** Comparison of a value with constants, as one of the kinds that an operand may have. */
interface ConstantTest {
  test: ComparisonTest
  operand: ComparisonOperand
  isExact: boolean
  reading: OperandContext
}

const COMPARISON_SIGNS: Partial<Record<ComparisonTest, SqlExpression>> = {
  equals: sql`=`,
  greater: sql`>`,
  greaterOrEqual: sql`>=`,
  less: sql`<`,
  lessOrEqual: sql`<=`,
}

const toDecimalSql = (value: number): SqlExpression => sql`${formatPlainNumber(value)}::numeric`

function hasOnly<T>(values: readonly unknown[], is: (value: unknown) => value is T): T[] {
  return values.filter(is)
}
const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

function buildNumberTest(number: SqlExpression, { test, operand }: ConstantTest): SqlExpression {
  if (operand.type === 'numbers')
    return sql`${number} between ${toDecimalSql(operand.from)} and ${toDecimalSql(operand.to)}`
  if (operand.type === 'list')
    return sql`${number} = any(${hasOnly(operand.values, isNumber).map(formatPlainNumber)}::numeric[])`
  const sign = COMPARISON_SIGNS[test]
  return sign && operand.type === 'value' && isNumber(operand.value)
    ? sql`${number} ${sign} ${toDecimalSql(operand.value)}`
    : ALWAYS_FALSE
}

function buildBooleanTest(truth: SqlExpression, { test, operand }: ConstantTest): SqlExpression {
  if (operand.type === 'list') return sql`${truth} = any(${hasOnly(operand.values, isBoolean)}::boolean[])`
  return test === 'equals' && operand.type === 'value' && isBoolean(operand.value)
    ? sql`${truth} = ${operand.value}::boolean`
    : ALWAYS_FALSE
}

/** A type of dates, which sort as texts or as instants, and whether one is a day without a time. */
const DATE_TEXT_TYPE = { type: sql`text`, isDay: (key: SqlExpression) => sql`right(${key}, 14) = ${MIDNIGHT_SUFFIX}` }
const INSTANT_TYPE = {
  type: sql`timestamptz`,
  isDay: (key: SqlExpression) => sql`${key} = date_trunc('day', ${key}, 'UTC')`,
}

function buildWithinTest(
  key: SqlExpression,
  { type, isDay }: typeof DATE_TEXT_TYPE,
  { days, ...instants }: DateRangeOperand,
): SqlExpression {
  const ofInstants = buildIntervalTest(key, type, instants)
  return days
    ? sql`(case when ${isDay(key)} then ${buildIntervalTest(key, type, days)} else ${ofInstants} end)`
    : ofInstants
}

function buildIntervalTest(
  key: SqlExpression,
  type: SqlExpression,
  { start, end }: CriteriaInstantBounds,
): SqlExpression {
  const sides = [
    ...(start === undefined ? [] : [sql`${key} >= ${start}::${type}`]),
    ...(end === undefined ? [] : [sql`${key} < ${end}::${type}`]),
  ]
  return sides.length === 0 ? sql`${key} is not null` : sql`(${sql.join(sides, sql` and `)})`
}

function buildDateTest(cell: Extract<SqlCell, { kind: 'date' }>, tested: ConstantTest): SqlExpression {
  const { test, operand } = tested
  const [key, kind] = cell.isText ? [comparisonColumns.date.key(cell.sql), DATE_TEXT_TYPE] : [cell.sql, INSTANT_TYPE]
  const { type } = kind
  if (operand.type === 'dates') return buildWithinTest(key, kind, operand)
  if (operand.type === 'list') {
    const dates = hasOnly(operand.values, isText).flatMap((value) => toCanonicalDate(value) ?? [])
    return sql`${key} = any(${dates}::${type}[])`
  }
  if (test !== 'equals') return buildTextTest(cellToTextSql(cell), tested)
  const date = operand.type === 'value' ? toCanonicalDate(operand.value) : null
  return date === null ? ALWAYS_FALSE : sql`${key} = ${date}::${type}`
}

/** Equality with texts of which none gives a date. */
function buildPlainTextTest(
  text: SqlExpression,
  values: readonly string[],
  { isExact, reading }: ConstantTest,
): SqlExpression {
  if (isExact) return sql`${text} = any(${values}::text[])`
  return fieldOperators.text['in']!.holds(
    { value: text, key: comparisonColumns.text.key(text) },
    values,
    reading.present,
  )
}

function buildTextListTest(text: SqlExpression, values: readonly string[], tested: ConstantTest): SqlExpression {
  const [plainValues, dateValues] = [
    values.filter((listedText) => toCanonicalDate(listedText) === null),
    values.filter((listedText) => toCanonicalDate(listedText) !== null),
  ]
  const sides = [
    ...(plainValues.length > 0 ? [buildPlainTextTest(text, plainValues, tested)] : []),
    ...dateValues.map((date) => sql`same_text(${text}, ${date}, ${tested.isExact})`),
  ]
  return sides.length === 0 ? ALWAYS_FALSE : sql`(${sql.join(sides, sql` or `)})`
}

function buildTextTest(text: SqlExpression, tested: ConstantTest): SqlExpression {
  const { test, operand, isExact, reading } = tested
  if (operand.type === 'dates') return buildWithinTest(sql`(date_text(${text}) collate "C")`, DATE_TEXT_TYPE, operand)
  if (operand.type === 'list') return buildTextListTest(text, hasOnly(operand.values, isText), tested)
  if (operand.type !== 'value' || !isText(operand.value)) return ALWAYS_FALSE
  const { value } = operand
  if (test === 'equals') {
    if (toCanonicalDate(value) !== null) return sql`same_text(${text}, ${value}, ${isExact})`
    if (isExact) return sql`${text} = ${value}`
  } else if (isExact) {
    if (test === 'contains') return sql`strpos(${text}, ${value}) > 0`
    if (test === 'startsWith') return sql`${text} ^@ ${value}::text`
    if (test === 'endsWith') return sql`right(${text}, length(${value}::text)) = ${value}`
  }
  const operator = fieldOperators.text[test]
  return operator
    ? operator.holds({ value: text, key: comparisonColumns.text.key(text) }, value, reading.present)
    : ALWAYS_FALSE
}

/** The numbers of the contacts that texts are ids of. */
function parseContactNumbers(values: readonly unknown[], isExact: boolean): number[] {
  return hasOnly(values, isText).flatMap((value) => {
    const number = value.length === 8 ? parseContactId(value) : undefined
    return number === undefined || (isExact && formatContactId(number) !== value) ? [] : number
  })
}

function buildContactTest(cell: Extract<SqlCell, { kind: 'contact' }>, tested: ConstantTest): SqlExpression {
  const { test, operand, isExact } = tested
  const values = operand.type === 'list' ? operand.values : operand.type === 'value' ? [operand.value] : []
  if (test !== 'equals' && test !== 'in') return buildTextTest(cellToTextSql(cell), tested)
  return sql`${cell.sql} = any(${parseContactNumbers(values, isExact)}::bigint[])`
}

/** Labels are compared here: the database compares indexes. */
function findLabelIndexes(
  { list }: Extract<SqlCell, { kind: 'label' | 'labels' }>,
  { test, operand, isExact }: ConstantTest,
): number[] {
  return list.values.flatMap(({ index, value }) => (isTestPassed(test, value, operand, isExact) ? index : []))
}

function buildLabelsTest(cell: Extract<SqlCell, { kind: 'labels' }>, tested: ConstantTest): SqlExpression {
  if (tested.operand.type !== 'list') return buildJsonTest(cellToJsonSql(cell), tested)
  return sql`${cell.sql} @> any(${findLabelIndexes(cell, tested).map((index) => `[${index}]`)}::jsonb[])`
}

function buildJsonTest(json: SqlExpression, tested: ConstantTest): SqlExpression {
  const { test, operand, isExact } = tested
  const text = sql`(case when jsonb_typeof(${json}) = 'string' then ${json} #>> '{}' end)`
  const number = sql`(case when jsonb_typeof(${json}) = 'number' then ${json}::numeric end)`
  if (operand.type === 'none') return ALWAYS_FALSE
  if (operand.type === 'dates') return buildTextTest(text, tested)
  if (operand.type === 'numbers') return buildNumberTest(number, tested)
  if (operand.type === 'list')
    return sql`case jsonb_typeof(${json}) when 'string' then ${buildTextTest(text, tested)} when 'number' then ${buildNumberTest(number, tested)}
      else values_compare('in', ${json}, ${bindJson(operand.values)}, ${isExact}) end`
  const { value } = operand
  if (isText(value)) return buildTextTest(text, tested)
  if (isNumber(value)) return buildNumberTest(number, tested)
  return test === 'equals' && value !== null ? sql`${json} = ${bindJson(value)}` : ALWAYS_FALSE
}

/** Condition: a cell is not empty. */
function buildNotEmptyTest(cell: SqlCell): SqlExpression {
  switch (cell.kind) {
    case 'constant':
      return isEmptyRowValue(cell.value) ? ALWAYS_FALSE : ALWAYS_TRUE
    case 'text':
      return sql`(${cell.sql} is not null and ${cell.sql} <> '')`
    case 'labels':
      return sql`jsonb_array_length(${cell.sql}) > 0`
    case 'json':
      return sql`(${cell.sql} is not null and ${cell.sql} not in ('""', '[]'))`
    case 'object':
      return cell.present ? cell.present() : ALWAYS_TRUE
    default:
      return sql`${cell.sql} is not null`
  }
}

function buildConstantTest(cell: Exclude<SqlCell, { kind: 'constant' }>, tested: ConstantTest): SqlExpression {
  switch (cell.kind) {
    case 'number':
      return buildNumberTest(cell.sql, tested)
    case 'boolean':
      return buildBooleanTest(cell.sql, tested)
    case 'date':
      return buildDateTest(cell, tested)
    case 'text':
      return buildTextTest(cell.sql, tested)
    case 'contact':
      return buildContactTest(cell, tested)
    case 'label':
      return sql`${cell.sql} = any(${findLabelIndexes(cell, tested)}::integer[])`
    case 'labels':
      return buildLabelsTest(cell, tested)
    case 'json':
      return buildJsonTest(cell.sql, tested)
    case 'object':
      return buildJsonTest(cellToJsonSql(cell), tested)
  }
}

/** Two cells that a test compares. */
export interface ComparedCells {
  left: SqlCell
  right: SqlCell
  isExact: boolean
}

/** The condition that a test makes; null stands for false. */
export function buildTestSql(
  test: ComparisonTest,
  { left: leftCell, right, isExact }: ComparedCells,
  reading: OperandContext,
): SqlExpression {
  if (test === 'filled') return buildNotEmptyTest(leftCell)
  if (right.kind === 'constant') {
    const operand = toConstantOperand(test, right.value, reading)
    if (leftCell.kind === 'constant')
      return isTestPassed(test, leftCell.value, operand, isExact) ? ALWAYS_TRUE : ALWAYS_FALSE
    return buildConstantTest(leftCell, { test, operand, isExact, reading })
  }
  if (test === 'within') return ALWAYS_FALSE
  const sign = COMPARISON_SIGNS[test]
  if (sign && leftCell.kind === 'number' && right.kind === 'number') return sql`${leftCell.sql} ${sign} ${right.sql}`
  return sql`values_compare(${test}, ${cellToJsonSql(leftCell)}, ${cellToJsonSql(right)}, ${isExact})`
}

/** Condition: a cell is true, or the text "true". */
export function buildTruthSql(cell: SqlCell): SqlExpression {
  switch (cell.kind) {
    case 'constant':
      return cell.value === true || cell.value === 'true' ? ALWAYS_TRUE : ALWAYS_FALSE
    case 'boolean':
      return cell.sql
    case 'text':
    case 'label':
      return sql`${cellToTextSql(cell)} = 'true'`
    case 'json':
      return sql`${cell.sql} in ('true', '"true"')`
    default:
      return ALWAYS_FALSE
  }
}

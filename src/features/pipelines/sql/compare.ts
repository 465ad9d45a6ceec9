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

const NEVER = sql`false`
const ALWAYS = sql`true`

/** A value beside constants, as one of a kind that an operand has. */
interface Tested {
  test: ComparisonTest
  operand: ComparisonOperand
  isExact: boolean
  reading: OperandContext
}

const SIGNS: Partial<Record<ComparisonTest, SqlExpression>> = {
  ...{ equals: sql`=`, greater: sql`>`, greaterOrEqual: sql`>=`, less: sql`<`, lessOrEqual: sql`<=` },
}

const decimal = (value: number): SqlExpression => sql`${formatPlainNumber(value)}::numeric`

function isOneOf<T>(values: readonly unknown[], is: (value: unknown) => value is T): T[] {
  return values.filter(is)
}
const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isTruth = (value: unknown): value is boolean => typeof value === 'boolean'

function numberTest(number: SqlExpression, { test, operand }: Tested): SqlExpression {
  if (operand.type === 'numbers') return sql`${number} between ${decimal(operand.from)} and ${decimal(operand.to)}`
  if (operand.type === 'list')
    return sql`${number} = any(${isOneOf(operand.values, isNumber).map(formatPlainNumber)}::numeric[])`
  const sign = SIGNS[test]
  return sign && operand.type === 'value' && isNumber(operand.value)
    ? sql`${number} ${sign} ${decimal(operand.value)}`
    : NEVER
}

function truthTest(truth: SqlExpression, { test, operand }: Tested): SqlExpression {
  if (operand.type === 'list') return sql`${truth} = any(${isOneOf(operand.values, isTruth)}::boolean[])`
  return test === 'equals' && operand.type === 'value' && isTruth(operand.value)
    ? sql`${truth} = ${operand.value}::boolean`
    : NEVER
}

/** A type of dates, which sort as texts or as instants, and whether one is a day without a time. */
const DATE_TEXT = { type: sql`text`, isDay: (key: SqlExpression) => sql`right(${key}, 14) = ${MIDNIGHT_SUFFIX}` }
const INSTANT = {
  type: sql`timestamptz`,
  isDay: (key: SqlExpression) => sql`${key} = date_trunc('day', ${key}, 'UTC')`,
}

function within(
  key: SqlExpression,
  { type, isDay }: typeof DATE_TEXT,
  { days, ...instants }: DateRangeOperand,
): SqlExpression {
  const ofInstants = inside(key, type, instants)
  return days ? sql`(case when ${isDay(key)} then ${inside(key, type, days)} else ${ofInstants} end)` : ofInstants
}

function inside(key: SqlExpression, type: SqlExpression, { start, end }: CriteriaInstantBounds): SqlExpression {
  const sides = [
    ...(start === undefined ? [] : [sql`${key} >= ${start}::${type}`]),
    ...(end === undefined ? [] : [sql`${key} < ${end}::${type}`]),
  ]
  return sides.length === 0 ? sql`${key} is not null` : sql`(${sql.join(sides, sql` and `)})`
}

function dateTest(cell: Extract<SqlCell, { kind: 'date' }>, tested: Tested): SqlExpression {
  const { test, operand } = tested
  const [key, kind] = cell.isText ? [comparisonColumns.date.key(cell.sql), DATE_TEXT] : [cell.sql, INSTANT]
  const { type } = kind
  if (operand.type === 'dates') return within(key, kind, operand)
  if (operand.type === 'list') {
    const dates = isOneOf(operand.values, isText).flatMap((value) => toCanonicalDate(value) ?? [])
    return sql`${key} = any(${dates}::${type}[])`
  }
  if (test !== 'equals') return textTest(cellToTextSql(cell), tested)
  const date = operand.type === 'value' ? toCanonicalDate(operand.value) : null
  return date === null ? NEVER : sql`${key} = ${date}::${type}`
}

/** Equality with texts of which none gives a date. */
function plainTexts(text: SqlExpression, values: readonly string[], { isExact, reading }: Tested): SqlExpression {
  if (isExact) return sql`${text} = any(${values}::text[])`
  return fieldOperators.text['in']!.holds(
    { value: text, key: comparisonColumns.text.key(text) },
    values,
    reading.present,
  )
}

function textAmong(text: SqlExpression, values: readonly string[], tested: Tested): SqlExpression {
  const [plain, dates] = [
    values.filter((one) => toCanonicalDate(one) === null),
    values.filter((one) => toCanonicalDate(one) !== null),
  ]
  const sides = [
    ...(plain.length > 0 ? [plainTexts(text, plain, tested)] : []),
    ...dates.map((date) => sql`same_text(${text}, ${date}, ${tested.isExact})`),
  ]
  return sides.length === 0 ? NEVER : sql`(${sql.join(sides, sql` or `)})`
}

function textTest(text: SqlExpression, tested: Tested): SqlExpression {
  const { test, operand, isExact, reading } = tested
  if (operand.type === 'dates') return within(sql`(date_text(${text}) collate "C")`, DATE_TEXT, operand)
  if (operand.type === 'list') return textAmong(text, isOneOf(operand.values, isText), tested)
  if (operand.type !== 'value' || !isText(operand.value)) return NEVER
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
    : NEVER
}

/** The numbers of the contacts that texts are ids of. */
function contactNumbers(values: readonly unknown[], isExact: boolean): number[] {
  return isOneOf(values, isText).flatMap((value) => {
    const number = value.length === 8 ? parseContactId(value) : undefined
    return number === undefined || (isExact && formatContactId(number) !== value) ? [] : number
  })
}

function contactTest(cell: Extract<SqlCell, { kind: 'contact' }>, tested: Tested): SqlExpression {
  const { test, operand, isExact } = tested
  const values = operand.type === 'list' ? operand.values : operand.type === 'value' ? [operand.value] : []
  if (test !== 'equals' && test !== 'in') return textTest(cellToTextSql(cell), tested)
  return sql`${cell.sql} = any(${contactNumbers(values, isExact)}::bigint[])`
}

/** Labels are compared here: the database compares indexes. */
function indexesOf(
  { list }: Extract<SqlCell, { kind: 'label' | 'labels' }>,
  { test, operand, isExact }: Tested,
): number[] {
  return list.values.flatMap(({ index, value }) => (isTestPassed(test, value, operand, isExact) ? index : []))
}

function labelsTest(cell: Extract<SqlCell, { kind: 'labels' }>, tested: Tested): SqlExpression {
  if (tested.operand.type !== 'list') return jsonTest(cellToJsonSql(cell), tested)
  return sql`${cell.sql} @> any(${indexesOf(cell, tested).map((index) => `[${index}]`)}::jsonb[])`
}

function jsonTest(json: SqlExpression, tested: Tested): SqlExpression {
  const { test, operand, isExact } = tested
  const text = sql`(case when jsonb_typeof(${json}) = 'string' then ${json} #>> '{}' end)`
  const number = sql`(case when jsonb_typeof(${json}) = 'number' then ${json}::numeric end)`
  if (operand.type === 'none') return NEVER
  if (operand.type === 'dates') return textTest(text, tested)
  if (operand.type === 'numbers') return numberTest(number, tested)
  if (operand.type === 'list')
    return sql`case jsonb_typeof(${json}) when 'string' then ${textTest(text, tested)} when 'number' then ${numberTest(number, tested)}
      else values_compare('in', ${json}, ${bindJson(operand.values)}, ${isExact}) end`
  const { value } = operand
  if (isText(value)) return textTest(text, tested)
  if (isNumber(value)) return numberTest(number, tested)
  return test === 'equals' && value !== null ? sql`${json} = ${bindJson(value)}` : NEVER
}

/** Whether there is something in a cell. */
function filled(cell: SqlCell): SqlExpression {
  switch (cell.kind) {
    case 'constant':
      return isEmptyRowValue(cell.value) ? NEVER : ALWAYS
    case 'text':
      return sql`(${cell.sql} is not null and ${cell.sql} <> '')`
    case 'labels':
      return sql`jsonb_array_length(${cell.sql}) > 0`
    case 'json':
      return sql`(${cell.sql} is not null and ${cell.sql} not in ('""', '[]'))`
    case 'object':
      return cell.present ? cell.present() : ALWAYS
    default:
      return sql`${cell.sql} is not null`
  }
}

function constantTest(cell: Exclude<SqlCell, { kind: 'constant' }>, tested: Tested): SqlExpression {
  switch (cell.kind) {
    case 'number':
      return numberTest(cell.sql, tested)
    case 'boolean':
      return truthTest(cell.sql, tested)
    case 'date':
      return dateTest(cell, tested)
    case 'text':
      return textTest(cell.sql, tested)
    case 'contact':
      return contactTest(cell, tested)
    case 'label':
      return sql`${cell.sql} = any(${indexesOf(cell, tested)}::integer[])`
    case 'labels':
      return labelsTest(cell, tested)
    case 'json':
      return jsonTest(cell.sql, tested)
    case 'object':
      return jsonTest(cellToJsonSql(cell), tested)
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
  { left, right, isExact }: ComparedCells,
  reading: OperandContext,
): SqlExpression {
  if (test === 'filled') return filled(left)
  if (right.kind === 'constant') {
    const operand = toConstantOperand(test, right.value, reading)
    if (left.kind === 'constant') return isTestPassed(test, left.value, operand, isExact) ? ALWAYS : NEVER
    return constantTest(left, { test, operand, isExact, reading })
  }
  if (test === 'within') return NEVER
  const sign = SIGNS[test]
  if (sign && left.kind === 'number' && right.kind === 'number') return sql`${left.sql} ${sign} ${right.sql}`
  return sql`values_compare(${test}, ${cellToJsonSql(left)}, ${cellToJsonSql(right)}, ${isExact})`
}

/** Whether a cell is true, or the text "true". */
export function buildTruthSql(cell: SqlCell): SqlExpression {
  switch (cell.kind) {
    case 'constant':
      return cell.value === true || cell.value === 'true' ? ALWAYS : NEVER
    case 'boolean':
      return cell.sql
    case 'text':
    case 'label':
      return sql`${cellToTextSql(cell)} = 'true'`
    case 'json':
      return sql`${cell.sql} in ('true', '"true"')`
    default:
      return NEVER
  }
}

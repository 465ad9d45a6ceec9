import { sql } from 'kysely'
import { buildTimeZoneExpression } from '../../../database/rows/zones.ts'
import { formatPlainNumber } from '../../contacts/values/number-text.ts'
import type { CriterionSql, FieldComparison } from './criterion-columns.ts'
import { type CriteriaPresent, listAnniversaryDays, resolveCriteriaMoment, resolveCriteriaTimeSpan } from './moments.ts'
import {
  type OperandParser,
  parseCriteriaDayRange,
  parseCriteriaMoment,
  parseCriteriaTimeSpan,
  parseManyValues,
  parseMomentRange,
  parseNoValue,
  parseOneValue,
  parseTextFragment,
  parseValueRange,
} from './operands.ts'

/** The operands of a comparison: the value as stored, and its form in the index. */
export interface ComparisonOperands {
  value: CriterionSql
  key: CriterionSql
}

/** An operator: how its value is read, and the condition that it makes; null where there is nothing to compare. */
export interface CriteriaLeafOperator {
  read: OperandParser<unknown>
  holds: (compared: ComparisonOperands, value: unknown, present: CriteriaPresent) => CriterionSql
  /** Holds where the condition does not, and for an empty field. */
  negated: boolean
}

/** Pairs the reading of a value with its condition: a stored value was read by the same operator. */
function defineOperator<Value>(
  parseOperand: OperandParser<Value>,
  holds: (compared: ComparisonOperands, value: Value, present: CriteriaPresent) => CriterionSql,
): CriteriaLeafOperator {
  return {
    read: parseOperand,
    negated: false,
    holds: (compared, value, present) => holds(compared, value as Value, present),
  }
}

function negateOperator(operator: CriteriaLeafOperator): CriteriaLeafOperator {
  return { ...operator, negated: true }
}

const isFilled = defineOperator(parseNoValue, ({ value }) => sql`${value} is not null`)
const emptinessOperators = { empty: negateOperator(isFilled), notEmpty: isFilled }

/** Characters of a text that its index holds. */
const INDEXED_CHARACTERS = 60
/** Folding makes three characters of one at most, and of an ASCII one never more than one. */
const ASCII_PATTERN = /^[ -~]*$/

/** True if the index may hold only part of a text. */
function mayBeTruncated(text: unknown): boolean {
  const operandText = String(text)
  return operandText.length * (ASCII_PATTERN.test(operandText) ? 1 : 3) >= INDEXED_CHARACTERS
}

const textEquals = defineOperator(parseOneValue, ({ value, key }, text) => {
  const indexedStart = sql`${key} = folded_start(${text}::text)`
  return mayBeTruncated(text) ? sql`(${indexedStart} and folded(${value}) = folded(${text}::text))` : indexedStart
})

const textInList = defineOperator(parseManyValues, ({ value, key }, texts) => {
  const indexedStart = sql`${key} = any(folded_start(${texts}::text[]))`
  return texts.some(mayBeTruncated)
    ? sql`(${indexedStart} and folded(${value}) = any(folded(${texts}::text[])))`
    : indexedStart
})

const textContains = defineOperator(
  parseTextFragment,
  ({ value }, text) => sql`strpos(folded(${value}), folded(${text}::text)) > 0`,
)

const textStartsWith = defineOperator(
  parseTextFragment,
  ({ value, key }, text) => sql`${mayBeTruncated(text) ? sql`folded(${value})` : key} ^@ folded(${text}::text)`,
)

const textEndsWith = defineOperator(parseTextFragment, ({ value }, text) => {
  const end = sql`folded(${text}::text)`
  return sql`right(folded(${value}), length(${end})) = ${end}`
})

const text = {
  equals: textEquals,
  notEquals: negateOperator(textEquals),
  contains: textContains,
  notContains: negateOperator(textContains),
  startsWith: textStartsWith,
  endsWith: textEndsWith,
  in: textInList,
  notIn: negateOperator(textInList),
  ...emptinessOperators,
}

/** A number as text: the database compares decimals, not doubles. */
function toDecimal(value: string | number | undefined): CriterionSql {
  return sql`${formatPlainNumber(Number(value))}::numeric`
}

function createNumberComparison(sign: CriterionSql): CriteriaLeafOperator {
  return defineOperator(parseOneValue, ({ key }, value) => sql`${key} ${sign} ${toDecimal(value)}`)
}

const numberEquals = createNumberComparison(sql`=`)
const numberInList = defineOperator(
  parseManyValues,
  ({ key }, values) => sql`${key} = any(${values.map((value) => formatPlainNumber(Number(value)))}::numeric[])`,
)

const number = {
  equals: numberEquals,
  notEquals: negateOperator(numberEquals),
  greater: createNumberComparison(sql`>`),
  greaterOrEqual: createNumberComparison(sql`>=`),
  less: createNumberComparison(sql`<`),
  lessOrEqual: createNumberComparison(sql`<=`),
  between: defineOperator(
    parseValueRange,
    ({ key }, [from, to]) => sql`${key} between ${toDecimal(from)} and ${toDecimal(to)}`,
  ),
  in: numberInList,
  notIn: negateOperator(numberInList),
  ...emptinessOperators,
}

/** An ISO date relative to a present. */
type DateResolver = (present: CriteriaPresent) => string

/** The comparisons of one kind of date. */
interface DateComparisons {
  isBefore(key: CriterionSql, date: DateResolver, present: CriteriaPresent): CriterionSql
  isFrom(key: CriterionSql, date: DateResolver, present: CriteriaPresent): CriterionSql
  /** The `MM-DD` of the date. */
  monthDay(key: CriterionSql, present: CriteriaPresent): CriterionSql
}

/** The operators of dates. */
function createDateOperators({ isBefore, isFrom, monthDay }: DateComparisons) {
  return {
    before: defineOperator(parseCriteriaMoment, ({ key }, value, present) =>
      isBefore(key, (at) => resolveCriteriaMoment(value, at), present),
    ),
    after: defineOperator(parseCriteriaMoment, ({ key }, value, present) =>
      isFrom(key, (at) => resolveCriteriaMoment(value, at), present),
    ),
    between: defineOperator(parseMomentRange, ({ key }, [indexedStart, end], present) => {
      const boundConditions = [
        isFrom(key, (at) => resolveCriteriaMoment(indexedStart, at), present),
        isBefore(key, (at) => resolveCriteriaMoment(end, at), present),
      ]
      return sql`(${sql.join(boundConditions, sql` and `)})`
    }),
    within: defineOperator(parseCriteriaTimeSpan, ({ key }, value, present) => {
      const { start: indexedStart, end } = resolveCriteriaTimeSpan(value, present)
      const boundConditions = [
        ...(indexedStart === undefined
          ? []
          : [isFrom(key, (at) => resolveCriteriaTimeSpan(value, at).start ?? indexedStart, present)]),
        ...(end === undefined ? [] : [isBefore(key, (at) => resolveCriteriaTimeSpan(value, at).end ?? end, present)]),
      ]
      return sql`(${sql.join(boundConditions, sql` and `)})`
    }),
    anniversary: defineOperator(parseCriteriaDayRange, ({ key }, value, present) => {
      const days = listAnniversaryDays(value, present)
      return days ? sql`${monthDay(key, present)} = any(${days}::text[])` : sql`${key} is not null`
    }),
  }
}

/** True for a stored day without a time: midnight UTC. */
const isWholeDay = (key: CriterionSql) => sql`(right(${key}, 14) = 'T00:00:00.000Z')`

/** The bounds for instants and for days, in order, as texts, and whether the later one is for days. */
function computeDateBounds(date: DateResolver, present: CriteriaPresent) {
  const [instantBound, dayBound] = [date(present), date({ ...present, storedDays: true })]
  const [earlierBound, laterBound] = instantBound < dayBound ? [instantBound, dayBound] : [dayBound, instantBound]
  return {
    first: sql`${earlierBound}::text`,
    last: sql`${laterBound}::text`,
    isSame: earlierBound === laterBound,
    isDayLast: dayBound === laterBound,
  }
}

/**
 * Fields hold instants, and days as midnight UTC. A day is the same everywhere, and is compared as a day. Instants are compared with the
 * moment at which the day begins in the zone. Only values between the two bounds need the check for a day.
 */
const fieldDateComparisons: DateComparisons = {
  isBefore(key, date, present) {
    const { first: earlierBound, last: laterBound, isSame, isDayLast } = computeDateBounds(date, present)
    return isSame
      ? sql`${key} < ${laterBound}`
      : sql`(${key} < ${laterBound} and (${key} < ${earlierBound} or ${isWholeDay(key)} = ${isDayLast}))`
  },
  isFrom(key, date, present) {
    const { first: earlierBound, last: laterBound, isSame, isDayLast } = computeDateBounds(date, present)
    return isSame
      ? sql`${key} >= ${earlierBound}`
      : sql`(${key} >= ${earlierBound} and (${key} >= ${laterBound} or ${isWholeDay(key)} <> ${isDayLast}))`
  },
  monthDay: (key) => sql`substr(${key}, 6, 5)`,
}

const dateEquals = defineOperator(parseOneValue, ({ key }, date) => sql`${key} = ${date}::text`)
const dateInList = defineOperator(parseManyValues, ({ key }, dates) => sql`${key} = any(${dates}::text[])`)

const date = {
  equals: dateEquals,
  notEquals: negateOperator(dateEquals),
  in: dateInList,
  notIn: negateOperator(dateInList),
  ...createDateOperators(fieldDateComparisons),
  ...emptinessOperators,
}

const labelEquals = defineOperator(parseOneValue, ({ key }, index) => sql`${key} = ${index}::integer`)
const labelInList = defineOperator(parseManyValues, ({ key }, indexes) => sql`${key} = any(${indexes}::integer[])`)

const label = {
  equals: labelEquals,
  notEquals: negateOperator(labelEquals),
  in: labelInList,
  notIn: negateOperator(labelInList),
  ...emptinessOperators,
}

const labelsInList = defineOperator(
  parseManyValues,
  ({ key }, indexes) => sql`${key} @> any(${indexes.map((index) => `[${index}]`)}::jsonb[])`,
)

const labels = { in: labelsInList, notIn: negateOperator(labelsInList), ...emptinessOperators }

/** The operators that fit a field, by how its values are compared. */
export const fieldOperators: Record<FieldComparison, Readonly<Record<string, CriteriaLeafOperator>>> = {
  text,
  number,
  date,
  label,
  labels,
}

/** The operators of a contact's own dates. */
export const instantOperators: Readonly<Record<string, CriteriaLeafOperator>> = createDateOperators({
  isBefore: (key, date, present) => sql`${key} < ${date(present)}::timestamptz`,
  isFrom: (key, date, present) => sql`${key} >= ${date(present)}::timestamptz`,
  monthDay: (key, { zone }) => sql`to_char(${key} at time zone ${buildTimeZoneExpression(zone)}, 'MM-DD')`,
})

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
function operator<Value>(
  read: OperandParser<Value>,
  holds: (compared: ComparisonOperands, value: Value, present: CriteriaPresent) => CriterionSql,
): CriteriaLeafOperator {
  return { read, negated: false, holds: (compared, value, present) => holds(compared, value as Value, present) }
}

function not(operator: CriteriaLeafOperator): CriteriaLeafOperator {
  return { ...operator, negated: true }
}

const filled = operator(parseNoValue, ({ value }) => sql`${value} is not null`)
const emptiness = { empty: not(filled), notEmpty: filled }

/** Characters of a text that its index holds. */
const INDEXED = 60
/** Folding makes three characters of one at most, and of an ASCII one never more than one. */
const ASCII = /^[ -~]*$/

/** Whether the index may hold only part of a text. */
function isCut(text: unknown): boolean {
  const folded = String(text)
  return folded.length * (ASCII.test(folded) ? 1 : 3) >= INDEXED
}

const textEquals = operator(parseOneValue, ({ value, key }, text) => {
  const start = sql`${key} = folded_start(${text}::text)`
  return isCut(text) ? sql`(${start} and folded(${value}) = folded(${text}::text))` : start
})

const textIn = operator(parseManyValues, ({ value, key }, texts) => {
  const start = sql`${key} = any(folded_start(${texts}::text[]))`
  return texts.some(isCut) ? sql`(${start} and folded(${value}) = any(folded(${texts}::text[])))` : start
})

const textContains = operator(
  parseTextFragment,
  ({ value }, text) => sql`strpos(folded(${value}), folded(${text}::text)) > 0`,
)

const textStarts = operator(
  parseTextFragment,
  ({ value, key }, text) => sql`${isCut(text) ? sql`folded(${value})` : key} ^@ folded(${text}::text)`,
)

const textEnds = operator(parseTextFragment, ({ value }, text) => {
  const end = sql`folded(${text}::text)`
  return sql`right(folded(${value}), length(${end})) = ${end}`
})

const text = {
  equals: textEquals,
  notEquals: not(textEquals),
  contains: textContains,
  notContains: not(textContains),
  startsWith: textStarts,
  endsWith: textEnds,
  in: textIn,
  notIn: not(textIn),
  ...emptiness,
}

/** A number as text: the database compares decimals, not doubles. */
function decimal(value: string | number | undefined): CriterionSql {
  return sql`${formatPlainNumber(Number(value))}::numeric`
}

function comparing(sign: CriterionSql): CriteriaLeafOperator {
  return operator(parseOneValue, ({ key }, value) => sql`${key} ${sign} ${decimal(value)}`)
}

const numberEquals = comparing(sql`=`)
const numberIn = operator(
  parseManyValues,
  ({ key }, values) => sql`${key} = any(${values.map((value) => formatPlainNumber(Number(value)))}::numeric[])`,
)

const number = {
  equals: numberEquals,
  notEquals: not(numberEquals),
  greater: comparing(sql`>`),
  greaterOrEqual: comparing(sql`>=`),
  less: comparing(sql`<`),
  lessOrEqual: comparing(sql`<=`),
  between: operator(parseValueRange, ({ key }, [from, to]) => sql`${key} between ${decimal(from)} and ${decimal(to)}`),
  in: numberIn,
  notIn: not(numberIn),
  ...emptiness,
}

/** An ISO date relative to a present. */
type DateAt = (present: CriteriaPresent) => string

/** The comparisons of one kind of date. */
interface DateSides {
  isBefore(key: CriterionSql, date: DateAt, present: CriteriaPresent): CriterionSql
  isFrom(key: CriterionSql, date: DateAt, present: CriteriaPresent): CriterionSql
  /** The `MM-DD` of the date. */
  monthDay(key: CriterionSql, present: CriteriaPresent): CriterionSql
}

/** The operators of dates. */
function dateOperators({ isBefore, isFrom, monthDay }: DateSides) {
  return {
    before: operator(parseCriteriaMoment, ({ key }, value, present) =>
      isBefore(key, (at) => resolveCriteriaMoment(value, at), present),
    ),
    after: operator(parseCriteriaMoment, ({ key }, value, present) =>
      isFrom(key, (at) => resolveCriteriaMoment(value, at), present),
    ),
    between: operator(parseMomentRange, ({ key }, [start, end], present) => {
      const sides = [
        isFrom(key, (at) => resolveCriteriaMoment(start, at), present),
        isBefore(key, (at) => resolveCriteriaMoment(end, at), present),
      ]
      return sql`(${sql.join(sides, sql` and `)})`
    }),
    within: operator(parseCriteriaTimeSpan, ({ key }, value, present) => {
      const { start, end } = resolveCriteriaTimeSpan(value, present)
      const sides = [
        ...(start === undefined
          ? []
          : [isFrom(key, (at) => resolveCriteriaTimeSpan(value, at).start ?? start, present)]),
        ...(end === undefined ? [] : [isBefore(key, (at) => resolveCriteriaTimeSpan(value, at).end ?? end, present)]),
      ]
      return sql`(${sql.join(sides, sql` and `)})`
    }),
    anniversary: operator(parseCriteriaDayRange, ({ key }, value, present) => {
      const days = listAnniversaryDays(value, present)
      return days ? sql`${monthDay(key, present)} = any(${days}::text[])` : sql`${key} is not null`
    }),
  }
}

/** True for a stored day without a time: midnight UTC. */
const isDay = (key: CriterionSql) => sql`(right(${key}, 14) = 'T00:00:00.000Z')`

/** The bounds for instants and for days, in order, as texts, and whether the later one is for days. */
function boundsOfBoth(date: DateAt, present: CriteriaPresent) {
  const [instant, day] = [date(present), date({ ...present, storedDays: true })]
  const [first, last] = instant < day ? [instant, day] : [day, instant]
  return { first: sql`${first}::text`, last: sql`${last}::text`, isSame: first === last, isDayLast: day === last }
}

/**
 * Fields hold instants, and days as midnight UTC. A day is the same everywhere, and is compared as a day. Instants are compared with the
 * moment at which the day begins in the zone. Only values between the two bounds need the check for a day.
 */
const fieldSides: DateSides = {
  isBefore(key, date, present) {
    const { first, last, isSame, isDayLast } = boundsOfBoth(date, present)
    return isSame
      ? sql`${key} < ${last}`
      : sql`(${key} < ${last} and (${key} < ${first} or ${isDay(key)} = ${isDayLast}))`
  },
  isFrom(key, date, present) {
    const { first, last, isSame, isDayLast } = boundsOfBoth(date, present)
    return isSame
      ? sql`${key} >= ${first}`
      : sql`(${key} >= ${first} and (${key} >= ${last} or ${isDay(key)} <> ${isDayLast}))`
  },
  monthDay: (key) => sql`substr(${key}, 6, 5)`,
}

const dateEquals = operator(parseOneValue, ({ key }, date) => sql`${key} = ${date}::text`)
const dateIn = operator(parseManyValues, ({ key }, dates) => sql`${key} = any(${dates}::text[])`)

const date = {
  equals: dateEquals,
  notEquals: not(dateEquals),
  in: dateIn,
  notIn: not(dateIn),
  ...dateOperators(fieldSides),
  ...emptiness,
}

const labelEquals = operator(parseOneValue, ({ key }, index) => sql`${key} = ${index}::integer`)
const labelIn = operator(parseManyValues, ({ key }, indexes) => sql`${key} = any(${indexes}::integer[])`)

const label = {
  equals: labelEquals,
  notEquals: not(labelEquals),
  in: labelIn,
  notIn: not(labelIn),
  ...emptiness,
}

const labelsIn = operator(
  parseManyValues,
  ({ key }, indexes) => sql`${key} @> any(${indexes.map((index) => `[${index}]`)}::jsonb[])`,
)

const labels = { in: labelsIn, notIn: not(labelsIn), ...emptiness }

/** The operators that fit a field, by how its values are compared. */
export const fieldOperators: Record<FieldComparison, Readonly<Record<string, CriteriaLeafOperator>>> = {
  text,
  number,
  date,
  label,
  labels,
}

/** The operators of a contact's own dates. */
export const instantOperators: Readonly<Record<string, CriteriaLeafOperator>> = dateOperators({
  isBefore: (key, date, present) => sql`${key} < ${date(present)}::timestamptz`,
  isFrom: (key, date, present) => sql`${key} >= ${date(present)}::timestamptz`,
  monthDay: (key, { zone }) => sql`to_char(${key} at time zone ${buildTimeZoneExpression(zone)}, 'MM-DD')`,
})

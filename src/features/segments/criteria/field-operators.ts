import { sql } from 'kysely'
import { zoneInDatabase } from '../../../database/rows/zones.ts'
import { plainNumber } from '../../contacts/values/number-text.ts'
import type { Comparison, Sql } from './criterion-columns.ts'
import { anniversaries, boundsOf, momentOf, type Present } from './moments.ts'
import {
  dayRange,
  fragment,
  manyValues,
  moment,
  momentRange,
  noValue,
  oneValue,
  type ReadOperand,
  span,
  valueRange,
} from './operands.ts'

/** The operands of a comparison: the value as stored, and its form in the index. */
export interface Compared {
  value: Sql
  key: Sql
}

/** An operator: how its value is read, and the condition that it makes; null where there is nothing to compare. */
export interface Operator {
  read: ReadOperand<unknown>
  holds: (compared: Compared, value: unknown, present: Present) => Sql
  /** Holds where the condition does not, and for an empty field. */
  negated: boolean
}

/** Pairs the reading of a value with its condition: a stored value was read by the same operator. */
function operator<Value>(
  read: ReadOperand<Value>,
  holds: (compared: Compared, value: Value, present: Present) => Sql,
): Operator {
  return { read, negated: false, holds: (compared, value, present) => holds(compared, value as Value, present) }
}

function not(operator: Operator): Operator {
  return { ...operator, negated: true }
}

const filled = operator(noValue, ({ value }) => sql`${value} is not null`)
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

const textEquals = operator(oneValue, ({ value, key }, text) => {
  const start = sql`${key} = folded_start(${text}::text)`
  return isCut(text) ? sql`(${start} and folded(${value}) = folded(${text}::text))` : start
})

const textIn = operator(manyValues, ({ value, key }, texts) => {
  const start = sql`${key} = any(folded_start(${texts}::text[]))`
  return texts.some(isCut) ? sql`(${start} and folded(${value}) = any(folded(${texts}::text[])))` : start
})

const textContains = operator(fragment, ({ value }, text) => sql`strpos(folded(${value}), folded(${text}::text)) > 0`)

const textStarts = operator(
  fragment,
  ({ value, key }, text) => sql`${isCut(text) ? sql`folded(${value})` : key} ^@ folded(${text}::text)`,
)

const textEnds = operator(fragment, ({ value }, text) => {
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
function decimal(value: string | number | undefined): Sql {
  return sql`${plainNumber(Number(value))}::numeric`
}

function comparing(sign: Sql): Operator {
  return operator(oneValue, ({ key }, value) => sql`${key} ${sign} ${decimal(value)}`)
}

const numberEquals = comparing(sql`=`)
const numberIn = operator(
  manyValues,
  ({ key }, values) => sql`${key} = any(${values.map((value) => plainNumber(Number(value)))}::numeric[])`,
)

const number = {
  equals: numberEquals,
  notEquals: not(numberEquals),
  greater: comparing(sql`>`),
  greaterOrEqual: comparing(sql`>=`),
  less: comparing(sql`<`),
  lessOrEqual: comparing(sql`<=`),
  between: operator(valueRange, ({ key }, [from, to]) => sql`${key} between ${decimal(from)} and ${decimal(to)}`),
  in: numberIn,
  notIn: not(numberIn),
  ...emptiness,
}

/** An ISO date relative to a present. */
type DateAt = (present: Present) => string

/** The comparisons of one kind of date. */
interface DateSides {
  isBefore(key: Sql, date: DateAt, present: Present): Sql
  isFrom(key: Sql, date: DateAt, present: Present): Sql
  /** The `MM-DD` of the date. */
  monthDay(key: Sql, present: Present): Sql
}

/** The operators of dates. */
function dateOperators({ isBefore, isFrom, monthDay }: DateSides) {
  return {
    before: operator(moment, ({ key }, value, present) => isBefore(key, (at) => momentOf(value, at), present)),
    after: operator(moment, ({ key }, value, present) => isFrom(key, (at) => momentOf(value, at), present)),
    between: operator(momentRange, ({ key }, [start, end], present) => {
      const sides = [
        isFrom(key, (at) => momentOf(start, at), present),
        isBefore(key, (at) => momentOf(end, at), present),
      ]
      return sql`(${sql.join(sides, sql` and `)})`
    }),
    within: operator(span, ({ key }, value, present) => {
      const { start, end } = boundsOf(value, present)
      const sides = [
        ...(start === undefined ? [] : [isFrom(key, (at) => boundsOf(value, at).start ?? start, present)]),
        ...(end === undefined ? [] : [isBefore(key, (at) => boundsOf(value, at).end ?? end, present)]),
      ]
      return sql`(${sql.join(sides, sql` and `)})`
    }),
    anniversary: operator(dayRange, ({ key }, value, present) => {
      const days = anniversaries(value, present)
      return days ? sql`${monthDay(key, present)} = any(${days}::text[])` : sql`${key} is not null`
    }),
  }
}

/** True for a stored day without a time: midnight UTC. */
const isDay = (key: Sql) => sql`(right(${key}, 14) = 'T00:00:00.000Z')`

/** The bounds for instants and for days, in order, as texts, and whether the later one is for days. */
function boundsOfBoth(date: DateAt, present: Present) {
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

const dateEquals = operator(oneValue, ({ key }, date) => sql`${key} = ${date}::text`)
const dateIn = operator(manyValues, ({ key }, dates) => sql`${key} = any(${dates}::text[])`)

const date = {
  equals: dateEquals,
  notEquals: not(dateEquals),
  in: dateIn,
  notIn: not(dateIn),
  ...dateOperators(fieldSides),
  ...emptiness,
}

const labelEquals = operator(oneValue, ({ key }, index) => sql`${key} = ${index}::integer`)
const labelIn = operator(manyValues, ({ key }, indexes) => sql`${key} = any(${indexes}::integer[])`)

const label = {
  equals: labelEquals,
  notEquals: not(labelEquals),
  in: labelIn,
  notIn: not(labelIn),
  ...emptiness,
}

const labelsIn = operator(
  manyValues,
  ({ key }, indexes) => sql`${key} @> any(${indexes.map((index) => `[${index}]`)}::jsonb[])`,
)

const labels = { in: labelsIn, notIn: not(labelsIn), ...emptiness }

/** The operators that fit a field, by how its values are compared. */
export const fieldOperators: Record<Comparison, Readonly<Record<string, Operator>>> = {
  text,
  number,
  date,
  label,
  labels,
}

/** The operators of a contact's own dates. */
export const instantOperators: Readonly<Record<string, Operator>> = dateOperators({
  isBefore: (key, date, present) => sql`${key} < ${date(present)}::timestamptz`,
  isFrom: (key, date, present) => sql`${key} >= ${date(present)}::timestamptz`,
  monthDay: (key, { zone }) => sql`to_char(${key} at time zone ${zoneInDatabase(zone)}, 'MM-DD')`,
})

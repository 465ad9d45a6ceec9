import { DAY_MS, findFirstInstant, HOUR_MS } from '../../../lib/time/spans.ts'
import { parseTimeZone } from '../../../lib/time/zones.ts'
import type { PressureLimit } from '../pressure-schemas.ts'
import { PRESSURE_BUCKET_MS } from './buckets.ts'

const unitMs = { HOUR: HOUR_MS, DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS } as const

/** Maximum length of a rolling period, in milliseconds; months have 30 days. */
export function maxPeriodLengthMs({ unit, value }: Pick<PressureLimit['period'], 'unit' | 'value'>): number {
  return unitMs[unit] * value
}

const OFFSET_PATTERN = /^[+-](?:0\d|1\d|2[0-3]):(\d{2})$/

/** Parses the zone in a field: an IANA name, or an offset of whole quarters of an hour. `undefined` if it is neither. */
export function parsePressureZone(text: string): string | undefined {
  const offsetMinutes = OFFSET_PATTERN.exec(text)?.[1]
  if (offsetMinutes !== undefined) return Number(offsetMinutes) % 15 === 0 ? text : undefined
  return parseTimeZone(text)
}

/** A moment and the zone in which it is looked at. */
export interface ZonedMoment {
  now: number
  zone: string
}

/** From when to when a span goes, in milliseconds; the end is exclusive. */
export interface PressureSpan {
  start: number
  end: number
}

function toLocalTime({ now, zone }: ZonedMoment): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
}

const EPOCH_DATE = Temporal.PlainDate.from('1970-01-01')
/** Weeks begin on Mondays. */
const FIRST_MONDAY = Temporal.PlainDate.from('1970-01-05')

function daysSince(first: Temporal.PlainDate, date: Temporal.PlainDate): number {
  return first.until(date, { largestUnit: 'days' }).days
}

/** So many units of the calendar. */
export interface CalendarPeriod {
  unit: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  value: number
}

/** Units of whole months. */
const MONTHS_BY_UNIT = { MONTH: 1, YEAR: 12 } as const
/** Minutes of the units that are shorter than a day. */
const MINUTES_BY_UNIT = { MINUTE: 1, HOUR: 60 } as const

/** Finds the span that a local time is in, counted from 1970, and the local times of its start and end. */
function findPeriodSpan(
  { unit, value }: CalendarPeriod,
  local: Temporal.PlainDateTime,
): { from: Temporal.PlainDateTime; to: Temporal.PlainDateTime } {
  const date = local.toPlainDate()
  if (unit === 'HOUR' || unit === 'MINUTE') {
    const length = MINUTES_BY_UNIT[unit] * value
    const elapsedMinutes = (daysSince(EPOCH_DATE, date) * 24 + local.hour) * 60 + local.minute
    const from = EPOCH_DATE.toPlainDateTime().add({ minutes: elapsedMinutes - (elapsedMinutes % length) })
    return { from, to: from.add({ minutes: length }) }
  }
  if (unit === 'MONTH' || unit === 'YEAR') {
    const length = MONTHS_BY_UNIT[unit] * value
    const elapsedMonths = (date.year - EPOCH_DATE.year) * 12 + date.month - 1
    const from = EPOCH_DATE.add({ months: elapsedMonths - (elapsedMonths % length) })
    return { from: from.toPlainDateTime(), to: from.add({ months: length }).toPlainDateTime() }
  }
  const [originDate, length] = unit === 'DAY' ? [EPOCH_DATE, value] : [FIRST_MONDAY, 7 * value]
  const elapsedDays = daysSince(originDate, date)
  const from = originDate.add({ days: elapsedDays - (((elapsedDays % length) + length) % length) })
  return { from: from.toPlainDateTime(), to: from.add({ days: length }).toPlainDateTime() }
}

/** The span of a calendar period that holds the present. */
export function calendarPeriodSpan(period: CalendarPeriod, { now, zone }: ZonedMoment): PressureSpan {
  const { from, to } = findPeriodSpan(period, toLocalTime({ now, zone }).toPlainDateTime())
  const spanEnd = findFirstInstant(to, zone)
  return { start: findFirstInstant(from, zone), end: spanEnd }
}

/** From when on messages count under a period: buckets that end after it. */
export function pressurePeriodStart(period: PressureLimit['period'], present: ZonedMoment): number {
  if (period.type === 'rolling') return present.now - maxPeriodLengthMs(period)
  return calendarPeriodSpan(period, present).start
}

/** Time at which a bucket that counts now under a period stops counting, in milliseconds. */
export function pressureBucketExpiry(period: PressureLimit['period'], present: ZonedMoment, bucket: number): number {
  if (period.type === 'rolling') return bucket + PRESSURE_BUCKET_MS + maxPeriodLengthMs(period)
  return calendarPeriodSpan(period, present).end
}

function toMinutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/**
 * Finds the next instant at which the clock shows a time of a date, in milliseconds. If the time occurs twice, returns the one that is not
 * over.
 */
function findNextInstant(local: Temporal.PlainDateTime, { now, zone }: ZonedMoment): number {
  const firstInstant = findFirstInstant(local, zone)
  if (firstInstant > now) return firstInstant
  return local.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
}

/** The end of a window that the clock is in, in milliseconds; undefined when it is outside. */
export function pressureWindowEnd(
  window: NonNullable<PressureLimit['window']>,
  present: ZonedMoment,
): number | undefined {
  const localTime = toLocalTime(present)
  const [windowStart, windowEnd] = [toMinutesOfDay(window.from), toMinutesOfDay(window.to)]
  const minute = localTime.hour * 60 + localTime.minute
  const isOvernight = windowEnd <= windowStart
  const sinceYesterday = isOvernight && minute < windowEnd
  if (!sinceYesterday && (minute < windowStart || (!isOvernight && minute >= windowEnd))) return undefined
  const date = localTime.toPlainDate()
  const startDate = sinceYesterday ? date.subtract({ days: 1 }) : date
  if (window.daysOfWeek && !window.daysOfWeek.includes(startDate.dayOfWeek)) return undefined
  const endDate = isOvernight ? startDate.add({ days: 1 }) : startDate
  return findNextInstant(endDate.toPlainDateTime(Temporal.PlainTime.from(window.to)), present)
}

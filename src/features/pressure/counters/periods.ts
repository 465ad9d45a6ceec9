import { DAY_MS, findFirstInstant, HOUR_MS } from '../../../lib/time/spans.ts'
import { parseTimeZone } from '../../../lib/time/zones.ts'
import type { PressureLimit } from '../pressure-schemas.ts'
import { PRESSURE_BUCKET_MS } from './buckets.ts'

const unitMs = { HOUR: HOUR_MS, DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS } as const

/** How long a period is at most when it rolls, in milliseconds; months have 30 days. */
export function maxPeriodLengthMs({ unit, value }: Pick<PressureLimit['period'], 'unit' | 'value'>): number {
  return unitMs[unit] * value
}

const OFFSET = /^[+-](?:0\d|1\d|2[0-3]):(\d{2})$/

/** A zone as a field says it: an IANA name, or an offset of whole quarters of an hour; undefined for what is none. */
export function parsePressureZone(text: string): string | undefined {
  const minutes = OFFSET.exec(text)?.[1]
  if (minutes !== undefined) return Number(minutes) % 15 === 0 ? text : undefined
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

function localOf({ now, zone }: ZonedMoment): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
}

const EPOCH = Temporal.PlainDate.from('1970-01-01')
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
const MONTHS = { MONTH: 1, YEAR: 12 } as const
/** Minutes of the units that are shorter than a day. */
const MINUTES = { MINUTE: 1, HOUR: 60 } as const

/** Which span a local time is in, counted from 1970, and when the clock shows its beginning and its end. */
function placeIn(
  { unit, value }: CalendarPeriod,
  local: Temporal.PlainDateTime,
): { from: Temporal.PlainDateTime; to: Temporal.PlainDateTime } {
  const date = local.toPlainDate()
  if (unit === 'HOUR' || unit === 'MINUTE') {
    const length = MINUTES[unit] * value
    const minutes = (daysSince(EPOCH, date) * 24 + local.hour) * 60 + local.minute
    const from = EPOCH.toPlainDateTime().add({ minutes: minutes - (minutes % length) })
    return { from, to: from.add({ minutes: length }) }
  }
  if (unit === 'MONTH' || unit === 'YEAR') {
    const length = MONTHS[unit] * value
    const months = (date.year - EPOCH.year) * 12 + date.month - 1
    const from = EPOCH.add({ months: months - (months % length) })
    return { from: from.toPlainDateTime(), to: from.add({ months: length }).toPlainDateTime() }
  }
  const [first, length] = unit === 'DAY' ? [EPOCH, value] : [FIRST_MONDAY, 7 * value]
  const days = daysSince(first, date)
  const from = first.add({ days: days - (((days % length) + length) % length) })
  return { from: from.toPlainDateTime(), to: from.add({ days: length }).toPlainDateTime() }
}

/** The span of a calendar period that holds the present. */
export function calendarPeriodSpan(period: CalendarPeriod, { now, zone }: ZonedMoment): PressureSpan {
  const { from, to } = placeIn(period, localOf({ now, zone }).toPlainDateTime())
  const end = findFirstInstant(to, zone)
  return { start: findFirstInstant(from, zone), end }
}

/** From when on messages count under a period: buckets that end after it. */
export function pressurePeriodStart(period: PressureLimit['period'], present: ZonedMoment): number {
  if (period.type === 'rolling') return present.now - maxPeriodLengthMs(period)
  return calendarPeriodSpan(period, present).start
}

/** When a bucket that counts now under a period counts no more, in milliseconds. */
export function pressureBucketExpiry(period: PressureLimit['period'], present: ZonedMoment, bucket: number): number {
  if (period.type === 'rolling') return bucket + PRESSURE_BUCKET_MS + maxPeriodLengthMs(period)
  return calendarPeriodSpan(period, present).end
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

/** When the clock next shows a time of a date, in milliseconds: of a doubled one that which is not over. */
function nextShown(local: Temporal.PlainDateTime, { now, zone }: ZonedMoment): number {
  const first = findFirstInstant(local, zone)
  if (first > now) return first
  return local.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
}

/** The end of a window that the clock is in, in milliseconds; undefined when it is outside. */
export function pressureWindowEnd(
  window: NonNullable<PressureLimit['window']>,
  present: ZonedMoment,
): number | undefined {
  const local = localOf(present)
  const [from, to] = [minutesOf(window.from), minutesOf(window.to)]
  const minute = local.hour * 60 + local.minute
  const isOvernight = to <= from
  const sinceYesterday = isOvernight && minute < to
  if (!sinceYesterday && (minute < from || (!isOvernight && minute >= to))) return undefined
  const date = local.toPlainDate()
  const begun = sinceYesterday ? date.subtract({ days: 1 }) : date
  if (window.daysOfWeek && !window.daysOfWeek.includes(begun.dayOfWeek)) return undefined
  const last = isOvernight ? begun.add({ days: 1 }) : begun
  return nextShown(last.toPlainDateTime(Temporal.PlainTime.from(window.to)), present)
}

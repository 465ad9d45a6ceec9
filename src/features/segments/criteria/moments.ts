import { formatIsoInstant } from '../../../lib/time/period.ts'
import type {
  CriteriaDayRange,
  CriteriaMoment,
  CriteriaTimeAmount,
  CriteriaTimeSpan,
  CriteriaTimeUnit,
} from './criteria-types.ts'

/** The present of criteria: milliseconds, and the account's IANA zone, by whose days they are evaluated. */
export interface CriteriaPresent {
  now: number
  zone: string
  /** Set if days begin at midnight UTC, as fields store a date without a time; today still follows the zone. */
  storedDays?: boolean
}

/** Instants as ISO dates in UTC: start inclusive, end exclusive; an absent side is open. */
export interface CriteriaInstantBounds {
  start?: string
  end?: string
}

const FIRST = '0001-01-01T00:00:00.000Z'
const LAST = '9999-12-31T23:59:59.999Z'
const YEAR_DAYS = 366

/** Minutes and hours are of fixed length; all else is counted in days of a zone. */
const fixedMs: Partial<Record<CriteriaTimeUnit, number>> = { minute: 60_000, hour: 3_600_000 }

/** Beyond the years 0001 to 9999 nothing is stored: those bounds stand for anything beyond. */
function isoOf(ms: number): string {
  return formatIsoInstant(ms) ?? (ms < 0 ? FIRST : LAST)
}

function todayOf({ now, zone }: CriteriaPresent): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
}

/** The first instant of a day in the zone, not always midnight if clocks change; for stored days, midnight UTC. */
function startOf(day: Temporal.PlainDate, { zone, storedDays = false }: CriteriaPresent): string {
  return isoOf(day.toZonedDateTime(storedDays ? 'UTC' : zone).epochMilliseconds)
}

function duration({ value, unit }: CriteriaTimeAmount): Temporal.DurationLike {
  return { [`${unit}s`]: value }
}

/** The instant of a moment; units from day up give the start of a day. */
export function resolveCriteriaMoment(moment: CriteriaMoment, present: CriteriaPresent): string {
  if (typeof moment === 'string') return moment
  const [amount, sign] = 'ago' in moment ? [moment.ago, -1] : [moment.ahead, 1]
  const fixed = fixedMs[amount.unit]
  if (fixed !== undefined) return isoOf(present.now + sign * amount.value * fixed)
  const distance = Temporal.Duration.from(duration(amount))
  const today = todayOf(present)
  return startOf(sign < 0 ? today.subtract(distance) : today.add(distance), present)
}

/** The instants of a span; units from day up make whole days of the zone, today among them. */
export function resolveCriteriaTimeSpan(span: CriteriaTimeSpan, present: CriteriaPresent): CriteriaInstantBounds {
  if ('last' in span) {
    const fixed = fixedMs[span.last.unit]
    // What happens at this very millisecond is part of the last hour.
    if (fixed !== undefined) {
      return { start: isoOf(present.now - span.last.value * fixed), end: isoOf(present.now + 1) }
    }
    const tomorrow = todayOf(present).add({ days: 1 })
    const first = todayOf(present).subtract(duration(span.last)).add({ days: 1 })
    return { start: startOf(first, present), end: startOf(tomorrow, present) }
  }
  if ('next' in span) {
    const fixed = fixedMs[span.next.unit]
    if (fixed !== undefined) return { start: isoOf(present.now), end: isoOf(present.now + span.next.value * fixed) }
    const today = todayOf(present)
    return { start: startOf(today, present), end: startOf(today.add(duration(span.next)), present) }
  }
  return span
}

/**
 * The days of the year (`MM-DD`) that a range of days from today touches; undefined when it is all of them. In common
 * years the 28th of February is the 29th too.
 */
export function listAnniversaryDays({ from, to }: CriteriaDayRange, present: CriteriaPresent): string[] | undefined {
  if (to - from >= YEAR_DAYS) return undefined
  const today = todayOf(present)
  const days = Array.from({ length: to - from + 1 }, (_, index) => today.add({ days: from + index }))
  const leapDays = days.some((day) => day.month === 2 && day.day === 28 && !day.inLeapYear) ? ['02-29'] : []
  return [...new Set([...days.map((day) => day.toString().slice(-5)), ...leapDays])]
}

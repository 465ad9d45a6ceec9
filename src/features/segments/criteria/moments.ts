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

const FIRST_INSTANT = '0001-01-01T00:00:00.000Z'
const LAST_INSTANT = '9999-12-31T23:59:59.999Z'
const MAX_YEAR_DAYS = 366

/** Minutes and hours are of fixed length; all else is counted in days of a zone. */
const fixedUnitMs: Partial<Record<CriteriaTimeUnit, number>> = { minute: 60_000, hour: 3_600_000 }

/** Beyond the years 0001 to 9999 nothing is stored: those bounds stand for anything beyond. */
function formatBoundedIso(ms: number): string {
  return formatIsoInstant(ms) ?? (ms < 0 ? FIRST_INSTANT : LAST_INSTANT)
}

function resolveToday({ now, zone }: CriteriaPresent): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate()
}

/** The first instant of a day in the zone, not always midnight if clocks change; for stored days, midnight UTC. */
function findDayStart(day: Temporal.PlainDate, { zone, storedDays = false }: CriteriaPresent): string {
  return formatBoundedIso(day.toZonedDateTime(storedDays ? 'UTC' : zone).epochMilliseconds)
}

function toDuration({ value, unit }: CriteriaTimeAmount): Temporal.DurationLike {
  return { [`${unit}s`]: value }
}

/** The instant of a moment; units from day up give the start of a day. */
export function resolveCriteriaMoment(moment: CriteriaMoment, present: CriteriaPresent): string {
  if (typeof moment === 'string') return moment
  const [amount, sign] = 'ago' in moment ? [moment.ago, -1] : [moment.ahead, 1]
  const unitMs = fixedUnitMs[amount.unit]
  if (unitMs !== undefined) return formatBoundedIso(present.now + sign * amount.value * unitMs)
  const amountDuration = Temporal.Duration.from(toDuration(amount))
  const today = resolveToday(present)
  return findDayStart(sign < 0 ? today.subtract(amountDuration) : today.add(amountDuration), present)
}

/** The instants of a span; units from day up make whole days of the zone, today among them. */
export function resolveCriteriaTimeSpan(span: CriteriaTimeSpan, present: CriteriaPresent): CriteriaInstantBounds {
  if ('last' in span) {
    const unitMs = fixedUnitMs[span.last.unit]
    // What happens at this very millisecond is part of the last hour.
    if (unitMs !== undefined) {
      return { start: formatBoundedIso(present.now - span.last.value * unitMs), end: formatBoundedIso(present.now + 1) }
    }
    const tomorrow = resolveToday(present).add({ days: 1 })
    const firstDay = resolveToday(present).subtract(toDuration(span.last)).add({ days: 1 })
    return { start: findDayStart(firstDay, present), end: findDayStart(tomorrow, present) }
  }
  if ('next' in span) {
    const unitMs = fixedUnitMs[span.next.unit]
    if (unitMs !== undefined)
      return { start: formatBoundedIso(present.now), end: formatBoundedIso(present.now + span.next.value * unitMs) }
    const today = resolveToday(present)
    return { start: findDayStart(today, present), end: findDayStart(today.add(toDuration(span.next)), present) }
  }
  return span
}

/**
 * The days of the year (`MM-DD`) that a range of days from today touches; undefined when it is all of them. In common
 * years the 28th of February is the 29th too.
 */
export function listAnniversaryDays({ from, to }: CriteriaDayRange, present: CriteriaPresent): string[] | undefined {
  if (to - from >= MAX_YEAR_DAYS) return undefined
  const today = resolveToday(present)
  const anniversaryDays = Array.from({ length: to - from + 1 }, (_, index) => today.add({ days: from + index }))
  const leapDays = anniversaryDays.some((day) => day.month === 2 && day.day === 28 && !day.inLeapYear) ? ['02-29'] : []
  return [...new Set([...anniversaryDays.map((day) => day.toString().slice(-5)), ...leapDays])]
}

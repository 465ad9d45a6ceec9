import type { Span } from '../../shapes/values.ts'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Units that are exact durations; the others keep the time of the clock. */
const EXACT_MS = { MILLISECOND: 1, SECOND: 1000, MINUTE: 60_000, HOUR: HOUR_MS } as const
const CALENDAR_MS = { DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS, YEAR: 365 * DAY_MS } as const
const NAMES = {
  MILLISECOND: 'milliseconds',
  SECOND: 'seconds',
  MINUTE: 'minutes',
  HOUR: 'hours',
  DAY: 'days',
  WEEK: 'weeks',
  MONTH: 'months',
  YEAR: 'years',
} as const

/** How long a span is, in milliseconds; months have 30 days, years 365. */
export function lengthOf({ unit, value }: Span): number {
  return value * { ...EXACT_MS, ...CALENDAR_MS }[unit]
}

function isExact(unit: Span['unit']): unit is keyof typeof EXACT_MS {
  return unit in EXACT_MS
}

/** The first instant (milliseconds) at which clocks show a time, or the first after it where they skip it. */
export function instantOf(local: Temporal.PlainDateTime, zone: string): number {
  const zoned = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (zoned.toPlainDateTime().equals(local)) return zoned.epochMilliseconds
  const after = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('next')
  return (after ?? local.toZonedDateTime(zone)).epochMilliseconds
}

/** The time that clocks of a zone show. */
export function localOf(at: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime()
}

/** The beginning of the unit that a local time is in; weeks begin on Monday. */
function startOf(local: Temporal.PlainDateTime, unit: Span['unit']): Temporal.PlainDateTime {
  const date = local.toPlainDate()
  switch (unit) {
    case 'YEAR':
      return date.with({ month: 1, day: 1 }).toPlainDateTime()
    case 'MONTH':
      return date.with({ day: 1 }).toPlainDateTime()
    case 'WEEK':
      return date.subtract({ days: date.dayOfWeek - 1 }).toPlainDateTime()
    case 'DAY':
      return date.toPlainDateTime()
    default:
      return local.round({ smallestUnit: unit.toLowerCase() as 'hour', roundingMode: 'floor' })
  }
}

/** The end (milliseconds) of a span that begins at an instant, by the clock of a zone. */
export function endOf(span: Span, from: number, zone: string): number {
  const { type, unit, value } = span
  const amount = { [NAMES[unit]]: value }
  if (type === 'calendar') return instantOf(startOf(localOf(from, zone), unit).add(amount), zone)
  if (isExact(unit)) return from + value * EXACT_MS[unit]
  return instantOf(localOf(from, zone).add(amount), zone)
}

/** When a span that ends at an instant began. */
export function beginningOf(span: Span, to: number, zone: string): number {
  const { type, unit, value } = span
  const amount = { [NAMES[unit]]: value }
  if (type === 'calendar')
    return instantOf(startOf(localOf(to, zone), unit).subtract({ [NAMES[unit]]: value - 1 }), zone)
  if (isExact(unit)) return to - value * EXACT_MS[unit]
  return instantOf(localOf(to, zone).subtract(amount), zone)
}

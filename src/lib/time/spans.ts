/** Units of spans, shortest first. */
export const timeSpanUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

/** A span of time; `calendar`: it goes by the starts of units. */
export interface TimeSpan {
  type: 'rolling' | 'calendar'
  unit: (typeof timeSpanUnits)[number]
  value: number
}

/** Every hour and day of every zone begins at one. */
export const QUARTER_HOUR_MS = 900_000
export const HOUR_MS = 4 * QUARTER_HOUR_MS
export const DAY_MS = 24 * HOUR_MS

/** Units that are exact durations; the others keep the time of the clock. */
const EXACT_MS = { MILLISECOND: 1, SECOND: 1000, MINUTE: 60_000, HOUR: HOUR_MS } as const
const CALENDAR_MS = { DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS, YEAR: 365 * DAY_MS } as const
const UNIT_NAMES = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const

/** The length of a span in milliseconds; months have 30 days, years 365. */
export function timeSpanLengthMs({ unit, value }: Pick<TimeSpan, 'unit' | 'value'>): number {
  return value * { ...EXACT_MS, ...CALENDAR_MS }[unit]
}

function isExactUnit(unit: TimeSpan['unit']): unit is keyof typeof EXACT_MS {
  return unit in EXACT_MS
}

/** The first instant (milliseconds) at which clocks of a zone show a time, or the first after it where they skip it. */
export function findFirstInstant(localTime: Temporal.PlainDateTime, zone: string): number {
  const zonedDateTime = localTime.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (zonedDateTime.toPlainDateTime().equals(localTime)) return zonedDateTime.epochMilliseconds
  // The change of clocks itself may be that instant.
  const nextTransition = zonedDateTime.add({ nanoseconds: 1 }).getTimeZoneTransition('next')
  return (nextTransition ?? localTime.toZonedDateTime(zone)).epochMilliseconds
}

/** The time that clocks of a zone show at an instant (milliseconds). */
export function toLocalDateTime(at: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime()
}

/** The beginning of the unit that a local time is in; weeks begin on Monday. */
function getUnitStart(localTime: Temporal.PlainDateTime, unit: TimeSpan['unit']): Temporal.PlainDateTime {
  const date = localTime.toPlainDate()
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
      return localTime.round({ smallestUnit: unit.toLowerCase() as 'hour', roundingMode: 'floor' })
  }
}

/** The instant at which the unit began that an instant is in: of a doubled hour the pass that it is in. */
function findExactUnitStart(at: number, unit: TimeSpan['unit'], zone: string): number {
  const localTime = toLocalDateTime(at, zone)
  return at - localTime.since(getUnitStart(localTime, unit)).total('milliseconds')
}

/**
 * The end (milliseconds) of a span that begins at an instant: hours and less are exact, days and more keep the time that clocks of the
 * zone show (31 January and a month: the last of February). `calendar`: from the start of the unit. Throws RangeError for an
 * unknown zone.
 */
export function computeTimeSpanEnd({ type, unit, value }: TimeSpan, from: number, zone: string): number {
  if (isExactUnit(unit))
    return (type === 'calendar' ? findExactUnitStart(from, unit, zone) : from) + value * EXACT_MS[unit]
  const localTime = toLocalDateTime(from, zone)
  return findFirstInstant(
    (type === 'calendar' ? getUnitStart(localTime, unit) : localTime).add({ [UNIT_NAMES[unit]]: value }),
    zone,
  )
}

/** The start of a span that ends at an instant; a calendar span contains the unit that the instant is in. */
export function computeTimeSpanStart({ type, unit, value }: TimeSpan, to: number, zone: string): number {
  const isCalendar = type === 'calendar'
  if (isExactUnit(unit))
    return isCalendar ? findExactUnitStart(to, unit, zone) - (value - 1) * EXACT_MS[unit] : to - value * EXACT_MS[unit]
  const localTime = toLocalDateTime(to, zone)
  const [lastLocalTime, units] = isCalendar ? [getUnitStart(localTime, unit), value - 1] : [localTime, value]
  return findFirstInstant(lastLocalTime.subtract({ [UNIT_NAMES[unit]]: units }), zone)
}

/** A span of time as workflows and scripts write it. */
export interface Period {
  type?: 'rolling' | 'calendar'
  unit: 'MILLISECOND' | 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  value: number
}

const EXACT: Record<string, number> = { MILLISECOND: 1, SECOND: 1000, MINUTE: 60_000, HOUR: 3_600_000 }
const CALENDAR: Record<string, 'days' | 'weeks' | 'months' | 'years'> = {
  DAY: 'days',
  WEEK: 'weeks',
  MONTH: 'months',
  YEAR: 'years',
}

function startOf(date: Temporal.ZonedDateTime, unit: string): Temporal.PlainDateTime {
  const day = date.toPlainDate()
  const midnight = { hour: 0 }
  if (unit === 'WEEK') return day.subtract({ days: day.dayOfWeek - 1 }).toPlainDateTime(midnight)
  if (unit === 'MONTH') return day.with({ day: 1 }).toPlainDateTime(midnight)
  if (unit === 'YEAR') return day.with({ day: 1, month: 1 }).toPlainDateTime(midnight)
  if (unit === 'DAY') return day.toPlainDateTime(midnight)
  const smallestUnit = unit.toLowerCase() as 'hour' | 'minute' | 'second' | 'millisecond'
  return date.toPlainDateTime().round({ smallestUnit, roundingMode: 'floor' })
}

/** The instant of a time of day: in a gap the first instant after it, of two the first. */
function instantOf(wall: Temporal.PlainDateTime, zone: string): number {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (earlier.toPlainDateTime().equals(wall)) return earlier.epochMilliseconds
  const after = earlier.getTimeZoneTransition('next')
  return (after ?? earlier).epochMilliseconds
}

/**
 * A period after an instant: hours and less are exact, days and more keep the time of day of the zone (31 January and a
 * month: the last of February). `calendar`: from the start of the unit. Throws RangeError for an unknown zone or unit.
 */
export function addPeriod(ms: number, { type = 'rolling', unit, value }: Period, zone: string): number {
  const date = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
  const exact = Object.hasOwn(EXACT, unit) ? EXACT[unit] : undefined
  const calendar = Object.hasOwn(CALENDAR, unit) ? CALENDAR[unit] : undefined
  if (exact === undefined && calendar === undefined)
    throw new RangeError(`the unit of a period is one of ${Object.keys({ ...EXACT, ...CALENDAR }).join(', ')}`)
  const start = type === 'calendar' ? startOf(date, unit) : date.toPlainDateTime()
  if (calendar !== undefined) return instantOf(start.add({ [calendar]: value }), zone)
  const from = type === 'calendar' ? instantOf(start, zone) : ms
  return from + value * exact!
}

/** Days of a week as schedules name them, Monday first as ISO 8601 does. */
export const ISO_WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type IsoWeekday = (typeof ISO_WEEKDAYS)[number]

export type ScheduleOccurrence =
  | { type: 'daily' }
  | { type: 'weekly'; days: IsoWeekday[] }
  | { type: 'monthly'; days: number[] }

/** A time of the day, to the second. */
export interface TimeOfDay {
  hour: number
  minute: number
  second: number
}

export type SchedulePeriodicity = { type: 'once'; value: TimeOfDay } | { type: 'every'; value: { minutes: number } }

/** When something happens again and again, in one time zone. Bounds in milliseconds: start inclusive, end exclusive. */
export interface ImportSchedule {
  occurs: ScheduleOccurrence
  periodicity: SchedulePeriodicity
  start: number | undefined
  end: number | undefined
}

/** Longer than any month: a day that occurs at all is found within. */
const MAX_DAYS = 32

function occursOn(occurs: ScheduleOccurrence, day: Temporal.PlainDate): boolean {
  switch (occurs.type) {
    case 'daily':
      return true
    case 'weekly':
      return occurs.days.some((name) => ISO_WEEKDAYS.indexOf(name) + 1 === day.dayOfWeek)
    case 'monthly':
      // For a day that the month lacks, its last.
      return occurs.days.some((number) => Math.min(number, day.daysInMonth) === day.day)
  }
}

/**
 * The first instant of a day from `from` on. A time of the clock that a change to summer time skips comes as much later
 * as the gap is long, one that comes twice is the first; every so many minutes counts from the day's beginning.
 */
function onDay(
  day: Temporal.PlainDate,
  periodicity: SchedulePeriodicity,
  zone: string,
  from: number,
): number | undefined {
  if (periodicity.type === 'once') {
    const at = day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(periodicity.value) })
    return at.epochMilliseconds >= from ? at.epochMilliseconds : undefined
  }
  const begin = day.toZonedDateTime(zone).epochMilliseconds
  const end = day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  const step = periodicity.value.minutes * 60_000
  const at = begin + Math.max(0, Math.ceil((from - begin) / step)) * step
  return at < end ? at : undefined
}

/** The first instant of a schedule later than `after`, in milliseconds; undefined when there is none any more. */
export function findNextScheduleTick(
  { occurs, periodicity, start, end }: ImportSchedule,
  zone: string,
  after: number,
): number | undefined {
  const from = Math.max(after + 1, start ?? after + 1)
  let day = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate()
  for (let days = 0; days <= MAX_DAYS; days++, day = day.add({ days: 1 })) {
    const at = occursOn(occurs, day) ? onDay(day, periodicity, zone, from) : undefined
    if (at !== undefined) return end === undefined || at < end ? at : undefined
  }
  return undefined
}

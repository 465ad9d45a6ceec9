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

/** A recurrence in one time zone. Bounds in milliseconds: start inclusive, end exclusive. */
export interface ImportSchedule {
  occurs: ScheduleOccurrence
  periodicity: SchedulePeriodicity
  start: number | undefined
  end: number | undefined
}

/** Longer than any month: a day that occurs at all is found within. */
const MAX_SEARCH_DAYS = 32

function occursOnDay(occurs: ScheduleOccurrence, day: Temporal.PlainDate): boolean {
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
 * The first instant of a day at or after `from`. A clock time that a change to summer time skips is later by the length of the gap. Of a
 * clock time that occurs twice, the first counts. Intervals in minutes count from the beginning of the day.
 */
function findInstantOnDay(
  day: Temporal.PlainDate,
  periodicity: SchedulePeriodicity,
  zone: string,
  from: number,
): number | undefined {
  if (periodicity.type === 'once') {
    const clockTime = day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(periodicity.value) })
    return clockTime.epochMilliseconds >= from ? clockTime.epochMilliseconds : undefined
  }
  const dayStart = day.toZonedDateTime(zone).epochMilliseconds
  const dayEnd = day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  const intervalMs = periodicity.value.minutes * 60_000
  const at = dayStart + Math.max(0, Math.ceil((from - dayStart) / intervalMs)) * intervalMs
  return at < dayEnd ? at : undefined
}

/** The first instant of a schedule later than `after`, in milliseconds; `undefined` if no further one follows. */
export function findNextScheduleTick(
  { occurs, periodicity, start, end }: ImportSchedule,
  zone: string,
  after: number,
): number | undefined {
  const earliestMs = Math.max(after + 1, start ?? after + 1)
  let scheduleDay = Temporal.Instant.fromEpochMilliseconds(earliestMs).toZonedDateTimeISO(zone).toPlainDate()
  for (
    let searchedDays = 0;
    searchedDays <= MAX_SEARCH_DAYS;
    searchedDays++, scheduleDay = scheduleDay.add({ days: 1 })
  ) {
    const tickMs = occursOnDay(occurs, scheduleDay)
      ? findInstantOnDay(scheduleDay, periodicity, zone, earliestMs)
      : undefined
    if (tickMs !== undefined) return end === undefined || tickMs < end ? tickMs : undefined
  }
  return undefined
}

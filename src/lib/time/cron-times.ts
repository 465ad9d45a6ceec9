import type { CronFields } from './cron.ts'
import { toLocalDateTime } from './spans.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** 29 February is eight years away at most: 2100 is no leap year. */
const MAX_YEARS_AHEAD = 9

const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** The times at which something fires, in numbers. */
interface CronTimes {
  minutes: readonly number[]
  hours: readonly number[]
  months: ReadonlySet<number>
  daysOfMonth: ReadonlySet<number>
  isLastDay: boolean
  daysOfWeek: ReadonlySet<number>
  /** Both days are restricted: either suffices. */
  isEither: boolean
  /** The hour is every one, or has a step: it fires whenever clocks show the time. Else once a day for each time. */
  isRecurring: boolean
}

interface FieldRange {
  from: number
  to: number
  names?: readonly string[]
  /** The number of the first name. */
  firstName?: number
}

/** The numbers that a field stands for, ascending. The field is readable. */
function expandField(field: string, { from, to, names = [], firstName = 0 }: FieldRange): number[] {
  const toNumber = (text: string): number => {
    const nameIndex = names.indexOf(text.toUpperCase())
    return nameIndex < 0 ? Number(text) : nameIndex + firstName
  }
  const fieldNumbers = new Set<number>()
  for (const item of field.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    if (/^l$/i.test(range)) continue
    const [low = '', high = low] = range.split('-')
    const [rangeStart, rangeEnd] = /^[*?]$/.test(range) ? [from, to] : [toNumber(low), toNumber(high)]
    // Sunday is the last day of the week as well.
    const wrappedEnd = rangeEnd < rangeStart && rangeEnd === 0 ? 7 : rangeEnd
    for (let fieldNumber = rangeStart; fieldNumber <= wrappedEnd; fieldNumber += Number(step))
      fieldNumbers.add(fieldNumber)
  }
  return [...fieldNumbers].sort((a, b) => a - b)
}

const isWildcard = (field: string): boolean => field === '*' || field === '?'

function parseCronTimes({ minute, hour, dayOfMonth, month, dayOfWeek }: CronFields): CronTimes {
  return {
    minutes: expandField(minute, { from: 0, to: 59 }),
    hours: expandField(hour, { from: 0, to: 23 }),
    months: new Set(expandField(month, { from: 1, to: 12, names: MONTH_NAMES, firstName: 1 })),
    daysOfMonth: new Set(expandField(dayOfMonth, { from: 1, to: 31 })),
    isLastDay: dayOfMonth.split(',').some((item) => /^l$/i.test(item)),
    daysOfWeek: new Set(expandField(dayOfWeek, { from: 0, to: 6, names: DAY_NAMES }).map((day) => day % 7)),
    isEither: !isWildcard(dayOfMonth) && !isWildcard(dayOfWeek),
    isRecurring: /[*?/]/.test(hour),
  }
}

/** Returns true if it fires on a day, specified as midnight of its date as if in UTC. */
function firesOnDay({ daysOfMonth, isLastDay, daysOfWeek, isEither }: CronTimes, day: number): boolean {
  const utcDate = new Date(day)
  const isDayOfMonth =
    daysOfMonth.has(utcDate.getUTCDate()) ||
    (isLastDay && new Date(day + DAY_MS).getUTCMonth() !== utcDate.getUTCMonth())
  const isDayOfWeek = daysOfWeek.has(utcDate.getUTCDay())
  return isEither ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek
}

/** A part of a day in which clocks are not put forward or back: from an instant to another, and what clocks show less UTC. */
interface DayPart {
  from: number
  to: number
  offset: number
}

/** A day, as midnight of its date as if in UTC, and the instant after which to look. */
interface DayPosition {
  day: number
  after: number
}

function findStartOfDay(day: number, zone: string): Temporal.ZonedDateTime {
  const utcDate = new Date(day)
  const [year, month] = [utcDate.getUTCFullYear(), utcDate.getUTCMonth() + 1]
  return Temporal.PlainDate.from({ year, month, day: utcDate.getUTCDate() }).toZonedDateTime(zone)
}

function splitDay(day: number, zone: string): DayPart[] {
  const dayEnd = findStartOfDay(day + DAY_MS, zone).epochMilliseconds
  const parts: DayPart[] = []
  let dayPosition: Temporal.ZonedDateTime = findStartOfDay(day, zone)
  while (dayPosition.epochMilliseconds < dayEnd) {
    const nextTransition: Temporal.ZonedDateTime | null = dayPosition.getTimeZoneTransition('next')
    const partEnd = Math.min(dayEnd, nextTransition?.epochMilliseconds ?? dayEnd)
    parts.push({ from: dayPosition.epochMilliseconds, to: partEnd, offset: dayPosition.offsetNanoseconds / 1e6 })
    if (!nextTransition) break
    dayPosition = nextTransition
  }
  // A day that clocks leave out is an instant.
  return parts.length > 0 ? parts : [{ from: dayEnd, to: dayEnd, offset: 0 }]
}

/** The first instant at which clocks show a time of the day, or the first after it where they leave it out. */
function findFirstPass(parts: readonly DayPart[], local: number): number {
  for (const { from, to, offset } of parts) {
    if (local < from + offset) return from
    if (local < to + offset) return local - offset
  }
  return parts.at(-1)!.to
}

/** The first instant of a part, after another, at which clocks show one of the times of a day. */
function findPassAfter(part: DayPart, { hours, minutes }: CronTimes, { day, after }: DayPosition): number | undefined {
  const dayStart = day - part.offset
  for (const hour of hours) {
    const hourStart = dayStart + hour * HOUR_MS
    if (hourStart + HOUR_MS <= after) continue
    for (const minute of minutes) {
      const instant = hourStart + minute * MINUTE_MS
      if (instant >= part.to) return undefined
      if (instant >= part.from && instant > after) return instant
    }
  }
  return undefined
}

/** The first time on a day after an instant. */
function findFirstOnDay(times: CronTimes, zone: string, { day, after }: DayPosition): number | undefined {
  const parts = splitDay(day, zone)
  if (times.isRecurring) {
    for (const part of parts) {
      const firstTime = findPassAfter(part, times, { day, after })
      if (firstTime !== undefined) return firstTime
    }
    return undefined
  }
  for (const hour of times.hours) {
    for (const minute of times.minutes) {
      const instant = findFirstPass(parts, day + (hour * 60 + minute) * MINUTE_MS)
      if (instant > after) return instant
    }
  }
  return undefined
}

/**
 * The next time at which a cron line fires after an instant (milliseconds) by the clock of an IANA time zone; undefined means never. If
 * clocks are put forward or back, an hour that is `*` or has a step fires at every minute that clocks show. Fixed hours fire once: at
 * their first pass, or at the first instant after the hours that are left out.
 */
export function findNextCronTime(fields: CronFields, zone: string, after: number): number | undefined {
  const times = parseCronTimes(fields)
  const { year, month, day: date } = toLocalDateTime(after, zone)
  const searchEnd = Date.UTC(year + MAX_YEARS_AHEAD, month - 1, date)
  for (let day = Date.UTC(year, month - 1, date); day < searchEnd; ) {
    const currentDay = new Date(day)
    if (!times.months.has(currentDay.getUTCMonth() + 1)) {
      day = Date.UTC(currentDay.getUTCFullYear(), currentDay.getUTCMonth() + 1, 1)
      continue
    }
    if (firesOnDay(times, day)) {
      const firstTime = findFirstOnDay(times, zone, { day, after })
      if (firstTime !== undefined) return firstTime
    }
    day += DAY_MS
  }
  return undefined
}

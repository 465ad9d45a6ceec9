import type { CronFields } from './cron.ts'
import { toLocalDateTime } from './spans.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** 29 February is eight years away at most: 2100 is no leap year. */
const YEARS_AHEAD = 9

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** When something fires, in numbers. */
interface Times {
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

interface Range {
  from: number
  to: number
  names?: readonly string[]
  /** What the first name stands for. */
  firstName?: number
}

/** The numbers that a field stands for, ascending. The field is readable. */
function numbersOf(field: string, { from, to, names = [], firstName = 0 }: Range): number[] {
  const numberOf = (text: string): number => {
    const named = names.indexOf(text.toUpperCase())
    return named < 0 ? Number(text) : named + firstName
  }
  const found = new Set<number>()
  for (const item of field.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    if (/^l$/i.test(range)) continue
    const [low = '', high = low] = range.split('-')
    const [least, most] = /^[*?]$/.test(range) ? [from, to] : [numberOf(low), numberOf(high)]
    // Sunday is the last day of the week as well.
    const end = most < least && most === 0 ? 7 : most
    for (let number = least; number <= end; number += Number(step)) found.add(number)
  }
  return [...found].sort((a, b) => a - b)
}

const isEvery = (field: string): boolean => field === '*' || field === '?'

function timesOf({ minute, hour, dayOfMonth, month, dayOfWeek }: CronFields): Times {
  return {
    minutes: numbersOf(minute, { from: 0, to: 59 }),
    hours: numbersOf(hour, { from: 0, to: 23 }),
    months: new Set(numbersOf(month, { from: 1, to: 12, names: MONTHS, firstName: 1 })),
    daysOfMonth: new Set(numbersOf(dayOfMonth, { from: 1, to: 31 })),
    isLastDay: dayOfMonth.split(',').some((item) => /^l$/i.test(item)),
    daysOfWeek: new Set(numbersOf(dayOfWeek, { from: 0, to: 6, names: DAYS }).map((day) => day % 7)),
    isEither: !isEvery(dayOfMonth) && !isEvery(dayOfWeek),
    isRecurring: /[*?/]/.test(hour),
  }
}

/** Whether it fires on a day: midnight of its date, as if in UTC. */
function isOn({ daysOfMonth, isLastDay, daysOfWeek, isEither }: Times, day: number): boolean {
  const date = new Date(day)
  const isDayOfMonth =
    daysOfMonth.has(date.getUTCDate()) || (isLastDay && new Date(day + DAY_MS).getUTCMonth() !== date.getUTCMonth())
  const isDayOfWeek = daysOfWeek.has(date.getUTCDay())
  return isEither ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek
}

/** A part of a day in which clocks are not put forward or back: from an instant to another, and what clocks show less UTC. */
interface Part {
  from: number
  to: number
  offset: number
}

function startOfDay(day: number, zone: string): Temporal.ZonedDateTime {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
  return Temporal.PlainDate.from({ year, month, day: date.getUTCDate() }).toZonedDateTime(zone)
}

function partsOf(day: number, zone: string): Part[] {
  const end = startOfDay(day + DAY_MS, zone).epochMilliseconds
  const parts: Part[] = []
  let at: Temporal.ZonedDateTime = startOfDay(day, zone)
  while (at.epochMilliseconds < end) {
    const next: Temporal.ZonedDateTime | null = at.getTimeZoneTransition('next')
    const to = Math.min(end, next?.epochMilliseconds ?? end)
    parts.push({ from: at.epochMilliseconds, to, offset: at.offsetNanoseconds / 1e6 })
    if (!next) break
    at = next
  }
  // A day that clocks leave out is an instant.
  return parts.length > 0 ? parts : [{ from: end, to: end, offset: 0 }]
}

/** The first instant at which clocks show a time of the day, or the first after it where they leave it out. */
function firstPass(parts: readonly Part[], local: number): number {
  for (const { from, to, offset } of parts) {
    if (local < from + offset) return from
    if (local < to + offset) return local - offset
  }
  return parts.at(-1)!.to
}

/** Every instant of a part at which clocks show one of the times, ascending. */
function passesIn({ from, to, offset }: Part, { hours, minutes }: Times, day: number): number[] {
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => {
      const at = day + (hour * 60 + minute) * MINUTE_MS - offset
      return at >= from && at < to ? [at] : []
    }),
  )
}

/** The first time on a day after an instant. */
function firstOn(day: number, times: Times, { zone, after }: { zone: string; after: number }): number | undefined {
  const parts = partsOf(day, zone)
  if (times.isRecurring) {
    for (const part of parts) {
      if (part.to <= after) continue
      const found = passesIn(part, times, day).find((at) => at > after)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const hour of times.hours) {
    for (const minute of times.minutes) {
      const at = firstPass(parts, day + (hour * 60 + minute) * MINUTE_MS)
      if (at > after) return at
    }
  }
  return undefined
}

/**
 * When a cron line fires next after an instant (milliseconds) by the clock of an IANA time zone; undefined: never. Where clocks are
 * put forward or back, an hour that is `*` or has a step fires at every minute that clocks show; fixed hours fire once: at their
 * first pass, or at the first instant after the hours that are left out.
 */
export function findNextCronTime(fields: CronFields, zone: string, after: number): number | undefined {
  const times = timesOf(fields)
  const { year, month, day: date } = toLocalDateTime(after, zone)
  const end = Date.UTC(year + YEARS_AHEAD, month - 1, date)
  for (let day = Date.UTC(year, month - 1, date); day < end; ) {
    const here = new Date(day)
    if (!times.months.has(here.getUTCMonth() + 1)) {
      day = Date.UTC(here.getUTCFullYear(), here.getUTCMonth() + 1, 1)
      continue
    }
    if (isOn(times, day)) {
      const found = firstOn(day, times, { zone, after })
      if (found !== undefined) return found
    }
    day += DAY_MS
  }
  return undefined
}

import { parseDateText } from '../../../lib/time/period.ts'

/** A moment as the clock on a wall shows it: `wall` holds the local figures in its UTC members. */
interface LocalMoment {
  wall: Date
  epochMs: number
  offsetMinutes: number
}

/** Context for formatting a date: the culture, the zone of the contact, the current time of the message. */
export interface DateFormatContext {
  culture: string
  zone: string
  now: number
}

/** Formats dates in one culture; Intl objects are slow to make and are kept. */
export interface DateFormatter {
  /** A date by a Liquid (strftime) format or one of the names short, medium, long, full. What is no date comes back. */
  format(value: unknown, format: string, setting: Omit<DateFormatContext, 'culture'>): unknown
}

const NAMED_STYLES = ['short', 'medium', 'long', 'full'] as const
const DIRECTIVE_PATTERN = /%([-_0^#:]*)(\d{0,3})([A-Za-z%])/g

export function createDateFormatter(culture: string): DateFormatter {
  const cachedFormats = new Map<string, Intl.DateTimeFormat>()

  function formatIntl(wall: Date, options: Intl.DateTimeFormatOptions): string {
    const key = JSON.stringify(options)
    let formatter = cachedFormats.get(key)
    if (formatter === undefined)
      cachedFormats.set(key, (formatter = new Intl.DateTimeFormat(culture, { ...options, timeZone: 'UTC' })))
    return formatter.format(wall)
  }

  function directive(moment: LocalMoment, conversion: string, colons: boolean): string | undefined {
    const localOptions = LOCAL_DIRECTIVES[conversion]
    if (localOptions !== undefined) return formatIntl(moment.wall, localOptions)
    const composedFormat = COMPOSED_DIRECTIVES[conversion]
    if (composedFormat !== undefined) return formatDirectives(moment, composedFormat)
    return FIGURE_DIRECTIVES[conversion]?.(moment, colons)
  }

  function formatDirectives(moment: LocalMoment, format: string): string {
    return format.replace(DIRECTIVE_PATTERN, (whole, flags: string, width: string, conversion: string) => {
      const text = directive(moment, conversion, flags.includes(':'))
      return text === undefined ? whole : padDirective(applyCase(text, flags), flags, width, conversion)
    })
  }

  return {
    format(value, format, { zone, now }) {
      const localMoment = parseMoment(value, zone, now)
      if (localMoment === undefined) return value
      const namedStyle = NAMED_STYLES.find((name) => name === format)
      return namedStyle === undefined
        ? formatDirectives(localMoment, format)
        : formatIntl(localMoment.wall, { dateStyle: namedStyle })
    },
  }
}

/** Directives that follow the culture. */
const LOCAL_DIRECTIVES: Record<string, Intl.DateTimeFormatOptions> = {
  a: { weekday: 'short' },
  A: { weekday: 'long' },
  b: { month: 'short' },
  h: { month: 'short' },
  B: { month: 'long' },
  c: { dateStyle: 'medium', timeStyle: 'medium' },
  x: { dateStyle: 'short' },
  X: { timeStyle: 'medium' },
}

/** Directives that stand for several others. */
const COMPOSED_DIRECTIVES: Record<string, string> = {
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
}

const FIGURE_DIRECTIVES: Record<string, (moment: LocalMoment, colons: boolean) => string> = {
  C: ({ wall }) => String(Math.floor(wall.getUTCFullYear() / 100)),
  d: ({ wall }) => String(wall.getUTCDate()),
  e: ({ wall }) => String(wall.getUTCDate()),
  g: ({ wall }) => String((computeIsoDay(wall).yearOfWeek ?? 0) % 100),
  G: ({ wall }) => String(computeIsoDay(wall).yearOfWeek),
  H: ({ wall }) => String(wall.getUTCHours()),
  I: ({ wall }) => String(wall.getUTCHours() % 12 || 12),
  j: ({ wall }) => String(computeDayOfYear(wall)),
  k: ({ wall }) => String(wall.getUTCHours()),
  l: ({ wall }) => String(wall.getUTCHours() % 12 || 12),
  L: ({ wall }) => String(wall.getUTCMilliseconds()).padStart(3, '0'),
  m: ({ wall }) => String(wall.getUTCMonth() + 1),
  M: ({ wall }) => String(wall.getUTCMinutes()),
  N: ({ wall }) => `${String(wall.getUTCMilliseconds()).padStart(3, '0')}000000`,
  p: ({ wall }) => (wall.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: ({ wall }) => (wall.getUTCHours() < 12 ? 'am' : 'pm'),
  q: ({ wall }) => getOrdinalSuffix(wall.getUTCDate()),
  s: ({ epochMs }) => String(Math.floor(epochMs / 1000)),
  S: ({ wall }) => String(wall.getUTCSeconds()),
  u: ({ wall }) => String(wall.getUTCDay() || 7),
  U: ({ wall }) => String(computeWeekOfYear(wall, 0)),
  V: ({ wall }) => String(computeIsoDay(wall).weekOfYear),
  w: ({ wall }) => String(wall.getUTCDay()),
  W: ({ wall }) => String(computeWeekOfYear(wall, 1)),
  y: ({ wall }) => String(wall.getUTCFullYear() % 100),
  Y: ({ wall }) => String(wall.getUTCFullYear()),
  z: ({ offsetMinutes }, colons) => formatOffset(offsetMinutes, colons),
  Z: ({ offsetMinutes }) => (offsetMinutes === 0 ? 'UTC' : formatOffset(offsetMinutes, true)),
  t: () => '\t',
  n: () => '\n',
  '%': () => '%',
}

const DIRECTIVE_WIDTHS: Record<string, number> = { C: 2, d: 2, e: 2, H: 2, I: 2, j: 3, k: 2, l: 2, m: 2, M: 2, S: 2 }
const OTHER_DIRECTIVE_WIDTHS: Record<string, number> = { g: 2, G: 4, U: 2, V: 2, W: 2, y: 2, Y: 4 }
const BLANK_PADDED_DIRECTIVES = 'aAbBcehklpPxX'

function padDirective(text: string, flags: string, width: string, conversion: string): string {
  if (flags.includes('-')) return text
  const filler =
    flags.includes('_') || (BLANK_PADDED_DIRECTIVES.includes(conversion) && !flags.includes('0')) ? ' ' : '0'
  return text.padStart(Number(width) || DIRECTIVE_WIDTHS[conversion] || OTHER_DIRECTIVE_WIDTHS[conversion] || 0, filler)
}

function applyCase(text: string, flags: string): string {
  if (flags.includes('^')) return text.toUpperCase()
  if (!flags.includes('#')) return text
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
}

function getOrdinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

function computeDayOfYear(wall: Date): number {
  return Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / 86_400_000) + 1
}

/** The day in the ISO 8601 calendar, whose first week is the one with the first Thursday. */
function computeIsoDay(wall: Date): Temporal.PlainDate {
  return Temporal.PlainDate.from(wall.toISOString().slice(0, -1))
}

/** Weeks begin on `firstDay`; the days before the first one are in week 0. */
function computeWeekOfYear(wall: Date, firstDay: number): number {
  return Math.floor((computeDayOfYear(wall) + 6 - ((wall.getUTCDay() - firstDay + 7) % 7)) / 7)
}

function formatOffset(minutes: number, colons: boolean): string {
  const figures = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${figures.map((figure) => String(figure).padStart(2, '0')).join(colons ? ':' : '')}`
}

/** A day without a time, in either form of ISO 8601, or as fields store it. */
const DAY_PATTERN = /^\d{4}(?:-\d\d-\d\d(?:T00:00:00\.000Z)?|\d{4})$/

/** True if a value is a day without a time: `2026-03-20`, `20260320`, or as fields store it, at midnight UTC with milliseconds. */
export function isCalendarDay(value: unknown): boolean {
  return typeof value === 'string' && DAY_PATTERN.test(value.trim())
}

const ISO_LIKE_PATTERN = /^\d{4}-\d\d-\d\d/
const NOW_PATTERN = /^(?:now|today)$/i
/** The zone of a date as Ruby prints it: `2026-03-20 08:05:09 UTC`. */
const UTC_SUFFIX_PATTERN = / (?:UTC|GMT)$/
const NUMBER_PATTERN = /^-?\d{1,15}(?:\.\d{1,15})?$/

/**
 * Reads `now`, `today`, what fields of dates take, or what else Date.parse knows; numbers are milliseconds since 1970. A day without a time
 * (or as fields store it, at midnight UTC with milliseconds) is that day everywhere; a time without an offset is UTC. Undefined for anything else.
 */
function parseMoment(value: unknown, zone: string, now: number): LocalMoment | undefined {
  if (typeof value === 'number') return toLocalMoment(value, zone)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (NOW_PATTERN.test(text)) return toLocalMoment(now, zone)
  const date = parseDateText(text.replace(UTC_SUFFIX_PATTERN, 'Z'))
  if (date !== undefined) return toLocalMoment(Date.parse(date), isCalendarDay(text) ? 'UTC' : zone)
  // Of a day that no calendar has, Date.parse would make another one.
  if (ISO_LIKE_PATTERN.test(text)) return undefined
  if (NUMBER_PATTERN.test(text)) return toLocalMoment(Number(text), zone)
  const withoutZone = Date.parse(`${text} UTC`)
  return toLocalMoment(Number.isNaN(withoutZone) ? Date.parse(text) : withoutZone, zone)
}

function toLocalMoment(epochMs: number, zone: string): LocalMoment | undefined {
  const wholeMs = Math.trunc(epochMs)
  if (!(Math.abs(wholeMs) <= 8.64e15)) return undefined
  const zonedTime = Temporal.Instant.fromEpochMilliseconds(wholeMs).toZonedDateTimeISO(zone)
  const offsetMinutes = zonedTime.offsetNanoseconds / 60e9
  return { wall: new Date(wholeMs + offsetMinutes * 60_000), epochMs: wholeMs, offsetMinutes }
}

import { badRequestProblem, invalidRequestProblem, type ProblemFault } from '../errors/problem.ts'

const ISO_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?)?$/
/** ISO 8601, basic form: a day, or a day and a time in UTC. */
const BASIC_ISO_PATTERN = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2}))?$/
const MILLISECONDS_PATTERN = /^-?\d{1,15}$/
const MIN_INSTANT_MS = Date.parse('0001-01-01T00:00:00.000Z')
const MAX_INSTANT_MS = Date.parse('9999-12-31T23:59:59.999Z')
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The detail of a problem for a value that is no date. */
export const INVALID_DATE_DETAIL = 'must be an ISO 8601 date or a Unix time in milliseconds, in the years 0001 to 9999'

/** Returns true if the day exists in the calendar. */
export function isValidCalendarDate(year: number, month: number, day: number): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month >= 1 && day >= 1 && day <= (month === 2 && isLeapYear ? 29 : (MONTH_DAYS[month - 1] ?? 0))
}

/** `YYYY-MM-DDTHH:MM:SS.sssZ` of an instant in milliseconds since 1970; undefined outside the years 0001 to 9999. */
export function formatIsoInstant(ms: number): string | undefined {
  const isInRange = Number.isInteger(ms) && ms >= MIN_INSTANT_MS && ms <= MAX_INSTANT_MS
  return isInRange ? new Date(ms).toISOString() : undefined
}

function parseIso(text: string): string | undefined {
  const isoMatch = ISO_PATTERN.exec(text)
  if (!isoMatch) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = isoMatch
  if (!isValidCalendarDate(Number(year), Number(month), Number(day))) return undefined
  const [, sign, offsetHours = '00', offsetMinutes = '00'] = isoMatch.slice(8)
  if (minute > '59' || second > '60' || offsetHours > '23' || offsetMinutes > '59') return undefined
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  // Most dates are in UTC, and what they say is what is stored: imports read millions of them.
  if (sign === undefined && hour < '24' && second < '60' && year > '0000')
    return `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`
  const hourNumber = Number(hour)
  if (hourNumber > 24 || (hourNumber === 24 && (minute !== '00' || second !== '00' || Number(fraction) > 0)))
    return undefined
  const offsetMinutesTotal = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1)
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00.000Z`)
  const secondsOfDay = hourNumber * 3600 + (Number(minute) - offsetMinutesTotal) * 60 + Number(second)
  return formatIsoInstant(midnight + secondsOfDay * 1000 + Number(milliseconds))
}

/**
 * Reads an ISO 8601 date or date-time, also in its basic form of 8 or 14 digits, or a Unix time in milliseconds as other digits, as
 * `YYYY-MM-DDTHH:MM:SS.sssZ`: a date alone is midnight, what has no offset is UTC, and such texts sort as their dates. Undefined for
 * anything else, for days that no calendar has, and for instants outside the years 0001 to 9999.
 */
export function parseDateText(text: string): string | undefined {
  if (text.charAt(4) === '-' && text.charAt(0) !== '-') return parseIso(text)
  const basicMatch = BASIC_ISO_PATTERN.exec(text)
  if (basicMatch) {
    const [, year, month, day, hour = '00', minute = '00', second = '00'] = basicMatch
    return parseIso(`${year}-${month}-${day}T${hour}:${minute}:${second}`)
  }
  // Four digits are a year, and no date.
  return MILLISECONDS_PATTERN.test(text) && !/^\d{4}$/.test(text) ? formatIsoInstant(Number(text)) : undefined
}

/** The same for a JSON value, which may be a number of milliseconds; in milliseconds since 1970. */
export function parseInstant(value: unknown): number | undefined {
  const text =
    typeof value === 'number'
      ? formatIsoInstant(Math.trunc(value))
      : typeof value === 'string'
        ? // A "+" of an offset that a query turned into a blank is read as "+".
          parseDateText(value.trim().replace(/(:\d{2}(?:[.,]\d+)?) (\d{2}:?\d{2})$/, '$1+$2'))
        : undefined
  return text === undefined ? undefined : Date.parse(text)
}

/** The instant that a member of a body gives. Throws 400 with its pointer for what is no date. */
export function requireInstant(value: unknown, pointer: string): Date {
  const instant = parseInstant(value)
  if (instant === undefined) throw badRequestProblem(pointer, INVALID_DATE_DETAIL)
  return new Date(instant)
}

/** A span of time: start inclusive, end exclusive, in milliseconds; undefined leaves a side open. */
export interface TimePeriod {
  start: number | undefined
  end: number | undefined
}

/**
 * Reads the two parameters of a period, whose names are given for the errors. Throws 400 for what is no date, and
 * for an end before the start.
 */
export function parseTimePeriod(query: Record<string, unknown>, startName = 'start', endName = 'end'): TimePeriod {
  const faults: ProblemFault[] = []
  const readBoundary = (name: string): number | undefined => {
    const rawValue = query[name]
    if (rawValue === undefined || rawValue === '') return undefined
    // Digits of a query are milliseconds, of any length.
    const instant = parseInstant(
      typeof rawValue === 'string' && MILLISECONDS_PATTERN.test(rawValue) ? Number(rawValue) : rawValue,
    )
    if (instant === undefined) faults.push({ pointer: name, detail: INVALID_DATE_DETAIL })
    return instant
  }
  const period = { start: readBoundary(startName), end: readBoundary(endName) }
  if (period.start !== undefined && period.end !== undefined && period.end < period.start) {
    faults.push({ pointer: endName, detail: `must not be before "${startName}"` })
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return period
}

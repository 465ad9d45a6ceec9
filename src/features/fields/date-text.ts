/** Which comes first in a date written with slashes: the day or the month. */
export type DateOrder = 'dmy' | 'mdy'

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?)?$/
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: +(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const MILLISECONDS = /^-?\d{1,15}$/
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0)
}

function isDay(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && day >= 1 && day <= daysIn(year, month)
}

function isTime(hour: string, minute: string, second: string): boolean {
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
}

/** The stored form of an instant in milliseconds since 1970; undefined outside the years 0001 to 9999. */
export function dateOfMs(ms: number): string | undefined {
  const inside = Number.isInteger(ms) && ms >= FIRST_MS && ms <= LAST_MS
  return inside ? new Date(ms).toISOString() : undefined
}

function readIso(text: string): string | undefined {
  const match = ISO.exec(text)
  if (!match) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = match
  if (!isDay(Number(year), Number(month), Number(day)) || !isTime(hour, minute, second)) return undefined
  const utc = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const [sign, offsetHours = '', offsetMinutes = '00'] = match.slice(9)
  if (sign === undefined) return utc
  if (!isTime(offsetHours, offsetMinutes, '0')) return undefined
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  return dateOfMs(Date.parse(utc) - (sign === '+' ? offsetMs : -offsetMs))
}

function readSlashes(text: string, order: DateOrder): string | undefined {
  const match = SLASHES.exec(text)
  if (!match) return undefined
  const [, first = '', other = '', year = '', hour = '0', minute = '00', second = '00'] = match
  const [day, month] = order === 'dmy' ? [first, other] : [other, first]
  if (!isDay(Number(year), Number(month), Number(day)) || !isTime(hour, minute, second)) return undefined
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}:${minute}:${second}.000Z`
}

/**
 * Reads an ISO 8601 date or date-time, milliseconds since 1970, or `31/01/2000[ 13:45[:10]]`, as
 * `YYYY-MM-DDTHH:MM:SS.sssZ`: a date alone is midnight, what has no offset is UTC, and such texts sort as their dates.
 * Without `order` dates with slashes are not read. Undefined for anything else, for days that no calendar
 * has, and outside the years 0001 to 9999.
 */
export function readDate(text: string, order?: DateOrder): string | undefined {
  if (text.charAt(4) === '-') return readIso(text)
  if (text.includes('/')) return order && readSlashes(text, order)
  return MILLISECONDS.test(text) ? dateOfMs(Number(text)) : undefined
}

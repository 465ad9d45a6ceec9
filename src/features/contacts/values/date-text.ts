import { formatIsoInstant, isValidCalendarDate, parseDateText } from '../../../lib/time/period.ts'

/** Which comes first in a date written with slashes: the day or the month. */
export type DateOrder = 'dmy' | 'mdy'

const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: +(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

function readSlashes(text: string, order: DateOrder): string | undefined {
  const match = SLASHES.exec(text)
  if (!match) return undefined
  const [, first = '', other = '', year = '', hour = '0', minute = '00', second = '00'] = match
  const [day, month] = order === 'dmy' ? [first, other] : [other, first]
  if (year === '0000' || !isValidCalendarDate(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || minute > '59' || second > '59') return undefined
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}:${minute}:${second}.000Z`
}

/**
 * Reads what a field of dates takes, as `YYYY-MM-DDTHH:MM:SS.sssZ`: the dates of every operation, and
 * `31/01/2000[ 13:45[:10]]` in the given order; without one dates with slashes are not read. Undefined for anything else.
 */
export function parseFieldDate(text: string, order?: DateOrder): string | undefined {
  return text.includes('/') ? order && readSlashes(text, order) : parseDateText(text)
}

const BARE_NUMBER = /^-?\d+(?:[.,]\d+)?$/
/** Milliseconds since 1970, from 1973 to 2286; and the basic form of ISO 8601, of 8 or 14 digits. */
const DATE_NUMBER = /^(?:\d{8}|\d{12,14})$/

/**
 * Whether a text of a file or a form is a bare number that could mean several dates, such as seconds or the serial of a spreadsheet: neither
 * the basic form of ISO 8601 nor milliseconds of 12 or 13 digits.
 */
export const isUncertainDate = (text: string): boolean => BARE_NUMBER.test(text) && !DATE_NUMBER.test(text)

/** The unit of dates written as bare numbers: seconds or milliseconds since 1970, or spreadsheet days since 1899-12-30. */
export type DateNumberUnit = 'seconds' | 'milliseconds' | 'serial'

const DAY_SECONDS = 86_400
const SERIAL_START = Date.parse('1899-12-30T00:00:00.000Z')
/** Spreadsheets write few decimals of a day, so their times are exact only to the second. */
const msOfUnit: Record<DateNumberUnit, (value: number) => number> = {
  seconds: (value) => Math.round(value * 1000),
  milliseconds: Math.round,
  serial: (days) => SERIAL_START + Math.round(days * DAY_SECONDS) * 1000,
}

/** The UTC date that a bare number means in a unit; undefined for other texts, and outside the years 0001 to 9999. */
export function parseDateNumber(text: string, unit: DateNumberUnit): string | undefined {
  return BARE_NUMBER.test(text) ? formatIsoInstant(msOfUnit[unit](Number(text.replace(',', '.')))) : undefined
}

/** As readDate, for cells of files: bare numbers are read in the unit. Without a unit, an uncertain date is undefined too. */
export function parseCellDate(text: string, order?: DateOrder, unit?: DateNumberUnit): string | undefined {
  if (unit && BARE_NUMBER.test(text)) return parseDateNumber(text, unit)
  return isUncertainDate(text) ? undefined : parseFieldDate(text, order)
}

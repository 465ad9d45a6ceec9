import { formatIsoInstant, isValidCalendarDate, parseDateText } from '../../../lib/time/period.ts'

/** The first part of a date written with slashes: the day or the month. */
export type DateOrder = 'dmy' | 'mdy'

const SLASH_DATE_PATTERN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: +(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

function parseSlashDate(text: string, order: DateOrder): string | undefined {
  const match = SLASH_DATE_PATTERN.exec(text)
  if (!match) return undefined
  const [, firstPart = '', secondPart = '', year = '', hour = '0', minute = '00', second = '00'] = match
  const [day, month] = order === 'dmy' ? [firstPart, secondPart] : [secondPart, firstPart]
  if (year === '0000' || !isValidCalendarDate(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || minute > '59' || second > '59') return undefined
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}:${minute}:${second}.000Z`
}

/**
 * Reads what a field of dates takes, as `YYYY-MM-DDTHH:MM:SS.sssZ`: the dates of every operation, and
 * `31/01/2000[ 13:45[:10]]` in the given order; without one dates with slashes are not read. Undefined for anything else.
 */
export function parseFieldDate(text: string, order?: DateOrder): string | undefined {
  return text.includes('/') ? order && parseSlashDate(text, order) : parseDateText(text)
}

const BARE_NUMBER_PATTERN = /^-?\d+(?:[.,]\d+)?$/
/** Milliseconds since 1970, from 1973 to 2286; and the basic form of ISO 8601, of 8 or 14 digits. */
const DATE_NUMBER_PATTERN = /^(?:\d{8}|\d{12,14})$/

/**
 * True if a text of a file or a form is a bare number that could mean several dates, such as seconds or a spreadsheet serial: neither the
 * basic form of ISO 8601 nor milliseconds of 12 or 13 digits.
 */
export const isUncertainDate = (text: string): boolean =>
  BARE_NUMBER_PATTERN.test(text) && !DATE_NUMBER_PATTERN.test(text)

/** The unit of dates written as bare numbers: seconds or milliseconds since 1970, or spreadsheet days since 1899-12-30. */
export const dateNumberUnits = ['seconds', 'milliseconds', 'serial'] as const
export type DateNumberUnit = (typeof dateNumberUnits)[number]

const SECONDS_PER_DAY = 86_400
const SERIAL_EPOCH_MS = Date.parse('1899-12-30T00:00:00.000Z')
/** Spreadsheets write few decimals of a day, so their times are exact only to the second. */
const msConverters: Record<DateNumberUnit, (value: number) => number> = {
  seconds: (value) => Math.round(value * 1000),
  milliseconds: Math.round,
  serial: (days) => SERIAL_EPOCH_MS + Math.round(days * SECONDS_PER_DAY) * 1000,
}

/** The UTC date that a bare number means in a unit; undefined for other texts, and outside the years 0001 to 9999. */
export function parseDateNumber(text: string, unit: DateNumberUnit): string | undefined {
  return BARE_NUMBER_PATTERN.test(text)
    ? formatIsoInstant(msConverters[unit](Number(text.replace(',', '.'))))
    : undefined
}

/** As readDate, for cells of files: bare numbers are read in the unit. Without a unit, an uncertain date is undefined too. */
export function parseCellDate(text: string, order?: DateOrder, unit?: DateNumberUnit): string | undefined {
  if (unit && BARE_NUMBER_PATTERN.test(text)) return parseDateNumber(text, unit)
  return isUncertainDate(text) ? undefined : parseFieldDate(text, order)
}

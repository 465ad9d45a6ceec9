/** The format of a number of a sheet, as far as it changes what the number means. */
export type SheetNumberKind = 'number' | 'percent' | 'date' | 'dateTime' | 'time' | 'elapsed'

/** Formats that workbooks have without describing them (ECMA-376 18.8.30), those of East Asia included. */
const BUILT_IN_FORMATS: [from: number, to: number, kind: SheetNumberKind][] = [
  [9, 10, 'percent'],
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'dateTime'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'elapsed'],
  [47, 47, 'time'],
  [50, 58, 'date'],
]

/** The kind of a format that a workbook does not describe. */
export function getBuiltInNumberKind(id: number): SheetNumberKind {
  return BUILT_IN_FORMATS.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number'
}

/** Literal text of a format: quoted and escaped characters, a space as wide as one, and one that fills a cell. */
const LITERALS_PATTERN = /"[^"]*"?|[\\_*]./gs
const BRACKETS_PATTERN = /\[[^[\]]*\]/g

/** The kind of a format such as `dd/mm/yyyy` or `0.0%`: that of its first section. */
export function parseNumberKind(code: string): SheetNumberKind {
  const [section = ''] = code.replace(LITERALS_PATTERN, '').split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'elapsed'
  const tokens = section
    .replace(BRACKETS_PATTERN, '')
    .replace(/general/gi, '')
    .replace(/am\/pm|a\/p/gi, 'h')
  const hasTime = /[hs]/i.test(tokens)
  const hasDate = /[ydg]|mmm/i.test(tokens) || (!hasTime && /m/i.test(tokens))
  if (hasDate) return hasTime ? 'dateTime' : 'date'
  if (hasTime) return 'time'
  return tokens.includes('%') ? 'percent' : 'number'
}

const SECONDS_PER_DAY = 86_400
/** 9999-12-31 in the 1900 system. */
const LAST_SERIAL_DAY = 2_958_465
const EPOCH_1900_MS = Date.UTC(1899, 11, 30)
const EPOCH_1904_MS = Date.UTC(1904, 0, 1)

/** The day of a serial, as `YYYY-MM-DD`. The 1900 system has a 29 February 1900, its day 60, that never was. */
function formatSerialDay(day: number, is1904: boolean): string {
  if (!is1904 && day === 60) return '1900-02-29'
  const leapDayOffset = !is1904 && day < 60 ? 1 : 0
  const epochMs = is1904 ? EPOCH_1904_MS : EPOCH_1900_MS
  return new Date(epochMs + (day + leapDayOffset) * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10)
}

const padTwoDigits = (value: number): string => String(value).padStart(2, '0')

function formatTime(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return [hours, minutes, seconds % 60].map(padTwoDigits).join(':')
}

/** A serial as date, time or both, ISO 8601 without zone; undefined if it is out of range. */
function formatSerialMoment(serial: number, kind: SheetNumberKind, is1904: boolean): string | undefined {
  const seconds = Math.round(serial * SECONDS_PER_DAY)
  const day = Math.floor(seconds / SECONDS_PER_DAY)
  const daySeconds = seconds - day * SECONDS_PER_DAY
  if (day < 0 || day > LAST_SERIAL_DAY) return undefined
  if (kind === 'elapsed') return formatTime(seconds)
  if (kind === 'time' && day === 0) return formatTime(daySeconds)
  const date = formatSerialDay(day, is1904)
  return kind === 'date' && daySeconds === 0 ? date : `${date}T${formatTime(daySeconds)}`
}

/** Digits of a number that spreadsheets keep. */
const MAX_NUMBER_DIGITS = 15
const WHOLE_NUMBER_PATTERN = /^-?\d+$/

/** A number without the digits that doubles add: 0.30000000000000004 is 0.3, and 3.3612345678E+10 is 33612345678. */
function formatPlainDigits(value: number): string {
  return String(Math.abs(value) >= 10 ** MAX_NUMBER_DIGITS ? value : Number(value.toPrecision(MAX_NUMBER_DIGITS)))
}

/** The text of a number as a file of delimited text would have it, and whether it has more digits than spreadsheets keep. */
export function formatSheetNumber(
  storedText: string,
  kind: SheetNumberKind,
  is1904: boolean,
): { text: string; isLong: boolean } {
  const value = Number(storedText)
  if (storedText.trim() === '' || !Number.isFinite(value)) return { text: storedText, isLong: false }
  const isLong = Math.abs(value) >= 10 ** MAX_NUMBER_DIGITS
  const number = WHOLE_NUMBER_PATTERN.test(storedText) ? storedText : formatPlainDigits(value)
  if (kind === 'number') return { text: number, isLong }
  if (kind === 'percent') return { text: `${formatPlainDigits(value * 100)}%`, isLong }
  return { text: formatSerialMoment(value, kind, is1904) ?? number, isLong }
}

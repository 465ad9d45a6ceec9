import type { ApiRequestBody } from '../../../api/shapes.ts'

/** Kinds of data that a column of a file can hold. */
export const COLUMN_KINDS = [
  'text',
  'longText',
  'number',
  'date',
  'dateTime',
  'yesNo',
  'one',
  'several',
  'phone',
  'email',
  'url',
] as const
export type ColumnKind = (typeof COLUMN_KINDS)[number]

export type NewFieldType = NonNullable<ApiRequestBody<'createField'>['type']>

/** The type of field that holds each kind. */
export const fieldTypesByKind: Record<ColumnKind, NewFieldType> = {
  text: 'textField',
  longText: 'textArea',
  number: 'numeric',
  date: 'date',
  dateTime: 'date',
  yesNo: 'singleSelectList',
  one: 'singleSelectList',
  several: 'multipleSelectList',
  phone: 'phone',
  email: 'email',
  url: 'textField',
}

/** A column with its sampled cells. */
export interface SampledImportColumn {
  heading: string
  cells: readonly string[]
  /** True if the sample is the whole file: only then are its values all values. */
  isWhole: boolean
  /** Separates the values of one cell. */
  labelSeparator: string
}

export interface ColumnGuess {
  kind: ColumnKind
  /** The order of day and month, where the cells show it. */
  dateOrder?: 'dmy' | 'mdy'
}

const MAX_TEXT_LENGTH = 255
const MAX_LIST_LABELS = 12
const MIN_LIST_CELLS = 30
/** How often a value of a list occurs on average. */
const MIN_REPETITIONS = 5
const MAX_LABEL_LENGTH = 40

const EMAIL_PATTERN = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/
const URL_PATTERN = /^https?:\/\/[^\s.]+\.\S+$/i
const PHONE_PATTERN = /^\+?[\d .()/-]{6,24}$/
const INTERNATIONAL_PHONE_PATTERN = /^(?:\+|00)\d/
const PHONE_HEADING_PATTERN = /phone|mobile|^(?:gsm|tel|sms|cell|handy|fax|portable|whatsapp)\b/
const NUMBER_PATTERN = /^[+-]?(?:0|[1-9]\d{0,14})(?:[.,]\d{1,10})?$/
const GROUPED_NUMBER_PATTERN =
  /^[+-]?[1-9]\d{0,2}(?:(?:[ \u00a0\u202f'’]\d{3})+|(?:,\d{3})+(?=\.\d)|(?:\.\d{3})+(?=,\d))(?:[.,]\d{1,10})?$/
const ISO_DATE_PATTERN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
const SLASH_DATE_PATTERN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: +(\d{1,2}:\d\d)(?::(\d\d))?)?$/
/** Headings of what people are called and where they live: its values repeat, but any other can follow. */
const OPEN_HEADING_PATTERN =
  /name|nom\b|prenom|surname|city|town|ville|address|adresse|street|rue\b|company|societe|zip|post|note|comment/

const YES_NO_WORDS = [
  ['yes', 'no'],
  ['y', 'n'],
  ['true', 'false'],
  ['oui', 'non'],
  ['vrai', 'faux'],
  ['ja', 'nein'],
  ['si', 'no'],
  ['sí', 'no'],
] as const

const foldWord = (word: string): string => word.trim().toLowerCase()

/** A heading without case, accents and the signs that separate words. */
const foldHeading = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The distinct values of cells, regardless of case, as they are first written. */
function listDistinct(cells: readonly string[]): string[] {
  const values = new Map<string, string>()
  for (const cell of cells) if (!values.has(foldWord(cell))) values.set(foldWord(cell), cell.trim())
  return [...values.values()]
}

const isNumberCell = (cell: string): boolean => NUMBER_PATTERN.test(cell) || GROUPED_NUMBER_PATTERN.test(cell)

/** True if one cell has a decimal point, and another a decimal comma. */
function hasBothMarks(cells: readonly string[]): boolean {
  const marks = new Set(cells.map((cell) => /[.,](?=\d{1,2}$)/.exec(cell)?.[0]).filter((mark) => mark !== undefined))
  return marks.size > 1
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Dates with dashes or slashes that the service reads; undefined if one of the cells is none. */
function guessDates(cells: readonly string[]): ColumnGuess | undefined {
  const matches = cells.map((cell) => ({ iso: ISO_DATE_PATTERN.exec(cell), slash: SLASH_DATE_PATTERN.exec(cell) }))
  if (matches.some(({ iso, slash }) => !(iso || slash))) return undefined
  const isoDays = matches.flatMap(({ iso }) => (iso ? [iso.slice(1, 4).map(Number)] : []))
  if (!isoDays.every(([year = 0, month = 0, day = 0]) => isCalendarDay(year, month, day))) return undefined
  const slashDays = matches.flatMap(({ slash }) => (slash ? [slash.slice(1, 4).map(Number)] : []))
  const orders = (['dmy', 'mdy'] as const).filter((order) =>
    slashDays.every(([first = 0, second = 0, year = 0]) =>
      order === 'dmy' ? isCalendarDay(year, second, first) : isCalendarDay(year, first, second),
    ),
  )
  if (orders.length === 0) return undefined
  const hasTime = matches.some(({ iso, slash }) => (iso ?? slash)?.[4] !== undefined)
  const [dateOrder] = orders
  return { kind: hasTime ? 'dateTime' : 'date', ...(orders.length === 1 && dateOrder && { dateOrder }) }
}

function isPhoneColumn(heading: string, cells: readonly string[]): boolean {
  const hasDigits = (cell: string): boolean => {
    const digitCount = cell.replaceAll(/\D/g, '').length
    return digitCount >= 6 && digitCount <= 17
  }
  if (!cells.every((cell) => PHONE_PATTERN.test(cell) && hasDigits(cell))) return false
  return PHONE_HEADING_PATTERN.test(heading) || cells.every((cell) => INTERNATIONAL_PHONE_PATTERN.test(cell))
}

function isYesNoColumn(cells: readonly string[]): boolean {
  const words = new Set(cells.map(foldWord))
  return YES_NO_WORDS.some((pair) => [...words].every((word) => pair.includes(word as never)))
}

const splitCells = (cells: readonly string[], separator: string): string[] =>
  cells.flatMap((cell) => cell.split(separator)).filter((label) => label.trim() !== '')

/** True if the values look like those of a list: few, short, often repeated, and all of them known. */
function isListColumn(labels: readonly string[], isWhole: boolean): boolean {
  const distinct = listDistinct(labels)
  return (
    isWhole &&
    labels.length >= MIN_LIST_CELLS &&
    distinct.length > 1 &&
    distinct.length <= MAX_LIST_LABELS &&
    distinct.length * MIN_REPETITIONS <= labels.length &&
    distinct.every((label) => label.length <= MAX_LABEL_LENGTH)
  )
}

/** The kind of a column that all of its filled cells fit; text if they fit none. */
export function guessColumnKind({ heading, cells, isWhole, labelSeparator }: SampledImportColumn): ColumnGuess {
  const filledCells = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const foldedHeading = foldHeading(heading)
  if (filledCells.length === 0) return { kind: 'text' }
  if (filledCells.some((cell) => cell.length > MAX_TEXT_LENGTH)) return { kind: 'longText' }
  if (filledCells.every((cell) => EMAIL_PATTERN.test(cell))) return { kind: 'email' }
  if (filledCells.every((cell) => URL_PATTERN.test(cell))) return { kind: 'url' }
  const dates = guessDates(filledCells)
  if (dates) return dates
  if (isPhoneColumn(foldedHeading, filledCells)) return { kind: 'phone' }
  if (filledCells.every(isNumberCell) && !hasBothMarks(filledCells)) return { kind: 'number' }
  if (isYesNoColumn(filledCells)) return { kind: 'yesNo' }
  const labels = splitCells(filledCells, labelSeparator)
  if (labels.length > filledCells.length && isListColumn(labels, isWhole)) return { kind: 'several' }
  const isOpen = OPEN_HEADING_PATTERN.test(foldedHeading)
  return { kind: !isOpen && isListColumn(filledCells, isWhole) ? 'one' : 'text' }
}

/** The values of the list that a field of this kind needs: of yes and no both, even if one does not occur. */
export function listColumnLabels(kind: ColumnKind, { cells, labelSeparator }: SampledImportColumn): string[] {
  const filledCells = cells.filter((cell) => cell.trim() !== '')
  const labels = listDistinct(kind === 'several' ? splitCells(filledCells, labelSeparator) : filledCells)
  const [onlyLabel] = labels
  if (kind !== 'yesNo' || labels.length !== 1 || onlyLabel === undefined) return labels
  const pair = YES_NO_WORDS.find((words) => words.includes(foldWord(onlyLabel) as never))
  const otherWord = pair?.find((word) => word !== foldWord(onlyLabel))
  if (otherWord === undefined) return labels
  if (onlyLabel === onlyLabel.toUpperCase()) return [onlyLabel, otherWord.toUpperCase()]
  const isCapitalised = onlyLabel.charAt(0) !== onlyLabel.charAt(0).toLowerCase()
  return [onlyLabel, isCapitalised ? `${otherWord.charAt(0).toUpperCase()}${otherWord.slice(1)}` : otherWord]
}

const MAX_SIGNIFICANT_DIGITS = 15
/** The longest number in digits that a double keeps has some 340 characters; a longer text is no number. */
const MAX_NUMBER_LENGTH = 400
const NUMBER_PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/**
 * Reads a decimal number of at most 15 significant digits, which a double keeps exactly: `12.10` and `12.1` are equal.
 * Undefined when the text is no number, has more digits, or lies beyond what a double holds.
 */
export function parseFieldNumber(text: string): number | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  const match = NUMBER_PATTERN.exec(text)
  if (!match) return undefined
  const digits = `${match[2]}${match[3] ?? ''}`
  if (digits === '') return undefined
  const significant = digits.replace(/^0+/, '').replace(/(?<!0)0+$/, '')
  if (significant.length > MAX_SIGNIFICANT_DIGITS) return undefined
  const value = Number(text)
  const isOutOfRange = !Number.isFinite(value) || (value === 0 && significant !== '')
  // Adding 0 makes -0 the zero it equals.
  return isOutOfRange ? undefined : value + 0
}

/** The decimal mark in a column of a file; the other mark then separates thousands. */
export type DecimalMark = 'comma' | 'point'
const markCharacters = { comma: ',', point: '.' } as const

/** The form of most cells, read without looking for marks. */
const PLAIN_NUMBER_PATTERN = /^\d+(?:\.\d\d?)?$/
/** Groups of thousands with one kind of separator. */
const GROUPED_NUMBER_PATTERN = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+|(?:[\p{Zs}'’]\d{3})+)$/u
/** `1,234`: either over a thousand, or one with decimals. */
const AMBIGUOUS_NUMBER_PATTERN = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/** A number without the currency or percent sign and spaces around it. */
function stripNumberUnit(text: string): string {
  return text
    .replace(/^([+-\u2212]?)\p{Zs}?\p{Sc}\p{Zs}?/u, '$1')
    .replace(/\p{Zs}?[\p{Sc}%]$/u, '')
    .replace('\u2212', '-')
}

/** The index of the last mark of a number, and whether decimals follow it; in an ambiguous number, `mark` decides. */
function findLastMark(bare: string, mark: DecimalMark): { at: number; isDecimal: boolean } {
  const markIndex = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','))
  const isDecimal = AMBIGUOUS_NUMBER_PATTERN.test(bare)
    ? bare[markIndex] === markCharacters[mark]
    : markIndex >= 0 && !GROUPED_NUMBER_PATTERN.test(bare)
  return { at: markIndex, isDecimal }
}

/** A bare number with a decimal point and no thousands separators; other texts do not become numbers. */
function toPlainNumber(bare: string, mark: DecimalMark): string {
  const { at: markIndex, isDecimal } = findLastMark(bare, mark)
  const wholePart = isDecimal ? bare.slice(0, markIndex) : bare
  const isGrouped = GROUPED_NUMBER_PATTERN.test(wholePart) && !(isDecimal && wholePart.includes(bare.charAt(markIndex)))
  const ungroupedWhole = isGrouped ? wholePart.replace(/[^\d+-]/g, '') : wholePart
  return isDecimal ? `${ungroupedWhole}.${bare.slice(markIndex + 1)}` : ungroupedWhole
}

/**
 * Reads a number as spreadsheets write it: with a decimal comma or point, and with points, commas, spaces or apostrophes between thousands.
 * A currency or percent sign around it is dropped. `mark` decides only for ambiguous numbers such as `1,234`.
 */
export function parseCellNumber(text: string, mark: DecimalMark): number | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined
  return parseFieldNumber(PLAIN_NUMBER_PATTERN.test(text) ? text : toPlainNumber(stripNumberUnit(text), mark))
}

/** The decimal mark that a cell shows: `either` if it can be read both ways, undefined if it shows none. */
function detectCellMark(cell: string): DecimalMark | 'either' | undefined {
  const text = cell.trim()
  if (parseCellNumber(text, 'point') === undefined) return undefined
  const bareText = stripNumberUnit(text)
  if (AMBIGUOUS_NUMBER_PATTERN.test(bareText)) return 'either'
  const { at: markIndex, isDecimal } = findLastMark(bareText, 'point')
  if (markIndex < 0) return undefined
  return (bareText[markIndex] === ',') === isDecimal ? 'comma' : 'point'
}

/** True if a cell is a number with two readings, depending on the decimal mark: `1,234`. */
export const isAmbiguousNumber = (cell: string): boolean => AMBIGUOUS_NUMBER_PATTERN.test(stripNumberUnit(cell.trim()))

/** The decimal mark that the cells of a column show; undefined if they show none, or both. */
export function detectDecimalMark(cells: Iterable<string>): DecimalMark | undefined {
  const marks = new Set<DecimalMark>()
  for (const cell of cells) {
    const cellMark = detectCellMark(cell)
    if (cellMark !== undefined && cellMark !== 'either') marks.add(cellMark)
  }
  return marks.size === 1 ? [...marks][0] : undefined
}

/** A number without exponent: 1e21 is `1000000000000000000000`. */
export function formatPlainNumber(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match
  const digits = whole + fraction
  const pointPosition = whole.length + Number(exponent)
  if (pointPosition <= 0) return `${sign}0.${'0'.repeat(-pointPosition)}${digits}`
  return `${sign}${digits.padEnd(pointPosition, '0')}`
}

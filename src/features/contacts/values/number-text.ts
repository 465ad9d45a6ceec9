const MAX_DIGITS = 15
/** The longest number in digits that a double keeps has some 340 characters; a longer text is no number. */
const MAX_LENGTH = 400
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

/**
 * Reads a decimal number of at most 15 significant digits, which a double keeps exactly: `12.10` and `12.1` are equal.
 * Undefined when the text is no number, has more digits, or lies beyond what a double holds.
 */
export function parseFieldNumber(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const match = NUMBER.exec(text)
  if (!match) return undefined
  const digits = `${match[2]}${match[3] ?? ''}`
  if (digits === '') return undefined
  const significant = digits.replace(/^0+/, '').replace(/(?<!0)0+$/, '')
  if (significant.length > MAX_DIGITS) return undefined
  const value = Number(text)
  const lost = !Number.isFinite(value) || (value === 0 && significant !== '')
  // Adding 0 makes -0 the zero it equals.
  return lost ? undefined : value + 0
}

/** The decimal mark in a column of a file; the other mark then separates thousands. */
export type DecimalMark = 'comma' | 'point'
const characters = { comma: ',', point: '.' } as const

/** The form of most cells, read without looking for marks. */
const PLAIN = /^\d+(?:\.\d\d?)?$/
/** Groups of thousands with one kind of separator. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+|(?:[\p{Zs}'’]\d{3})+)$/u
/** `1,234`: either over a thousand, or one with decimals. */
const AMBIGUOUS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/** A number without the currency or percent sign and spaces around it. */
function bareNumber(text: string): string {
  return text
    .replace(/^([+-\u2212]?)\p{Zs}?\p{Sc}\p{Zs}?/u, '$1')
    .replace(/\p{Zs}?[\p{Sc}%]$/u, '')
    .replace('\u2212', '-')
}

/** The index of the last mark of a number, and whether decimals follow it; in an ambiguous number, `mark` decides. */
function lastMark(bare: string, mark: DecimalMark): { at: number; isDecimal: boolean } {
  const at = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','))
  const isDecimal = AMBIGUOUS.test(bare) ? bare[at] === characters[mark] : at >= 0 && !GROUPED.test(bare)
  return { at, isDecimal }
}

/** A bare number with a decimal point and no thousands separators; other texts do not become numbers. */
function plainText(bare: string, mark: DecimalMark): string {
  const { at, isDecimal } = lastMark(bare, mark)
  const whole = isDecimal ? bare.slice(0, at) : bare
  const isJoined = GROUPED.test(whole) && !(isDecimal && whole.includes(bare.charAt(at)))
  const joined = isJoined ? whole.replace(/[^\d+-]/g, '') : whole
  return isDecimal ? `${joined}.${bare.slice(at + 1)}` : joined
}

/**
 * Reads a number as spreadsheets write it: with a decimal comma or point, and with points, commas, spaces or apostrophes between thousands.
 * A currency or percent sign around it is dropped. `mark` decides only for ambiguous numbers such as `1,234`.
 */
export function parseCellNumber(text: string, mark: DecimalMark): number | undefined {
  if (text.length > MAX_LENGTH) return undefined
  return parseFieldNumber(PLAIN.test(text) ? text : plainText(bareNumber(text), mark))
}

/** The decimal mark that a cell shows: `either` if it can be read both ways, undefined if it shows none. */
function markOf(cell: string): DecimalMark | 'either' | undefined {
  const text = cell.trim()
  if (parseCellNumber(text, 'point') === undefined) return undefined
  const bare = bareNumber(text)
  if (AMBIGUOUS.test(bare)) return 'either'
  const { at, isDecimal } = lastMark(bare, 'point')
  if (at < 0) return undefined
  return (bare[at] === ',') === isDecimal ? 'comma' : 'point'
}

/** True if a cell is a number with two readings, depending on the decimal mark: `1,234`. */
export const isAmbiguousNumber = (cell: string): boolean => AMBIGUOUS.test(bareNumber(cell.trim()))

/** The decimal mark that the cells of a column show; undefined if they show none, or both. */
export function detectDecimalMark(cells: Iterable<string>): DecimalMark | undefined {
  const marks = new Set<DecimalMark>()
  for (const cell of cells) {
    const mark = markOf(cell)
    if (mark !== undefined && mark !== 'either') marks.add(mark)
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
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}

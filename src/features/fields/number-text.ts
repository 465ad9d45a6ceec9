const MAX_DIGITS = 15
/** The longest number in digits that a double keeps has some 340 characters; a longer text is no number. */
const MAX_LENGTH = 400
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i
const THOUSANDS = /^[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?=[.,]|$)/

/**
 * Reads a decimal number of at most 15 significant digits, which a double keeps exactly: `12.10` and `12.1` are equal.
 * Undefined when the text is no number, has more digits, or lies beyond what a double holds.
 */
export function readNumber(text: string): number | undefined {
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

/** Reads a number as spreadsheets write it: a decimal comma, and blanks between thousands, are understood too. */
export function readCellNumber(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const joined = THOUSANDS.test(text) ? text.replace(/[ \u00a0\u202f]/g, '') : text
  return readNumber(joined.includes('.') ? joined : joined.replace(',', '.'))
}

/** A number without exponent: 1e21 is `1000000000000000000000`. */
export function plainNumber(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}

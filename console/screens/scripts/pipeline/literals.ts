/** How a value that is given is written. */
export type LiteralKind =
  | 'text'
  | 'number'
  | 'truth'
  | 'date'
  | 'nothing'
  | 'texts'
  | 'numbers'
  | 'json'
  | 'moment'
  | 'moments'
  | 'range'
  | 'span'

/** Of any value. */
export const PLAIN_LITERAL_KINDS: readonly LiteralKind[] = [
  ...(['text', 'number', 'truth', 'date', 'nothing', 'texts', 'numbers', 'json'] as const),
]

/** What operators of comparisons take on their right; a value of any kind where they are not named. */
const BY_OPERATOR: Readonly<Record<string, readonly LiteralKind[]>> = {
  between: ['range', 'moments'],
  within: ['span'],
  before: ['moment'],
  after: ['moment'],
  in: ['texts', 'numbers', 'json'],
  notIn: ['texts', 'numbers', 'json'],
}
const ONE: readonly LiteralKind[] = ['text', 'number', 'truth', 'date', 'nothing']

export const listOperatorLiterals = (operator: string): readonly LiteralKind[] => BY_OPERATOR[operator] ?? ONE

const IS_DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/
const all = (value: unknown, type: string): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === type)
const has = (value: unknown, ...names: readonly string[]): boolean =>
  value !== null && typeof value === 'object' && names.some((name) => name in value)

const FITS: Readonly<Record<LiteralKind, (value: unknown) => boolean>> = {
  nothing: (value) => value === null || value === undefined,
  number: (value) => typeof value === 'number',
  truth: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && IS_DATE.test(value),
  text: (value) => typeof value === 'string',
  range: (value) => all(value, 'number') && (value as unknown[]).length === 2,
  moment: (value) => typeof value === 'string' || has(value, 'ago', 'ahead'),
  moments: (value) => Array.isArray(value) && value.length === 2 && value.every((one) => FITS.moment(one)),
  span: (value) => has(value, 'last', 'next', 'start', 'end'),
  texts: (value) => all(value, 'string'),
  numbers: (value) => all(value, 'number'),
  json: () => true,
}
/** The narrow before the wide. */
const ORDER = Object.keys(FITS) as LiteralKind[]

/** How a value is written, of the ways that are there; undefined: in none of them. */
export const findLiteralKind = (value: unknown, kinds: readonly LiteralKind[]): LiteralKind | undefined =>
  ORDER.find((kind) => kinds.includes(kind) && FITS[kind](value))

const today = (): string => new Date().toISOString().slice(0, 10)
const DAYS = { value: 30, unit: 'day' }

const FIRST: Readonly<Record<LiteralKind, () => unknown>> = {
  ...{ text: () => '', number: () => 0, truth: () => true, date: today, nothing: () => null, json: () => ({}) },
  ...{ texts: () => [], numbers: () => [], range: () => [0, 100], moment: () => ({ ago: DAYS }) },
  ...{ moments: () => [{ ago: DAYS }, { ago: { value: 0, unit: 'day' } }], span: () => ({ last: DAYS }) },
}

/** What a value of a kind begins with; texts and numbers are taken over from each other. */
export function createLiteral(kind: LiteralKind, before: unknown): unknown {
  if (FITS[kind](before) && kind !== 'json') return before
  if (kind === 'text' && typeof before === 'number') return String(before)
  if (kind === 'number' && typeof before === 'string' && before.trim() !== '' && Number.isFinite(Number(before)))
    return Number(before)
  return FIRST[kind]()
}

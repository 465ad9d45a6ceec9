/** Input type of a literal value. */
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

/** Literal kinds that fit any value. */
export const PLAIN_LITERAL_KINDS: readonly LiteralKind[] = [
  'text',
  'number',
  'truth',
  'date',
  'nothing',
  'texts',
  'numbers',
  'json',
]

/** Literal kinds that comparison operators accept on the right; operators not listed accept any kind. */
const LITERALS_BY_OPERATOR: Readonly<Record<string, readonly LiteralKind[]>> = {
  between: ['range', 'moments'],
  within: ['span'],
  before: ['moment'],
  after: ['moment'],
  in: ['texts', 'numbers', 'json'],
  notIn: ['texts', 'numbers', 'json'],
}
const SCALAR_KINDS: readonly LiteralKind[] = ['text', 'number', 'truth', 'date', 'nothing']

export const listOperatorLiterals = (operator: string): readonly LiteralKind[] =>
  LITERALS_BY_OPERATOR[operator] ?? SCALAR_KINDS

const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?$/
const isListOf = (value: unknown, type: string): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === type)
const hasOnlyMembers = (value: unknown, ...names: readonly string[]): boolean =>
  value !== null && typeof value === 'object' && names.some((name) => name in value)

const LITERAL_TESTS: Readonly<Record<LiteralKind, (value: unknown) => boolean>> = {
  nothing: (value) => value === null || value === undefined,
  number: (value) => typeof value === 'number',
  truth: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && DATE_PATTERN.test(value),
  text: (value) => typeof value === 'string',
  range: (value) => isListOf(value, 'number') && (value as unknown[]).length === 2,
  moment: (value) => typeof value === 'string' || hasOnlyMembers(value, 'ago', 'ahead'),
  moments: (value) =>
    Array.isArray(value) && value.length === 2 && value.every((instant) => LITERAL_TESTS.moment(instant)),
  span: (value) => hasOnlyMembers(value, 'last', 'next', 'start', 'end'),
  texts: (value) => isListOf(value, 'string'),
  numbers: (value) => isListOf(value, 'number'),
  json: () => true,
}
/** The narrow before the wide. */
const KINDS_BY_PRECEDENCE = Object.keys(LITERAL_TESTS) as LiteralKind[]

/** Returns the first of the kinds that fits a value; `undefined` if none does. */
export const findLiteralKind = (value: unknown, kinds: readonly LiteralKind[]): LiteralKind | undefined =>
  KINDS_BY_PRECEDENCE.find((kind) => kinds.includes(kind) && LITERAL_TESTS[kind](value))

const formatToday = (): string => new Date().toISOString().slice(0, 10)
const DEFAULT_PERIOD = { value: 30, unit: 'day' }

const INITIAL_LITERALS: Readonly<Record<LiteralKind, () => unknown>> = {
  text: () => '',
  number: () => 0,
  truth: () => true,
  date: formatToday,
  nothing: () => null,
  json: () => ({}),
  texts: () => [],
  numbers: () => [],
  range: () => [0, 100],
  moment: () => ({ ago: DEFAULT_PERIOD }),
  moments: () => [{ ago: DEFAULT_PERIOD }, { ago: { value: 0, unit: 'day' } }],
  span: () => ({ last: DEFAULT_PERIOD }),
}

/** Returns the initial value of a kind; texts and numbers are converted into each other. */
export function createLiteral(kind: LiteralKind, before: unknown): unknown {
  if (LITERAL_TESTS[kind](before) && kind !== 'json') return before
  if (kind === 'text' && typeof before === 'number') return String(before)
  if (kind === 'number' && typeof before === 'string' && before.trim() !== '' && Number.isFinite(Number(before)))
    return Number(before)
  return INITIAL_LITERALS[kind]()
}

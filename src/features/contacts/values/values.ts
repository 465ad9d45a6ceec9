import type { CountryCode } from 'libphonenumber-js/max'
import { invisibleIn } from '../../../lib/text/invisible.ts'
import { readMailAddress } from '../../../lib/text/mail-address.ts'
import { dateOfMs } from '../../../lib/time/period.ts'
import { compileConstraint } from '../fields/constraints.ts'
import type { Field, FieldType } from '../fields/field-schemas.ts'
import type { StoredValue } from '../fields/identity.ts'
import { type DateOrder, type DateUnit, readDate, readWrittenDate } from './date-text.ts'
import type { LabelIndex } from './list-value.ts'
import { type DecimalMark, plainNumber, readCellNumber, readNumber } from './number-text.ts'
import { readPhone } from './phone-value.ts'
import { isLongerThan, readText } from './text-value.ts'

/** Why a value is refused; also the reasons of an import's rejects. */
export type FaultKind = 'invalid-value' | 'unknown-label' | 'too-long' | 'constraint' | 'mandatory-empty'

export interface ValueFault {
  fault: FaultKind
  /** What to change. */
  detail: string
}

/** The result of reading a value: stored form, null for an empty one, or a fault. */
export type Reading = { ok: StoredValue | null } | ValueFault

export type Reader = (value: unknown) => Reading

export interface ReadingOptions {
  /** Countries tried in order for a telephone number in national form. */
  countries: readonly CountryCode[]
  dateOrder: DateOrder
  /** The labels of a list field's value list. */
  labels?: LabelIndex | undefined
  /** Set for cells of a file. */
  cells?: CellOptions
}

/** Options for cells of a file, which may hold thousands separators, and several labels in one text. */
export interface CellOptions {
  labelSeparator: string
  decimalMark: DecimalMark
  /** The unit of dates written as bare numbers; undefined: numbers that could mean several dates are refused. */
  dateUnit?: DateUnit | undefined
}

type TypeReader = (options: ReadingOptions) => Reader

const EMPTY: Reading = { ok: null }
const MAX_CHARACTERS = { textField: 1000, textArea: 65_000 }

function fault(kind: FaultKind, detail: string): ValueFault {
  return { fault: kind, detail }
}

/** Adds the invisible character of a text to its fault, if it has one. */
function nameInvisible(invalid: ValueFault, text: string): ValueFault {
  const character = invisibleIn(text)
  return character === undefined ? invalid : { ...invalid, detail: `${invalid.detail}; it holds ${character}` }
}

/** A reader of values that come as text or as a number; `read` gives undefined for what is not of the type. */
function readerOf(
  detail: string,
  read: (text: string) => StoredValue | ValueFault | undefined,
  ofNumber = plainRead(read),
): Reader {
  const invalid = fault('invalid-value', detail)
  return (value) => {
    const text = typeof value === 'string' ? value.trim() : undefined
    if (text === '') return EMPTY
    const stored = text !== undefined ? read(text) : typeof value === 'number' ? ofNumber(value) : undefined
    if (stored === undefined) return text === undefined ? invalid : nameInvisible(invalid, text)
    return typeof stored === 'object' && 'fault' in stored ? stored : { ok: stored }
  }
}

/** Numbers are read as if they were written plainly. */
function plainRead<Value>(read: (text: string) => Value): (value: number) => Value {
  return (value) => read(plainNumber(value))
}

function textReader(type: 'textField' | 'textArea'): TypeReader {
  const max = MAX_CHARACTERS[type]
  const tooLong = fault('too-long', `must have at most ${max} characters`)
  const allowed = type === 'textArea' ? 'control characters but line breaks and tabs' : 'control characters'
  const read = (text: string) => {
    const clean = readText(text, type === 'textArea')
    return clean !== undefined && isLongerThan(clean, max) ? tooLong : clean
  }
  const reader = readerOf(`must be a text without ${allowed}`, read)
  return () => reader
}

const emailReader: TypeReader = () =>
  readerOf('must be an e-mail address such as ann@example.org, without a name', readMailAddress, () => undefined)

const phoneReader: TypeReader = ({ countries }) =>
  readerOf('must be a telephone number of 6 to 17 digits', (text) => readPhone(text, countries))

const numericReader: TypeReader = ({ cells }) =>
  readerOf(
    'must be a number of at most 15 significant digits',
    cells ? (text) => readCellNumber(text, cells.decimalMark) : readNumber,
  )

const dateReader: TypeReader = ({ dateOrder, cells }) => {
  const slashes = dateOrder === 'dmy' ? 'day/month/year' : 'month/day/year'
  const numbers = cells ? 'YYYYMMDD, milliseconds since 1970 of 12 or 13 digits' : 'milliseconds since 1970'
  const detail = `must be an ISO 8601 date, ${numbers} or ${slashes}, in the years 0001 to 9999`
  const read = (text: string) => (cells ? readWrittenDate(text, dateOrder, cells.dateUnit) : readDate(text, dateOrder))
  return readerOf(detail, read, dateOfMs)
}

function unknownLabel(value: unknown): ValueFault {
  return typeof value === 'string' || typeof value === 'number'
    ? fault('unknown-label', `${JSON.stringify(value).slice(0, 100)} is not a label of the field's value list`)
    : fault('invalid-value', "must be a label of the field's value list")
}

const singleListReader: TypeReader = ({ labels }) => {
  return (value) => {
    if (typeof value === 'string' && value.trim() === '') return EMPTY
    const index = labels?.find(value)
    return index === undefined ? unknownLabel(value) : { ok: index }
  }
}

/** The labels of a cell, blank ones skipped; anything else is one label. */
function splitLabels(value: unknown, cells: ReadingOptions['cells']): unknown[] {
  if (!cells || typeof value !== 'string') return [value]
  return value.split(cells.labelSeparator).filter((label) => label.trim() !== '')
}

/** Indexes are kept ascending, each once, so that equal choices are equal values. */
const multipleListReader: TypeReader = ({ labels, cells }) => {
  return (value) => {
    if (typeof value === 'string' && value.trim() === '') return EMPTY
    const choices = Array.isArray(value) ? value : splitLabels(value, cells)
    const indexes = new Set<number>()
    for (const choice of choices) {
      const index = labels?.find(choice)
      if (index === undefined) return unknownLabel(choice)
      indexes.add(index)
    }
    return { ok: [...indexes].sort((a, b) => a - b) }
  }
}

const typeReaders: Record<FieldType, TypeReader> = {
  email: emailReader,
  phone: phoneReader,
  textField: textReader('textField'),
  textArea: textReader('textArea'),
  numeric: numericReader,
  date: dateReader,
  singleSelectList: singleListReader,
  multipleSelectList: multipleListReader,
}

/**
 * Compiles the reader of one field's values: what it accepts is what the interface accepts for the field's type, its
 * constraint and isMandatory (an empty value given). Made once per request or run, then called per value.
 */
export function compileReader(field: Field, options: ReadingOptions): Reader {
  const read = typeReaders[field.type](options)
  const constraint = compileConstraint(field.type, field.constraint)
  const broken = fault('constraint', constraint?.detail ?? '')
  const empty = field.isMandatory ? fault('mandatory-empty', 'cannot be empty') : EMPTY
  return (value) => {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
      return empty
    const reading = read(value)
    if ('fault' in reading) return reading
    if (reading.ok === null) return empty
    return constraint && !constraint.allows(reading.ok) ? broken : reading
  }
}

/** Reads one value; for many values of a field compile its reader once. */
export function parseValue(field: Field, value: unknown, options: ReadingOptions): Reading {
  return compileReader(field, options)(value)
}

/** A stored value as it is answered: dates and numbers as they are, labels for indexes, null or [] for nothing. */
export function showValue(
  type: FieldType,
  value: StoredValue | undefined,
  labels?: LabelIndex,
): string | number | string[] | null {
  if (type === 'multipleSelectList') return Array.isArray(value) ? (labels?.labels(value) ?? []) : []
  if (value === undefined || Array.isArray(value)) return null
  if (type === 'singleSelectList') return (typeof value === 'number' && labels?.label(value)) || null
  return value
}

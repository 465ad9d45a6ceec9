import type { CountryCode } from 'libphonenumber-js/max'
import { findInvisibleCharacter } from '../../../lib/text/invisible.ts'
import { parseMailAddress } from '../../../lib/text/mail-address.ts'
import { formatIsoInstant } from '../../../lib/time/period.ts'
import { compileConstraint } from '../fields/constraints.ts'
import type { ContactFieldDefinition, FieldType } from '../fields/field-schemas.ts'
import type { StoredValue } from '../fields/identity.ts'
import { type DateNumberUnit, type DateOrder, parseCellDate, parseFieldDate } from './date-text.ts'
import type { LabelIndex } from './list-value.ts'
import { type DecimalMark, formatPlainNumber, parseCellNumber, parseFieldNumber } from './number-text.ts'
import { parseFieldPhone } from './phone-value.ts'
import { isLongerThan, normalizeFieldText } from './text-value.ts'

/** Why a value is refused; also the reasons of an import's rejects. */
export type ValueFaultKind = 'invalid-value' | 'unknown-label' | 'too-long' | 'constraint' | 'mandatory-empty'

export interface ValueFault {
  fault: ValueFaultKind
  /** What to change. */
  detail: string
}

/** The result of reading a value: stored form, null for an empty one, or a fault. */
export type ValueReading = { ok: StoredValue | null } | ValueFault

export type ValueReader = (value: unknown) => ValueReading

export interface ValueReadingOptions {
  /** Countries tried in order for a telephone number in national form. */
  countries: readonly CountryCode[]
  dateOrder: DateOrder
  /** The labels of a list field's value list. */
  labels?: LabelIndex | undefined
  /** Set for cells of a file. */
  cells?: CellReadingOptions
}

/** Options for cells of a file, which may hold thousands separators, and several labels in one text. */
export interface CellReadingOptions {
  labelSeparator: string
  decimalMark: DecimalMark
  /** The unit of dates written as bare numbers; undefined: numbers that could mean several dates are refused. */
  dateUnit?: DateNumberUnit | undefined
}

type TypeReader = (options: ValueReadingOptions) => ValueReader

const EMPTY: ValueReading = { ok: null }
const MAX_CHARACTERS = { textField: 1000, textArea: 65_000 }

function fault(kind: ValueFaultKind, detail: string): ValueFault {
  return { fault: kind, detail }
}

/** Adds the invisible character of a text to its fault, if it has one. */
function nameInvisible(invalid: ValueFault, text: string): ValueFault {
  const character = findInvisibleCharacter(text)
  return character === undefined ? invalid : { ...invalid, detail: `${invalid.detail}; it holds ${character}` }
}

/** A reader of values that come as text or as a number; `read` gives undefined for what is not of the type. */
function readerOf(
  detail: string,
  read: (text: string) => StoredValue | ValueFault | undefined,
  ofNumber = plainRead(read),
): ValueReader {
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
  return (value) => read(formatPlainNumber(value))
}

function textReader(type: 'textField' | 'textArea'): TypeReader {
  const max = MAX_CHARACTERS[type]
  const tooLong = fault('too-long', `must have at most ${max} characters`)
  const allowed = type === 'textArea' ? 'control characters but line breaks and tabs' : 'control characters'
  const read = (text: string) => {
    const clean = normalizeFieldText(text, type === 'textArea')
    return clean !== undefined && isLongerThan(clean, max) ? tooLong : clean
  }
  const reader = readerOf(`must be a text without ${allowed}`, read)
  return () => reader
}

const emailReader: TypeReader = () =>
  readerOf('must be an e-mail address such as ann@example.org, without a name', parseMailAddress, () => undefined)

const phoneReader: TypeReader = ({ countries }) =>
  readerOf('must be a telephone number of 6 to 17 digits', (text) => parseFieldPhone(text, countries))

const numericReader: TypeReader = ({ cells }) =>
  readerOf(
    'must be a number of at most 15 significant digits',
    cells ? (text) => parseCellNumber(text, cells.decimalMark) : parseFieldNumber,
  )

const dateReader: TypeReader = ({ dateOrder, cells }) => {
  const slashes = dateOrder === 'dmy' ? 'day/month/year' : 'month/day/year'
  const numbers = cells ? 'YYYYMMDD, milliseconds since 1970 of 12 or 13 digits' : 'milliseconds since 1970'
  const detail = `must be an ISO 8601 date, ${numbers} or ${slashes}, in the years 0001 to 9999`
  const read = (text: string) =>
    cells ? parseCellDate(text, dateOrder, cells.dateUnit) : parseFieldDate(text, dateOrder)
  return readerOf(detail, read, formatIsoInstant)
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
function splitLabels(value: unknown, cells: ValueReadingOptions['cells']): unknown[] {
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
export function compileValueReader(field: ContactFieldDefinition, options: ValueReadingOptions): ValueReader {
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
export function parseFieldValue(
  field: ContactFieldDefinition,
  value: unknown,
  options: ValueReadingOptions,
): ValueReading {
  return compileValueReader(field, options)(value)
}

/** A stored value as it is answered: dates and numbers as they are, labels for indexes, null or [] for nothing. */
export function formatFieldValue(
  type: FieldType,
  value: StoredValue | undefined,
  labels?: LabelIndex,
): string | number | string[] | null {
  if (type === 'multipleSelectList') return Array.isArray(value) ? (labels?.labels(value) ?? []) : []
  if (value === undefined || Array.isArray(value)) return null
  if (type === 'singleSelectList') return (typeof value === 'number' && labels?.label(value)) || null
  return value
}

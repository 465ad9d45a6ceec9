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
  /** The correction that the value requires. */
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

type ValueReaderFactory = (options: ValueReadingOptions) => ValueReader

const EMPTY_READING: ValueReading = { ok: null }
const MAX_TEXT_CHARACTERS = { textField: 1000, textArea: 65_000 }

function buildValueFault(kind: ValueFaultKind, detail: string): ValueFault {
  return { fault: kind, detail }
}

/** Adds the invisible character of a text to its fault, if it has one. */
function addInvisibleCharacter(invalid: ValueFault, text: string): ValueFault {
  const character = findInvisibleCharacter(text)
  return character === undefined ? invalid : { ...invalid, detail: `${invalid.detail}; it contains ${character}` }
}

/** A reader of values that come as text or as a number; `readTypedValue` gives undefined for what is not of the type. */
function createValueReader(
  detail: string,
  parseText: (text: string) => StoredValue | ValueFault | undefined,
  ofNumber = createPlainNumberReader(parseText),
): ValueReader {
  const invalidFault = buildValueFault('invalid-value', detail)
  return (value) => {
    const text = typeof value === 'string' ? value.trim() : undefined
    if (text === '') return EMPTY_READING
    const storedValue = text !== undefined ? parseText(text) : typeof value === 'number' ? ofNumber(value) : undefined
    if (storedValue === undefined) return text === undefined ? invalidFault : addInvisibleCharacter(invalidFault, text)
    return typeof storedValue === 'object' && 'fault' in storedValue ? storedValue : { ok: storedValue }
  }
}

/** Numbers are read as if they were written plainly. */
function createPlainNumberReader<Value>(parseText: (text: string) => Value): (value: number) => Value {
  return (value) => parseText(formatPlainNumber(value))
}

function createTextReader(type: 'textField' | 'textArea'): ValueReaderFactory {
  const maxCharacters = MAX_TEXT_CHARACTERS[type]
  const tooLongFault = buildValueFault('too-long', `must have at most ${maxCharacters} characters`)
  const refusedCharacters =
    type === 'textArea' ? 'control characters other than line breaks and tabs' : 'control characters'
  const parseText = (text: string) => {
    const normalizedText = normalizeFieldText(text, type === 'textArea')
    return normalizedText !== undefined && isLongerThan(normalizedText, maxCharacters) ? tooLongFault : normalizedText
  }
  const reader = createValueReader(`must be a text without ${refusedCharacters}`, parseText)
  return () => reader
}

const createEmailReader: ValueReaderFactory = () =>
  createValueReader(
    'must be an email address such as ann@example.org, without a name',
    parseMailAddress,
    () => undefined,
  )

const createPhoneReader: ValueReaderFactory = ({ countries }) =>
  createValueReader('must be a phone number of 6 to 17 digits', (text) => parseFieldPhone(text, countries))

const createNumericReader: ValueReaderFactory = ({ cells }) =>
  createValueReader(
    'must be a number of at most 15 significant digits',
    cells ? (text) => parseCellNumber(text, cells.decimalMark) : parseFieldNumber,
  )

const createDateReader: ValueReaderFactory = ({ dateOrder, cells }) => {
  const slashForm = dateOrder === 'dmy' ? 'day/month/year' : 'month/day/year'
  const numberForms = cells ? 'YYYYMMDD, milliseconds since 1970 of 12 or 13 digits' : 'milliseconds since 1970'
  const detail = `must be an ISO 8601 date, ${numberForms} or ${slashForm}, in the years 0001 to 9999`
  const parseDate = (text: string) =>
    cells ? parseCellDate(text, dateOrder, cells.dateUnit) : parseFieldDate(text, dateOrder)
  return createValueReader(detail, parseDate, formatIsoInstant)
}

function buildUnknownLabelFault(value: unknown): ValueFault {
  return typeof value === 'string' || typeof value === 'number'
    ? buildValueFault(
        'unknown-label',
        `${JSON.stringify(value).slice(0, 100)} is not a label of the field's value list`,
      )
    : buildValueFault('invalid-value', "must be a label of the field's value list")
}

const createSingleListReader: ValueReaderFactory = ({ labels }) => {
  return (value) => {
    if (typeof value === 'string' && value.trim() === '') return EMPTY_READING
    const index = labels?.find(value)
    return index === undefined ? buildUnknownLabelFault(value) : { ok: index }
  }
}

/** The labels of a cell, blank ones skipped; anything else is one label. */
function splitLabels(value: unknown, cells: ValueReadingOptions['cells']): unknown[] {
  if (!cells || typeof value !== 'string') return [value]
  return value.split(cells.labelSeparator).filter((label) => label.trim() !== '')
}

/** Indexes are kept ascending, each once, so that equal choices are equal values. */
const createMultipleListReader: ValueReaderFactory = ({ labels, cells }) => {
  return (value) => {
    if (typeof value === 'string' && value.trim() === '') return EMPTY_READING
    const selectedLabels = Array.isArray(value) ? value : splitLabels(value, cells)
    const labelIndexes = new Set<number>()
    for (const selectedLabel of selectedLabels) {
      const index = labels?.find(selectedLabel)
      if (index === undefined) return buildUnknownLabelFault(selectedLabel)
      labelIndexes.add(index)
    }
    return { ok: [...labelIndexes].sort((a, b) => a - b) }
  }
}

const readerFactoriesByType: Record<FieldType, ValueReaderFactory> = {
  email: createEmailReader,
  phone: createPhoneReader,
  textField: createTextReader('textField'),
  textArea: createTextReader('textArea'),
  numeric: createNumericReader,
  date: createDateReader,
  singleSelectList: createSingleListReader,
  multipleSelectList: createMultipleListReader,
}

/**
 * Compiles the reader of one field's values: what it accepts is what the interface accepts for the field's type, its
 * constraint and isMandatory (an empty value given). Made once per request or run, then called per value.
 */
export function compileValueReader(field: ContactFieldDefinition, options: ValueReadingOptions): ValueReader {
  const readTypedValue = readerFactoriesByType[field.type](options)
  const constraint = compileConstraint(field.type, field.constraint)
  const constraintFault = buildValueFault('constraint', constraint?.detail ?? '')
  const emptyReading = field.isMandatory ? buildValueFault('mandatory-empty', 'cannot be empty') : EMPTY_READING
  return (value) => {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
      return emptyReading
    const reading = readTypedValue(value)
    if ('fault' in reading) return reading
    if (reading.ok === null) return emptyReading
    return constraint && !constraint.allows(reading.ok) ? constraintFault : reading
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

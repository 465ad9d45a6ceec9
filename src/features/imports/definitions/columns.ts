import { Problem } from '../../../lib/errors/problem.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { toAlpha2CountryCode } from '../../contacts/values/countries.ts'
import type { DateNumberUnit, DateOrder } from '../../contacts/values/date-text.ts'
import { type DecimalMark, detectDecimalMark } from '../../contacts/values/number-text.ts'
import { compileValueReader, type ValueReader } from '../../contacts/values/values.ts'
import type { ImportLine } from '../run/lines.ts'
import type { ColumnMapping, ColumnReading } from './feature-schemas.ts'
import { foldImportWord } from './file-features.ts'

/** A column of a file that fills a field. */
export interface ImportColumn {
  /** Its place in a line, from 0. */
  index: number
  field: ContactFieldDefinition
  read: ValueReader
  /** Reads cells that are numbers with a decimal point, regardless of the other cells. */
  readPoint: ValueReader
  /** True for a column of numbers without a chosen or detected decimal mark: the account's setting applies. */
  isUndecided: boolean
}

/** A column of an import format; without a field it is not read. */
export interface ColumnBinding extends ColumnReading {
  columnIndex: number
  field: number | null
}

/** Rules for reading cells, in addition to the fields themselves. */
export interface CellReadingRules {
  separator: string
  /** That of the import format; else the account's. */
  dateOrder: DateOrder | undefined
  /** Set for files that the service makes; otherwise each column's own, the detected one, or the account's. */
  decimalMark: DecimalMark | undefined
  /** The first data lines. */
  sample: readonly ImportLine[]
  /** Countries (alpha-3) tried in order for a phone field, by its id; else the account's. */
  normalization: Record<string, string[]>
}

/** The columns that an import format binds. Throws Problem `unicity-not-bound`. */
export function resolveBoundColumns(
  binds: readonly ColumnBinding[],
  shape: ContactShape,
  rules: CellReadingRules,
): ImportColumn[] {
  const fieldsById = new Map(shape.fields.map((field) => [field.id, field]))
  const columns = binds.flatMap(({ columnIndex, field: id, ...reading }) => {
    const field = id === null ? undefined : fieldsById.get(id)
    return field ? [buildImportColumn({ index: columnIndex, field, ...reading }, shape, rules)] : []
  })
  return requireUnicityColumns(columns, shape)
}

/** The columns of a text, and what its reader should know of those that are left out. */
export interface ResolvedColumns {
  columns: ImportColumn[]
  warnings: string[]
}

/** A header line, and the columns that are read for something else than a field. */
export interface ImportHeaderLine {
  header: readonly string[]
  others: readonly number[]
}

/**
 * The columns that a mapping names by heading, in any case, or by place. Headings that it does not name, and fields
 * whose heading is not there, are warned of. Throws Problem `unicity-not-bound`.
 */
export function resolveMappedColumns(
  { mapping, header, others }: ImportHeaderLine & { mapping: ColumnMapping },
  shape: ContactShape,
  rules: CellReadingRules,
): ResolvedColumns {
  const foldedHeadings = header.map(foldImportWord)
  const fieldsById = new Map(shape.fields.map((field) => [field.id, field]))
  const mappedColumns: ImportColumn[] = []
  const warnings: string[] = []
  const statusColumns = new Set(others)
  for (const { column, field: id, ...reading } of mapping.fields) {
    const index = typeof column === 'number' ? column : foldedHeadings.indexOf(foldImportWord(column))
    statusColumns.add(index)
    const field = fieldsById.get(id ?? 0)
    if (!field) continue
    if (index >= 0) mappedColumns.push(buildImportColumn({ index, field, ...reading }, shape, rules))
    else
      warnings.push(`There is no column "${String(column).slice(0, 100)}", so the field "${field.name}" was not read.`)
  }
  for (const [index, name] of header.entries()) {
    if (!statusColumns.has(index)) warnings.push(`${formatColumnName(index, name)} is not mapped and was not read.`)
  }
  return { columns: requireUnicityColumns(mappedColumns, shape), warnings }
}

function formatColumnName(index: number, name: string): string {
  return `Column ${index + 1}, "${name.trim().slice(0, 100)}",`
}

/**
 * The columns that a header line names, by field id or name in any case. What names no field, or a field a second
 * time, is left out with a warning. Throws Problem `unicity-not-bound`.
 */
export function resolveNamedColumns(
  { header, others }: ImportHeaderLine,
  shape: ContactShape,
  rules: CellReadingRules,
): ResolvedColumns {
  const namedColumns: ImportColumn[] = []
  const warnings: string[] = []
  for (const [index, name] of header.entries()) {
    const field = shape.find(name.trim())
    const columnName = formatColumnName(index, name)
    if (!field) {
      if (!others.includes(index)) warnings.push(`${columnName} matches no field and was not read.`)
    } else if (namedColumns.some((column) => column.field.id === field.id)) {
      warnings.push(`${columnName} matches a field that an earlier column fills and was not read.`)
    } else namedColumns.push(buildImportColumn({ index, field }, shape, rules))
  }
  return { columns: requireUnicityColumns(namedColumns, shape), warnings }
}

/** A column with its reader. The decimal mark of numbers is the chosen one, else the detected one, else the account's. */
function buildImportColumn(
  { index, field, decimalMark, dateUnit }: { index: number; field: ContactFieldDefinition } & ColumnReading,
  shape: ContactShape,
  rules: CellReadingRules,
): ImportColumn {
  const isNumeric = field.type === 'numeric'
  const detectedMark = () => detectDecimalMark(listTextCells(rules.sample, index))
  const decimalMarkOfCells = isNumeric ? (rules.decimalMark ?? decimalMark ?? detectedMark()) : undefined
  const createReaderWithMark = (decimalMark: DecimalMark | undefined) =>
    createCellReader(field, shape, { ...rules, decimalMark, dateUnit })
  const readCell = createReaderWithMark(decimalMarkOfCells)
  const readPoint = isNumeric ? createReaderWithMark('point') : readCell
  return { index, field, read: readCell, readPoint, isUndecided: isNumeric && decimalMarkOfCells === undefined }
}

/** The cells of a column that people wrote as text: those that are numbers already leave nothing open. */
export function listTextCells(lines: readonly ImportLine[], index: number): string[] {
  return lines.map(({ cells, numbers }) => (numbers?.has(index) ? '' : (cells[index] ?? '')))
}

/** The rules for reading the cells of a column. */
type ColumnReadingRules = Pick<CellReadingRules, 'separator' | 'dateOrder' | 'decimalMark' | 'normalization'> & {
  dateUnit?: DateNumberUnit | undefined
}

/** Reads the cells of a field's column. */
export function createCellReader(
  field: ContactFieldDefinition,
  shape: ContactShape,
  { separator, dateOrder, decimalMark, dateUnit, normalization }: ColumnReadingRules,
): ValueReader {
  const countries = normalization[field.id] ?? [shape.settings.defaultCountry]
  return compileValueReader(field, {
    countries: countries.flatMap((country) => toAlpha2CountryCode(country) ?? []),
    dateOrder: dateOrder ?? shape.settings.dateOrder,
    labels: shape.labels(field),
    cells: {
      labelSeparator: separator === '|' ? ',' : '|',
      decimalMark: decimalMark ?? shape.settings.decimalMark,
      dateUnit,
    },
  })
}

function requireUnicityColumns(columns: ImportColumn[], shape: ContactShape): ImportColumn[] {
  const missingFields = shape.unicity.filter(({ id }) => !columns.some(({ field }) => field.id === id))
  if (missingFields.length === 0) return columns
  const missingNames = missingFields.map(({ name }) => `"${name}"`).join(' and ')
  throw new Problem(400, 'unicity-not-bound', `The file has no column for ${missingNames}, which identify contacts.`)
}

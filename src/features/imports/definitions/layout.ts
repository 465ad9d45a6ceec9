import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import {
  type CellReadingRules,
  type ColumnBinding,
  type ImportColumn,
  resolveBoundColumns,
  resolveMappedColumns,
  resolveNamedColumns,
} from './columns.ts'
import type { ColumnMapping } from './feature-schemas.ts'
import {
  createStatusMarkReader,
  type ImportStatusSource,
  type ImportTextHead,
  type StatusMarkReader,
} from './statuses.ts'

/** The mapping of columns of a text to fields: by an import format, a mapping, or else the first line. */
export interface ImportColumnFormat {
  /** Without binds the first line names the fields; with them `startAt` lines are skipped. */
  binds: ColumnBinding[] | null
  startAt: number
  /** Used where there are no binds. */
  mapping: ColumnMapping | null
}

/** Rules for reading the data lines of one text. */
export interface ImportTextLayout {
  columns: ImportColumn[]
  /** The number of cells of a line that belong to columns. */
  width: number
  readMarks: StatusMarkReader | undefined
  warnings: string[]
}

/**
 * The number of lines before the data of a text, without its separator line; the last of them is the header line. A format that skips
 * several lines counts the separator line as the first of them.
 */
export function countLinesBeforeData(
  { binds, startAt, mapping }: ImportColumnFormat,
  hasSeparatorLine: boolean,
): number {
  if (binds) return hasSeparatorLine && startAt > 1 ? startAt - 1 : startAt
  return mapping?.header === false ? 0 : 1
}

/** The layout of a text; `width`: the usual number of cells. Throws the Problems `unicity-not-bound` and `status-column-missing`. */
export function resolveTextLayout(
  { binds, mapping }: ImportColumnFormat,
  shape: ContactShape,
  rules: CellReadingRules,
  { statuses, width, ...head }: ImportTextHead & { statuses: readonly ImportStatusSource[]; width: number },
): ImportTextLayout {
  const markReader = statuses.length > 0 ? createStatusMarkReader(statuses, head) : undefined
  const statusIndexes = markReader?.indexes ?? []
  const resolvedColumns = binds
    ? { columns: resolveBoundColumns(binds, shape, rules), warnings: [] }
    : mapping
      ? resolveMappedColumns({ mapping, header: head.header, others: statusIndexes }, shape, rules)
      : resolveNamedColumns({ header: head.header, others: statusIndexes }, shape, rules)
  const missingWarnings = markReader?.missing.map(
    (column) => `"${head.name}" has no column "${column}", so its statuses are empty.`,
  )
  // The last line that a format skips need not have a cell for each column.
  const headerWidth = binds || head.header.length === 0 ? Math.max(head.header.length, width) : head.header.length
  const columnNumbers = resolvedColumns.columns.map(({ index }) => index + 1)
  return {
    columns: resolvedColumns.columns,
    width: Math.max(headerWidth, ...columnNumbers),
    readMarks: markReader?.read,
    warnings: [...resolvedColumns.warnings, ...(missingWarnings ?? [])],
  }
}

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

/** What says which columns of a text fill fields: an import format, a mapping, or else the first line. */
export interface ImportColumnFormat {
  /** Without binds the first line names the fields; with them `startAt` lines are skipped. */
  binds: ColumnBinding[] | null
  startAt: number
  /** Used where there are no binds. */
  mapping: ColumnMapping | null
}

/** How the data lines of one text are read. */
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
  const marks = statuses.length > 0 ? createStatusMarkReader(statuses, head) : undefined
  const others = marks?.indexes ?? []
  const found = binds
    ? { columns: resolveBoundColumns(binds, shape, rules), warnings: [] }
    : mapping
      ? resolveMappedColumns({ mapping, header: head.header, others }, shape, rules)
      : resolveNamedColumns({ header: head.header, others }, shape, rules)
  const missing = marks?.missing.map(
    (column) => `"${head.name}" has no column "${column}": the statuses there are empty.`,
  )
  // The last line that a format skips need not have a cell for each column.
  const headed = binds || head.header.length === 0 ? Math.max(head.header.length, width) : head.header.length
  const places = found.columns.map(({ index }) => index + 1)
  return {
    columns: found.columns,
    width: Math.max(headed, ...places),
    readMarks: marks?.read,
    warnings: [...found.warnings, ...(missing ?? [])],
  }
}

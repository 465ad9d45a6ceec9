import { type ContactShape, shapeOf } from '../contacts/shape.ts'
import type { DateOrder } from '../fields/date-text.ts'
import type { Definitions } from '../fields/definitions.ts'
import { texts, type Upload } from './archives.ts'
import { type Bind, boundColumns, type CellRules, type Column, namedColumns } from './columns.ts'
import { copyText } from './copy-text.ts'
import { csvReader, type Line } from './csv.ts'
import { decode, REPLACEMENT } from './encoding.ts'
import { type Reject, readRow, unicityColumn } from './rows.ts'
import { detectSeparator } from './separator.ts'

/** How the texts of a file are read; what is undefined is detected in each of them. */
export interface TextFormat {
  separator: string | undefined
  encoding: string
  dateOrder: DateOrder | undefined
  /** Without binds the first line names the fields; with them `startAt` lines are skipped. */
  binds: Bind[] | null
  startAt: number
}

/** Everything that reading a file for an import needs: plain data, so that a thread can be given it. */
export interface ReadTask {
  upload: Omit<Upload, 'onRead'>
  /** A folder to unpack into. */
  scratch: string
  format: TextFormat
  definitions: Definitions
  normalization: Record<string, string[]>
  /** Empty cells of bound columns empty the field. */
  empties: boolean
  /** Of several lines of a batch with one key the first is kept; else all are. */
  keepsFirst: boolean
  /** Lines which are left out for that reason are listed. */
  listsDuplicates: boolean
  /** Data lines that are skipped: an earlier run has committed them. */
  passed: number
  /** Lines of a batch at most. */
  batchLines: number
}

/** Some thousand lines of a file, in the form that the database reads. */
export interface LineBatch {
  /** Data lines of the file up to the end of this batch, and bytes of the stored file that are read. */
  lines: number
  bytes: number
  /** How many lines of this batch are accepted, refused, or left out as duplicates of others within it. */
  accepted: number
  rejected: number
  duplicates: number
  /** The accepted lines as `copyText` writes them: ordinal, line, unicity, key, and the JSON text of the values. */
  rows: Uint8Array<ArrayBuffer>
  /** A JSON array of `Reject`. */
  rejects: string
  warnings: string[]
}

/** Text of a batch beyond which it is closed early, in characters: a batch of long lines must not fill the memory. */
const MAX_BATCH_TEXT = 1 << 20
const SEPARATOR_SAMPLE = 1 << 18

/**
 * Reads the file of an import in batches of its data lines. Throws the Problems `unicity-not-bound`, and those of
 * `texts`. Constant memory, whatever the file.
 */
export async function* readBatches(task: ReadTask): AsyncGenerator<LineBatch> {
  const shape = shapeOf(task.definitions)
  let bytes = 0
  let lines = 0
  let builder = batchBuilder(task, shape)
  const upload: Upload = { ...task.upload, onRead: (count) => void (bytes += count) }
  for (const text of await texts(upload, task.scratch)) {
    let columns: Column[] | undefined
    let toPass = task.format.binds ? task.format.startAt : 1
    for await (const { separator, found, isReplaced } of readLines(text.open(), task.format)) {
      const rules: CellRules = { separator, dateOrder: task.format.dateOrder, normalization: task.normalization }
      if (task.format.binds) columns ??= boundColumns(task.format.binds, shape, rules)
      if (isReplaced) builder.warn(`"${text.name}" holds bytes that are invalid in its encoding: they were replaced.`)
      for (const line of found) {
        if (toPass > 0) {
          toPass -= 1
          if (columns) continue
          const header = namedColumns(line.cells, shape, rules)
          columns = header.columns
          for (const warning of header.warnings) builder.warn(warning)
          continue
        }
        lines += 1
        if (lines <= task.passed) continue
        builder.add(columns ?? [], line, lines)
        if (builder.isFull()) {
          yield builder.finish(lines, bytes)
          builder = batchBuilder(task, shape)
        }
      }
    }
    // A text without a line has no header that names the unicity.
    if (!columns) namedColumns([], shape, { separator: ';', dateOrder: undefined, normalization: {} })
  }
  yield builder.finish(lines, bytes)
}

/** The records of one text as they arrive, its separator, and whether bytes were replaced in decoding. */
async function* readLines(
  chunks: AsyncIterable<Buffer>,
  format: TextFormat,
): AsyncGenerator<{ separator: string; found: Line[]; isReplaced: boolean }> {
  let separator = format.separator
  let reader: ReturnType<typeof csvReader> | undefined
  for await (const text of decode(chunks, format.encoding)) {
    separator ??= detectSeparator(text.slice(0, SEPARATOR_SAMPLE))
    reader ??= csvReader(separator)
    yield { separator, found: reader.read(text), isReplaced: text.includes(REPLACEMENT) }
  }
  if (reader && separator !== undefined) yield { separator, found: reader.end(), isReplaced: false }
}

function batchBuilder(task: ReadTask, shape: ContactShape) {
  const rows = copyText()
  const rejects: Reject[] = []
  const warnings = new Set<string>()
  const keys = new Set<string>()
  const unicity = unicityColumn(shape)
  let lines = 0
  let size = 0
  let accepted = 0
  let rejected = 0
  let duplicates = 0

  function add(columns: readonly Column[], line: Line, ordinal: number): void {
    lines += 1
    for (const cell of line.cells) size += cell.length
    const row = readRow({ columns, shape, empties: task.empties }, line, ordinal)
    if (Array.isArray(row)) {
      rejected += 1
      rejects.push(...row)
    } else if (task.keepsFirst && keys.has(row.key)) {
      duplicates += 1
      const { key, unicity: content } = row
      if (task.listsDuplicates)
        rejects.push({ ordinal, line: line.number, position: 0, reason: 'duplicate', column: unicity, content, key })
    } else {
      accepted += 1
      if (task.keepsFirst) keys.add(row.key)
      rows.add([ordinal, line.number, row.unicity, row.key, row.fields])
    }
  }

  return {
    add,
    warn: (warning: string) => void warnings.add(warning),
    isFull: () => lines >= task.batchLines || size >= MAX_BATCH_TEXT,
    finish: (end: number, bytes: number): LineBatch => ({
      lines: end,
      bytes,
      accepted,
      rejected,
      duplicates,
      rows: rows.finish(),
      rejects: JSON.stringify(rejects),
      warnings: [...warnings],
    }),
  }
}

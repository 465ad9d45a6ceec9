import type { ContactDefinitions } from '../../contacts/fields/definitions.ts'
import { buildContactShape, type ContactShape } from '../../contacts/values/contact-shape.ts'
import type { DateOrder } from '../../contacts/values/date-text.ts'
import type { DecimalMark } from '../../contacts/values/number-text.ts'
import type { CellReadingRules } from '../definitions/columns.ts'
import {
  countLinesBeforeData,
  type ImportColumnFormat,
  type ImportTextLayout,
  resolveTextLayout,
} from '../definitions/layout.ts'
import { type ImportStatusSource, sortByStatusWord } from '../definitions/statuses.ts'
import { createCopyTextBuilder } from '../run/copy-text.ts'
import { createLineWarner, createNumberWarner } from '../run/line-warnings.ts'
import { collapseToSingleLine, type ImportLine } from '../run/lines.ts'
import {
  formatStagedCells,
  formatUnicityColumn,
  type LineReject,
  parseImportLine,
  removeCellLineBreaks,
} from '../run/rows.ts'
import { type ImportUpload, listUploadTexts, type UploadText } from './archives.ts'
import { createCsvReader } from './csv.ts'
import { type DetectedDialect, detectDialect, detectSheetDialect, dropSeparatorLine } from './dialect.ts'
import { decodeByteStream, REPLACEMENT_CHARACTER } from './encoding.ts'

/** Rules for reading the texts of a file; `undefined` values are detected in each of them. */
export interface ImportTextFormat extends ImportColumnFormat {
  separator: string | undefined
  encoding: string
  dateOrder: DateOrder | undefined
  decimalMark?: DecimalMark | undefined
  /** The sheet of a workbook; the first one without it. */
  sheet?: string | undefined
}

/** Everything that reading a file for an import needs: plain data, so that a thread can be given it. */
export interface ImportReadTask {
  upload: Omit<ImportUpload, 'onRead'>
  /** A folder to unpack into. */
  scratch: string
  format: ImportTextFormat
  definitions: ContactDefinitions
  normalization: Record<string, string[]>
  /** Location of the status of a line; without any, its contact is neither listed nor flagged. */
  statuses: ImportStatusSource[]
  /** Empty cells of bound columns empty the field. */
  empties: boolean
  /** True if only the first of several lines of a batch with the same key is retained; otherwise all are. */
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
  /** The number of lines of this batch that are accepted, rejected, or left out as duplicates of others within it. */
  accepted: number
  rejected: number
  duplicates: number
  /** The accepted lines as `createCopyTextBuilder` writes them: ordinal, line, unicity, key, the JSON text of the values, and with statuses that of the marks. */
  rows: Uint8Array<ArrayBuffer>
  /** A JSON array of `LineReject`. */
  rejects: string
  warnings: string[]
}

/** Text of a batch beyond which it is closed early, in characters: a batch of long lines must not fill the memory. */
const MAX_BATCH_CHARACTERS = 1 << 20

/**
 * Reads the file of an import in batches of its data lines. Throws the Problems of `resolveTextLayout`, and those of
 * `listUploadTexts`. Constant memory, whatever the file.
 */
export async function* readLineBatches(task: ImportReadTask): AsyncGenerator<LineBatch> {
  const { format, statuses } = task
  const shape = buildContactShape(task.definitions)
  let bytesRead = 0
  let lines = 0
  let builder = createBatchBuilder(task, shape)
  const upload: ImportUpload = { ...task.upload, onRead: (count) => void (bytesRead += count) }
  const sortedTexts = sortByStatusWord(await listUploadTexts(upload, task.scratch), statuses)
  for (const text of sortedTexts) {
    const warn = (warning: string): void => builder.warn(warning)
    const shownName = sortedTexts.length === 1 ? undefined : text.name
    const lineWarner = createLineWarner(shownName, warn)
    const warnOfNumbers = createNumberWarner(shownName, shape.settings.decimalMark, warn)
    const openLayout = createLayoutOpener(task, shape, { name: text.name, isAlone: sortedTexts.length === 1, warn })
    for await (const { layout, found: dataRecords } of readDataLines(text, format, {
      open: openLayout,
      warnOf: lineWarner,
    })) {
      for (const line of dataRecords) {
        for (const kind of line.warnings ?? []) lineWarner(kind, line.number)
        if (hasSurplusCells(line, layout)) lineWarner('surplus', line.number)
        const joinedLine = removeCellLineBreaks(line, layout.columns)
        if (joinedLine !== line) lineWarner('joined', line.number)
        warnOfNumbers(layout.columns, line)
        lines += 1
        if (lines <= task.passed) continue
        builder.add(layout, joinedLine, lines)
        if (builder.isFull()) {
          yield builder.finish(lines, bytesRead)
          builder = createBatchBuilder(task, shape)
        }
      }
    }
  }
  yield builder.finish(lines, bytesRead)
}

type LayoutOpener = (
  header: readonly string[],
  dialect: Pick<DetectedDialect, 'separator' | 'width'>,
  sample: readonly ImportLine[],
) => ImportTextLayout

/** Makes the layout of a text from its header line, and reports its warnings. */
function createLayoutOpener(
  { format, statuses, normalization }: ImportReadTask,
  shape: ContactShape,
  { warn, ...text }: { name: string; isAlone: boolean; warn: (warning: string) => void },
): LayoutOpener {
  return (header, { separator, width }, sample) => {
    const { dateOrder, decimalMark } = format
    const rules: CellReadingRules = { separator, dateOrder, decimalMark, sample, normalization }
    const layout = resolveTextLayout(format, shape, rules, { ...text, statuses, header, width })
    for (const warning of layout.warnings) warn(warning)
    return layout
  }
}

/** The data lines of a text as they arrive, with the layout from the lines before them. */
async function* readDataLines(
  text: UploadText,
  format: ImportTextFormat,
  { open: openLayout, warnOf }: { open: LayoutOpener; warnOf: ReturnType<typeof createLineWarner> },
): AsyncGenerator<{ layout: ImportTextLayout; found: ImportLine[] }> {
  let linesToSkip: number | undefined
  let layout: ImportTextLayout | undefined
  for await (const { dialect, found: readRecords, isDamaged } of readTextLines(text, format)) {
    for (const { cells, number } of isDamaged ? readRecords : []) {
      if (cells.some((cell) => cell.includes(REPLACEMENT_CHARACTER))) warnOf('damaged', number)
    }
    linesToSkip ??= countLinesBeforeData(format, dialect.hasSeparatorLine)
    const skippedLines = readRecords.slice(0, linesToSkip)
    const dataRecords = skippedLines.length > 0 ? readRecords.slice(skippedLines.length) : readRecords
    linesToSkip -= skippedLines.length
    if (linesToSkip === 0) layout ??= openLayout(formatHeadings(skippedLines.at(-1)), dialect, dataRecords)
    if (layout) yield { layout, found: dataRecords }
  }
  // A text without lines has no header that names the unicity.
  if (!layout) openLayout([], { separator: ';', width: 1 }, [])
}

/** The cells of a header line, without line breaks. */
function formatHeadings(line: ImportLine | undefined): string[] {
  return line?.hasBreaks ? line.cells.map(collapseToSingleLine) : (line?.cells ?? [])
}

/** The records of a text as they arrive, its dialect, and whether bytes were replaced in decoding so far. */
async function* readTextLines(
  text: UploadText,
  format: ImportTextFormat,
): AsyncGenerator<{ dialect: DetectedDialect; found: ImportLine[]; isDamaged: boolean }> {
  const { name } = text
  const content = await text.open()
  if ('workbook' in content) return yield* readSheetLines(content.workbook.lines(format.sheet))
  let dialect: DetectedDialect | undefined
  let reader: ReturnType<typeof createCsvReader> | undefined
  let isDamaged = false
  for await (const piece of decodeByteStream(content.bytes, format.encoding)) {
    dialect ??= detectDialect(piece, { separator: format.separator, name })
    isDamaged ||= piece.includes(REPLACEMENT_CHARACTER)
    reader ??= createCsvReader(dialect)
    yield { dialect, found: dropSeparatorLine(reader.read(piece), dialect), isDamaged }
  }
  if (reader && dialect) yield { dialect, found: dropSeparatorLine(reader.end(), dialect), isDamaged }
}

/** The lines of a sheet, as those of a text. */
async function* readSheetLines(
  groups: AsyncIterable<ImportLine[]>,
): AsyncGenerator<{ dialect: DetectedDialect; found: ImportLine[]; isDamaged: boolean }> {
  let dialect: DetectedDialect | undefined
  for await (const lines of groups) {
    if (lines.length === 0) continue
    dialect ??= detectSheetDialect(lines)
    yield { dialect, found: lines, isDamaged: false }
  }
}

/** True if a line has text after its last column. */
function hasSurplusCells({ cells }: ImportLine, { width }: ImportTextLayout): boolean {
  return cells.length > width && cells.slice(width).some((cell) => cell.trim() !== '')
}

function createBatchBuilder(task: ImportReadTask, shape: ContactShape) {
  const rows = createCopyTextBuilder()
  const rejects: LineReject[] = []
  const warnings = new Set<string>()
  const keys = new Set<string>()
  const unicityColumn = formatUnicityColumn(shape)
  let lines = 0
  let textSize = 0
  let accepted = 0
  let rejected = 0
  let duplicates = 0

  function addLine({ columns, readMarks }: ImportTextLayout, line: ImportLine, ordinal: number): void {
    lines += 1
    for (const cell of line.cells) textSize += cell.length
    const row = parseImportLine({ columns, readMarks, shape, empties: task.empties }, line, ordinal)
    if (Array.isArray(row)) {
      rejected += 1
      rejects.push(...row)
    } else if (task.keepsFirst && keys.has(row.key)) {
      duplicates += 1
      const { key, unicity: unicityText } = row
      if (task.listsDuplicates)
        rejects.push({
          ordinal,
          line: line.number,
          position: 0,
          reason: 'duplicate',
          column: unicityColumn,
          content: unicityText,
          key,
        })
    } else {
      accepted += 1
      if (task.keepsFirst) keys.add(row.key)
      rows.add(formatStagedCells(row))
    }
  }

  return {
    add: addLine,
    warn: (warning: string) => void warnings.add(warning),
    isFull: () => lines >= task.batchLines || textSize >= MAX_BATCH_CHARACTERS,
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

import type { Problem } from '../../../lib/errors/problem.ts'
import { type ImportLine, MAX_IMPORT_LINE_LENGTH, type SheetRowWarning } from '../run/lines.ts'
import { brokenWorkbookProblem } from './file-problems.ts'
import { createRichTextCollector, type SharedStrings } from './shared-strings.ts'
import { formatSheetNumber, type SheetNumberKind } from './sheet-values.ts'
import { readXmlPieces, unescapeXmlText, type XmlHandler } from './workbook-xml.ts'

/** The formats of the numbers of a workbook. */
export interface NumberStyles {
  /** By the number of a cell's style. */
  kinds: readonly SheetNumberKind[]
  is1904: boolean
}

/** A cell with a value: its text, or the number of a shared string. */
interface RawCell {
  index: number
  value: string | number
  /** It is a number with a decimal point. */
  isNumber: boolean
}

/** A row before its shared strings are looked up. */
export interface RawSheetRow {
  number: number
  cells: RawCell[]
  warnings: SheetRowWarning[]
  /** Characters and cells. Beyond the length of the longest line, further cells are dropped. */
  size: number
}

const MAX_ROWS = 1 << 20
const MAX_COLUMNS = 1 << 14
/** Characters and cells of rows that are returned together. */
const GROUP_LIMIT = 1 << 20

function tooManyColumnsProblem(row: number): Problem {
  return brokenWorkbookProblem(`row ${row} has more than ${MAX_COLUMNS} columns`)
}

/** The column of a reference such as `AB12`, from 0; undefined if it does not begin with a letter. */
function parseColumnIndex(reference: string): number | undefined {
  let column = 0
  let letterIndex = 0
  for (; letterIndex < reference.length && letterIndex < 5; letterIndex++) {
    const letter = (reference.charCodeAt(letterIndex) | 32) - 96
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return letterIndex === 0 ? undefined : column - 1
}

/** A cell whose element is being read. */
interface OpenCell {
  index: number
  type: string
  style: number
  value: string
  isFormula: boolean
}

const BOOLEAN_TEXTS: Record<string, string> = { '0': 'FALSE', '1': 'TRUE' }

/** The value of a cell that is closed; a warning where it is not as the sheet shows it. */
function formatCell(
  { type, style, value, isFormula }: OpenCell,
  inline: string,
  { kinds, is1904 }: NumberStyles,
): { value: string | number; isNumber?: boolean; warning?: SheetRowWarning } {
  if (type === 'inlineStr') return { value: inline }
  // A formula whose text is empty is of the type `str`. Programs that do not calculate store no value.
  if (value === '') return { value, ...(isFormula && type !== 'str' && { warning: 'formula' }) }
  switch (type) {
    case 's': {
      const index = Number(value)
      if (!/^\d+$/.test(value.trim()) || !Number.isSafeInteger(index))
        throw brokenWorkbookProblem('a cell refers to no text')
      return { value: index }
    }
    case 'b':
      return { value: BOOLEAN_TEXTS[value] ?? value }
    case 'e':
      return { value: '', warning: 'error' }
    case 'str':
      return { value: unescapeXmlText(value) }
    case 'd':
      return { value }
    default: {
      const { text, isLong } = formatSheetNumber(value, kinds[style] ?? 'number', is1904)
      return { value: text, isNumber: text.includes('.'), ...(isLong && { warning: 'long' }) }
    }
  }
}

/** Reads the elements of a sheet into rows. */
class SheetRowReader implements XmlHandler {
  readonly #styles: NumberStyles
  readonly #inline = createRichTextCollector()
  #rows: RawSheetRow[] = []
  #row: RawSheetRow | undefined
  #cell: OpenCell | undefined
  /** The last row, and the column of the next cell. */
  #last = 0
  #next = 0
  #isValue = false
  #isInline = false

  constructor(styles: NumberStyles) {
    this.#styles = styles
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#isInline) this.#inline.open(name)
    else if (name === 'c') this.#openCell(attributes)
    else if (name === 'v') this.#isValue = true
    else if (name === 'f' && this.#cell) this.#cell.isFormula = true
    else if (name === 'row') this.#openRow(attributes['r'])
    else if (name === 'is') this.#isInline = true
  }

  #openRow(reference: string | undefined): void {
    const number = reference === undefined ? this.#last + 1 : Number(reference)
    if (!Number.isInteger(number) || number < 1 || number > MAX_ROWS)
      throw brokenWorkbookProblem(`it has an invalid row number, ${number}`)
    this.#last = number
    this.#next = 0
    this.#row = { number, cells: [], warnings: [], size: 0 }
  }

  #openCell({ r = '', t = 'n', s = '0' }: Record<string, string>): void {
    const index = parseColumnIndex(r) ?? this.#next
    if (index >= MAX_COLUMNS) throw tooManyColumnsProblem(this.#last)
    this.#next = index + 1
    this.#cell = { index, type: t, style: Number(s), value: '', isFormula: false }
  }

  text(piece: string): void {
    const cell = this.#cell
    if (this.#isInline) this.#inline.text(piece)
    else if (this.#isValue && cell && cell.value.length <= MAX_IMPORT_LINE_LENGTH)
      cell.value += piece.slice(0, MAX_IMPORT_LINE_LENGTH + 1)
  }

  close(name: string): void {
    if (name === 'is') this.#isInline = false
    else if (this.#isInline) this.#inline.close(name)
    else if (name === 'v') this.#isValue = false
    else if (name === 'c') {
      if (this.#cell && this.#row) this.#closeCell(this.#cell, this.#row)
      this.#cell = undefined
    } else if (name === 'row') {
      if (this.#row && this.#row.cells.length + this.#row.warnings.length > 0) this.#rows.push(this.#row)
      this.#row = undefined
    }
  }

  #closeCell(cell: OpenCell, row: RawSheetRow): void {
    const inline = this.#inline.take()
    if (row.size > MAX_IMPORT_LINE_LENGTH) return
    const { value, isNumber = false, warning } = formatCell(cell, inline, this.#styles)
    if (warning && !row.warnings.includes(warning)) row.warnings.push(warning)
    if (value === '') return
    if (row.cells.push({ index: cell.index, value, isNumber }) > MAX_COLUMNS) throw tooManyColumnsProblem(row.number)
    row.size += typeof value === 'string' ? value.length : 1
  }

  /** Returns the rows that are complete, and forgets them. */
  take(): RawSheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }
}

/** The rows of a sheet that have a value, as they arrive. Throws Problem `workbook-broken`. */
export async function* readRawSheetRows(
  chunks: AsyncIterable<Buffer>,
  styles: NumberStyles,
): AsyncGenerator<RawSheetRow[]> {
  const reader = new SheetRowReader(styles)
  for await (const _ of readXmlPieces(chunks, reader)) yield reader.take()
}

/** The line of a row, with an empty cell for each that has no value, and its characters and cells. */
function buildSheetLine(
  { number, cells: rawCells, warnings }: RawSheetRow,
  strings: SharedStrings,
): { line: ImportLine; size: number } {
  const cells: string[] = []
  const numbers = new Set<number>()
  let size = 0
  for (const { index, value, isNumber } of rawCells) {
    const text = typeof value === 'string' ? value : strings.get(value)
    if (text === undefined) throw brokenWorkbookProblem(`row ${number} refers to a text that does not exist`)
    while (cells.length < index) cells.push('')
    cells[index] = text
    size += text.length
    if (isNumber) numbers.add(index)
    if (size > MAX_IMPORT_LINE_LENGTH) return { line: { number, cells: [], fault: 'too-long' }, size }
  }
  const line: ImportLine = { number, cells }
  if (numbers.size > 0) line.numbers = numbers
  if (warnings.length > 0) line.warnings = warnings
  if (cells.some((cell) => /[\r\n]/.test(cell))) line.hasBreaks = true
  return { line, size: size + cells.length }
}

const isBlankLine = ({ cells, fault }: ImportLine): boolean => !fault && cells.every((cell) => cell.trim() === '')

/**
 * The lines of rows, as those of a delimited text: `number` is that of the row, and rows without a value are no lines. `spend` is
 * called with the characters and cells of each. Throws Problem `workbook-broken`.
 */
export function* toSheetLines(
  rows: readonly RawSheetRow[],
  strings: SharedStrings,
  spend: (size: number) => void,
): Generator<ImportLine[]> {
  let lines: ImportLine[] = []
  let groupSize = 0
  for (const row of rows) {
    const { line, size } = buildSheetLine(row, strings)
    spend(size)
    if (isBlankLine(line) && !line.warnings) continue
    lines.push(line)
    groupSize += size
    if (groupSize < GROUP_LIMIT) continue
    yield lines
    lines = []
    groupSize = 0
  }
  yield lines
}

/** The warnings about a row of a workbook: a cell shows an error, a formula has no value, or a number has more digits than spreadsheets keep. */
export type SheetRowWarning = 'error' | 'formula' | 'long'

/** One record of a delimited text, or row of a sheet. `number` is the line of the file it begins on, from 1. */
export interface ImportLine {
  number: number
  cells: string[]
  /** It spans several lines: some of its cells hold line breaks. */
  hasBreaks?: true
  /** Cells of a workbook that are numbers with a decimal point, regardless of their column. */
  numbers?: ReadonlySet<number>
  /** The warnings about this row of a workbook. */
  warnings?: SheetRowWarning[]
  /** Its quotes do not fit the dialect: text follows a closing quote, or a blank precedes an opening one. */
  isOdd?: true
  /**
   * The reason why there are no cells, or the cells cannot be trusted: the line is longer than `MAX_IMPORT_LINE_LENGTH`; it has an unclosed quote, or
   * quotes that shift its cells; or it follows an unclosed quote in line `opened` and does not have the usual number of cells.
   */
  fault?: 'too-long' | 'open-quote' | 'in-doubt'
  opened?: number
}

/** The longest line that is read, in characters; a longer one is skipped, whatever its length. */
export const MAX_IMPORT_LINE_LENGTH = 1 << 20

/** A text with each line break, and the blanks around it, replaced with one space. */
export function collapseToSingleLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

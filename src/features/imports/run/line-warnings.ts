import { type DecimalMark, isAmbiguousNumber } from '../../contacts/values/number-text.ts'
import type { ImportColumn } from '../definitions/columns.ts'
import type { ImportLine } from './lines.ts'

/** Properties of lines that reading changes, or that a spreadsheet changed before. */
const warningKinds = {
  error: 'a cell that shows an error, such as #N/A: it is read as empty',
  formula:
    'a formula without a stored value: it is read as empty. Open the workbook in a spreadsheet program and save it there',
  long: 'a number of more than 15 digits, whose last digits spreadsheets change: format such columns as text',
  damaged: 'bytes that are not valid in the encoding: each was replaced with "\uFFFD"',
  joined: 'a line break in a single-line field: it was replaced with a space',
  surplus: 'cells after the last column: they were not read',
} as const
export type LineWarning = keyof typeof warningKinds

/** The number of lines named for each kind of warning in a text. */
const MAX_NAMED_LINES = 20

/** The words that name a text in a warning; none if it is the only one. */
const formatTextName = (name: string | undefined): string => (name === undefined ? '' : ` of "${name}"`)

/** Warns of lines by number, and by text if there are several: the first 20 of each kind, then once that there are more. */
export function createLineWarner(name: string | undefined, warn: (warning: string) => void) {
  const textSuffix = formatTextName(name)
  const countsByWarning = new Map<LineWarning, number>()
  return (kind: LineWarning, line: number): void => {
    const count = (countsByWarning.get(kind) ?? 0) + 1
    countsByWarning.set(kind, count)
    if (count <= MAX_NAMED_LINES) warn(`Line ${line}${textSuffix} has ${warningKinds[kind]}.`)
    else if (count === MAX_NAMED_LINES + 1) warn(`More lines${textSuffix} have ${warningKinds[kind]}.`)
  }
}

/** Warns once of each column that follows the account's decimal mark, at its first ambiguous number. */
export function createNumberWarner(name: string | undefined, mark: DecimalMark, warn: (warning: string) => void) {
  const textSuffix = formatTextName(name)
  /** The columns that follow the setting and have no warning yet. */
  let undecided: readonly ImportColumn[] | undefined
  return (columns: readonly ImportColumn[], { number, cells, numbers }: ImportLine): void => {
    undecided ??= columns.filter(({ isUndecided }) => isUndecided)
    if (undecided.length === 0) return
    undecided = undecided.filter(({ index, field }) => {
      const cell = (cells[index] ?? '').trim()
      if (numbers?.has(index) || !isAmbiguousNumber(cell)) return true
      warn(
        `Line ${number}${textSuffix} has "${cell}" for the field "${field.name}", but the column does not show which decimal mark it uses: it was read with a ${mark}, as in the account settings.`,
      )
      return false
    })
  }
}

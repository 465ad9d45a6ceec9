import { type DateNumberUnit, isUncertainDate, parseDateNumber } from '../../contacts/values/date-text.ts'
import {
  type DecimalMark,
  detectDecimalMark,
  isAmbiguousNumber,
  parseCellNumber,
} from '../../contacts/values/number-text.ts'

/** A cell, and its value with each decimal mark. */
type NumberReadings = { cell: string } & Record<DecimalMark, number>
/** A cell, and its date in each unit; null if it is not a date in that unit. */
type DateReadings = { cell: string } & Record<DateNumberUnit, string | null>

/** The questions of a preview about a column: the readings of its first cells, if they have several. */
export interface ColumnQuestions {
  numbers?: NumberReadings[]
  dates?: DateReadings[]
}

/** The number of cells shown with their readings. */
const SHOWN = 3

const isMost = (some: readonly string[], all: readonly string[]): boolean =>
  some.length > 0 && some.length * 2 >= all.length

/** The questions to answer before a column can fill a field of numbers or dates. */
export function findColumnQuestions(column: readonly string[]): ColumnQuestions {
  const cells = column.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const uncertain = cells.filter(isUncertainDate)
  const numbers = cells.filter((cell) => parseCellNumber(cell, 'point') !== undefined)
  const ambiguous = isMost(numbers, cells) && !detectDecimalMark(cells) ? cells.filter(isAmbiguousNumber) : []
  return {
    ...(ambiguous.length > 0 && { numbers: firstOf(ambiguous).flatMap(numberReadings) }),
    ...(isMost(uncertain, cells) && { dates: firstOf(uncertain).map(dateReadings) }),
  }
}

function firstOf(cells: readonly string[]): string[] {
  return [...new Set(cells)].slice(0, SHOWN)
}

function numberReadings(cell: string): NumberReadings[] {
  const [comma, point] = [parseCellNumber(cell, 'comma'), parseCellNumber(cell, 'point')]
  return comma === undefined || point === undefined ? [] : [{ cell, comma, point }]
}

function dateReadings(cell: string): DateReadings {
  const dateIn = (unit: DateNumberUnit) => parseDateNumber(cell, unit) ?? null
  return { cell, seconds: dateIn('seconds'), milliseconds: dateIn('milliseconds'), serial: dateIn('serial') }
}

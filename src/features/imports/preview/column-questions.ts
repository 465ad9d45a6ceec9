import {
  type DateNumberUnit,
  dateNumberUnits,
  isUncertainDate,
  parseDateNumber,
} from '../../contacts/values/date-text.ts'
import {
  type DecimalMark,
  detectDecimalMark,
  isAmbiguousNumber,
  parseCellNumber,
} from '../../contacts/values/number-text.ts'

/** A cell, and its value with each decimal mark. */
type NumberReadings = { cell: string } & Record<DecimalMark, number>
/** A cell, and its date in each unit; null if it is not a date in that unit, or the column has no plausible dates in it. */
type DateReadings = { cell: string } & Record<DateNumberUnit, string | null>

/** The questions of a preview about a column: the readings of its first cells, if they have several. */
export interface ColumnQuestions {
  numbers?: NumberReadings[]
  dates?: DateReadings[]
}

/** The number of cells shown with their readings. */
const MAX_SAMPLE_CELLS = 3

const isAtLeastHalf = (some: readonly string[], allCells: readonly string[]): boolean =>
  some.length > 0 && some.length * 2 >= allCells.length

/** The questions to answer before a column can fill a field of numbers or dates. */
export function findColumnQuestions(column: readonly string[]): ColumnQuestions {
  const filledCells = column.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const uncertain = filledCells.filter(isUncertainDate)
  const numericCells = filledCells.filter((cell) => parseCellNumber(cell, 'point') !== undefined)
  const ambiguous =
    isAtLeastHalf(numericCells, filledCells) && !detectDecimalMark(filledCells)
      ? filledCells.filter(isAmbiguousNumber)
      : []
  const units = isAtLeastHalf(uncertain, filledCells) ? findPlausibleUnits(uncertain) : []
  return {
    ...(ambiguous.length > 0 && { numbers: selectFirstDistinct(ambiguous).flatMap(buildNumberReadings) }),
    ...(units.length > 0 && { dates: selectFirstDistinct(uncertain).map((cell) => buildDateReadings(cell, units)) }),
  }
}

/** The units in which at least half of the cells are plausible dates: small numbers, such as counts and ages, are none. */
function findPlausibleUnits(cells: readonly string[]): DateNumberUnit[] {
  return dateNumberUnits.filter((unit) => {
    const plausibleCells = cells.filter((cell) => isPlausibleDate(parseDateNumber(cell, unit), unit))
    return isAtLeastHalf(plausibleCells, cells)
  })
}

/** A plausible date is in the years 1910 to 2099. Since every small number is near 1970 in seconds or milliseconds, 1969 and 1970 are not plausible there. */
function isPlausibleDate(date: string | undefined, unit: DateNumberUnit): boolean {
  if (date === undefined || date < '1910' || date >= '2100') return false
  return unit === 'serial' || date < '1969' || date >= '1971'
}

function selectFirstDistinct(cells: readonly string[]): string[] {
  return [...new Set(cells)].slice(0, MAX_SAMPLE_CELLS)
}

function buildNumberReadings(cell: string): NumberReadings[] {
  const [commaValue, pointValue] = [parseCellNumber(cell, 'comma'), parseCellNumber(cell, 'point')]
  return commaValue === undefined || pointValue === undefined ? [] : [{ cell, comma: commaValue, point: pointValue }]
}

function buildDateReadings(cell: string, units: readonly DateNumberUnit[]): DateReadings {
  const parseDateInUnit = (unit: DateNumberUnit) =>
    units.includes(unit) ? (parseDateNumber(cell, unit) ?? null) : null
  return {
    cell,
    seconds: parseDateInUnit('seconds'),
    milliseconds: parseDateInUnit('milliseconds'),
    serial: parseDateInUnit('serial'),
  }
}

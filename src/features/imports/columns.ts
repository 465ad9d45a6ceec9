import { Problem } from '../../lib/problem.ts'
import { countryOf } from '../contacts/countries.ts'
import type { ContactShape } from '../contacts/shape.ts'
import { compileReader, type Reader } from '../contacts/values.ts'
import type { DateOrder } from '../fields/date-text.ts'
import type { Field } from '../fields/field-schemas.ts'

/** A column of a file that fills a field. */
export interface Column {
  /** Its place in a line, from 0. */
  index: number
  field: Field
  read: Reader
}

/** A column of an import format; without a field it is not read. */
export interface Bind {
  columnIndex: number
  field: number | null
}

/** What decides how cells are read, beside the fields themselves. */
export interface CellRules {
  separator: string
  /** That of the import format; else the account's. */
  dateOrder: DateOrder | undefined
  /** Countries (alpha-3) tried in order for a phone field, by its id; else the account's. */
  normalization: Record<string, string[]>
}

/** The columns that an import format binds. Throws Problem `unicity-not-bound`. */
export function boundColumns(binds: readonly Bind[], shape: ContactShape, rules: CellRules): Column[] {
  const fields = new Map(shape.fields.map((field) => [field.id, field]))
  const columns = binds.flatMap(({ columnIndex, field: id }) => {
    const field = id === null ? undefined : fields.get(id)
    return field ? [{ index: columnIndex, field, read: cellReader(field, shape, rules) }] : []
  })
  return requireUnicity(columns, shape)
}

/**
 * The columns that a header line names, by field id or name in any case. What names no field, or a field a second
 * time, is left out with a warning. Throws Problem `unicity-not-bound`.
 */
export function namedColumns(
  header: readonly string[],
  shape: ContactShape,
  rules: CellRules,
): { columns: Column[]; warnings: string[] } {
  const columns: Column[] = []
  const warnings: string[] = []
  for (const [index, name] of header.entries()) {
    const field = shape.find(name.trim())
    const shown = `Column ${index + 1}, "${name.trim().slice(0, 100)}",`
    if (!field) warnings.push(`${shown} names no field: it was not read.`)
    else if (columns.some((column) => column.field.id === field.id)) {
      warnings.push(`${shown} names a field that an earlier column fills: it was not read.`)
    } else columns.push({ index, field, read: cellReader(field, shape, rules) })
  }
  return { columns: requireUnicity(columns, shape), warnings }
}

function cellReader(field: Field, shape: ContactShape, { separator, dateOrder, normalization }: CellRules): Reader {
  const countries = normalization[field.id] ?? [shape.settings.defaultCountry]
  return compileReader(field, {
    countries: countries.flatMap((country) => countryOf(country) ?? []),
    dateOrder: dateOrder ?? shape.settings.dateOrder,
    labels: shape.labels(field),
    cells: { labelSeparator: separator === '|' ? ',' : '|' },
  })
}

function requireUnicity(columns: Column[], shape: ContactShape): Column[] {
  const missing = shape.unicity.filter(({ id }) => !columns.some(({ field }) => field.id === id))
  if (missing.length === 0) return columns
  const names = missing.map(({ name }) => `"${name}"`).join(' and ')
  throw new Problem(400, 'unicity-not-bound', `The file has no column for ${names}, which identify contacts.`)
}

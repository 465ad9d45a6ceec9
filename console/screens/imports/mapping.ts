import type { Answer } from '../../api/shapes.ts'

type Answered = Answer<'/imports/preview', 'post'>
export type Feature = Answered['mapping']['features'][number]
export type Preview = Omit<Answered, 'mapping'> & { mapping: { features: Feature[] } }
export type Column = Preview['columns'][number]
export type Field = Answer<'/fields', 'get'>[number]
type Statuses = Extract<Feature, { type: 'statuses' }>
type Columns = Extract<Feature, { type: 'columns' }>
type ColumnEntry = Columns['fields'][number]
export type Mark = NonNullable<Statuses['map'][string]>

/** Where a word of a line stands, and what each word does. */
export interface StatusRule {
  column?: string | number | null
  file?: boolean | null
  map: Record<string, Mark | null>
  field?: number | null
}

export const marks: readonly Mark[] = ['redList', 'hardUser', 'hardDomain', 'hardOther', 'hardRules', 'reportAsSpam']

const columnsOf = (features: readonly Feature[]) => features.find(({ type }) => type === 'columns')

/** Whether an entry of the feature means this column: by its heading in any case, or its place. */
function isOf(entry: string | number, { index, heading }: Column): boolean {
  return typeof entry === 'number' ? entry === index : entry.toLowerCase() === heading?.toLowerCase()
}

/** The field that a column fills; null: it is not read. */
export function fieldOf(features: readonly Feature[], column: Column): number | null {
  const feature = columnsOf(features)
  if (feature?.type !== 'columns') return column.field
  return feature.fields.find((entry) => isOf(entry.column, column))?.field ?? null
}

function withColumns(features: readonly Feature[], change: (columns: Columns) => Columns): Feature[] {
  return features.map((feature) => (feature.type === 'columns' ? change(feature) : feature))
}

/** The features with a column that fills another field. */
export function withField(features: readonly Feature[], column: Column, field: number | null): Feature[] {
  return withColumns(features, (columns) => {
    const others = columns.fields.filter((entry) => !isOf(entry.column, column))
    const former = columns.fields.find((entry) => isOf(entry.column, column))
    return { ...columns, fields: [...others, { column: former?.column ?? column.heading ?? column.index, field }] }
  })
}

type Reading = Pick<ColumnEntry, 'decimalMark' | 'dateUnit'>

export const MARKS = ['comma', 'point'] as const
export const UNITS = ['seconds', 'milliseconds', 'serial'] as const

/** The reading that a choice among the marks and units stands for; empty for none. */
export function chosenReading(choice: string | null): Reading {
  const [decimalMark, dateUnit] = [MARKS.find((mark) => mark === choice), UNITS.find((unit) => unit === choice)]
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/** The chosen decimal mark and date unit of a column; empty if none is chosen. */
export function readingOf(features: readonly Feature[], column: Column): Reading {
  const feature = columnsOf(features)
  if (feature?.type !== 'columns') return {}
  const { decimalMark, dateUnit } = feature.fields.find((entry) => isOf(entry.column, column)) ?? {}
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/** The features with another reading of a column. */
export function withReading(features: readonly Feature[], column: Column, reading: Reading): Feature[] {
  return withColumns(features, (columns) => {
    const fields = columns.fields.map((entry) =>
      isOf(entry.column, column) ? { column: entry.column, field: entry.field, ...reading } : entry,
    )
    return { ...columns, fields }
  })
}

/** The features with an encoding for files. */
export function withEncoding(features: readonly Feature[], encoding: string): Feature[] {
  return withColumns(features, (columns) => ({ ...columns, encoding }))
}

/** The features with one sheet of workbooks read. */
export function withSheet(features: readonly Feature[], sheet: string): Feature[] {
  return withColumns(features, (columns) => ({ ...columns, sheet }))
}

/** The rules about statuses: the first one is the feature itself, the rest stand in `also`. */
export function statusRules(features: readonly Feature[]): StatusRule[] {
  const feature = features.find(({ type }) => type === 'statuses')
  if (feature?.type !== 'statuses') return []
  const { also = [], column, file, map, field } = feature
  const first = { map, ...(column !== undefined && { column }), ...(file !== undefined && { file }) }
  return [{ ...first, ...(field !== undefined && { field }) }, ...also]
}

/** The features with another meaning of a word of the rule at a place. */
export function withMark(
  features: readonly Feature[],
  { rule, word, mark }: { rule: number; word: string; mark: Mark | null },
): Feature[] {
  return features.map((feature) => {
    if (feature.type !== 'statuses') return feature
    if (rule === 0) return { ...feature, map: { ...feature.map, [word]: mark } }
    const also = (feature.also ?? []).map((one, place) =>
      place === rule - 1 ? { ...one, map: { ...one.map, [word]: mark } } : one,
    )
    return { ...feature, also }
  })
}

/** The features with one of a type replaced; null takes it away. */
export function withFeature(features: readonly Feature[], type: Feature['type'], feature: Feature | null): Feature[] {
  const others = features.filter((one) => one.type !== type)
  return feature ? [...others, feature] : others
}

/** The type of a field that a column could fill: numbers where all of its cells are. */
export function typeOfCells(cells: readonly (string | undefined)[]): 'numeric' | 'textField' {
  const filled = cells.filter((cell) => cell !== undefined && cell !== '')
  return filled.length > 0 && filled.every((cell) => /^-?(?:0|[1-9]\d{0,14})(?:[.,]\d+)?$/.test(cell ?? ''))
    ? 'numeric'
    : 'textField'
}

import type { ApiAnswer } from '../../api/shapes.ts'

type Answered = ApiAnswer<'/imports/preview', 'post'>
export type ApiImportFeature = Answered['mapping']['features'][number]
export type ApiImportPreview = Omit<Answered, 'mapping'> & { mapping: { features: ApiImportFeature[] } }
export type ImportPreviewColumn = ApiImportPreview['columns'][number]
export type ImportTargetField = ApiAnswer<'/fields', 'get'>[number]
type Statuses = Extract<ApiImportFeature, { type: 'statuses' }>
type Columns = Extract<ApiImportFeature, { type: 'columns' }>
type ColumnEntry = Columns['fields'][number]
export type ImportStatusMark = NonNullable<Statuses['map'][string]>

/** Where a word of a line stands, and what each word does. */
export interface ApiImportStatusRule {
  column?: string | number | null
  file?: boolean | null
  map: Record<string, ImportStatusMark | null>
  field?: number | null
}

export const importStatusMarks: readonly ImportStatusMark[] = [
  'redList',
  'hardUser',
  'hardDomain',
  'hardOther',
  'hardRules',
  'reportAsSpam',
]

const columnsOf = (features: readonly ApiImportFeature[]) => features.find(({ type }) => type === 'columns')

/** Whether an entry of the feature means this column: by its heading in any case, or its place. */
function isOf(entry: string | number, { index, heading }: ImportPreviewColumn): boolean {
  return typeof entry === 'number' ? entry === index : entry.toLowerCase() === heading?.toLowerCase()
}

/** The field that a column fills; null: it is not read. */
export function findColumnField(features: readonly ApiImportFeature[], column: ImportPreviewColumn): number | null {
  const feature = columnsOf(features)
  if (feature?.type !== 'columns') return column.field
  return feature.fields.find((entry) => isOf(entry.column, column))?.field ?? null
}

function withColumns(features: readonly ApiImportFeature[], change: (columns: Columns) => Columns): ApiImportFeature[] {
  return features.map((feature) => (feature.type === 'columns' ? change(feature) : feature))
}

/** The features with a column that fills another field. */
export function setColumnField(
  features: readonly ApiImportFeature[],
  column: ImportPreviewColumn,
  field: number | null,
): ApiImportFeature[] {
  return withColumns(features, (columns) => {
    const others = columns.fields.filter((entry) => !isOf(entry.column, column))
    const former = columns.fields.find((entry) => isOf(entry.column, column))
    return { ...columns, fields: [...others, { column: former?.column ?? column.heading ?? column.index, field }] }
  })
}

type Reading = Pick<ColumnEntry, 'decimalMark' | 'dateUnit'>

export const DECIMAL_MARKS = ['comma', 'point'] as const
export const DATE_UNITS = ['seconds', 'milliseconds', 'serial'] as const

/** The reading that a choice among the marks and units stands for; empty for none. */
export function parseReadingChoice(choice: string | null): Reading {
  const [decimalMark, dateUnit] = [
    DECIMAL_MARKS.find((mark) => mark === choice),
    DATE_UNITS.find((unit) => unit === choice),
  ]
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/** The chosen decimal mark and date unit of a column; empty if none is chosen. */
export function findColumnReading(features: readonly ApiImportFeature[], column: ImportPreviewColumn): Reading {
  const feature = columnsOf(features)
  if (feature?.type !== 'columns') return {}
  const { decimalMark, dateUnit } = feature.fields.find((entry) => isOf(entry.column, column)) ?? {}
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/** The features with another reading of a column. */
export function setColumnReading(
  features: readonly ApiImportFeature[],
  column: ImportPreviewColumn,
  reading: Reading,
): ApiImportFeature[] {
  return withColumns(features, (columns) => {
    const fields = columns.fields.map((entry) =>
      isOf(entry.column, column) ? { column: entry.column, field: entry.field, ...reading } : entry,
    )
    return { ...columns, fields }
  })
}

/** The features with an encoding for files. */
export function setImportEncoding(features: readonly ApiImportFeature[], encoding: string): ApiImportFeature[] {
  return withColumns(features, (columns) => ({ ...columns, encoding }))
}

/** The features with one sheet of workbooks read. */
export function setImportSheet(features: readonly ApiImportFeature[], sheet: string): ApiImportFeature[] {
  return withColumns(features, (columns) => ({ ...columns, sheet }))
}

/** The rules about statuses: the first one is the feature itself, the rest stand in `also`. */
export function listImportStatusRules(features: readonly ApiImportFeature[]): ApiImportStatusRule[] {
  const feature = features.find(({ type }) => type === 'statuses')
  if (feature?.type !== 'statuses') return []
  const { also = [], column, file, map, field } = feature
  const first = { map, ...(column !== undefined && { column }), ...(file !== undefined && { file }) }
  return [{ ...first, ...(field !== undefined && { field }) }, ...also]
}

/** The features with another meaning of a word of the rule at a place. */
export function setStatusMark(
  features: readonly ApiImportFeature[],
  { rule, word, mark }: { rule: number; word: string; mark: ImportStatusMark | null },
): ApiImportFeature[] {
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
export function setImportFeature(
  features: readonly ApiImportFeature[],
  type: ApiImportFeature['type'],
  feature: ApiImportFeature | null,
): ApiImportFeature[] {
  const others = features.filter((one) => one.type !== type)
  return feature ? [...others, feature] : others
}

/** The type of a field that a column could fill: numbers where all of its cells are. */
export function inferFieldType(cells: readonly (string | undefined)[]): 'numeric' | 'textField' {
  const filled = cells.filter((cell) => cell !== undefined && cell !== '')
  return filled.length > 0 && filled.every((cell) => /^-?(?:0|[1-9]\d{0,14})(?:[.,]\d+)?$/.test(cell ?? ''))
    ? 'numeric'
    : 'textField'
}

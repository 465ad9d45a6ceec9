import type { ApiAnswer } from '../../api/shapes.ts'

type PreviewAnswer = ApiAnswer<'previewImportFile'>
export type ApiImportFeature = PreviewAnswer['mapping']['features'][number]
export type ApiImportPreview = Omit<PreviewAnswer, 'mapping'> & { mapping: { features: ApiImportFeature[] } }
export type ImportPreviewColumn = ApiImportPreview['columns'][number]
export type ImportTargetField = ApiAnswer<'listFields'>[number]
type StatusesFeature = Extract<ApiImportFeature, { type: 'statuses' }>
type ColumnsFeature = Extract<ApiImportFeature, { type: 'columns' }>
type ColumnEntry = ColumnsFeature['fields'][number]
export type ImportStatusMark = NonNullable<StatusesFeature['map'][string]>

/** Location of a word in a line, and the effect of each word. */
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

const findColumnsFeature = (features: readonly ApiImportFeature[]) => features.find(({ type }) => type === 'columns')

/** True if an entry of the feature refers to this column: by its heading in any case, or by its index. */
function isEntryOfColumn(entry: string | number, { index, heading }: ImportPreviewColumn): boolean {
  return typeof entry === 'number' ? entry === index : entry.toLowerCase() === heading?.toLowerCase()
}

/** The field that a column fills; null: it is not read. */
export function findColumnField(features: readonly ApiImportFeature[], column: ImportPreviewColumn): number | null {
  const columnsFeature = findColumnsFeature(features)
  if (columnsFeature?.type !== 'columns') return column.field
  return columnsFeature.fields.find((entry) => isEntryOfColumn(entry.column, column))?.field ?? null
}

function updateColumns(
  features: readonly ApiImportFeature[],
  change: (columns: ColumnsFeature) => ColumnsFeature,
): ApiImportFeature[] {
  return features.map((feature) => (feature.type === 'columns' ? change(feature) : feature))
}

/** The features with a column that fills another field. */
export function setColumnField(
  features: readonly ApiImportFeature[],
  column: ImportPreviewColumn,
  field: number | null,
): ApiImportFeature[] {
  return updateColumns(features, (columns) => {
    const otherEntries = columns.fields.filter((entry) => !isEntryOfColumn(entry.column, column))
    const previousEntry = columns.fields.find((entry) => isEntryOfColumn(entry.column, column))
    return {
      ...columns,
      fields: [...otherEntries, { column: previousEntry?.column ?? column.heading ?? column.index, field }],
    }
  })
}

type ColumnReading = Pick<ColumnEntry, 'decimalMark' | 'dateUnit'>

export const DECIMAL_MARKS = ['comma', 'point'] as const
export const DATE_UNITS = ['seconds', 'milliseconds', 'serial'] as const

/** The reading that a choice among the marks and units stands for; empty for none. */
export function parseReadingChoice(choice: string | null): ColumnReading {
  const [decimalMark, dateUnit] = [
    DECIMAL_MARKS.find((mark) => mark === choice),
    DATE_UNITS.find((unit) => unit === choice),
  ]
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/** The chosen decimal mark and date unit of a column; empty if none is chosen. */
export function findColumnReading(features: readonly ApiImportFeature[], column: ImportPreviewColumn): ColumnReading {
  const columnsFeature = findColumnsFeature(features)
  if (columnsFeature?.type !== 'columns') return {}
  const { decimalMark, dateUnit } = columnsFeature.fields.find((entry) => isEntryOfColumn(entry.column, column)) ?? {}
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/** The features with another reading of a column. */
export function setColumnReading(
  features: readonly ApiImportFeature[],
  column: ImportPreviewColumn,
  reading: ColumnReading,
): ApiImportFeature[] {
  return updateColumns(features, (columns) => {
    const changedFields = columns.fields.map((entry) =>
      isEntryOfColumn(entry.column, column) ? { column: entry.column, field: entry.field, ...reading } : entry,
    )
    return { ...columns, fields: changedFields }
  })
}

/** The features with an encoding for files. */
export function setImportEncoding(features: readonly ApiImportFeature[], encoding: string): ApiImportFeature[] {
  return updateColumns(features, (columns) => ({ ...columns, encoding }))
}

/** The features with one sheet of workbooks read. */
export function setImportSheet(features: readonly ApiImportFeature[], sheet: string): ApiImportFeature[] {
  return updateColumns(features, (columns) => ({ ...columns, sheet }))
}

/** The rules about statuses: the first one is the feature itself, the rest stand in `also`. */
export function listImportStatusRules(features: readonly ApiImportFeature[]): ApiImportStatusRule[] {
  const statusesFeature = features.find(({ type }) => type === 'statuses')
  if (statusesFeature?.type !== 'statuses') return []
  const { also = [], column, file, map, field } = statusesFeature
  const firstRule = { map, ...(column !== undefined && { column }), ...(file !== undefined && { file }) }
  return [{ ...firstRule, ...(field !== undefined && { field }) }, ...also]
}

/** The features with another meaning of a word of the rule at a place. */
export function setStatusMark(
  features: readonly ApiImportFeature[],
  { rule, word, mark }: { rule: number; word: string; mark: ImportStatusMark | null },
): ApiImportFeature[] {
  return features.map((feature) => {
    if (feature.type !== 'statuses') return feature
    if (rule === 0) return { ...feature, map: { ...feature.map, [word]: mark } }
    const additionalRules = (feature.also ?? []).map((additionalRule, place) =>
      place === rule - 1 ? { ...additionalRule, map: { ...additionalRule.map, [word]: mark } } : additionalRule,
    )
    return { ...feature, also: additionalRules }
  })
}

/** The features with one of a type replaced; null takes it away. */
export function setImportFeature(
  features: readonly ApiImportFeature[],
  type: ApiImportFeature['type'],
  feature: ApiImportFeature | null,
): ApiImportFeature[] {
  const otherFeatures = features.filter((candidate) => candidate.type !== type)
  return feature ? [...otherFeatures, feature] : otherFeatures
}

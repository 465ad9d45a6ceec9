import { apiClient } from '../../../api/client.ts'
import {
  type ApiImportFeature,
  type ApiImportPreview,
  findColumnField,
  type ImportPreviewColumn,
  listImportStatusRules,
} from '../mapping.ts'
import {
  type ColumnGuess,
  type ColumnKind,
  fieldTypesByKind,
  guessColumnKind,
  listColumnLabels,
  type SampledImportColumn,
} from './column-kinds.ts'
import { findFreeFieldName } from './free-name.ts'
import type { ImportSample } from './sample-rows.ts'

/** Fields that an import creates first: the kind of each, by the index of its column. */
export type NewImportFields = Readonly<Record<number, ColumnKind>>

/** True if a rule about subscription states reads this column. */
export function isStatusColumn(
  features: readonly ApiImportFeature[],
  { heading, index }: ImportPreviewColumn,
): boolean {
  return listImportStatusRules(features).some(({ column }) =>
    typeof column === 'number' ? column === index : column?.toLowerCase() === (heading ?? '').toLowerCase(),
  )
}

/** A column with its cells of the sample. */
export function sampleImportColumn(
  { heading, index }: ImportPreviewColumn,
  { rows, isWhole }: ImportSample,
  separator: number,
): SampledImportColumn {
  const cells = rows.map((row) => row[index] ?? '')
  return { heading: heading ?? '', cells, isWhole, labelSeparator: separator === 124 ? ',' : '|' }
}

/** The guess about each column, by its index. */
export function guessImportColumns(preview: ApiImportPreview, sample: ImportSample): Record<number, ColumnGuess> {
  const guesses = preview.columns.map((column) => {
    const sampledColumn = sampleImportColumn(column, sample, preview.separator)
    return [column.index, guessColumnKind(sampledColumn)] as const
  })
  return Object.fromEntries(guesses)
}

/** A new field for each column that holds anything, fills no field and tells no subscription state. */
export function proposeNewFields(
  preview: ApiImportPreview,
  sample: ImportSample,
  guesses: Readonly<Record<number, ColumnGuess>>,
): NewImportFields {
  const { features } = preview.mapping
  const isFilled = ({ index }: ImportPreviewColumn): boolean =>
    sample.rows.some((row) => (row[index] ?? '').trim() !== '')
  const columns = preview.columns.filter(
    (column) => findColumnField(features, column) === null && !isStatusColumn(features, column) && isFilled(column),
  )
  return Object.fromEntries(columns.map(({ index }) => [index, guesses[index]?.kind ?? 'text']))
}

/** A field to create for a column. */
interface FieldRequest {
  name: string
  kind: ColumnKind
  column: SampledImportColumn
}

/** Creates the field for a column, and the list of its values where it needs one. Returns its id. */
export async function createFieldForColumn({ name, kind, column }: FieldRequest): Promise<number> {
  const type = fieldTypesByKind[kind]
  if (!/SelectList$/.test(type)) return (await apiClient.createField({ body: { name, type } })).id
  const values = listColumnLabels(kind, column).map((value) => ({ value }))
  const valueLists = await apiClient.listValueLists()
  const listName = findFreeFieldName(
    name,
    valueLists.map((valueList) => valueList.name),
  )
  const { id: valueListId } = await apiClient.createValueList({ body: { name: listName, values } })
  return (await apiClient.createField({ body: { name, type, valueListId } })).id
}

/** True if a word stands in a column of the sample, regardless of case. */
export function isWordInSample(
  { columns }: ApiImportPreview,
  { rows }: ImportSample,
  { column, word }: { column: string | number; word: string },
): boolean {
  const index =
    typeof column === 'number'
      ? column
      : columns.find(({ heading }) => heading?.toLowerCase() === column.toLowerCase())?.index
  return index !== undefined && rows.some((row) => (row[index] ?? '').trim().toLowerCase() === word.toLowerCase())
}

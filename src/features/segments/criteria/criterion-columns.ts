import { type RawBuilder, sql } from 'kysely'
import { isAddressFieldType } from '../../../channels/channel-traits.ts'
import type { ContactFieldDefinition, FieldType } from '../../contacts/fields/field-schemas.ts'

/** An expression of SQL. */
export type CriterionSql = RawBuilder<unknown>

/** The comparison of the values of a field, which determines the contents of its index. */
export type FieldComparison = 'text' | 'number' | 'date' | 'label' | 'labels'

export const comparisonByFieldType: Record<FieldType, FieldComparison> = {
  email: 'text',
  phone: 'text',
  textField: 'text',
  textArea: 'text',
  numeric: 'number',
  date: 'date',
  singleSelectList: 'label',
  multipleSelectList: 'labels',
}

interface ComparisonColumn {
  /** The value in `fields`; null if the contact does not have one. */
  value(fields: CriterionSql, id: CriterionSql): CriterionSql
  /** The part of the value that the index holds. Criteria write the same expression; otherwise the planner would not use the index. */
  key(value: CriterionSql): CriterionSql
  index: 'btree' | 'gin'
}

const useValue = (value: CriterionSql): CriterionSql => value

export const comparisonColumns: Record<FieldComparison, ComparisonColumn> = {
  text: {
    value: (fields, id) => sql`(${fields}->>${id})`,
    key: (value) => sql`folded_start(${value})`,
    index: 'btree',
  },
  number: { value: (fields, id) => sql`(${fields}->${id})`, key: (value) => sql`(${value}::numeric)`, index: 'btree' },
  // Dates are ISO text in UTC, which sorts by its bytes as the dates do.
  date: {
    value: (fields, id) => sql`(${fields}->>${id})`,
    key: (value) => sql`(${value} collate "C")`,
    index: 'btree',
  },
  label: { value: (fields, id) => sql`(${fields}->${id})`, key: (value) => sql`(${value}::integer)`, index: 'btree' },
  labels: { value: (fields, id) => sql`(${fields}->${id})`, key: useValue, index: 'gin' },
}

/** The number of a field within an expression: a literal, because that of an index cannot have a parameter. */
export function formatFieldKey(field: number): CriterionSql {
  return sql.lit(String(field))
}

/** An index as it is named, what it holds of a value, and all its columns. */
interface CriterionIndexForm {
  name: string
  key: CriterionSql
  columns: CriterionSql
  method: 'btree' | 'gin'
}

/** The index that criteria of a field use. Where values can be sorted as they are compared, lists use it too: ids stand behind them. */
export function buildCriterionIndex(field: number, comparison: FieldComparison): CriterionIndexForm {
  const { value, key: buildKey, index: indexMethod } = comparisonColumns[comparison]
  const key = buildKey(value(sql`fields`, formatFieldKey(field)))
  const name = `criterion_${field}_${comparison}`
  if (comparison === 'labels') return { name, key, columns: sql`${key} jsonb_path_ops`, method: indexMethod }
  if (comparison === 'text') return { name, key, columns: key, method: indexMethod }
  return { name: `${name}_id`, key, columns: sql`${key}, id`, method: indexMethod }
}

/** The sort expression of lists by a field with sortable values; `name` of the index that has them in this order. `fields`: the column. */
export function buildFieldSort(
  { id, type }: Pick<ContactFieldDefinition, 'id' | 'type'>,
  fields: CriterionSql = sql`fields`,
): Omit<CriterionIndexForm, 'method'> {
  const comparison = comparisonByFieldType[type]
  const { value, key: buildKey } = comparisonColumns[comparison]
  const storedValue = value(fields, formatFieldKey(id))
  if (comparison !== 'text')
    return { name: buildCriterionIndex(id, comparison).name, key: buildKey(storedValue), columns: sql`` }
  const key = sql`sorted_start(${storedValue})`
  return { name: `listed_${id}_text`, key, columns: sql`${key}, id` }
}

/** True if contacts can be searched by parts of the values of a field. */
export function isSearchedField({ type, isUnicity }: Pick<ContactFieldDefinition, 'type' | 'isUnicity'>): boolean {
  return isAddressFieldType(type) || isUnicity
}

/** A value as it is searched. */
export function buildSearchedValue(fields: CriterionSql, field: number): CriterionSql {
  return sql`searched(${fields}->>${formatFieldKey(field)})`
}

import { type RawBuilder, sql } from 'kysely'
import { isAddressType } from '../../../channels/facts.ts'
import type { Field, FieldType } from '../../contacts/fields/field-schemas.ts'

/** An expression of SQL. */
export type Sql = RawBuilder<unknown>

/** How the values of a field are compared, and so what its index holds. */
export type Comparison = 'text' | 'number' | 'date' | 'label' | 'labels'

export const comparisonOf: Record<FieldType, Comparison> = {
  email: 'text',
  phone: 'text',
  textField: 'text',
  textArea: 'text',
  numeric: 'number',
  date: 'date',
  singleSelectList: 'label',
  multipleSelectList: 'labels',
}

interface Column {
  /** The value in `fields`; null when the contact has none. */
  value(fields: Sql, id: Sql): Sql
  /** What the index holds of it. Criteria write the same expression, or the planner would not use the index. */
  key(value: Sql): Sql
  index: 'btree' | 'gin'
}

const same = (value: Sql): Sql => value

export const columns: Record<Comparison, Column> = {
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
  labels: { value: (fields, id) => sql`(${fields}->${id})`, key: same, index: 'gin' },
}

/** The number of a field within an expression: a literal, because that of an index cannot have a parameter. */
export function fieldKey(field: number): Sql {
  return sql.lit(String(field))
}

/** An index as it is named, what it holds of a value, and all its columns. */
interface IndexForm {
  name: string
  key: Sql
  columns: Sql
  method: 'btree' | 'gin'
}

/** The index that criteria of a field use. Where values can be sorted as they are compared, lists use it too: ids stand behind them. */
export function criterionIndexOf(field: number, comparison: Comparison): IndexForm {
  const { value, key: keyOf, index: method } = columns[comparison]
  const key = keyOf(value(sql`fields`, fieldKey(field)))
  const name = `criterion_${field}_${comparison}`
  if (comparison === 'labels') return { name, key, columns: sql`${key} jsonb_path_ops`, method }
  if (comparison === 'text') return { name, key, columns: key, method }
  return { name: `${name}_id`, key, columns: sql`${key}, id`, method }
}

/** What lists are sorted by, of a field whose values can be; `name` of the index that has them so. `fields`: the column. */
export function sortOf({ id, type }: Pick<Field, 'id' | 'type'>, fields: Sql = sql`fields`): Omit<IndexForm, 'method'> {
  const comparison = comparisonOf[type]
  const { value, key: keyOf } = columns[comparison]
  const stored = value(fields, fieldKey(id))
  if (comparison !== 'text') return { name: criterionIndexOf(id, comparison).name, key: keyOf(stored), columns: sql`` }
  const key = sql`sorted_start(${stored})`
  return { name: `listed_${id}_text`, key, columns: sql`${key}, id` }
}

/** Whether contacts are searched by parts of the values of a field. */
export function isSearched({ type, isUnicity }: Pick<Field, 'type' | 'isUnicity'>): boolean {
  return isAddressType(type) || isUnicity
}

/** A value as it is searched. */
export function searchedValue(fields: Sql, field: number): Sql {
  return sql`searched(${fields}->>${fieldKey(field)})`
}

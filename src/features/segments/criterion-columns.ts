import { type RawBuilder, sql } from 'kysely'
import type { FieldType } from '../fields/field-schemas.ts'

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

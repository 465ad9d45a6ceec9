import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { readValueAtPath } from '../../../scripting/expressions/paths.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { LabelIndex } from '../../contacts/values/list-value.ts'

/** An expression of SQL. */
export type SqlExpression = RawBuilder<unknown>

/** The value list of a field. */
export interface ValueListRef {
  account: number
  id: number
  labels: LabelIndex
  /** Indexes in the list's order. */
  order: readonly number[]
  /** Labels by their indexes. */
  values: readonly { index: number; value: string }[]
}

/** A value that the database computes, and what is known of it. Null stands for null whatever the kind. */
export type SqlCell =
  /** Known already. */
  | { kind: 'constant'; value: unknown }
  /** As `numeric`. */
  | { kind: 'number'; sql: SqlExpression }
  | { kind: 'text'; sql: SqlExpression }
  | { kind: 'boolean'; sql: SqlExpression }
  /** A text as the service writes dates, or a `timestamptz`. */
  | { kind: 'date'; sql: SqlExpression; isText: boolean }
  /** The number of a contact, written as a text. */
  | { kind: 'contact'; sql: SqlExpression }
  /** The index of a label, written as the label. */
  | { kind: 'label'; sql: SqlExpression; list: ValueListRef }
  /** Indexes as `jsonb`, written as labels. */
  | { kind: 'labels'; sql: SqlExpression; list: ValueListRef }
  /** As `jsonb`, never the null of JSON. */
  | { kind: 'json'; sql: SqlExpression }
  | ObjectSqlCell

/** An object whose members are computed apart, each when it is asked for. */
export interface ObjectSqlCell {
  kind: 'object'
  names: readonly string[]
  member(name: string): SqlCell | undefined
  /** Other members belong to this object. */
  rest?: () => Extract<SqlCell, { kind: 'json' }>
  /** If it is false, the object is null. */
  present?: () => SqlExpression
  /** It is the values of a contact: `contacts.fields`. */
  fields?: () => { sql: SqlExpression; shape: ContactShape }
}

export type JsonSqlCell = Extract<SqlCell, { kind: 'json' }>

export const NULL_CELL: SqlCell = { kind: 'constant', value: null }

/** Makes each member when it is asked for first. */
export function createLazyMembers(make: (name: string) => SqlCell | undefined): ObjectSqlCell['member'] {
  const createdMembers = new Map<string, SqlCell | undefined>()
  return (name) => {
    if (!createdMembers.has(name)) createdMembers.set(name, make(name))
    return createdMembers.get(name)
  }
}

/** A value that is bound as `jsonb`. */
export const bindJson = (value: unknown): SqlExpression => sql`${JSON.stringify(value ?? null)}::jsonb`

/** A constant as the database computes with it. */
export function toConstantCell(value: unknown): Exclude<SqlCell, { kind: 'constant' } | ObjectSqlCell> {
  if (typeof value === 'number') return { kind: 'number', sql: sql`${String(value)}::numeric` }
  if (typeof value === 'string') return { kind: 'text', sql: sql`${value}::text` }
  if (typeof value === 'boolean') return { kind: 'boolean', sql: sql`${value}::boolean` }
  return { kind: 'json', sql: value === null ? sql`null::jsonb` : bindJson(value) }
}

/** Steps that PostgreSQL accepts as an array index, although they are not valid in a path. */
const LENIENT_INDEX_PATTERN = /^\s*[+-]?\d+$/
const INDEX_PATTERN = /^(0|[1-9]\d{0,8})$/

/** Value at a path in `jsonb`; null if a step is missing. */
export function readJsonPath(json: SqlExpression, steps: readonly string[]): JsonSqlCell {
  const lenientIndex = steps.findIndex((step) => LENIENT_INDEX_PATTERN.test(step) && !INDEX_PATTERN.test(step))
  if (lenientIndex < 0) return { kind: 'json', sql: sql`nullif(${json} #> ${steps}::text[], 'null')` }
  const outerJson = lenientIndex === 0 ? json : readJsonPath(json, steps.slice(0, lenientIndex)).sql
  const innerCell: JsonSqlCell = {
    kind: 'json',
    sql: sql`nullif(case when jsonb_typeof(${outerJson}) = 'object' then ${outerJson} -> ${steps[lenientIndex]}::text end, 'null')`,
  }
  return lenientIndex === steps.length - 1 ? innerCell : readJsonPath(innerCell.sql, steps.slice(lenientIndex + 1))
}

/** Value at a path below a cell. */
export function readCellPath(cell: SqlCell, steps: readonly string[], json: (cell: SqlCell) => SqlExpression): SqlCell {
  const [step, ...remainingSteps] = steps
  if (step === undefined) return cell
  if (cell.kind === 'constant') return { kind: 'constant', value: readValueAtPath(cell.value, steps) }
  if (cell.kind === 'json') return readJsonPath(cell.sql, steps)
  if (cell.kind === 'labels') return readJsonPath(json(cell), steps)
  if (cell.kind !== 'object') return NULL_CELL
  const member = cell.member(step)
  if (member) return readCellPath(member, remainingSteps, json)
  return cell.rest ? readJsonPath(cell.rest().sql, steps) : NULL_CELL
}

/** Row with additional members. */
export function addCellMembers(row: SqlCell, added: ReadonlyMap<string, SqlCell> | ObjectSqlCell): ObjectSqlCell {
  const addedMembers = 'kind' in added ? added : { names: [...added.keys()], member: (name: string) => added.get(name) }
  if (row.kind !== 'object') {
    return {
      kind: 'object',
      names: addedMembers.names,
      member: addedMembers.member,
      ...(row.kind === 'json' && { rest: () => row }),
    }
  }
  const addedNames = new Set(addedMembers.names)
  return {
    kind: 'object',
    names: [...new Set([...row.names, ...addedMembers.names])],
    member: (name) => (addedNames.has(name) ? addedMembers.member(name) : row.member(name)),
    ...(row.rest && { rest: row.rest }),
  }
}

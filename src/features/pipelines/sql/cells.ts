import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { valueAt } from '../../../scripting/expressions/paths.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { LabelIndex } from '../../contacts/values/list-value.ts'

/** An expression of SQL. */
export type Sql = RawBuilder<unknown>

/** The value list of a field. */
export interface ListRef {
  account: number
  id: number
  labels: LabelIndex
  /** Indexes in the list's order. */
  order: readonly number[]
  /** Labels by their indexes. */
  values: readonly { index: number; value: string }[]
}

/** A value that the database computes, and what is known of it. Null stands for null whatever the kind. */
export type Cell =
  /** Known already. */
  | { kind: 'constant'; value: unknown }
  /** As `numeric`. */
  | { kind: 'number'; sql: Sql }
  | { kind: 'text'; sql: Sql }
  | { kind: 'boolean'; sql: Sql }
  /** A text as the service writes dates, or a `timestamptz`. */
  | { kind: 'date'; sql: Sql; isText: boolean }
  /** The number of a contact, written as a text. */
  | { kind: 'contact'; sql: Sql }
  /** The index of a label, written as the label. */
  | { kind: 'label'; sql: Sql; list: ListRef }
  /** Indexes as `jsonb`, written as labels. */
  | { kind: 'labels'; sql: Sql; list: ListRef }
  /** As `jsonb`, never the null of JSON. */
  | { kind: 'json'; sql: Sql }
  | ObjectCell

/** An object whose members are computed apart, each when it is asked for. */
export interface ObjectCell {
  kind: 'object'
  names: readonly string[]
  member(name: string): Cell | undefined
  /** Members beside those are of this object. */
  rest?: () => Extract<Cell, { kind: 'json' }>
  /** Where it is false, there is null in place of the object. */
  present?: () => Sql
  /** It is the values of a contact: `contacts.fields`. */
  fields?: () => { sql: Sql; shape: ContactShape }
}

export type JsonCell = Extract<Cell, { kind: 'json' }>

export const NULL: Cell = { kind: 'constant', value: null }

/** Makes each member when it is asked for first. */
export function lazily(make: (name: string) => Cell | undefined): ObjectCell['member'] {
  const made = new Map<string, Cell | undefined>()
  return (name) => {
    if (!made.has(name)) made.set(name, make(name))
    return made.get(name)
  }
}

/** A value that is bound as `jsonb`. */
export const bound = (value: unknown): Sql => sql`${JSON.stringify(value ?? null)}::jsonb`

/** A constant as the database computes with it. */
export function constantCell(value: unknown): Exclude<Cell, { kind: 'constant' } | ObjectCell> {
  if (typeof value === 'number') return { kind: 'number', sql: sql`${String(value)}::numeric` }
  if (typeof value === 'string') return { kind: 'text', sql: sql`${value}::text` }
  if (typeof value === 'boolean') return { kind: 'boolean', sql: sql`${value}::boolean` }
  return { kind: 'json', sql: value === null ? sql`null::jsonb` : bound(value) }
}

/** What the database reads as a place in an array, though it is none of a path. */
const ODD_INDEX = /^\s*[+-]?\d+$/
const INDEX = /^(0|[1-9]\d{0,8})$/

/** What is at a path in `jsonb`; null where a step is missing. */
export function jsonAt(json: Sql, steps: readonly string[]): JsonCell {
  const odd = steps.findIndex((step) => ODD_INDEX.test(step) && !INDEX.test(step))
  if (odd < 0) return { kind: 'json', sql: sql`nullif(${json} #> ${steps}::text[], 'null')` }
  const outer = odd === 0 ? json : jsonAt(json, steps.slice(0, odd)).sql
  const inner: JsonCell = {
    kind: 'json',
    sql: sql`nullif(case when jsonb_typeof(${outer}) = 'object' then ${outer} -> ${steps[odd]}::text end, 'null')`,
  }
  return odd === steps.length - 1 ? inner : jsonAt(inner.sql, steps.slice(odd + 1))
}

/** What is at a path below a cell. */
export function cellAt(cell: Cell, steps: readonly string[], json: (cell: Cell) => Sql): Cell {
  const [step, ...rest] = steps
  if (step === undefined) return cell
  if (cell.kind === 'constant') return { kind: 'constant', value: valueAt(cell.value, steps) }
  if (cell.kind === 'json') return jsonAt(cell.sql, steps)
  if (cell.kind === 'labels') return jsonAt(json(cell), steps)
  if (cell.kind !== 'object') return NULL
  const member = cell.member(step)
  if (member) return cellAt(member, rest, json)
  return cell.rest ? jsonAt(cell.rest().sql, steps) : NULL
}

/** A row with members beside those it has. */
export function withMembers(row: Cell, added: ReadonlyMap<string, Cell> | ObjectCell): ObjectCell {
  const own = 'kind' in added ? added : { names: [...added.keys()], member: (name: string) => added.get(name) }
  if (row.kind !== 'object') {
    return {
      ...{ kind: 'object', names: own.names, member: own.member },
      ...(row.kind === 'json' && { rest: () => row }),
    }
  }
  const taken = new Set(own.names)
  return {
    ...{ kind: 'object', names: [...new Set([...row.names, ...own.names])] },
    member: (name) => (taken.has(name) ? own.member(name) : row.member(name)),
    ...(row.rest && { rest: row.rest }),
  }
}

import { sql } from 'kysely'
import { type Cell, lazily, type Sql } from './cells.ts'

/** What rows are ordered by; keys without `nulls` are never null. */
export interface OrderKey {
  sql: Sql
  isDescending?: boolean
  nulls?: 'first' | 'last'
}

/**
 * Rows that the database makes. Columns of a subquery are added to it when something asks for them, so what is selected from is known
 * only in the end: `from` is called then.
 */
export interface Relation {
  from(): Sql
  conditions: readonly Sql[]
  row: Cell
  /** Ends with what no two rows have in common. */
  order: readonly OrderKey[]
  /** The number of the contact that a row is of. */
  contact?: () => Sql
  /** Rows are those of `contacts c`. */
  isOfContacts?: boolean
  /** No two rows have the same value of this. */
  unique?: Cell
}

/** Names of subqueries and columns. */
export type Namer = () => string

export const namer = (): Namer => {
  let last = 0
  return () => `t${++last}`
}

/** `where` with all conditions. */
export function whereOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/** `order by` of some keys. */
export function orderOf(keys: readonly OrderKey[]): Sql {
  if (keys.length === 0) return sql``
  const each = keys.map(({ sql: key, isDescending, nulls }) => {
    const place = nulls === undefined ? sql`` : nulls === 'first' ? sql` nulls first` : sql` nulls last`
    return isDescending ? sql`${key} desc${place}` : sql`${key}${place}`
  })
  return sql`order by ${sql.join(each)}`
}

/** Columns of a subquery, each added when it is asked for. */
export function openColumns(alias: string) {
  const columns: Sql[] = []
  const known = new Map<Cell, Cell>()

  /** Adds a column; gives it as it is seen from outside. */
  function column(inner: Sql): Sql {
    const name = `k${columns.length}`
    columns.push(sql`${inner} as ${sql.ref(name)}`)
    return sql`${sql.ref(`${alias}.${name}`)}`
  }

  /** A cell as it is seen from outside. */
  function outside(cell: Cell): Cell {
    const seen = known.get(cell)
    if (seen) return seen
    const made = reflect(cell)
    known.set(cell, made)
    return made
  }

  function reflect(cell: Cell): Cell {
    if (cell.kind === 'constant') return cell
    if (cell.kind !== 'object') return { ...cell, sql: column(cell.sql) }
    const { names, member, rest, present, fields } = cell
    return {
      ...{ kind: 'object', names },
      member: lazily((name) => {
        const inner = member(name)
        return inner && outside(inner)
      }),
      ...(rest && { rest: once(() => outside(rest()) as ReturnType<typeof rest>) }),
      ...(present && { present: once(() => column(present())) }),
      ...(fields && { fields: once(() => ({ ...fields(), sql: column(fields().sql) })) }),
    }
  }
  return { column, outside, list: (): Sql => (columns.length === 0 ? sql`` : sql.join(columns)) }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Rows of a subquery, to which columns can be added. */
export interface Nested extends Relation {
  /** Adds a column; gives it as it is seen from outside. */
  column(inner: Sql): Sql
  /** A cell of the rows within, as it is seen from outside. */
  outside(inner: Cell): Cell
}

/** Rows of a subquery. `limit`: which of its rows, in their order. */
export function nested(inner: Relation, name: Namer, limit?: Sql): Nested {
  const alias = name()
  const { column, outside, list } = openColumns(alias)
  const { contact, unique } = inner
  const order = inner.order.map((key) => ({ ...key, sql: column(key.sql) }))
  return {
    from: () => sql`(
      select ${list()} from ${inner.from()} ${whereOf(inner.conditions)}
      ${limit ? sql`${orderOf(inner.order)} ${limit}` : sql``}) as ${sql.ref(alias)}`,
    conditions: [],
    row: outside(inner.row),
    order,
    ...(contact && { contact: once(() => column(contact())) }),
    ...(unique && { unique: outside(unique) }),
    ...{ column, outside },
  }
}

/** The same rows, ordered by one number. */
export function numbered(inner: Relation, name: Namer): Relation & { nth: Sql } {
  const [only] = inner.order
  if (inner.order.length === 1 && !only!.isDescending && only!.nulls === undefined) return { ...inner, nth: only!.sql }
  const outer = nested(inner, name)
  const nth = outer.column(sql`row_number() over (${orderOf(inner.order)})`)
  return { ...outer, order: [{ sql: nth }], nth }
}

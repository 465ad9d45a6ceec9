import { sql } from 'kysely'
import { createLazyMembers, type SqlCell, type SqlExpression } from './cells.ts'

/** What rows are ordered by; keys without `nulls` are never null. */
export interface RelationOrderKey {
  sql: SqlExpression
  isDescending?: boolean
  nulls?: 'first' | 'last'
}

/**
 * Rows that the database makes. Columns of a subquery are added to it when something asks for them, so what is selected from is known
 * only in the end: `from` is called then.
 */
export interface RowRelation {
  from(): SqlExpression
  conditions: readonly SqlExpression[]
  row: SqlCell
  /** Ends with what no two rows have in common. */
  order: readonly RelationOrderKey[]
  /** The number of the contact that a row is of. */
  contact?: () => SqlExpression
  /** Rows are those of `contacts c`. */
  isOfContacts?: boolean
  /** No two rows have the same value of this. */
  unique?: SqlCell
}

/** Names of subqueries and columns. */
export type SqlAliasGenerator = () => string

export const createAliasGenerator = (): SqlAliasGenerator => {
  let last = 0
  return () => `t${++last}`
}

/** `where` with all conditions. */
export function buildWhereClause(conditions: readonly SqlExpression[]): SqlExpression {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/** `order by` of some keys. */
export function buildOrderByClause(keys: readonly RelationOrderKey[]): SqlExpression {
  if (keys.length === 0) return sql``
  const each = keys.map(({ sql: key, isDescending, nulls }) => {
    const place = nulls === undefined ? sql`` : nulls === 'first' ? sql` nulls first` : sql` nulls last`
    return isDescending ? sql`${key} desc${place}` : sql`${key}${place}`
  })
  return sql`order by ${sql.join(each)}`
}

/** Columns of a subquery, each added when it is asked for. */
export function createSubqueryColumns(alias: string) {
  const columns: SqlExpression[] = []
  const known = new Map<SqlCell, SqlCell>()

  /** Adds a column; gives it as it is seen from outside. */
  function column(inner: SqlExpression): SqlExpression {
    const name = `k${columns.length}`
    columns.push(sql`${inner} as ${sql.ref(name)}`)
    return sql`${sql.ref(`${alias}.${name}`)}`
  }

  /** A cell as it is seen from outside. */
  function outside(cell: SqlCell): SqlCell {
    const seen = known.get(cell)
    if (seen) return seen
    const made = reflect(cell)
    known.set(cell, made)
    return made
  }

  function reflect(cell: SqlCell): SqlCell {
    if (cell.kind === 'constant') return cell
    if (cell.kind !== 'object') return { ...cell, sql: column(cell.sql) }
    const { names, member, rest, present, fields } = cell
    return {
      ...{ kind: 'object', names },
      member: createLazyMembers((name) => {
        const inner = member(name)
        return inner && outside(inner)
      }),
      ...(rest && { rest: once(() => outside(rest()) as ReturnType<typeof rest>) }),
      ...(present && { present: once(() => column(present())) }),
      ...(fields && { fields: once(() => ({ ...fields(), sql: column(fields().sql) })) }),
    }
  }
  return { column, outside, list: (): SqlExpression => (columns.length === 0 ? sql`` : sql.join(columns)) }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Rows of a subquery, to which columns can be added. */
export interface SubqueryRelation extends RowRelation {
  /** Adds a column; gives it as it is seen from outside. */
  column(inner: SqlExpression): SqlExpression
  /** A cell of the rows within, as it is seen from outside. */
  outside(inner: SqlCell): SqlCell
}

/** Rows of a subquery. `limit`: which of its rows, in their order. */
export function createSubqueryRelation(
  inner: RowRelation,
  name: SqlAliasGenerator,
  limit?: SqlExpression,
): SubqueryRelation {
  const alias = name()
  const { column, outside, list } = createSubqueryColumns(alias)
  const { contact, unique } = inner
  const order = inner.order.map((key) => ({ ...key, sql: column(key.sql) }))
  return {
    from: () => sql`(
      select ${list()} from ${inner.from()} ${buildWhereClause(inner.conditions)}
      ${limit ? sql`${buildOrderByClause(inner.order)} ${limit}` : sql``}) as ${sql.ref(alias)}`,
    conditions: [],
    row: outside(inner.row),
    order,
    ...(contact && { contact: once(() => column(contact())) }),
    ...(unique && { unique: outside(unique) }),
    ...{ column, outside },
  }
}

/** The same rows, ordered by one number. */
export function createNumberedRelation(
  inner: RowRelation,
  name: SqlAliasGenerator,
): RowRelation & { nth: SqlExpression } {
  const [only] = inner.order
  if (inner.order.length === 1 && !only!.isDescending && only!.nulls === undefined) return { ...inner, nth: only!.sql }
  const outer = createSubqueryRelation(inner, name)
  const nth = outer.column(sql`row_number() over (${buildOrderByClause(inner.order)})`)
  return { ...outer, order: [{ sql: nth }], nth }
}

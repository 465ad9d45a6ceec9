import { sql } from 'kysely'
import { createLazyMembers, type SqlCell, type SqlExpression } from './cells.ts'

/** Order key of rows; keys without `nulls` are never null. */
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
  let lastNumber = 0
  return () => `t${++lastNumber}`
}

/** `where` with all conditions. */
export function buildWhereClause(conditions: readonly SqlExpression[]): SqlExpression {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/** `order by` of some keys. */
export function buildOrderByClause(keys: readonly RelationOrderKey[]): SqlExpression {
  if (keys.length === 0) return sql``
  const orderTerms = keys.map(({ sql: key, isDescending, nulls }) => {
    const nullsClause = nulls === undefined ? sql`` : nulls === 'first' ? sql` nulls first` : sql` nulls last`
    return isDescending ? sql`${key} desc${nullsClause}` : sql`${key}${nullsClause}`
  })
  return sql`order by ${sql.join(orderTerms)}`
}

/** Columns of a subquery, each added when it is asked for. */
export function createSubqueryColumns(alias: string) {
  const columns: SqlExpression[] = []
  const outsideCells = new Map<SqlCell, SqlCell>()

  /** Adds a column; gives it as it is seen from outside. */
  function addColumn(inner: SqlExpression): SqlExpression {
    const name = `k${columns.length}`
    columns.push(sql`${inner} as ${sql.ref(name)}`)
    return sql`${sql.ref(`${alias}.${name}`)}`
  }

  /** A cell as it is seen from outside. */
  function toOutsideCell(cell: SqlCell): SqlCell {
    const existingCell = outsideCells.get(cell)
    if (existingCell) return existingCell
    const reflectedCell = reflectCell(cell)
    outsideCells.set(cell, reflectedCell)
    return reflectedCell
  }

  function reflectCell(cell: SqlCell): SqlCell {
    if (cell.kind === 'constant') return cell
    if (cell.kind !== 'object') return { ...cell, sql: addColumn(cell.sql) }
    const { names, member, rest: buildRest, present, fields } = cell
    return {
      kind: 'object',
      names,
      member: createLazyMembers((name) => {
        const innerCell = member(name)
        return innerCell && toOutsideCell(innerCell)
      }),
      ...(buildRest && { rest: memoize(() => toOutsideCell(buildRest()) as ReturnType<typeof buildRest>) }),
      ...(present && { present: memoize(() => addColumn(present())) }),
      ...(fields && { fields: memoize(() => ({ ...fields(), sql: addColumn(fields().sql) })) }),
    }
  }
  return {
    column: addColumn,
    outside: toOutsideCell,
    list: (): SqlExpression => (columns.length === 0 ? sql`` : sql.join(columns)),
  }
}

function memoize<T>(make: () => T): () => T {
  let memoized: { value: T } | undefined
  return () => (memoized ??= { value: make() }).value
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
    ...(contact && { contact: memoize(() => column(contact())) }),
    ...(unique && { unique: outside(unique) }),
    column,
    outside,
  }
}

/** The same rows, ordered by one number. */
export function createNumberedRelation(
  inner: RowRelation,
  name: SqlAliasGenerator,
): RowRelation & { nth: SqlExpression } {
  const [singleKey] = inner.order
  if (inner.order.length === 1 && !singleKey!.isDescending && singleKey!.nulls === undefined)
    return { ...inner, nth: singleKey!.sql }
  const outerRelation = createSubqueryRelation(inner, name)
  const rowNumber = outerRelation.column(sql`row_number() over (${buildOrderByClause(inner.order)})`)
  return { ...outerRelation, order: [{ sql: rowNumber }], nth: rowNumber }
}

import { sql } from 'kysely'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import type { CursorAggregate, PipelineCursorOf } from '../definition/cursors.ts'
import { NULL_CELL, type SqlCell, type SqlExpression } from './cells.ts'
import { type PipelineEnvironment, translateExpression } from './environment.ts'
import { cellToJsonSql, cellToTextSql, toComputedCell } from './json.ts'
import { buildEqualityKey, buildSortKeys } from './keys.ts'
import {
  buildOrderByClause,
  createNumberedRelation,
  createSubqueryColumns,
  createSubqueryRelation,
  type RowRelation,
} from './relation.ts'

/** Values that a list holds at most: the first ones. */
const MAX_LISTED = 1000

/** The numbers among the values of a cell. */
function numbersOf(cell: Exclude<SqlCell, { kind: 'constant' }>): SqlExpression {
  if (cell.kind === 'number') return cell.sql
  if (cell.kind !== 'json') return sql`null::numeric`
  return sql`case when jsonb_typeof(${cell.sql}) = 'number' then ${cell.sql}::numeric end`
}

/** The least or greatest value: the first of those that are not null, as a sort has them. */
function extreme(cell: Exclude<SqlCell, { kind: 'constant' }>, nth: SqlExpression, isLast: boolean): SqlCell {
  const pick = isLast ? sql`max` : sql`min`
  switch (cell.kind) {
    case 'number':
    case 'contact':
      return { ...cell, sql: sql`${pick}(${cell.sql})` }
    case 'date':
      return { ...cell, sql: cell.isText ? sql`${pick}(${cell.sql} collate "C")` : sql`${pick}(${cell.sql})` }
    case 'text':
    case 'label':
      return { kind: 'text', sql: sql`${pick}(${cellToTextSql(cell)} collate "C")` }
    case 'boolean':
      return { ...cell, sql: isLast ? sql`bool_or(${cell.sql})` : sql`bool_and(${cell.sql})` }
    default: {
      const json = cellToJsonSql(cell)
      const order = buildOrderByClause([
        ...buildSortKeys(cell).map((key) => ({ sql: key, isDescending: isLast })),
        { sql: nth },
      ])
      return { kind: 'json', sql: sql`(array_agg(${json} ${order}) filter (where ${json} is not null))[1]` }
    }
  }
}

/** The value of the first or last row, whatever it is. */
function ofRow(cell: Exclude<SqlCell, { kind: 'constant' }>, order: SqlExpression): SqlCell {
  const own = cell.kind === 'object' ? ({ kind: 'json', sql: cellToJsonSql(cell) } as const) : cell
  return { ...own, sql: sql`(array_agg(${own.sql} ${order}))[1]` }
}

function aggregateCell({ function: name }: CursorAggregate, cell: SqlCell | undefined, nth: SqlExpression): SqlCell {
  const count = (what: SqlExpression): SqlCell => ({ kind: 'number', sql: sql`count(${what})::numeric` })
  if (!cell) return count(sql`*`)
  const value = toComputedCell(cell)
  switch (name) {
    case 'count':
      return count(value.kind === 'object' ? cellToJsonSql(value) : value.sql)
    case 'countDistinct':
      return count(sql`distinct ${buildEqualityKey(value)}`)
    case 'sum':
      return { kind: 'number', sql: sql`summed(coalesce(sum(${numbersOf(value)}), 0))` }
    case 'avg':
      return { kind: 'number', sql: sql`summed(avg(${numbersOf(value)}))` }
    case 'min':
      return extreme(value, nth, false)
    case 'max':
      return extreme(value, nth, true)
    case 'first':
      return ofRow(value, sql`order by ${nth}`)
    case 'last':
      return ofRow(value, sql`order by ${nth} desc`)
    case 'list': {
      const values = sql`(array_agg(${cellToJsonSql(cell)} order by ${nth}))[1:${sql.lit(MAX_LISTED)}]`
      return { kind: 'json', sql: sql`coalesce(to_jsonb(${values}), '[]')` }
    }
    default:
      return NULL_CELL
  }
}

/** One row for each group, in the order of their first rows. */
export function createGroupRelation(
  { by, aggregates }: PipelineCursorOf<'group'>,
  given: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const rows = createNumberedRelation(given, environment.name)
  // Values are columns of a subquery: an expression with parameters is no other's equal.
  const inner = createSubqueryRelation(rows, environment.name)
  const nth = inner.column(rows.nth)
  const cellOf = (one: DefinitionExpression): SqlCell => {
    const cell = translateExpression(one, { row: rows.row }, environment)
    return inner.outside(cell.kind === 'object' ? { kind: 'json', sql: cellToJsonSql(cell) } : cell)
  }
  const keys = Object.entries(by).map(([name, one]) => [name, cellOf(one)] as const)
  const values = Object.entries(aggregates).map(
    ([name, one]) => [name, aggregateCell(one, one.value ? cellOf(one.value) : undefined, nth)] as const,
  )
  const alias = environment.name()
  const columns = createSubqueryColumns(alias)
  const members = new Map([...keys, ...values].map(([name, cell]) => [name, columns.outside(cell)] as const))
  const first = columns.column(sql`min(${nth})`)
  const grouped = keys.flatMap(([, cell]) => (cell.kind === 'constant' ? [] : [buildEqualityKey(cell)]))
  // Without keys all rows are one group, also where there are none.
  const ending = grouped.length > 0 ? sql`group by ${sql.join(grouped)}` : sql``
  const needsRows = grouped.length === 0 && keys.length > 0 ? sql`having count(*) > 0` : sql``
  return {
    from: () => sql`(select ${columns.list()} from ${inner.from()} ${ending} ${needsRows}) as ${sql.ref(alias)}`,
    conditions: [],
    row: { kind: 'object', names: [...members.keys()], member: (name) => members.get(name) },
    order: [{ sql: first }],
  }
}

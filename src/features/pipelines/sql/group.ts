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
const MAX_LISTED_VALUES = 1000

/** The numbers among the values of a cell. */
function selectNumbers(cell: Exclude<SqlCell, { kind: 'constant' }>): SqlExpression {
  if (cell.kind === 'number') return cell.sql
  if (cell.kind !== 'json') return sql`null::numeric`
  return sql`case when jsonb_typeof(${cell.sql}) = 'number' then ${cell.sql}::numeric end`
}

/** The least or greatest value: the first of those that are not null, as a sort has them. */
function buildExtreme(cell: Exclude<SqlCell, { kind: 'constant' }>, nth: SqlExpression, isLast: boolean): SqlCell {
  const aggregateFunction = isLast ? sql`max` : sql`min`
  switch (cell.kind) {
    case 'number':
    case 'contact':
      return { ...cell, sql: sql`${aggregateFunction}(${cell.sql})` }
    case 'date':
      return {
        ...cell,
        sql: cell.isText ? sql`${aggregateFunction}(${cell.sql} collate "C")` : sql`${aggregateFunction}(${cell.sql})`,
      }
    case 'text':
    case 'label':
      return { kind: 'text', sql: sql`${aggregateFunction}(${cellToTextSql(cell)} collate "C")` }
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
function buildEdgeValue(cell: Exclude<SqlCell, { kind: 'constant' }>, order: SqlExpression): SqlCell {
  const valueCell = cell.kind === 'object' ? ({ kind: 'json', sql: cellToJsonSql(cell) } as const) : cell
  return { ...valueCell, sql: sql`(array_agg(${valueCell.sql} ${order}))[1]` }
}

function buildAggregateCell(
  { function: name }: CursorAggregate,
  cell: SqlCell | undefined,
  nth: SqlExpression,
): SqlCell {
  const count = (countedSql: SqlExpression): SqlCell => ({ kind: 'number', sql: sql`count(${countedSql})::numeric` })
  if (!cell) return count(sql`*`)
  const value = toComputedCell(cell)
  switch (name) {
    case 'count':
      return count(value.kind === 'object' ? cellToJsonSql(value) : value.sql)
    case 'countDistinct':
      return count(sql`distinct ${buildEqualityKey(value)}`)
    case 'sum':
      return { kind: 'number', sql: sql`summed(coalesce(sum(${selectNumbers(value)}), 0))` }
    case 'avg':
      return { kind: 'number', sql: sql`summed(avg(${selectNumbers(value)}))` }
    case 'min':
      return buildExtreme(value, nth, false)
    case 'max':
      return buildExtreme(value, nth, true)
    case 'first':
      return buildEdgeValue(value, sql`order by ${nth}`)
    case 'last':
      return buildEdgeValue(value, sql`order by ${nth} desc`)
    case 'list': {
      const values = sql`(array_agg(${cellToJsonSql(cell)} order by ${nth}))[1:${sql.lit(MAX_LISTED_VALUES)}]`
      return { kind: 'json', sql: sql`coalesce(to_jsonb(${values}), '[]')` }
    }
    default:
      return NULL_CELL
  }
}

/** One row for each group, in the order of their first rows. */
export function createGroupRelation(
  { by, aggregates }: PipelineCursorOf<'group'>,
  inputRelation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const rows = createNumberedRelation(inputRelation, environment.name)
  // Values are columns of a subquery: an expression with parameters is no other's equal.
  const inner = createSubqueryRelation(rows, environment.name)
  const rowNumber = inner.column(rows.nth)
  const translateCell = (expression: DefinitionExpression): SqlCell => {
    const cell = translateExpression(expression, { row: rows.row }, environment)
    return inner.outside(cell.kind === 'object' ? { kind: 'json', sql: cellToJsonSql(cell) } : cell)
  }
  const keys = Object.entries(by).map(([name, keyExpression]) => [name, translateCell(keyExpression)] as const)
  const values = Object.entries(aggregates).map(
    ([name, keyExpression]) =>
      [
        name,
        buildAggregateCell(
          keyExpression,
          keyExpression.value ? translateCell(keyExpression.value) : undefined,
          rowNumber,
        ),
      ] as const,
  )
  const alias = environment.name()
  const columns = createSubqueryColumns(alias)
  const members = new Map([...keys, ...values].map(([name, cell]) => [name, columns.outside(cell)] as const))
  const firstRowNumber = columns.column(sql`min(${rowNumber})`)
  const groupKeySql = keys.flatMap(([, cell]) => (cell.kind === 'constant' ? [] : [buildEqualityKey(cell)]))
  // Without keys all rows are one group, also where there are none.
  const groupByClause = groupKeySql.length > 0 ? sql`group by ${sql.join(groupKeySql)}` : sql``
  const needsRows = groupKeySql.length === 0 && keys.length > 0 ? sql`having count(*) > 0` : sql``
  return {
    from: () => sql`(select ${columns.list()} from ${inner.from()} ${groupByClause} ${needsRows}) as ${sql.ref(alias)}`,
    conditions: [],
    row: { kind: 'object', names: [...members.keys()], member: (name) => members.get(name) },
    order: [{ sql: firstRowNumber }],
  }
}

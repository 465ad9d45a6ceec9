import { sql } from 'kysely'
import type { PipelineCursorOf } from '../definition/cursors.ts'
import { addCellMembers, type SqlCell } from './cells.ts'
import { type PipelineEnvironment, translateExpression } from './environment.ts'
import { cellToJsonSql } from './json.ts'
import { buildPairedKeys, nullUnlessPresent } from './keys.ts'
import { createNumberedRelation, createSubqueryColumns, createSubqueryRelation, type RowRelation } from './relation.ts'

/** Rows with those of another source that fit. */
export function createJoinRelation(
  { on, into, kind, many }: PipelineCursorOf<'join'>,
  row: RowRelation,
  otherRelation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const numberedOther = createNumberedRelation(otherRelation, environment.name)
  const leftCell = translateExpression(on!.left!, { row: row.row }, environment)
  const rightCell = translateExpression(on!.right!, { other: numberedOther.row }, environment)
  const isUnique = numberedOther.unique !== undefined && numberedOther.unique === rightCell
  const keys = buildPairedKeys(leftCell, rightCell)
  // The key is a column of a subquery: an expression with parameters is no other's equal.
  const inner = createSubqueryRelation(numberedOther, environment.name)
  const [innerKey, innerNumber] = [inner.column(keys.right), inner.column(numberedOther.nth)]
  const alias = environment.name()
  const columns = createSubqueryColumns(alias)
  const key = columns.column(innerKey)
  const joinedCell: SqlCell = many
    ? {
        kind: 'json',
        sql: sql`coalesce(${columns.column(sql`jsonb_agg(${cellToJsonSql(inner.row)} order by ${innerNumber})`)}, '[]')`,
      }
    : nullUnlessPresent(columns.outside(inner.row), () => sql`(${key} is not null)`)
  const body = () => {
    const selectClause = sql`${columns.list()} from ${inner.from()} where ${innerKey} is not null`
    if (many) return sql`(select ${selectClause} group by ${innerKey})`
    return isUnique
      ? sql`(select ${selectClause})`
      : sql`(select distinct on (${innerKey}) ${selectClause} order by ${innerKey}, ${innerNumber})`
  }
  const joinClause = kind === 'inner' ? sql`join` : sql`left join`
  return {
    ...row,
    from: () => sql`${row.from()} ${joinClause} ${body()} as ${sql.ref(alias)} on ${key} = ${keys.left}`,
    row: addCellMembers(row.row, new Map([[into!, joinedCell]])),
  }
}

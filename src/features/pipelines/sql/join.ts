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
  given: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const other = createNumberedRelation(given, environment.name)
  const left = translateExpression(on!.left!, { row: row.row }, environment)
  const right = translateExpression(on!.right!, { other: other.row }, environment)
  const isUnique = other.unique !== undefined && other.unique === right
  const keys = buildPairedKeys(left, right)
  // The key is a column of a subquery: an expression with parameters is no other's equal.
  const inner = createSubqueryRelation(other, environment.name)
  const [innerKey, nth] = [inner.column(keys.right), inner.column(other.nth)]
  const alias = environment.name()
  const columns = createSubqueryColumns(alias)
  const key = columns.column(innerKey)
  const found: SqlCell = many
    ? {
        kind: 'json',
        sql: sql`coalesce(${columns.column(sql`jsonb_agg(${cellToJsonSql(inner.row)} order by ${nth})`)}, '[]')`,
      }
    : nullUnlessPresent(columns.outside(inner.row), () => sql`(${key} is not null)`)
  const body = () => {
    const select = sql`${columns.list()} from ${inner.from()} where ${innerKey} is not null`
    if (many) return sql`(select ${select} group by ${innerKey})`
    return isUnique
      ? sql`(select ${select})`
      : sql`(select distinct on (${innerKey}) ${select} order by ${innerKey}, ${nth})`
  }
  const joining = kind === 'inner' ? sql`join` : sql`left join`
  return {
    ...row,
    from: () => sql`${row.from()} ${joining} ${body()} as ${sql.ref(alias)} on ${key} = ${keys.left}`,
    row: addCellMembers(row.row, new Map([[into!, found]])),
  }
}

import { sql } from 'kysely'
import type { CursorOf } from '../definition/cursors.ts'
import { type Cell, withMembers } from './cells.ts'
import { type Environment, expressionCell } from './environment.ts'
import { jsonOf } from './json.ts'
import { pairedKeys, whenPresent } from './keys.ts'
import { nested, numbered, openColumns, type Relation } from './relation.ts'

/** Rows with those of another source that fit. */
export function joinRelation(
  { on, into, kind, many }: CursorOf<'join'>,
  row: Relation,
  given: Relation,
  environment: Environment,
): Relation {
  const other = numbered(given, environment.name)
  const left = expressionCell(on!.left!, { row: row.row }, environment)
  const right = expressionCell(on!.right!, { other: other.row }, environment)
  const isUnique = other.unique !== undefined && other.unique === right
  const keys = pairedKeys(left, right)
  // The key is a column of a subquery: an expression with parameters is no other's equal.
  const inner = nested(other, environment.name)
  const [innerKey, nth] = [inner.column(keys.right), inner.column(other.nth)]
  const alias = environment.name()
  const columns = openColumns(alias)
  const key = columns.column(innerKey)
  const found: Cell = many
    ? {
        kind: 'json',
        sql: sql`coalesce(${columns.column(sql`jsonb_agg(${jsonOf(inner.row)} order by ${nth})`)}, '[]')`,
      }
    : whenPresent(columns.outside(inner.row), () => sql`(${key} is not null)`)
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
    row: withMembers(row.row, new Map([[into!, found]])),
  }
}

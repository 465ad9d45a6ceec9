import { sql } from 'kysely'
import {
  bindJson,
  type ObjectSqlCell,
  type SqlCell,
  type SqlExpression,
  toConstantCell,
  type ValueListRef,
} from './cells.ts'

/** Members of an object that the database builds at once: a function takes a hundred values. */
const MAX_BUILD_MEMBERS = 40

/** The label of an index. */
export const buildLabelSql = ({ account, id }: ValueListRef, index: SqlExpression): SqlExpression =>
  sql`(select l.label from value_list_labels l where l.account = ${account} and l.list = ${id} and l.index = ${index})`

/** The labels of indexes, in the list's order. */
const buildLabelsJson = (
  { account, id, order }: ValueListRef,
  indexes: SqlExpression,
): SqlExpression => sql`case when ${indexes} is not null then coalesce((
  select jsonb_agg(l.label order by array_position(${order}::integer[], l.index)) from value_list_labels l
  where l.account = ${account} and l.list = ${id}
    and l.index in (select i::integer from jsonb_array_elements_text(${indexes}) i)), '[]') end`

function buildObjectJson({ names, member, rest: buildRest, present }: ObjectSqlCell): SqlExpression {
  const ownMembers = names.map((name) => ({ name, cell: member(name)! }))
  const parts: SqlExpression[] = buildRest ? [buildRest().sql] : []
  for (let sliceStart = 0; sliceStart < ownMembers.length || parts.length === 0; sliceStart += MAX_BUILD_MEMBERS) {
    const pairs = ownMembers
      .slice(sliceStart, sliceStart + MAX_BUILD_MEMBERS)
      .map(({ name, cell }) => sql`${name}::text, coalesce(${cellToJsonSql(cell)}, 'null')`)
    parts.push(sql`jsonb_build_object(${sql.join(pairs)})`)
  }
  const mergedObject = sql`(${sql.join(parts, sql` || `)})`
  return present ? sql`case when ${present()} then ${mergedObject} end` : mergedObject
}

/** A cell as `jsonb`, with what an answer would show; null for null. */
export function cellToJsonSql(cell: SqlCell): SqlExpression {
  switch (cell.kind) {
    case 'constant':
      return cell.value === null ? sql`null::jsonb` : bindJson(cell.value)
    case 'number':
    case 'boolean':
      return sql`to_jsonb(${cell.sql})`
    case 'labels':
      return buildLabelsJson(cell.list, cell.sql)
    case 'json':
      return cell.sql
    case 'object':
      return buildObjectJson(cell)
    default:
      return sql`to_jsonb(${cellToTextSql(cell)})`
  }
}

/** The text of a cell whose values are texts. */
export function cellToTextSql(cell: Extract<SqlCell, { kind: 'text' | 'date' | 'contact' | 'label' }>): SqlExpression {
  switch (cell.kind) {
    case 'text':
      return sql`${cell.sql}::text`
    case 'date':
      return cell.isText ? sql`${cell.sql}::text` : sql`instant_text(${cell.sql})`
    case 'contact':
      return sql`contact_text(${cell.sql})`
    case 'label':
      return buildLabelSql(cell.list, cell.sql)
  }
}

/** A cell of which nothing is known beforehand but its kind. */
export const toComputedCell = (cell: SqlCell): Exclude<SqlCell, { kind: 'constant' }> =>
  cell.kind === 'constant' ? toConstantCell(cell.value) : cell

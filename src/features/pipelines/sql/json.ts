import { sql } from 'kysely'
import { bound, type Cell, constantCell, type ListRef, type ObjectCell, type Sql } from './cells.ts'

/** Members of an object that the database builds at once: a function takes a hundred values. */
const TOGETHER = 40

/** The label of an index. */
export const labelText = ({ account, id }: ListRef, index: Sql): Sql =>
  sql`(select l.label from value_list_labels l where l.account = ${account} and l.list = ${id} and l.index = ${index})`

/** The labels of indexes, in the list's order. */
const labelsJson = (
  { account, id, order }: ListRef,
  indexes: Sql,
): Sql => sql`case when ${indexes} is not null then coalesce((
  select jsonb_agg(l.label order by array_position(${order}::integer[], l.index)) from value_list_labels l
  where l.account = ${account} and l.list = ${id}
    and l.index in (select i::integer from jsonb_array_elements_text(${indexes}) i)), '[]') end`

function objectJson({ names, member, rest, present }: ObjectCell): Sql {
  const own = names.map((name) => ({ name, cell: member(name)! }))
  const parts: Sql[] = rest ? [rest().sql] : []
  for (let from = 0; from < own.length || parts.length === 0; from += TOGETHER) {
    const pairs = own
      .slice(from, from + TOGETHER)
      .map(({ name, cell }) => sql`${name}::text, coalesce(${jsonOf(cell)}, 'null')`)
    parts.push(sql`jsonb_build_object(${sql.join(pairs)})`)
  }
  const whole = sql`(${sql.join(parts, sql` || `)})`
  return present ? sql`case when ${present()} then ${whole} end` : whole
}

/** A cell as `jsonb`, with what an answer would show; null for null. */
export function jsonOf(cell: Cell): Sql {
  switch (cell.kind) {
    case 'constant':
      return cell.value === null ? sql`null::jsonb` : bound(cell.value)
    case 'number':
    case 'boolean':
      return sql`to_jsonb(${cell.sql})`
    case 'labels':
      return labelsJson(cell.list, cell.sql)
    case 'json':
      return cell.sql
    case 'object':
      return objectJson(cell)
    default:
      return sql`to_jsonb(${textOf(cell)})`
  }
}

/** The text of a cell whose values are texts. */
export function textOf(cell: Extract<Cell, { kind: 'text' | 'date' | 'contact' | 'label' }>): Sql {
  switch (cell.kind) {
    case 'text':
      return sql`${cell.sql}::text`
    case 'date':
      return cell.isText ? sql`${cell.sql}::text` : sql`instant_text(${cell.sql})`
    case 'contact':
      return sql`contact_text(${cell.sql})`
    case 'label':
      return labelText(cell.list, cell.sql)
  }
}

/** A cell of which nothing is known beforehand but its kind. */
export const computed = (cell: Cell): Exclude<Cell, { kind: 'constant' }> =>
  cell.kind === 'constant' ? constantCell(cell.value) : cell

import { sql } from 'kysely'
import type { CursorSortKey } from '../definition/cursors.ts'
import { NULL_CELL, type SqlCell, type SqlExpression } from './cells.ts'
import { cellToJsonSql, cellToTextSql } from './json.ts'
import type { RelationOrderKey } from './relation.ts'

/** Equality key of a cell, for cells of one kind. */
export function buildEqualityKey(cell: SqlCell): SqlExpression {
  return cell.kind === 'constant' || cell.kind === 'object' ? cellToJsonSql(cell) : cell.sql
}

/** Equality keys of cells of two kinds: unchanged for kinds that the database can compare, otherwise as `jsonb`. */
export function buildPairedKeys(leftCell: SqlCell, right: SqlCell): { left: SqlExpression; right: SqlExpression } {
  const hasSameKind =
    leftCell.kind === right.kind &&
    (leftCell.kind === 'number' ||
      leftCell.kind === 'text' ||
      leftCell.kind === 'boolean' ||
      leftCell.kind === 'contact')
  if (hasSameKind) return { left: buildEqualityKey(leftCell), right: buildEqualityKey(right) }
  return { left: cellToJsonSql(leftCell), right: cellToJsonSql(right) }
}

/** Sort keys of a value; the first one is null for null. Values of different kinds sort by their kinds. */
export function buildSortKeys(cell: SqlCell): SqlExpression[] {
  switch (cell.kind) {
    case 'constant':
      return []
    case 'number':
    case 'boolean':
    case 'contact':
      return [cell.sql]
    case 'text':
    case 'label':
      return [sql`(${cellToTextSql(cell)} collate "C")`]
    case 'date':
      return [cell.isText ? sql`(${cell.sql} collate "C")` : cell.sql]
    case 'labels':
      return [sql`case when ${cell.sql} is not null then 1 end`]
    case 'object':
      return cell.present ? [sql`case when ${cell.present()} then 1 end`] : []
    case 'json':
      return buildJsonSortKeys(cell.sql)
  }
}

function buildJsonSortKeys(json: SqlExpression): SqlExpression[] {
  return [
    sql`case jsonb_typeof(${json}) when 'boolean' then 1 when 'number' then 2 when 'string' then 3 when 'array' then 4 when 'object' then 5 end`,
    sql`case jsonb_typeof(${json}) when 'boolean' then ${json}::boolean::integer when 'number' then ${json}::numeric end`,
    sql`(case when jsonb_typeof(${json}) = 'string' then ${json} #>> '{}' end) collate "C"`,
  ]
}

/** Order keys of rows for one key of a sort. */
export function buildOrderKeys(
  cell: SqlCell,
  { direction, nulls }: Pick<CursorSortKey, 'direction' | 'nulls'>,
): RelationOrderKey[] {
  return buildSortKeys(cell).map((key) => ({ sql: key, isDescending: direction === 'desc', nulls }))
}

/** A cell that is null where a condition is false. */
export function nullUnlessPresent(cell: SqlCell, present: () => SqlExpression): SqlCell {
  if (cell.kind === 'constant') {
    if (cell.value === null) return NULL_CELL
    return { kind: 'json', sql: sql`case when ${present()} then ${cellToJsonSql(cell)} end` }
  }
  if (cell.kind !== 'object') return cell
  const { names, member, rest: buildRest } = cell
  return {
    kind: 'object',
    names,
    present: () => (cell.present ? sql`(${present()} and ${cell.present()})` : present()),
    member: (name) => {
      const innerCell = member(name)
      return innerCell && nullUnlessPresent(innerCell, present)
    },
    ...(buildRest && { rest: buildRest }),
    ...(cell.fields && { fields: cell.fields }),
  }
}

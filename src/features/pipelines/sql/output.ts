import { sql } from 'kysely'
import { formatContactId } from '../../../lib/ids.ts'
import type { StoredFields } from '../../contacts/fields/identity.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { formatFieldValue } from '../../contacts/values/values.ts'
import type { PipelineRow } from '../values/values.ts'
import type { ObjectSqlCell, SqlCell, SqlExpression } from './cells.ts'
import { listContactValueNames } from './contact-rows.ts'
import { buildOrderByClause, buildWhereClause, type RowRelation } from './relation.ts'

/** A row as the database gives it. */
export type RawPipelineRow = Readonly<Record<string, unknown>>

/** Makes a value of a row that the database gave. */
type Decode = (raw: RawPipelineRow) => unknown

/** A statement and how its rows are read. */
export interface RelationSelection {
  query: SqlExpression
  columns: readonly string[]
  decode(raw: RawPipelineRow): PipelineRow
}

/** All values of a contact, by ids and names of fields. */
function fieldsDecoder(shape: ContactShape): (stored: StoredFields) => PipelineRow {
  const named = [...listContactValueNames(shape)].map(([name, field]) => ({ name, field, labels: shape.labels(field) }))
  return (stored) =>
    Object.fromEntries(
      named.map(({ name, field, labels }) => [name, formatFieldValue(field.type, stored[field.id], labels)]),
    )
}

/** The columns of a statement. */
function openOutput() {
  const columns: SqlExpression[] = []
  const add = (what: SqlExpression): string => {
    const name = `v${columns.length}`
    columns.push(sql`${what} as ${sql.ref(name)}`)
    return name
  }
  const read = (what: SqlExpression, decode: (value: never) => unknown): Decode => {
    const name = add(what)
    return (raw) => (raw[name] === null ? null : decode(raw[name] as never))
  }
  return { columns, read, add }
}

type Output = ReturnType<typeof openOutput>

function objectDecoder(cell: ObjectSqlCell, output: Output): Decode {
  const present = cell.present && output.add(cell.present())
  const isThere = (raw: RawPipelineRow): boolean => present === undefined || raw[present] === true
  if (cell.fields) {
    const { sql: stored, shape } = cell.fields()
    const name = output.add(stored)
    const decode = fieldsDecoder(shape)
    return (raw) => (isThere(raw) ? decode((raw[name] ?? {}) as StoredFields) : null)
  }
  const rest = cell.rest && output.read(cell.rest().sql, (value) => value)
  const members = cell.names.map((name) => [name, decoderOf(cell.member(name)!, output)] as const)
  return (raw) => {
    if (!isThere(raw)) return null
    const own = members.map(([name, decode]) => [name, decode(raw)] as const)
    return rest ? { ...(rest(raw) as PipelineRow), ...Object.fromEntries(own) } : Object.fromEntries(own)
  }
}

function decoderOf(cell: SqlCell, output: Output): Decode {
  switch (cell.kind) {
    case 'constant':
      return () => cell.value
    case 'number':
      return output.read(cell.sql, Number)
    case 'date':
      return cell.isText
        ? output.read(cell.sql, (value) => value)
        : output.read(cell.sql, (instant: Date) => instant.toISOString())
    case 'contact':
      return output.read(cell.sql, formatContactId)
    case 'label':
      return output.read(cell.sql, (index: number) => cell.list.labels.label(index) ?? null)
    case 'labels':
      return output.read(cell.sql, (indexes: number[]) => cell.list.labels.labels(indexes))
    case 'object':
      return objectDecoder(cell, output)
    default:
      return output.read(cell.sql, (value) => value)
  }
}

/** The statement that gives the rows of a relation, in their order; `limit`: at most so many. */
export function buildRelationSelection(relation: RowRelation, limit?: number): RelationSelection {
  const output = openOutput()
  const decode = decoderOf(relation.row, output)
  const columns = output.columns.length === 0 ? sql`true as v0` : sql.join(output.columns)
  const ending = limit === undefined ? sql`` : sql`limit ${limit}`
  return {
    query: sql`
      select ${columns} from ${relation.from()} ${buildWhereClause(relation.conditions)} ${buildOrderByClause(relation.order)} ${ending}`,
    columns: output.columns.length === 0 ? ['v0'] : output.columns.map((_, nth) => `v${nth}`),
    decode: (raw) => decode(raw) as PipelineRow,
  }
}

/**
 * The same, read at once: of rows whose texts have more than so many bytes together, nothing comes but `is_cut`. A cursor would keep the
 * database from working on it with several processes.
 */
export function buildBoundedQuery({ query, columns }: RelationSelection, bytes: number): SqlExpression {
  const each = columns.map(
    (name) => sql`case when size <= ${bytes}::bigint then ${sql.ref(name)} end as ${sql.ref(name)}`,
  )
  return sql`
    select ${sql.join(each)}, size > ${bytes}::bigint as is_cut from (
      select r.*, row_number() over () as nth, sum(octet_length(r::text)) over (rows unbounded preceding) as size from (${query}) r) s
    order by nth`
}

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
type DecodeRow = (raw: RawPipelineRow) => unknown

/** A statement and how its rows are read. */
export interface RelationSelection {
  query: SqlExpression
  columns: readonly string[]
  decode(raw: RawPipelineRow): PipelineRow
}

/** All values of a contact, by ids and names of fields. */
function createFieldsDecoder(shape: ContactShape): (storedFields: StoredFields) => PipelineRow {
  const fieldEntries = [...listContactValueNames(shape)].map(([name, field]) => ({
    name,
    field,
    labels: shape.labels(field),
  }))
  return (storedFields) =>
    Object.fromEntries(
      fieldEntries.map(({ name, field, labels }) => [
        name,
        formatFieldValue(field.type, storedFields[field.id], labels),
      ]),
    )
}

/** The columns of a statement. */
function createOutput() {
  const columns: SqlExpression[] = []
  const addColumn = (columnSql: SqlExpression): string => {
    const name = `v${columns.length}`
    columns.push(sql`${columnSql} as ${sql.ref(name)}`)
    return name
  }
  const createReader = (columnSql: SqlExpression, decode: (value: never) => unknown): DecodeRow => {
    const name = addColumn(columnSql)
    return (raw) => (raw[name] === null ? null : decode(raw[name] as never))
  }
  return { columns, read: createReader, add: addColumn }
}

type StatementOutput = ReturnType<typeof createOutput>

function createObjectDecoder(cell: ObjectSqlCell, output: StatementOutput): DecodeRow {
  const present = cell.present && output.add(cell.present())
  const isPresent = (raw: RawPipelineRow): boolean => present === undefined || raw[present] === true
  if (cell.fields) {
    const { sql: storedFields, shape } = cell.fields()
    const name = output.add(storedFields)
    const decode = createFieldsDecoder(shape)
    return (raw) => (isPresent(raw) ? decode((raw[name] ?? {}) as StoredFields) : null)
  }
  const decodeRest = cell.rest && output.read(cell.rest().sql, (value) => value)
  const members = cell.names.map((name) => [name, createDecoder(cell.member(name)!, output)] as const)
  return (raw) => {
    if (!isPresent(raw)) return null
    const memberValues = members.map(([name, decode]) => [name, decode(raw)] as const)
    return decodeRest
      ? { ...(decodeRest(raw) as PipelineRow), ...Object.fromEntries(memberValues) }
      : Object.fromEntries(memberValues)
  }
}

function createDecoder(cell: SqlCell, output: StatementOutput): DecodeRow {
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
      return createObjectDecoder(cell, output)
    default:
      return output.read(cell.sql, (value) => value)
  }
}

/** Builds the statement that returns the rows of a relation, in their order; `limit` is the maximum number of rows. */
export function buildRelationSelection(relation: RowRelation, limit?: number): RelationSelection {
  const output = createOutput()
  const decode = createDecoder(relation.row, output)
  const columns = output.columns.length === 0 ? sql`true as v0` : sql.join(output.columns)
  const limitClause = limit === undefined ? sql`` : sql`limit ${limit}`
  return {
    query: sql`
      select ${columns} from ${relation.from()} ${buildWhereClause(relation.conditions)} ${buildOrderByClause(relation.order)} ${limitClause}`,
    columns: output.columns.length === 0 ? ['v0'] : output.columns.map((_, nth) => `v${nth}`),
    decode: (raw) => decode(raw) as PipelineRow,
  }
}

/**
 * Builds the same statement for a single read: a row whose texts exceed `bytes` in total returns only `is_cut`. A cursor would prevent the
 * database from using parallel workers.
 */
export function buildBoundedQuery({ query, columns }: RelationSelection, bytes: number): SqlExpression {
  const boundedColumns = columns.map(
    (name) => sql`case when size <= ${bytes}::bigint then ${sql.ref(name)} end as ${sql.ref(name)}`,
  )
  return sql`
    select ${sql.join(boundedColumns)}, size > ${bytes}::bigint as is_cut from (
      select r.*, row_number() over () as nth, sum(octet_length(r::text)) over (rows unbounded preceding) as size from (${query}) r) s
    order by nth`
}

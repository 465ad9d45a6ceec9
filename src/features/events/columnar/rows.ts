import { rawClickHouseSql } from './sql.ts'
import { EVENT_INBOX_TABLE, eventStoreColumns, eventStoreTableNames, eventStoreTables, NIL_UUID } from './tables.ts'

/*
 * Events on their way from PostgreSQL to the store: what COPY writes is what the store reads, byte by byte, as its format
 * TabSeparated has the same escapes.
 */

/** Columns as they travel: what PostgreSQL writes of an event `e`, and the type that the store reads it as. */
const transferTypes = {
  id: ['e.id', 'String'],
  at: ["(date_part('epoch', e.at) * 1000)::bigint", 'Int64'],
  account: ['e.account', 'Int32'],
  channel: ['e.channel', 'LowCardinality(String)'],
  kind: ['e.kind', 'LowCardinality(String)'],
  subject: ['coalesce(e.subject, 0)', 'Int32'],
  contact: ['coalesce(e.contact, 0)', 'Int64'],
  stamp: [`coalesce(e.stamp, '${NIL_UUID}')`, 'UUID'],
  thread: [`coalesce(e.thread, '${NIL_UUID}')`, 'UUID'],
  subscription: [`coalesce(e.subscription, '${NIL_UUID}')`, 'UUID'],
  phone: ["coalesce(e.phone, '')", 'String'],
  agent: ["coalesce(e.agent, '')", 'LowCardinality(String)'],
  title: ['e.title', 'Nullable(String)'],
  classification: ["coalesce(e.classification, '')", 'LowCardinality(String)'],
  is_test: ['e.is_test::integer', 'UInt8'],
  depth: ['e.depth', 'Int16'],
  activation_at: ["(date_part('epoch', e.activation_at) * 1000)::bigint", 'Nullable(Int64)'],
  detail: ['e.detail', 'String'],
  revision: ['revision', 'UInt64'],
  deleted: ['deleted', 'UInt8'],
  targets: ['targets', 'UInt8'],
} as const

/** Expressions that restore a column from its transferred form. */
const restoredExpressions: Readonly<Record<string, string>> = {
  id: 'reinterpretAsUInt128(reverse(UUIDStringToNum(id)))',
  at: "fromUnixTimestamp64Milli(at, 'UTC')",
  activation_at: "fromUnixTimestamp64Milli(activation_at, 'UTC')",
}

const inputColumns = Object.entries(transferTypes).map(([name, [, type]]) => `${name} ${type}`)
const targetColumns = [...eventStoreColumns, 'targets']

/** The insert that takes rows of `travellingRows`. */
export const insertRowsStatement = rawClickHouseSql(`insert into ${EVENT_INBOX_TABLE} (${targetColumns.join(', ')})
select ${targetColumns.map((name) => restoredExpressions[name] ?? name).join(', ')}
from input('${inputColumns.join(', ').replaceAll("'", "\\'")}') format TabSeparated`)

/** Every column in its transferred form, of events `e` joined with `revision`, `deleted` and `targets`. */
export const transferColumns = Object.values(transferTypes)
  .map(([expression]) => expression)
  .join(', ')

/** The same with another expression for some of the columns. */
export function replaceTransferColumns(instead: Readonly<Record<string, string>>): string {
  return Object.entries(transferTypes)
    .map(([name, [expression]]) => instead[name] ?? expression)
    .join(', ')
}

/**
 * The tables, as bits, that have an event under another key than before: `o` is what it was, `e` what it is, both with columns of
 * `events` in PostgreSQL. There the old row is to be deleted.
 */
export const movedTargetBits = eventStoreTableNames
  .map((name, bit) => {
    const tableColumns = [
      ...eventStoreTables[name].order.filter((column) => column !== 'account' && column !== 'channel'),
      'at',
    ]
    const [oldColumns, presentColumns] = ['o', 'e'].map((row) =>
      tableColumns.map((column) => `${row}.${column}`).join(', '),
    )
    return `case when row(${oldColumns}) is distinct from row(${presentColumns}) then ${2 ** bit} else 0 end`
  })
  .join(' + ')

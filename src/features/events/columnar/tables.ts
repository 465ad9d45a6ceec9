import { RCS_CHANNEL } from '../kinds/event-kinds.ts'
import type { ClickHouseFragment } from './sql.ts'
import { rawClickHouseSql } from './sql.ts'

/** The oldest ClickHouse that has all that is asked of it here. */
export const MIN_CLICKHOUSE_VERSION = '25.8'

/** Columns of every table. What is null in PostgreSQL is 0, '' or the empty UUID where a table may be ordered by it. */
const columnTypes = {
  id: 'UInt128',
  at: "DateTime64(3, 'UTC')",
  account: 'Int32',
  channel: 'LowCardinality(String)',
  kind: 'LowCardinality(String)',
  subject: 'Int32',
  contact: 'Int64',
  stamp: 'UUID',
  thread: 'UUID',
  subscription: 'UUID',
  phone: 'String',
  agent: 'LowCardinality(String)',
  title: 'Nullable(String)',
  classification: 'LowCardinality(String)',
  is_test: 'UInt8',
  depth: 'Int16',
  activation_at: "Nullable(DateTime64(3, 'UTC'))",
  detail: 'String',
  revision: 'UInt64',
  deleted: 'UInt8',
} as const

export const eventStoreColumns = Object.keys(columnTypes) as readonly (keyof typeof columnTypes)[]

/** Columns whose bytes are worth a slower compression, or a faster one. */
const columnCodecs: Partial<Record<keyof typeof columnTypes, string>> = {
  at: 'DoubleDelta, LZ4',
  detail: 'ZSTD(1)',
}

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

interface StoreTable {
  /** Columns that order the table before the time. */
  order: readonly string[]
  /** Contents of the table. */
  holds: string
  /** Rows between two marks of the index: few where a read wants few rows. */
  granularity: number
}

/** Each event stands in several tables, one for each way of reading. The places in this list are bits of `targets`. */
export const eventStoreTables = {
  events_by_time: { order: ['account', 'channel'], holds: 'true', granularity: 8192 },
  events_by_subject: { order: ['account', 'channel', 'subject'], holds: 'subject <> 0', granularity: 8192 },
  events_by_contact: { order: ['account', 'contact'], holds: 'contact <> 0', granularity: 1024 },
  events_by_stamp: { order: ['account', 'stamp'], holds: `stamp <> toUUID('${NIL_UUID}')`, granularity: 1024 },
  events_by_phone: {
    order: ['account', 'phone', 'agent'],
    holds: `channel = '${RCS_CHANNEL}' and phone <> ''`,
    granularity: 1024,
  },
  events_by_thread: {
    order: ['account', 'thread'],
    holds: `channel = '${RCS_CHANNEL}' and thread <> toUUID('${NIL_UUID}')`,
    granularity: 1024,
  },
} as const satisfies Record<string, StoreTable>

export type EventStoreTableName = keyof typeof eventStoreTables

export const eventStoreTableNames = Object.keys(eventStoreTables) as readonly EventStoreTableName[]

/** Table that receives inserts: its rows are passed on to the other tables, and it stores nothing. */
export const EVENT_INBOX_TABLE = 'events_inbox'

/** Every table, as bits. */
export const ALL_TARGET_BITS = 2 ** eventStoreTableNames.length - 1

/** Repeated inserts are detected among this many of the latest. */
const DEDUPLICATION_WINDOW = 10_000
/** Seconds that parts which were merged or rewritten stay on disk: an erasure waits for it. */
const OLD_PARTS_SECONDS = 60

const joinNames = (names: readonly string[]): string => names.join(', ')

function buildColumnList(extra: readonly string[] = []): string {
  const columnDefinitions = Object.entries(columnTypes).map(([name, type]) => {
    const codec = columnCodecs[name as keyof typeof columnTypes]
    return `${name} ${type}${codec ? ` codec(${codec})` : ''}`
  })
  return [...columnDefinitions, ...extra].join(',\n  ')
}

/** Builds the statements that create one table, and on a cluster the distributed table over its parts. */
function buildTableStatements(name: EventStoreTableName, cluster: string | undefined): string[] {
  const { order, granularity }: StoreTable = eventStoreTables[name]
  const localName = cluster === undefined ? name : `${name}_local`
  const engine =
    cluster === undefined
      ? 'ReplacingMergeTree(revision, deleted)'
      : `ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/${localName}', '{replica}', revision, deleted)`
  const deduplicationSetting =
    cluster === undefined ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window'
  const tableStatement = `create table if not exists ${localName}${buildClusterClause(cluster)} (\n  ${buildColumnList()}\n) engine = ${engine}
partition by toYYYYMM(at)
order by (${joinNames([...order, 'at', 'id'])})
settings index_granularity = ${granularity}, ${deduplicationSetting} = ${DEDUPLICATION_WINDOW}, old_parts_lifetime = ${OLD_PARTS_SECONDS}`
  if (cluster === undefined) return [tableStatement]
  return [
    tableStatement,
    `create table if not exists ${name}${buildClusterClause(cluster)} as ${localName}
engine = Distributed('${cluster}', currentDatabase(), '${localName}', cityHash64(id))`,
  ]
}

const buildClusterClause = (cluster: string | undefined): string =>
  cluster === undefined ? '' : ` on cluster '${cluster}'`

/**
 * The statements of each version of the store, in order; each can be repeated. Rows go into an inbox without storage, and from
 * it into the tables that their `targets` name: one insert, one name, and each table leaves out what it has.
 */
export function buildStoreMigrations(cluster: string | undefined): readonly (readonly string[])[] {
  const inboxStatement = `create table if not exists ${EVENT_INBOX_TABLE}${buildClusterClause(cluster)} (\n  ${buildColumnList(['targets UInt8'])}\n) engine = Null`
  const viewStatements = eventStoreTableNames.map(
    (name, bit) => `create materialized view if not exists ${name}_feed${buildClusterClause(cluster)} to ${name} as
select ${joinNames(eventStoreColumns)} from ${EVENT_INBOX_TABLE} where bitTest(targets, ${bit}) and ${eventStoreTables[name].holds}`,
  )
  const versionStatement = `create table if not exists events_store_version${buildClusterClause(cluster)} (version UInt32, at DateTime default now())
engine = ${cluster === undefined ? 'MergeTree' : "ReplicatedMergeTree('/clickhouse/tables/all/{database}/events_store_version', '{replica}')"} order by version`
  return [
    [
      versionStatement,
      ...eventStoreTableNames.flatMap((name) => buildTableStatements(name, cluster)),
      inboxStatement,
      ...viewStatements,
    ],
  ]
}

/** The name of the table that holds the parts themselves, for what a distributed one cannot do. */
export function toLocalStoreTable(name: EventStoreTableName, cluster: string | undefined): ClickHouseFragment {
  return rawClickHouseSql(cluster === undefined ? name : `${name}_local${buildClusterClause(cluster)}`)
}

import { RCS_CHANNEL } from '../kinds/event-kinds.ts'
import type { ClickHouseFragment } from './sql.ts'
import { rawClickHouseSql } from './sql.ts'

/** The oldest ClickHouse that has all that is asked of it here. */
export const MIN_CLICKHOUSE_VERSION = '25.8'

/** Columns of every table. What is null in PostgreSQL is 0, '' or the empty UUID where a table may be ordered by it. */
const columns = {
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

export const eventStoreColumns = Object.keys(columns) as readonly (keyof typeof columns)[]

/** Columns whose bytes are worth a slower compression, or a faster one. */
const codecs: Partial<Record<keyof typeof columns, string>> = {
  at: 'DoubleDelta, LZ4',
  detail: 'ZSTD(1)',
}

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

interface Table {
  /** What it is ordered by before the time. */
  order: readonly string[]
  /** What it holds. */
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
} as const satisfies Record<string, Table>

export type EventStoreTableName = keyof typeof eventStoreTables

export const eventStoreTableNames = Object.keys(eventStoreTables) as readonly EventStoreTableName[]

/** Where events are inserted: what is given to it goes to the tables, and it keeps nothing. */
export const EVENT_INBOX_TABLE = 'events_inbox'

/** Every table, as bits. */
export const ALL_TARGET_BITS = 2 ** eventStoreTableNames.length - 1

/** Inserts that were made twice are found among so many of the last ones. */
const DEDUPLICATED = 10_000
/** Seconds that parts which were merged or rewritten stay on disk: an erasure waits for it. */
const OLD_PARTS_S = 60

const listed = (names: readonly string[]): string => names.join(', ')

function columnList(extra: readonly string[] = []): string {
  const own = Object.entries(columns).map(([name, type]) => {
    const codec = codecs[name as keyof typeof columns]
    return `${name} ${type}${codec ? ` codec(${codec})` : ''}`
  })
  return [...own, ...extra].join(',\n  ')
}

/** What makes one table, and on a cluster the distributed table over its parts. */
function tableOf(name: EventStoreTableName, cluster: string | undefined): string[] {
  const { order, granularity }: Table = eventStoreTables[name]
  const local = cluster === undefined ? name : `${name}_local`
  const engine =
    cluster === undefined
      ? 'ReplacingMergeTree(revision, deleted)'
      : `ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/${local}', '{replica}', revision, deleted)`
  const window = cluster === undefined ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window'
  const table = `create table if not exists ${local}${on(cluster)} (\n  ${columnList()}\n) engine = ${engine}
partition by toYYYYMM(at)
order by (${listed([...order, 'at', 'id'])})
settings index_granularity = ${granularity}, ${window} = ${DEDUPLICATED}, old_parts_lifetime = ${OLD_PARTS_S}`
  if (cluster === undefined) return [table]
  return [
    table,
    `create table if not exists ${name}${on(cluster)} as ${local}
engine = Distributed('${cluster}', currentDatabase(), '${local}', cityHash64(id))`,
  ]
}

const on = (cluster: string | undefined): string => (cluster === undefined ? '' : ` on cluster '${cluster}'`)

/**
 * The statements of each version of the store, in order; each can be repeated. Rows go into an inbox without storage, and from
 * it into the tables that their `targets` name: one insert, one name, and each table leaves out what it has.
 */
export function buildStoreMigrations(cluster: string | undefined): readonly (readonly string[])[] {
  const inbox = `create table if not exists ${EVENT_INBOX_TABLE}${on(cluster)} (\n  ${columnList(['targets UInt8'])}\n) engine = Null`
  const views = eventStoreTableNames.map(
    (name, bit) => `create materialized view if not exists ${name}_feed${on(cluster)} to ${name} as
select ${listed(eventStoreColumns)} from ${EVENT_INBOX_TABLE} where bitTest(targets, ${bit}) and ${eventStoreTables[name].holds}`,
  )
  const version = `create table if not exists events_store_version${on(cluster)} (version UInt32, at DateTime default now())
engine = ${cluster === undefined ? 'MergeTree' : "ReplicatedMergeTree('/clickhouse/tables/all/{database}/events_store_version', '{replica}')"} order by version`
  return [[version, ...eventStoreTableNames.flatMap((name) => tableOf(name, cluster)), inbox, ...views]]
}

/** The name of the table that holds the parts themselves, for what a distributed one cannot do. */
export function toLocalStoreTable(name: EventStoreTableName, cluster: string | undefined): ClickHouseFragment {
  return rawClickHouseSql(cluster === undefined ? name : `${name}_local${on(cluster)}`)
}

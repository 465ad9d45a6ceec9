import type { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import type { Db } from '../../../database/connection/connect.ts'
import { getDatabaseServices } from '../../../database/services.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { EventStoreAddress } from '../../../lib/net/event-store-url.ts'
import { type ClickHouseFragment, compileClickHouseSql } from './sql.ts'

/** Input of a statement. */
export interface EventStoreQuery {
  /** The account whose events it reads: its condition must be in the text. Null: of every account, for what keeps the store itself. */
  account: number | null
  statement: ClickHouseFragment
  settings?: ClickHouseSettings
  signal?: AbortSignal
}

/** The column store that has the history of events. */
export interface EventStore {
  cluster: string | undefined
  database: string
  /** Number of days that events also stay in PostgreSQL. */
  hotDays: number
  /** Start of the events in PostgreSQL, as far as this process knows, in milliseconds. It only increases. */
  border: number
  /** Rows as objects. Numbers of 64 bits come as numbers. */
  rows<Row>(storeQuery: EventStoreQuery): Promise<Row[]>
  /** The bytes of an answer in the format that the statement names, as they come. */
  bytes(storeQuery: EventStoreQuery): Promise<Readable>
  /** Does something that has no answer; `body` are the rows of an insert. */
  command(storeQuery: EventStoreQuery, body?: Readable): Promise<void>
  close(): Promise<void>
}

/** The store cannot be reached, or does not answer. */
export function createStoreAwayProblem(cause: unknown): Problem {
  const detail = 'The events of that period are in a store that cannot be reached. Try again later.'
  return new Problem(503, 'event-history-away', detail, { headers: { 'retry-after': '10' }, cause })
}

export function isEventStoreAway(error: unknown): error is Problem {
  return error instanceof Problem && error.kind === 'event-history-away'
}

/** Timeout of one statement, and longest idle time of a connection before it is no longer reused. */
const REQUEST_TIMEOUT_MS = 120_000
const IDLE_SOCKET_MS = 1500

const baseSettings: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  // What a table has twice until its parts are merged is never seen.
  final: 1,
  do_not_merge_across_partitions_select_final: 1,
  mutations_sync: '2',
  insert_deduplicate: 1,
  // Of the tables that one insert feeds, as many at a time as there are cores.
  parallel_view_processing: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  distributed_foreground_insert: 1,
  log_queries: 0,
}

/** Codes of answers that say the server refuses for now: its limits of queries, connections and memory, or that it starts. */
const BUSY_CODES = new Set(['202', '203', '209', '210', '241', '242', '279', '319', '999'])

function isStoreAway(error: unknown): boolean {
  return !(error instanceof ClickHouseError) || BUSY_CODES.has(error.code)
}

/** A failure of the store as a Problem; a statement that it cannot read is a fault of ours. */
function toStoreFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted || !isStoreAway(error) ? error : createStoreAwayProblem(error)
}

/** Tries hosts in turn, beginning with the one that answered last. */
function createHostRotation(clients: readonly ClickHouseClient[]) {
  let firstHost = 0
  return async <T>(work: (client: ClickHouseClient) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      const index = (firstHost + attempt) % clients.length
      try {
        const result = await work(clients[index]!)
        firstHost = index
        return result
      } catch (error) {
        if (attempt === clients.length - 1 || !isStoreAway(error) || signal?.aborted)
          throw toStoreFailure(error, signal)
      }
    }
  }
}

function compileCheckedQuery({ account, statement }: EventStoreQuery) {
  const compiledSql = compileClickHouseSql(statement, account)
  if (account !== null && !compiledSql.text.includes('account = {account:Int32}'))
    throw new Error('a statement about one account must name it')
  return { query: compiledSql.text, query_params: compiledSql.params }
}

/** Opens the store; nothing connects before the first statement. */
export function openEventStore(address: EventStoreAddress, hotDays: number): EventStore {
  const clients = address.urls.map((url) =>
    createClient({
      url,
      username: address.username,
      password: address.password,
      database: address.database,
      application: 'stentor',
      request_timeout: REQUEST_TIMEOUT_MS,
      keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
      clickhouse_settings: baseSettings,
      // What fails is thrown, and logged by whoever asked.
      log: { level: ClickHouseLogLevel.OFF },
    }),
  )
  const runOnHost = createHostRotation(clients)
  const storeQuery = (queryInput: EventStoreQuery) => ({
    ...compileCheckedQuery(queryInput),
    ...(queryInput.settings && { clickhouse_settings: { ...baseSettings, ...queryInput.settings } }),
    ...(queryInput.signal && { abort_signal: queryInput.signal }),
  })
  return {
    cluster: address.cluster,
    database: address.database,
    hotDays,
    border: Number.NEGATIVE_INFINITY,
    async rows(queryInput) {
      const query = storeQuery(queryInput)
      return runOnHost(async (client) => {
        const response = await client.query({ ...query, format: 'JSONEachRow' })
        return (await response.json()) as never
      }, queryInput.signal)
    },
    async bytes(queryInput) {
      const query = storeQuery(queryInput)
      return runOnHost(async (client) => (await client.exec(query)).stream, queryInput.signal)
    },
    async command(queryInput, body) {
      const query = storeQuery(queryInput)
      // A body can be sent once.
      const targetHosts = body ? clients.slice(0, 1) : clients
      await createHostRotation(targetHosts)(async (client) => {
        const { stream } = await client.exec({ ...query, ...(body && { values: body }) })
        for await (const _ of stream);
      }, queryInput.signal)
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

declare module '../../../database/services.ts' {
  interface DatabaseServices {
    /** The store that has the older events; absent when the database has them all itself. */
    eventStore?: EventStore
  }
}

/** Lets every reader of a database's events find the store that has the older ones. */
export function attachEventStore(db: Db, store: EventStore): void {
  getDatabaseServices(db).eventStore = store
}

/** The store that has the older events of a database; absent when the database has them all itself. */
export function findEventStore(db: Db): EventStore | undefined {
  return getDatabaseServices(db).eventStore
}

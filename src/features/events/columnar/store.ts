import type { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { attachToDatabase, findDatabaseAttachment } from '../../../database/attached.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { EventStoreAddress } from '../../../lib/net/event-store-url.ts'
import { type ClickHouseFragment, compileClickHouseSql } from './sql.ts'

/** What a statement is asked with. */
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
  /** How long events stay in PostgreSQL too. */
  hotDays: number
  /** Where those events begin that are in PostgreSQL, as far as this process knows, in milliseconds: it only moves on. */
  border: number
  /** Rows as objects. Numbers of 64 bits come as numbers. */
  rows<Row>(asked: EventStoreQuery): Promise<Row[]>
  /** The bytes of an answer in the format that the statement names, as they come. */
  bytes(asked: EventStoreQuery): Promise<Readable>
  /** Does something that has no answer; `body` are the rows of an insert. */
  command(asked: EventStoreQuery, body?: Readable): Promise<void>
  close(): Promise<void>
}

/** The store cannot be reached, or does not answer. */
export function createStoreAwayProblem(cause: unknown): Problem {
  const detail = 'Events of that time are kept in a store that cannot be reached now. Ask again later.'
  return new Problem(503, 'event-history-away', detail, { headers: { 'retry-after': '10' }, cause })
}

export function isEventStoreAway(error: unknown): error is Problem {
  return error instanceof Problem && error.kind === 'event-history-away'
}

/** How long one statement may take, and how long an idle connection is used again. */
const REQUEST_MS = 120_000
const IDLE_SOCKET_MS = 1500

const always: ClickHouseSettings = {
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
const BUSY = new Set(['202', '203', '209', '210', '241', '242', '279', '319', '999'])

function isAway(error: unknown): boolean {
  return !(error instanceof ClickHouseError) || BUSY.has(error.code)
}

/** A failure of the store as a Problem; a statement that it cannot read is a fault of ours. */
function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted || !isAway(error) ? error : createStoreAwayProblem(error)
}

/** Tries hosts in turn, beginning with the one that answered last. */
function inTurn(clients: readonly ClickHouseClient[]) {
  let first = 0
  return async <T>(work: (client: ClickHouseClient) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    for (let tried = 0; ; tried++) {
      const index = (first + tried) % clients.length
      try {
        const result = await work(clients[index]!)
        first = index
        return result
      } catch (error) {
        if (tried === clients.length - 1 || !isAway(error) || signal?.aborted) throw failureOf(error, signal)
      }
    }
  }
}

function checked({ account, statement }: EventStoreQuery) {
  const compiled = compileClickHouseSql(statement, account)
  if (account !== null && !compiled.text.includes('account = {account:Int32}'))
    throw new Error('a statement about one account must name it')
  return { query: compiled.text, query_params: compiled.params }
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
      request_timeout: REQUEST_MS,
      keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
      clickhouse_settings: always,
      // What fails is thrown, and logged by whoever asked.
      log: { level: ClickHouseLogLevel.OFF },
    }),
  )
  const run = inTurn(clients)
  const asked = (given: EventStoreQuery) => ({
    ...checked(given),
    ...(given.settings && { clickhouse_settings: { ...always, ...given.settings } }),
    ...(given.signal && { abort_signal: given.signal }),
  })
  return {
    ...{ cluster: address.cluster, database: address.database, hotDays },
    border: Number.NEGATIVE_INFINITY,
    async rows(given) {
      const query = asked(given)
      return run(async (client) => {
        const answer = await client.query({ ...query, format: 'JSONEachRow' })
        return (await answer.json()) as never
      }, given.signal)
    },
    async bytes(given) {
      const query = asked(given)
      return run(async (client) => (await client.exec(query)).stream, given.signal)
    },
    async command(given, body) {
      const query = asked(given)
      // A body can be sent once.
      const hosts = body ? clients.slice(0, 1) : clients
      await inTurn(hosts)(async (client) => {
        const { stream } = await client.exec({ ...query, ...(body && { values: body }) })
        for await (const _ of stream);
      }, given.signal)
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

const STORE = Symbol('event store')

/** Lets every reader of a database's events find the store that has the older ones. */
export function attachEventStore(db: Db, store: EventStore): void {
  attachToDatabase(db, STORE, store)
}

/** The store that has the older events of a database; undefined: it has them all itself. */
export function findEventStore(db: Db): EventStore | undefined {
  return findDatabaseAttachment<EventStore>(db, STORE)
}

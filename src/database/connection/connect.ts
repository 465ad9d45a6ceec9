import { hash } from 'node:crypto'
import {
  Kysely,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { isReadOnlyDbError } from '../errors.ts'
import { DialectWithServices } from '../services.ts'
import type { DB } from '../tables.ts'
import { toPgConnectionString } from './tls.ts'

// Else dates are sent in the time zone of the process, without the seconds that its offset had before zones were standardized.
pg.defaults.parseInputDatesAsUTC = true

/** The database, or a transaction on it: whatever takes a `Db` takes both. */
export type Db = Kysely<DB>

export type DatabasePool = pg.Pool

export interface DatabasePoolOptions {
  /** Connections at most; 10 by default. */
  max?: number
  /** Called for every connection that broke. */
  log?: (error: Error) => void
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** A statement may take this long, and each batch of a cursor; 60 seconds by default, 0 for no end. */
  statementTimeoutMs?: number
  /** Statements are planned to read tables by an index wherever one helps, whatever size they seem to be of. */
  readsByIndex?: boolean
  /** The time after which a connection plans its prepared statements again; 30 seconds by default. */
  plansLastMs?: number
  /** Checks every new connection; when it rejects, the connection is closed and the caller gets the error. */
  onConnect?: (client: pg.ClientBase) => Promise<void>
}

export interface DatabaseConnection {
  db: Db
  pool: DatabasePool
  /** Waits for the connections in use, then closes all. May be called twice. */
  close(): Promise<void>
}

const STATEMENT_TIMEOUT_MS = 60_000
/** An open transaction that does nothing holds locks and keeps the vacuum away. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000
/** The longest time that a caller waits for a free connection before it gets an error: the service is overloaded. */
export const POOL_ACQUIRE_TIMEOUT_MS = 10_000

/** Longer than what is done periodically pauses: to open a connection costs more than to keep one. */
const IDLE_TIMEOUT_MS = 60_000

/**
 * Tables that are empty between two uses fill within seconds: what was planned for an empty one, to be read in order, would be used
 * until the server analyses it, a minute later.
 */
const PLAN_LIFETIME_MS = 30_000

/**
 * The settings that statements and readers of values rely on, whatever the defaults of the server, the database or the role are.
 * `default_transaction_read_only` is left to the owner, who makes a database read-only by it.
 */
const REQUIRED_SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
}

/** The settings of each new connection. They are set by a statement because poolers reject most settings in the startup message. */
function buildSessionStatement({
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  readsByIndex = false,
}: DatabasePoolOptions): string {
  const sessionSettings = {
    ...REQUIRED_SETTINGS,
    statement_timeout: String(statementTimeoutMs),
    ...(readsByIndex && { enable_seqscan: 'off' }),
  }
  return Object.entries(sessionSettings)
    .map(([name, value]) => `set ${name} = ${name === 'datestyle' ? value : `'${value}'`}`)
    .join('; ')
}

/**
 * Opens a pool; nothing connects before the first query. Read as: int8 number (throws beyond 2^53 - 1),
 * numeric string (cast sums of int8 to int8), timestamptz Date, date string, jsonb the parsed value.
 */
export function openDatabasePool(url: string, options: DatabasePoolOptions = {}): DatabaseConnection {
  const pool = new pg.Pool({
    connectionString: toPgConnectionString(url),
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'stentor',
    connectionTimeoutMillis: POOL_ACQUIRE_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
    async onConnect(client) {
      await client.query(buildSessionStatement(options))
      await options.onConnect?.(client)
    },
  })
  // A lost connection without a listener ends the process, and the pool listens to idle ones only: each gets its own.
  let closePromise: Promise<void> | undefined
  // While the pool closes, a server that stops may end its connections first: that is not worth a line.
  const reportError = (error: Error): void => {
    if (!closePromise) options.log?.(error)
  }
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', reportError))
  const db = new Kysely<DB>({
    dialect: new DialectWithServices({ pool: createKyselyPool(pool, options.plansLastMs), cursor: AbortableCursor }),
  })
  return { db, pool, close: () => (closePromise ??= pool.end()) }
}

const buildStatementPrefix = (name: string): string => `/* prepared: ${name} */`
const PREPARED_PREFIX = /^\s*\/\* prepared: (\S+) \*\//

/**
 * The prefix of a prepared statement, which each connection plans once: `name` stands for one text. For frequent
 * statements whose plan does not depend on their parameters.
 */
export function buildPreparedPrefix(name: string): RawBuilder<unknown> {
  return sql.raw(buildStatementPrefix(name))
}

/**
 * Runs a statement that is put together of parts, prepared under `kind` and a hash of its text. For few different texts, as each
 * connection keeps the plan of every one.
 */
export async function runPreparedStatement<Row>(db: Db, kind: string, statement: RawBuilder<Row>): Promise<Row[]> {
  const compiledQuery = statement.compile(db)
  const name = `${kind}-${hash('sha1', compiledQuery.sql, 'base64url')}`
  const { rows } = await db.executeQuery<Row>({ ...compiledQuery, sql: buildStatementPrefix(name) + compiledQuery.sql })
  return rows
}

/** Gives what runs a prepared statement of a connection, which drops its plans first when they are older than `plansLastMs`. */
function createReplanningRunner(client: pg.PoolClient, plansLastMs: number) {
  let plannedAt = performance.now()
  return async (query: pg.QueryConfig): Promise<pg.QueryResult> => {
    if (performance.now() - plannedAt >= plansLastMs) {
      plannedAt = performance.now()
      // A failed transaction rejects this statement and the next one; a lost connection is reported by the next statement.
      await client.query('discard plans').catch(() => undefined)
    }
    return client.query(query)
  }
}

/**
 * Sends statements that say so under their name. A connection that turns out to be read-only is not used again: one that
 * was opened while its database was made so stays so.
 */
function wrapClient(client: pg.PoolClient, plansLastMs: number): PostgresPoolClient {
  let isUseless = false
  const runPlanned = createReplanningRunner(client, plansLastMs)
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  function query(statementText: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof statementText !== 'string') return client.query(statementText as unknown as pg.Submittable)
    const name = PREPARED_PREFIX.exec(statementText)?.[1]
    const statement = { text: statementText, values: [...values] }
    const queryResult = name === undefined ? client.query(statement) : runPlanned({ ...statement, name })
    queryResult.catch((error) => {
      isUseless ||= isReadOnlyDbError(error)
    })
    return queryResult
  }
  return { query, release: () => client.release(isUseless) }
}

/** The pool as Kysely sees it. */
function createKyselyPool(pool: DatabasePool, plansLastMs = PLAN_LIFETIME_MS): PostgresPool {
  const wrappedClients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const wrappedClient = wrappedClients.get(client) ?? wrapClient(client, plansLastMs)
      wrappedClients.set(client, wrappedClient)
      return wrappedClient
    },
    end: () => pool.end(),
  }
}

/** Does additional work within a transaction. */
export interface TransactionHook {
  within<T>(tx: Db, work: (tx: Db) => Promise<T>): Promise<T>
  /** The transaction is committed. */
  committed(): void
}

/** A handle with a hook, which `inTransaction` calls for the transactions that it opens on it. */
interface HookedDb extends Db {
  transactionHook: TransactionHook
}

/** A handle on the same database, with a hook. */
export function createHookedDb(db: Db, transactionHook: TransactionHook): HookedDb {
  return Object.assign(db.withoutPlugins(), { transactionHook })
}

/** Runs `fn` in the given transaction, or in one of its own that is rolled back when `fn` throws. */
export function inTransaction<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db)
  const { transactionHook } = db as Partial<HookedDb>
  return transactionHook ? inHookedTransaction(db, fn, transactionHook) : db.transaction().execute(fn)
}

async function inHookedTransaction<T>(
  db: Db,
  fn: (tx: Db) => Promise<T>,
  transactionHook: TransactionHook,
): Promise<T> {
  const result = await db.transaction().execute((tx) => transactionHook.within(tx, fn))
  transactionHook.committed()
  return result
}

/**
 * As `inTransaction`, but what `fn` throws undoes no more than `fn` did, so that the given transaction can still be used:
 * PostgreSQL refuses every statement after one that failed, but for the way back to a savepoint.
 */
export async function inSavepoint<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return inTransaction(db, fn)
  await sql`savepoint attempt`.execute(db)
  try {
    const result = await fn(db)
    await sql`release savepoint attempt`.execute(db)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(db)
    throw error
  }
}

/** The text of a value for a jsonb column. A plain array would be taken for an array of PostgreSQL. */
export function toJsonbText(value: unknown): string {
  return JSON.stringify(value)
}

/**
 * A cursor that can be closed on a lost connection: the original waits forever for an answer of the server.
 * A class, because Kysely makes cursors with `new`.
 */
class AbortableCursor<Row> extends Cursor<Row> {
  override async close(): Promise<void> {
    const { connection } = this
    if (!connection || connection.stream.destroyed) return
    let onConnectionEnd = () => {}
    const connectionEnd = new Promise<void>((resolve) => connection.once('end', (onConnectionEnd = resolve)))
    try {
      await Promise.race([super.close(), connectionEnd])
    } finally {
      connection.off('end', onConnectionEnd)
    }
  }
}

/** Types of arrays, for which pg has no names. */
const TEXT_ARRAY_OID: number = 1009
const INT8_ARRAY_OID = 1016
const DATE_ARRAY_OID = 1182

const parseArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY_OID)

/** The types that are parsed differently from the defaults of pg. */
const typeParsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, parseInt8],
  [INT8_ARRAY_OID, (text) => parseArray(text).map((element) => (element === null ? null : parseInt8(element)))],
  [pg.types.builtins.DATE, (text) => text],
  [DATE_ARRAY_OID, parseArray],
])

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return (format !== 'binary' && typeParsers.get(oid)) || pg.types.getTypeParser(oid, format)
}

function parseInt8(text: string): number {
  const parsedNumber = Number(text)
  if (Number.isSafeInteger(parsedNumber)) return parsedNumber
  throw new RangeError(`${text} is beyond the integers that a number holds: cast it to text in the query.`)
}

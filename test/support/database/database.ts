import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { type DatabaseConnection, openDatabasePool } from '../../../src/database/connection/connect.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { migrateDatabase } from '../../../src/database/migrate.ts'
import { ensureEventPartitions } from '../../../src/features/events/partitions.ts'
import { installJobQueue } from '../../../src/jobs/runner.ts'
import { eventually } from '../wait.ts'

/** Where the server of the whole run is, when there is one: the database that clones are made from. */
export const TEMPLATE_URL = 'STENTOR_TEST_DATABASE_URL'

const TEMPLATE = 'template'

/** How long connections may take to go, once the test that used them is over. */
const CLOSE_PATIENCE_MS = 10_000

/** For the server, which rests a second after a checkpoint that failed. */
const SERVER_PATIENCE_MS = 10_000

/**
 * For databases that are thrown away: nothing has to outlive a loss of power; and for files that each start many processes. Statistics
 * are taken where a test says so: by itself the server would take them at any moment, and plan the same statement differently in each run.
 */
const settings = {
  autovacuum: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_wal_size: '1GB',
  max_connections: '500',
}

export interface TemplateServer {
  /** Of the database that clones are made from; it must have no connections. */
  url: string
  stop(): Promise<void>
}

export interface TestDatabase extends DatabaseConnection {
  url: string
  /** Closes the connections and deletes the database. Throws when the test left connections open. */
  drop(): Promise<void>
}

/** A folder in memory, and the most that the databases of a run and their write-ahead log take there. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_MB = 4_096

/** The folder of temporary databases: in memory if there is room, as creating the thousand files of a clone is slow on a disk. */
export async function databaseFolder(): Promise<string> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined)
  return memory && (memory.bavail * memory.bsize) / 2 ** 20 > MEMORY_MB ? MEMORY_FOLDER : tmpdir()
}

/** Starts a server in a temporary folder, with a migrated database that has this year's partitions. */
export async function startTemplate(): Promise<TemplateServer> {
  const directory = await mkdtemp(join(await databaseFolder(), 'stentor-database-'))
  // So that the account of PostgreSQL can enter it when the tests run as root.
  await chmod(directory, 0o755)
  const server = await startEmbeddedPostgres({ directory, log: reportServerErrors, settings })
  const url = named(server.url, TEMPLATE)
  await query(server.url, `create database ${TEMPLATE}`)
  await furnish(url)
  return {
    url,
    async stop() {
      await server.stop()
      await removeEmbeddedPostgres(directory)
    },
  }
}

/**
 * A database of one's own, as the migrations leave it, on the server of the run; on a server of its own when a test
 * file is run alone. Call `drop` when the tests are over; it waits `closePatienceMs` at most for connections to go.
 */
export async function cloneDatabase({ closePatienceMs = CLOSE_PATIENCE_MS } = {}): Promise<TestDatabase> {
  const shared = process.env[TEMPLATE_URL]
  const own = shared === undefined ? await startTemplate() : undefined
  const templateUrl = shared ?? own?.url ?? ''
  const adminUrl = named(templateUrl, 'postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await insist(adminUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  const url = named(templateUrl, name)
  const connected = openDatabasePool(url, { applicationName: 'test' })
  return {
    ...connected,
    url,
    async drop() {
      // A client that was never given back would make the pool wait for ever.
      await Promise.race([connected.close(), delay(closePatienceMs, undefined, { ref: false })])
      const open = await openSessions(adminUrl, name, closePatienceMs)
      await insist(adminUrl, `drop database ${name} with (force)`)
      await own?.stop()
      if (open.length > 0) throw new Error(`The test left connections open, which did:\n${open.join('\n')}`)
    },
  }
}

async function furnish(url: string): Promise<void> {
  const { db, pool, close } = openDatabasePool(url)
  try {
    await migrateDatabase(pool, { directory: join(import.meta.dirname, '../../../migrations'), log: () => undefined })
    await installJobQueue(pool, pino({ level: 'silent' }))
    await ensureEventPartitions(db, 3)
  } finally {
    await close()
  }
}

/** The last statements of the sessions that a database still has; a closed connection may take a moment to go. */
async function openSessions(adminUrl: string, database: string, patienceMs: number): Promise<string[]> {
  const { pool, close } = openDatabasePool(adminUrl, { max: 1 })
  try {
    let sessions: string[] = []
    const isFree = async () => {
      const { rows } = await pool.query<{ session: string }>(
        `select concat_ws(': ', application_name, state, query) as session
         from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
        [database],
      )
      sessions = rows.map(({ session }) => session)
      return sessions.length === 0
    }
    await eventually(isFree, patienceMs).catch(() => undefined)
    return sessions
  } finally {
    await close()
  }
}

/** Again where it fails for what passes: a vacuum that looks into the database, a checkpoint that could not be written. */
async function insist(url: string, text: string): Promise<void> {
  const isDone = async () => {
    await query(url, text)
    return true
  }
  await eventually(isDone, SERVER_PATIENCE_MS)
}

/** So that a failure of the server beside the tests can be told from one of theirs. */
function reportServerErrors(line: string): void {
  if (/: (?:ERROR|PANIC): /.test(line)) process.stderr.write(`database server: ${line}\n`)
}

async function query(url: string, text: string): Promise<void> {
  const { pool, close } = openDatabasePool(url, { max: 1 })
  try {
    await pool.query(text)
  } finally {
    await close()
  }
}

function named(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { OperatorError } from '../lib/errors/operator-error.ts'
import { formatErrorReason } from '../lib/errors/reason.ts'
import type { DatabasePool } from './connection/connect.ts'

export interface MigrateOptions {
  /** The folder of `NNNN-what.sql`. */
  directory: string
  log: (line: string) => void
  /** The name of the last one to apply; by default all are. */
  until?: string
  /** Takes a sentence before the first one is applied. */
  announce?: ((step: string) => void) | undefined
}

interface Migration {
  name: string
  text: string
  checksum: string
}

interface AppliedMigration {
  name: string
  checksum: string
}

const MIN_SERVER_VERSION = 18
/** The key of the advisory lock: "stentor" in ASCII. */
const MIGRATION_LOCK_KEY = '0x7374656e746f72'
const NO_TRANSACTION_MARK = /^-- no transaction\s*$/m

/**
 * Brings a database to the head and answers the names of the migrations applied now, in order.
 * Each file runs in a transaction of its own, but for one that begins with `-- no transaction`: it holds one statement
 * that may be run again after a failure (`create index concurrently if not exists`).
 * Throws, having changed nothing, when an applied file was changed, is missing or unknown, or the server is too old.
 */
export async function migrateDatabase(
  pool: DatabasePool,
  { directory, log, until, announce }: MigrateOptions,
): Promise<string[]> {
  const migrations = await readMigrations(directory)
  const client = await pool.connect()
  try {
    await assertServerVersion(client)
    await client.query('set statement_timeout = 0; set client_min_messages = warning')
    await acquireMigrationLock(client)
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`)
    const { rows } = await client.query<AppliedMigration>('select name, checksum from migrations order by name')
    const pending = findPendingMigrations(migrations, rows).filter(({ name }) => until === undefined || name <= until)
    if (pending.length > 0) announce?.(rows.length > 0 ? 'Upgrading the database …' : 'Creating the tables …')
    for (const migration of pending) {
      await applyMigration(client, migration)
      // A new database has them all: one line of its caller says so.
      if (rows.length > 0) log(`migrated: ${migration.name}`)
    }
    return pending.map(({ name }) => name)
  } finally {
    // The end of the session releases the lock and discards its settings.
    client.release(true)
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).sort()
  const duplicateName = names.find((name, index) => names[index - 1]?.slice(0, 4) === name.slice(0, 4))
  if (duplicateName)
    throw new Error(
      `Two migrations have the number ${duplicateName.slice(0, 4)}. Give ${duplicateName} another number.`,
    )
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have changed the ends of lines.
      const text = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function assertServerVersion(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number; path: string; schema: string | null }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('search_path') as path, current_schema() as schema`,
  )
  const serverRow = rows[0]!
  if (serverRow.number < MIN_SERVER_VERSION * 10_000)
    throw new OperatorError(
      `STENTOR_DATABASE_URL points to PostgreSQL ${serverRow.version}; Stentor requires ${MIN_SERVER_VERSION} or later.`,
    )
  if (serverRow.schema === null)
    throw new OperatorError(
      `The search_path of the database, ${serverRow.path}, names no existing schema. Set it to one, such as public.`,
    )
}

/** Polls: a session that waits inside the server would block `create index concurrently` of the other. */
async function acquireMigrationLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(${MIGRATION_LOCK_KEY}) as locked`,
    )
    if (rows[0]?.locked) return
    await delay(100)
  }
}

function findPendingMigrations(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const migrationsByName = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const migration = migrationsByName.get(name)
    if (!migration) throw new OperatorError(describeUnknownMigration(name, migrations))
    if (migration.checksum !== checksum) {
      throw new OperatorError(
        `The migration ${name} was changed after it was applied. Undo the change, and add a new file.`,
      )
    }
  }
  const lastApplied = applied.at(-1)?.name ?? ''
  const appliedNames = new Set(applied.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !appliedNames.has(name))
  const lateMigration = pending.find(({ name }) => name < lastApplied)
  if (lateMigration)
    throw new OperatorError(
      `The migration ${lateMigration.name} comes before ${lastApplied}, which is already applied. Give it a higher number.`,
    )
  return pending
}

function describeUnknownMigration(name: string, migrations: Migration[]): string {
  const latestName = migrations.at(-1)?.name ?? ''
  return name > latestName
    ? `The database has the migration ${name}, which this version of Stentor does not include. Upgrade Stentor.`
    : `The migration ${name} was applied to the database, but its file is missing. A version before the first release ` +
        'or a modified checkout created the database. Start that program, or start with an empty database.'
}

async function applyMigration(client: PoolClient, { name, text, checksum }: Migration): Promise<void> {
  const isOutside = NO_TRANSACTION_MARK.test(text.split('\n', 1)[0] ?? '')
  try {
    if (!isOutside) await client.query('begin')
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    if (!isOutside) await client.query('commit')
  } catch (error) {
    if (!isOutside) await client.query('rollback').catch(() => undefined)
    const outcomeText = isOutside ? 'It runs again at the next start.' : 'It was rolled back.'
    throw new OperatorError(
      `The migration ${name} failed: ${formatErrorReason(error)}. ${outcomeText} Fix the cause and start again, or restore the backup and start ` +
        'the previous version.',
      { cause: error },
    )
  }
}

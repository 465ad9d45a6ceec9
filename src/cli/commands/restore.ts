import { constants } from 'node:fs'
import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { type ConnectedDatabase, openDatabase } from '../../database/connection/open.ts'
import { requireDatabasePrivileges } from '../../database/connection/privileges.ts'
import { createPassableFolder } from '../../database/embedded/account.ts'
import { migrateDatabase } from '../../database/migrate.ts'
import { restoreDatabaseDump } from '../../database/rows/copy.ts'
import { holdRestoredOutbox } from '../../features/actions/execution/after-restore.ts'
import { QUEUE_SCHEMA, UNLOCK_JOBS_STATEMENT } from '../../jobs/queue-schema.ts'
import { installJobQueue } from '../../jobs/runner.ts'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLogger } from '../../log.ts'
import { MIGRATIONS_DIRECTORY } from '../../service/install.ts'
import { type CliCommand, requireOptionValue, UsageError } from '../usage.ts'
import { BACKUP_FORMAT_VERSION, BACKUP_MANIFEST_FILE, type BackupManifest } from './backup.ts'
import {
  BACKUP_FILE_FOLDERS,
  BACKUP_SPOOL_FOLDERS,
  copyBackupFolders,
  listDirectoryNames,
  RESTORE_MARKER_FILE,
} from './backup-files.ts'

async function readBackupManifest(from: string): Promise<BackupManifest> {
  const text = await readFile(join(from, BACKUP_MANIFEST_FILE), 'utf8').catch(() => {
    throw new OperatorError(
      `${from} is not a complete backup: it has no ${BACKUP_MANIFEST_FILE}, which is written last.`,
    )
  })
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.format !== BACKUP_FORMAT_VERSION)
    throw new OperatorError(
      `The backup was made by Stentor ${manifest.version}, in a format that this version cannot read. Upgrade the program.`,
    )
  const missingFiles = await Promise.all(
    manifest.tables.map(({ file }) =>
      stat(join(from, 'database', file)).then(
        () => undefined,
        () => file,
      ),
    ),
  )
  const [firstMissing] = missingFiles.filter((file) => file !== undefined)
  if (firstMissing !== undefined)
    throw new OperatorError(`${from} is not a complete backup: database/${firstMissing} is missing.`)
  return manifest
}

async function assertDirectoryEmpty({ dataDir }: ServiceConfig): Promise<void> {
  const entryNames = await listDirectoryNames(dataDir)
  if (entryNames.length > 0)
    throw new OperatorError(
      `${dataDir} is not empty, and a restore does not overwrite data. Set STENTOR_DATA_DIR to a new directory.`,
    )
}

/** A database may have the tables of an earlier start, but no account. */
async function assertDatabaseUnused(db: Db): Promise<void> {
  const { rows } = await sql<{ tables: number; ours: boolean }>`
    select count(*)::integer as tables, coalesce(bool_or(relname = 'accounts'), false) as ours from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db)
  const [schemaRow] = rows
  const hasAccounts = schemaRow?.ours
    ? await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
    : (schemaRow?.tables ?? 0) > 0
  if (hasAccounts)
    throw new OperatorError(
      'The database of STENTOR_DATABASE_URL is not empty, and a restore does not overwrite data. Use a new database.',
    )
}

/** The schema that the backup was made with, by our own migrations. */
async function createSchema({ pool }: ConnectedDatabase, { migrations, version }: BackupManifest): Promise<void> {
  const latestMigration = migrations.at(-1) ?? ''
  await migrateDatabase(pool, { directory: MIGRATIONS_DIRECTORY, log: () => undefined, until: latestMigration })
  const { rows } = await pool.query<{ name: string }>('select name from migrations order by name')
  if (rows.map(({ name }) => name).join() !== migrations.join())
    throw new OperatorError(
      `The backup was made by Stentor ${version} with the migrations up to ${latestMigration}, which do not match those of this ` +
        'program or of the database. Upgrade the program and use a new database.',
    )
}

async function restoreFiles(from: string, { dataDir }: ServiceConfig): Promise<boolean> {
  await copyBackupFolders(from, dataDir, [...BACKUP_SPOOL_FOLDERS, ...BACKUP_FILE_FOLDERS])
  if (!(await listDirectoryNames(from)).includes('master.key')) return false
  await copyFile(join(from, 'master.key'), join(dataDir, 'master.key'), constants.COPYFILE_EXCL)
  return true
}

const HELD_MESSAGES_NOTICE = `Messages that were waiting when the backup was made may have been sent since. Single messages are held
(/settings/sending/held lists them), and campaigns that had begun are paused. Release or resume the ones to send.`

/** `stentor restore --from DIR`: puts a backup into an empty data directory and an empty database. */
export const restoreCommand: CliCommand = async ({ options, config }) => {
  const backupDirectory = resolve(requireOptionValue(options, 'from'))
  const { outbox: outboxMode = 'hold' } = options
  if (outboxMode !== 'hold' && outboxMode !== 'send') throw new UsageError('--outbox must be hold or send.')
  const manifest = await readBackupManifest(backupDirectory)
  await assertDirectoryEmpty(config)
  await createPassableFolder(config.dataDir)
  await writeFile(join(config.dataDir, RESTORE_MARKER_FILE), '')
  const log = createLogger({ ...config, logLevel: 'warn' })
  const database = await openDatabase({ ...config, databasePool: 4 }, log)
  try {
    await requireDatabasePrivileges(database.pool, QUEUE_SCHEMA)
    await assertDatabaseUnused(database.db)
    await createSchema(database, manifest)
    await installJobQueue(database.pool, log)
    const hasMasterKey = await restoreFiles(backupDirectory, config)
    // Jobs that were running are queued again.
    await restoreDatabaseDump(database.pool, manifest, {
      directory: join(backupDirectory, 'database'),
      lastStatement: UNLOCK_JOBS_STATEMENT,
    })
    await migrateDatabase(database.pool, { directory: MIGRATIONS_DIRECTORY, log: () => undefined })
    await holdRestoredOutbox(database.db, { resend: outboxMode === 'send', now: new Date(systemClock.now()) })
    await rm(join(config.dataDir, RESTORE_MARKER_FILE))
    process.stdout.write(
      `Restored from ${backupDirectory}, as of ${manifest.takenAt}.\n${outboxMode === 'hold' ? `${HELD_MESSAGES_NOTICE}\n` : ''}`,
    )
    if (!hasMasterKey && config.masterKey === undefined)
      process.stdout.write(
        `The backup does not contain the master key. Copy it to ${join(config.dataDir, 'master.key')}, or set STENTOR_MASTER_KEY.\n`,
      )
    return 0
  } finally {
    await database.close()
  }
}

import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ServiceConfig } from '../../config.ts'
import { openDatabase } from '../../database/connection/open.ts'
import { type DatabaseDump, dumpDatabase } from '../../database/rows/copy.ts'
import { QUEUE_SCHEMA } from '../../jobs/queue-schema.ts'
import { formatCount } from '../../lib/text/nouns.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLogger } from '../../log.ts'
import { PROGRAM_VERSION } from '../../version.ts'
import { type CliCommand, requireOptionValue, UsageError } from '../usage.ts'
import { BACKUP_FILE_FOLDERS, BACKUP_SPOOL_FOLDERS, copyBackupFolders, listDirectoryNames } from './backup-files.ts'

/** The file that makes a backup whole: it is written last. */
export const BACKUP_MANIFEST_FILE = 'backup.json'
export const BACKUP_FORMAT_VERSION = 1

export interface BackupManifest extends DatabaseDump {
  format: number
  version: string
  /** ISO 8601, UTC. */
  takenAt: string
}

async function copyMasterKey({ masterKey, dataDir }: ServiceConfig, to: string): Promise<string> {
  if (masterKey !== undefined)
    return 'The backup does not contain the master key of STENTOR_MASTER_KEY. Keep that key separately.'
  await copyFile(join(dataDir, 'master.key'), join(to, 'master.key')).catch(() => {
    throw new UsageError(
      `${join(dataDir, 'master.key')} does not exist. Use --without-secrets, or set STENTOR_DATA_DIR.`,
    )
  })
  return 'The backup contains the master key, which decrypts credentials and signs links.'
}

/** `stentor backup --to DIR`: the database as of one instant and the files that belong to it, while the service runs. */
export const backupCommand: CliCommand = async ({ options, config }) => {
  const targetDirectory = resolve(requireOptionValue(options, 'to'))
  if ((await listDirectoryNames(targetDirectory)).length > 0)
    throw new UsageError(`${targetDirectory} is not empty. Choose a new directory.`)
  await mkdir(join(targetDirectory, 'database'), { recursive: true })
  const database = await openDatabase({ ...config, databasePool: 4 }, createLogger({ ...config, logLevel: 'warn' }), {
    beside: true,
  })
  try {
    const startedAt = new Date(systemClock.now()).toISOString()
    const spoolFileCount = await copyBackupFolders(config.dataDir, targetDirectory, BACKUP_SPOOL_FOLDERS)
    const databaseDump = await dumpDatabase(database.pool, join(targetDirectory, 'database'), ['public', QUEUE_SCHEMA])
    const dataFileCount = await copyBackupFolders(config.dataDir, targetDirectory, BACKUP_FILE_FOLDERS)
    const keyNotice = options['without-secrets']
      ? 'The backup does not contain the master key. Keep it separately.'
      : await copyMasterKey(config, targetDirectory)
    const manifest: BackupManifest = {
      format: BACKUP_FORMAT_VERSION,
      version: PROGRAM_VERSION,
      takenAt: startedAt,
      ...databaseDump,
    }
    await writeFile(join(targetDirectory, `${BACKUP_MANIFEST_FILE}.part`), `${JSON.stringify(manifest, null, 1)}\n`, {
      flush: true,
    })
    await rename(join(targetDirectory, `${BACKUP_MANIFEST_FILE}.part`), join(targetDirectory, BACKUP_MANIFEST_FILE))
    const rows = databaseDump.tables.reduce((sum, table) => sum + table.rows, 0)
    process.stdout.write(
      `Backed up ${formatCount(rows, 'row')} and ${formatCount(spoolFileCount + dataFileCount, 'file')} to ${targetDirectory}.\n${keyNotice}\n`,
    )
    if (config.archives) process.stdout.write('Archives are in the bucket and not in the backup.\n')
    return 0
  } finally {
    await database.close()
  }
}

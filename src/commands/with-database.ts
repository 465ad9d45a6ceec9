import { join } from 'node:path'
import type { Config } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import { type OpenDatabase, openDatabase } from '../database/open.ts'
import { installQueue } from '../jobs/runner.ts'
import { createLog } from '../log.ts'

/** Where the migrations are. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations/')

/**
 * Runs a command against the database of the configuration, migrated. While `stentor start` runs on the embedded
 * database, that server is used.
 */
export async function withDatabase<T>(config: Config, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const log = createLog({ ...config, logLevel: 'warn' })
  const database = await openDatabase({ ...config, databasePool: 4 }, log, { beside: true })
  try {
    await migrate(database.pool, { directory: MIGRATIONS, log: (line) => log.info(line) })
    await installQueue(database.pool, log)
    return await work(database)
  } finally {
    await database.close()
  }
}

import type { ServiceConfig } from '../config.ts'
import { type ConnectedDatabase, openDatabase } from '../database/connection/open.ts'
import { createLogger } from '../log.ts'
import { installDatabase } from '../service/install.ts'

/**
 * Runs a command against the database of the configuration, migrated. While `stentor start` runs on the embedded
 * database, that server is used.
 */
export async function withDatabase<T>(
  config: ServiceConfig,
  work: (database: ConnectedDatabase) => Promise<T>,
): Promise<T> {
  const log = createLogger({ ...config, logLevel: 'warn' })
  const database = await openDatabase({ ...config, databasePool: 4 }, log, { beside: true })
  try {
    await installDatabase(database.pool, log)
    return await work(database)
  } finally {
    await database.close()
  }
}

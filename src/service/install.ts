import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DatabasePool } from '../database/connection/connect.ts'
import { requireDatabasePrivileges } from '../database/connection/privileges.ts'
import { migrateDatabase } from '../database/migrate.ts'
import { QUEUE_SCHEMA } from '../jobs/queue-schema.ts'
import { installJobQueue } from '../jobs/runner.ts'

/** The folder of the migrations. */
export const MIGRATIONS_DIRECTORY = join(import.meta.dirname, '../../migrations/')

/**
 * Makes or upgrades all tables of a database, those of the queue too, and answers the names of the migrations applied now. Throws an
 * OperatorError, having changed nothing, when the account of the database may not do it.
 */
export async function installDatabase(
  pool: DatabasePool,
  log: Logger,
  announce?: (step: string) => void,
): Promise<string[]> {
  await requireDatabasePrivileges(pool, QUEUE_SCHEMA)
  const appliedNames = await migrateDatabase(pool, {
    directory: MIGRATIONS_DIRECTORY,
    log: (line) => log.info(line),
    announce,
  })
  await installJobQueue(pool, log)
  return appliedNames
}

import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Pool } from '../database/connection/connect.ts'
import { requirePrivileges } from '../database/connection/privileges.ts'
import { migrate } from '../database/migrate.ts'
import { installQueue } from '../jobs/runner.ts'

/** Where the migrations are. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations/')

/**
 * Makes or upgrades all tables of a database, those of the queue too, and answers the names of the migrations applied now. Throws an
 * OperatorError, having changed nothing, when the account of the database may not do it.
 */
export async function installDatabase(pool: Pool, log: Logger): Promise<string[]> {
  await requirePrivileges(pool)
  const applied = await migrate(pool, { directory: MIGRATIONS, log: (line) => log.info(line) })
  await installQueue(pool, log)
  return applied
}

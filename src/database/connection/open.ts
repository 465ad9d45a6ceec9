import { join } from 'node:path'
import { isResolvedWithin } from '../../lib/concurrency/within.ts'
import { createPassableFolder } from '../embedded/account.ts'
import { findEmbeddedPostgresUrl, startEmbeddedPostgres } from '../embedded.ts'
import { type DatabaseConnection, openDatabasePool, POOL_ACQUIRE_TIMEOUT_MS } from './connect.ts'
import { requireSessionPooling } from './sessions.ts'
import { resolveDatabaseTls } from './tls.ts'

/** The longest time to wait for connections in use at the end, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2000

/** Lines of the embedded server that say it fails: the others are its business. Those of statements never come here. */
const FAILURE_LINE = /^[\w -]+: (?:ERROR|PANIC): |was terminated by signal/

/** Logs a line of the embedded server: as a warning when it fails, else at debug. */
export function logPostgresLine(log: PostgresLog, line: string): void {
  if (FAILURE_LINE.test(line)) log.warn({}, line)
  else log.debug(line)
}

/** The log that takes lines of the database server. */
export interface PostgresLog {
  debug(line: string): void
  warn(details: object, line: string): void
}

export interface ConnectedDatabase extends DatabaseConnection {
  url: string
}

/**
 * Opens the database of the configuration: the server of `databaseUrl`, or the embedded one below `dataDir`, started if necessary. With
 * `beside`, an embedded server that another process runs is used; `announce` takes a sentence before each slow step. `close` ends the
 * connections first and the embedded server after them. Throws an OperatorError for a pooler that shares sessions.
 */
export async function openDatabase(
  config: { dataDir: string; databaseUrl: string | undefined; databasePool: number },
  log: PostgresLog,
  { beside = false, announce }: { beside?: boolean; announce?: ((step: string) => void) | undefined } = {},
): Promise<ConnectedDatabase> {
  await createPassableFolder(config.dataDir)
  const directory = join(config.dataDir, 'postgres')
  const runningUrl = config.databaseUrl ?? (beside ? await findEmbeddedPostgresUrl(directory) : undefined)
  const server =
    runningUrl === undefined
      ? await startEmbeddedPostgres({ directory, log: (line) => logPostgresLine(log, line), announce })
      : undefined
  const url = await resolveDatabaseTls(runningUrl ?? server?.url ?? '', POOL_ACQUIRE_TIMEOUT_MS)
  const connection = openDatabasePool(url, {
    max: config.databasePool,
    log: (error) => log.warn({ err: error }, 'database connection lost'),
  })
  const database = {
    ...connection,
    url,
    async close() {
      await isResolvedWithin(CLOSE_TIMEOUT_MS, connection.close())
      await server?.stop()
    },
  }
  try {
    if (config.databaseUrl !== undefined) await requireSessionPooling(connection.pool)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

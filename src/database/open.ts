import { join } from 'node:path'
import { within } from '../lib/within.ts'
import { type Connected, connect } from './connect.ts'
import { makePassable } from './embedded/account.ts'
import { findEmbedded, startEmbedded } from './embedded.ts'

/** How long connections in use are waited for at the end, in milliseconds. */
const CLOSE_MS = 2000

export interface OpenDatabase extends Connected {
  url: string
}

/**
 * Opens the database of the configuration: the server of `databaseUrl`, or the embedded one below `dataDir`, started when
 * need be. With `beside`, an embedded server that another process runs is used. `close` ends the connections first, and
 * the embedded server after them.
 */
export async function openDatabase(
  config: { dataDir: string; databaseUrl: string | undefined; databasePool: number },
  log: { info(line: string): void; warn(details: object, line: string): void },
  { beside = false } = {},
): Promise<OpenDatabase> {
  await makePassable(config.dataDir)
  const directory = join(config.dataDir, 'postgres')
  const running = config.databaseUrl ?? (beside ? await findEmbedded(directory) : undefined)
  const server = running === undefined ? await startEmbedded({ directory, log: (line) => log.info(line) }) : undefined
  const url = running ?? server?.url ?? ''
  const connection = connect(url, {
    max: config.databasePool,
    log: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  return {
    ...connection,
    url,
    async close() {
      await within(CLOSE_MS, connection.close())
      await server?.stop()
    },
  }
}

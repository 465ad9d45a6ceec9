import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findPostgresBinaries } from './embedded/binaries.ts'
import { DATABASE_ROLE, preparePostgresCluster, readDatabasePassword } from './embedded/cluster.ts'
import { findClusterHome, openClusterHome } from './embedded/home.ts'
import { acquireFolderLock } from './embedded/lock.ts'
import { findPostmaster, stopOrphanedPostgres, stopPostgresProcess } from './embedded/postmaster.ts'
import {
  isPostgresAlive,
  launchPostgres,
  type PostgresLaunchOptions,
  type PostgresServer,
  type PostgresSettings,
} from './embedded/server.ts'

export interface EmbeddedPostgresOptions {
  /** A folder of the database's own; made when it is missing. */
  directory: string
  /** On 127.0.0.1; a free one by default. */
  port?: number
  log: (line: string) => void
  /** Settings of the server over the defaults, by name. */
  settings?: PostgresSettings
}

export interface EmbeddedPostgres {
  url: string
  /** Shuts the server down, within 15 seconds. Close every connection before. */
  stop(): Promise<void>
}

/**
 * Starts the packaged PostgreSQL on a directory, making the database at the first start.
 * One Stentor at a time: throws when another one holds the directory. A server that a killed process left is ended first.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options
  const home = await openClusterHome(options.directory)
  const release = acquireFolderLock(home.folder)
  try {
    const binaries = await findPostgresBinaries(home.account)
    await stopOrphanedPostgres(home.cluster, log)
    const password = await preparePostgresCluster(home, binaries, settings['fsync'] !== 'off')
    const how = { binaries, home, settings, log }
    const server = await launchPostgres({ ...how, port: options.port })
    return { url: urlOf(password, server.port), stop: keepRunning(server, { ...how, port: server.port }, release) }
  } catch (error) {
    release()
    throw error
  }
}

/** The url of the database that another process runs on a directory now, for a command beside it; else undefined. */
export async function findEmbeddedPostgresUrl(directory: string): Promise<string | undefined> {
  const folder = await findClusterHome(directory).catch(() => undefined)
  if (folder === undefined) return undefined
  const postmaster = await findPostmaster(join(folder, 'cluster'))
  const password = await readDatabasePassword(folder)
  return postmaster && password ? urlOf(password, postmaster.port) : undefined
}

/** Deletes the directory of a stopped database, wherever its files are. For databases that are thrown away. */
export async function removeEmbeddedPostgres(directory: string): Promise<void> {
  const folder = await findClusterHome(directory)
  await rm(folder, { recursive: true, force: true })
  await rm(directory, { recursive: true, force: true })
}

function urlOf(password: string, port: number): string {
  return `postgres://${DATABASE_ROLE}:${password}@127.0.0.1:${port}/${DATABASE_ROLE}?sslmode=disable`
}

/** Restarts the server on its port when it ends unexpectedly. Gives a function that stops it and releases the lock. */
function keepRunning(server: PostgresServer, how: PostgresLaunchOptions, release: () => void): () => Promise<void> {
  let stopping = false
  const end = (): Promise<void> => stopPostgresProcess(server.pid, () => isPostgresAlive(server))
  async function supervise(): Promise<void> {
    while (!stopping) {
      if (isPostgresAlive(server)) await once(server.child, 'exit')
      if (!stopping) server = await relaunch(server, how)
    }
    // It may have been restarted at the moment of the stop.
    await end()
    release()
  }
  const supervised = supervise()
  return async () => {
    stopping = true
    await end()
    await supervised
  }
}

/** A failure is only logged: the caller retries. */
async function relaunch(ended: PostgresServer, how: PostgresLaunchOptions): Promise<PostgresServer> {
  how.log('The database server ended, though this program did not ask for it. It is started again.')
  try {
    return await launchPostgres(how)
  } catch (error) {
    how.log(String(error))
    await delay(1_000)
    return ended
  }
}

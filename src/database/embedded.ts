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
  /** Takes a sentence before each slow step. */
  announce?: ((step: string) => void) | undefined
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
  const { log, settings = {}, announce } = options
  const clusterHome = await openClusterHome(options.directory)
  const releaseLock = acquireFolderLock(clusterHome.folder)
  try {
    const binaries = await findPostgresBinaries(clusterHome.account)
    await stopOrphanedPostgres(clusterHome.cluster, log)
    const isDurable = settings['fsync'] !== 'off'
    const password = await preparePostgresCluster(clusterHome, binaries, { isDurable, announce })
    const launchOptions = { binaries, home: clusterHome, settings, log }
    const server = await launchPostgres({ ...launchOptions, port: options.port })
    return {
      url: buildDatabaseUrl(password, server.port),
      stop: superviseServer(server, { ...launchOptions, port: server.port }, releaseLock),
    }
  } catch (error) {
    releaseLock()
    throw error
  }
}

/**
 * The URL of the database that another process is running on a directory, for a command that uses it at the same time; otherwise
 * undefined.
 */
export async function findEmbeddedPostgresUrl(directory: string): Promise<string | undefined> {
  const folder = await findClusterHome(directory).catch(() => undefined)
  if (folder === undefined) return undefined
  const postmaster = await findPostmaster(join(folder, 'cluster'))
  const password = await readDatabasePassword(folder)
  return postmaster && password ? buildDatabaseUrl(password, postmaster.port) : undefined
}

/** Deletes the directory of a stopped database, wherever its files are. For databases that are thrown away. */
export async function removeEmbeddedPostgres(directory: string): Promise<void> {
  const folder = await findClusterHome(directory)
  await rm(folder, { recursive: true, force: true })
  await rm(directory, { recursive: true, force: true })
}

function buildDatabaseUrl(password: string, port: number): string {
  return `postgres://${DATABASE_ROLE}:${password}@127.0.0.1:${port}/${DATABASE_ROLE}?sslmode=disable`
}

/** Restarts the server on its port when it ends unexpectedly. Gives a function that stops it and releases the lock. */
function superviseServer(
  server: PostgresServer,
  launchOptions: PostgresLaunchOptions,
  release: () => void,
): () => Promise<void> {
  let isStopping = false
  const stopProcess = (): Promise<void> => stopPostgresProcess(server.pid, () => isPostgresAlive(server))
  async function supervise(): Promise<void> {
    while (!isStopping) {
      if (isPostgresAlive(server)) await once(server.child, 'exit')
      if (!isStopping) server = await relaunchServer(server, launchOptions)
    }
    // It may have been restarted at the moment of the stop.
    await stopProcess()
    release()
  }
  const supervised = supervise()
  return async () => {
    isStopping = true
    await stopProcess()
    await supervised
  }
}

/** A failure is only logged: the caller retries. */
async function relaunchServer(
  endedServer: PostgresServer,
  launchOptions: PostgresLaunchOptions,
): Promise<PostgresServer> {
  launchOptions.log('The database server stopped unexpectedly. It is restarted.')
  try {
    return await launchPostgres(launchOptions)
  } catch (error) {
    launchOptions.log(String(error))
    await delay(1_000)
    return endedServer
  }
}

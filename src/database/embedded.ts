import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findBinaries } from './embedded/binaries.ts'
import { prepareCluster, ROLE, readPassword } from './embedded/cluster.ts'
import { findHome, openHome } from './embedded/home.ts'
import { takeLock } from './embedded/lock.ts'
import { endOrphan, endServer, findPostmaster } from './embedded/postmaster.ts'
import { isAlive, type Launch, launch, type Server, type Settings } from './embedded/server.ts'

export interface EmbeddedOptions {
  /** A folder of the database's own; made when it is missing. */
  directory: string
  /** On 127.0.0.1; a free one by default. */
  port?: number
  log: (line: string) => void
  /** Settings of the server over the defaults, by name. */
  settings?: Settings
}

export interface Embedded {
  url: string
  /** Shuts the server down, within 15 seconds. Close every connection before. */
  stop(): Promise<void>
}

/**
 * Starts the packaged PostgreSQL on a directory, making the database at the first start.
 * One Stentor at a time: throws when another one holds the directory. A server that a killed process left is ended first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, settings = {} } = options
  const home = await openHome(options.directory)
  const release = takeLock(home.folder)
  try {
    const binaries = await findBinaries(home.account)
    await endOrphan(home.cluster, log)
    const password = await prepareCluster(home, binaries, settings['fsync'] !== 'off')
    const how = { binaries, home, settings, log }
    const server = await launch({ ...how, port: options.port })
    return { url: urlOf(password, server.port), stop: keepRunning(server, { ...how, port: server.port }, release) }
  } catch (error) {
    release()
    throw error
  }
}

/** The url of the database that another process runs on a directory now, for a command beside it; else undefined. */
export async function findEmbedded(directory: string): Promise<string | undefined> {
  const folder = await findHome(directory).catch(() => undefined)
  if (folder === undefined) return undefined
  const postmaster = await findPostmaster(join(folder, 'cluster'))
  const password = await readPassword(folder)
  return postmaster && password ? urlOf(password, postmaster.port) : undefined
}

/** Deletes the directory of a stopped database, wherever its files are. For databases that are thrown away. */
export async function removeEmbedded(directory: string): Promise<void> {
  const folder = await findHome(directory)
  await rm(folder, { recursive: true, force: true })
  await rm(directory, { recursive: true, force: true })
}

function urlOf(password: string, port: number): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}?sslmode=disable`
}

/** Restarts the server on its port when it ends unexpectedly. Gives a function that stops it and releases the lock. */
function keepRunning(server: Server, how: Launch, release: () => void): () => Promise<void> {
  let stopping = false
  const end = (): Promise<void> => endServer(server.pid, () => isAlive(server))
  async function supervise(): Promise<void> {
    while (!stopping) {
      if (isAlive(server)) await once(server.child, 'exit')
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
async function relaunch(ended: Server, how: Launch): Promise<Server> {
  how.log('The database server ended, though this program did not ask for it. It is started again.')
  try {
    return await launch(how)
  } catch (error) {
    how.log(String(error))
    await delay(1_000)
    return ended
  }
}

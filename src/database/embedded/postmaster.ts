import { execFile } from 'node:child_process'
import { readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { platform } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const runProgram = promisify(execFile)

/** The contents of a server's lock file. */
export interface Postmaster {
  pid: number
  port: number
}

/** The ways to end a server, each with the time it gets before the next: fast, immediate (recovers later), killed. */
const shutdownSteps = [
  { signal: 'SIGINT', timeoutMs: 8_000 },
  { signal: 'SIGQUIT', timeoutMs: 3_000 },
  { signal: 'SIGKILL', timeoutMs: 3_000 },
] as const

/** The server whose lock file lies in a cluster, if it is running. The file alone proves nothing: pids are reused. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lockFile = await readLockFile(cluster)
  const pid = Number(lockFile?.[0])
  if (!lockFile || !pid || !(await isClusterServer(pid, cluster))) return undefined
  return { pid, port: Number(lockFile[3]) }
}

/** Ends a server by one signal after the other. Throws when it survives them all. */
export async function stopPostgresProcess(pid: number, isAlive: () => boolean | Promise<boolean>): Promise<void> {
  for (const { signal, timeoutMs } of shutdownSteps) {
    if (!(await isAlive())) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (let waitedMs = 0; waitedMs < timeoutMs && (await isAlive()); waitedMs += 20) await delay(20)
  }
  if (await isAlive()) throw new Error(`The database server (process ${pid}) does not exit, even when killed.`)
}

/** Ends the server that a killed Stentor left behind on this cluster. The caller holds the lock of the home. */
export async function stopOrphanedPostgres(cluster: string, log: (line: string) => void): Promise<void> {
  const orphan = await findPostmaster(cluster)
  if (!orphan) return detachLockFile(cluster)
  log(`A database server from an earlier run is still running (process ${orphan.pid}). It is shut down first.`)
  await stopPostgresProcess(orphan.pid, () => isClusterServer(orphan.pid, cluster))
  await detachLockFile(cluster)
}

/**
 * Keeps a stale lock file from stopping a start because its pid was given to another process meanwhile. PostgreSQL
 * takes its parent's pid for stale; the rest of the file stays, since its shared memory key must be checked too.
 */
async function detachLockFile(cluster: string): Promise<void> {
  const lockFile = await readLockFile(cluster)
  if (!lockFile) return
  await writeFile(join(cluster, 'postmaster.pid'), [process.pid, ...lockFile.slice(1)].join('\n'))
}

async function readLockFile(cluster: string): Promise<string[] | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  return text?.split('\n')
}

/**
 * The working directory of a server is its cluster; a zombie has no working directory. Without /proc, the command line names the folder.
 */
async function isClusterServer(pid: number, cluster: string): Promise<boolean> {
  if (platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === cluster
  const processListing = await runProgram('ps', ['-o', 'command=', '-p', `${pid}`]).catch(() => undefined)
  return processListing?.stdout.includes(cluster) ?? false
}

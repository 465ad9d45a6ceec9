import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { findFreePort } from '../../lib/net/free-port.ts'
import type { PostgresBinaries } from './binaries.ts'
import { buildPostgresEnvironment } from './cluster.ts'
import type { ClusterHome } from './home.ts'

/** Settings of the server by name, as in postgresql.conf. */
export type PostgresSettings = Record<string, string>

/** For a machine with 2 cores and a few gigabytes that runs the rest of Stentor too. */
const defaultSettings: PostgresSettings = {
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  // Parallel workers share memory in /dev/shm, of which a container often has 64 MB only.
  max_parallel_workers_per_gather: '1',
  random_page_cost: '1.1',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  // Compressing the pages of large indexes with random keys took half the time of an insert, and saved a tenth of what is written.
  wal_compression: 'off',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
}

/** Settings that the caller cannot change: the loopback interface only, and messages on stderr prefixed with the kind of process. */
const fixedSettings: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%b: ',
  // `createLogReader` leaves out those of statements.
  log_min_messages: 'error',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** Errors of these processes reach no client: a disk that is full, a file that cannot be written. */
const SERVER_ERROR_LINE = /^(?:postmaster|startup|checkpointer|background writer|walwriter|archiver|io worker): ERROR: /
const ERROR_LINE = /^[\w -]+: ERROR: /

/**
 * Reads the server's log line by line. It leaves out errors of statements, which are reported to their client and may hold values of rows.
 */
function createLogReader(log: (line: string) => void): (line: string) => void {
  let isLeftOut = false
  return (line) => {
    // The further lines of a message begin with a tab.
    if (!line.startsWith('\t')) isLeftOut = ERROR_LINE.test(line) && !SERVER_ERROR_LINE.test(line)
    if (!isLeftOut) log(line)
  }
}

export interface PostgresLaunchOptions {
  binaries: PostgresBinaries
  home: ClusterHome
  port: number | undefined
  settings: PostgresSettings
  log: (line: string) => void
}

/** A server that accepts connections. */
export interface PostgresServer {
  child: ChildProcess
  pid: number
  port: number
}

/** Output of a failed start that is worth another attempt. */
const transientFailures = [
  // The free port was taken between finding and using it.
  { pattern: /could not create any TCP\/IP sockets/, attempts: 5, pauseMs: 0 },
  // The processes of a killed server notice it within seconds.
  { pattern: /shared memory block .{0,200} is still in use/, attempts: 50, pauseMs: 200 },
]

/** Starts the server and waits until it accepts connections, a recovery included. Throws with its last lines of output. */
export async function launchPostgres(options: PostgresLaunchOptions): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await findFreePort())
    try {
      return await attemptLaunch(options, port)
    } catch (error) {
      const text = error instanceof Error ? error.message : ''
      const failure = transientFailures.find(({ pattern }) => pattern.test(text))
      if (!failure || attempt >= failure.attempts) throw error
      await delay(failure.pauseMs)
    }
  }
}

async function attemptLaunch(
  { binaries, home, settings, log }: PostgresLaunchOptions,
  port: number,
): Promise<PostgresServer> {
  const allSettings = Object.entries({ ...defaultSettings, ...settings, ...fixedSettings, port: `${port}` })
  const child = spawn(
    binaries.postgres,
    ['-D', home.cluster, ...allSettings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // In a process group of its own: Ctrl-C ends this process first, and this process ends the server last.
    { cwd: '/', env: buildPostgresEnvironment(), detached: true, stdio: ['ignore', 'ignore', 'pipe'], ...home.account },
  )
  const recentOutput: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () =>
      reject(new OperatorError(`The database server did not start:\n${recentOutput.slice(-20).join('\n')}`)),
    )
    const readLog = createLogReader((line) => {
      recentOutput.push(line)
      if (recentOutput.length > 100) recentOutput.shift()
      log(line)
      if (line.includes('database system is ready to accept connections')) resolve()
    })
    createInterface(child.stderr).on('line', readLog)
  })
  // A child that printed has a pid.
  const pid = child.pid ?? 0
  stopWithParent(child, pid, home)
  return { child, pid, port }
}

/** Returns true while the server's process is running. */
export function isPostgresAlive({ child }: PostgresServer): boolean {
  return child.exitCode === null && child.signalCode === null
}

/**
 * Ends the server when this process is killed: the kernel closes the pipe to a waiting shell, and the shell sends the
 * signal. A line on the pipe reports that the server has ended.
 */
function stopWithParent(child: ChildProcess, pid: number, home: ClusterHome): void {
  const watchScript = 'read -r line || kill -INT "$1"'
  const watcher = spawn('/bin/sh', ['-c', watchScript, 'stentor-watcher', `${pid}`], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...home.account,
  })
  watcher.on('error', () => undefined)
  watcher.stdin.on('error', () => undefined)
  child.once('exit', () => watcher.stdin.end('ended\n'))
}

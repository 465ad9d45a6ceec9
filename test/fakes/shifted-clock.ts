import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, renameSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findPostgresBinaries } from '../../src/database/embedded/binaries.ts'
import { buildPostgresEnvironment, DATABASE_ROLE, preparePostgresCluster } from '../../src/database/embedded/cluster.ts'
import { openClusterHome } from '../../src/database/embedded/home.ts'
import { removeEmbeddedPostgres } from '../../src/database/embedded.ts'
import { findFreePort } from '../../src/lib/net/free-port.ts'
import { databaseFolder } from '../support/database/database.ts'

const [library] = globSync('/usr/lib/{*/,}faketime/libfaketimeMT.so.1')

/** The reason to skip tests of clocks that step; false when libfaketime is installed. */
export const NO_SHIFTED_CLOCK = library === undefined && 'libfaketime is not installed: npm run test:setup'

const CLOCK_OPTIONS = { FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DISABLE_SHM: '1' }

/** Variables of processes whose wall clock is ahead of the true time by a number of milliseconds, for as long as they run. */
export const buildShiftedClockEnvironment = (ms: number): Record<string, string> => ({
  LD_PRELOAD: library ?? '',
  FAKETIME: `${ms < 0 ? '' : '+'}${ms / 1000}`,
  ...CLOCK_OPTIONS,
})

/** The wall clock of processes that are started with its environment; the monotonic one stays as it is. */
export interface ShiftedClock {
  environment: Record<string, string>
  /** Puts it so many milliseconds ahead of the true time, below zero behind it, for all of them at once. */
  shift(ms: number): void
  remove(): Promise<void>
}

/** Makes a clock that shows the true time until it is shifted. */
export async function makeShiftedClock(): Promise<ShiftedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'stentor-clock-'))
  // PostgreSQL runs under an account of its own.
  await chmod(folder, 0o755)
  const file = join(folder, 'offset')
  const shift = (ms: number): void => {
    const seconds = ms / 1000
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    renameSync(`${file}.new`, file)
  }
  shift(0)
  return {
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      ...CLOCK_OPTIONS,
    },
    shift,
    remove: () => rm(folder, { recursive: true }),
  }
}

/** A database server of its own whose clock is a shifted one. */
export async function startShiftedDatabase(clock: ShiftedClock): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(await databaseFolder(), 'stentor-shifted-'))
  await chmod(directory, 0o755)
  const home = await openClusterHome(directory)
  const binaries = await findPostgresBinaries(home.account)
  const password = await preparePostgresCluster(home, binaries, { isDurable: false })
  const port = await findFreePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    'fsync=off',
    'timezone=UTC',
  ]
  const server: ChildProcess = spawn(
    binaries.postgres,
    ['-D', home.cluster, ...settings.flatMap((setting) => ['-c', setting])],
    {
      cwd: '/',
      env: { ...buildPostgresEnvironment(), ...clock.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...home.account,
    },
  )
  const kill = () => server.kill('SIGINT')
  process.once('exit', kill)
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  server.once('exit', () => reject(new Error('the database server did not start')))
  createInterface(server.stderr!).on('line', (line) => {
    if (line.includes('ready to accept connections')) resolve()
  })
  await ready
  return {
    url: `postgres://${DATABASE_ROLE}:${password}@127.0.0.1:${port}/${DATABASE_ROLE}?sslmode=disable`,
    async stop() {
      process.off('exit', kill)
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      await removeEmbeddedPostgres(directory)
    },
  }
}

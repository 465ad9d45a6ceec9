import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connectClient, eventually } from '../scripts/demo/client.ts'
import type { ProcessRole } from '../src/config.ts'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { findClusterHome } from '../src/database/embedded/home.ts'
import { findPostmaster } from '../src/database/embedded/postmaster.ts'
import {
  type EmbeddedPostgres,
  findEmbeddedPostgresUrl,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../src/database/embedded.ts'
import { findFreePort } from '../src/lib/net/free-port.ts'
import { type KillSink, startKillSink } from './kill-sink.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const KEY = randomBytes(24).toString('base64url')
const STARTED_WITHIN_MS = 60_000
const SENDING_WITHIN_MS = 5000

const COUNT_SENDERS = `select count(distinct application_name)::integer as n from pg_stat_activity
  where application_name like 'stentor sender %'`

/** Sender threads of each process. */
export const SENDER_THREADS = 2

/** One process of the program. */
export interface Running {
  client: Client
  pid: number
  /** Resolves once it answers that it is ready. Throws when it ended before. */
  ready(): Promise<void>
  /** Resolves once this process has handed over a message. False when it took too long: there was none for it. */
  sending(): Promise<boolean>
  /** Ends it with SIGKILL, unless it has ended. */
  kill(): Promise<void>
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
}

/** What one variant of the benchmark works on: a data directory, a database in it, and a sink. */
export interface Environment {
  dataDir: string
  sink: KillSink
  /** Starts the program with these roles, all by default, on the data directory. */
  start(role?: ProcessRole | 'all'): Promise<Running>
  /** The process of the database that lies in the data directory. */
  postmaster(): Promise<number | undefined>
  databaseUrl(): Promise<string>
  /** Resolves once so many sender threads are at work. */
  senders(wanted: number): Promise<void>
  /** Ends what is left, and deletes the data directory. */
  clear(): Promise<void>
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/**
 * Starts an environment. With `beside` the database is a child of this process and survives whatever happens to the program;
 * else the program runs it itself.
 */
export async function startEnvironment({ beside, seed }: { beside: boolean; seed: number }): Promise<Environment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-kill-'))
  const directory = join(dataDir, 'postgres')
  const sink = await startKillSink(seed)
  const children = new Set<ChildProcess>()
  await mkdir(directory)
  const database: EmbeddedPostgres | undefined = beside
    ? await startEmbeddedPostgres({ directory, log: () => undefined })
    : undefined

  async function start(role: ProcessRole | 'all' = 'all'): Promise<Running> {
    const port = await findFreePort()
    const metricsPort = await findFreePort()
    const child = spawn(process.execPath, [MAIN, 'start', '--role', role], {
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
      env: {
        PATH: process.env['PATH'] ?? '',
        ...(database && { STENTOR_DATABASE_URL: database.url }),
        STENTOR_DATA_DIR: dataDir,
        STENTOR_HTTP_PORT: String(port),
        STENTOR_METRICS_PORT: String(metricsPort),
        STENTOR_SMTP_IN_PORT: '0',
        STENTOR_BOOTSTRAP_KEY: KEY,
        STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
        STENTOR_SENDER_THREADS: String(SENDER_THREADS),
        STENTOR_LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'fatal',
      },
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    const url = `http://localhost:${port}`
    return {
      client: connectClient(url, KEY),
      pid: child.pid ?? 0,
      kill: () => end(child, 'SIGKILL'),
      stop: () => end(child, 'SIGTERM'),
      sending: () =>
        eventually('sending', SENDING_WITHIN_MS, async () => {
          const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
          return /^stentor_messages_total\{ending="accepted"\} [1-9]/m.test(await answer.text()) || undefined
        }).catch(() => false),
      ready: () =>
        eventually('the service', STARTED_WITHIN_MS, async () => {
          if (hasEnded(child)) throw new Error(`the service exited with status ${child.exitCode}`)
          const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
          return answer?.ok ? true : undefined
        }).then(() => undefined),
    }
  }

  const databaseUrl = async () => (await findEmbeddedPostgresUrl(directory)) ?? ''
  async function senders(wanted: number): Promise<void> {
    const { pool, close } = openDatabasePool(await databaseUrl(), { max: 1 })
    await eventually('the senders', STARTED_WITHIN_MS, async () => {
      const { rows } = await pool.query<{ n: number }>(COUNT_SENDERS)
      return rows[0]?.n === wanted ? true : undefined
    }).finally(close)
  }
  const postmaster = async () => (await findPostmaster(join(await findClusterHome(directory), 'cluster')))?.pid
  return {
    dataDir,
    sink,
    start,
    postmaster,
    databaseUrl,
    senders,
    async clear() {
      await Promise.all([...children].map((child) => end(child, 'SIGTERM')))
      await database?.stop()
      sink.stop()
      await eventually('the end of the database', STARTED_WITHIN_MS, async () =>
        (await postmaster()) === undefined ? true : undefined,
      )
      await removeEmbeddedPostgres(directory)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

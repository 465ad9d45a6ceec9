import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { installedEngine } from './columnar-engine-install.ts'
import type { EngineSettings, Order } from './columnar-engine-process.ts'

const PROCESS = join(import.meta.dirname, 'columnar-engine-process.ts')
const [USER, PASSWORD, DATABASE] = ['stentor', 'secret', 'events']

/** How the store is away: connections are refused, or taken and never answered. */
export type Absence = 'refuse' | 'hang'

/** ClickHouse itself, in a process of its own that speaks its HTTP interface. */
export interface Engine {
  /** As STENTOR_EVENTS_URL names it, with the name and the password. */
  url: string
  /** The same server for plain HTTP, without a name and a password. */
  httpUrl: string
  user: string
  password: string
  port: number
  processId: number
  /** Where the data lie, in files that can be looked into. */
  directory: string
  /** A database of one's own on it. */
  createDatabase(): Promise<EngineDatabase>
  pause(absence: Absence): Promise<void>
  resume(): Promise<void>
  /** The next statement with this text that is no query is run, and its connection broken before the answer. */
  loseAnswer(matching: string): Promise<void>
  /** As a loss of the process: SIGKILL. What it acknowledged is there when it is started again on the same directory. */
  kill(): Promise<void>
  /** Ends it and deletes the data. */
  stop(): Promise<void>
}

export interface EngineDatabase {
  url: string
  name: string
  drop(): Promise<void>
}

export interface EngineOptions {
  /** Data of an engine that was killed; a new one otherwise. */
  directory?: string
  /** So that it is found where it was before; a free one otherwise. */
  port?: number
}

/** Why there is no engine to test with, for the `skip` of tests; undefined when there is one. */
export async function engineIsMissing(): Promise<string | undefined> {
  return installedEngine() === undefined ? 'ClickHouse is not installed: npm run test:setup' : undefined
}

/** Starts an engine with a database; it ends with this process at the latest. Takes 0.3 s. Throws when none is installed. */
export async function startEngine({ directory, port = 0 }: EngineOptions = {}): Promise<Engine> {
  const installed = installedEngine()
  if (installed === undefined) throw new Error('ClickHouse is not installed: npm run test:setup')
  const data = directory ?? (await mkdtemp(join(tmpdir(), 'stentor-columnar-')))
  // Beside the data, so that who looks for a text in the data finds none of a request.
  const scratch = await mkdtemp(join(tmpdir(), 'stentor-columnar-scratch-'))
  await mkdir(data, { recursive: true })
  const settings = { installed, directory: data, scratch, port, user: USER, password: PASSWORD, database: DATABASE }
  const { child, port: taken } = await startProcess(settings)
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.ref()
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(scratch, { recursive: true, force: true })
  }
  const url = `clickhouse://${USER}:${PASSWORD}@127.0.0.1:${taken}/${DATABASE}`
  return {
    url,
    httpUrl: `http://127.0.0.1:${taken}`,
    user: USER,
    password: PASSWORD,
    port: taken,
    processId: child.pid!,
    directory: data,
    createDatabase: () => createDatabase(url),
    ...faults(child),
    kill: end,
    async stop() {
      await end()
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function startProcess(settings: EngineSettings): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(PROCESS, [JSON.stringify(settings)], {
    // Each statement that runs holds a thread.
    env: { ...process.env, UV_THREADPOOL_SIZE: '32', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const started = once(child, 'message') as Promise<[{ port: number }]>
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The engine ended at its start, with ${code}.`)
  })
  ended.catch(() => undefined)
  const [{ port }] = await Promise.race([started, ended])
  // An engine that a test forgot does not keep the test's process alive.
  child.unref()
  child.channel?.unref()
  return { child, port }
}

function faults(child: ChildProcess): Pick<Engine, 'pause' | 'resume' | 'loseAnswer'> {
  let absence: Absence | undefined
  const order = async (words: Order) => {
    child.channel?.ref()
    child.send(words)
    await once(child, 'message')
    child.channel?.unref()
  }
  return {
    async pause(how) {
      absence = how
      if (how === 'hang') child.kill('SIGSTOP')
      else await order({ order: 'refuse' })
    },
    async resume() {
      if (absence === 'hang') child.kill('SIGCONT')
      if (absence === 'refuse') await order({ order: 'accept' })
      absence = undefined
    },
    loseAnswer: (matching) => order({ order: 'lose', matching }),
  }
}

async function createDatabase(url: string): Promise<EngineDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const own = new URL(url)
  own.pathname = `/${name}`
  const command = async (query: string) => {
    const client = engineClient(url)
    try {
      await client.command({ query })
    } finally {
      await client.close()
    }
  }
  await command(`create database ${name}`)
  return { url: own.href, name, drop: () => command(`drop database ${name} sync`) }
}

/** The client of a `clickhouse://` address. It logs nothing, as tests look at the errors themselves. */
export function engineClient(url: string): ReturnType<typeof createClient> {
  const { username, password, host, pathname } = new URL(url)
  const log = { level: ClickHouseLogLevel.OFF }
  return createClient({ url: `http://${host}`, username, password, database: pathname.slice(1), log })
}

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { removeEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { cloneDatabase, type TestDatabase } from '../database/database.ts'
import { eventually } from '../wait.ts'
import { bundledServiceCommand, SERVICE_ENVIRONMENT } from './programs.ts'

const MAIN = 'src/main.ts'
/** Set for a process, the service runs from its source files: for tests of what it loads. */
export const FROM_SOURCE = 'STENTOR_TEST_FROM_SOURCE'

const READY_WITHIN_MS = 90_000
/** A process that takes a connection and does not answer is asked again. */
const ANSWER_WITHIN_MS = 10_000

/** The key of the first account of every service that is started here. */
export const KEY = 'a-key-for-the-tests'

/** The environment of a process: nothing of that of the tests but what any process needs. */
export type Settings = Record<string, string>

export interface Ended {
  status: number | null
  out: string
  errors: string
}

export interface Program {
  child: ChildProcess
  /** How it ended, and all that it wrote. */
  ended: Promise<Ended>
  /** What it has written to its standard error until now. */
  log(): string
}

/** Starts the program with these words of its command line; it is killed with the process of the tests. */
export function startProgram(words: readonly string[], settings: Settings = {}): Program {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ...SERVICE_ENVIRONMENT,
    STENTOR_BOOTSTRAP_KEY: KEY,
    STENTOR_HTTP_PORT: '0',
    STENTOR_SMTP_IN_PORT: '0',
    STENTOR_SENDER_THREADS: '1',
    STENTOR_LOG_LEVEL: 'fatal',
    ...settings,
  }
  const [program = '', ...options] = settings[FROM_SOURCE] ? [process.execPath, MAIN] : bundledServiceCommand()
  const child = spawn(program, [...options, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { out: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.errors += text))
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'close').then(([status]) => {
    process.off('exit', kill)
    return { status, ...texts }
  })
  return { child, ended, log: () => texts.errors }
}

/** Runs a command of the program to its end. */
export function runProgram(words: readonly string[], settings?: Settings): Promise<Ended> {
  return startProgram(words, settings).ended
}

/** Waits until a program that was started answers that it is ready. Throws with all it wrote when it ends before. */
export async function untilReady(url: string, program: Program, signal?: AbortSignal): Promise<void> {
  const { child, ended } = program
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const isReady = async (): Promise<boolean> =>
    hasEnded() || (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).ok
  await eventually(isReady, signal ?? READY_WITHIN_MS)
  if (!hasEnded()) return
  const { status, errors } = await ended
  assert.fail(`the service ended with status ${status}: ${errors}`)
}

/** The service as a process of its own, which can be started, called, stopped and killed. */
export interface Service {
  url: string
  /** Starts it, and waits until it is ready. */
  start(): Promise<void>
  /** Sends a signal, and waits for the end; gives its status. Nothing happens when it has ended. */
  end(signal: NodeJS.Signals): Promise<{ status: number | null }>
  kill(): Promise<void>
  /** Resolves when it has ended, by itself or by a signal. */
  ended(): Promise<void>
  /** Sends the signal and does not wait. */
  signal(signal: NodeJS.Signals): void
  /** Runs another command with the same settings; gives what it wrote. */
  run(...words: string[]): Promise<string>
  ask(method: string, path: string, body?: unknown, type?: string): Promise<Response>
  /** The parsed answer of a request that must succeed. A body that is a text is sent as it is. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
  call<Answer = any>(method: string, path: string, body?: unknown, type?: string): Promise<Answer>
  /** What the process that was started last has written to its standard error. */
  log(): string
}

function clientOf(url: string): Pick<Service, 'ask' | 'call'> {
  const ask: Service['ask'] = (method, path, body, type = 'application/json') =>
    fetch(url + path, {
      method,
      headers: { 'x-key': KEY, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return {
    ask,
    async call(method, path, body, type) {
      const answer = await ask(method, path, body, type)
      const text = await answer.text()
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

/** A service with these settings, on a port of its own unless they name one; its caller ends it. `role`: all that it plays. */
export async function makeService(settings: Settings, signal?: AbortSignal, role = 'all'): Promise<Service> {
  const port = settings['STENTOR_HTTP_PORT'] ?? String(await findFreePort())
  const url = `http://127.0.0.1:${port}`
  let program: Program | undefined
  const end: Service['end'] = async (name) => {
    if (!program || program.child.exitCode !== null || program.child.signalCode !== null) return { status: null }
    const exited = once(program.child, 'exit')
    program.child.kill(name)
    const [status] = await exited
    return { status }
  }
  return {
    url,
    ...clientOf(url),
    async start() {
      program = startProgram(['start', '--role', role], { ...settings, STENTOR_HTTP_PORT: port })
      await untilReady(url, program, signal)
    },
    end,
    async kill() {
      await end('SIGKILL')
    },
    async ended() {
      await program?.ended
    },
    signal(name) {
      program?.child.kill(name)
    },
    async run(...words) {
      const { status, out, errors } = await runProgram(words, settings)
      assert.equal(status, 0, `${words.join(' ')}: ${errors}`)
      return out
    },
    log: () => program?.log() ?? '',
  }
}

/** What ends with a test, or with a file of tests: a test's context, or `{ after }` of node:test. */
export interface Scope {
  after(clean: () => Promise<void>): void
  signal?: AbortSignal
}

export interface PreparedService extends Service {
  dataDir: string
}

type Remove = (dataDir: string) => Promise<void>

async function prepare(scope: Scope, settings: Settings | ((dataDir: string) => Settings), remove: Remove) {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-e2e-'))
  const own = typeof settings === 'function' ? settings(dataDir) : settings
  const service = await makeService({ STENTOR_DATA_DIR: dataDir, ...own }, scope.signal)
  scope.after(async () => {
    await remove(dataDir).finally(() => rm(dataDir, { recursive: true, force: true }))
  })
  return { ...service, dataDir }
}

/**
 * A service on a database and a data directory of its own, not started yet; all of it goes with the scope. `more`: settings
 * that name the directory.
 */
export async function prepareService(
  scope: Scope,
  settings: Settings = {},
  more: (dataDir: string) => Settings = () => ({}),
): Promise<PreparedService & { database: TestDatabase }> {
  const database = await cloneDatabase()
  const all = (dataDir: string) => ({ STENTOR_DATABASE_URL: database.url, ...settings, ...more(dataDir) })
  const service = await prepare(scope, all, async () => {
    await service.kill()
    await database.drop()
  })
  return { ...service, database }
}

/** The same with the embedded database, in `postgres` below the data directory. */
export async function prepareEmbedded(scope: Scope, settings: Settings = {}): Promise<PreparedService> {
  const service = await prepare(scope, settings, async (dataDir) => {
    await service.end('SIGTERM')
    await removeEmbeddedPostgres(join(dataDir, 'postgres'))
  })
  return service
}

/** Starts so many processes that do nothing but send; gives what ends them, before their database goes. */
export async function startSenders(
  t: Pick<TestContext, 'signal'>,
  settings: Settings,
  count: number,
): Promise<() => Promise<unknown>> {
  const programs: ReturnType<typeof startProgram>[] = []
  const started = Array.from({ length: count }, async () => {
    const port = await findFreePort()
    const program = startProgram(['start', '--role', 'sender'], { ...settings, STENTOR_HTTP_PORT: String(port) })
    programs.push(program)
    await untilReady(`http://127.0.0.1:${port}`, program, t.signal)
  })
  await Promise.all(started)
  return () => {
    for (const { child } of programs) child.kill('SIGKILL')
    return Promise.all(programs.map(({ ended }) => ended))
  }
}

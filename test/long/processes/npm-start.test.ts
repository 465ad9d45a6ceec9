import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { findEmbeddedPostgresUrl } from '../../../src/database/embedded.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { eventually } from '../../support/wait.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../../')

let checkout: string
/** One for all starts: only the first has a database to initialise. */
let dataDir: string
/** What a user's shell has: nothing of the npm that runs these tests. */
const environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', STENTOR_SMTP_IN_PORT: '0' }

before(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'stentor checkout é#%20-'))
  dataDir = await mkdtemp(join(tmpdir(), 'stentor-npm-'))
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'src', 'migrations', 'scripts', 'test/fakes'])
    await cp(join(ROOT, name), join(checkout, name), { recursive: true })
  // What this machine has installed before is in npm's cache.
  await run('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: checkout, env: environment })
})

/** The groups of what was started: a test that fails must leave nothing behind either. */
const groups = new Set<number>()

after(async () => {
  for (const group of groups) process.kill(-group, 'SIGKILL')
  for (const folder of [checkout, dataDir]) await rm(folder, { recursive: true, force: true })
})

interface Started {
  npm: ChildProcess
  ended: Promise<{ status: number | null; signal: NodeJS.Signals | null; output: string }>
  port: number
}

/** Types `npm start`, in a process group of its own as a terminal makes one, and waits until the service is ready. */
async function npmStart(): Promise<Started> {
  const port = await findFreePort()
  const npm = spawn('npm', ['start'], {
    cwd: checkout,
    env: { ...environment, STENTOR_DATA_DIR: dataDir, STENTOR_HTTP_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  groups.add(npm.pid!)
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(npm, 'exit').then(([status, signal]) => ({ status, signal, output }))
  const isReady = async () => npm.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok
  await eventually(isReady)
  assert.equal(npm.exitCode, null, output)
  return { npm, ended, port }
}

/** The processes of the machine that have not ended, each with its parent. */
async function processes(): Promise<Map<number, number>> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=,stat='])
  const lines = stdout.trim().split('\n')
  return new Map(
    lines
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([pid, parent, state]) => (state?.startsWith('Z') ? [] : [[Number(pid), Number(parent)]])),
  )
}

async function treeOf(root: number): Promise<number[]> {
  const all = await processes()
  const tree = [root]
  for (const pid of tree) tree.push(...[...all].filter(([, parent]) => parent === pid).map(([child]) => child))
  return tree
}

/** Those of the processes that live. */
async function living(tree: readonly number[]): Promise<number[]> {
  const all = await processes()
  return tree.filter((pid) => all.has(pid))
}

const stops: { name: string; stop(npm: number): void }[] = [
  { name: 'SIGTERM to npm', stop: (npm) => process.kill(npm, 'SIGTERM') },
  { name: 'SIGINT to npm', stop: (npm) => process.kill(npm, 'SIGINT') },
  { name: 'Ctrl-C, which is SIGINT to npm and to all it started', stop: (npm) => process.kill(-npm, 'SIGINT') },
]

suite('npm start with production dependencies only, in a folder with a space, é, # and %', () => {
  for (const { name, stop } of stops) {
    test(`serves, and leaves no process, database or port behind after ${name}`, async () => {
      const { npm, ended, port } = await npmStart()
      const pid = npm.pid!
      const tree = await treeOf(pid)
      const database = await findEmbeddedPostgresUrl(join(dataDir, 'postgres'))
      assert.ok(database)
      assert.ok(tree.length > 5, `npm, the service, its database and those of the database: ${tree}`)
      stop(pid)
      await eventually(async () => (await living(tree)).length === 0)
      groups.delete(pid)
      const { status, signal, output } = await ended
      assert.deepEqual({ status, signal }, { status: 0, signal: null }, output)
      assert.equal(await findEmbeddedPostgresUrl(join(dataDir, 'postgres')), undefined)
      await assert.rejects(fetch(`http://127.0.0.1:${port}/health/live`))
    })
  }
})

test('the demo finds its dependencies', async () => {
  const script = "await import('./scripts/demo/campaign.ts'); await import('./scripts/demo/mailbox.ts')"
  await run('node_modules/node/bin/node', ['--input-type=module', '-e', script], { cwd: checkout, env: environment })
})

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { PROGRAM_VERSION } from '../../../src/version.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts'
import { eventually } from '../../support/wait.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../../')

let checkout: string
/** Where npm puts the commands of the machine: below it, `bin/`. */
let prefix: string
/** A folder that has nothing to do with the checkout. */
let elsewhere: string
let database: TestDatabase
/** What a user's shell has, whose Node.js is any: the command must find its own. */
let environment: Record<string, string>

before(async () => {
  database = await cloneDatabase()
  checkout = await mkdtemp(join(tmpdir(), 'stentor checkout é#%20-'))
  prefix = await mkdtemp(join(tmpdir(), 'stentor-prefix-'))
  elsewhere = await mkdtemp(join(tmpdir(), 'stentor-elsewhere-'))
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'bin', 'src', 'migrations'])
    await cp(join(ROOT, name), join(checkout, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  environment = { PATH: process.env['PATH'] ?? '', HOME: prefix }
  await run('npm', ['link', '--offline', '--ignore-scripts'], {
    cwd: checkout,
    env: { ...environment, NPM_CONFIG_PREFIX: prefix },
  })
  environment['PATH'] = `${prefix}/bin:/usr/bin:/bin`
})

after(async () => {
  for (const folder of [checkout, prefix, elsewhere]) await rm(folder, { recursive: true, force: true })
  await database.drop()
})

/** Runs `stentor` as a shell in another folder finds it; gives its exit status and what it wrote. */
async function stentor(...words: string[]) {
  const child = execFile('stentor', words, { cwd: elsewhere, env: environment })
  const texts = { out: '', errors: '' }
  child.stdout?.on('data', (text) => (texts.out += text))
  child.stderr?.on('data', (text) => (texts.errors += text))
  const [status] = await once(child, 'close')
  return { status, ...texts }
}

suite('stentor, as npm link installs it from a folder with a space, é, # and %', () => {
  test('runs in any other folder, and passes on words and exit statuses', async () => {
    assert.deepEqual(await stentor('--version'), { status: 0, out: `${PROGRAM_VERSION}\n`, errors: '' })
    assert.equal((await stentor()).status, 2)
    const { status, errors } = await stentor('people', 'in vite')
    assert.deepEqual(
      [status, errors.split('?')[0]],
      [1, 'stentor: There is no command "people in vite". Did you mean "people invite"'],
    )
  })

  test('uses the data directory of npm start, unless a setting names another', async () => {
    environment['STENTOR_DATABASE_URL'] = database.url
    assert.match((await stentor('accounts', 'create', 'ACME001', '--name', 'A c m e')).out, /ACME001/)
    assert.match((await stentor('accounts', 'list')).out, /A c m e/)
    const { out } = await stentor('doctor')
    assert.ok(out.includes(join(checkout, 'data')), out)
    environment['STENTOR_DATA_DIR'] = 'own'
    const own = await stentor('doctor')
    assert.ok(own.out.includes(join(elsewhere, 'own')), own.out)
    delete environment['STENTOR_DATA_DIR']
  })

  test('stops in order when it is interrupted, as a terminal does with Ctrl-C', async (t) => {
    const port = String(await findFreePort())
    const env = {
      ...environment,
      STENTOR_HTTP_PORT: port,
      STENTOR_SMTP_IN_PORT: '0',
      STENTOR_DATABASE_URL: database.url,
    }
    const child = spawn('stentor', ['start'], { cwd: elsewhere, env, stdio: 'ignore' })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    const isReady = async () => child.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok
    await eventually(isReady, t.signal)
    child.kill('SIGINT')
    assert.deepEqual(await ended, [0, null])
    assert.equal((await readdir(elsewhere)).includes('data'), false)
    assert.ok((await readdir(join(checkout, 'data'))).includes('master.key'))
  })

  test('says in one sentence how to install its Node.js when there is none', async () => {
    await rm(join(checkout, 'node_modules'))
    const { status, out, errors } = await stentor('doctor')
    assert.deepEqual([status, out], [1, ''])
    assert.equal(
      errors,
      `stentor: Node.js is not installed in ${checkout}. Run "npm run console" there and try again.\n`,
    )
  })
})

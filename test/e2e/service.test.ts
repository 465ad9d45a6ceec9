import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findEmbedded } from '../../src/database/embedded.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { cloneDatabase } from '../database.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const KEY = 'a-key-for-the-tests'
const running = new Set<ChildProcess>()
const directories: string[] = []

after(async () => {
  for (const child of running) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

async function freshDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'stentor-e2e-'))
  directories.push(directory)
  return directory
}

interface Ended {
  status: number | null
  out: string
  errors: string
}

function start(args: string[], environment: Record<string, string>): { child: ChildProcess; ended: Promise<Ended> } {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    STENTOR_LOG_LEVEL: 'info',
    STENTOR_SMTP_IN_PORT: '0',
    ...environment,
  }
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const texts = { out: '', errors: '' }
  child.stdout.on('data', (chunk) => {
    texts.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    texts.errors += chunk
  })
  const ended = once(child, 'close').then(([status]) => {
    running.delete(child)
    return { status, ...texts }
  })
  return { child, ended }
}

/** Runs a command to its end. */
function run(args: string[], environment: Record<string, string>): Promise<Ended> {
  return start(args, environment).ended
}

async function untilReady(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.ok) return
    await delay(100)
  }
  throw new Error('the service is not ready after 30 s')
}

async function get(port: number, path: string, key = KEY): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-key': key } })
  return { status: answer.status, body: await answer.json() }
}

suite('the program', () => {
  test('says what is wrong with a setting or a command, and ends with status 1', async () => {
    const wrong = await run(['start'], { STENTOR_HTP_PORT: '1' })
    assert.deepEqual(
      [wrong.status, wrong.errors],
      [1, 'stentor: STENTOR_HTP_PORT is not a setting. Did you mean STENTOR_HTTP_PORT?\n'],
    )
    const unknown = await run(['statr'], {})
    assert.equal(unknown.status, 1)
    assert.match(unknown.errors, /Did you mean "start"/)
    assert.match((await run(['start', '--role', 'api,cook'], {})).errors, /"cook" is not a role/)
  })

  test('starts on an empty directory, makes the first account, stops in order, and goes on where it was', async () => {
    const port = await freePort()
    const environment = {
      STENTOR_DATA_DIR: await freshDirectory(),
      STENTOR_HTTP_PORT: String(port),
      STENTOR_BOOTSTRAP_KEY: KEY,
    }
    const first = start(['start'], environment)
    await untilReady(port)
    const made = await fetch(`http://127.0.0.1:${port}/categories`, {
      method: 'POST',
      headers: { 'x-key': KEY, 'content-type': 'application/json' },
      body: '{"name":"Kept"}',
    })
    assert.equal(made.status, 200)
    const beside = await run(['keys', 'create', '--account', 'DEMO001', '--rights', 'read'], environment)
    assert.equal(beside.status, 0, beside.errors)
    const key = beside.out.trim().split('\n').at(-1)!
    assert.equal((await get(port, '/categories', key)).status, 200)
    const health = await run(['doctor'], environment)
    assert.equal(health.status, 0, health.out)
    const second = await run(['start'], environment)
    assert.equal(second.status, 1)
    const asked = performance.now()
    first.child.kill('SIGTERM')
    const { status, out } = await first.ended
    assert.equal(status, 0)
    assert.ok(performance.now() - asked < 10_000)
    assert.match(out, /Account DEMO001, key \(shown this once\): a-key-for-the-tests/)
    const third = start(['start'], environment)
    await untilReady(port)
    const { body } = await get(port, '/categories')
    assert.ok((body as { name: string }[]).some(({ name }) => name === 'Kept'))
    third.child.kill('SIGTERM')
    const again = await third.ended
    assert.doesNotMatch(again.out, /Account/)
    assert.ok(!again.errors.includes(KEY))
  })

  test('comes back after it was killed', async () => {
    const port = await freePort()
    const environment = {
      STENTOR_DATA_DIR: await freshDirectory(),
      STENTOR_HTTP_PORT: String(port),
      STENTOR_BOOTSTRAP_KEY: KEY,
    }
    const first = start(['start'], environment)
    await untilReady(port)
    first.child.kill('SIGKILL')
    await first.ended
    const second = start(['start'], environment)
    await untilReady(port)
    assert.equal((await get(port, '/fields')).status, 200)
    second.child.kill('SIGTERM')
    assert.equal((await second.ended).status, 0)
    assert.equal(await findEmbedded(join(environment.STENTOR_DATA_DIR, 'postgres')), undefined)
  })

  test('uses the database it is given, migrated by itself, with roles in processes of their own', async () => {
    const database = await cloneDatabase()
    const [apiPort, trackingPort] = [await freePort(), await freePort()]
    const common = {
      STENTOR_DATABASE_URL: database.url,
      STENTOR_BOOTSTRAP_KEY: KEY,
      STENTOR_DATA_DIR: await freshDirectory(),
    }
    const api = start(['start', '--role', 'api,jobs'], { ...common, STENTOR_HTTP_PORT: String(apiPort) })
    await untilReady(apiPort)
    const tracking = start(['start', '--role', 'tracking'], { ...common, STENTOR_HTTP_PORT: String(trackingPort) })
    await untilReady(trackingPort)
    assert.equal((await get(apiPort, '/fields')).status, 200)
    assert.equal((await fetch(`http://127.0.0.1:${trackingPort}/t/preview`)).status, 200)
    assert.equal((await get(trackingPort, '/fields')).status, 404)
    assert.equal((await fetch(`http://127.0.0.1:${apiPort}/t/preview`, { headers: { 'x-key': KEY } })).status, 404)
    for (const { child, ended } of [tracking, api]) {
      child.kill('SIGTERM')
      assert.equal((await ended).status, 0)
    }
    await database.drop()
  })

  test('makes accounts, keys, gateways and domains by its command line, and shows no secret again', async () => {
    const database = await cloneDatabase()
    const environment = { STENTOR_DATABASE_URL: database.url, STENTOR_DATA_DIR: await freshDirectory() }
    const say = async (line: string): Promise<string> => {
      const { status, out, errors } = await run(line.split(' '), environment)
      assert.equal(status, 0, `${line}: ${errors}`)
      return out
    }
    await say('accounts create ACME001 --name Acme')
    assert.match(await say('accounts limit ACME001 --rate 5 --burst 9'), /Set/)
    assert.match(await say('accounts list'), /ACME001 +Acme +5 +9/)
    const key = (await say('keys create --account ACME001 --name shop --rights read,send')).trim().split('\n').at(-1)!
    const keys = await say('keys list --account ACME001')
    assert.match(keys, /shop +read,send/)
    assert.ok(!keys.includes(key))
    await say('keys revoke 1')
    const url = 'smtp://account:secret-word@relay.example.com:587?tls=required'
    await say(`gateways add --account ACME001 --kind smtp --name relay --url ${url}`)
    const gateways = await say('gateways list')
    assert.match(gateways, /ACME001 +email +relay +smtp/)
    assert.ok(!gateways.includes('secret-word'))
    const { rows } = await database.pool.query('select gateways::text as text from gateways')
    assert.ok(!rows[0].text.includes('secret-word'))
    await say('gateways remove 1')
    await say('domains add mail.shop.example --account ACME001 --verified')
    assert.match(await say('domains list --account ACME001'), /mail\.shop\.example +true +true/)
    const wrong = await run(['keys', 'create', '--account', 'NONE999'], environment)
    assert.deepEqual([wrong.status, wrong.errors], [1, 'stentor: There is no account NONE999.\n'])
    for (const date of ['soon', '0000-06-01', '9999-12-31T23:59:59-01:00', '253402300800000']) {
      const expires = await run(['keys', 'create', '--account', 'ACME001', '--expires', date], environment)
      assert.match(expires.errors, /--expires must be a date such as 2027-01-31, in the years 0001 to 9999\.\n/, date)
      assert.ok(expires.status !== 0 && expires.out === '', date)
    }
    for (const day of ['0000-06-01', '2027-02-30', '2027-3-1']) {
      const warm = ['domains', 'warm-up', 'mail.shop.example', '--account', 'ACME001', '--from', day]
      const { status, errors } = await run(warm, environment)
      assert.ok(status !== 0 && errors.includes(`"${day}" is no day such as 2027-03-01.`), errors)
    }
    await database.drop()
  })

  test('refuses a database that cannot be reached, in words', async () => {
    const port = await freePort()
    const { status, errors } = await run(['start'], {
      STENTOR_DATABASE_URL: `postgres://nobody:secret-word@127.0.0.1:${port}/none`,
      STENTOR_DATA_DIR: await freshDirectory(),
    })
    assert.equal(status, 1)
    assert.match(errors, /ECONNREFUSED/)
    assert.ok(!errors.includes('secret-word'))
  })
})

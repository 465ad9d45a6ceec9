import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { findEmbeddedPostgresUrl } from '../../../src/database/embedded.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { type Ended, KEY, type Program, runProgram, startProgram, untilReady } from '../../support/processes/process.ts'

const running = new Set<Program>()
const directories: string[] = []

after(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGTERM')
    await ended
  }
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
})

async function freshDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'stentor-e2e-'))
  directories.push(directory)
  return directory
}

const INFO = { STENTOR_LOG_LEVEL: 'info' }

/** Starts the service, and waits until it is ready. */
async function start(settings: Record<string, string>, ...more: string[]): Promise<Program> {
  const program = startProgram(['start', ...more], { ...INFO, ...settings })
  running.add(program)
  program.ended.finally(() => running.delete(program))
  await untilReady(`http://127.0.0.1:${settings['STENTOR_HTTP_PORT']}`, program)
  return program
}

/** Runs a command to its end. */
function run(words: string[], settings: Record<string, string> = {}): Promise<Ended> {
  return runProgram(words, { ...INFO, ...settings })
}

async function get(port: number, path: string, key = KEY): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-key': key } })
  return { status: answer.status, body: await answer.json() }
}

suite('service program', () => {
  test('reports what is wrong with a setting or a command and exits with status 1', async () => {
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

  test('starts on an empty directory, creates the first account, stops cleanly and resumes with its data', async () => {
    const port = await findFreePort()
    const environment = {
      STENTOR_DATA_DIR: await freshDirectory(),
      STENTOR_HTTP_PORT: String(port),
      STENTOR_BOOTSTRAP_KEY: KEY,
    }
    const first = await start(environment)
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
    for (const [name, proof] of [
      ['Open', 'none'],
      ['Proven', 'required'],
    ])
      await fetch(`http://127.0.0.1:${port}/parameters/applications`, {
        method: 'POST',
        headers: { 'x-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ name, registration: { proof } }),
      })
    const health = await run(['doctor'], environment)
    assert.equal(health.status, 0, health.out)
    assert.match(
      health.out,
      /^ok {3}DEMO001 application Open: registration\.proof is none: anyone can register a device/m,
    )
    assert.doesNotMatch(health.out, /Proven/)
    const second = await run(['start'], environment)
    assert.equal(second.status, 1)
    first.child.kill('SIGTERM')
    const { status, out } = await first.ended
    // A service that does not stop in time says so by its status.
    assert.equal(status, 0)
    assert.match(out, /^Starting …\nCreating the database .*…\nCreating the tables …\nThe console is at /)
    assert.match(out, /Account DEMO001, API key \(shown only once\): a-key-for-the-tests/)
    const third = await start(environment)
    const { body } = await get(port, '/categories')
    assert.ok((body as { name: string }[]).some(({ name }) => name === 'Kept'))
    third.child.kill('SIGTERM')
    const again = await third.ended
    assert.match(again.out, /^Starting …\nThe console is at /)
    assert.doesNotMatch(again.out, /Account/)
    assert.ok(!again.errors.includes(KEY))
  })

  test('starts again after being killed', async () => {
    const port = await findFreePort()
    const environment = {
      STENTOR_DATA_DIR: await freshDirectory(),
      STENTOR_HTTP_PORT: String(port),
      STENTOR_BOOTSTRAP_KEY: KEY,
    }
    const first = await start(environment)
    first.child.kill('SIGKILL')
    await first.ended
    const second = await start(environment)
    assert.equal((await get(port, '/fields')).status, 200)
    second.child.kill('SIGTERM')
    assert.equal((await second.ended).status, 0)
    assert.equal(await findEmbeddedPostgresUrl(join(environment.STENTOR_DATA_DIR, 'postgres')), undefined)
  })

  test('uses and migrates an external database, with roles in separate processes', async () => {
    const database = await cloneDatabase()
    const [apiPort, trackingPort] = [await findFreePort(), await findFreePort()]
    const common = {
      STENTOR_DATABASE_URL: database.url,
      STENTOR_BOOTSTRAP_KEY: KEY,
      STENTOR_DATA_DIR: await freshDirectory(),
    }
    const api = await start({ ...common, STENTOR_HTTP_PORT: String(apiPort) }, '--role', 'api,jobs')
    const tracking = await start({ ...common, STENTOR_HTTP_PORT: String(trackingPort) }, '--role', 'tracking')
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

  test('creates accounts, keys, gateways and domains on the command line and never shows a secret again', async () => {
    const database = await cloneDatabase()
    const environment = { STENTOR_DATABASE_URL: database.url, STENTOR_DATA_DIR: await freshDirectory() }
    const say = async (line: string): Promise<string> => {
      const { status, out, errors } = await run(line.split(' '), environment)
      assert.equal(status, 0, `${line}: ${errors}`)
      return out
    }
    await say('accounts create ACME001 --name Acme')
    assert.match(await say('accounts limit ACME001 --rate 5 --burst 9'), /Limit set/)
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
      assert.match(expires.errors, /--expires must be a date such as 2027-01-31, from year 0001 to 9999\.\n/, date)
      assert.ok(expires.status !== 0 && expires.out === '', date)
    }
    for (const day of ['0000-06-01', '2027-02-30', '2027-3-1']) {
      const warm = ['domains', 'warm-up', 'mail.shop.example', '--account', 'ACME001', '--from', day]
      const { status, errors } = await run(warm, environment)
      assert.ok(status !== 0 && errors.includes(`"${day}" is not a date such as 2027-03-01.`), errors)
    }
    await database.drop()
  })

  test('reports a database that cannot be reached without its password', async () => {
    const port = await findFreePort()
    const { status, errors } = await run(['start'], {
      STENTOR_DATABASE_URL: `postgres://nobody:secret-word@127.0.0.1:${port}/none`,
      STENTOR_DATA_DIR: await freshDirectory(),
    })
    assert.equal(status, 1)
    assert.match(errors, /ECONNREFUSED/)
    assert.ok(!errors.includes('secret-word'))
  })
})

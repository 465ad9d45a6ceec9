import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { type Ended, startProgram } from '../../support/processes/process.ts'

let root: string
let database: Awaited<ReturnType<typeof cloneDatabase>>

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'stentor-errors-'))
  // As root, the database runs under an account of its own.
  await chmod(root, 0o755)
  database = await cloneDatabase()
})
after(async () => {
  await database.drop()
  await rm(root, { recursive: true, force: true })
})

/** Runs a command to its end, on the database of the tests unless `settings` say otherwise. A service that starts is ended. */
function run(words: string, settings: Record<string, string> = {}): Promise<Ended> {
  const { child, ended } = startProgram(words.split(' '), {
    STENTOR_LOG_LEVEL: 'silent',
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATA_DIR: join(root, 'data'),
    ...settings,
  })
  child.stdout?.on('data', (text: string) => text.includes('Stentor is at') && child.kill('SIGTERM'))
  return ended
}

/** A start whose listeners alone are tried: what it proves is proven before any role is started. */
const LISTENING = 'start --role tracking'

/** One sentence, or two, on one line, and no stack. */
async function refused(settings: Record<string, string>, expected: RegExp, words = 'start'): Promise<void> {
  const { status, errors } = await run(words, settings)
  assert.match(errors, expected)
  assert.equal(errors.trimEnd().split('\n').length, 1, errors)
  assert.equal(status, 1)
}

suite('start errors', () => {
  test('name the setting when a port is in use or the address is not of this machine', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const roles = { HTTP_PORT: 'tracking', SMTP_IN_PORT: 'inbound', METRICS_PORT: 'tracking' }
    await Promise.all([
      ...Object.entries(roles).map(([name, role]) =>
        refused(
          { [`STENTOR_${name}`]: String(port) },
          new RegExp(`^stentor: STENTOR_${name}: port ${port} of 127.0.0.1 is in use`),
          `start --role ${role}`,
        ),
      ),
      refused(
        { STENTOR_HTTP_HOST: '192.0.2.1', STENTOR_HTTP_PORT: '8080' },
        /^stentor: STENTOR_HTTP_HOST: 192\.0\.2\.1 is not an address of this machine/,
        LISTENING,
      ),
    ])
    server.close()
  })

  test('list all settings that are wrong, in a start and by doctor, before anything is made', async () => {
    const fresh = join(root, 'wrong settings')
    const settings = {
      STENTOR_DATA_DIR: fresh,
      STENTOR_DATABASE_URL: '',
      STENTOR_MASTER_KEY: 'short',
      STENTOR_SMTP_IN_CERTIFICATE: join(root, 'none.pem'),
      STENTOR_ROBOTS_DIR: join(root, 'none'),
      STENTOR_GATEWAYS_FILE: join(root, 'none.json'),
    }
    const faults = [
      /STENTOR_MASTER_KEY must contain/,
      /STENTOR_GATEWAYS_FILE: /,
      /STENTOR_SMTP_IN_CERTIFICATE and/,
      /STENTOR_ROBOTS_DIR: /,
    ]
    const { status, errors } = await run('start', settings)
    const lines = errors.trimEnd().split('\n')
    assert.deepEqual([status, lines.length, existsSync(fresh)], [1, faults.length, false], errors)
    for (const [n, fault] of faults.entries()) assert.match(lines[n]!, new RegExp(`^stentor: ${fault.source}`))
    const { status: found, out } = await run('doctor', settings)
    assert.equal(found, 1)
    for (const fault of faults) assert.match(out, new RegExp(`^BAD +settings: ${fault.source}`, 'm'))
    assert.doesNotMatch(out, /database/)
  })

  test('name the setting when the data directory cannot be written', async () => {
    const file = join(root, 'file')
    await writeFile(file, '')
    const tries = [file, join(file, 'data')].flatMap((directory) =>
      ['start', 'keys list --account DEMO001'].map((words) => ({ directory, words })),
    )
    await Promise.all([
      ...tries.map(({ directory, words }) =>
        refused(
          { STENTOR_DATA_DIR: directory },
          /^stentor: STENTOR_DATA_DIR: \/\S+ cannot be created, read or written/,
          words,
        ),
      ),
      refused({ STENTOR_DATA_DIR: file, STENTOR_DATABASE_URL: '' }, /^stentor: STENTOR_DATA_DIR: /),
    ])
  })

  test('name the setting when the database is unreachable or refuses the program', async () => {
    const of = (changes: object) => ({ STENTOR_DATABASE_URL: Object.assign(new URL(database.url), changes).href })
    await Promise.all([
      refused(
        of({ port: String(await findFreePort()) }),
        /^stentor: STENTOR_DATABASE_URL: the database at 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\.$/m,
      ),
      refused(
        of({ hostname: 'nowhere.invalid' }),
        /^stentor: STENTOR_DATABASE_URL: the database at nowhere\.invalid:\d+ cannot be reached \((ENOTFOUND|EAI_AGAIN)\)\.$/m,
      ),
      refused(of({ password: 'wrong' }), /^stentor: STENTOR_DATABASE_URL: the password is wrong/),
      refused(of({ pathname: '/none' }), /^stentor: STENTOR_DATABASE_URL: the database does not exist/),
      refused(
        { STENTOR_DATABASE_URL: 'postgres://a:secret-word@[' },
        /^stentor: STENTOR_DATABASE_URL: its value must be an address such as postgres:/,
      ),
    ])
  })

  test('name the way out when the database is of a newer program or another PostgreSQL version', async () => {
    await database.pool.query(`insert into migrations (name, checksum) values ('9999-later.sql', '')`)
    await refused({}, /^stentor: The database has the migration 9999-later\.sql, .*. Upgrade Stentor/)
    await database.pool.query(`delete from migrations where name like '9999%'`)
    const cluster = join(root, 'older', 'postgres', 'cluster')
    await mkdir(cluster, { recursive: true })
    await writeFile(join(cluster, 'PG_VERSION'), '16\n')
    await refused(
      { STENTOR_DATA_DIR: join(root, 'older'), STENTOR_DATABASE_URL: '' },
      /^stentor: The database in \S+ was created by PostgreSQL 16, .*STENTOR_DATA_DIR/,
    )
  })

  test('name the setting when a file cannot be read, and do not show its contents', async () => {
    const none = join(root, 'none.json')
    const broken = async (text: string, nth: number) => {
      const file = join(root, `gateways${nth}.json`)
      await writeFile(file, text)
      const expected = /^stentor: STENTOR_GATEWAYS_FILE: \S+ must contain a JSON array of gateways\.$/m
      await refused({ STENTOR_GATEWAYS_FILE: file }, expected, 'start --role sender')
    }
    const pair = { STENTOR_SMTP_IN_CERTIFICATE: join(root, 'none.pem'), STENTOR_SMTP_IN_KEY: join(root, 'none.key') }
    await Promise.all([
      ...['{"password": secret-word', '{}', '[1]'].map(broken),
      refused(
        { STENTOR_GATEWAYS_FILE: none },
        /^stentor: STENTOR_GATEWAYS_FILE: \S+ cannot be read \(ENOENT\)\.$/m,
        'start --role sender',
      ),
      refused({ STENTOR_DESTINATIONS_FILE: none }, /^stentor: STENTOR_DESTINATIONS_FILE: /, 'start --role sender'),
      refused(
        pair,
        /^stentor: STENTOR_SMTP_IN_(CERTIFICATE|KEY): \S+ cannot be read \(ENOENT\)/,
        'start --role inbound',
      ),
    ])
  })

  test('name a pattern that cannot be searched in linear time, and so does doctor, of saved gateways too', async () => {
    const [file, gateway] = [join(root, 'destinations.json'), join(root, 'gateway.json')]
    await writeFile(file, JSON.stringify({ common: { replies: [{ pattern: '^4(?!5)', verdict: 'slow' }] } }))
    const settings = { url: 'https://sms.example/', method: 'GET' }
    await writeFile(gateway, JSON.stringify({ settings }))
    const pattern = { STENTOR_DESTINATIONS_FILE: file }
    await refused(
      pattern,
      /^stentor: STENTOR_DESTINATIONS_FILE: \S+ \/common\/replies\/0\/pattern must be .* without lookaround, .*`\(\?!`$/m,
      'start --role sender',
    )
    const added = await run(`gateways add --kind sms-http --file ${gateway}`)
    assert.equal(added.status, 0, added.errors)
    const answer = JSON.stringify({ error: { pattern: '(a)\\1' } })
    await database.pool.query('update gateways set settings = settings || jsonb_build_object($1::text, $2::jsonb)', [
      'answer',
      answer,
    ])
    assert.match(
      (await run('doctor', pattern)).out,
      /^BAD +settings: STENTOR_DESTINATIONS_FILE: .*\/common\/replies\/0\/pattern must be .* without lookaround/m,
    )
    const { out } = await run('doctor')
    assert.match(out, /^BAD +gateway sms-http: .*\/answer\/error\/pattern.* without lookaround, backreferences/m)
    await database.pool.query('delete from gateways')
  })
})

suite('the master key', () => {
  const key = (number: number, octet: number) => `${number}:${Buffer.alloc(32, octet).toString('base64')}`
  const doctor = async (settings: Record<string, string>) =>
    (await run('doctor', settings)).out.match(/^(ok|BAD) +master key: .*$/m)?.[0]

  test('is verified at every start and by every command that seals secrets', async () => {
    await database.pool.query('delete from master_keys')
    const data = { STENTOR_DATA_DIR: join(root, 'keyed') }
    assert.equal((await run('start', data)).status, 0)
    assert.match((await doctor(data))!, /^ok/)
    const [file, aside] = [join(root, 'keyed', 'master.key'), join(root, 'master.key')]
    await rename(file, aside)
    const missing = /The master key is missing\. .*Restore that file, or set STENTOR_MASTER_KEY to the key/
    await refused(data, missing)
    await Promise.all([
      refused(data, missing, 'gateways add --kind smtp --url smtp://relay.example.com'),
      refused(data, missing, 'domains add shop.example --account DEMO001'),
      refused(data, missing, `drop-places set --account DEMO001 --url file://${root}`),
    ])
    assert.match((await doctor(data))!, /^BAD {2}master key: .*missing/)
    const wrong = /The master key number 1 of STENTOR_MASTER_KEY is not the one that encrypted/
    await Promise.all([
      refused({ ...data, STENTOR_MASTER_KEY: key(1, 1) }, wrong),
      refused({ ...data, STENTOR_MASTER_KEY: key(2, 1) }, /The master key number 1, the last that encrypted .*Add it/),
      refused(
        { ...data, STENTOR_MASTER_KEY: 'secret-word' },
        /^stentor: STENTOR_MASTER_KEY must contain 32 bytes in base64/,
      ),
    ])
    await cp(aside, file)
    assert.equal((await run(LISTENING, data)).status, 0)
    assert.equal((await run('start', { ...data, STENTOR_DATA_DIR: join(root, 'elsewhere') })).status, 1)
  })

  test('is replaced by putting a newer one before it, and then the older one can be removed', async () => {
    await database.pool.query('delete from master_keys')
    const start = async (...keys: string[]) => (await run(LISTENING, { STENTOR_MASTER_KEY: keys.join(',') })).status
    assert.equal(await start(key(1, 1)), 0)
    assert.equal(await start(key(1, 1), key(2, 2)), 0)
    assert.equal(await start(key(1, 1)), 0)
    assert.equal(await start(key(2, 2), key(1, 1)), 0)
    assert.equal(await start(key(1, 1), key(2, 2)), 0)
    assert.equal(await start(key(1, 1)), 1)
    assert.equal(await start(key(2, 2)), 0)
    assert.equal(await start(key(2, 3)), 1)
  })

  test('a lost key can be replaced with the command "master-key accept"', async () => {
    const settings = { STENTOR_MASTER_KEY: key(2, 9) }
    await refused(settings, /is not the one that encrypted .*"stentor master-key accept"/)
    const { status, out } = await run('master-key accept', settings)
    assert.equal(status, 0)
    assert.match(out, /is now in use/)
    assert.equal((await run(LISTENING, settings)).status, 0)
  })
})

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { openDatabase } from '../../../src/database/connection/open.ts'
import { fixtureCertificate, type OwnServer, startOwnServer } from '../../support/database/own-server.ts'
import { type Ended, startProgram } from '../../support/processes/process.ts'

const LOOPBACK = '127.0.0.1/32'

let server: OwnServer
let dataDir: string

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stentor-access-'))
  server = await startOwnServer([
    `hostssl encrypted all ${LOOPBACK} trust`,
    `hostnossl encrypted all ${LOOPBACK} reject`,
    `hostssl certified localhost ${LOOPBACK} cert`,
    `host all owner,scoped,bare ${LOOPBACK} trust`,
  ])
  await server.administer('postgres', [
    ...['owner', 'scoped', 'bare', 'localhost'].map((role) => `create role ${role} login`),
    ...['encrypted', 'certified'].map((name) => `create database ${name}`),
    'create database owned owner owner',
    'create database "Scoped data"',
    'revoke all on database "Scoped data" from public',
    'grant connect on database "Scoped data" to scoped, bare',
  ])
})
after(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs a command to its end. A service that starts is ended. */
async function run(words: string, url: string): Promise<Ended> {
  const settings = { STENTOR_DATABASE_URL: url, STENTOR_DATA_DIR: dataDir, STENTOR_LOG_LEVEL: 'warn' }
  const { child, ended } = startProgram(words.split(' '), settings)
  child.stdout?.on('data', (text: string) => text.includes('Stentor is at') && child.kill('SIGTERM'))
  return ended
}

suite('privileges of the account of the database', () => {
  test('that owns its database suffice, without a word in the log', async () => {
    const { status, out, errors } = await run('start', server.address('owner', 'owned'))
    assert.deepEqual([status, errors], [0, ''], out)
  })

  test('on a schema alone are named with the statements to run, by doctor and a start, before anything is made', async () => {
    const url = server.address('scoped', 'Scoped%20data')
    const lacking =
      'The account scoped lacks privileges in the database Scoped data. As its owner, run ' +
      'grant create, temporary on database "Scoped data" to scoped; grant usage, create on schema public to scoped;'
    const [doctor, start] = [await run('doctor', url), await run('start', url)]
    assert.deepEqual([doctor.status, start.status], [1, 1])
    assert.ok(doctor.out.includes(`BAD  database: ${lacking}`), doctor.out)
    assert.equal(start.errors, `stentor: ${lacking}\n`)
    const { pool, close } = openDatabasePool(url)
    const { rows } = await pool.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`)
    await close()
    assert.equal(rows.length, 0)
  })

  test('suffice once the statements were run, and CREATE on the database is needed for the first start alone', async () => {
    const url = server.address('scoped', 'Scoped%20data')
    await server.administer('Scoped data', [
      'grant create, temporary on database "Scoped data" to scoped',
      'grant usage, create on schema public to scoped',
    ])
    assert.equal((await run('start', url)).status, 0)
    await server.administer('Scoped data', ['revoke create on database "Scoped data" from scoped'])
    assert.equal((await run('start', url)).status, 0)
  })

  test('that another account made tables with are asked for', async () => {
    await server.administer('Scoped data', [
      'grant create, temporary on database "Scoped data" to bare',
      'grant usage, create on schema public to bare',
    ])
    const { status, errors } = await run('start', server.address('bare', 'Scoped%20data'))
    assert.equal(status, 1)
    assert.equal(errors.trimEnd().split(' run ')[1], 'grant scoped to bare;')
  })
})

/** How a database is reached: `tls` or `plain`, or why it is not. */
async function reach(account: string, database: string, query: string): Promise<string> {
  const url = server.address(account, database, query)
  try {
    const opened = await openDatabase({ dataDir, databaseUrl: url, databasePool: 2 }, { debug() {}, warn() {} })
    const { rows } = await opened.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    await opened.close()
    return rows[0].ssl ? 'tls' : 'plain'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

suite('TLS to the database', () => {
  const [known, foreign] = [fixtureCertificate('test-only'), fixtureCertificate('other-name')]
  const NOT_KNOWN = /self-signed certificate/

  test('is used where the server offers it, unless sslmode is disable', async () => {
    assert.equal(await reach('owner', 'owned', ''), 'tls')
    for (const mode of ['allow', 'prefer', 'require'])
      assert.equal(await reach('owner', 'owned', `sslmode=${mode}`), 'tls', mode)
    assert.equal(await reach('owner', 'owned', 'sslmode=disable'), 'plain')
    assert.equal(await reach('owner', 'encrypted', ''), 'tls')
    assert.match(await reach('owner', 'encrypted', 'sslmode=disable'), /no encryption/)
  })

  test('checks the authority for verify-ca, and for require where there is one; the name for verify-full too', async () => {
    assert.equal(await reach('owner', 'encrypted', `sslmode=verify-ca&sslrootcert=${known}`), 'tls')
    assert.equal(await reach('owner', 'encrypted', `sslmode=verify-full&sslrootcert=${known}`), 'tls')
    assert.equal(await reach('owner', 'encrypted', `sslmode=prefer&sslrootcert=${foreign}`), 'tls')
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      assert.match(await reach('owner', 'encrypted', `sslmode=${mode}&sslrootcert=${foreign}`), NOT_KNOWN, mode)
    assert.match(await reach('owner', 'encrypted', 'sslmode=verify-full'), NOT_KNOWN)
    assert.match(await reach('owner', 'encrypted', 'sslrootcert=system'), NOT_KNOWN)
  })

  test('of a server with another name passes verify-ca, and not verify-full', async (t) => {
    await server.present('other-name')
    t.after(() => server.present('test-only'))
    assert.equal(await reach('owner', 'encrypted', `sslmode=verify-ca&sslrootcert=${foreign}`), 'tls')
    assert.match(
      await reach('owner', 'encrypted', `sslmode=verify-full&sslrootcert=${foreign}`),
      /does not match certificate's altnames|IP: 127\.0\.0\.1 is not/,
    )
  })

  test('shows the certificate of the client', async () => {
    const own = `sslcert=${known}&sslkey=${fixtureCertificate('test-only', 'key')}`
    assert.equal(await reach('localhost', 'certified', `sslmode=require&${own}`), 'tls')
    assert.match(await reach('localhost', 'certified', 'sslmode=require'), /certificate/)
  })

  test('that fails is one line of a start, and one that works writes nothing to its log', async () => {
    const failed = await run('start', server.address('owner', 'owned', `sslmode=verify-full&sslrootcert=${foreign}`))
    assert.equal(failed.status, 1)
    assert.match(
      failed.errors,
      /^stentor: STENTOR_DATABASE_URL: the certificate of the database at \S+ is not trusted [^\n]+\n$/,
    )
    const url = server.address('owner', 'owned', `sslmode=require&sslrootcert=${known}`)
    const { status, errors } = await run('start', url)
    assert.deepEqual([status, errors], [0, ''])
  })
})

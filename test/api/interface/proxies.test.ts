import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { createLogger } from '../../../src/log.ts'
import { findUntrustedProxy, recordUntrustedProxy } from '../../../src/sending/senders/machines.ts'
import { startHarness } from '../../support/harness.ts'
import { runProgram } from '../../support/processes/process.ts'
import { makePerson, signedIn } from '../../support/stages/people.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { own, clock, call } = harness
const { db } = harness.context
const HOUR_MS = 3_600_000
const PROXY = '10.1.2.3'
const MACHINE = { id: '0a1b2c3d', host: 'mail.example', directory: '/srv/stentor' }

/** The addresses that a service with these trusted proxies warns of in its log, after two requests with these headers from an address. */
async function warnings(trustedProxies: string | undefined, headers: Record<string, string>, address = PROXY) {
  await db.deleteFrom('machines').execute()
  const lines: string[] = []
  const log = createLogger({ logLevel: 'warn' }, { write: (line) => void lines.push(line) })
  const context = { ...harness.context, log, config: { ...harness.context.config, trustedProxies } }
  const app = await buildApiServer(context, new Registry())
  for (const _ of [1, 2]) {
    const { statusCode } = await app.inject({ url: '/health/live', headers, remoteAddress: address })
    assert.equal(statusCode, 200)
  }
  await app.close()
  const addresses = lines.map((line): string | undefined => JSON.parse(line).address)
  // A console that is not built is warned of too.
  return addresses.filter((of) => of !== undefined)
}

const FORWARDED = { 'x-forwarded-for': '203.0.113.9' }

suite('a proxy that STENTOR_TRUSTED_PROXIES does not list', () => {
  after(() => db.deleteFrom('machines').execute())

  test('is reported once in the log', async () => {
    assert.deepEqual(await warnings(undefined, FORWARDED), [PROXY])
    assert.deepEqual(await warnings('10.9.9.0/24', FORWARDED), [PROXY])
    assert.deepEqual(await warnings(undefined, FORWARDED, 'fd00::7'), ['fd00::7'])
  })

  test('is not reported if it forwards no address, and never once it is trusted', async () => {
    assert.deepEqual(await warnings('10.1.2.0/24', FORWARDED), [])
    assert.deepEqual(await warnings(undefined, {}), [])
    assert.equal(await findUntrustedProxy(db, clock.now()), undefined)
  })

  test('is shown to operators only on the home page of the console, for an hour', async () => {
    await warnings(undefined, FORWARDED)
    const operator = await signedIn(harness, await makePerson(harness, 'Otto', [], { operator: true }))
    const admin = await signedIn(harness, await makePerson(harness, 'Ada', [[own, 'admin']]))
    const proxyFor = async (browser: typeof admin) =>
      (await browser.visit('GET', '/overview', { account: own.code })).body.untrustedProxy
    await eventually(async () => (await proxyFor(operator)) === PROXY)
    assert.equal(await proxyFor(admin), null)
    assert.equal((await call('GET', '/overview')).body.untrustedProxy, null)
    assert.equal(await findUntrustedProxy(db, clock.now() + HOUR_MS - 1), PROXY)
    assert.equal(await findUntrustedProxy(db, clock.now() + HOUR_MS), undefined)
  })

  test('is named by doctor, with what to set', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'stentor-doctor-'))
    const url = String(harness.context.pool.options.connectionString)
    const doctor = () => runProgram(['doctor'], { STENTOR_DATABASE_URL: url, STENTOR_DATA_DIR: dataDir })
    try {
      await db.deleteFrom('machines').execute()
      assert.doesNotMatch((await doctor()).out, /proxy/)
      await recordUntrustedProxy(db, MACHINE, PROXY, new Date())
      assert.match((await doctor()).out, /^BAD {2}proxy: 10\.1\.2\.3 .*\n {5}.*STENTOR_TRUSTED_PROXIES=10\.1\.2\.3\.$/m)
    } finally {
      await rm(dataDir, { recursive: true })
    }
  })
})

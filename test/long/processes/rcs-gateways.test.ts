import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startRbmPeer } from '../../fakes/rcs/rbm-peer.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { type Ended, runProgram } from '../../support/processes/process.ts'

const directory = await mkdtemp(join(tmpdir(), 'stentor-rcs-'))
const database = await cloneDatabase()
const peer = await startRbmPeer()

after(async () => {
  await Promise.all([peer.close(), database.drop()])
  await rm(directory, { recursive: true, force: true })
})

/** Runs a command to its end. */
function run(words: readonly string[], settings: Record<string, string> = {}): Promise<Ended> {
  return runProgram(words, {
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATA_DIR: directory,
    STENTOR_PUBLIC_URL: 'https://in.orchard.example',
    ...settings,
  })
}

const allowed = { STENTOR_OUTGOING_ALLOW: peer.host }

async function add(described: object): Promise<Ended> {
  const file = join(directory, 'gateway.json')
  await writeFile(file, JSON.stringify(described))
  return run(['gateways', 'add', '--kind', 'rcs-google', '--name', 'rcs-fr', '--file', file])
}

suite('RCS gateways on the command line', () => {
  const settings = { agent: 'orchard_fr_k2', baseUrl: peer.url, tokenUrl: `${peer.url}/token` }
  const secrets = { credentials: JSON.stringify(peer.account), clientToken: 'hunter2hunter2' }

  test('are refused without an agent or service account, and their secrets are not printed', async () => {
    const noAgent = await add({ settings: {}, secrets })
    assert.deepEqual([noAgent.status === 0, /agent/.test(noAgent.errors)], [false, true])
    const noAccount = await add({ settings, secrets: { ...secrets, credentials: '{"private_key":"hunter3"}' } })
    assert.deepEqual([noAccount.status === 0, /client_email/.test(noAccount.errors)], [false, true])
    assert.doesNotMatch(`${noAccount.out}${noAccount.errors}`, /hunter/)
  })

  test('are added from a file with sealed secrets, and checked by the doctor without sending a message', async () => {
    const added = await add({ settings, secrets })
    assert.deepEqual([added.status, added.errors], [0, ''])
    const { out: list } = await run(['gateways', 'list'])
    assert.match(list, /rcs +rcs-fr +rcs-google/)
    const { rows } = await database.pool.query('select gateways::text as text from gateways')
    for (const secret of ['hunter2', 'PRIVATE KEY', peer.account.client_email])
      assert.ok(!`${list}${JSON.stringify(rows)}`.includes(secret), secret)

    const { out: seen } = await run(['doctor'], allowed)
    assert.match(
      seen,
      /ok {3}gateway rcs-fr: 127\.0\.0\.1:\d+ \(instead of Google's\) is reachable, and a token was issued/,
    )
    assert.deepEqual([peer.book.attempts, peer.book.lookups, peer.book.faults], [[], [], []])
    assert.deepEqual(
      peer.tokens.requests.map(({ status }) => status),
      [200],
    )
  })

  test('at a private address are refused unless the installation allows it', async () => {
    const { out } = await run(['doctor'])
    assert.match(out, /gateway rcs-fr: 127\.0\.0\.1:\d+: no token: must be https/)
    assert.equal(peer.tokens.requests.length, 1)
  })
})

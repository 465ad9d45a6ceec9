import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startSmppServer } from '../../fakes/sms/smpp-server.ts'
import { startSmsHttpPeer } from '../../fakes/sms/sms-http-peer.ts'
import { cloneDatabase } from '../../support/database/database.ts'
import { type Ended, runProgram } from '../../support/processes/process.ts'

const directory = await mkdtemp(join(tmpdir(), 'stentor-sms-'))
const database = await cloneDatabase()
const smsc = await startSmppServer({ credentials: { systemId: 'shop', password: 'hunter2' } })
const peer = await startSmsHttpPeer()

after(async () => {
  await Promise.all([smsc.close(), peer.close(), database.drop()])
  await rm(directory, { recursive: true, force: true })
})

/** Runs a command to its end. */
function run(...words: string[]): Promise<Ended> {
  return runProgram(words, {
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATA_DIR: directory,
    STENTOR_PUBLIC_URL: 'https://mail.shop.example',
  })
}

async function describeGateway(described: object): Promise<string> {
  const file = join(directory, 'gateway.json')
  await writeFile(file, JSON.stringify(described))
  return file
}

suite('SMS gateways on the command line', () => {
  test('are added from an address or a file with sealed secrets, and checked by the doctor without sending', async () => {
    const url = `smpp://shop:hunter2@127.0.0.1:${smsc.port}?window=20`
    const smpp = await run('gateways', 'add', '--kind', 'sms-smpp', '--name', 'smpp-fr', '--url', url)
    assert.deepEqual([smpp.status, smpp.errors], [0, ''])
    const settings = {
      url: `http://127.0.0.1:${peer.port}/send?key={{secret.key}}&to={{to}}&text={{text}}`,
      method: 'GET',
    }
    const file = await describeGateway({ settings, secrets: { key: 'hunter3' } })
    const http = await run('gateways', 'add', '--kind', 'sms-http', '--name', 'http-fr', '--file', file)
    assert.match(http.out, /https:\/\/mail\.shop\.example\/hooks\/sms\/[A-Za-z0-9_-]{32}\n$/)
    const token = http.out.trim().slice(-32)

    const { out: list } = await run('gateways', 'list')
    assert.match(list, /sms +smpp-fr +sms-smpp/)
    assert.match(list, /sms +http-fr +sms-http/)
    const { rows } = await database.pool.query('select gateways::text as text from gateways')
    for (const secret of ['hunter2', 'hunter3', token])
      assert.ok(!`${list}${JSON.stringify(rows)}`.includes(secret), secret)

    const { out: seen } = await run('doctor')
    assert.match(seen, /ok {3}gateway smpp-fr: 127\.0\.0\.1:\d+ accepts binds as shop: transceiver, without TLS/)
    assert.match(seen, /ok {3}gateway http-fr: 127\.0\.0\.1:\d+ is reachable/)
    assert.deepEqual([smsc.submitted, smsc.faults, peer.requests], [[], [], []])
  })

  test('with a wrong password or invalid stored settings are reported by the doctor', async () => {
    const url = `smpp://shop:wrong@127.0.0.1:${smsc.port}`
    await run('gateways', 'add', '--kind', 'sms-smpp', '--name', 'shut', '--url', url)
    await database.pool.query(
      `insert into gateways (channel, name, kind, settings) values ('sms', 'broken', 'sms-http', '{}')`,
    )
    const { status, out } = await run('doctor')
    assert.equal(status, 1)
    assert.match(out, /BAD {2}gateway shut: .*ESME_RINVPASWD/)
    assert.match(out, /BAD {2}gateway broken: .*url/)
    assert.doesNotMatch(out, /wrong|BAD {2}database/)
  })

  test('are refused with the setting to change, and nothing is stored', async () => {
    const before = (await run('gateways', 'list')).out
    const sound = { settings: { url: 'https://sms.example/', method: 'GET' } }
    const wrong: [string[], RegExp][] = [
      [['--kind', 'sms-smpp', '--url', 'smpp://shop:hunter2hunter2@smsc.example'], /password/],
      [['--kind', 'sms-smpp', '--url', 'smpp://shop:hunter2@smsc.example?windw=1'], /did you mean window/],
      [['--kind', 'sms-smpp', '--channel', 'email', '--url', 'smpp://smsc.example'], /carries sms, not email/],
      [['--kind', 'sms-smtp', '--url', 'smpp://smsc.example'], /did you mean/],
      [['--kind', 'sms-http', '--url', 'https://sms.example'], /has no address; describe it in a file/],
      [['--kind', 'sms-http', '--file', join(directory, 'none.json')], /ENOENT/],
      [
        ['--kind', 'sms-http', '--file', await describeGateway({ ...sound, secrets: { key: 7 } })],
        /every secret must be a string/,
      ],
    ]
    for (const [args, reason] of wrong) {
      const { status, errors } = await run('gateways', 'add', ...args)
      assert.equal(status, 1, args.join(' '))
      assert.match(errors, reason)
      assert.doesNotMatch(errors, /hunter2|\n {4}at /)
    }
    const file = await describeGateway({ settings: { url: 'https://sms.example/{{too}}', method: 'GET' } })
    assert.match((await run('gateways', 'add', '--kind', 'sms-http', '--file', file)).errors, /did you mean \{\{to\}\}/)
    assert.equal((await run('gateways', 'list')).out, before)
  })
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { connectClient, eventually } from '../../../scripts/demo/client.ts'
import { freePort } from '../../../src/lib/free-port.ts'
import { startSmsHttpPeer } from '../../fakes/sms-http-peer.ts'
import { startSink } from '../../fakes/smtp-sink.ts'
import { cloneDatabase } from '../../support/database.ts'
import { restoreFixture } from '../../support/mid-campaign.ts'
import { programPath } from '../../support/programs.ts'

const MAIN = programPath('src/main.ts')
const KEY = 'a-key-for-the-tests'
const MASTER_KEY = Buffer.from('a master key made for tests only').toString('base64')
const WITHIN_MS = 120_000

const database = await cloneDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'stentor-mid-campaign-'))
const facts = await restoreFixture(database.pool, dataDir)
const { actions } = facts

/** `SUBJECT ADDRESS` of each message of both lives; of SMS, the numbers. */
const arrived = [...facts.arrived]
const numbers = facts.sms.map(({ to }) => to)
const sink = await startSink({
  keep: 'pass',
  onMessage({ to, bytes }) {
    const [, subject] = /^Subject: (.*)\r$/m.exec(bytes.toString('latin1')) ?? []
    for (const address of to) arrived.push(`${subject} ${address}`)
  },
})
const peer = await startSmsHttpPeer(({ body }) => {
  numbers.push(JSON.parse(body).to)
  return { body: JSON.stringify({ id: `n${numbers.length}` }) }
})
const gatewaysFile = join(dataDir, 'gateways.json')
await writeFile(
  gatewaysFile,
  JSON.stringify([
    { name: 'relay', kind: 'smtp', channel: 'email', url: `smtp://127.0.0.1:${sink.port}?tls=none` },
    {
      name: 'operator',
      kind: 'sms-http',
      channel: 'sms',
      settings: {
        url: `http://127.0.0.1:${peer.port}/`,
        headers: { 'content-type': 'application/json' },
        body: '{"to":"{{to}}","text":"{{text}}"}',
        answer: { reference: { pointer: '/id' } },
      },
    },
  ]),
)
const url = `http://127.0.0.1:${await freePort()}`
const service: ChildProcess = spawn(process.execPath, [MAIN, 'start'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    PATH: process.env['PATH'] ?? '',
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATA_DIR: dataDir,
    STENTOR_HTTP_PORT: new URL(url).port,
    STENTOR_SMTP_IN_PORT: '0',
    STENTOR_MASTER_KEY: MASTER_KEY,
    STENTOR_SENDER_THREADS: '1',
    STENTOR_LOG_LEVEL: 'fatal',
    STENTOR_GATEWAYS_FILE: gatewaysFile,
    STENTOR_PUBLIC_URL: 'http://mail.shop.example',
    STENTOR_OUTGOING_ALLOW: `127.0.0.1:${peer.port}`,
  },
})
const { call } = connectClient(url, KEY)

after(async () => {
  const exited = once(service, 'exit')
  if (service.kill('SIGTERM')) await exited
  await Promise.all([sink.close(), peer.close(), database.drop()])
  await rm(dataDir, { recursive: true, force: true })
})

interface Action {
  state: number
  monitor: Record<'recipients' | 'sent' | 'cancelled' | 'refused' | 'held' | 'pending', number>
}
interface Held {
  message: string
  action: string
}
const action = (name: string) => call<Action>('GET', `/actions/${actions[name]}`)
const listHeld = () => call<Held[]>('GET', '/settings/sending/held')
const nameOf = (id: string) => Object.keys(actions).find((name) => actions[name] === id)
/** Follows a link; it is asked again while the database is too busy for it. */
const follow = (path: string) =>
  eventually(`an answer of ${path}`, WITHIN_MS, async () => {
    const answer = await fetch(url + path, { redirect: 'manual' })
    return answer.status === 503 ? undefined : answer
  })
const until = (what: string, isSo: () => Promise<boolean>) =>
  eventually(what, WITHIN_MS, async () => (await isSo()) || undefined)
/** What is put off is due now. */
const passTime = (condition: string) =>
  database.pool.query(`update messages set not_before = now() where state = 'queued' and ${condition}`)
/** `SUBJECT ADDRESS` of held messages, by their id. */
async function keysOf(held: readonly Held[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ stamp: string; email: string }>(
    `select m.stamp, c.key as email from messages m join contacts c on c.id = m.contact where m.state = 'held'`,
  )
  const emails = new Map(rows.map(({ stamp, email }) => [stamp, email]))
  return held.map(({ message, action }) => `${nameOf(action)} ${emails.get(message)}`)
}
/** Addresses that messages of that subject came for, each as often as one came. */
const addressesOf = (subject: string) =>
  arrived.flatMap((key) => (key.startsWith(`${subject} `) ? [key.slice(subject.length + 1)] : [])).sort()

const crowd = Array.from({ length: 2400 }, (_, n) => `c${n}@crowd.example`)
const people = [
  'ann',
  'bob',
  'late-1',
  'late-2',
  'late-3',
  'doubt-1',
  'doubt-2',
  ...Array.from({ length: 15 }, (_, n) => `s${n}`),
].map((name) => `${name}@shop.example`)

suite('upgrade of a service killed in mid-campaign on the schema before sendings', () => {
  test('starts, follows links already sent, and stores hits that waited for the database once', async () => {
    await until('the service', async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok ?? false)
    for (const { to, paths } of facts.letters) {
      assert.ok(paths.length >= 4, to)
      for (const path of paths) {
        const answer = await follow(path)
        const isRedirection = path.startsWith('/t/r/')
        assert.equal(answer.status, isRedirection ? 302 : 200, path)
        if (isRedirection) assert.equal(answer.headers.get('location'), 'https://shop.example/a')
      }
    }
    for (const { text } of facts.sms) {
      const [sale, leave] = [...text.matchAll(/\/s\/[0-9A-Za-z]{10}/g)].map(([path]) => path)
      const followed = await follow(sale!)
      assert.deepEqual([followed.status, followed.headers.get('location')], [302, 'https://shop.example/sale?a=1'])
      const left = await follow(leave!)
      assert.match(left.headers.get('location') ?? '', /\/t\/u\//)
    }
    await until(
      'the spool is empty',
      async () => !(await readdir(join(dataDir, 'spool'))).some((name) => name.endsWith('.ndjson')),
    )
    const agents: string[] = []
    for (const name of ['Finished', 'Order']) {
      type Hit = { source: { detail: { hit: { userAgent: string } } } }
      const hits = await call<Hit[]>('GET', `/actions/${actions[name]}/events/hits?classification=all`)
      agents.push(...hits.map(({ source }) => source.detail.hit.userAgent).filter((agent) => agent.includes('n:')))
    }
    assert.deepEqual(agents.sort(), facts.hits.map(({ agent }) => agent).sort())
  })

  test('sends what was waiting, and keeps held and doubtful messages held', async () => {
    const isOver = async (name: string) => (await action(name)).state === 60
    for (const name of ['Big', 'Half', 'Paced'])
      await until(name, async () => {
        await passTime('attempts > 0')
        return isOver(name)
      })
    const { rows: waiting } = await database.pool.query(
      `select count(*)::integer as n from messages m join sendings s on s.id = m.sending
       where s.source = $1 and m.state = 'queued' and m.attempts = 0 and m.not_before > now() + interval '1 hour'`,
      [Number.parseInt(actions['Zoned']!, 36)],
    )
    assert.equal(waiting[0].n, 11, 'those whose clocks do not show the time yet')
    await passTime('true')
    // In doubt is all that the process had claimed and not recorded: its journal has no boot id.
    const held = await listHeld()
    const keys = await keysOf(held)
    for (const key of ['Order doubt-1@shop.example', 'Order doubt-2@shop.example']) assert.ok(keys.includes(key), key)
    assert.ok(held.length > 3, `${held.length} are held`)
    assert.equal((await action('Big')).monitor.held, keys.filter((key) => key.startsWith('Big ')).length)
    const known = new Set(arrived)
    const decide = (decision: string, isSo: (key: string) => boolean) =>
      call('POST', '/settings/sending/held/release', {
        decision,
        messages: held.filter((_, n) => isSo(keys[n]!)).map(({ message }) => message),
      })
    await decide('drop', (key) => known.has(key))
    await decide('send', (key) => !known.has(key))
    await until('the rest', async () => {
      await passTime('true')
      const { rows } = await database.pool.query(
        `select count(*)::integer as n from messages m join sendings s on s.id = m.sending where not s.paused`,
      )
      return rows[0].n === 0
    })
    assert.deepEqual(addressesOf('Big'), [...crowd, ...people].sort())
    assert.deepEqual(addressesOf('Half'), [...crowd.slice(80), ...people].sort())
    assert.deepEqual(addressesOf('Paced'), crowd.slice(0, 80).sort())
    assert.deepEqual(addressesOf('Zoned'), people.toSorted())
    assert.deepEqual(addressesOf('Gone'), [])
    const copies = ['late-bcc@desk.example', 'late-bob@desk.example', 'late-cc@desk.example']
    const orders = ['ann', 'bob', 'doubt-1', 'doubt-2', 'late-1', 'late-2', 's3', 's4', 's5']
    assert.deepEqual(addressesOf('Order'), [...copies, ...orders.map((name) => `${name}@shop.example`)].sort())
    assert.deepEqual(
      numbers.sort(),
      Array.from({ length: 12 }, (_, n) => `+336030000${String(n).padStart(2, '0')}`),
    )
  })

  test('adds up the monitors of both runs, ends the test, and keeps the pause until it is lifted', async () => {
    const { started: _, lastSent: __, ...finished } = facts.monitors['Finished'].monitor
    assert.partialDeepStrictEqual((await action('Finished')).monitor, finished)
    for (const [name, recipients] of Object.entries({ Big: 2422, Half: 2342, Paced: 80, Zoned: 22, Short: 12 })) {
      await until(name, async () => (await action(name)).state === 60)
      const { sent, held, cancelled, refused, pending, ...monitor } = (await action(name)).monitor
      assert.deepEqual(
        [name, monitor.recipients, sent + held, cancelled, refused, pending],
        [name, recipients, recipients, 0, 0, 0],
      )
    }
    await until('the test', async () => (await action('Tested')).state === 38)
    assert.equal(arrived.filter((key) => key.endsWith(' late-proof@desk.example')).length, 1)
    const before = facts.arrived.filter((key) => key.startsWith('Paused ')).length
    const paused = await action('Paused')
    assert.deepEqual([paused.state, paused.monitor.sent, addressesOf('Paused').length], [55, before, before])
    await call('DELETE', `/actions/${actions['Paused']}/pause`)
    await until('the paused one', async () => (await action('Paused')).state === 60)
    assert.deepEqual(addressesOf('Paused'), crowd.slice(0, 80).sort())
  })
})

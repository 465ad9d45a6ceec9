import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import pg from 'pg'
import { type Client, connectClient, eventually } from '../../scripts/demo/client.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { type Sink, startSink } from '../fakes/smtp-sink.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const KEY = 'a-key-for-the-tests'
const WITHIN_MS = 90_000
const root = await mkdtemp(join(tmpdir(), 'stentor-backup-'))
await chmod(root, 0o755)
const running = new Set<ChildProcess>()
const smtpPort = await freePort()
let sink: Sink | undefined

after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await sink?.close()
  await rm(root, { recursive: true, force: true })
})

const environment = (name: string, port = 0) => ({
  PATH: process.env['PATH'] ?? '',
  STENTOR_DATA_DIR: join(root, name),
  STENTOR_HTTP_PORT: String(port),
  STENTOR_SMTP_IN_PORT: '0',
  STENTOR_BOOTSTRAP_KEY: KEY,
  STENTOR_SENDER_THREADS: '1',
  STENTOR_LOG_LEVEL: 'silent',
  STENTOR_PUBLIC_URL: 'http://mail.shop.example',
})

interface Ended {
  status: number
  out: string
  errors: string
}

/** Runs a command on a data directory to its end. */
function run(name: string, words: string[], more: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...words], { env: { ...environment(name), ...more } }, (error, out, errors) =>
      resolve({ status: Number(error?.code ?? 0), out, errors }),
    )
  })
}

async function done(name: string, ...words: string[]): Promise<string> {
  const { status, out, errors } = await run(name, words)
  assert.equal(status, 0, errors)
  return out
}

interface Service extends Client {
  stop(): Promise<void>
}

async function start(name: string): Promise<Service> {
  const port = await freePort()
  const child = spawn(process.execPath, [MAIN, 'start'], {
    env: environment(name, port),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  const url = `http://127.0.0.1:${port}`
  await eventually(
    'the service',
    WITHIN_MS,
    async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok || undefined,
  )
  return {
    ...connectClient(url, KEY),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      running.delete(child)
    },
  }
}

const openSink = async () => (sink = await startSink({ port: smtpPort }))
const closeSink = async () => {
  await sink?.close()
  sink = undefined
}
/** The addresses that mail came for, sorted. */
const received = () =>
  (sink?.messages ?? [])
    .flatMap(({ to }) => to)
    .filter((to) => to !== 'proof@desk.example')
    .sort()

interface Action {
  id: string
  state: number
  monitor: { held: number; sent: number; pending: number } | null
}
const action = (client: Client, id: string) => client.call<Action>('GET', `/actions/${id}`)
const inState = (client: Client, id: string, state: number) =>
  eventually(`state ${state}`, WITHIN_MS, async () => (await action(client, id)).state === state || undefined)

/** Makes an action and validates it for production. */
async function validated(client: Client, more: object): Promise<string> {
  const content = { subject: 'Hello', html: '<html><body><a href="https://shop.example/a">Come in</a></body></html>' }
  const { id } = await client.call<Action>('POST', '/actions', {
    name: 'Letter',
    content,
    settings: { archive: true },
    ...more,
  })
  await client.call('POST', `/actions/${id}/validation`, { fortest: true, mediaForTest: 'proof@desk.example' })
  await inState(client, id, 38)
  await client.call('POST', `/actions/${id}/validation`, { fortest: false })
  return id
}

const sendTo = (client: Client, id: string, contact: string) =>
  client.call<{ id: string }[]>('POST', `/actions/${id}/executions`, [{ recipient: { type: 'id', value: contact } }])

/** What of an installation must be the same again. */
async function told(client: Client, contact: string, stamp: string) {
  const [archive] = [await client.call<{ url: string }>('GET', `/actions/stamp/${stamp}/archives`)].flat()
  const eml = await fetch(client.url + new URL(archive!.url).pathname)
  return {
    contact: await client.call('GET', `/targets/${contact}`),
    events: await client.call('GET', `/targets/${contact}/events`),
    fields: await client.call('GET', '/fields'),
    archive: [eml.status, await eml.text()],
  }
}

suite('a backup', () => {
  test('taken while the service runs is restored elsewhere, and sends nothing a second time by itself', async () => {
    await openSink()
    await done('first', 'gateways', 'add', '--kind', 'smtp', '--url', `smtp://127.0.0.1:${smtpPort}?tls=none`)
    const first = await start('first')
    const make = async (address: string) =>
      (await first.call<{ id: string }>('POST', '/targets', { Email: address })).id
    const [ann, bob, cleo] = [
      await make('ann@shop.example'),
      await make('bob@shop.example'),
      await make('cleo@shop.example'),
    ]
    const letter = await validated(first, { type: 'mailMessage' })
    const [sent] = await sendTo(first, letter, ann)
    await eventually('the first mail', WITHIN_MS, async () => received().includes('ann@shop.example') || undefined)
    const segment = await first.call<{ id: number }>('POST', '/segments', { type: 'static', name: 'Readers' })
    await first.call('PUT', `/segments/${segment.id}/targets`, [bob, cleo])
    await first.call('POST', '/imports', { name: 'Contacts', features: [] })
    const scheduler = { type: 'asap', segments: { selected: [segment.id] } }
    const { id: campaign } = await first.call<Action>('POST', '/actions', {
      type: 'mailCampaign',
      name: 'Campaign',
      scheduler,
      content: { subject: 'Hi', html: '<p>Hello</p>' },
    })
    await first.call('POST', `/actions/${campaign}/validation`, { fortest: true, mediaForTest: 'proof@desk.example' })
    await inState(first, campaign, 38)

    // The relay is away: what is asked for now waits in the outbox that is copied.
    await closeSink()
    await sendTo(first, letter, bob)
    await first.call('POST', `/actions/${campaign}/validation`, { fortest: false })
    await inState(first, campaign, 55)
    await eventually(
      'the plan',
      WITHIN_MS,
      async () => (await action(first, campaign)).monitor?.pending === 2 || undefined,
    )

    let written = 0
    const writing = { on: true }
    const writer = (async () => {
      for (; writing.on; written++) await make(`more-${written}@shop.example`)
    })()
    const backup = join(root, 'backup')
    assert.match(await done('first', 'backup', '--to', backup), /Backup of \d+ rows and \d+ files made/)
    writing.on = false
    await writer
    const before = await told(first, ann, sent!.id)

    // After the backup all of it leaves.
    await openSink()
    await eventually('the rest', WITHIN_MS, async () => received().length >= 3 || undefined)
    assert.deepEqual(received(), ['bob@shop.example', 'bob@shop.example', 'cleo@shop.example'])
    const full = await run('first', ['restore', '--from', backup])
    assert.match(
      full.errors,
      /^stentor: \S+ is not empty: set STENTOR_DATA_DIR to a new directory; a restore overwrites nothing\.\n$/,
    )
    await first.stop()
    await closeSink()

    assert.match(await done('second', 'restore', '--from', backup), /Restored from .*is held/s)
    await openSink()
    const second = await start('second')
    assert.deepEqual(await told(second, ann, sent!.id), before)
    // What comes later than the copied outbox leaves; of that, nothing did.
    await sendTo(second, letter, cleo)
    await eventually('new mail', WITHIN_MS, async () => received().length > 0 || undefined)
    const restored = new pg.Client({ connectionString: (await done('second', 'psql', '--address')).trim() })
    await restored.connect()
    const waiting = () =>
      restored.query("select kind, state from messages where state <> 'claimed' or kind = 'message'")
    await eventually('its outcome', WITHIN_MS, async () => (await waiting()).rows.length === 1 || undefined)
    assert.deepEqual((await waiting()).rows, [{ kind: 'message', state: 'held' }])
    assert.deepEqual(received(), ['cleo@shop.example'])
    const { state, monitor } = await action(second, campaign)
    assert.deepEqual({ state, pending: monitor?.pending }, { state: 55, pending: 2 })
    const { rows } = await restored.query('select paused from actions where state = 55')
    assert.deepEqual(rows, [{ paused: true }])
    await restored.end()
    // Ids go on after those that were given out, and links of the first installation lead on.
    const { id: next } = await second.call<{ id: string }>('POST', '/targets', { Email: 'dora@shop.example' })
    assert.ok(next > cleo)
    await second.stop()
    await closeSink()

    await openSink()
    await done('third', 'restore', '--from', backup, '--outbox', 'send')
    const third = await start('third')
    await eventually('the copied outbox', WITHIN_MS, async () => received().length >= 3 || undefined)
    assert.deepEqual(received(), ['bob@shop.example', 'bob@shop.example', 'cleo@shop.example'])
    await third.stop()
    await closeSink()
  })

  test('without secrets has no master key, and says so; one that is not whole is refused', async () => {
    const backup = join(root, 'without')
    assert.match(await done('first', 'backup', '--to', backup, '--without-secrets'), /master key is not in it/)
    assert.equal((await readdir(backup)).includes('master.key'), false)
    assert.match(await done('keyless', 'restore', '--from', backup), /holds no master key: put it into/)
    assert.match((await run('keyless', ['start'])).errors, /^stentor: The master key is missing/)
    assert.match(
      (await run('first', ['backup', '--to', backup])).errors,
      /^stentor: \S+ is not empty: name a directory that is new\.\n$/,
    )
    await rm(join(backup, 'backup.json'))
    assert.match((await run('other', ['restore', '--from', backup])).errors, /^stentor: \S+ is no whole backup/)
    assert.match(
      (await run('other', ['restore', '--from', backup, '--outbox', 'perhaps'])).errors,
      /^stentor: --outbox must be hold or send\.\n$/,
    )
    assert.match((await run('other', ['backup'])).errors, /^stentor: --to is required\.\n$/)
  })

  test('leaves nothing that starts when its restore was cut off', async () => {
    await mkdir(join(root, 'cut'))
    await writeFile(join(root, 'cut', 'restoring'), '')
    assert.match(
      (await run('cut', ['start'])).errors,
      /^stentor: A restore into \S+ did not end: delete that directory/,
    )
  })

  test('is not put into a database that is in use', async () => {
    const backup = join(root, 'backup')
    const service = await start('first')
    const url = (await done('first', 'psql', '--address')).trim()
    const { status, errors } = await run('beside', ['restore', '--from', backup], { STENTOR_DATABASE_URL: url })
    assert.equal(status, 1)
    assert.match(errors, /^stentor: The database of STENTOR_DATABASE_URL is not empty/)
    await service.stop()
  })
})

test('stentor psql gives the address of the embedded database, or runs psql on it', async () => {
  const service = await start('first')
  const client = new pg.Client({ connectionString: (await done('first', 'psql', '--address')).trim() })
  await client.connect()
  assert.deepEqual((await client.query('select code from (select agency || customer as code from accounts) a')).rows, [
    { code: 'DEMO001' },
  ])
  await client.end()
  const bin = join(root, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'psql'), '#!/bin/sh\necho "$@" "${PGPASSWORD:+with a password}"\nexit 3\n', { mode: 0o755 })
  const ran = await run('first', ['psql', '--', '-c', 'select 1'], { PATH: `${bin}:/usr/bin:/bin` })
  assert.match(
    ran.out,
    /^postgres:\/\/stentor@127\.0\.0\.1:\d+\/stentor\?sslmode=disable -c select 1 with a password\n$/,
  )
  assert.equal(ran.status, 3)
  const none = await run('first', ['psql'], { PATH: bin.replace('bin', 'none') })
  assert.match(none.out, /There is no psql on this machine.*\npostgres:/)
  await service.stop()
})

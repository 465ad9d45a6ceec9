import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import pg from 'pg'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { type Sink, startSink } from '../../fakes/mail/smtp-sink.ts'
import { type Ended, makeService, runProgram, type Service } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const root = await mkdtemp(join(tmpdir(), 'stentor-backup-'))
await chmod(root, 0o755)
const running = new Set<Service>()
const smtpPort = await findFreePort()
let sink: Sink | undefined

after(async () => {
  for (const service of running) await service.kill()
  await sink?.close()
  await rm(root, { recursive: true, force: true })
})

const settings = (name: string) => ({
  STENTOR_DATA_DIR: join(root, name),
  STENTOR_LOG_LEVEL: 'silent',
  STENTOR_PUBLIC_URL: 'http://mail.shop.example',
})

/** Runs a command on a data directory to its end. */
function run(name: string, words: string[], more: Record<string, string> = {}): Promise<Ended> {
  return runProgram(words, { ...settings(name), ...more })
}

async function done(name: string, ...words: string[]): Promise<string> {
  const { status, out, errors } = await run(name, words)
  assert.equal(status, 0, errors)
  return out
}

async function start(name: string): Promise<Service> {
  const service = await makeService(settings(name))
  running.add(service)
  await service.start()
  return service
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
const action = (client: Service, id: string) => client.call<Action>('GET', `/actions/${id}`)
const inState = (client: Service, id: string, state: number) =>
  eventually(async () => (await action(client, id)).state === state)

/** Makes an action and validates it for production. */
async function validated(client: Service, more: object): Promise<string> {
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

const sendTo = (client: Service, id: string, contact: string) =>
  client.call<{ id: string }[]>('POST', `/actions/${id}/executions`, [{ recipient: { type: 'id', value: contact } }])

/** What of an installation must be the same again. */
async function shown(client: Service, contact: string, stamp: string) {
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
  test('taken while the service runs, it can be restored elsewhere and then sends nothing a second time by default', async () => {
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
    const { bytes } = await eventually(() => sink?.messages.find(({ to }) => to.includes('ann@shop.example')))
    const [link = ''] =
      /(?<=href="http:\/\/mail\.shop\.example)[^"]+/.exec((await simpleParser(bytes)).html || '') ?? []
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
    await eventually(async () => (await action(first, campaign)).monitor?.pending === 2)

    let written = 0
    const writing = { on: true }
    const writer = (async () => {
      for (; writing.on; written++) await make(`more-${written}@shop.example`)
    })()
    const backup = join(root, 'backup')
    assert.match(await done('first', 'backup', '--to', backup), /Backed up \d+ rows and \d+ files to /)
    writing.on = false
    await writer
    const before = await shown(first, ann, sent!.id)

    // After the backup all of it leaves.
    await openSink()
    await eventually(() => received().length >= 3)
    assert.deepEqual(received(), ['bob@shop.example', 'bob@shop.example', 'cleo@shop.example'])
    const full = await run('first', ['restore', '--from', backup])
    assert.match(
      full.errors,
      /^stentor: \S+ is not empty, and a restore does not overwrite data\. Set STENTOR_DATA_DIR to a new directory\.\n$/,
    )
    await first.end('SIGTERM')
    await closeSink()

    assert.match(await done('second', 'restore', '--from', backup), /Restored from .*are held/s)
    await openSink()
    const second = await start('second')
    assert.deepEqual(await shown(second, ann, sent!.id), before)
    // What comes later than the copied outbox leaves; of that, nothing did.
    await sendTo(second, letter, cleo)
    await eventually(() => received().length > 0)
    const restored = new pg.Client({ connectionString: (await done('second', 'psql', '--address')).trim() })
    await restored.connect()
    const readSingleMessages = () => restored.query("select state from messages where kind = 'message'")
    await eventually(async () => (await readSingleMessages()).rows.length === 1)
    assert.deepEqual((await readSingleMessages()).rows, [{ state: 'held' }])
    assert.deepEqual(received(), ['cleo@shop.example'])
    const { state, monitor } = await action(second, campaign)
    // A sender may or may not have tried the campaign by the time of the copy: its messages are then held, else pending.
    assert.deepEqual({ state, unsent: monitor!.pending + monitor!.held }, { state: 55, unsent: 2 })
    const { rows } = await restored.query("select paused from sendings where kind = 'campaign'")
    assert.deepEqual(rows, [{ paused: true }])
    await restored.end()
    const { status, headers } = await fetch(second.url + link, { redirect: 'manual' })
    const led = [status, headers.get('location')]
    assert.deepEqual(led, [302, 'https://shop.example/a'], 'links of the first installation lead on')
    // Ids go on after those that were given out.
    const { id: next } = await second.call<{ id: string }>('POST', '/targets', { Email: 'dora@shop.example' })
    assert.ok(next > cleo)
    await second.end('SIGTERM')
    await closeSink()

    await openSink()
    await done('third', 'restore', '--from', backup, '--outbox', 'send')
    const third = await start('third')
    await eventually(() => received().length >= 3)
    assert.deepEqual(received(), ['bob@shop.example', 'bob@shop.example', 'cleo@shop.example'])
    await third.end('SIGTERM')
    await closeSink()
  })

  test('without secrets it has no master key and says so, and an incomplete backup is refused', async () => {
    const backup = join(root, 'without')
    assert.match(await done('first', 'backup', '--to', backup, '--without-secrets'), /does not contain the master key/)
    assert.equal((await readdir(backup)).includes('master.key'), false)
    assert.match(await done('keyless', 'restore', '--from', backup), /does not contain the master key\. Copy it to/)
    assert.match((await run('keyless', ['start'])).errors, /^stentor: The master key is missing/)
    assert.match(
      (await run('first', ['backup', '--to', backup])).errors,
      /^stentor: \S+ is not empty\. Choose a new directory\.\n$/,
    )
    await rm(join(backup, 'backup.json'))
    assert.match((await run('other', ['restore', '--from', backup])).errors, /^stentor: \S+ is not a complete backup/)
    assert.match(
      (await run('other', ['restore', '--from', backup, '--outbox', 'perhaps'])).errors,
      /^stentor: --outbox must be hold or send\.\n$/,
    )
    assert.match((await run('other', ['backup'])).errors, /^stentor: --to is required\.\n$/)
  })

  test('the service does not start after an interrupted restore', async () => {
    await mkdir(join(root, 'cut'))
    await writeFile(join(root, 'cut', 'restoring'), '')
    assert.match(
      (await run('cut', ['start'])).errors,
      /^stentor: A restore into \S+ did not finish\. Delete that directory/,
    )
  })

  test('cannot be restored into a database in use', async () => {
    const backup = join(root, 'backup')
    const service = await start('first')
    const url = (await done('first', 'psql', '--address')).trim()
    const { status, errors } = await run('beside', ['restore', '--from', backup], { STENTOR_DATABASE_URL: url })
    assert.equal(status, 1)
    assert.match(errors, /^stentor: The database of STENTOR_DATABASE_URL is not empty/)
    await service.end('SIGTERM')
  })
})

test('stentor psql prints the address of the embedded database or runs psql on it', async () => {
  const service = await start('first')
  const client = new pg.Client({ connectionString: (await done('first', 'psql', '--address')).trim() })
  await client.connect()
  assert.deepEqual((await client.query('select code from (select agency || customer as code from accounts) a')).rows, [
    { code: 'DEMO001' },
  ])
  await client.end()
  const bin = join(root, 'bin')
  await mkdir(bin)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the shell's.
  const script = '#!/bin/sh\necho "$@" "${PGPASSWORD:+with a password}"\nexit 3\n'
  await writeFile(join(bin, 'psql'), script, { mode: 0o755 })
  const ran = await run('first', ['psql', '--', '-c', 'select 1'], { PATH: `${bin}:/usr/bin:/bin` })
  assert.match(
    ran.out,
    /^postgres:\/\/stentor@127\.0\.0\.1:\d+\/stentor\?sslmode=disable -c select 1 with a password\n$/,
  )
  assert.equal(ran.status, 3)
  const none = await run('first', ['psql'], { PATH: bin.replace('bin', 'none') })
  assert.match(none.out, /psql is not installed on this machine.*\npostgres:/)
  await service.end('SIGTERM')
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { loadConfiguredMasterKeys } from '../../../src/cli/commands/master-keys.ts'
import { readConfig } from '../../../src/config.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { resolvePostgresAccount } from '../../../src/database/embedded/account.ts'
import { createAccountTokenKeys, type MessageLinkToken, signLinkToken } from '../../../src/lib/crypto/tokens.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { startReceiver } from '../../fakes/web/webhook-receiver.ts'
import { databaseFolder } from '../../support/database/database.ts'
import { immune, makeReadOnly, makeWritable } from '../../support/database/refusing.ts'
import { canMount } from '../../support/database/small-disks.ts'
import { prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 6000
/** Hits answered while the database refuses them, and in all. */
const [REFUSED_HITS, HITS] = [2000, 6000]

/** A way to have PostgreSQL refuse what is written, and to end that. */
interface Refusing {
  refuse(): Promise<void>
  allow(): Promise<void>
}

/** The program as a process of its own, with a relay that takes everything. */
async function startService(t: TestContext, prepare: (databaseUrl: string) => Promise<void> = async () => undefined) {
  const received: string[] = []
  const sink = await startSink({ keep: 'pass', onMessage: ({ to }) => received.push(...to) })
  const receiver = await startReceiver()
  let admin: ReturnType<typeof openDatabasePool> | undefined
  t.after(() => Promise.all([sink.close(), receiver.close(), admin?.close()]))
  const service = await prepareService(t, {
    STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    STENTOR_SENDER_THREADS: '2',
    STENTOR_LOG_LEVEL: 'info',
    STENTOR_OUTGOING_ALLOW: receiver.host,
  })
  const { url } = service.database
  await prepare(url)
  admin = openDatabasePool(immune(url), { max: 1, applicationName: 'test' })
  await service.start()
  return { ...service, received, receiver, pool: admin.pool }
}

type Service = Awaited<ReturnType<typeof startService>>

async function importContacts({ call }: Service, signal: AbortSignal): Promise<void> {
  const { id } = await call('POST', '/imports', { name: 'everybody' })
  const file = `Email\n${Array.from({ length: CONTACTS }, (_, n) => `p${n}@full.example\n`).join('')}`
  const { id: execution } = await call('POST', `/imports/${id}/executions`, file, 'text/csv')
  await eventually(async () => (await call('GET', `/imports/${id}/executions/${execution}`)).state !== 0, signal)
}

/** Sends one message; gives its action, and the path of its link. */
async function sendMessage({ call, pool, dataDir }: Service, signal: AbortSignal) {
  await call('PUT', '/settings/sending', { testRequired: false })
  const html = '<html><body><a href="https://shop.example/a">Come in</a></body></html>'
  const { id: action } = await call('POST', '/actions', {
    type: 'mailMessage',
    name: 'one',
    content: { subject: 'Hello', html },
  })
  await call('POST', `/actions/${action}/validation`, { fortest: false })
  await call('POST', `/actions/${action}/execution`, { recipient: { type: 'unicity', value: ['p0@full.example'] } })
  const columns = 'account, source_kind as "sourceKind", source, version, contact, stamp'
  const message = await eventually(
    async () => (await pool.query(`select ${columns} from sent_messages`)).rows[0],
    signal,
  )
  const token: MessageLinkToken = { ...message, test: false, silent: false, kind: 'redirection', link: 1 }
  const keys = createAccountTokenKeys(loadConfiguredMasterKeys(readConfig({ STENTOR_DATA_DIR: dataDir })))
  return { action, path: `/t/r/${signLinkToken(keys, token)}` }
}

const agentOf = (n: number): string => `Mozilla/5.0 (X11; Linux x86_64; n:${n}) Firefox/140.0`

function visit(url: string, agent: Agent, n: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  request(url, { agent, headers: { 'user-agent': agentOf(n) }, timeout: 20_000 }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0))
  })
    .on('error', () => resolve(0))
    .end()
  return promise
}

/** Follows a link again and again on eight connections; counts the visits, until it is ended. */
function startHitting(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const statuses = new Map<number, number>()
  let [sent, isOver] = [0, false]
  const connections = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const n = sent++
      statuses.set(n, await visit(url, agent, n))
    }
  })
  return {
    count: () => statuses.size,
    async end() {
      isOver = true
      await Promise.all(connections)
      agent.destroy()
      return statuses
    },
  }
}

async function holds(t: TestContext, service: Service, { refuse, allow }: Refusing): Promise<void> {
  const { signal } = t
  const { ask, call, pool, received, receiver, url, dataDir, log } = service
  await importContacts(service, signal)
  const { action, path } = await sendMessage(service, signal)
  await call('POST', '/webhooks', {
    name: 'all',
    url: receiver.url,
    events: ['activations'],
    batch: { size: 100, waitMs: 100 },
  })
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  const { id: campaign } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'Hello', html: '<p>Come in.</p>' },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })
  const { id: source } = await call('POST', '/imports', { name: 'more' })

  const hitting = startHitting(url + path)
  t.after(() => hitting.end())
  received.length = 0
  await call('POST', `/actions/${campaign}/validation`, { fortest: false })
  await eventually(() => received.length > 500, signal)
  const more = `Email\n${Array.from({ length: 30_000 }, (_, n) => `m${n}@full.example\n`).join('')}`
  const { id: execution } = await call('POST', `/imports/${source}/executions`, more, 'text/csv')
  await refuse()
  const known = hitting.count()
  // Once one is refused, nothing is accepted any more.
  const refusal = await eventually(async () => {
    const answer = await ask('POST', '/categories', { name: `Category ${crypto.randomUUID()} ${'x'.repeat(40)}` })
    return !answer.ok && answer
  }, signal)
  const { type } = (await refusal.json()) as { type: string }
  assert.deepEqual(
    [refusal.status, type, refusal.headers.get('retry-after')],
    [503, 'urn:stentor:problem:unavailable', '5'],
  )
  await eventually(() => hitting.count() >= known + REFUSED_HITS, signal)
  assert.notDeepEqual(
    (await readdir(join(dataDir, 'spool'))).filter((name) => name.endsWith('.ndjson')),
    [],
  )
  assert.equal((await ask('GET', `/actions/${campaign}`)).status, 200)
  await allow()
  await eventually(() => hitting.count() >= HITS, signal)
  const statuses = await hitting.end()

  const { monitor } = await eventually(async () => {
    const shown = await call('GET', `/actions/${campaign}`)
    return shown.state === 60 && shown
  }, signal)
  const { sent, held, cancelled, refused, pending } = monitor
  assert.deepEqual(
    { sent, held, cancelled, refused, pending },
    { sent: CONTACTS, held: 0, cancelled: 0, refused: 0, pending: 0 },
  )
  assert.deepEqual([received.length, new Set(received).size], [CONTACTS, CONTACTS])
  assert.doesNotMatch(log(), /sender died/)

  await eventually(
    async () => !(await readdir(join(dataDir, 'spool'))).some((name) => name.endsWith('.ndjson')),
    signal,
  )
  assert.deepEqual(new Set(statuses.values()), new Set([302]))
  type Hit = { source: { detail: { hit: { userAgent: string } } } }
  const stored: Hit[] = await call('GET', `/actions/${action}/events/hits?classification=all`)
  const agents = stored.map(({ source: { detail } }) => detail.hit.userAgent).sort()
  assert.deepEqual(agents, [...statuses.keys()].map(agentOf).sort(), 'every answered hit is stored once')

  const run = await eventually(async () => {
    const shown = await call('GET', `/imports/${source}/executions/${execution}`)
    return shown.state !== 0 && shown
  }, signal)
  assert.deepEqual([run.state, run.created, run.error ?? null], [1, 30_000, null])
  const delivered = await eventually(async () => {
    const { rows } = await pool.query(
      'select (select count(*) from listener_queue) + (select count(*) from webhook_deliveries) as n',
    )
    return rows[0].n === 0 && receiver.received
  }, signal)
  const ids = delivered.map(({ headers }) => headers['webhook-id'])
  assert.equal(new Set(ids).size, ids.length, 'no delivery came twice')
  t.diagnostic(
    `${statuses.size} hits, ${log().match(/waiting for the database|waits for the database/g)?.length ?? 0} times a sender waited`,
  )
}

test('nothing is lost or duplicated while the database is read-only', async (t) => {
  const service = await startService(t)
  await holds(t, service, { refuse: () => makeReadOnly(service.pool), allow: () => makeWritable(service.pool) })
})

const run = promisify(execFile)

/** The folder of a server's cluster below that of temporary databases, by its port: our role may not ask for it. */
async function clusterOf(databaseUrl: string): Promise<string> {
  const { port } = new URL(databaseUrl)
  const folder = await databaseFolder()
  for (const name of await readdir(folder)) {
    if (!name.startsWith('stentor-database-')) continue
    const { stdout } = await run('find', [join(folder, name), '-maxdepth', '5', '-name', 'postmaster.pid'])
    for (const file of stdout.split('\n').filter(Boolean)) {
      if ((await readFile(file, 'utf8')).split('\n')[3] === port) return dirname(file)
    }
  }
  throw new Error(`no cluster has port ${port}`)
}

/** Puts the files of a database that is not open yet on a small disk of their own; gives where that is. */
async function onSmallDisk(databaseUrl: string, megabytes: number): Promise<string> {
  const { pool, close } = openDatabasePool(databaseUrl, { max: 1 })
  const { rows } = await pool.query('select oid from pg_database where datname = current_database()')
  await close()
  const files = join(await clusterOf(databaseUrl), 'base', String(rows[0].oid))
  const copy = await mkdtemp(join(tmpdir(), 'stentor-copy-'))
  const { uid, gid } = await resolvePostgresAccount()
  await run('cp', ['-a', `${files}/.`, copy])
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,uid=${uid},gid=${gid},mode=700`, 'tmpfs', files])
  await run('cp', ['-a', `${copy}/.`, files])
  await rm(copy, { recursive: true })
  return files
}

test("nothing is lost or duplicated while the database's disk is full", {
  skip: !(await canMount()) && 'no disk can be made here',
}, async (t) => {
  let disk = ''
  t.after(async () => {
    if (disk !== '') await run('umount', ['-l', disk])
  })
  const service = await startService(t, async (url) => {
    disk = await onSmallDisk(url, 400)
  })
  const filler = join(disk, 'filler')
  await holds(t, service, {
    async refuse() {
      const { bavail, bsize } = await statfs(disk)
      await assert.rejects(writeFile(filler, Buffer.alloc((bavail + 1) * bsize)), { code: 'ENOSPC' })
    },
    allow: () => rm(filler),
  })
})

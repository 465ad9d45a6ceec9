import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../src/lib/free-port.ts'
import { cloneDatabase } from '../database.ts'
import { startSink } from '../fakes/smtp-sink.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const KEY = 'a-key-for-the-tests'
/** Three slices of the plan. */
const CONTACTS = 12_000
/** The process is killed as the sink takes these. */
const KILLED_AT = [700, 4100, 8300]
const TIMEOUT_MS = 240_000

const addressOf = (n: number): string => `p${n}@killed.example`

/** Asks until the answer is there; the test's own time limit ends it. */
async function eventually<Answer>(signal: AbortSignal, ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted()
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    await delay(20)
  }
}

test('case 17: a campaign whose process is killed again and again has each contact once, or held as doubtful', {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { signal } = t
  const database = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-kill-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const received: string[] = []
  const deaths = [...KILLED_AT]
  let service: ChildProcess | undefined
  const sink = await startSink({
    keep: 'pass',
    // Before the reply to it leaves: what is taken now is what nobody knows of.
    onMessage({ to }) {
      received.push(...to)
      if (received.length !== deaths[0]) return
      deaths.shift()
      service?.kill('SIGKILL')
    },
  })
  async function start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN, 'start'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'] ?? '',
        STENTOR_DATABASE_URL: database.url,
        STENTOR_DATA_DIR: dataDir,
        STENTOR_HTTP_PORT: String(port),
        STENTOR_BOOTSTRAP_KEY: KEY,
        STENTOR_SMTP_IN_PORT: '0',
        STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
        STENTOR_SENDER_THREADS: '2',
        STENTOR_LOG_LEVEL: 'fatal',
      },
    })
    service = child
    await eventually(signal, async () => (await fetch(`${url}/health/ready`)).ok || undefined)
  }
  async function died(): Promise<void> {
    if (service && service.exitCode === null && service.signalCode === null) await once(service, 'exit', { signal })
  }
  async function kill(): Promise<void> {
    if (!service || service.exitCode !== null || service.signalCode !== null) return
    const exited = once(service, 'exit')
    service.kill('SIGKILL')
    await exited
  }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  t.after(async () => {
    await kill()
    await Promise.all([sink.close(), database.drop()])
    await rm(dataDir, { recursive: true, force: true })
  })

  await start()
  const { id: source } = await call('POST', '/imports', { name: 'everybody' })
  const file = `Email\n${Array.from({ length: CONTACTS }, (_, n) => `${addressOf(n)}\n`).join('')}`
  const headers = { 'x-key': KEY, 'content-type': 'text/csv' }
  const uploaded = await fetch(`${url}/imports/${source}/executions`, { method: 'POST', headers, body: file })
  const { id: execution } = JSON.parse(await uploaded.text())
  await eventually(signal, async () =>
    (await call('GET', `/imports/${source}/executions/${execution}`)).state === 0 ? undefined : true,
  )
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  await call('PUT', '/settings/sending', { testRequired: false })
  const { id } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'Hello {{ contact.Email }}', html: '<p>Come in.</p>' },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })

  await call('POST', `/actions/${id}/validation`, { fortest: false })
  // Once while it is planned, at whatever place: some of it may have left already.
  await eventually(signal, async () =>
    (await call('GET', `/actions/${id}`)).monitor.recipients > 0 ? true : undefined,
  )
  await kill()
  // Who comes later is none of the audience.
  const clients = await database.pool.query<{ n: number }>('select count(*)::integer as n from contacts')
  assert.equal(clients.rows[0]?.n, CONTACTS)
  await start()
  await call('PUT', '/targets', [{ Email: 'latecomer@killed.example' }])
  while (deaths.length > 0) {
    const left = deaths.length
    await eventually(signal, async () => (deaths.length < left ? true : undefined))
    await died()
    await start()
  }
  const { monitor } = await eventually(signal, async () => {
    const shown = await call('GET', `/actions/${id}`)
    return shown.state === 60 ? shown : undefined
  })

  const { recipients, sent, held, cancelled, refused, pending } = monitor
  assert.deepEqual([recipients, sent + held, cancelled, refused, pending], [CONTACTS, CONTACTS, 0, 0, 0])
  const times = Map.groupBy(received, (address) => address)
  for (const [address, list] of times) assert.equal(list.length, 1, `${address} got ${list.length}`)
  const { rows } = await database.pool.query<{ email: string }>(
    `select c.key as email from messages m join contacts c on c.id = m.contact where m.state = 'held'`,
  )
  const doubtful = new Set(rows.map(({ email }) => email))
  assert.equal(doubtful.size, held)
  for (let n = 0; n < CONTACTS; n++) {
    const address = addressOf(n)
    assert.ok(times.has(address) || doubtful.has(address), `${address} has no message and is not held`)
  }
  assert.ok(!times.has('latecomer@killed.example'))
  // What connections had in hand when the process died, and no more.
  assert.ok(held <= 100 * (KILLED_AT.length + 1), `${held} in doubt`)
  const activations: number = await database.pool
    .query<{ n: number }>(`select count(*)::integer as n from events where kind = 'activations'`)
    .then((result) => result.rows[0]?.n ?? 0)
  assert.equal(activations, sent)
  t.diagnostic(`${held} of ${CONTACTS} in doubt after ${KILLED_AT.length + 1} kills`)
})

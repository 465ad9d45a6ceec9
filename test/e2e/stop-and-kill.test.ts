import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { cloneDatabase, type TestDatabase } from '../database.ts'
import { startSftpPeer } from '../fakes/sftp-server.ts'
import { startSink } from '../fakes/smtp-sink.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const KEY = 'a-key-for-the-tests'
const TIMEOUT_MS = 180_000
/** What died is taken up within a minute; the machine of the tests may be busy. */
const TAKEN_UP_MS = 60_000

/** Asks until the answer is there. */
async function eventually<Answer>(signal: AbortSignal, ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted()
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    await delay(20)
  }
}

interface Service {
  database: TestDatabase
  start(): Promise<void>
  /** Sends a signal; gives how the process ended, and after how long. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
  run(...words: string[]): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
  call(method: string, path: string, body?: unknown): Promise<any>
  dataDir: string
}

/** The service on a database of its own, with the settings of every process, all roles in one. */
async function makeService(t: TestContext, settings: Record<string, string> = {}): Promise<Service> {
  const database = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-stop-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env['PATH'] ?? '',
    STENTOR_DATABASE_URL: database.url,
    STENTOR_DATA_DIR: dataDir,
    STENTOR_HTTP_PORT: String(port),
    STENTOR_BOOTSTRAP_KEY: KEY,
    STENTOR_SMTP_IN_PORT: '0',
    STENTOR_SENDER_THREADS: '1',
    STENTOR_LOG_LEVEL: 'fatal',
    ...settings,
  }
  let child: ChildProcess | undefined
  async function end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return { code: null, ms: 0 }
    const asked = performance.now()
    const exited = once(child, 'exit')
    child.kill(signal)
    const [code] = await exited
    return { code, ms: performance.now() - asked }
  }
  t.after(async () => {
    await end('SIGKILL')
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    database,
    dataDir,
    end,
    async start() {
      child = spawn(process.execPath, [MAIN, 'start'], { stdio: ['ignore', 'ignore', 'inherit'], env })
      await eventually(t.signal, async () => (await fetch(`${url}/health/ready`)).ok || undefined)
    },
    async run(...words) {
      const command = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'ignore', 'inherit'], env })
      assert.deepEqual(await once(command, 'exit'), [0, null], words.join(' '))
    },
    async call(method, path, body) {
      const headers = { 'x-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const answer = await fetch(url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

suite('with remotes that do not answer', { concurrency: true, timeout: TIMEOUT_MS }, () => {
  test('a pull is ended by a stop with status 0, and goes on after a kill within a minute, once', async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'stentor-drop-'))
    let reads = 0
    let isHeld = true
    const peer = await startSftpPeer(root, { name: 'drop', password: 'secret' }, async () => {
      reads++
      while (isHeld) await delay(20)
    })
    t.after(async () => {
      isHeld = false
      await peer.close()
      await rm(root, { recursive: true, force: true })
    })
    const service = await makeService(t)
    const { database, dataDir, call } = service
    await service.start()
    await service.run(
      'drop-places',
      'set',
      '--account',
      'DEMO001',
      '--url',
      `sftp://drop:secret@127.0.0.1:${peer.port}/`,
    )
    const { id } = await call('POST', '/imports', { name: 'pulled', source: { type: 'ftp', folder: '{id}' } })
    const { rows } = await database.pool.query<{ account: number }>('select account from imports')
    const account = rows[0]?.account ?? 0
    const text = 'Email\nann@pulled.example\nbob@pulled.example\n'
    const written = Date.now() - 60_000
    await mkdir(join(root, String(id)))
    await writeFile(join(root, String(id), 'people.csv'), text)
    await utimes(join(root, String(id), 'people.csv'), written / 1000, written / 1000)
    const seen = [{ name: 'people.csv', bytes: text.length, modifiedAt: written }]
    const name = `imports.pull ${id}`
    await enqueue(database.db, 'imports.pull', { account, import: id, seen }, { key: name, queue: name })
    await eventually(t.signal, async () => reads > 0 || undefined)

    const stopped = await service.end('SIGTERM')
    assert.equal(stopped.code, 0)
    assert.ok(stopped.ms < 10_000, `${stopped.ms} ms`)
    const left = await readdir(join(dataDir, 'imports', String(account), String(id)))
    assert.deepEqual(left, [], 'nothing of the file is left')

    const before = reads
    await service.start()
    await eventually(t.signal, async () => reads > before || undefined)
    await service.end('SIGKILL')
    isHeld = false
    const killed = performance.now()
    await service.start()
    const path = `/imports/${id}/executions`
    await eventually(t.signal, async () => (await call('GET', path))[0]?.state === 1 || undefined)
    assert.ok(performance.now() - killed < TAKEN_UP_MS)
    assert.deepEqual(
      (await call('GET', path)).map(({ created }: { created: number }) => created),
      [2],
    )
  })

  test('a slow mail server makes no stop fail; what it was given is in doubt, the rest leaves, an export is mailed again', async (t) => {
    const bodies: string[] = []
    const received: string[] = []
    let isSlow = true
    const sink = await startSink({
      keep: 'pass',
      behave({ stage, address }) {
        if (stage !== 'final' || !isSlow) return undefined
        bodies.push(address)
        return 'stall'
      },
      onMessage: ({ to }) => {
        if (!isSlow) received.push(...to)
      },
    })
    t.after(() => sink.close())
    const service = await makeService(t, { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none&connections=2` })
    const { call } = service
    await service.start()
    await call('PUT', '/settings/sending', { testRequired: false, reportAddresses: ['desk@slow.example'] })
    const { id } = await call('POST', '/actions', {
      type: 'mailMessage',
      name: 'Slow',
      content: { subject: 'Hello', html: '<p>Come in.</p>' },
    })
    await call('POST', `/actions/${id}/validation`, { fortest: false })
    await eventually(t.signal, async () => (await call('GET', `/actions/${id}`)).state === 50 || undefined)
    const people = ['ann', 'bob', 'eve'].map((person) => `${person}@slow.example`)
    await call(
      'PUT',
      '/targets',
      people.map((Email) => ({ Email })),
    )
    const recipients = people.map((value) => ({ recipient: { type: 'unicity', value: [value] } }))
    await call('POST', `/actions/${id}/executions`, recipients)
    await call('GET', `/actions/${id}/export/recipients`)
    await eventually(t.signal, async () => (bodies.length >= 3 && bodies.includes('desk@slow.example')) || undefined)

    const stopped = await service.end('SIGTERM')
    assert.equal(stopped.code, 0)
    assert.ok(stopped.ms < 10_000, `${stopped.ms} ms`)
    const doubtful = people.filter((address) => bodies.includes(address))

    await service.start()
    await eventually(
      t.signal,
      async () => bodies.filter((address) => address === 'desk@slow.example').length > 1 || undefined,
    )
    await service.end('SIGKILL')
    isSlow = false
    await service.start()
    await call('GET', `/actions/${id}/export/recipients`)
    await eventually(t.signal, async () => received.includes('desk@slow.example') || undefined)
    const held = await eventually(t.signal, async () => {
      const list = await call('GET', `/settings/sending/held?action=${id}`)
      return received.length + list.length >= people.length + 1 ? list : undefined
    })
    const sent = received.filter((address) => people.includes(address))
    assert.equal(held.length + sent.length, people.length, 'each is held or was sent')
    assert.deepEqual(
      sent.filter((address) => doubtful.includes(address)),
      [],
      'none in doubt is sent again',
    )
  })
})

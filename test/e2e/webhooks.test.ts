import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../../src/lib/free-port.ts'
import { cloneDatabase } from '../database.ts'
import { type Receiver, startReceiver } from '../fakes/webhook-receiver.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const CERTIFICATE = new URL('../fixtures/tls/test-only-cert.pem', import.meta.url).pathname
const KEY = 'a-key-for-the-tests'

/** The program as a process of its own, which may call these receivers and trusts the certificate of the tests. */
async function startService(t: TestContext, receivers: readonly Receiver[]) {
  const database = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-webhooks-'))
  const url = `http://127.0.0.1:${await freePort()}`
  const service = spawn(process.execPath, [MAIN, 'start'], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'] ?? '',
      STENTOR_DATABASE_URL: database.url,
      STENTOR_DATA_DIR: dataDir,
      STENTOR_HTTP_PORT: new URL(url).port,
      STENTOR_PUBLIC_URL: url,
      STENTOR_SMTP_IN_PORT: '0',
      STENTOR_BOOTSTRAP_KEY: KEY,
      STENTOR_OUTGOING_ALLOW: receivers.map(({ host }) => host).join(','),
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    },
  })
  t.after(async () => {
    const ended = service.exitCode === null ? once(service, 'exit') : undefined
    service.kill('SIGTERM')
    await ended
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  while (!(await fetch(`${url}/health/ready`).catch(() => undefined))?.ok) {
    assert.equal(service.exitCode, null, 'the service starts')
    await delay(100)
  }
  async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { 'x-key': KEY, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as Answer
  }
  return { url, call }
}

test('a running service tells webhooks what is seen and changed, by https too', { timeout: 120_000 }, async (t) => {
  const [cert, key] = await Promise.all([
    readFile(CERTIFICATE, 'utf8'),
    readFile(CERTIFICATE.replace('cert', 'key'), 'utf8'),
  ])
  const receivers = [await startReceiver(), await startReceiver({ key, cert })]
  t.after(() => Promise.all(receivers.map((receiver) => receiver.close())))
  const { url, call } = await startService(t, receivers)
  const events = ['activations', 'target.created']
  const hooks = await Promise.all(
    receivers.map(({ url: to }) =>
      call<{ id: string; secret: string }>('POST', '/webhooks', { name: to, url: to, events }),
    ),
  )

  const campaign = await call<{ id: string }>('POST', '/display/campaign', { name: 'Spring' })
  const banner = { name: 'Banner', campaign: campaign.id, url: 'https://shop.example/' }
  const content = await call<{ id: string }>('POST', '/display/content', banner)
  const placement = await call<{ id: string }>('POST', '/display/placement', { name: 'Home' })
  const place = `placement=${placement.id}`
  const tags = await call<{ impression: string }>('GET', `/display/content/${content.id}/tags?${place}`)
  assert.equal((await fetch(url + new URL(tags.impression).pathname)).status, 200)
  const { id: contact } = await call<{ id: string }>('POST', '/targets', { Email: 'reader@shop.example' })
  const [seen] = await call<object[]>('GET', '/display/events/activations')

  for (const [n, receiver] of receivers.entries()) {
    const received = await receiver.got(2)
    for (const { text, headers } of received)
      new Webhook(hooks[n]?.secret ?? '').verify(text, { ...headers } as Record<string, string>)
    const told = new Map(received.map(({ body }) => [body.type, body.data]))
    assert.deepEqual(told.get('display.activations'), seen)
    assert.equal(told.get('target.created')?.contact, contact)
  }
  const { statistics } = await call<{ statistics: { lastFailure: string | null } }>('GET', `/webhooks/${hooks[1]?.id}`)
  assert.equal(statistics.lastFailure, null)
})

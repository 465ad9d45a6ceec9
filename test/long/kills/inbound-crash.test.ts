import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { signStampAddress } from '../../../src/lib/crypto/tokens.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { startDatabaseProxy } from '../../fakes/database-proxy.ts'
import { deliver } from '../../fakes/mail/mail-client.ts'
import { programPath } from '../../support/processes/programs.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const MAIN = programPath('src/main.ts')

const stage = await startStage()
const { call, context, own } = stage
const proxy = await startDatabaseProxy(String(context.pool.options.connectionString))
const running = new Set<ChildProcess>()

interface Sent {
  returnPath: string
  stamp: string
}

/** Sends one message to each of so many new contacts. */
async function sendMany(count: number, name: string): Promise<{ action: string; messages: Sent[] }> {
  const action = await stage.validated(await stage.action())
  const recipients = Array.from({ length: count }, (_, n) => `${name}${n}@mailbox.example`)
  for (const address of recipients) await stage.contact(address)
  const body = recipients.map((address) => ({ recipient: { type: 'unicity', value: [address] } }))
  const answer = await call('POST', `/actions/${action}/executions`, { body })
  assert.equal(answer.status, 200, answer.text)
  await stage.settle()
  const messages = recipients.flatMap((address) =>
    stage.gateway
      .to(address)
      .map(({ envelope, origin }) => ({ returnPath: envelope.from, stamp: origin?.stamp ?? '' })),
  )
  assert.equal(messages.length, count)
  return { action, messages }
}

const report = (n: number): string =>
  [
    'From: MAILER-DAEMON@relay.example',
    'Subject: Undelivered Mail Returned to Sender',
    '',
    `<other${n}@mailbox.example>: host mx.mailbox.example said: 550 5.1.1 User unknown (in reply to RCPT TO command)`,
    '',
  ].join('\r\n')

/** The program in its inbound role, as a process of its own that reaches the database by way of the proxy. */
async function startInbound(): Promise<{ port: number; kill(): Promise<void> }> {
  const [port, httpPort] = [await findFreePort(), await findFreePort()]
  const child = spawn(process.execPath, [MAIN, 'start', '--role', 'inbound'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      STENTOR_DATABASE_URL: proxy.url,
      STENTOR_DATA_DIR: join(stage.dataDir, 'inbound'),
      STENTOR_MASTER_KEY: `0:${context.masterKeys[0]?.key.toString('base64')}`,
      STENTOR_PUBLIC_URL: 'https://stentor.example',
      STENTOR_HTTP_PORT: String(httpPort),
      STENTOR_SMTP_IN_PORT: String(port),
      STENTOR_LOG_LEVEL: 'fatal',
    },
  })
  running.add(child)
  const ended = once(child, 'exit').then(() => running.delete(child))
  await eventually(async () => {
    const { ok } = await fetch(`http://127.0.0.1:${httpPort}/health/ready`)
    return ok && (await deliver(port, 'nobody@elsewhere.example', '')) !== ''
  })
  return {
    port,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The stamps of the bounces of an action, once there are so many of them. */
async function bounced(action: string, count: number): Promise<string[]> {
  return eventually(async () => {
    const { body } = await call('GET', `/actions/${action}/events/bounces`)
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
    return body.length >= count && body.map(({ source }: any) => source.detail.activation.stamp.id)
  })
}

suite('inbound mails accepted before a crash', () => {
  after(async () => {
    for (const child of running) child.kill('SIGKILL')
    proxy.restore()
    await proxy.close()
  })

  test('accepted while the database is away, they are recorded once after the next start', async () => {
    const { action, messages } = await sendMany(5, 'away')
    const first = await startInbound()
    proxy.cut()
    for (const [n, { returnPath }] of messages.entries())
      assert.match(await deliver(first.port, returnPath, report(n)), /^250 /)
    await first.kill()
    assert.deepEqual((await call('GET', `/actions/${action}/events/bounces`)).body, [])
    proxy.restore()
    const second = await startInbound()
    const stamps = await bounced(action, 5)
    await second.kill()
    assert.deepEqual([stamps.length, new Set(stamps).size], [5, 5])
  })

  test('each accepted report is recorded without being sent again, and none is recorded twice', async () => {
    const { action, messages } = await sendMany(60, 'any')
    const answered: string[] = []
    for (let round = 0; round < 3; round++) {
      const { port, kill } = await startInbound()
      let dying: Promise<void> | undefined
      const mails = messages.slice(20 * round, 20 * round + 20).map(async ({ returnPath, stamp }, n) => {
        const answer = await deliver(port, returnPath, report(n)).catch(() => '')
        if (answer.startsWith('250')) answered.push(stamp)
        if (answered.length >= 5 * (round + 1)) dying ??= kill()
      })
      await Promise.all(mails)
      await dying
    }
    const last = await startInbound()
    assert.ok(answered.length >= 15)
    await eventually(async () => {
      const stored = new Set(await bounced(action, 0))
      return answered.every((stamp) => stored.has(stamp))
    })
    // Their senders try again what was not answered, and what was answered into the void.
    for (const [n, { returnPath }] of messages.entries())
      assert.match(await deliver(last.port, returnPath, report(n % 20)), /^250 /)
    const stamps = await bounced(action, 60)
    await last.kill()
    assert.deepEqual([stamps.length, new Set(stamps).size], [60, 60])
  })

  test('an address with a forged signature is refused', async () => {
    const { port, kill } = await startInbound()
    const stamp = '019b78c9-0a80-70fa-807f-3375bd03d3e7'
    const good = signStampAddress(context.tokens, 'bounce', own.account, stamp)
    assert.match(await deliver(port, `bounce+${good}@stentor.example`, report(0)), /^250 /)
    const turned = good.slice(0, 20) + (good[20] === 'a' ? 'b' : 'a') + good.slice(21)
    assert.match(await deliver(port, `bounce+${turned}@stentor.example`, report(0)), /^550 /)
    await kill()
  })
})

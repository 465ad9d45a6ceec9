import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { muteAdoptedOptouts } from '../../../src/features/tracking/hits/push-hits.ts'
import {
  buildPushReportAddress,
  type PushMessageToken,
  type PushReportKind,
} from '../../../src/lib/crypto/push-tokens.ts'
import { createUuidV7, formatContactId, parseContactId } from '../../../src/lib/ids.ts'
import { startDatabaseProxy } from '../../fakes/database-proxy.ts'
import { startHarness } from '../../support/harness.ts'
import { storedApplication, storedSubscription } from '../../support/stages/push-applications.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { app, call, clock, context, own, other } = harness

const IPHONE = 'app : 4.2, os : iOS 19.1, device : iPhone'
let made = 0

async function contact(): Promise<number> {
  const { status, body, text } = await call('POST', '/targets', { body: { Email: `ada${++made}@orchard.example` } })
  assert.equal(status, 200, text)
  return parseContactId(body.id)!
}

async function notification(): Promise<{ id: number; version: string }> {
  const { status, body, text } = await call('POST', '/notifications', {
    body: { type: 'push-app', name: `Sale ${++made}` },
  })
  assert.equal(status, 200, text)
  return { id: body.id, version: body.versions[0].id }
}

interface SentOptions {
  test?: boolean
  silent?: boolean
  channel?: string | null
  /** Of the first send to the same device. */
  to?: PushMessageToken
  isKnown?: boolean
}

/** A push to a new device, with its activation as its sender would write it. */
async function sent({ test = false, silent = false, channel = 'marketing', to, isKnown = true }: SentOptions = {}) {
  const { id, version } = await notification()
  const number = to?.contact ?? (await contact())
  const application = to ? randomUUID() : await storedApplication(harness)
  const subscription = to?.subscription ?? (await storedSubscription(harness, application, { contact: number }))
  const stamp = createUuidV7(clock.now())
  const token: PushMessageToken = {
    account: own.account,
    notification: id,
    version,
    subscription,
    contact: number,
    stamp,
    test,
    silent,
  }
  const activation = {
    id,
    version,
    kind: test ? 'test' : 'application',
    receiver: { type: 'contact', value: {} },
    stamp: { time: clock.now(), id: stamp, thread: stamp, set: stamp },
    application,
    subscription,
    provider: 'firebase',
    channel,
    redirection: 'app://sale',
  }
  const record = () =>
    appendEvents(context.db, [
      {
        account: own.account,
        channel: 'notification',
        kind: 'activations',
        subject: id,
        contact: number,
        stamp,
        thread: stamp,
        subscription,
        isTest: test,
        key: `${stamp} ${subscription}`,
        detail: { activation },
      },
    ])
  if (isKnown) await record()
  return { id, token, activation, record, contact: formatContactId(number) }
}

function pathOf(token: PushMessageToken, sign: PushReportKind): string {
  const owner = { agency: own.code.slice(0, -3), customer: own.code.slice(-3) }
  const { path, tokens } = buildPushReportAddress(context.tokens.signing(own.account), owner, token)
  return path + tokens[sign]
}

async function visit(url: string, { method = 'GET' as 'GET' | 'HEAD', on = app } = {}) {
  const answer = await on.inject({
    method,
    url,
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': IPHONE, 'content-type': 'application/json' },
  })
  return { status: answer.statusCode, text: answer.payload, headers: answer.headers }
}

const report = async (token: PushMessageToken, sign: PushReportKind) => (await visit(pathOf(token, sign))).status

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
async function events(id: number, suffix = ''): Promise<any[]> {
  const { status, body, text } = await call('GET', `/notifications/${id}/events${suffix}`)
  assert.equal(status, 200, text)
  return body
}

async function muted({ subscription }: PushMessageToken) {
  return (await call('GET', `/subscriptions/${subscription}`)).body.muted
}

suite('app reports about push messages', () => {
  test('a repeated impression is 204 and one event, and a tap is 204 without Location', async () => {
    const { id, token, activation, contact: number } = await sent()
    assert.deepEqual([await report(token, 'impression'), await report(token, 'impression')], [204, 204])
    const [impression, ...more] = await events(id, '/impressions')
    assert.equal(more.length, 0)
    assert.deepEqual(impression.source.detail.activation, activation)
    assert.deepEqual(impression.source.detail.impression, {
      time: clock.now(),
      userAgent: IPHONE,
      device: impression.source.detail.impression.device,
    })
    const tap = await visit(pathOf(token, 'redirection'))
    assert.deepEqual([tap.status, tap.text, tap.headers.location], [204, '', undefined])
    assert.equal(tap.headers['set-cookie'], undefined)
    assert.equal(await report(token, 'dismiss'), 204)
    const [redirection, dismiss] = await events(id, '/hits')
    const { link, hit } = redirection.source.detail
    assert.deepEqual(link, { type: 'redirection', id: null, name: null, url: 'app://sale' })
    assert.deepEqual([hit.ip, hit.classification, hit.time], ['203.0.113.0', null, clock.now()])
    assert.deepEqual(dismiss.source.detail.link, { type: 'dismiss' })
    assert.equal((await events(id)).length, 4)
    const listed = (await call('GET', `/targets/${number}/events`)).body
    assert.equal(listed.length, 4)
    const reactions = (await call('GET', `/notifications/${id}/reactivities`)).body
    assert.equal(reactions.length, 3)
  })

  test('an altered address, or one under another account, is 404 and stores nothing', async () => {
    const { id, token } = await sent()
    const path = pathOf(token, 'optout.global')
    const changed = [
      path.slice(0, -1) + (path.endsWith('A') ? 'E' : 'A'),
      path.replace(
        /\/([A-Za-z0-9_-]{107})\//,
        (_, message: string) => `/${message.slice(0, 20)}${message[20] === 'A' ? 'B' : 'A'}${message.slice(21)}/`,
      ),
      path.replace(/^\/hit\/[^/]+\/[^/]+/, `/hit/${other.code.slice(0, -3)}/${other.code.slice(-3)}`),
      path.slice(0, -12) + pathOf((await sent()).token, 'optout.global').slice(-12),
    ]
    for (const one of changed) {
      assert.notEqual(one, path)
      assert.equal((await visit(one)).status, 404, one)
    }
    assert.equal((await events(id)).length, 1)
    assert.equal(await muted(token), null)
  })

  test("a HEAD request and a preview's addresses are 204 and record nothing", async () => {
    const one = await sent()
    assert.equal((await visit(pathOf(one.token, 'optout.global'), { method: 'HEAD' })).status, 204)
    assert.equal((await visit(`${pathOf(one.token, 'impression')}A`, { method: 'HEAD' })).status, 404)
    const preview = await sent({ silent: true })
    for (const sign of ['impression', 'redirection', 'dismiss', 'optout.global', 'optout.channel'] as const)
      assert.equal(await report(preview.token, sign), 204)
    for (const { id, token } of [one, preview]) {
      assert.equal((await events(id)).length, 1)
      assert.equal(await muted(token), null)
    }
  })

  test('opt-outs mute a device until it is put again or shows a message, and repeats change nothing', async () => {
    const { id, token } = await sent()
    assert.equal(await report(token, 'optout.channel'), 204)
    assert.deepEqual(await muted(token), { global: false, channels: ['marketing'] })
    const byDefault = await sent({ to: token, channel: null })
    assert.equal(await report(byDefault.token, 'optout.channel'), 204)
    assert.equal(await report(token, 'optout.global'), 204)
    const all = await muted(token)
    assert.equal(all.global, true)
    assert.deepEqual(new Set(all.channels), new Set(['marketing', null]))
    const [channel, global] = await events(id, '/optouts')
    assert.deepEqual(channel.source.detail.optout, { type: 'channel', value: 'marketing', time: clock.now() })
    assert.deepEqual(global.source.detail.optout, { type: 'global', time: clock.now() })

    assert.equal(await report(token, 'impression'), 204)
    assert.equal(await muted(token), null)
    assert.equal(await report(token, 'optout.global'), 204)
    assert.equal(await muted(token), null)
    const next = await sent({ to: token })
    assert.equal(await report(next.token, 'optout.global'), 204)
    assert.deepEqual(await muted(token), { global: true, channels: [] })
    const { body: read } = await call('GET', `/subscriptions/${token.subscription}`)
    assert.equal((await call('PUT', '/subscriptions', { body: read })).status, 200)
    assert.equal(await muted(token), null)
    assert.equal((await events(id, '/optouts')).length, 2)
  })

  test('an opt-out also mutes a recently deleted device if it is restored', async () => {
    const { token } = await sent()
    await sql`
      with gone as (delete from subscriptions where id = ${token.subscription} returning *)
      insert into gone_subscriptions (account, id, application, contact, provider, token, token_digest, muted, muted_channels, created_at, deleted_at)
      select account, id, application, contact, provider, token, token_digest, muted, muted_channels, created_at, now() from gone`.execute(
      context.db,
    )
    assert.equal(await report(token, 'optout.global'), 204)
    const { rows } = await sql<{ muted: boolean }>`
      select muted from gone_subscriptions where id = ${token.subscription}`.execute(context.db)
    assert.deepEqual(rows, [{ muted: true }])
  })

  test('a test message records events of kind test and changes nothing', async () => {
    const { id, token } = await sent({ test: true })
    assert.equal(await report(token, 'optout.global'), 204)
    const [optout] = await events(id, '/optouts')
    assert.equal(optout.source.detail.activation.kind, 'test')
    assert.equal(await muted(token), null)
    assert.deepEqual((await call('GET', `/notifications/${id}/reactivities`)).body, [])
  })

  test('an event without an activation shows what the token contains', async () => {
    const { id, token, contact: number } = await sent({ isKnown: false })
    assert.equal(await report(token, 'redirection'), 204)
    const [hit] = await events(id, '/hits')
    const { version, stamp, subscription } = token
    assert.deepEqual(hit.source.detail.activation, {
      id,
      version,
      kind: 'application',
      receiver: { type: 'id', value: number },
      stamp: { id: stamp },
      subscription,
    })
    assert.equal(hit.source.detail.link.url, null)
  })

  test("an opt-out before its activation is recorded mutes the activation's channel", async () => {
    const early = await sent({ isKnown: false })
    for (const sign of ['optout.channel', 'redirection'] as const) assert.equal(await report(early.token, sign), 204)
    assert.equal(await muted(early.token), null, 'which channel it is, is not known')
    await early.record()
    // Each of the two is searched again at its own instants.
    const tap = await eventually(async () => {
      await finalizeHits(context.db, muteAdoptedOptouts)
      const [hit] = await events(early.id, '/hits')
      return (await muted(early.token)) !== null && hit.source.detail.link.url !== null && hit
    })
    assert.deepEqual(await muted(early.token), { global: false, channels: ['marketing'] })
    const [optout] = await events(early.id, '/optouts')
    assert.equal(optout.source.detail.optout.value, 'marketing')
    assert.deepEqual(optout.source.detail.activation, early.activation)
    assert.equal(tap.source.detail.link.url, 'app://sale')
  })

  test("another account's history is unknown, and a deleted notification keeps its own", async () => {
    const { id, token } = await sent()
    assert.equal(await report(token, 'impression'), 204)
    const { status } = await call('GET', `/notifications/${id}/events`, { key: other.key })
    assert.equal(status, 404)
    for (const unknown of ['999999', 'events', '0'])
      assert.equal((await call('GET', `/notifications/${unknown}/events`)).status, 404)
    assert.equal((await call('DELETE', `/notifications/${id}`)).status, 204)
    assert.equal((await events(id)).length, 2)
    assert.deepEqual(await events((await notification()).id), [])
    const together = (await call('GET', '/notifications/events/activations')).body
    assert.ok(
      together.some(
        ({ source }: { source: { detail: { activation: { id: number } } } }) => source.detail.activation.id === id,
      ),
    )
  })
})

suite('app reports while the database is down', async () => {
  const proxy = await startDatabaseProxy(String(context.pool.options.connectionString))
  const away = openDatabasePool(proxy.url, { max: 4 })
  const tracker = await buildApiServer({ ...context, db: away.db, pool: away.pool }, new Registry(), ['tracking'])
  await tracker.ready()
  after(async () => {
    proxy.restore()
    await tracker.close()
    await away.close()
    await proxy.close()
  })

  test('are answered 204 and take effect once the database is back', async () => {
    const { id, token } = await sent()
    proxy.cut()
    for (const sign of ['optout.global', 'optout.global', 'redirection'] as const)
      assert.equal((await visit(pathOf(token, sign), { on: tracker })).status, 204)
    assert.equal((await events(id)).length, 1)
    proxy.restore()
    await eventually(async () => (await events(id)).length === 3)
    assert.deepEqual(await muted(token), { global: true, channels: [] })
    assert.equal((await events(id, '/optouts')).length, 1)
  })
})

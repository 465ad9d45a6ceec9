import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, suite, test } from 'node:test'
import { Counter } from 'prom-client'
import { Webhook } from 'standardwebhooks'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { publishCustomEvents } from '../../../src/features/notices/custom.ts'
import { createWebhookDispatcher, type WebhookDispatcher } from '../../../src/features/webhooks/dispatcher.ts'
import { formWebhookDeliveries, listBusyWebhooks } from '../../../src/features/webhooks/queue.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { createOutboundPolicy, type OutboundPolicy } from '../../../src/lib/net/guarded-client.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { type Received, type Receiver, signaturesOf, startReceiver } from '../../fakes/web/webhook-receiver.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { call, clock, context, makeAccount, makeKey, other } = await startHarness()
const { db } = context
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const receivers: Receiver[] = []
after(() => Promise.all(receivers.map((receiver) => receiver.close())))

async function receiver(): Promise<Receiver> {
  const one = await startReceiver()
  receivers.push(one)
  context.config.outgoingAllow.push(one.host)
  return one
}

const tries = new Counter({ name: 'tries', help: 'of the test', labelNames: ['outcome'], registers: [] })

/** What a process of the jobs role delivers with. */
function dispatcher(reach: OutboundPolicy = createOutboundPolicy(context.config.outgoingAllow)): WebhookDispatcher {
  return createWebhookDispatcher({ ...context, reach, tries })
}

/** Delivers everything that is due now. */
async function deliver(one: WebhookDispatcher = dispatcher()): Promise<void> {
  await eventually(async () => {
    const dispatched = await one.dispatch()
    await one.idle()
    return dispatched === 0
  })
}

let accounts = 0

/** A new account, and a receiver that a webhook of it leads to. */
async function stage(body: object = {}) {
  // What an earlier test left undelivered does not matter here.
  await context.pool.query('delete from webhooks')
  const { account, key } = await makeAccount(`W${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, given?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    call(method, url, { key, body: given, ...(headers && { headers }) })
  const peer = await receiver()
  const made = await ask('POST', '/webhooks', { name: 'Shop', url: peer.url, ...body })
  assert.equal(made.status, 200, made.text)
  const { secret, ...webhook } = made.body
  const url = `/webhooks/${webhook.id}`
  const read = async () => (await ask('GET', url)).body
  const letters = async () => (await ask('GET', `${url}/deadletters`)).body
  const write = async (...events: Partial<NewEvent>[]) => {
    const written = await recordEvents(
      db,
      events.map((event) => ({ ...plain(account), ...event })),
    )
    return written.map((one) => String(one?.id)).toSorted()
  }
  return { account, key, ask, peer, secret: String(secret), webhook, url, read, letters, write }
}

function plain(account: number): NewEvent {
  return {
    account,
    channel: 'email',
    kind: 'complaints',
    subject: null,
    contact: null,
    stamp: null,
    thread: null,
    isTest: false,
    key: null,
    detail: { complaint: { feedback: { type: 'abuse' } } },
  }
}

function hit(kind: 'hits/open' | 'hits/redirection', link: number | null): Partial<NewEvent> {
  return {
    kind,
    stamp: createUuidV7(Date.now()),
    classification: null,
    detail: { link: { type: kind.slice(5) }, hit: { classification: null } },
    watch: { hitAt: Date.now(), link, visitor: null, early: null },
  }
}

const typesOf = (received: readonly Received[]): string[] => received.map(({ body }) => body.type)
const idsOf = (received: readonly Received[]): string[] => received.map(({ headers }) => String(headers['webhook-id']))

suite('webhooks', () => {
  test('are created with a secret shown once, read, listed, changed and deleted', async () => {
    const { ask, peer, webhook, secret, url, read } = await stage({ classification: 'human, mpp,none' })
    const now = new Date(clock.now()).toISOString()
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(webhook, {
      id: webhook.id,
      name: 'Shop',
      url: peer.url,
      events: [],
      channels: [],
      classification: ['human', 'mpp'],
      active: true,
      batch: { size: 1, waitMs: 0 },
      state: 'ok',
      statistics: { pending: 0, deadLetters: 0, lastSuccess: null, lastFailure: null },
      creationDate: now,
      updateDate: now,
    })
    assert.deepEqual(await read(), webhook)
    assert.deepEqual((await ask('GET', '/webhooks')).body, [webhook])
    const changed = await ask('PUT', url, { ...webhook, name: 'Store', events: ['hits', 'hits'], batch: { size: 9 } })
    const expected = { ...webhook, name: 'Store', events: ['hits'], batch: { size: 9, waitMs: 0 } }
    assert.deepEqual(changed.body, expected)
    const merged = await ask(
      'PATCH',
      url,
      { batch: { waitMs: 50 } },
      { 'content-type': 'application/merge-patch+json' },
    )
    assert.deepEqual(merged.body, { ...expected, batch: { size: 9, waitMs: 50 } })
    const operated = await ask('PATCH', url, [{ op: 'add', path: '/channels/-', value: 'sms' }])
    assert.deepEqual(operated.body.channels, ['sms'])
    assert.equal((await ask('DELETE', url)).status, 204)
    assert.equal((await ask('GET', url)).status, 404)
    assert.deepEqual((await ask('GET', '/webhooks')).body, [])
  })

  test('store their secret encrypted', async () => {
    const { secret, webhook } = await stage()
    const { rows } = await context.pool.query('select secret from webhooks where id = $1', [webhook.id])
    assert.ok(!rows[0].secret.includes(Buffer.from(secret.slice(6), 'base64')))
    assert.ok(!rows[0].secret.includes(secret.slice(6)))
  })

  test('are unknown to another account, and require their rights', async () => {
    const { account, url } = await stage()
    const reader = await makeKey(account, ['read', 'write', 'send'])
    const body = { name: 'x' }
    const operations = [
      ['PUT', url, body],
      ['PATCH', url, body],
      ['DELETE', url],
      ['POST', `${url}/secret`],
      ['POST', `${url}/test`],
      ['DELETE', `${url}/deadletters`],
      ['POST', `${url}/deadletters/replay`, { start: 0 }],
    ] as const
    for (const [method, path, given] of operations) {
      assert.equal((await call(method, path, { key: other.key, body: given })).status, 404, `${method} ${path}`)
      assert.equal((await call(method, path, { key: reader, body: given })).status, 403, `${method} ${path}`)
    }
    for (const path of [url, `${url}/deadletters`]) {
      assert.equal((await call('GET', path, { key: other.key })).status, 404)
      assert.equal((await call('GET', path, { key: reader })).status, 200)
    }
    assert.equal((await call('POST', '/webhooks', { key: reader, body })).status, 403)
    assert.equal((await call('GET', '/webhooks/nothing')).status, 404)
  })

  test('refuse invalid members with a pointer', async () => {
    const { ask, url, peer } = await stage()
    const wrong: [object, string][] = [
      [{ url: peer.url }, '/name'],
      [{ name: 'x' }, '/url'],
      [{ name: 'x', url: peer.url, events: ['clicks'] }, '/events/0'],
      [{ name: 'x', url: peer.url, channels: ['fax'] }, '/channels/0'],
      [{ name: 'x', url: peer.url, classification: 'robot' }, '/classification'],
      [{ name: 'x', url: peer.url, batch: { size: 501 } }, '/batch/size'],
      [{ name: 'x', url: peer.url, batch: { waitMs: 5001 } }, '/batch/waitMs'],
    ]
    for (const [body, pointer] of wrong) {
      const { status, body: problem } = await ask('POST', '/webhooks', body)
      assert.equal(status, 400, pointer)
      assert.equal(problem.errors[0].pointer, pointer)
    }
    assert.equal((await ask('PATCH', url, { batch: { size: 0 } })).body.errors[0].pointer, '/batch/size')
    assert.equal((await ask('PATCH', url, { url: 'https://10.0.0.1/' })).body.errors[0].pointer, '/url')
    assert.equal((await ask('POST', `${url}/deadletters/replay`, {})).status, 400)
    assert.equal((await ask('POST', `${url}/deadletters/replay`, { start: 5, end: 4 })).status, 400)
    assert.equal((await ask('PUT', url, { name: 'x' }, { 'if-match': '"old"' })).status, 412)
  })

  test('cannot reach private addresses, when saved or when connecting', async () => {
    const { ask, peer, webhook, write, read } = await stage()
    const hosts = ['127.0.0.1', '169.254.169.254', '2130706433', '0x7f.1', '10.1.2.3', '100.64.0.1', '224.0.0.1']
    const inner = ['::1', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:7f00:1::']
    const refused = [
      'http://127.0.0.1/',
      'http://hooks.example/',
      'https://a:b@hooks.example/',
      'https://hooks.example:80/',
      'https://localhost/',
      'nothing',
      ...hosts.map((host) => `https://${host}/`),
      ...inner.map((host) => `https://[${host}]/`),
    ]
    for (const url of refused) {
      const { status, body } = await ask('POST', '/webhooks', { name: 'x', url })
      assert.equal(status, 400, url)
      assert.equal(body.errors[0].pointer, '/url')
    }
    const port = new URL(peer.url).port
    await ask('PUT', `/webhooks/${webhook.id}`, { url: `https://hooks.example:${port}/` })
    await write({})
    const asked: string[] = []
    const rebinding: OutboundPolicy = {
      open: new Set(),
      resolve: async (host) => {
        asked.push(host)
        return ['127.0.0.1']
      },
    }
    await deliver(dispatcher(rebinding))
    assert.deepEqual(asked, ['hooks.example'])
    assert.deepEqual(peer.received, [])
    assert.notEqual((await read()).statistics.lastFailure, null)
    const { rows } = await context.pool.query('select failure from webhook_deliveries where webhook = $1', [webhook.id])
    assert.deepEqual(rows, [{ failure: 'the address is not allowed' }])
  })
})

suite('a webhook delivery', () => {
  test('is signed, and contains the record of the history', async () => {
    const { ask, peer, secret, write, read } = await stage()
    const [id] = await write({ channel: 'email' })
    await deliver()
    const [request, ...more] = peer.received
    assert.ok(request)
    assert.deepEqual(more, [])
    assert.doesNotThrow(() =>
      new Webhook(secret).verify(request.text, { ...request.headers } as Record<string, string>),
    )
    assert.equal(request.headers['webhook-id'], id)
    assert.equal(request.headers['content-type'], 'application/json; charset=utf-8')
    const [record] = (await ask('GET', '/actions/events/complaints')).body
    assert.deepEqual(request.body, {
      type: 'email.complaints',
      timestamp: new Date(record.timestamp).toISOString(),
      data: { event: 'complaints', date: new Date(record.timestamp).toISOString(), ...record },
    })
    assert.equal(record.id, id)
    const now = new Date(clock.now()).toISOString()
    assert.deepEqual((await read()).statistics, { pending: 0, deadLetters: 0, lastSuccess: now, lastFailure: null })
  })

  test('is signed with both secrets for 24 hours after a rotation', async () => {
    const { ask, url, peer, secret, write } = await stage()
    const rotated = await ask('POST', `${url}/secret`)
    assert.equal(rotated.body.previousUntil, new Date(clock.now() + DAY).toISOString())
    const next = String(rotated.body.secret)
    assert.notEqual(next, secret)
    await write({})
    await deliver()
    clock.advance(DAY - 1)
    await write({})
    await deliver()
    clock.advance(1)
    await write({})
    await deliver()
    const [first, second, third] = peer.received
    assert.ok(first && second && third)
    for (const request of [first, second])
      assert.equal(request.headers['webhook-signature'], signaturesOf(request, [next, secret]))
    assert.equal(third.headers['webhook-signature'], signaturesOf(third, [next]))
  })

  test('contains only the kinds, channels and classes requested, with hits once settled', async () => {
    const { ask, peer, url, write } = await stage({ events: ['hits', 'activations', 'responses/stop'] })
    await write({}, { kind: 'activations', channel: 'sms', detail: { activation: {} } })
    await write({ kind: 'responses/other', channel: 'sms' }, { kind: 'responses/stop', channel: 'sms' })
    await write(hit('hits/open', null), { ...hit('hits/open', null), classification: 'mpp' })
    await deliver()
    assert.deepEqual(typesOf(peer.received).toSorted(), ['sms.activations', 'sms.responses.stop'])
    await ask('PUT', url, { channels: ['sms'] })
    await write({ kind: 'activations', detail: { activation: {} } })
    await deliver()
    assert.equal(peer.received.length, 2)
    await ask('PUT', url, { channels: [] })
    await settled()
    await deliver()
    assert.deepEqual(typesOf(peer.received).slice(2), ['email.hits.open'])
    await ask('PUT', url, { classification: ['all'] })
    await write(hit('hits/redirection', 1), { ...hit('hits/open', null), classification: 'gsr' })
    await settled()
    await deliver()
    assert.deepEqual(typesOf(peer.received).slice(3).toSorted(), ['email.hits.open', 'email.hits.redirection'])
  })

  test('contains a burst of hits as classified when settled', async () => {
    const { peer, write } = await stage({ classification: 'genericrobot' })
    const stamp = createUuidV7(Date.now())
    const burst = [1, 2, 3, 4, 5].map((link) => ({ ...hit('hits/redirection', link), stamp }))
    await write(...burst)
    await settled()
    await deliver()
    assert.equal(peer.received.length, 5)
    for (const { body } of peer.received) assert.equal(body.data.source.detail.hit.classification, 'genericrobot')
  })

  test('contains the contact changes named by the webhook, which are recorded only while it is active', async () => {
    const { ask, peer, url, account } = await stage({ events: ['target.created'] })
    const { body } = await ask('POST', '/targets', { Email: 'ann@shop.example' })
    await deliver()
    const [request] = peer.received
    assert.ok(request)
    assert.equal(request.body.type, 'target.created')
    const { data } = request.body
    assert.deepEqual(data, {
      ...data,
      type: 'target.created',
      event: 'target.created',
      contact: body.id,
      stamp: null,
      depth: 0,
    })
    assert.deepEqual(Object.keys(data).toSorted(), [
      'contact',
      'data',
      'date',
      'depth',
      'event',
      'id',
      'stamp',
      'timestamp',
      'type',
    ])
    assert.equal(request.headers['webhook-id'], data.id)
    const listening = async () =>
      (await context.pool.query('select listening from accounts where id = $1', [account])).rows[0].listening
    assert.deepEqual(await listening(), ['target.created'])
    await ask('PUT', url, { active: false })
    assert.deepEqual(await listening(), [])
    await ask('PUT', url, { active: true })
    assert.deepEqual(await listening(), ['target.created'])
    await ask('DELETE', url)
    assert.deepEqual(await listening(), [])
  })

  test('contains everything where the webhook names no events, each by its name in `events`, with an ISO 8601 date', async () => {
    const { ask, peer, write, account } = await stage()
    const batched = { name: 'Batched', url: peer.url, batch: { size: 10, waitMs: 0 } }
    assert.equal((await ask('POST', '/webhooks', batched)).status, 200)
    const { body } = await ask('POST', '/targets', { Email: 'ann@shop.example' })
    await write({ kind: 'activations', channel: 'sms', detail: { activation: {} } })
    const event = { account, name: 'Ordered', contact: null, data: { pears: 2 }, stamp: null, depth: 0 }
    await inTransaction(db, (tx) => publishCustomEvents(tx, [event]))
    await deliver()
    const records = peer.received.flatMap(({ body: { data } }) => data)
    const names = ['activations', 'custom', 'target.created'].flatMap((name) => [name, name])
    assert.deepEqual(records.map(({ event }) => event).toSorted(), names)
    for (const { date, timestamp } of records) assert.equal(date, new Date(timestamp).toISOString())
    assert.equal(records.find(({ event }) => event === 'target.created').contact, body.id)
  })

  test('of a webhook that was made before records had names is as it was, and no events are all kinds', async () => {
    const { ask, peer, url, write, account } = await stage({ events: ['hits'] })
    await context.pool.query('update webhooks set version = 1 where account = $1', [account])
    assert.equal((await ask('PUT', url, { events: [] })).status, 200)
    await ask('POST', '/targets', { Email: 'ann@shop.example' })
    await write({})
    await deliver()
    const [record] = (await ask('GET', '/actions/events/complaints')).body
    const timestamp = new Date(record.timestamp).toISOString()
    assert.deepEqual(
      peer.received.map(({ body }) => body),
      [{ type: 'email.complaints', timestamp, data: record }],
    )
  })

  test('is a batch of the requested size, and waits for more only as long as allowed', async () => {
    const { peer, secret, write, read } = await stage({ batch: { size: 3, waitMs: 5000 } })
    const ids = await write({}, {}, {}, {})
    await deliver()
    const [full] = peer.received
    assert.ok(full)
    assert.equal(peer.received.length, 1)
    assert.equal(full.body.type, 'events')
    assert.deepEqual(
      full.body.data.map(({ id }: { id: string }) => id),
      ids.slice(0, 3),
    )
    assert.ok(!ids.includes(String(full.headers['webhook-id'])))
    assert.equal(full.headers['webhook-signature'], signaturesOf(full, [secret]))
    assert.equal((await read()).statistics.pending, 1)
    await context.pool.query("update listener_queue set queued_at = queued_at - interval '5 seconds'")
    await deliver()
    assert.deepEqual(
      peer.received[1]?.body.data.map(({ id }: { id: string }) => id),
      ids.slice(3),
    )
  })

  test("is made only for the event's own account, and not for inactive webhooks", async () => {
    const { ask, peer, url, write } = await stage()
    await recordEvents(db, [plain(other.account)])
    await ask('PUT', url, { active: false })
    await write({})
    await ask('PUT', url, { active: true })
    await deliver()
    assert.deepEqual(peer.received, [])
  })

  test('is made by only one of two processes', async () => {
    const { peer, write } = await stage()
    const ids = await write(...Array.from({ length: 40 }, () => ({})))
    const [one, two] = [dispatcher(), dispatcher()]
    await Promise.all([deliver(one), deliver(two)])
    assert.deepEqual(idsOf(peer.received).toSorted(), ids)
  })

  test('is made even if the process dies right after the commit of the event', async () => {
    const { account, peer } = await stage()
    const dying = `
      const { openDatabasePool } = await import(${JSON.stringify(new URL('../../../src/database/connection/connect.ts', import.meta.url))})
      const { recordEvents } = await import(${JSON.stringify(new URL('../../../src/features/events/record/effects.ts', import.meta.url))})
      await recordEvents(openDatabasePool(process.env.DATABASE).db, [JSON.parse(process.env.EVENT)])
      process.kill(process.pid, 'SIGKILL')`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', dying], {
      env: { ...process.env, DATABASE: context.pool.options.connectionString, EVENT: JSON.stringify(plain(account)) },
    })
    const [, signal] = await once(child, 'exit')
    assert.equal(signal, 'SIGKILL')
    await deliver()
    assert.deepEqual(typesOf(peer.received), ['email.complaints'])
  })

  test('passes to another process when its process dies, and not earlier', async () => {
    const { peer, write, webhook } = await stage()
    const ids = await write({})
    const now = new Date(clock.now())
    const [busy] = await listBusyWebhooks(db, now)
    assert.ok(busy)
    assert.equal(busy.id, webhook.id)
    assert.equal((await formWebhookDeliveries(db, [{ webhook: busy, room: 1 }], now)).length, 1)
    clock.advance(MINUTE - 1)
    await deliver()
    assert.deepEqual(peer.received, [])
    clock.advance(1)
    await deliver()
    assert.deepEqual(idsOf(peer.received), ids)
  })

  test('does not delay others if its receiver is slow', async () => {
    const { ask, peer: slow, write } = await stage()
    const quick = await receiver()
    await ask('POST', '/webhooks', { name: 'Quick', url: quick.url })
    const held: (() => void)[] = []
    slow.answer((response) => held.push(() => response.writeHead(204).end()))
    await write(...Array.from({ length: 30 }, () => ({})))
    const one = dispatcher()
    await eventually(async () => {
      await one.dispatch()
      return quick.received.length >= 30
    })
    assert.equal(quick.received.length, 30)
    await slow.got(8)
    await one.dispatch()
    assert.equal(slow.received.length, 8)
    slow.answer(204)
    for (const release of held) release()
    await one.idle()
    await deliver(one)
    assert.equal(slow.received.length, 30)
  })
})

/** Moves the clock from try to try until it has come to an instant, delivering what is due. */
async function passUntil(instant: number): Promise<void> {
  const one = dispatcher()
  const next = async (): Promise<number> => {
    const { rows } = await context.pool.query('select min(next_at) as at from webhook_deliveries where dead_at is null')
    return rows[0].at?.getTime() ?? Number.POSITIVE_INFINITY
  }
  await deliver(one)
  for (let at = await next(); at <= instant; at = await next()) {
    assert.ok(at > clock.now(), 'what was due has been tried')
    clock.set(at)
    await deliver(one)
  }
  clock.set(instant)
}

/** Waits until every hit is settled. */
async function settled(): Promise<void> {
  const left = async () => (await context.pool.query('select count(*) as n from unsettled_hits')).rows[0].n
  await eventually(async () => {
    await finalizeHits(db)
    return Number(await left()) === 0
  })
}

suite('a failed webhook delivery', () => {
  test('after two days of downtime every event arrives, signed again under the same id', async () => {
    const { peer, secret, write, read } = await stage()
    peer.answer(500)
    const start = clock.now()
    const ids = await write({}, {}, {})
    await passUntil(start + DAY)
    ids.push(...(await write({})))
    await passUntil(start + 2 * DAY)
    assert.equal((await read()).state, 'failing')
    const tried = peer.received.length
    assert.ok(tried > 3 * 9, `${tried} tries`)
    peer.answer(204)
    await passUntil(start + 2 * DAY + 10 * HOUR)
    assert.deepEqual(idsOf(peer.received.slice(tried)).toSorted(), ids.toSorted())
    assert.deepEqual([...new Set(idsOf(peer.received))].toSorted(), ids.toSorted())
    for (const request of peer.received)
      assert.equal(request.headers['webhook-signature'], signaturesOf(request, [secret]))
    const first = peer.received.filter(({ headers }) => headers['webhook-id'] === ids[0])
    assert.equal(new Set(first.map(({ headers }) => headers['webhook-signature'])).size, first.length)
    assert.equal(new Set(first.map(({ text }) => text)).size, 1)
    const { state, statistics } = await read()
    assert.equal(state, 'ok')
    assert.deepEqual([statistics.pending, statistics.deadLetters], [0, 0])
  })

  test('after four days of downtime the first events are dead letters, and a replay delivers them', async () => {
    const { ask, url, peer, write, read, letters } = await stage()
    peer.answer(503)
    const start = clock.now()
    const [id] = await write({})
    await passUntil(start + 2 * DAY)
    const later = await write({})
    await passUntil(start + 4 * DAY)
    const [letter] = await letters()
    assert.equal(letter.id, id)
    assert.deepEqual(letter.events, [id])
    assert.equal(letter.detail, 'answered 503')
    assert.ok(letter.tries >= 15, `${letter.tries} tries`)
    assert.ok(Date.parse(letter.deadDate) - start <= 3 * DAY + HOUR)
    const suspended = await read()
    assert.deepEqual([suspended.state, suspended.active], ['suspended', false])
    const after = await write({})
    await deliver()
    assert.deepEqual((await letters()).map((one: { id: string }) => one.id).toSorted(), [id, ...later, ...after])
    const tried = peer.received.length
    await ask('PATCH', url, { name: 'Renamed' })
    assert.equal((await read()).state, 'suspended')
    const resumed = await ask('PUT', url, { active: true })
    assert.deepEqual([resumed.body.state, resumed.body.active], ['ok', true])
    peer.answer(204)
    assert.equal((await ask('POST', `${url}/deadletters/replay`, { ids: [id] })).status, 204)
    await deliver()
    assert.deepEqual(idsOf(peer.received.slice(tried)), [id])
    assert.equal((await ask('POST', `${url}/deadletters/replay`, { start: 0 })).status, 204)
    await deliver()
    assert.deepEqual(idsOf(peer.received.slice(tried)).toSorted(), [id, ...later, ...after])
    assert.deepEqual(await letters(), [])
  })

  test('ten attempts in a row make a webhook failing, and one success makes it ok', async () => {
    const { peer, write, read } = await stage()
    peer.answer((response) => response.writeHead(302, { location: peer.url }).end())
    await write(...Array.from({ length: 9 }, () => ({})))
    await deliver()
    assert.deepEqual([(await read()).state, peer.received.length], ['ok', 9])
    await write({})
    await deliver()
    assert.equal((await read()).state, 'failing')
    peer.answer(299)
    await write({})
    await deliver()
    assert.equal((await read()).state, 'ok')
  })

  test('410 suspends at once, pending events become dead letters, and a replay is one attempt', async () => {
    const { ask, url, peer, write, read, letters } = await stage()
    peer.answer((response, nth) => response.writeHead(nth === 1 ? 500 : 410).end())
    await write({})
    await deliver()
    const ids = await write({})
    await deliver()
    assert.equal((await read()).state, 'suspended')
    assert.equal((await letters()).length, 2)
    await ask('POST', `${url}/deadletters/replay`, { ids })
    await deliver()
    assert.equal(peer.received.length, 3)
    assert.equal((await letters()).length, 2)
    peer.answer(200)
    await ask('POST', `${url}/deadletters/replay`, { ids })
    await deliver()
    assert.equal((await letters()).length, 1)
    assert.equal((await read()).state, 'suspended')
  })

  test('429 and 503 pause deliveries as long as Retry-After requests, for an hour at most', async () => {
    const { peer, write } = await stage()
    peer.answer((response) => response.writeHead(429, { 'retry-after': '600' }).end())
    await write({})
    await deliver()
    peer.answer((response) => response.writeHead(503, { 'retry-after': '86400' }).end())
    await write({})
    clock.advance(600_000 - 1)
    await deliver()
    assert.equal(peer.received.length, 1)
    clock.advance(1)
    await deliver()
    assert.ok(peer.received.length >= 2)
    const tried = peer.received.length
    peer.answer(204)
    clock.advance(HOUR - 1)
    await deliver()
    assert.equal(peer.received.length, tried)
    clock.advance(1)
    await deliver()
    assert.equal(peer.received.length, tried + 2)
  })

  test('dead letters are paged, deletable, and kept for 30 days', async () => {
    const { ask, url, peer, write, letters } = await stage()
    peer.answer(410)
    await write({})
    await deliver()
    const ids = [(await letters())[0].id, ...(await write({}, {}))]
    await deliver()
    const page = await ask('GET', `${url}/deadletters?limit=2`)
    assert.deepEqual(
      page.body.map(({ id }: { id: string }) => id),
      ids.slice(0, 2),
    )
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual(
      (await ask('GET', next)).body.map(({ id }: { id: string }) => id),
      ids.slice(2),
    )
    assert.equal((await ask('DELETE', `${url}/deadletters`, { ids: [ids[0]] })).status, 204)
    assert.equal((await letters()).length, 2)
    await purgeExpiredRows(context, 'forgetDeadLetters', clock.now() + 30 * DAY)
    assert.equal((await letters()).length, 2)
    await purgeExpiredRows(context, 'forgetDeadLetters', clock.now() + 30 * DAY + 1)
    assert.equal((await letters()).length, 0)
    await write({})
    await deliver()
    assert.equal((await ask('DELETE', `${url}/deadletters`)).status, 204)
    assert.equal((await letters()).length, 0)
  })
})

suite('a webhook test', () => {
  test('is sent at once, signed, and returns its result without changing the state', async () => {
    const { ask, url, peer, secret, webhook, read } = await stage()
    const { body, status } = await ask('POST', `${url}/test`)
    assert.equal(status, 200)
    assert.deepEqual({ ...body, durationMs: 0 }, { success: true, status: 204, durationMs: 0, detail: null })
    const [request] = peer.received
    assert.ok(request)
    assert.equal(request.body.type, 'test')
    assert.deepEqual(request.body.data, { webhook: webhook.id })
    assert.equal(request.headers['webhook-signature'], signaturesOf(request, [secret]))
    peer.answer(500)
    const failed = (await ask('POST', `${url}/test`)).body
    assert.deepEqual([failed.success, failed.status, failed.detail], [false, 500, 'answered 500'])
    assert.deepEqual(await read(), webhook)
  })
})

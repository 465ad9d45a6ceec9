import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { startMailListener } from '../../../src/features/inbound/mail/mail-listener.ts'
import { addGateway } from '../../../src/sending/gateway-registry/gateway-rows.ts'
import { deliver } from '../../fakes/mail/mail-client.ts'
import { rbmEvents, webhookRequest } from '../../fakes/rcs/rbm-peer-webhook.ts'
import { immune, makeReadOnly, makeWritable, refuseInserts } from '../../support/database/refusing.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { context, dataDir, own } = stage
const databaseUrl = String(context.pool.options.connectionString)
const admin = openDatabasePool(immune(databaseUrl), { max: 1, applicationName: 'test' }).pool

/** The service on connections of its own, which its database may end. */
const served = openDatabasePool(databaseUrl, { max: 4 })
const serving = { ...context, db: served.db, pool: served.pool }
const app = await buildApiServer(serving, new Registry())
await app.ready()
const listener = await startMailListener(
  { ...serving, config: { ...context.config, smtpInPort: 0 } },
  new Registry(),
  async () => [],
)

const HOOK = 'd'.repeat(32)
const settings = { url: 'http://127.0.0.1:9/send?to={{to}}', method: 'GET' }

async function ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object, headers = {}) {
  const answer = await app.inject({
    method,
    url,
    headers: { 'x-key': own.key, ...headers },
    ...(body && { payload: body }),
  })
  const { statusCode: status, payload, headers: given } = answer
  const { type } = payload.startsWith('{') ? JSON.parse(payload) : {}
  return { status, payload, refusal: [status, type, given['retry-after']] }
}

const AWAY = [503, 'urn:stentor:problem:unavailable', '5']

/** What an account has, by kind. */
async function stock(): Promise<Record<string, number>> {
  const { rows } = await admin.query(`select
    (select count(*) from contacts) as contacts, (select count(*) from segments) as segments,
    (select count(*) from actions) as actions, (select count(*) from messages) as messages,
    (select count(*) from sms_inbox) + (select count(*) from rcs_inbox) as reports, (select count(*) from jobs) as jobs,
    (select count(*) from idempotency_keys) as keys, (select count(*) from webhooks) as webhooks`)
  return rows[0]
}

suite('a read-only database', async () => {
  after(() => makeWritable(admin))

  const contact = await stage.contact('there@shop.example')
  const segment = await stage.segment([contact])
  const action = await stage.validated(await stage.action())
  await addGateway(context.db, context.masterKeys, {
    channel: 'sms',
    kind: 'sms-http',
    settings,
    account: null,
    name: 'network',
    secrets: { hookToken: HOOK },
  } as const)

  const { body: profile } = await stage.call('POST', '/channel/rcs/profiles', {
    body: { name: 'RCS', agent: 'agent', provider: { type: 'google-rbm', clientToken: HOOK } },
  })
  const rcsHook = new URL(profile.webhook.url).pathname
  const subscribed = rbmEvents.user('SUBSCRIBE', { agentId: 'agent', senderPhoneNumber: '+33601020304' })
  const signed = webhookRequest(subscribed, { clientToken: HOOK })

  test('answers every write with 503 without doing it, and every read as usual', async () => {
    const before = await stock()
    await makeReadOnly(admin)
    const recipient = { type: 'id', value: contact }
    const writes = [
      ['POST', '/targets', { Email: 'new@shop.example' }],
      ['PUT', '/targets', [{ Email: 'a@shop.example' }, { Email: 'b@shop.example' }]],
      ['DELETE', `/targets/${contact}`],
      ['POST', '/categories', { name: 'New' }],
      ['POST', '/segments', { type: 'static', name: 'New' }],
      ['PUT', `/segments/${segment}/targets`, [contact]],
      ['DELETE', `/segments/${segment}`],
      ['POST', '/actions', { type: 'mailMessage', name: 'New' }],
      ['POST', `/actions/${action}/execution`, { recipient }],
      ['POST', `/actions/${action}/executions`, [{ recipient }]],
      ['POST', '/campaigns', { name: 'New' }],
      ['POST', '/imports', { name: 'New' }],
      ['POST', '/webhooks', { name: 'New', url: 'https://hook.example/', events: ['hits'] }],
      ['PUT', '/settings/events', { ip: 'none' }],
      ['POST', `/hooks/sms/${HOOK}`, { type: 'report', id: 'r1', status: 'delivered' }],
    ] as const
    for (const [method, url, body] of writes)
      assert.deepEqual((await ask(method, url, body)).refusal, AWAY, `${method} ${url}`)
    assert.deepEqual((await ask('POST', rcsHook, JSON.parse(signed.body), signed.headers)).refusal, AWAY)
    for (const path of ['/targets', `/actions/${action}`, `/segments/${segment}`, '/imports', '/health/ready'])
      assert.equal((await ask('GET', path)).status, 200, path)
    await makeWritable(admin)
    assert.deepEqual(await stock(), before)
  })

  test('an RCS report that was refused is recorded once when it is repeated', async () => {
    const post = () => ask('POST', rcsHook, JSON.parse(signed.body), signed.headers)
    await eventually(async () => (await post()).status === 200)
    assert.equal((await post()).status, 200)
    const events = await ask('GET', '/channel/rcs/actions/events/interactions')
    assert.equal(JSON.parse(events.payload).length, 1)
  })

  test('a refused send with an Idempotency-Key is done once when it is repeated', async () => {
    await makeReadOnly(admin)
    const body = { recipient: { type: 'id', value: contact } }
    const send = () => ask('POST', `/actions/${action}/execution`, body, { 'idempotency-key': 'order-7' })
    for (let n = 0; n < 3; n++) assert.deepEqual((await send()).refusal, AWAY)
    await makeWritable(admin)
    await eventually(async () => (await send()).status === 200)
    assert.equal((await send()).status, 200)
    await stage.settle()
    assert.equal(stage.gateway.to('there@shop.example').length, 1)
  })

  test('connections opened during the outage are discarded after they fail', async () => {
    await makeReadOnly(admin)
    // All that the pool may have.
    await Promise.all(Array.from({ length: 4 }, () => ask('GET', '/targets')))
    await makeWritable(admin)
    let failed = 0
    for (let n = 0; n < 12; n++) {
      const { status } = await ask('POST', '/categories', { name: `Category ${n}` })
      if (status === 200) continue
      assert.equal(status, 503)
      failed++
    }
    assert.ok(failed <= 4, `${failed} writes failed`)
  })

  test('incoming mail is accepted and spooled to disk, and its report is recorded once', async () => {
    const sent = stage.gateway.to('there@shop.example').at(-1)!
    const report = [
      'From: MAILER-DAEMON@relay.example',
      'Subject: Undelivered Mail Returned to Sender',
      '',
      '<there@shop.example>: host mx.shop.example said: 550 5.1.1 User unknown (in reply to RCPT TO command)',
      '',
    ].join('\r\n')
    const spool = join(dataDir, 'spool', 'mail')
    await makeReadOnly(admin)
    for (let n = 0; n < 3; n++) assert.match(await deliver(listener.port, sent.envelope.from, report), /^250/)
    assert.notDeepEqual(await readdir(spool), [])
    await makeWritable(admin)
    await eventually(async () => (await readdir(spool)).length === 0)
    const { rows } = await admin.query("select count(*)::integer as n from events where kind = 'bounces'")
    assert.equal(rows[0].n, 1)
  })
})

suite('a write that the database refuses', () => {
  // Before the harness deletes the database.
  after(async () => {
    await listener.stop()
    await app.close()
    await served.close()
    await admin.end()
  })
  for (const code of ['25006', '42501', '53100', '53200', '53400', '57P01', '57P03', '58030', '58P01', '08006']) {
    test(`is answered 503 on ${code}, and succeeds when repeated`, async () => {
      const contact = { Email: `c${code}@shop.example`.toLowerCase() }
      const allow = await refuseInserts(admin, 'contacts', code)
      assert.deepEqual((await ask('POST', '/targets', contact)).refusal, AWAY)
      await allow()
      assert.equal((await ask('POST', '/targets', contact)).status, 200)
    })
  }

  test('is answered 500 without its cause if it can never succeed', async () => {
    const allow = await refuseInserts(admin, 'contacts', 'P0001')
    const { refusal, payload } = await ask('POST', '/targets', { Email: 'never@shop.example' })
    await allow()
    assert.deepEqual(refusal, [500, 'urn:stentor:problem:internal', undefined])
    assert.doesNotMatch(payload, /refused by the test/)
  })
})

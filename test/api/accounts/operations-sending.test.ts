import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Counter } from 'prom-client'
import { addSendingDomain } from '../../../src/features/accounts/domains.ts'
import { countSentQuarters, recountSentQuarters } from '../../../src/features/deliverability/sent-quarters.ts'
import { createWebhookDispatcher } from '../../../src/features/webhooks/dispatcher.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import { createOutboundPolicy } from '../../../src/lib/net/guarded-client.ts'
import { addGateway } from '../../../src/sending/gateway-registry/gateway-rows.ts'
import { startDomainWarmUp } from '../../../src/sending/shaping/warm-up.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { startReceiver } from '../../fakes/web/webhook-receiver.ts'
import { startHarness } from '../../support/harness.ts'
import { type Browser, kindOf, makePerson, signedIn } from '../../support/stages/people.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { call, clock, context, makeAccount, makeKey, other, own } = harness
const { db, pool } = context
const HOUR = 3_600_000

const sink = await startSink({
  behave: ({ stage, address }) =>
    stage === 'rcpt' && address.startsWith('nobody') ? { code: 550, text: '5.1.1 no such user' } : undefined,
})
const receiver = await startReceiver()
context.config.outgoingAllow.push(receiver.host)
after(() => Promise.all([sink.close(), receiver.close()]))

let accounts = 0
async function newAccount() {
  const made = await makeAccount(`S${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, url, { body, key: made.key, headers })
  return { ...made, ask }
}

let ada: Browser
before(async () => {
  ada = await signedIn(harness, await makePerson(harness, 'Ada', [[own, 'sender']]))
})

suite('requests of the last hour', () => {
  test('are listed newest first, without values and bodies, by key and status', async () => {
    const { account, key, ask } = await newAccount()
    const reader = await makeKey(account, ['read'])
    await ask('GET', '/targets?unicity=ann@customer.example')
    await ask('POST', '/segments', { type: 'static', name: 'Very private' })
    await call('POST', '/segments', { key: reader, body: {} })
    await ask('GET', '/segments/4711?secret=1')
    await call('GET', '/segments', { key: 'no key' })
    const { status, body, text } = await ask('GET', '/requests')
    assert.equal(status, 200)
    const view = (rows: Record<string, unknown>[]) => rows.map(({ method, path, status: code }) => [method, path, code])
    assert.deepEqual(view(body), [
      ['GET', '/segments/{id}', 404],
      ['POST', '/segments', 403],
      ['POST', '/segments', 200],
      ['GET', '/targets', 404],
    ])
    const [first] = body
    assert.deepEqual(first, {
      id: first.id,
      date: new Date(clock.now()).toISOString(),
      method: 'GET',
      path: '/segments/{id}',
      status: 404,
      durationMs: first.durationMs,
      request: first.request,
      by: first.by,
    })
    assert.deepEqual([first.by.type, first.by.name, first.durationMs >= 0], ['key', 'test', true])
    assert.doesNotMatch(text, /customer|private|secret|4711/)
    assert.deepEqual(view((await ask('GET', '/requests?status=403')).body), [['POST', '/segments', 403]])
    assert.deepEqual((await ask('GET', '/requests?status=4xx,200&limit=2')).body.length, 2)
    const ofReader = (await ask('GET', '/requests?status=403')).body[0].by.id
    assert.deepEqual(view((await ask('GET', `/requests?key=${ofReader}`)).body), [['POST', '/segments', 403]])
    for (const query of ['status=600', 'status=x', 'key=x', 'key=0'])
      assert.equal((await ask('GET', `/requests?${query}`)).status, 400, query)
    assert.equal((await call('GET', '/requests', { key: reader })).status, 403)
    assert.equal(typeof key, 'string')
  })

  test("include people's requests, exclude other accounts, and disappear after an hour", async () => {
    const { ask } = await newAccount()
    await ada.visit('GET', '/segments')
    await ada.visit('POST', '/domains', { body: { name: 'x.example' } })
    const mine = (await call('GET', '/requests')).body
    assert.deepEqual(
      mine
        .slice(0, 2)
        .map(({ path, status, by }: Record<string, { type: string; name: string }>) => [
          path,
          status,
          by?.type,
          by?.name,
        ]),
      [
        ['/domains', 403, 'person', 'Ada'],
        ['/segments', 200, 'person', 'Ada'],
      ],
    )
    assert.deepEqual((await ask('GET', '/requests')).body, [])
    clock.advance(HOUR)
    assert.deepEqual((await ask('GET', '/requests')).body, [])
    await purgeExpiredRows(context, 'trimRequests', clock.now())
    const { rows } = await pool.query('select count(*)::integer as n from request_log where at < $1', [
      new Date(clock.now() - HOUR),
    ])
    assert.equal(rows[0].n, 0)
  })
})

suite('webhook deliveries', () => {
  test('are listed with status and failure reason for an hour', async () => {
    const { account, ask } = await newAccount()
    const { id } = (await ask('POST', '/webhooks', { name: 'Shop', url: receiver.url })).body
    const event = async () => {
      const at = new Date()
      await pool.query(
        `insert into events (id, at, account, channel, kind, detail) values ($1, $2, $3, 'email', 'complaints', '{}')`,
        [createUuidV7(at.getTime()), at, account],
      )
    }
    const tries = new Counter({ name: 'tries', help: 'of the test', labelNames: ['outcome'], registers: [] })
    const deliver = async () => {
      const one = createWebhookDispatcher({
        ...context,
        reach: createOutboundPolicy(context.config.outgoingAllow),
        tries,
      })
      await eventually(async () => {
        const dispatched = await one.dispatch()
        await one.idle()
        return dispatched > 0
      })
    }
    assert.deepEqual((await ask('GET', `/webhooks/${id}/deliveries`)).body, [])
    await event()
    await deliver()
    receiver.answer(500)
    await event()
    await deliver()
    const { status, body } = await ask('GET', `/webhooks/${id}/deliveries`)
    assert.equal(status, 200)
    const view = ({ events, try: nth, success, status: code, detail }: Record<string, unknown>) => [
      events,
      nth,
      success,
      code,
      detail,
    ]
    assert.deepEqual(body.map(view), [
      [1, 1, false, 500, 'answered 500'],
      [1, 1, true, 204, null],
    ])
    assert.ok(body.every(({ durationMs }: { durationMs: number }) => durationMs >= 0))
    assert.equal((await ask('GET', `/webhooks/${id}/deliveries?limit=1`)).body.length, 1)
    assert.equal((await call('GET', `/webhooks/${id}/deliveries`, { key: other.key })).status, 404)
    assert.equal((await ask('GET', '/webhooks/x/deliveries')).status, 404)
    const reader = await makeKey(account, ['read'])
    assert.equal((await call('GET', `/webhooks/${id}/deliveries`, { key: reader })).status, 403)
    clock.advance(HOUR)
    assert.deepEqual((await ask('GET', `/webhooks/${id}/deliveries`)).body, [])
    await purgeExpiredRows(context, 'trimTries', clock.now())
    assert.equal((await pool.query('select from webhook_tries where webhook = $1', [id])).rowCount, 0)
  })
})

suite('a test message', () => {
  test('from a key is sent to the given address, and captured while there is no gateway', async () => {
    const { ask } = await newAccount()
    const { status, body } = await ask('POST', '/settings/sending/test', {
      channel: 'email',
      to: 'ann@customer.example',
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body, {
      channel: 'email',
      to: 'ann@customer.example',
      from: 'news@stentor.example',
      result: 'accepted',
      detail: '250 2.0.0 captured',
      gateway: { name: 'capture', kind: 'capture' },
      captured: body.captured,
    })
    const sms = await ask('POST', '/settings/sending/test', { channel: 'sms', to: '+33612345678' })
    assert.deepEqual([sms.status, sms.body.result, sms.body.to], [200, 'accepted', '+33612345678'])
    const json = { accept: 'application/json', host: 'stentor.example' }
    const captured = await ask('GET', '/captured', undefined, json)
    assert.equal(captured.status, 200)
    // Of one instant, they have no order.
    const [first, second] = [body.captured, sms.body.captured].map((id) =>
      captured.body.find((one: { id: string }) => one.id === id),
    )
    assert.deepEqual(first, {
      id: body.captured,
      channel: 'email',
      date: new Date(clock.now()).toISOString(),
      from: 'news@stentor.example',
      to: 'ann@customer.example',
      stamp: first.stamp,
      size: first.size,
      subject: 'Test message',
      confidential: false,
    })
    assert.deepEqual(
      [second.id, second.channel, second.to, second.encoding, second.segments],
      [sms.body.captured, 'sms', '+33612345678', 'gsm7', 1],
    )
    assert.equal(captured.body.length, 2)
    assert.equal(captured.headers['vary'], 'accept')
    const page = await ask('GET', '/captured', undefined, { ...json, accept: 'text/html, application/json;q=0.9' })
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(page.text, /ann@customer\.example/)
    const theirs = await call('GET', '/captured', { key: other.key, headers: json })
    assert.deepEqual(theirs.body, [])
  })

  test('reports the reply of the receiving server', async () => {
    const { account, ask } = await newAccount()
    const row = { name: 'sink', kind: 'smtp', channel: 'email' as const }
    const settings = { host: '127.0.0.1', port: sink.port }
    await addGateway(db, context.masterKeys, { ...row, settings, account })
    const send = async (to: string) => (await ask('POST', '/settings/sending/test', { channel: 'email', to })).body
    const taken = await send('ben@customer.example')
    assert.deepEqual([taken.result, taken.gateway, taken.captured], ['accepted', { name: 'sink', kind: 'smtp' }, null])
    assert.match(String(sink.messages.at(-1)?.bytes), /Subject: Test message/)
    const refused = await send('nobody@customer.example')
    assert.deepEqual([refused.result, refused.detail.includes('no such user')], ['refused', true])
    assert.deepEqual((await pool.query('select from events where account = $1', [account])).rowCount, 0)
  })

  test('from a person is sent to their own address only', async () => {
    const send = (body: object) => ada.visit('POST', '/settings/sending/test', { body })
    assert.deepEqual((await send({ channel: 'email' })).body.to, 'ada@people.example')
    assert.equal((await send({ channel: 'email', to: 'ADA@people.example' })).status, 200)
    assert.deepEqual(kindOf(await send({ channel: 'email', to: 'ben@customer.example' })), [403, 'own-address'])
    assert.equal((await send({ channel: 'sms' })).status, 400)
    assert.equal((await send({ channel: 'sms', to: '+33612345678' })).status, 200)
  })

  test('is refused for an invalid address or channel, and without the right to send', async () => {
    const { account, ask } = await newAccount()
    for (const [body, pointer] of [
      [{}, '/channel'],
      [{ channel: 'rcs' }, '/channel'],
      [{ channel: 'email' }, '/to'],
      [{ channel: 'email', to: 'nobody' }, '/to'],
      [{ channel: 'sms', to: '0612345678' }, '/to'],
    ] as const) {
      const answer = await ask('POST', '/settings/sending/test', body)
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, pointer], JSON.stringify(body))
    }
    const writer = await makeKey(account, ['read', 'write'])
    const body = { channel: 'email', to: 'ann@customer.example' }
    assert.equal((await call('POST', '/settings/sending/test', { key: writer, body })).status, 403)
  })
})

suite('sample data', () => {
  const rowsOf = async (account: number) => {
    const tables = ['fields', 'contacts', 'segments', 'segment_members', 'samples', 'segment_fields', 'bounce_flags']
    const counts = await Promise.all(
      tables.map(async (table) => {
        const { rows } = await pool.query(`select count(*)::integer as n from ${table} where account = $1`, [account])
        return [table, rows[0].n]
      }),
    )
    return Object.fromEntries(counts)
  }

  test('is created, marked by its names, and removed completely', async () => {
    const { account, ask } = await newAccount()
    const before_ = await rowsOf(account)
    assert.equal((await ask('GET', '/samples')).status, 404)
    const { status, body } = await ask('POST', '/samples')
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      [body.contacts.length, body.fields.length, body.segments.length, body.actions.length],
      [40, 3, 3, 1],
    )
    assert.deepEqual((await ask('GET', '/samples')).body, body)
    const names = async (url: string) => (await ask('GET', url)).body.map(({ name }: { name: string }) => name)
    assert.ok((await names('/segments')).every((name: string) => name.startsWith('Sample')))
    assert.deepEqual((await names('/fields')).slice(1), ['SampleFirstname', 'SampleCity', 'SampleOrders'])
    const action = (await ask('GET', `/actions/${body.actions[0]}`)).body
    assert.deepEqual([action.name, action.state], ['Sample newsletter', 20])
    const contact = (await ask('GET', `/targets/${body.contacts[0]}`)).body
    assert.match(JSON.stringify(contact), /sample-\d\d@customer\.example/)
    assert.deepEqual(kindOf(await ask('POST', '/samples')), [409, 'samples-present'])
    assert.equal((await ask('DELETE', '/samples')).status, 204)
    assert.deepEqual(await rowsOf(account), before_)
    assert.deepEqual((await ask('GET', '/actions')).body, [])
    assert.equal((await ask('DELETE', '/samples')).status, 404)
    assert.equal((await ask('POST', '/samples')).status, 200)
  })

  test('leaves what others created, and stays complete while something uses it', async () => {
    const { ask } = await newAccount()
    const email = (await ask('GET', '/fields')).body[0].id
    const mine = (await ask('POST', '/targets', { [email]: 'sample-01@customer.example' })).body
    const { body } = await ask('POST', '/samples')
    assert.equal(body.contacts.length, 39)
    const criteria = { all: [{ type: 'field', field: body.fields[1], operator: 'equals', value: 'Paris' }] }
    const own_ = (await ask('POST', '/segments', { type: 'dynamic', name: 'Mine', criteria })).body
    const refused = await ask('DELETE', '/samples')
    assert.deepEqual(kindOf(refused), [409, 'field-linked'])
    assert.deepEqual((await ask('GET', '/samples')).body, body)
    assert.equal((await ask('GET', `/actions/${body.actions[0]}`)).status, 200)
    await ask('DELETE', `/segments/${own_.id}`)
    // Some of it was deleted by hand.
    await ask('DELETE', `/actions/${body.actions[0]}`)
    await ask('DELETE', `/targets/${body.contacts[0]}`)
    await ask('DELETE', `/segments/${body.segments[1]}`)
    assert.equal((await ask('DELETE', '/samples')).status, 204)
    assert.deepEqual((await ask('GET', '/targets/count')).body.targetsCount, 1)
    assert.equal((await ask('GET', `/targets/${mine.id}`)).status, 200)
  })

  test('requires an admin, and an account whose key is one email field', async () => {
    const { account, ask } = await newAccount()
    const writer = await makeKey(account, ['read', 'write', 'send'])
    for (const method of ['POST', 'DELETE']) assert.equal((await call(method, '/samples', { key: writer })).status, 403)
    await ask('POST', '/fields', { type: 'textField', name: 'Number', isUnicity: true })
    assert.deepEqual(kindOf(await ask('POST', '/samples')), [409, 'samples-unfit'])
    assert.deepEqual((await ask('GET', '/fields')).body.length, 2)
  })
})

suite('deliverability', () => {
  interface Sent {
    address: string
    outcome?: string
    kind?: string
    agoMs?: number
  }

  async function sent(account: number, { address, outcome = 'accepted', kind = 'message', agoMs = 0 }: Sent) {
    const [stamp, at] = [createUuidV7(Date.now()), new Date(clock.now() - agoMs - 1000)]
    await pool.query(
      `insert into sent_messages (account, stamp, channel, kind, source, version, address, outcome, thread, set,
        stamp_time, ended_at, request, values)
      values ($1, $2, 'email', $5, 1, 1, $3, $4, $2, $2, $6, $6, '{}', '{}')`,
      [account, stamp, address, outcome, kind, at],
    )
    return stamp
  }

  async function reaction(account: number, stamp: string, kind: string, detail: object) {
    const at = new Date(clock.now() - 500)
    await pool.query(
      `insert into events (id, at, account, channel, kind, stamp, detail) values ($1, $2, $3, 'email', $4, $5, $6)`,
      [createUuidV7(at.getTime()), at, account, kind, stamp, JSON.stringify(detail)],
    )
  }

  const unknownUser = { type: 'address', detail: { type: 'bad destination mailbox address' } }
  const bounce = (type: string, verdict: string, rule: string, subject: object = unknownUser) => ({
    bounce: { status: { type }, analysis: { verdict, subject, rule } },
  })

  test('is reported by destination: sent, refused by pattern, bounces, complaints', async () => {
    clock.set(Date.now())
    const { account, ask } = await newAccount()
    for (let n = 0; n < 6; n++) await sent(account, { address: `a${n}@gmail.com` })
    const [late, complained] = [
      await sent(account, { address: 'b@GoogleMail.com' }),
      await sent(account, { address: 'c@gmail.com' }),
    ]
    const refused = await sent(account, { address: 'd@gmail.com', outcome: 'refused' })
    const other_ = await sent(account, { address: 'e@shop.example', outcome: 'refused' })
    await sent(account, { address: '' })
    await sent(account, { address: 'old@hotmail.fr', agoMs: 8 * 24 * HOUR })
    await sent(account, { address: 'proof@gmail.com', kind: 'test' })
    await sent(account, { address: 'x@gmail.com', outcome: 'cancelled' })
    await reaction(account, late, 'bounces', bounce('async', 'hard', 'mailbox-unknown'))
    await reaction(account, refused, 'bounces', bounce('sync', 'hard', 'mailbox-unknown'))
    await reaction(account, other_, 'bounces', bounce('sync', 'soft', 'none', { type: 'other or undefined status' }))
    await reaction(account, complained, 'complaints', { complaint: {} })
    const { status, body } = await ask('GET', '/deliverability')
    assert.equal(status, 200, JSON.stringify(body))
    const none = { refusals: [], bounces: { hard: 0, soft: 0 }, complaints: 0, bounceRate: 0, complaintRate: 0 }
    assert.deepEqual(body.destinations, [
      {
        destination: 'gmail',
        domains: ['gmail.com', 'googlemail.com'],
        sent: 8,
        refused: 1,
        refusals: [
          { pattern: 'mailbox-unknown', subject: 'bad destination mailbox address', verdict: 'hard', count: 1 },
        ],
        bounces: { hard: 1, soft: 0 },
        complaints: 1,
        bounceRate: 0.2222,
        complaintRate: 0.125,
      },
      { destination: null, domains: [], sent: 1, refused: 0, ...none },
      {
        destination: 'shop.example',
        domains: ['shop.example'],
        sent: 0,
        refused: 1,
        refusals: [{ pattern: 'none', subject: 'other or undefined status', verdict: 'soft', count: 1 }],
        bounces: { hard: 0, soft: 0 },
        complaints: 0,
        bounceRate: 1,
        complaintRate: null,
      },
    ])
    const at = (ms: number) => new Date(clock.now() + ms).toISOString()
    assert.deepEqual([body.start, body.end, body.warmUps], [at(-7 * 24 * HOUR), at(0), []])
    const older = await ask('GET', `/deliverability?start=${at(-9 * 24 * HOUR)}&end=${at(-7 * 24 * HOUR)}`)
    assert.deepEqual(older.body.destinations, [
      { destination: 'microsoft', domains: ['hotmail.fr'], sent: 1, refused: 0, ...none },
    ])
    for (const query of ['start=x', `start=${at(0)}&end=${at(-1)}`, `start=${at(-40 * 24 * HOUR)}`])
      assert.equal((await ask('GET', `/deliverability?${query}`)).status, 400, query)
    assert.deepEqual((await call('GET', '/deliverability', { key: other.key })).body.destinations, [])
    const writer = await makeKey(account, ['write'])
    assert.equal((await call('GET', '/deliverability', { key: writer })).status, 403)
  })

  test('is the same from counts as from messages for any period, and late messages are counted by night', async () => {
    const { rows } = await pool.query<{ until: Date }>('select counted_until as until from sent_counting')
    clock.set(Math.max(Date.now(), rows[0]!.until.getTime()) + HOUR)
    const { account, ask } = await newAccount()
    const at = (ms: number) => new Date(clock.now() - ms).toISOString()
    const MINUTE = 60_000
    for (let n = 0; n < 200; n++) {
      const outcome = n % 7 === 0 ? 'refused' : 'accepted'
      await sent(account, { address: `a${n}@d${n % 5}.example`, outcome, agoMs: n * 11 * MINUTE })
    }
    const spans = [
      '',
      `?start=${at(30 * 24 * HOUR)}`,
      `?start=${at(20 * HOUR)}&end=${at(3 * HOUR)}`,
      `?start=${at(7 * MINUTE)}`,
      `?start=${at(9 * HOUR)}&end=${at(9 * HOUR - 3 * MINUTE)}`,
    ]
    const answers = async () => {
      const bodies = []
      for (const span of spans) bodies.push((await ask('GET', `/deliverability${span}`)).body.destinations)
      return bodies
    }
    const before = await answers()
    assert.equal(
      before[0].reduce((sum: number, one: { sent: number }) => sum + one.sent, 0),
      171,
    )
    await countSentQuarters(context.db, clock.now())
    assert.deepEqual(await answers(), before)
    const counted = await pool.query('select sum(sent + refused)::integer as n from sent_quarters where account = $1', [
      account,
    ])
    assert.ok(counted.rows[0].n > 190)

    await sent(account, { address: 'late@d0.example', agoMs: 5 * HOUR })
    assert.deepEqual(await answers(), before, 'until the night')
    await recountSentQuarters(context.db, clock.now())
    const [, month] = await answers()
    const sentTo = (all: { destination: string; sent: number }[]) =>
      all.find((one) => one.destination === 'd0.example')?.sent ?? 0
    assert.equal(sentTo(month), sentTo(before[1]) + 1)
  })

  test('shows the state of young domains', async () => {
    clock.set('2027-03-03T12:00:00.000Z')
    const { account, ask } = await newAccount()
    const now = new Date(clock.now())
    await addSendingDomain(context, account, { domain: 'young.example', isDefault: false, verifiedAt: null, now })
    await startDomainWarmUp(db, account, 'young.example', '2027-03-01')
    await pool.query(
      `insert into warm_up_counts (account, domain, destination, day, sent) values
        ($1, 'young.example', 'gmail', '2027-03-03', 12), ($1, 'young.example', 'yahoo', '2027-03-03', 30),
        ($1, 'young.example', 'gmail', '2027-03-02', 99)`,
      [account],
    )
    const [state] = (await ask('GET', '/deliverability')).body.warmUps
    assert.deepEqual(
      { ...state, schedule: state.schedule.slice(0, 3) },
      {
        domain: 'young.example',
        startDate: '2027-03-01',
        day: 3,
        allowance: 200,
        schedule: [50, 100, 200],
        sent: [
          { destination: 'yahoo', count: 30 },
          { destination: 'gmail', count: 12 },
        ],
      },
    )
    clock.set(Date.now())
  })
})

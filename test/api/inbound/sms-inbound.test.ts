import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import { createSmsInbox } from '../../../src/channels/sms/inbox.ts'
import { ingestSmsReports, type SmsIngestContext } from '../../../src/features/inbound/sms/sms-ingest.ts'
import type { SmsReceipt, SmsReply } from '../../../src/gateways/gateway.ts'
import { addGateway } from '../../../src/sending/gateway-registry/gateway-rows.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, gateway, get, own, other, sendDue, settle } = stage
const { db } = context
const { body: phone } = await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })

const unmatched: Record<string, number> = {}
const ingestion: SmsIngestContext = {
  ...context,
  unmatched: { inc: ({ kind }, n) => void (unmatched[kind] = (unmatched[kind] ?? 0) + n) },
}
const inbox = createSmsInbox(db, clock, null)
let numbers = 0

interface Shown {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
  source: { type: string; detail: any }
}

async function contact(number = `+336020${String(++numbers).padStart(5, '0')}`) {
  const address = `inbound${++numbers}@shop.example`
  return { address, number, id: await stage.contact(address, { Mobile: number }) }
}

const { body: made } = await call('POST', '/actions', {
  body: {
    type: 'smsMessage',
    name: 'Text',
    settings: { purpose: { type: 'service' }, sender: '36111' },
    content: { textContent: 'Hello' },
  },
})
const action: string = made.id
await call('POST', `/actions/${action}/validation`, { body: { fortest: true, mediaForTest: '+33601999999' } })
await settle()
assert.equal((await call('POST', `/actions/${action}/validation`, { body: { fortest: false } })).status, 204)

/** Executes the action for a contact; what is not sent yet has no reference. */
async function execute(address: string): Promise<string> {
  const { body } = await call('POST', `/actions/${action}/execution`, {
    body: { recipient: { type: 'unicity', value: [address] } },
  })
  return body.id
}

/** Sends an SMS to a contact, of one part or more; gives its stamp and what the network calls its parts. */
async function send(to: { address: string; number: string }, references?: readonly string[]) {
  const stamp = await execute(to.address)
  if (references) gateway.plan(to.number, { result: 'accepted', reference: references[0]!, references } as never)
  await sendDue()
  const id = gateway.sentSms.findLast((one) => one.to === to.number)?.id
  return { stamp, references: references ?? [`recorded-${id}`] }
}

function receipt(reference: string, more: Partial<SmsReceipt> = {}): SmsReceipt {
  const time = clock.now()
  return { reference, state: 'DELIVRD', error: null, to: '', from: '36111', time, diagnostic: 'id:1 stat:x', ...more }
}

function reply(from: string, text: string, more: Partial<SmsReply> = {}): SmsReply {
  return { id: `mo-${++numbers}`, from, to: '36111', text, time: clock.now(), ...more }
}

/** Takes what is in the inbox up, now and after what is put off is due again. */
async function ingest(): Promise<void> {
  await ingestSmsReports(ingestion)
  clock.advance(1000)
}

async function waiting(): Promise<number> {
  return (await db.selectFrom('sms_inbox').select('id').execute()).length
}

async function eventsOf(stamp: string): Promise<Shown[]> {
  const events: Shown[] = (await call('GET', `/actions/${action}/events`)).body
  return events.filter(({ source: { detail } }) => (detail.execution ?? detail.activation).stamp.id === stamp)
}

const typesOf = async (stamp: string) => (await eventsOf(stamp)).map(({ type }) => type)
const contactEvents = async (id: string): Promise<Shown[]> => (await call('GET', `/targets/${id}/events`)).body
const redList = async (id: string) => (await call('GET', `/targets/${id}`)).body.redList

suite('SMS receipts', () => {
  test('DELIVRD is a delivery with its activation', async () => {
    const { stamp, references } = await send(await contact())
    await inbox.onReceipt('recording', receipt(references[0]!))
    await ingest()
    const events = await eventsOf(stamp)
    assert.deepEqual(
      events.map(({ type, source }) => [type, source.type]),
      [
        ['execution', 'sms'],
        ['activation', 'sms'],
        ['delivery', 'sms'],
      ],
    )
    const { delivery, activation } = events[2]!.source.detail
    assert.deepEqual(delivery.gateway, { name: 'recording', message: references[0], state: 'DELIVRD' })
    assert.deepEqual(activation, events[1]!.source.detail.activation)
  })

  test('repeated receipts, or one for each part, are one event', async () => {
    const { stamp, references } = await send(await contact(), ['part-1', 'part-2', 'part-3'])
    for (const reference of [...references, ...references]) await inbox.onReceipt('recording', receipt(reference))
    await ingest()
    await inbox.onReceipt('recording', receipt('part-2'))
    await ingest()
    assert.deepEqual(await typesOf(stamp), ['execution', 'activation', 'delivery'])
    assert.equal(await waiting(), 0)
  })

  test('a network failure is expressed in the terms of mail and flags the number', async () => {
    const cases: [Partial<SmsReceipt>, string, string, string, string, number][] = [
      [{ state: 'UNDELIV', error: '001' }, '5.1.1', 'UNDELIV/001', 'hard', 'map-1', 52],
      [{ state: 'UNDELIV', error: '009' }, '5.2.1', 'UNDELIV/009', 'hard', 'map-9', 52],
      [{ state: 'UNDELIV', error: 'invalid-number' }, '5.1.1', 'UNDELIV/invalid-number', 'hard', 'invalid-number', 52],
      [{ state: 'UNDELIV', error: '027' }, '4.4.1', 'UNDELIV/027', 'soft', 'map-27', 4],
      [{ state: 'UNDELIV', error: '033' }, '4.2.2', 'UNDELIV/033', 'soft', 'map-33', 4],
      [{ state: 'EXPIRED' }, '4.4.7', 'EXPIRED', 'soft', 'expired', 4],
      [{ state: 'REJECTD' }, '5.7.1', 'REJECTD', 'soft', 'rejectd', 0],
      [{ state: 'UNDELIV', error: '011' }, '5.7.1', 'UNDELIV/011', 'soft', 'map-11', 0],
    ]
    for (const [report, enhanced, code, verdict, rule, flag] of cases) {
      const one = await contact()
      const { stamp, references } = await send(one)
      await inbox.onReceipt('recording', receipt(references[0]!, report))
      await ingest()
      const { bounce } = (await eventsOf(stamp)).at(-1)!.source.detail
      const { status, analysis } = bounce
      assert.deepEqual(
        [status.type, status.code, status.mta, analysis.verdict, analysis.rule],
        ['async', { enhanced, gateway: code }, 'recording', verdict, rule],
      )
      const { rows } = await context.pool.query('select code from bounce_flags where contact = $1 and field = $2', [
        Number.parseInt(one.id, 36),
        phone.id,
      ])
      assert.deepEqual(
        rows.map((row) => row.code),
        flag === 0 ? [] : [flag],
        code,
      )
    }
  })

  test("a delivery resets the number's soft bounces", async () => {
    const one = await contact()
    const first = await send(one)
    await inbox.onReceipt('recording', receipt(first.references[0]!, { state: 'EXPIRED' }))
    await ingest()
    const count = async () =>
      (await context.pool.query('select from soft_bounces where contact = $1', [Number.parseInt(one.id, 36)])).rowCount
    assert.equal(await count(), 1)
    const second = await send(one)
    await inbox.onReceipt('recording', receipt(second.references[0]!))
    await ingest()
    assert.equal(await count(), 0)
  })

  test('an intermediate state is not an event', async () => {
    const { stamp, references } = await send(await contact())
    for (const state of ['ENROUTE', 'ACCEPTD'] as const)
      await inbox.onReceipt('recording', receipt(references[0]!, { state }))
    await ingest()
    assert.deepEqual([await typesOf(stamp), await waiting()], [['execution', 'activation'], 0])
  })

  test('a receipt that arrives before its message is recorded waits for it', async () => {
    const one = await contact()
    const stamp = await execute(one.address)
    await inbox.onReceipt('recording', receipt('early-1'))
    await ingest()
    assert.equal(await waiting(), 1)
    gateway.plan(one.number, { result: 'accepted', reference: 'early-1' })
    await sendDue()
    await ingest()
    assert.deepEqual([await typesOf(stamp), await waiting()], [['execution', 'activation', 'delivery'], 0])
  })

  test('a receipt that matches no message is dropped after a day and counted', async () => {
    await inbox.onReceipt('recording', receipt('nobody'))
    clock.advance(23 * 3_600_000)
    await ingest()
    assert.equal(await waiting(), 1)
    clock.advance(2 * 3_600_000)
    await ingest()
    assert.deepEqual([await waiting(), unmatched['receipt']], [0, 1])
  })

  test("a reference from another gateway, or from another account's own gateway, is not matched", async () => {
    const { stamp, references } = await send(await contact())
    await inbox.onReceipt('elsewhere', receipt(references[0]!))
    await createSmsInbox(db, clock, other.account).onReceipt('recording', receipt(references[0]!))
    await ingest()
    assert.deepEqual(await typesOf(stamp), ['execution', 'activation'])
    await db.deleteFrom('sms_inbox').execute()
  })
})

suite('SMS replies', () => {
  test('a STOP word puts the contact on the SMS red list with origin 6, and nothing more is sent', async () => {
    for (const [text, keyword] of [
      ['Arrêt svp', 'ARRET'],
      ['stop36111', 'STOP'],
      ['  STOP!', 'STOP'],
      ['Baja', 'BAJA'],
    ] as const) {
      const one = await contact()
      const { stamp } = await send(one)
      await inbox.onReply('recording', reply(one.number, text))
      await ingest()
      const { activation, reply: report } = (await eventsOf(stamp)).at(-1)!.source.detail
      assert.deepEqual([report.type, report.keyword, report.text, report.from], ['stop', keyword, text, one.number])
      assert.equal(activation.stamp.id, stamp)
      assert.equal((await redList(one.id)).sms.reason, 6)
      const again = await execute(one.address)
      await sendDue()
      assert.deepEqual((await eventsOf(again)).at(-1)?.source.detail.cancellation, {
        type: 'redlist',
        value: { channel: 'sms' },
      })
    }
  })

  test('any other text is a reply without effect', async () => {
    for (const text of ['Stopper', 'please stop', 'Merci 👍\u0000']) {
      const one = await contact()
      const { stamp } = await send(one)
      await inbox.onReply('recording', reply(one.number, text))
      await ingest()
      const { type, keyword } = (await eventsOf(stamp)).at(-1)!.source.detail.reply
      assert.deepEqual([type, keyword, (await redList(one.id)).sms], ['other', null, undefined])
    }
  })

  test('a stop word of the account unsubscribes in any form', async () => {
    const [one, two] = [await contact(), await contact()]
    for (const [words, to, keyword] of [
      [['genüg'], one, 'GENUG'],
      [[], two, null],
    ] as const) {
      assert.equal((await call('PUT', '/settings/events', { body: { stopWords: words } })).status, 200)
      const { stamp } = await send(to)
      await inbox.onReply('recording', reply(to.number, 'Genug jetzt'))
      await ingest()
      assert.equal((await eventsOf(stamp)).at(-1)!.source.detail.reply.keyword, keyword)
      assert.equal((await redList(to.id)).sms?.reason, keyword === null ? undefined : 6)
    }
  })

  test('a STOP puts every contact of the account with that number on the red list', async () => {
    const one = await contact()
    const two = await contact(one.number)
    await send(one)
    await inbox.onReply('recording', reply(one.number.slice(1), 'STOP'))
    await ingest()
    assert.deepEqual([(await redList(one.id)).sms.reason, (await redList(two.id)).sms.reason], [6, 6])
  })

  test('a repeated reply is recorded once', async () => {
    const one = await contact()
    const { stamp } = await send(one)
    const named = reply(one.number, 'Yes')
    const nameless = reply(one.number, 'No', { id: null })
    for (const report of [named, nameless, named, nameless]) {
      await inbox.onReply('recording', report)
      await ingest()
    }
    assert.deepEqual(await typesOf(stamp), ['execution', 'activation', 'reply', 'reply'])
  })

  test('a reply more than 30 days after the last message has no activation but applies to the contact', async () => {
    const one = await contact()
    await send(one)
    clock.advance(31 * 86_400_000)
    await inbox.onReply('recording', reply(one.number, 'STOP'))
    await ingest()
    const last = (await contactEvents(one.id)).at(-1)
    assert.deepEqual([last?.type, last?.source.detail.activation], ['reply', null])
    assert.equal((await redList(one.id)).sms.reason, 6)
  })

  test('a reply to a shared number is recorded for every account that sent from it within 13 months', async () => {
    const one = await contact()
    const sentAt = (days: number) => new Date(clock.now() - days * 86_400_000)
    const row = { gateway: 'shared', contact: null, address: one.number, sender: '38000' }
    const stamp = '019512a0-7c11-7d2e-9a42-0c1de0a50777'
    await db
      .insertInto('sms_sends')
      .values([
        { ...row, account: own.account, reference: 'x1', stamp, sent_at: sentAt(60) },
        { ...row, account: other.account, reference: 'x2', stamp, sent_at: sentAt(390) },
      ])
      .execute()
    await inbox.onReply('shared', reply(one.number, 'Hello', { to: '38000' }))
    await ingest()
    const { rows } = await context.pool.query(
      "select account, contact is not null as known, detail -> 'activation' as activation from events where detail #>> '{reply,to}' = '38000' order by account",
    )
    assert.deepEqual(rows, [
      { account: own.account, known: true, activation: null },
      { account: other.account, known: false, activation: null },
    ])
  })

  test('a STOP in reply to a proof counts like any other', async () => {
    const one = await contact()
    const segment = await stage.segment([one.id], { isTest: true })
    const { body } = await call('POST', `/actions/${action}/duplication`)
    await call('POST', `/actions/${body.id}/validation`, { body: { fortest: true, testSegments: [segment] } })
    await settle()
    await inbox.onReply('recording', reply(one.number, 'STOP'))
    await ingest()
    const events: Shown[] = (await call('GET', `/actions/${body.id}/events`)).body
    assert.deepEqual([events.at(-1)?.type, events.at(-1)?.source.detail.activation.kind], ['reply', 'test'])
    assert.equal((await redList(one.id)).sms.reason, 6)
  })

  test('records that lead back to an erased contact are deleted', async () => {
    const one = await contact()
    await send(one)
    const kept = async () =>
      (await db.selectFrom('sms_sends').select('stamp').where('address', '=', one.number).execute()).length
    assert.equal(await kept(), 1)
    assert.equal((await call('DELETE', `/targets/${one.id}?erase=true`)).status, 204)
    assert.equal(await kept(), 0)
  })

  test('a reply from an unknown number is kept for operators and counted', async () => {
    const before = unmatched['reply'] ?? 0
    await inbox.onReply('recording', reply('+33609999999', 'who is this', { to: '39999' }))
    await ingest()
    assert.equal(unmatched['reply'], before + 1)
    const kept = await db.selectFrom('unmatched_reports').select(['door', 'content']).execute()
    assert.ok(kept.some(({ door, content }) => door === 'sms' && String(content).includes('who is this')))
  })
})

suite('SMS callbacks over HTTP', async () => {
  const token = 'a'.repeat(32)
  const signedToken = 'b'.repeat(32)
  const settings = { url: 'http://127.0.0.1:9/send?to={{to}}', method: 'GET' }
  const row = { channel: 'sms', kind: 'sms-http', settings } as const
  await addGateway(db, context.masterKeys, { ...row, account: null, name: 'recording', secrets: { hookToken: token } })
  const secrets = { hookToken: signedToken, hookSecret: 'quiet' }
  await addGateway(db, context.masterKeys, { ...row, account: own.account, name: 'signed', secrets })

  const json = { 'content-type': 'application/json' }
  const post = (to: string, body: unknown, headers: Record<string, string> = json) =>
    call('POST', `/hooks/sms/${to}`, { body, headers, key: null })

  test('a report and a reply become events, and repeats are recorded once', async () => {
    const one = await contact()
    const { stamp, references } = await send(one)
    const report = { type: 'report', id: references[0], status: 'delivered', to: one.number }
    const answer = { type: 'reply', id: 'r1', from: one.number, to: '36111', text: 'Stop' }
    for (const body of [report, report, answer, answer]) {
      const { status, text } = await post(token, body)
      assert.deepEqual([status, text], [204, ''])
    }
    await ingest()
    assert.deepEqual(await typesOf(stamp), ['execution', 'activation', 'delivery', 'reply'])
    assert.equal((await redList(one.id)).sms.reason, 6)
  })

  test('a report in the query of a GET is accepted', async () => {
    const { stamp, references } = await send(await contact())
    const query = new URLSearchParams({ type: 'report', id: references[0]!, status: 'failed', error: 'invalid-number' })
    assert.equal((await call('GET', `/hooks/sms/${token}?${query}`, { key: null })).status, 204)
    await ingest()
    assert.equal((await eventsOf(stamp)).at(-1)?.source.detail.bounce.status.code.enhanced, '5.1.1')
  })

  test('an unknown token is 404, an invalid callback 400, and nothing is stored', async () => {
    for (const wrong of ['c'.repeat(32), token.slice(1), `${token}a`])
      assert.equal((await post(wrong, { type: 'report', id: '1', status: 'delivered' })).status, 404)
    assert.equal((await post(token, 'nonsense')).status, 400)
    assert.equal((await post(token, { text: 'x'.repeat(1_100_000) })).status, 413)
    assert.equal(await waiting(), 0)
  })

  test('with a secret, only signed callbacks are accepted', async () => {
    const body = { type: 'report', id: 'no-such', status: 'delivered' }
    const signature = createHmac('sha256', 'quiet').update(JSON.stringify(body)).digest('hex')
    assert.equal((await post(signedToken, body)).status, 403)
    assert.equal((await post(signedToken, body, { ...json, 'x-signature': signature.replace(/./, 'x') })).status, 403)
    assert.equal(await waiting(), 0)
    assert.equal((await post(signedToken, body, { ...json, 'x-signature': signature })).status, 204)
    const { gateway: name, owner } = await db
      .selectFrom('sms_inbox')
      .select(['gateway', 'owner'])
      .executeTakeFirstOrThrow()
    assert.deepEqual([name, owner], ['signed', own.account])
    await db.deleteFrom('sms_inbox').execute()
  })
})

suite('SMS refused because of our settings', () => {
  test('are cancelled with type configuration and do not count against the contact', async () => {
    const one = await contact()
    gateway.plan(one.number, { result: 'refused', stage: 'mail', enhanced: '5.0.0', reply: 'ESME_RINVSRCADR' } as never)
    const stamp = await execute(one.address)
    await sendDue()
    const events = await eventsOf(stamp)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['execution', 'cancellation'],
    )
    assert.deepEqual(events[1]!.source.detail.cancellation, {
      type: 'configuration',
      value: { gateway: 'recording', message: 'ESME_RINVSRCADR' },
    })
    assert.ok(await get(action))
  })
})

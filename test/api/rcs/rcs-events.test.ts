import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { classifyBounce } from '../../../src/features/bounces/classify-mail-bounce.ts'
import {
  createRcsBounceEvent,
  createRcsDeliveryEvent,
  createRcsInteractionEvent,
  type RcsReport,
  type RcsSignal,
} from '../../../src/features/events/delivery-reports/rcs-reports.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import { findLatestRcsSends, findRcsSends } from '../../../src/features/events/record/rcs-activations.ts'
import {
  type AnySend,
  buildSendEventBase,
  createActivationEvent,
  createCancellationEvent,
  createExecutionEvent,
  createSyncBounceEvent,
} from '../../../src/features/events/record/record.ts'
import { createUuidV7, formatContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'

const { call, context, own, other } = await startHarness()
const { db } = context
const { account } = own
const PHONE = '+33601020304'
const AGENT = 'orchard_fr_k2'
const GATEWAY = 'google-rbm'

const { body: field } = await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
const [email] = await db.selectFrom('fields').select('id').where('account', '=', account).orderBy('id').execute()

async function makeContact(address: string, phone = PHONE): Promise<number> {
  const { body, text } = await call('POST', '/targets', { body: { [email!.id]: address, [field.id]: phone } })
  assert.ok(body?.id, text)
  return Number.parseInt(body.id, 36)
}

async function makeAction(type = 'rcsMessage', owner = account): Promise<number> {
  // Whatever types of actions there are by now.
  await sql`alter table actions drop constraint if exists actions_type_check`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
    select ${owner}, ${type}, 'Pear week', 50, 1, id, '{}', '{}', now(), now() from categories where account = ${owner} limit 1
    returning id`.execute(db)
  return rows[0]!.id
}

const ann = await makeContact('ann@shop.test')
const source = await makeAction()

function sendOf(more: Partial<AnySend> = {}): AnySend {
  const id = createUuidV7(Date.now())
  const contact = more.contact ?? ann
  const footprint = {
    type: 'footprint',
    id: formatContactId(contact),
    unicity: 'ann@shop.test',
    hash: '0'.repeat(32),
  } as const
  const stamp = { time: Date.now(), id, thread: id, set: id }
  const rcs = { phone: PHONE, agent: AGENT, profile: 3 }
  const of = { account, channel: 'rcs', sourceKind: 'rcs', source, kind: 'message' } as const
  return { ...of, contact, footprint, field: field.id, stamp, rcs, ...more }
}

const accepted = (send: AnySend) =>
  createActivationEvent(send, { address: PHONE, gateway: { name: GATEWAY, message: send.stamp.id } })

const bySms = (send: AnySend): AnySend => ({
  ...send,
  rcs: { ...send.rcs!, fallback: { type: 'sms', reason: 'unreachable' } },
})

let reports = 0
function reportOf(send: AnySend | null, more: Partial<RcsReport> = {}): RcsReport {
  const ids = { message: send?.stamp.id ?? `um-${++reports}`, event: `ev-${++reports}` }
  return { account, agent: AGENT, phone: PHONE, time: 1767258008000, ...ids, ...more }
}

const signals: RcsSignal[] = [
  { type: 'read' },
  { type: 'text', text: 'Is it open?' },
  { type: 'file', file: { name: 'a.jpg', mime: 'image/jpeg', size: 20480, uri: 'https://files.test/a' } },
  { type: 'location', location: { latitude: 48.85, longitude: 2.35 } },
  { type: 'suggestion', suggestion: { type: 'reply', text: 'Yes', postback: 'yes-1' } },
  { type: 'unsubscribe', text: 'STOP' },
  { type: 'subscribe', text: null },
]

interface Shown {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any record.
  source: { type: string; detail: any }
}

const root = '/channel/rcs/actions'
async function read(path: string, status = 200): Promise<Shown[]> {
  const answer = await call('GET', root + path)
  assert.equal(answer.status, status, `${path}: ${answer.text}`)
  return answer.body
}
const stampOf = (send: AnySend) => read(`/events/stamp?id=${send.stamp.id}`)
const listed = async (contact: number) => {
  const { rows } = await sql<{ origin: number; detail: object }>`
    select origin, detail from red_list where account = ${account} and channel = 'sms' and contact = ${contact}`.execute(
    db,
  )
  return rows
}

suite('RCS events', () => {
  test('have the form of the interface, with phone, agent and profile', async () => {
    const send = sendOf()
    await recordEvents(db, [createExecutionEvent(send, { data: { cart: 3 }, origin: { type: 'api' } }), accepted(send)])
    const analysis = classifyBounce({ enhanced: '4.4.7', reply: null, stage: null, text: '' })
    const expiry = { time: 5, analysis, code: 'TTL_EXPIRATION_REVOKED', diagnostic: 'expired', mta: GATEWAY }
    await recordEvents(db, [
      createRcsBounceEvent(send, expiry),
      createRcsDeliveryEvent(reportOf(send, { event: 'e1' }), { send, contacts: [] }, GATEWAY),
    ])
    for (const signal of signals)
      await recordEvents(db, [
        createRcsInteractionEvent(reportOf(send, { event: signal.type }), { send, contacts: [] }, signal),
      ])
    const route = { phone: PHONE, agent: AGENT, profile: 3 }
    const common = { id: source, kind: 'message', stamp: send.stamp, field: field.id, ...route }
    const shown = await stampOf(send)
    const activated = {
      ...common,
      receiver: send.footprint,
      recipient: PHONE,
      gateway: { name: GATEWAY, message: send.stamp.id },
    }
    assert.ok(shown.every(({ source: { type } }) => type === 'rcs'))
    const details = shown.map(({ source: { detail } }) => detail)
    const [asked, handed, bounced, delivered, ...interactions] = details
    assert.deepEqual(asked, {
      execution: { ...common, recipient: send.footprint, data: { cart: 3 }, origin: { type: 'api' } },
    })
    assert.deepEqual(handed, { activation: activated })
    assert.equal(bounced.bounce.status.code.gateway, 'TTL_EXPIRATION_REVOKED')
    assert.deepEqual([bounced.bounce.status.type, bounced.activation], ['async', activated])
    const gateway = { name: GATEWAY, message: send.stamp.id, event: 'e1' }
    assert.deepEqual(delivered, { activation: activated, delivery: { time: 1767258008000, gateway } })
    assert.deepEqual(
      interactions,
      signals.map((signal) => {
        const seen = {
          time: 1767258008000,
          classification: null,
          gateway: { message: send.stamp.id, event: signal.type },
        }
        return { activation: activated, interaction: { ...signal, ...seen } }
      }),
    )
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from events where stamp = ${send.stamp.id} and phone = ${PHONE} and agent = ${AGENT}`.execute(
      db,
    )
    assert.equal(rows[0]?.n, shown.length)
  })

  test('are listed for their action and for all actions, with their activation, and in reactivities', async () => {
    const action = await makeAction('rcsCampaign')
    const send = sendOf({ source: action, kind: 'campaign' })
    const match = { send, contacts: [] }
    const tap: RcsSignal = { type: 'suggestion', suggestion: { type: 'action', text: 'See', postback: 'pears' } }
    await recordEvents(db, [accepted(send)])
    await recordEvents(db, [createRcsDeliveryEvent(reportOf(send), match, GATEWAY)])
    await recordEvents(db, [
      createRcsInteractionEvent(reportOf(send), match, { type: 'read' }),
      createRcsInteractionEvent(reportOf(send), match, tap),
    ])
    for (const [suffix, count] of Object.entries({
      '': 4,
      '/executions': 0,
      '/activations': 1,
      '/deliveries': 1,
      '/interactions': 2,
      '/interactions/read': 1,
    })) {
      const events = await read(`/${action}/events${suffix}`)
      assert.equal(events.length, count, suffix)
      assert.ok(events.every(({ source: { detail } }) => detail.activation.stamp.id === send.stamp.id))
    }
    for (const [suffix, count] of Object.entries({ '': 3, '/bounces': 0, '/deliveries': 1, '/interactions': 2 }))
      assert.equal((await read(`/${action}/reactivities${suffix}`)).length, count, suffix)
    const everything = (await read('/events')).map(({ id }) => id)
    for (const { id } of await read(`/${action}/events`)) assert.ok(everything.includes(id))
    const summary = await call('GET', `${root}/${action}/reactivities`, {
      headers: { accept: 'application/vnd.reactivity.summary+json' },
    })
    const totals = summary.body.kinds.filter(({ total }: { total: number }) => total > 0)
    assert.deepEqual(
      totals.map(({ kind, total }: { kind: string; total: number }) => [kind, total]),
      [
        ['deliveries', 1],
        ['interactions/read', 1],
        ['interactions/suggestion', 1],
      ],
    )
  })

  test('of a proof are not in reactivities', async () => {
    const action = await makeAction()
    const send = sendOf({ source: action, kind: 'test' })
    await recordEvents(db, [accepted(send)])
    await recordEvents(db, [createRcsInteractionEvent(reportOf(send), { send, contacts: [] }, { type: 'read' })])
    assert.equal((await read(`/${action}/events`)).length, 2)
    assert.deepEqual(await read(`/${action}/reactivities`), [])
  })

  test("of another account's or another kind of action are unknown, a deleted action keeps its history", async () => {
    const [foreign, mail, gone] = [
      await makeAction('rcsMessage', other.account),
      await makeAction('mailMessage'),
      await makeAction(),
    ]
    await sql`update actions set deleted_at = now() where id = ${gone}`.execute(db)
    assert.deepEqual(await read(`/${gone}/events`), [])
    for (const id of [foreign, mail, 0, 'x', 2 ** 31])
      for (const list of ['events', 'events/deliveries', 'reactivities']) await read(`/${id}/${list}`, 404)
    const wire = source.toString(36).toUpperCase().padStart(6, '0')
    assert.equal((await call('GET', `/actions/${wire}/events`)).status, 404)
  })

  test('have lists for cancellations and refusals, and a refusal flags no address', async () => {
    const bob = await makeContact('bob@shop.test', '+33601020305')
    const [stopped, refused] = [sendOf({ contact: bob }), sendOf({ contact: bob })]
    const analysis = classifyBounce({ enhanced: '5.1.1', reply: null, stage: null, text: '' })
    const refusal = {
      time: 5,
      diagnostic: 'no',
      mta: GATEWAY,
      address: '+33601020305',
      analysis,
      gatewayCode: '404 NOT_FOUND',
    }
    await recordEvents(db, [
      createCancellationEvent(stopped, { type: 'redlist', value: { channel: 'sms' } }),
      accepted(refused),
      createSyncBounceEvent(refused, refusal),
    ])
    const [
      {
        source: { detail },
      },
    ] = (await stampOf(stopped)) as [Shown]
    assert.deepEqual(
      [detail.execution.phone, detail.execution.agent, detail.execution.profile, detail.execution.id],
      [PHONE, AGENT, 3, source],
    )
    const bounce = (await stampOf(refused))[1]!.source.detail
    assert.deepEqual([bounce.bounce.status.code.gateway, bounce.activation.profile], ['404 NOT_FOUND', 3])
    const flags = () => sql`select from bounce_flags where account = ${account} and contact = ${bob}`.execute(db)
    assert.equal((await flags()).rows.length, 0)
    // What the SMS in its place met says something of the number.
    const fallback = bySms(refused)
    await recordEvents(db, [accepted(fallback), createSyncBounceEvent(fallback, refusal)])
    assert.equal((await flags()).rows.length, 1)
  })

  test("of a fallback carry the fallback's own activation", async () => {
    const send = sendOf()
    const fallback = bySms(send)
    await recordEvents(db, [accepted(send)])
    await recordEvents(db, [accepted(fallback)])
    await recordEvents(db, [accepted(fallback), accepted(send)])
    const ofSms = { delivery: { time: 1 } }
    await recordEvents(db, [{ ...buildSendEventBase(fallback), kind: 'deliveries', key: 'sms', detail: ofSms }])
    await recordEvents(db, [createRcsDeliveryEvent(reportOf(send), { send, contacts: [] }, GATEWAY)])
    await recordEvents(db, [
      { ...buildSendEventBase(fallback), kind: 'responses/stop', key: 'stop', detail: { reply: { type: 'stop' } } },
    ])
    const shown = (await stampOf(send)).map(({ type, source: { detail } }) => [
      type,
      detail.activation.fallback?.reason,
    ])
    assert.deepEqual(shown, [
      ['activation', undefined],
      ['activation', 'unreachable'],
      ['delivery', 'unreachable'],
      ['delivery', undefined],
      ['reply', 'unreachable'],
    ])
    // In one list too, each with its own.
    const both = sendOf()
    const [first, second] = [accepted(both), accepted(bySms(both))]
    const analysis = classifyBounce({ enhanced: '5.3.3', reply: null, stage: null, text: '' })
    const refusal = { time: 5, diagnostic: 'no', mta: GATEWAY, address: PHONE, analysis }
    await recordEvents(db, [
      first,
      createSyncBounceEvent(both, refusal),
      second,
      createSyncBounceEvent(bySms(both), refusal),
    ])
    assert.deepEqual(
      (await stampOf(both)).map(({ type, source: { detail } }) => [type, detail.activation.fallback?.reason]),
      [
        ['activation', undefined],
        ['bounce', undefined],
        ['activation', 'unreachable'],
        ['bounce', 'unreachable'],
      ],
    )
  })

  test('are recorded once when the same report is received twice', async () => {
    const send = sendOf()
    const match = { send, contacts: [] }
    await recordEvents(db, [accepted(send)])
    const report = reportOf(send)
    for (let n = 0; n < 2; n++) {
      await recordEvents(db, [createRcsDeliveryEvent(report, match, GATEWAY)])
      await recordEvents(db, [createRcsInteractionEvent(report, match, { type: 'read' })])
    }
    assert.deepEqual(
      (await stampOf(send)).map(({ type }) => type),
      ['activation', 'delivery', 'interaction'],
    )
  })
})

suite('RCS opt-outs', () => {
  test('put the contact on the SMS red list once, and a subscription removes the entry and records that', async () => {
    const carl = await makeContact('carl@shop.test', '+33601020306')
    const send = sendOf({ contact: carl })
    const match = { send, contacts: [] }
    const say = (signal: RcsSignal) => recordEvents(db, [createRcsInteractionEvent(reportOf(send), match, signal)])
    await recordEvents(db, [accepted(send)])
    await say({ type: 'unsubscribe', text: null })
    await say({ type: 'unsubscribe', text: 'Stop' })
    assert.deepEqual(await listed(carl), [{ origin: 6, detail: { channel: 'rcs' } }])
    await say({ type: 'subscribe', text: null })
    assert.deepEqual(await listed(carl), [])
    const { rows } = await sql<{ reason: string; origin: number }>`
      select reason, (entry ->> 'origin')::integer as origin from red_list_removals where contact = ${carl}`.execute(db)
    assert.deepEqual(rows, [{ reason: 'subscribed again by RCS', origin: 6 }])
    await say({ type: 'subscribe', text: null })
    // Of what is said in one transaction the last counts.
    const signals = (['subscribe', 'unsubscribe'] as const).map((type) =>
      createRcsInteractionEvent(reportOf(send), match, { type, text: null }),
    )
    await recordEvents(db, signals)
    assert.equal((await listed(carl)).length, 1)
  })

  test('a subscription keeps an entry made by SMS', async () => {
    const dora = await makeContact('dora@shop.test', '+33601020307')
    const listing = await call('POST', `/targets/${formatContactId(dora)}/redlist/sms`, { body: { origin: 6 } })
    assert.ok(listing.status < 300, listing.text)
    const match = { send: null, contacts: [dora] }
    await recordEvents(db, [createRcsInteractionEvent(reportOf(null), match, { type: 'subscribe', text: null })])
    assert.deepEqual(await listed(dora), [{ origin: 6, detail: {} }])
  })

  test('without a message apply to every contact with the phone, and the event has no activation', async () => {
    const twins = [
      await makeContact('one@shop.test', '+33601020308'),
      await makeContact('two@shop.test', '+33601020308'),
    ]
    const report = reportOf(null, { phone: '+33601020308' })
    await recordEvents(db, [
      createRcsInteractionEvent(report, { send: null, contacts: twins }, { type: 'unsubscribe', text: 'STOP' }),
    ])
    for (const twin of twins) assert.equal((await listed(twin)).length, 1)
    const [event] = await read(`/events/lookup?phone=%2B33601020308&agent=${AGENT}`)
    assert.deepEqual([event?.type, event?.source.detail.activation], ['interaction', null])
    const reactivities = await read('/reactivities')
    assert.ok(!reactivities.some(({ id }) => id === event?.id))
  })
})

suite('the message of an RCS report', () => {
  test('is found by its stamp, or as the latest for agent and phone, and never as its fallback', async () => {
    const phone = '+33601020309'
    const [old, latest] = [sendOf(), sendOf()].map((send) => ({ ...send, rcs: { ...send.rcs!, phone } }))
    await recordEvents(db, [accepted(old!)])
    await recordEvents(db, [accepted(latest!)])
    await recordEvents(db, [accepted(bySms(latest!))])
    const unknown = createUuidV7(Date.now())
    const keys = [old!.stamp.id, unknown, latest!.stamp.id].map((stamp) => ({ account, stamp }))
    assert.deepEqual(await findRcsSends(db, [...keys, { account: other.account, stamp: old!.stamp.id }]), [
      old,
      undefined,
      latest,
      undefined,
    ])
    const [since, tomorrow] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 86_400_000)]
    const asked = [
      { account, phone, agent: AGENT, since },
      { account, phone, agent: 'another', since },
      { account, phone, agent: AGENT, since: tomorrow },
      { account: other.account, phone, agent: AGENT, since },
    ]
    assert.deepEqual(await findLatestRcsSends(db, asked), [latest, undefined, undefined, undefined])
  })

  test('is found as the latest of its kind with a single index scan', async () => {
    const plan = await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select id from events
        where account = ${account} and channel = 'rcs' and phone = ${PHONE} and agent = ${AGENT} and kind = 'activations'
          and at > now() - interval '1 minute'
        order by at desc, id desc limit 1`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    assert.match(plan, /Index Only Scan Backward using events_\d+_\d+_account_phone_agent_kind_at_id_idx/)
    assert.doesNotMatch(plan, /Sort|Filter/)
  })
})

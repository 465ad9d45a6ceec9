import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { storeSmsReports } from '../../../src/channels/sms/inbox.ts'
import { ingestSmsReports } from '../../../src/features/inbound/sms/sms-ingest.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { colleague } from '../../support/stages/colleagues.ts'
import { type Asked, startFallbackStage } from '../../support/stages/rcs-fallbacks.ts'
import { reportTools } from '../../support/stages/reports.ts'

const stage = await startFallbackStage()
const { call, clock, context, own, rbm, ready, ask } = stage
const { db } = context
const rich = reportTools(stage, '/channel/rcs/actions')
const texts = reportTools(stage, '/actions')
let numbers = 0

async function person() {
  const phone = `+336019${String(++numbers).padStart(5, '0')}`
  return { id: await stage.contact(`reported${numbers}@orchard.example`, { Mobile: phone }), phone }
}

async function referenceOf(stamp: string): Promise<string> {
  const { rows } = await sql<{ reference: string }>`select reference from sms_sends where stamp = ${stamp}`.execute(db)
  return rows[0]!.reference
}

/** What the network says of texts, and people by text, taken in. */
async function told(reports: readonly object[]): Promise<void> {
  const all = reports.map((one) => ({ gateway: 'texts', owner: null, ...one }))
  await storeSmsReports(db, all as unknown as Parameters<typeof storeSmsReports>[1], clock.now())
  await ingestSmsReports({ db, clock, log: context.log, unmatched: { inc: () => undefined } })
}

async function receipt(stamp: string, state = 'DELIVRD') {
  const report = { time: clock.now(), error: state === 'DELIVRD' ? null : '1', diagnostic: `stat:${state}` }
  return { kind: 'receipt', report: { ...report, reference: await referenceOf(stamp), state } }
}

const reply = (phone: string, text: string, id: string) => ({
  kind: 'reply',
  report: { id, from: phone, to: 'ORCHARD', text, time: clock.now() },
})

/** The messages of an action by the phone they went to. */
async function stampsOf(action: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ address: string; stamp: string }>`
    select address, stamp from sent_messages where source = ${action} and kind <> 'test'`.execute(db)
  return new Map(rows.map(({ address, stamp }) => [address, stamp]))
}

suite('RCS reports', () => {
  test('on demand do not count an SMS in place of a refused message as a delivery of what was sent', async () => {
    const action = await ready()
    const [arrives, refused, silent] = await ask(action, 3)
    rbm.book.unreachable.add(refused!.phone)
    await stage.work()
    await stage.report('delivered', arrives!)
    await told([await receipt(refused!.stamp), reply(refused!.phone, 'STOP', 'r-stop')])
    const shown = await rich.assertLists(action)
    assert.deepEqual(
      [shown.audience, shown.sent, shown.refused, shown.delivered, shown.unsubscribes],
      [3, 2, 1, 1, 1],
      JSON.stringify(silent),
    )
    assert.deepEqual(
      shown.bounces.map(({ destination, count }: { destination: null; count: number }) => [destination, count]),
      [[null, 1]],
    )
  })

  test('of a campaign count the same way, even when more arrived as SMS than as RCS', async () => {
    const people = [await person(), await person(), await person(), await person()]
    const segment = await stage.segment(people.map(({ id }) => id))
    for (const { phone } of people.slice(0, 2)) rbm.book.unreachable.add(phone)
    const scheduler = { type: 'asap', segments: { selected: [segment] } }
    const campaign = await ready({
      type: 'rcsCampaign',
      scheduler,
      fallback: { type: 'sms', text: 'Pears', after: { unit: 'MINUTE', value: 1 } },
    })
    await stage.settle()
    await stage.work()
    const stamps = await stampsOf(campaign)
    assert.equal(stamps.size, 4)
    const stampOf = (n: number) => stamps.get(people[n]!.phone)!
    await told([await receipt(stampOf(0)), await receipt(stampOf(1))])
    const asked = ({ id, phone }: { id: string; phone: string }): Asked => {
      return { id, phone, contact: parseContactId(id)!, stamp: stamps.get(phone)! }
    }
    await stage.report('delivered', asked(people[2]!))
    const shown = await rich.assertLists(campaign)
    assert.deepEqual([shown.audience, shown.sent, shown.refused, shown.delivered], [4, 2, 2, 1])
  })
})

suite('SMS reports', () => {
  const type = 'application/vnd.np6.cm.sms'
  const body = (field: number) => ({
    type: 'smsMessage',
    name: 'Text',
    settings: { purpose: { type: 'service' }, sender: 'SHOP', field },
    content: { textContent: 'Pears are in' },
  })

  /** An action that may be sent; gives its id. */
  async function text(more: object = {}): Promise<string> {
    await call('PUT', '/settings/sending', { body: { testRequired: false } })
    const field = (await call('GET', '/fields')).body.find(({ name }: { name: string }) => name === 'Mobile').id
    const { body: made, text: said, status } = await call('POST', '/actions', { body: { ...body(field), ...more } })
    assert.equal(status, 200, said)
    const answer = await call('POST', `/actions/${made.id}/validation`, { body: { fortest: false } })
    assert.equal(answer.status, 204, answer.text)
    return made.id
  }

  test('count deliveries, later losses, replies and STOP, even with stamps from the client', async () => {
    const id = await text()
    const people = [await person(), await person(), await person()]
    const stamps = people.map(() => crypto.randomUUID())
    const items = people.map(({ id: value }, n) => ({ recipient: { type: 'id', value }, stamp: { id: stamps[n] } }))
    for (let n = 0; n < 2; n++) {
      const answer = await call('POST', `/actions/${id}/executions`, { body: items, headers: { 'content-type': type } })
      assert.equal(answer.status, 200, answer.text)
      assert.equal((await texts.assertLists(id)).audience, 3)
    }
    await stage.work()
    await told([
      await receipt(stamps[0]!),
      await receipt(stamps[1]!, 'UNDELIV'),
      reply(people[0]!.phone, 'Thanks', 'r-thanks'),
      reply(people[2]!.phone, 'STOP', 'r-over'),
    ])
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    for (const query of ['', `?start=${today}`]) {
      const { audience, sent, delivered, replies, unsubscribes, bounces } = await texts.assertLists(id, query)
      assert.deepEqual([audience, sent, delivered, replies, unsubscribes], [3, 3, 1, 1, 1], query)
      assert.deepEqual(
        bounces.map(({ destination, count }: { destination: null; count: number }) => [destination, count]),
        [[null, 1]],
      )
    }
    assert.equal((await texts.assertLists(id, `?end=${today}`)).audience, 0)
    const listed = await texts.behind(id, 'delivered')
    assert.deepEqual(
      listed.map(({ id: contact, address, stamp }) => [contact, address, stamp]),
      [[people[0]!.id, people[0]!.phone, stamps[0]]],
    )
  })

  test('show no full number and no text of a reply to people who see masked data', async () => {
    const id = await text()
    const one = await person()
    await call('POST', `/actions/${id}/executions`, {
      body: [{ recipient: { type: 'id', value: one.id } }],
      headers: { 'content-type': type },
    })
    await stage.work()
    await told([reply(one.phone, `call me on ${one.phone}`, 'r-call')])
    const viewer = await colleague(stage, 'viewer')
    await sql`update accounts set mask_personal_data = true where id = ${own.account}`.execute(db)
    for (const word of ['audience', 'sent', 'replies']) {
      const path = `/actions/${id}/report/contacts?of=${word}`
      const [masked, whole] = [await viewer.call('GET', path), await call('GET', path)]
      assert.deepEqual([masked.body.length, whole.body.length], [1, 1], word)
      assert.ok(whole.text.includes(one.phone), word)
      assert.ok(!masked.text.includes(one.phone.slice(3)), masked.text)
    }
    await sql`update accounts set mask_personal_data = false where id = ${own.account}`.execute(db)
  })
})

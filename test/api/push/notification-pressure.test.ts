import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { parseContactId } from '../../../src/lib/ids.ts'
import { calendarDay, limit, pressureTools } from '../../support/stages/pressure.ts'
import { storedApplication, storedSubscription } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, gateway, other, sendDue, sender } = stage
const tools = pressureTools(stage)
const { rule, withoutRules, topic, outcome, counted, cancellation, standing } = tools
// Every provider's gateway is the one that records.
sender.gateways = { ...sender.gateways, named: async () => gateway }
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const application = await storedApplication(stage)

let made = 0
const content = { title: 'Twenty off', body: 'Tonight only' }

/** Puts the topic setting. */
async function requireTopics(isRequired: boolean): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await call('PUT', '/settings/marketing/pressure/topic', { body: String(isRequired), headers })
  assert.equal(answer.status, 200, answer.text)
}

const activate = (id: number) => call('POST', `/notifications/${id}/activation`)
const put = (id: number, settings: object) => call('PUT', `/notifications/${id}`, { body: { settings } })

/** A notification that is inactive; its id and name. */
async function notification(settings: object = {}): Promise<{ id: number; name: string }> {
  const body = { type: 'push-app', name: `Sale ${++made}`, versions: [{ master: true, content }] }
  const answer = await call('POST', '/notifications', { body: { ...body, settings: { application, ...settings } } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function active(settings: object = {}): Promise<number> {
  const { id } = await notification(settings)
  const answer = await activate(id)
  assert.equal(answer.status, 204, answer.text)
  return id
}

/** A contact with a device. */
async function person(more: object = {}): Promise<string> {
  const id = await stage.contact(`pushed${++made}@shop.example`, { ...more })
  await storedSubscription(stage, application, { contact: parseContactId(id)! })
  return id
}

/** Asks for a push to a contact, or whom `more` names; gives its stamp. */
async function ask(id: number, to: string, more: object = {}): Promise<string> {
  const body = { recipient: { type: 'contact', value: { type: 'id', value: to } }, ...more }
  const answer = await call('POST', `/notifications/${id}/execution`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

async function send(id: number, to: string, more: object = {}): Promise<string> {
  const stamp = await ask(id, to, more)
  await sendDue()
  return outcome(stamp)
}

/** All that is counted, of everybody. */
async function totals() {
  const { rows } = await sql`select contact, buckets from pressure_counters order by contact`.execute(context.db)
  return rows
}

suite('the topic of marketing notifications', () => {
  test('an activation requires it if the account does, tests and service notifications do not', async () => {
    await requireTopics(true)
    const { id } = await notification()
    const recipient = { type: 'contact', value: { type: 'id', value: await person() } }
    assert.equal((await call('POST', `/notifications/${id}/test`, { body: { recipient } })).status, 200)
    const refused = await activate(id)
    assert.equal(refused.status, 409)
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/settings/mp/topic'],
    )
    assert.equal((await put(id, { mp: { topic: await topic() } })).status, 200)
    assert.equal((await activate(id)).status, 204)
    await active({ purpose: { type: 'service' } })
    await requireTopics(false)
  })

  test('a PUT that leaves an active notification without it is refused, even by a change of purpose', async () => {
    const named = await active({ mp: { topic: await topic() } })
    const service = await active({ purpose: { type: 'service' } })
    await requireTopics(true)
    const refused = async (id: number, settings: object) => {
      const before = (await call('GET', `/notifications/${id}`)).text
      const answer = await put(id, settings)
      assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [409, '/settings/mp/topic'], answer.text)
      assert.equal((await call('GET', `/notifications/${id}`)).text, before)
    }
    await refused(named, { mp: { topic: null } })
    await refused(service, { purpose: { type: 'marketing' } })
    assert.equal((await put(named, { urgent: true })).status, 200)
    assert.equal((await put(named, { purpose: { type: 'service' }, mp: { topic: null } })).status, 200)
    await requireTopics(false)
    assert.equal((await put(service, { purpose: { type: 'marketing' } })).status, 200)
  })

  test('an active notification keeps sending when topics become required', async () => {
    const id = await active()
    await requireTopics(true)
    assert.equal(await send(id, await person()), 'accepted')
    assert.equal((await call('PUT', `/notifications/${id}`, { body: { name: 'Renamed' } })).status, 409)
    await requireTopics(false)
  })

  test('a topic cannot be deleted while a notification names it', async () => {
    const named = await topic()
    const { id, name } = await notification({ mp: { topic: named } })
    const copy = (await call('POST', `/notifications/${id}/duplication`)).body
    const remove = () => call('DELETE', `/marketing/pressure/topics/${named}`)
    const refused = await remove()
    assert.equal(refused.status, 409)
    const type = 'notification'
    assert.deepEqual(refused.body.links, [
      { type, id, name },
      { type, id: copy.id, name: copy.name },
    ])
    assert.equal((await call('DELETE', `/notifications/${id}`)).status, 204)
    assert.deepEqual((await remove()).body.links, [{ type, id: copy.id, name: copy.name }])
    assert.equal((await put(copy.id, { mp: { topic: null } })).status, 200)
    assert.equal((await remove()).status, 204)
    assert.equal((await put(copy.id, { mp: { topic: named } })).status, 404)
  })

  test('a topic of another account is unknown', async () => {
    const { body } = await call('POST', '/marketing/pressure/topics', { key: other.key, body: { label: 'Theirs' } })
    const { id } = await notification()
    assert.equal((await put(id, { mp: { topic: body.id } })).status, 404)
  })
})

suite('notifications under marketing pressure', () => {
  test('use and increment are independent', async () => {
    const [plain, counting, checked] = [
      await active(),
      await active({ mp: { use: false } }),
      await active({ mp: { increment: false } }),
    ]
    const to = await person()
    await rule([limit(1, { channels: ['notification'] })])
    assert.deepEqual([await send(checked, to), await counted(to)], ['accepted', 0])
    assert.deepEqual([await send(plain, to), await send(checked, to)], ['accepted', 'cancelled'])
    assert.deepEqual([await send(counting, to), await counted(to)], ['accepted', 2])
    await withoutRules()
  })

  test('a service notification is stopped only when it uses pressure and a rule covers it', async () => {
    const purpose = { type: 'service' }
    const [service, used] = [await active({ purpose }), await active({ purpose, mp: { use: true } })]
    await rule([limit(0, { purposes: [] })])
    const to = await person()
    assert.deepEqual([await send(service, to), await send(used, to)], ['accepted', 'cancelled'])
    assert.equal(await counted(to), 0)
    await withoutRules()
  })

  test("the cancellation names the channel's limit that was reached, and an email passes", async () => {
    const [id, mail] = [await active(), await tools.mail()]
    await rule([limit(3), limit(1, { period: calendarDay, channels: ['notification'] })])
    const to = await person()
    assert.deepEqual([await send(id, to), await send(id, to)], ['accepted', 'cancelled'])
    const { type, value } = (await cancellation(to))!
    assert.deepEqual([type, value['expression'], value['count']], ['marketing pressure', 1, 1])
    assert.equal(await tools.send(mail, to), 'accepted')
    await withoutRules()
  })

  test('notifications count under their topic', async () => {
    const [one, two] = [await topic(), await topic()]
    const [ofOne, ofTwo] = [await active({ mp: { topic: one } }), await active({ mp: { topic: two } })]
    await rule([limit(1, { topics: [one] })])
    const to = await person()
    assert.deepEqual(
      [await send(ofTwo, to), await send(ofOne, to), await send(ofTwo, to), await send(ofOne, to)],
      ['accepted', 'accepted', 'accepted', 'cancelled'],
    )
    assert.equal((await cancellation(to))?.value['topic'], one)
    await withoutRules()
  })

  test('of two messages to one contact in a request, the first is sent', async () => {
    await rule([limit(1)])
    const [id, to] = [await active(), await person()]
    const item = { recipient: { type: 'id', value: to } }
    const { body } = await call('POST', `/notifications/${id}/executions`, { body: [item, item] })
    await sendDue()
    assert.deepEqual([await outcome(body[0].id), await outcome(body[1].id)], ['accepted', 'cancelled'])
    await withoutRules()
  })

  test('part of a limit is reserved for high priority', async () => {
    await rule([limit(2, { reserve: 1, reservePriority: 80 })])
    const [plain, important] = [await active(), await active({ mp: { priority: 90 } })]
    const to = await person()
    assert.deepEqual(
      [await send(plain, to), await send(plain, to), await send(important, to), await send(important, to)],
      ['accepted', 'cancelled', 'accepted', 'cancelled'],
    )
    await withoutRules()
  })

  test('a device without a contact is neither checked nor counted, one with a contact counts for it', async () => {
    await rule([limit(1)])
    const id = await active()
    const to = await person()
    const mine = await storedSubscription(stage, application, { contact: parseContactId(to)! })
    const nobodys = await storedSubscription(stage, application)
    const by = (value: string) => ({ recipient: { type: 'subscription', value } })
    const before = await totals()
    for (let n = 0; n < 3; n++) assert.equal(await send(id, '', by(nobodys)), 'accepted')
    assert.deepEqual(await totals(), before)
    assert.deepEqual(
      [await send(id, '', by(mine)), await send(id, to), await send(id, '', by(mine))],
      ['accepted', 'cancelled', 'cancelled'],
    )
    assert.equal(await counted(to), 1)
    await withoutRules()
  })

  test('tests are neither checked nor counted', async () => {
    await rule([limit(0)])
    const [id, to] = [await active(), await person()]
    const recipient = { type: 'contact', value: { type: 'id', value: to } }
    const { body } = await call('POST', `/notifications/${id}/test`, { body: { recipient } })
    await sendDue()
    assert.deepEqual([await outcome(body[0].id), await counted(to)], ['accepted', 0])
    await withoutRules()
  })

  test('an accepted message keeps its settings, and the next one uses the changed settings', async () => {
    await rule([limit(0)])
    const [id, to] = [await active(), await person()]
    const first = await ask(id, to)
    assert.equal((await put(id, { mp: { use: false } })).status, 200)
    const second = await ask(id, to)
    // The same with texts of its own, which are compiled for the request.
    const third = await ask(id, to, { title: 'For you' })
    await sendDue()
    assert.deepEqual(
      [await outcome(first), await outcome(second), await outcome(third)],
      ['cancelled', 'accepted', 'accepted'],
    )
    await withoutRules()
  })
})

suite('postponed notifications', () => {
  test('wait until the window ends and are shown meanwhile', async () => {
    const webhook = { name: 'Postponed', url: 'https://hooks.shop.example/a', events: ['message.postponed'] }
    assert.equal((await call('POST', '/webhooks', { body: webhook })).status, 200)
    const expiration = { type: 'period', value: { unit: 'DAY', value: 2 } }
    const waiting = await active({ expiration, mp: { onLimit: 'postpone' } })
    const service = await active({ purpose: { type: 'service' } })
    const inZone = (timeZone: string) => call('PUT', '/settings/contacts', { body: { timeZone } })
    assert.equal((await inZone('Europe/Paris')).status, 200)
    clock.set('2026-07-16T21:00:00Z')
    const ruled = await rule([limit(0, { window: { from: '22:00', to: '08:00' } })])
    const until = Date.parse('2026-07-17T06:00:00Z')
    const to = await person()
    const stamp = await ask(waiting, to)
    await sendDue()
    assert.deepEqual([await outcome(stamp), await send(service, to)], ['waits', 'accepted'])
    const [item] = await standing(to)
    assert.equal(item.rule.id, ruled.id)
    assert.deepEqual(
      item.waiting.map(({ stamp, ...one }: { stamp: { id: string } }) => ({ ...one, stamp: stamp.id })),
      [{ channel: 'notification', type: 'notification', id: waiting, stamp, until }],
    )
    const { rows } = await sql<{ data: { stamp: { id: string }; channel: string; id: number } }>`
      select data from notices where type = 'message.postponed'`.execute(context.db)
    assert.deepEqual(
      rows.map(({ data }) => [data.stamp.id, data.channel, data.id]),
      [[stamp, 'notification', waiting]],
    )
    clock.set(until - 1)
    assert.equal(await sendDue(), 0)
    clock.set(until)
    await sendDue()
    assert.equal(await outcome(stamp), 'accepted')
    assert.deepEqual((await standing(to))[0].waiting, [])
    await withoutRules()
  })

  test('do not wait past their expiration or after a deactivation', async () => {
    await rule([limit(1)])
    const expiration = { type: 'period', value: { unit: 'HOUR', value: 12 } }
    const mp = { onLimit: 'postpone', postponeHours: 168 }
    const [plain, short] = [await active(), await active({ expiration, mp })]
    const to = await person()
    // A limit of 7 days may hold until a quarter of an hour after them.
    assert.deepEqual([await send(plain, to), await send(short, to)], ['accepted', 'cancelled'])
    await withoutRules()
    await rule([limit(0, { window: { from: '00:00', to: '23:59' } })])
    const ended = await active({ mp })
    const stamp = await ask(ended, to)
    await sendDue()
    assert.equal(await outcome(stamp), 'waits')
    assert.equal((await call('DELETE', `/notifications/${ended}/activation`)).status, 204)
    await sendDue()
    assert.equal(await outcome(stamp), 'cancelled')
    assert.equal((await cancellation(to))?.type, 'action deleted')
    await withoutRules()
  })
})

test('a backtest replays notifications together with actions and names each by type and number', async () => {
  clock.set('2026-08-03T10:00:00Z')
  const [id, mail] = [await active(), await tools.mail()]
  const [ada, bob] = [await person(), await person()]
  const start = clock.now()
  for (const to of [ada, ada, ada, bob]) assert.equal(await send(id, to), 'accepted')
  // What is sent at one instant has no order.
  clock.advance(1000)
  assert.equal(await tools.send(mail, bob), 'accepted')
  const value = await storedSubscription(stage, application)
  assert.equal(await send(id, '', { recipient: { type: 'subscription', value } }), 'accepted')
  const predicate = { type: 'and', expressions: [limit(1)] }
  const body = { rule: { predicate }, start, end: clock.now() + 1 }
  const { body: found } = await call('POST', '/marketing/pressure/backtest', { body })
  assert.deepEqual([found.messages, found.stopped, found.contacts], [5, 3, 2])
  const shown = found.byAction.map(({ name: _, ...one }: { name: string }) => one)
  assert.deepEqual(shown, [
    { type: 'notification', id, messages: 4, stopped: 2 },
    { type: 'mailMessage', id: mail, messages: 1, stopped: 1 },
  ])
  const narrow = { type: 'and', expressions: [limit(1, { channels: ['notification'] })] }
  const { body: only } = await call('POST', '/marketing/pressure/backtest', {
    body: { ...body, rule: { predicate: narrow } },
  })
  assert.equal(only.stopped, 2)
})

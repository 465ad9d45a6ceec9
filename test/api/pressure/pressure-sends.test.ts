import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { parseContactId } from '../../../src/lib/ids.ts'
import { calendarDay, limit, pressureTools, rollingHour } from '../../support/stages/pressure.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, gateway, sendDue } = stage
const tools = pressureTools(stage)
const { rule, withoutRules, contact, mail, send, ask, outcome, cancellation, counted, standing } = tools
await call('PUT', '/settings/sending', { body: { testRequired: false } })
const { body: phone } = await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
const { body: zone } = await call('POST', '/fields', { body: { type: 'textField', name: 'Zone' } })
await call('PUT', '/settings/marketing/pressure', { body: { timeZoneField: zone.id } })
const action = await mail()
let numbers = 0

/** Somebody with a number of its own, and its address. */
async function person(more: object = {}) {
  const address = `somebody${++numbers}@shop.example`
  const Mobile = `+336010${String(numbers).padStart(5, '0')}`
  return { address, id: await stage.contact(address, { Mobile, ...more }) }
}

const text = async (settings: object = {}) =>
  mail(
    { sender: 'SHOP', field: phone.id, ...settings },
    { type: 'smsMessage', content: { textContent: 'Sale. STOP 36180' } },
  )

const names = { accepted: 'sent', cancelled: 'stopped' } as Record<string, string>
const sends = async (id: string, to: string) => {
  const ended = await send.call(tools, id, to)
  return names[ended] ?? ended
}

suite('messages under marketing pressure', () => {
  test('a stopped message is cancelled with the reason, and counts nothing', async () => {
    const made = await rule([limit(2)])
    const to = await contact()
    assert.deepEqual(
      [await sends(action, to), await sends(action, to), await sends(action, to)],
      ['sent', 'sent', 'stopped'],
    )
    const { type, value } = (await cancellation(to))!
    assert.equal(type, 'marketing pressure')
    const { until, ...rest } = value
    assert.deepEqual(rest, {
      type: 'rule',
      message: `rule "${made.label}": 2 of 2 in the last 7 days`,
      rule: made.id,
      topic: null,
      count: 2,
      limit: 2,
      expression: 0,
    })
    const quarter = 15 * 60_000
    assert.equal(until, Math.floor(clock.now() / quarter) * quarter + quarter + 7 * 24 * 3_600_000)
    assert.equal(await counted(to), 2)
    const [item, ...others] = await standing(to)
    assert.deepEqual(others, [])
    assert.deepEqual(item, {
      rule: { id: made.id, label: made.label },
      expression: 0,
      channels: [],
      topics: [],
      purposes: ['marketing'],
      count: 2,
      limit: 2,
      remaining: 0,
      until,
      waiting: [],
    })
    await withoutRules()
  })

  test('a message whose template fails after the decision gives its place back', async () => {
    await rule([limit(1)])
    const to = await contact()
    const failing = await mail(
      {},
      { content: { subject: 'x', html: '<p>{% for i in (1..100000000) %}x{% endfor %}</p>' } },
    )
    assert.equal(await sends(failing, to), 'stopped')
    assert.notEqual((await cancellation(to))?.type, 'marketing pressure')
    assert.deepEqual([await counted(to), await sends(action, to), await sends(action, to)], [0, 'sent', 'stopped'])
    await withoutRules()
  })

  test('a refusal in the SMTP dialogue gives the place back, a bounce an hour later does not', async () => {
    await rule([limit(1)])
    const { id, address } = await person()
    // Of the content: the address stays good.
    const refused = { result: 'refused', code: 550, enhanced: '5.7.1', reply: '550 5.7.1 looks like spam' } as const
    gateway.plan(address, refused, { result: 'accepted' })
    assert.deepEqual([await sends(action, id), await counted(id)], ['refused', 0])
    assert.equal(await sends(action, id), 'sent')
    clock.advance(3_600_000)
    assert.equal(await sends(action, id), 'stopped')
    await withoutRules()
  })

  test('a deferred message keeps its place and is counted once', async () => {
    await rule([limit(1)])
    const { id, address } = await person()
    gateway.plan(address, { result: 'deferred' }, { result: 'accepted' })
    const [stamp] = await ask(action, [id])
    await sendDue()
    assert.deepEqual([await outcome(stamp!), await counted(id), await sends(action, id)], ['waits', 1, 'stopped'])
    clock.advance(3_600_000)
    await sendDue()
    assert.deepEqual([await outcome(stamp!), await counted(id)], ['accepted', 1])
    await withoutRules()
  })

  test('use and increment are independent', async () => {
    const [counting, checked] = [await mail({ mp: { use: false } }), await mail({ mp: { increment: false } })]
    const to = await contact()
    await rule([limit(2)])
    assert.deepEqual([await sends(checked, to), await counted(to)], ['sent', 0])
    assert.deepEqual(
      [await sends(action, to), await sends(action, to), await sends(checked, to)],
      ['sent', 'sent', 'stopped'],
    )
    assert.deepEqual([await sends(counting, to), await counted(to)], ['sent', 3])
    assert.deepEqual([(await standing(to))[0].count, (await standing(to))[0].remaining], [3, 0])
    await withoutRules()
  })

  test('a service message is stopped only when it uses pressure and a rule covers it', async () => {
    const [service, used] = [
      await mail({ purpose: { type: 'service' } }),
      await mail({ purpose: { type: 'service' }, mp: { use: true } }),
    ]
    await rule([limit(0, { purposes: [] })])
    const to = await contact()
    assert.deepEqual([await sends(service, to), await sends(used, to)], ['sent', 'stopped'])
    await withoutRules()
    await rule([limit(0)])
    assert.equal(await sends(used, to), 'sent')
    await withoutRules()
  })

  const both = [limit(3), limit(1, { period: calendarDay, channels: ['sms'] })]

  test('with and, the limit that was reached is named, and other channels pass', async () => {
    const sms = await text()
    await rule(both)
    clock.set('2026-07-14T10:00:00Z')
    const { id } = await person()
    assert.deepEqual([await sends(sms, id), await sends(sms, id)], ['sent', 'stopped'])
    assert.deepEqual([(await cancellation(id))?.value['expression'], await sends(action, id)], [1, 'sent'])
    await withoutRules()
  })

  test('with or, a message is stopped only when every limit is reached', async () => {
    const sms = await text()
    await rule(both, { type: 'or' })
    const { id } = await person()
    assert.deepEqual([await sends(sms, id), await sends(sms, id)], ['sent', 'sent'])
    assert.deepEqual(
      [await sends(action, id), await sends(sms, id), await sends(action, id)],
      ['sent', 'stopped', 'stopped'],
    )
    await withoutRules()
  })

  test('a limit on a topic ignores other topics', async () => {
    const [one, two] = [await tools.topic(), await tools.topic()]
    const [ofOne, ofTwo] = [await mail({ mp: { topic: one } }), await mail({ mp: { topic: two } })]
    await rule([limit(1, { topics: [one] })])
    const to = await contact()
    for (const id of [ofTwo, action, ofTwo, action]) assert.equal(await sends(id, to), 'sent')
    assert.equal((await standing(to))[0].count, 0)
    assert.deepEqual([await sends(ofOne, to), await sends(ofOne, to)], ['sent', 'stopped'])
    assert.equal((await cancellation(to))?.value['topic'], one)
    await withoutRules()
  })

  test('days follow the time zone of the contact', async () => {
    await rule([limit(1, { period: calendarDay })])
    clock.set('2026-07-14T20:30:00Z')
    const [tokyo, paris] = [await person({ Zone: 'Asia/Tokyo' }), await person({ Zone: 'Europe/Paris' })]
    assert.deepEqual([await sends(action, tokyo.id), await sends(action, paris.id)], ['sent', 'sent'])
    clock.set('2026-07-14T22:10:00Z')
    assert.deepEqual([await sends(action, paris.id), await sends(action, tokyo.id)], ['sent', 'stopped'])
    assert.equal((await cancellation(tokyo.id))?.value['until'], Date.parse('2026-07-15T15:00:00Z'))
    await withoutRules()
  })

  test('a rolling hour lasts an hour plus at most a quarter of an hour', async () => {
    await rule([limit(1, { period: rollingHour })])
    const to = await contact()
    clock.set('2026-07-15T10:05:00Z')
    assert.equal(await sends(action, to), 'sent')
    clock.set('2026-07-15T11:04:00Z')
    assert.equal(await sends(action, to), 'stopped')
    clock.set('2026-07-15T11:20:00Z')
    assert.equal(await sends(action, to), 'sent')
    await withoutRules()
  })

  test('a new rule counts messages sent before it', async () => {
    const to = await contact()
    for (let n = 0; n < 3; n++) assert.equal(await sends(action, to), 'sent')
    clock.advance(7 * 24 * 3_600_000)
    await rule([limit(3, { period: { type: 'rolling', unit: 'DAY', value: 14 } })])
    assert.equal(await sends(action, to), 'stopped')
    await withoutRules()
  })

  test('of two messages of a batch to one contact, the first planned is sent', async () => {
    await rule([limit(1)])
    const to = await contact()
    const [first, second] = await ask(action, [to, to])
    await sendDue()
    assert.deepEqual([await outcome(first!), await outcome(second!)], ['accepted', 'cancelled'])
    await withoutRules()
  })

  test('part of a limit is reserved for high priority', async () => {
    await rule([limit(3, { reserve: 1, reservePriority: 80 })])
    const important = await mail({ mp: { priority: 90 } })
    const to = await contact()
    const all = [action, action, action, important, important]
    const ended: string[] = []
    for (const id of all) ended.push(await sends(id, to))
    assert.deepEqual(ended, ['sent', 'sent', 'stopped', 'sent', 'stopped'])
    await withoutRules()
  })

  test('a campaign in slices is decided once as a whole, and messages without a place are cancelled', async () => {
    await rule([limit(1)])
    const contacts = await Promise.all(Array.from({ length: 5 }, () => contact()))
    assert.equal(await sends(action, contacts[1]!), 'sent')
    const { id } = await stage.planned(await stage.segment(contacts), 5)
    await sendDue()
    await stage.advance()
    const { sent, cancelled, pending } = (await stage.get(id)).monitor
    assert.deepEqual({ sent, cancelled, pending }, { sent: 4, cancelled: 1, pending: 0 })
    for (const one of contacts) assert.equal(await counted(one), 1)
    await withoutRules()
  })

  test('proofs are neither checked nor counted', async () => {
    await rule([limit(0)])
    const to = await stage.contact('proof@desk.example')
    const before = gateway.to('proof@desk.example').length
    const id = await stage.action()
    await call('POST', `/actions/${id}/validation`, { body: { fortest: true, mediaForTest: 'proof@desk.example' } })
    await stage.settle()
    assert.deepEqual([gateway.to('proof@desk.example').length - before, await counted(to)], [1, 0])
    await withoutRules()
  })

  test('a deleted contact has no counters', async () => {
    const to = await contact()
    assert.equal(await sends(action, to), 'sent')
    assert.equal(await counted(to), 1)
    assert.equal((await call('DELETE', `/targets/${to}`)).status, 204)
    const { rows } = await sql`select from pressure_counters where contact = ${parseContactId(to)!}`.execute(context.db)
    assert.equal(rows.length, 0)
  })
})

suite('quiet hours', () => {
  const quiet = [limit(0, { window: { from: '22:00', to: '08:00' } })]

  test('a message waits until the end of the window and no longer', async () => {
    const body = { name: 'Postponed', url: 'https://hooks.shop.example/a', events: ['message.postponed'] }
    assert.equal((await call('POST', '/webhooks', { body })).status, 200)
    const made = await rule(quiet)
    const waiting = await mail({ mp: { onLimit: 'postpone' } })
    clock.set('2026-07-16T21:00:00Z')
    const { id } = await person({ Zone: 'Europe/Paris' })
    const [stamp] = await ask(waiting, [id])
    await sendDue()
    assert.equal(await outcome(stamp!), 'waits')
    const until = Date.parse('2026-07-17T06:00:00Z')
    const [item] = await standing(id)
    assert.deepEqual(item.rule.id, made.id)
    assert.deepEqual(
      item.waiting.map(({ stamp, ...one }: { stamp: { id: string } }) => ({ ...one, stamp: stamp.id })),
      [{ channel: 'email', type: 'mailMessage', id: waiting, stamp, until }],
    )
    const { body: queues } = await call('GET', '/settings/sending/queues')
    const lanes = queues.flatMap(({ lanes }: { lanes: { postponed: number }[] }) => lanes)
    assert.equal(
      lanes.reduce((sum: number, { postponed }: { postponed: number }) => sum + postponed, 0),
      1,
    )
    clock.set(until - 1)
    assert.equal(await sendDue(), 0)
    clock.set(until)
    await sendDue()
    assert.equal(await outcome(stamp!), 'accepted')
    assert.deepEqual((await standing(id))[0].waiting, [])
    const { rows } = await sql<{ data: { stamp: { id: string }; rule: string; until: number } }>`
      select data from notices where type = 'message.postponed'`.execute(context.db)
    assert.deepEqual(
      rows.map(({ data }) => [data.stamp.id, data.rule, data.until]),
      [[stamp, made.id, until]],
    )
    await withoutRules()
  })

  test('with cancel, a message has one cancellation, and a service message passes', async () => {
    await rule(quiet)
    const service = await mail({ purpose: { type: 'service' } })
    clock.set('2026-07-18T21:00:00Z')
    const { id } = await person({ Zone: 'Europe/Paris' })
    assert.deepEqual([await sends(action, id), await sends(service, id)], ['stopped', 'sent'])
    assert.equal((await cancellation(id))?.value['until'], null)
    await withoutRules()
  })

  test('a message that would wait longer than its hours or its campaign allow is cancelled at once', async () => {
    await rule([limit(1, { period: { type: 'rolling', unit: 'DAY', value: 2 } })])
    const [short, long] = [
      await mail({ mp: { onLimit: 'postpone', postponeHours: 24 } }),
      await mail({ mp: { onLimit: 'postpone', postponeHours: 72 } }),
    ]
    const to = await contact()
    assert.deepEqual(
      [await sends(action, to), await sends(short, to), await sends(long, to)],
      ['sent', 'stopped', 'waits'],
    )
    await withoutRules()
  })

  test('a waiting message is decided again when its rule is deleted', async () => {
    const made = await rule([limit(0, { window: { from: '00:00', to: '23:59' } })])
    clock.set('2026-07-20T10:00:00Z')
    const waiting = await mail({ mp: { onLimit: 'postpone' } })
    const to = await contact()
    const [stamp] = await ask(waiting, [to])
    await sendDue()
    assert.equal(await outcome(stamp!), 'waits')
    assert.equal((await call('DELETE', `/marketing/pressure/rules/${made.id}`)).status, 204)
    clock.advance(1000)
    await sendDue()
    assert.equal(await outcome(stamp!), 'accepted')
  })

  test('a campaign shows waiting messages as a part of its pending ones, and ends with them', async () => {
    await rule(quiet)
    clock.set('2026-07-22T19:00:00Z')
    const people = [await person({ Zone: 'Europe/Paris' }), await person({ Zone: '+05:00' })]
    const segment = await stage.segment(people.map(({ id }) => id))
    const scheduler = { type: 'asap', segments: { selected: [segment] } }
    const id = await mail({ mp: { onLimit: 'postpone' } }, { type: 'mailCampaign', scheduler })
    await stage.advance()
    await stage.work()
    await sendDue()
    await stage.advance()
    const figures = async () => {
      const { state, monitor } = await stage.get(id)
      return { state, sent: monitor.sent, pending: monitor.pending, postponed: monitor.postponed }
    }
    assert.deepEqual(await figures(), { state: 55, sent: 1, pending: 1, postponed: 1 })
    clock.set('2026-07-23T03:00:00Z')
    await sendDue()
    await stage.advance()
    assert.deepEqual(await figures(), { state: 60, sent: 2, pending: 0, postponed: 0 })
    await withoutRules()
  })

  test('a reserved message that waits for the end of the night keeps its place', async () => {
    const { id, address } = await person({ Zone: 'Europe/Paris' })
    await rule([limit(1)])
    clock.set('2026-07-24T19:55:00Z')
    const waiting = await mail({ mp: { onLimit: 'postpone' } })
    gateway.plan(
      address,
      { result: 'returned', destination: 'shop.example', retryAfterMs: 600_000 },
      { result: 'accepted' },
    )
    const [stamp] = await ask(waiting, [id])
    await sendDue()
    assert.deepEqual([await outcome(stamp!), await counted(id)], ['waits', 1])
    await rule(quiet)
    clock.set('2026-07-24T20:10:00Z')
    await sendDue()
    assert.deepEqual([await outcome(stamp!), await counted(id)], ['waits', 1])
    clock.set('2026-07-25T06:00:00Z')
    await sendDue()
    assert.deepEqual([await outcome(stamp!), await counted(id)], ['accepted', 1])
    await withoutRules()
  })
})

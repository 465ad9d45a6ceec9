import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { countAudienceGrowth, queueAudienceGrowth } from '../../../src/features/segments/growth/counting.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { limit, pressureTools } from '../../support/stages/pressure.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, own, other, sendDue } = stage
const { db } = context
const pressed = pressureTools(stage)

async function made(path: string, body: object, key = own.key) {
  const answer = await call('POST', path, { body, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const [email] = (await call('GET', '/fields')).body
const phone = (await made('/fields', { type: 'phone', name: 'Mobile' })).id
const strangers = (await made('/targets', { Email: 'stranger@shop.example' }, other.key)).id

async function links(path: string) {
  const answer = await call('GET', `${path}/links`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

suite('GET …/links', () => {
  test('lists the same objects as the 409 of a deletion', async () => {
    const list = (await made('/valueLists', { name: 'Sizes', values: [{ value: 'S' }] })).id
    const field = (await made('/fields', { type: 'singleSelectList', name: 'Size', valueListId: list })).id
    const segment = (
      await made('/segments', {
        type: 'dynamic',
        name: 'Small',
        criteria: { type: 'field', field, operator: 'notEmpty' },
      })
    ).id
    const child = (await made('/segments', { type: 'dynamic', name: 'Below', parentId: segment })).id
    const topic = await pressed.topic('Fruit')
    const action = await stage.action({ name: 'Apples', settings: { mp: { topic } } })
    const form = (await made('/forms', { name: 'Sign up', fields: [{ field: phone }] })).id
    const html = `<a href="${form}" linktype="form">Sign up</a>`
    const linking = await stage.action({ name: 'Invitation', content: { subject: 'Hi', html } })
    const expected: [string, object[]][] = [
      [`/forms/${form}`, [{ type: 'action', id: linking, name: 'Invitation' }]],
      [`/valueLists/${list}`, [{ type: 'field', id: field, name: 'Size' }]],
      [`/fields/${field}`, [{ type: 'segment', id: segment, name: 'Small' }]],
      [`/segments/${segment}`, [{ type: 'segment', id: child, name: 'Below' }]],
      [`/marketing/pressure/topics/${topic}`, [{ type: 'action', id: action, name: 'Apples' }]],
    ]
    for (const [path, named] of expected) {
      assert.deepEqual(await links(path), named)
      const refusal = await call('DELETE', path)
      assert.equal(refusal.status, 409)
      assert.deepEqual(refusal.body.links, named)
    }
    assert.deepEqual(await links(`/segments/${child}`), [])
  })

  test('is 404 for objects unknown or of another account', async () => {
    const list = (await made('/valueLists', { name: 'Theirs' }, other.key)).id
    const segment = (await made('/segments', { type: 'static', name: 'Theirs' }, other.key)).id
    const theirs = (await made('/fields', { type: 'textField', name: 'Theirs' }, other.key)).id
    const form = (await made('/forms', { name: 'Theirs', fields: [{ field: theirs }] }, other.key)).id
    for (const path of [
      `/valueLists/${list}`,
      `/segments/${segment}`,
      '/fields/999999',
      '/fields/x',
      '/segments/0',
      '/forms/0000ZZ',
      '/forms/-',
      `/forms/${form}`,
      `/marketing/pressure/topics/${crypto.randomUUID()}`,
    ])
      assert.equal((await call('GET', `${path}/links`)).status, 404, path)
  })
})

suite('contact growth', () => {
  test('is counted daily, with new and lost contacts by segment and in total', async () => {
    clock.set('2026-05-01T12:00:00Z')
    await call('PUT', '/settings/contacts', { body: { timeZone: 'Europe/Paris' } })
    const [a, b] = [await stage.contact('grow1@shop.example'), await stage.contact('grow2@shop.example')]
    const still = await stage.segment([a, b], { expiration: '9999-12-31' })
    const grown = { type: 'field', field: email.id, operator: 'startsWith', value: 'grow' }
    const live = (
      await made('/segments', { type: 'dynamic', name: 'Growing', criteria: grown, expiration: '9999-12-31' })
    ).id
    const before = (await call('GET', '/targets/count')).body.targetsCount
    const count = async (now: string) => {
      clock.set(now)
      await queueAudienceGrowth(db, clock.now())
      for (const account of [own.account, other.account]) await countAudienceGrowth(db, { account }, clock.now())
    }
    // In Paris the first of May is over an hour and a half later.
    await count('2026-05-01T22:30:00Z')
    clock.set('2026-05-02T08:00:00Z')
    await stage.contact('grow3@shop.example')
    await stage.contact('grow4@shop.example')
    await call('DELETE', `/targets/${a}`)
    await count('2026-05-02T22:30:00Z')
    await count('2026-05-02T23:30:00Z')
    clock.set('2026-05-03T10:00:00Z')
    await stage.contact('grow5@shop.example')
    const period = '?start=2026-04-01&end=2026-06-01'
    assert.deepEqual((await call('GET', `/targets/growth${period}`)).body, [
      { date: '2026-05-01', count: before, entered: 0, left: 0 },
      { date: '2026-05-02', count: before + 1, entered: 2, left: 1 },
      { date: '2026-05-03', count: before + 2, entered: 1, left: 0 },
    ])
    assert.deepEqual((await call('GET', `/segments/${live}/growth${period}`)).body, [
      { date: '2026-05-01', count: 2, entered: 0, left: 0 },
      { date: '2026-05-02', count: 3, entered: 2, left: 1 },
    ])
    assert.deepEqual((await call('GET', `/segments/${still}/growth?start=2026-05-02&end=2026-05-03`)).body, [
      { date: '2026-05-02', count: 1, entered: 0, left: 1 },
    ])
    assert.deepEqual((await call('GET', `/segments/${still}/growth?end=2026-05-01`)).body, [])
  })

  test('is 404 for an unknown segment, and 400 for a period that ends before it starts', async () => {
    const theirs = (await made('/segments', { type: 'static', name: 'Grown elsewhere' }, other.key)).id
    for (const id of [theirs, 999_999, 'x']) assert.equal((await call('GET', `/segments/${id}/growth`)).status, 404)
    assert.equal((await call('GET', '/targets/growth?start=2026-05-02&end=2026-05-01')).status, 400)
    assert.equal((await call('GET', '/targets/growth?start=never')).status, 400)
  })
})

suite('GET /targets/{id}/timeline', () => {
  test('returns every event of a contact, newest first, in pages', async () => {
    clock.set(Date.now())
    const contact = await stage.contact('timeline@shop.example')
    const action = await stage.validated(await stage.action({ name: 'Told' }))
    const stamps = await pressed.ask(action, [contact])
    await sendDue()
    const first = (await call('GET', `/targets/${contact}/timeline?limit=1`)).body
    const whole = (await call('GET', `/targets/${contact}/timeline`)).body
    assert.equal(whole.next, null)
    assert.deepEqual(
      whole.items.map(({ type, stamp, channel, isTest }: Record<string, unknown>) => ({
        type,
        stamp,
        channel,
        isTest,
      })),
      ['activation', 'execution'].map((type) => ({ type, stamp: stamps[0], channel: 'email', isTest: false })),
    )
    assert.deepEqual(whole.items[0].source, { type: 'action', id: action, name: 'Told' })
    const { body: events } = await call('GET', `/targets/${contact}/events/activations`)
    assert.deepEqual(whole.items[0].detail, events[0].source.detail)
    assert.deepEqual([first.items, first.next], [[whole.items[0]], whole.items[0].id])
    const rest = (await call('GET', `/targets/${contact}/timeline?limit=1&before=${first.next}`)).body
    assert.deepEqual(rest, { items: [whole.items[1]], next: null })
    assert.deepEqual((await call('GET', `/targets/${contact}/timeline?before=2020-01-01`)).body, {
      items: [],
      next: null,
    })
  })

  test('is 404 for unknown contacts, and 400 for an invalid page', async () => {
    for (const id of ['ZZZZZZZZ', strangers, '!'])
      assert.equal((await call('GET', `/targets/${id}/timeline`)).status, 404)
    const contact = await stage.contact('timeline2@shop.example')
    assert.deepEqual((await call('GET', `/targets/${contact}/timeline`)).body, { items: [], next: null })
    assert.equal((await call('GET', `/targets/${contact}/timeline?before=x`)).status, 400)
    assert.equal((await call('GET', `/targets/${contact}/timeline?limit=501`)).status, 400)
  })
})

const free = { may: true, until: null, because: [] }
const noNumber = { may: false, until: null, because: [{ type: 'empty address', value: { field: phone } }] }
const noDevice = { may: false, until: null, because: [{ type: 'no subscription', value: { application: '' } }] }

suite('GET /targets/{id}/reachability', () => {
  test('returns every reason by channel, in the order of the checks', async () => {
    const contact = await stage.contact('reach@shop.example')
    assert.deepEqual((await call('GET', `/targets/${contact}/reachability`)).body, {
      email: free,
      sms: noNumber,
      rcs: noNumber,
      notification: noDevice,
    })
    await call('PUT', `/targets/${contact}`, { body: { Mobile: '+33612345678' } })
    await call('PUT', `/targets/${contact}/bounces/${email.id}`, { body: { type: 'hardUser' } })
    await call('POST', `/targets/${contact}/redlist/mail`)
    const { body } = await call('GET', `/targets/${contact}/reachability?purpose=service`)
    assert.deepEqual(body, {
      email: {
        may: false,
        until: null,
        because: [
          { type: 'bounce', value: { field: email.id } },
          { type: 'redlist', value: { channel: 'mail' } },
        ],
      },
      sms: free,
      rcs: free,
      notification: noDevice,
    })
  })

  test('considers marketing pressure by purpose and topic, and returns until when it applies', async () => {
    const topic = await pressed.topic('Pears')
    const contact = await stage.contact('pressed@shop.example')
    const action = await stage.validated(await stage.action({ settings: { mp: { topic } } }))
    const { id, label } = await pressed.rule([limit(1, { channels: ['email'], topics: [topic] })], {})
    assert.equal(await pressed.send(action, contact), 'accepted')
    const ask = async (query: string) => (await call('GET', `/targets/${contact}/reachability${query}`)).body.email
    assert.deepEqual(await ask(''), free)
    assert.deepEqual(await ask(`?topic=${topic}&purpose=service`), free)
    const { may, until, because } = await ask(`?topic=${topic}`)
    assert.equal(may, false)
    const [{ type, value }] = because
    assert.equal(type, 'marketing pressure')
    assert.equal(new Date(until).getTime(), value.until)
    assert.deepEqual(value, {
      type: 'rule',
      message: `rule "${label}": 1 of 1 in the last 7 days`,
      rule: id,
      topic,
      count: 1,
      limit: 1,
      expression: 0,
      until: value.until,
    })
    await pressed.withoutRules()
    assert.deepEqual(await ask(`?topic=${topic}`), free)
  })

  test('an unknown contact or topic is 404, and an invalid query 400', async () => {
    const contact = await stage.contact('reach2@shop.example')
    for (const id of ['ZZZZZZZZ', strangers])
      assert.equal((await call('GET', `/targets/${id}/reachability`)).status, 404)
    assert.equal((await call('GET', `/targets/${contact}/reachability?topic=${crypto.randomUUID()}`)).status, 404)
    assert.equal((await call('GET', `/targets/${contact}/reachability?topic=x`)).status, 400)
    assert.equal((await call('GET', `/targets/${contact}/reachability?purpose=x`)).status, 400)
  })
})

suite('POST …/{id}/audience', () => {
  test('counts selected, excluded and shared contacts, and those who cannot be reached', async () => {
    clock.set(Date.now())
    const people = await Promise.all(Array.from({ length: 6 }, (_, n) => stage.contact(`audience${n}@shop.example`)))
    const [a = '', b = '', c = '', d = '', e = '', f = ''] = people
    await call('POST', `/targets/${b}/redlist/mail`)
    await call('PUT', `/targets/${b}/bounces/${email.id}`)
    await call('PUT', `/targets/${c}/bounces/${email.id}`)
    const [one, two, out] = [
      await stage.segment([a, b, c]),
      await stage.segment([c, d, e]),
      await stage.segment([e, f]),
    ]
    const action = await stage.action({
      type: 'mailCampaign',
      scheduler: { type: 'asap', segments: { selected: [one, two], excluded: [out] } },
    })
    const expected = {
      selected: 5,
      excluded: 1,
      net: 4,
      overlaps: [{ segments: [one, two], count: 1 }],
      cannot: [{ type: 'bounce', count: 2 }],
      pressure: { stopped: 0 },
      exact: true,
      at: new Date(clock.now()).toISOString(),
    }
    assert.deepEqual((await call('POST', `/actions/${action}/audience`)).body, expected)
    const { body } = await call('POST', `/actions/${action}/audience`, { body: { segments: { selected: [one] } } })
    assert.deepEqual(body, { ...expected, selected: 3, excluded: 0, net: 3, overlaps: [] })
    const nobody = await call('POST', `/actions/${action}/audience`, { body: { segments: {} } })
    assert.deepEqual(nobody.body, { ...expected, selected: 0, excluded: 0, net: 0, overlaps: [], cannot: [] })
    assert.deepEqual(await sql`select from pressure_counters`.execute(db).then(({ rows }) => rows.length > 0), true)
  })

  test('predicts whom marketing pressure would stop, and counts nothing against it', async () => {
    const [a, b] = [await stage.contact('forecast1@shop.example'), await stage.contact('forecast2@shop.example')]
    await pressed.rule([limit(1)])
    const message = await stage.validated(await stage.action())
    assert.equal(await pressed.send(message, a), 'accepted')
    const segment = await stage.segment([a, b])
    const action = await stage.action({
      type: 'mailCampaign',
      scheduler: { type: 'asap', segments: { selected: [segment] } },
    })
    for (let round = 0; round < 2; round++) {
      const { body } = await call('POST', `/actions/${action}/audience`)
      assert.deepEqual([body.net, body.cannot, body.pressure], [2, [], { stopped: 1 }])
    }
    const service = await stage.action({ type: 'mailCampaign', settings: { purpose: { type: 'service' } } })
    const asked = { body: { segments: { selected: [segment] } } }
    assert.deepEqual((await call('POST', `/actions/${service}/audience`, asked)).body.pressure, { stopped: 0 })
    await pressed.withoutRules()
  })

  test('works alike for SMS, RCS and notifications', async () => {
    const [a, b] = [
      await stage.contact('both@shop.example', { Mobile: '+33611111111' }),
      await stage.contact('alone@shop.example'),
    ]
    const twin = await stage.contact('twin@shop.example', { Mobile: '+33611111111' })
    const body = { segments: { selected: [await stage.segment([a, b, twin])] } }
    const text = (await made('/actions', { type: 'smsCampaign', name: 'Texts' })).id
    const rich = (await made('/channel/rcs/actions', { type: 'rcsCampaign', name: 'Rich' })).id
    const push = (await made('/notifications', { type: 'push-app', name: 'Pushed' })).id
    const cannot = [
      { type: 'empty address', count: 1 },
      { type: 'duplicate address', count: 1 },
    ]
    const byType = (list: { type: string }[]) => list.toSorted((x, y) => x.type.localeCompare(y.type))
    for (const path of [`/actions/${text}`, `/channel/rcs/actions/${rich}`]) {
      const answer = (await call('POST', `${path}/audience`, { body })).body
      assert.deepEqual([answer.net, byType(answer.cannot)], [3, byType(cannot)], path)
    }
    const pushed = await call('POST', `/notifications/${push}/audience`, { body })
    assert.deepEqual(pushed.body.cannot, [{ type: 'no subscription', count: 3 }], pushed.text)
  })

  test('unknown objects and segments of another account are 404', async () => {
    const action = await stage.action()
    const theirs = (await made('/segments', { type: 'static', name: 'Not ours' }, other.key)).id
    for (const path of ['/actions/ZZZZZZ', '/channel/rcs/actions/999999', '/notifications/999999'])
      assert.equal((await call('POST', `${path}/audience`)).status, 404, path)
    const refused = await call('POST', `/actions/${action}/audience`, { body: { segments: { excluded: [theirs] } } })
    assert.equal(refused.status, 404)
    assert.equal((await call('POST', `/actions/${action}/audience`, { key: other.key })).status, 404)
    assert.equal((await call('POST', `/actions/${action}/audience`, { body: { segments: [] } })).status, 200)
    assert.equal(
      (await call('POST', `/actions/${action}/audience`, { body: { segments: { selected: ['x'] } } })).status,
      400,
    )
  })
})

suite('GET /messages/{stamp}', () => {
  const CONTENT = {
    subject: 'Hello {{ contact.Email }}',
    html: '<html><body><p>{{ data.order }}</p><a href="https://shop.example/a">Come in</a></body></html>',
  }

  async function sent(contact: string): Promise<{ stamp: string; action: string }> {
    const action = await stage.validated(await stage.action({ name: 'As it was', content: CONTENT }))
    const body = { recipient: { type: 'id', value: contact }, data: { order: 77 } }
    const { id } = await made(`/actions/${action}/execution`, body)
    await sendDue()
    return { stamp: id, action }
  }

  test('returns the message as sent despite later changes, and its links record nothing', async () => {
    const contact = await stage.contact('was@shop.example')
    const { stamp, action } = await sent(contact)
    await call('PUT', `/targets/${contact}`, { body: { Email: 'is@shop.example' } })
    await call('PUT', `/actions/${action}`, { body: { name: 'Changed', content: { subject: 'Other' } } })
    const { status, body } = await call('GET', `/messages/${stamp.toUpperCase()}`)
    assert.equal(status, 200)
    const { parts, sender, stamp: shown, ...others } = body
    assert.deepEqual(others, {
      channel: 'email',
      kind: 'message',
      state: 'accepted',
      contact,
      address: 'was@shop.example',
      source: { type: 'action', id: action, name: 'As it was' },
      message: null,
      error: null,
      lastReply: null,
    })
    assert.equal(shown.id, stamp)
    assert.equal(parts.subject, 'Hello was@shop.example')
    assert.match(parts.html, /<p>77<\/p>/)
    assert.equal(typeof sender.value, 'string')
    const [, link = ''] = /href="([^"]+)"/.exec(parts.html) ?? []
    const before = (await call('GET', `/targets/${contact}/timeline`)).body
    const visit = await call('GET', link.replace(/^https?:\/\/[^/]+/, ''), { key: null })
    assert.deepEqual([visit.status, visit.headers['location']], [302, 'https://shop.example/a'])
    assert.deepEqual((await call('GET', `/targets/${contact}/timeline`)).body, before)
  })

  test('a cancelled message has no parts', async () => {
    const contact = await stage.contact('stopped@shop.example')
    await call('POST', `/targets/${contact}/redlist/mail`)
    const { stamp } = await sent(contact)
    const { body } = await call('GET', `/messages/${stamp}`)
    assert.deepEqual([body.state, body.parts, body.sender], ['cancelled', {}, null])
  })

  test('a queued message is shown as it will be sent', async () => {
    const contact = await stage.contact('waits@shop.example')
    const action = await stage.validated(await stage.action({ content: CONTENT }))
    const [stamp] = await pressed.ask(action, [contact])
    const { body } = await call('GET', `/messages/${stamp}`)
    assert.deepEqual([body.state, body.parts.subject, body.address], ['queued', 'Hello waits@shop.example', null])
    await sendDue()
  })

  test('is 410 for an erased contact or past retention, and 404 for messages unknown or of another account', async () => {
    const [erased, old] = [
      await sent(await stage.contact('erased@shop.example')),
      await sent(await stage.contact('old@shop.example')),
    ]
    const { contact } = (await call('GET', `/messages/${erased.stamp}`)).body
    assert.equal((await call('DELETE', `/targets/${contact}?erase=true`)).status, 204)
    assert.equal((await call('GET', `/messages/${erased.stamp}`)).status, 410)
    await sql`delete from sent_messages where stamp = ${old.stamp}`.execute(db)
    assert.equal((await call('GET', `/messages/${old.stamp}`)).status, 410)
    assert.equal((await call('GET', `/messages/${old.stamp}`, { key: other.key })).status, 404)
    for (const stamp of [crypto.randomUUID(), 'x']) assert.equal((await call('GET', `/messages/${stamp}`)).status, 404)
    assert.ok(parseContactId(contact))
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { footprint, startRcsRequests, to } from '../../support/stages/rcs-requests.ts'

const {
  ask,
  call,
  clock,
  context,
  events,
  field,
  gateway,
  makeKey,
  makeProfile,
  own,
  other,
  phone,
  profile,
  rcs,
  ready,
  sendDue,
} = await startRcsRequests()
clock.set('2026-03-02T10:00:00.000Z')

let stamps = 0
/** An unused stamp id. */
function newStamp(): string {
  return `019512a0-7c11-7d2e-9a42-${String(++stamps).padStart(12, '0')}`
}

const execute = (id: number, items: unknown, options: object = {}) => ask('POST', `${id}/executions`, items, options)

/** Columns of what waits for an action. */
async function waiting(action: number) {
  const { rows } = await context.pool.query(
    `select m.kind, m.lane, m.address, m.stamp, m.expires_at - m.created_at as waits, v.source
     from messages m join sendings g on g.id = m.sending join content_versions v on v.id = m.version
     where g.source = $1 and g.source_kind = 'rcs' order by m.id`,
    [action],
  )
  return rows
}

const ann = await phone('ann@shop.example', '+33612345678')
const bob = await phone('bob@shop.example', '+33612345679')

suite('RCS executions', () => {
  test('with an unknown second contact, the other two of three items are sent in order', async () => {
    const id = await ready()
    const data = (name: string) => ({ data: { name } })
    const { status, body, headers } = await execute(id, [
      { recipient: to('ann@shop.example'), ...data('Ann') },
      { recipient: to('no@shop.example') },
      { receiver: { type: 'id', value: bob.toLowerCase() }, ...data('Bob') },
    ])
    const [first, third] = [body[0].id, body[2].id]
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8'])
    assert.deepEqual(body, [
      { type: 'success', id: first, recipient: footprint(ann, 'ann@shop.example') },
      { type: 'error', value: { type: 'recipient not found', recipient: to('no@shop.example') } },
      { type: 'success', id: third, recipient: footprint(bob, 'bob@shop.example') },
    ])
    const published = await events(id)
    const ofStamp = (stamp: string) => published.find(({ source }) => source.detail.execution.stamp.id === stamp)
    assert.deepEqual(
      published.map(({ type, source }) => [type, source.type]),
      Array(2).fill(['execution', 'rcs']),
    )
    assert.deepEqual(ofStamp(third).source.detail.execution.data, { name: 'Bob' })
    const { execution } = ofStamp(first).source.detail
    assert.deepEqual(execution, {
      id,
      kind: 'message',
      recipient: footprint(ann, 'ann@shop.example'),
      data: { name: 'Ann' },
      stamp: { time: clock.now(), id: first, thread: first, set: execution.stamp.set },
      phone: '+33612345678',
      agent: 'orchard_fr_k2',
      profile,
      field,
      origin: { type: 'api' },
    })
    await sendDue()
    assert.deepEqual(
      gateway.sentRcs.map(({ to: number, messageId }) => [number, messageId]),
      [
        ['+33612345678', first],
        ['+33612345679', third],
      ],
    )
    assert.deepEqual(JSON.parse(gateway.sentRcs[0]?.contentMessage ?? ''), { text: 'Hello Ann' })
    assert.equal(gateway.sentRcs[0]?.agent, 'orchard_fr_k2')
  })

  test('a repeated stamp gives two equal successes and one message', async () => {
    const id = await ready()
    const stamp = { id: newStamp() }
    const before = gateway.sentRcs.length
    const item = { recipient: to('ann@shop.example'), stamp: { id: stamp.id.toUpperCase() } }
    const first = await ask('POST', `${id}/execution`, item)
    assert.deepEqual(first.body, { type: 'success', id: stamp.id, recipient: footprint(ann, 'ann@shop.example') })
    assert.deepEqual((await execute(id, [item, { recipient: to('bob@shop.example'), stamp }])).body, [
      first.body,
      first.body,
    ])
    assert.equal(await sendDue(), 1)
    assert.deepEqual(
      (await ask('POST', `${id}/execution`, { recipient: to('no@shop.example'), stamp })).body,
      first.body,
    )
    assert.equal(await sendDue(), 0)
    assert.equal(gateway.sentRcs.length, before + 1)
    assert.equal((await events(id)).filter(({ type }) => type === 'execution').length, 1)
  })

  test('a text that renders too long is a render error and is not sent', async () => {
    const id = await ready({ content: { type: 'text', text: '{{ data.long }}' } })
    const before = gateway.sentRcs.length
    const { body } = await execute(id, [
      { recipient: to('ann@shop.example'), data: { long: 'x'.repeat(3073) } },
      { recipient: to('bob@shop.example'), data: { long: 'x'.repeat(3072) } },
    ])
    await sendDue()
    assert.deepEqual(
      gateway.sentRcs.slice(before).map(({ messageId }) => messageId),
      [body[1].id],
    )
    const [cancellation, ...more] = (await events(id)).filter(({ type }) => type === 'cancellation')
    assert.equal(more.length, 0)
    assert.deepEqual(cancellation.source.detail.cancellation.type, 'render error')
    const literal = { recipient: to('ann@shop.example'), content: { type: 'text', text: 'x'.repeat(3073) } }
    const refused = await execute(id, [literal])
    assert.deepEqual(refused.body.errors, [
      { pointer: '/0/content/text', detail: 'must have at most 3072 characters, not 3073' },
    ])
  })

  test("an item's content and fallback are templates that replace the action's and are tracked", async () => {
    const fallback = { type: 'sms', text: 'Pears' }
    const id = await ready({ fallback })
    const suggestions = [{ type: 'openUrl', text: 'See', url: 'https://shop.example/{{ data.name }}' }]
    const content = { type: 'text', text: 'New {{ data.name }}', suggestions }
    const shared = { recipient: to('ann@shop.example'), data: { name: 'pear' } }
    const { status, body, text } = await execute(id, [
      { ...shared, content },
      { ...shared, fallback: null },
      { ...shared, content, fallback: { type: 'sms', text: 'Other {{ data.name }}', sender: 'PEARS' } },
      shared,
    ])
    assert.equal(status, 200, text)
    const kept = (await waiting(id)).map(({ source }) => [
      source.content.content.text,
      source.content.fallback,
      source.sms?.sender,
    ])
    assert.deepEqual(kept, [
      ['New {{ data.name }}', fallback, 'ORCHARD'],
      ['Hello {{ data.name }}', null, 'ORCHARD'],
      ['New {{ data.name }}', { type: 'sms', text: 'Other {{ data.name }}', sender: 'PEARS' }, 'PEARS'],
      ['Hello {{ data.name }}', fallback, 'ORCHARD'],
    ])
    const before = gateway.sentRcs.length
    await sendDue()
    const made = gateway.sentRcs.slice(before)
    assert.deepEqual(
      made.map(({ contentMessage }) => JSON.parse(contentMessage).text),
      ['New pear', 'Hello pear', 'New pear', 'Hello pear'],
    )
    const { url } = JSON.parse(made[0]!.contentMessage).suggestions[0].action.openUrlAction
    assert.match(url, /^https:\/\/stentor\.example\/t\/r\//)
    const followed = await call('GET', new URL(url).pathname, { key: null })
    assert.deepEqual([followed.status, followed.headers['location']], [302, 'https://shop.example/pear'])
    assert.equal(body[0].type, 'success')
  })

  test('an invalid item is 400 with its pointer, and nothing is sent', async () => {
    const id = await ready()
    const sound = { recipient: to('ann@shop.example') }
    const period = (unit: string, value: number) => ({ type: 'period', value: { unit, value } })
    for (const [item, pointer] of [
      [{}, '/recipient'],
      [{ recipient: { type: 'unicity', value: 'ann@shop.example' } }, '/recipient/value'],
      [{ ...sound, content: { type: 'poem' } }, '/content/type'],
      [{ ...sound, content: { type: 'text', text: '' } }, '/content/text'],
      [{ ...sound, content: { type: 'text', text: '{{ data.x | nothing }}' } }, '/content/text'],
      [{ ...sound, content: { type: 'carousel', width: 'SMALL', cards: [{ title: 'Pear' }] } }, '/content/cards'],
      [{ ...sound, fallback: { type: 'sms', text: ' ' } }, '/fallback/text'],
      [{ ...sound, fallback: { type: 'sms', text: '{% if %}' } }, '/fallback/text'],
      [{ ...sound, fallback: { type: 'sms', text: 'x', after: { unit: 'SECOND', value: 59 } } }, '/fallback/after'],
      [
        {
          ...sound,
          expiration: period('HOUR', 1),
          fallback: { type: 'sms', text: 'x', after: { unit: 'HOUR', value: 2 } },
        },
        '/fallback/after',
      ],
      [{ ...sound, expiration: period('SECOND', 9) }, '/expiration/value'],
      [{ ...sound, expiration: period('DAY', 16) }, '/expiration/value'],
      [{ ...sound, subject: 'Hi' }, '/subject'],
      [{ ...sound, copies: [] }, '/copies'],
      [{ ...sound, stamp: { id: 'none' } }, '/stamp/id'],
    ] as const) {
      for (const [path, body, at] of [
        ['execution', item, ''],
        ['executions', [sound, item], '/1'],
      ] as const) {
        const refused = await ask('POST', `${id}/${path}`, body)
        const pointers = (refused.body.errors ?? []).map((fault: { pointer: string }) => fault.pointer)
        assert.equal(refused.status, 400, `${path} ${JSON.stringify(item)} ${refused.text}`)
        assert.ok(pointers.includes(`${at}${pointer}`), `${pointers} lacks ${at}${pointer}`)
      }
    }
    assert.deepEqual([await waiting(id), await events(id)], [[], []])
  })

  test('a list may have 1,000 items, and 1,001 are refused', async () => {
    const id = await ready()
    const items = Array(1001).fill({ recipient: to('ann@shop.example') })
    assert.equal((await execute(id, items)).status, 400)
    assert.deepEqual(await events(id), [])
    const { status, body } = await execute(id, items.slice(1))
    assert.deepEqual([status, body.length], [200, 1000])
    assert.deepEqual((await execute(id, [])).body, [])
    await sendDue()
  })

  test('a message waits as long as the expiration of its item, else its action, else 48 hours', async () => {
    const period = (unit: string, value: number) => ({ type: 'period', value: { unit, value } })
    const id = await ready({ settings: { profile, field, expiration: period('HOUR', 24) } })
    await execute(id, [
      { recipient: to('ann@shop.example') },
      { recipient: to('bob@shop.example'), expiration: period('MINUTE', 30), urgent: true },
    ])
    const plain = await ready()
    await execute(plain, [{ recipient: to('ann@shop.example') }])
    const hours = async (action: number) =>
      (await waiting(action)).map(({ waits, lane }) => [
        (waits.days ?? 0) * 24 + (waits.hours ?? 0) + (waits.minutes ?? 0) / 60,
        lane,
      ])
    assert.deepEqual(await hours(id), [
      [24, 1],
      [0.5, 0],
    ])
    assert.deepEqual(await hours(plain), [[48, 1]])
    const before = gateway.sentRcs.length
    clock.advance(31 * 60_000)
    await sendDue()
    assert.deepEqual(
      gateway.sentRcs.slice(before).map(({ to: number, ttlSeconds }) => [number, ttlSeconds]),
      [
        ['+33612345678', 24 * 3600 - 31 * 60],
        ['+33612345678', 48 * 3600 - 31 * 60],
      ],
    )
    const [expired] = (await events(id)).filter(({ type }) => type === 'cancellation')
    assert.equal(expired.source.detail.cancellation.type, 'expired')
    const { phone, agent, profile: number } = expired.source.detail.execution
    assert.deepEqual([typeof phone, agent, number], ['string', 'orchard_fr_k2', profile])
  })

  test('an item cannot override what its action or profile does not allow', async () => {
    const sound = { recipient: to('ann@shop.example') }
    const old = await ready({ settings: { profile, field, templating: { version: '4' } } })
    for (const more of [{ content: { type: 'text', text: 'x' } }, { fallback: null }]) {
      const refused = await execute(old, [{ ...sound, ...more }])
      assert.deepEqual([refused.status, refused.body.type.split(':').at(-1)], [409, 'content-fixed'])
    }
    const bare = await makeProfile()
    const id = await ready({ settings: { profile: bare, field } })
    const refused = await execute(id, [sound, { ...sound, fallback: { type: 'sms', text: 'Pears' } }])
    assert.deepEqual([refused.status, refused.body.type.split(':').at(-1)], [409, 'fallback-refused'])
    assert.equal(refused.body.errors[0].pointer, '/1/fallback')
    assert.deepEqual([await waiting(old), await waiting(id)], [[], []])
  })

  test('only validated messages with an active profile can be executed', async () => {
    const item = { recipient: to('ann@shop.example') }
    const status = async (id: number) => [
      (await ask('POST', `${id}/execution`, item)).status,
      (await execute(id, [item])).status,
    ]
    assert.deepEqual(await status(await rcs({ content: null })), [409, 409])
    assert.deepEqual(await status(await rcs()), [409, 409])
    const scheduler = { type: 'scheduled', startDate: '2027-01-01T00:00:00.000Z', segments: { selected: [] } }
    const { body: segment } = await call('POST', '/segments', { body: { type: 'static', name: 'All' } })
    scheduler.segments.selected = [segment.id] as never
    assert.deepEqual(await status(await ready({ type: 'rcsCampaign', scheduler })), [409, 409])
    const own = await makeProfile()
    const id = await ready({ settings: { profile: own, field } })
    assert.deepEqual(await status(id), [200, 200])
    await call('PUT', `/channel/rcs/profiles/${own}`, { body: { active: false } })
    const refused = await ask('POST', `${id}/execution`, item)
    assert.deepEqual([refused.status, refused.body.type.split(':').at(-1)], [409, 'profile-inactive'])
    await call('PUT', `/channel/rcs/profiles/${own}`, { body: { active: true } })
    assert.equal((await ask('PUT', id, { name: 'Pears' })).body.state, 20)
    assert.deepEqual(await status(id), [409, 409])
    assert.equal((await ask('DELETE', id)).status, 204)
    assert.deepEqual(await status(id), [404, 404])
  })

  test('ids of another account and of the other family are unknown', async () => {
    const item = { recipient: to('ann@shop.example') }
    const id = await ready()
    const mail = await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Mail' } })
    const foreign = await call('POST', '/targets', { body: { Email: 'foreign@shop.example' }, key: other.key })
    for (const path of ['execution', 'executions']) {
      const body = path === 'execution' ? item : [item]
      assert.equal((await ask('POST', `${id}/${path}`, body, { key: other.key })).status, 404)
      assert.equal((await ask('POST', `${Number.parseInt(mail.body.id, 36)}/${path}`, body)).status, 404)
      assert.equal((await ask('POST', `none/${path}`, body)).status, 404)
    }
    const { body } = await execute(id, [
      { recipient: { type: 'id', value: foreign.body.id } },
      { ...item, related: { type: 'id', value: foreign.body.id } },
    ])
    assert.deepEqual(
      body.map(({ value }: { value: { type: string } }) => value.type),
      ['recipient not found', 'related not found'],
    )
  })

  test('only JSON bodies are accepted, and the right to send is required', async () => {
    const id = await ready()
    const item = { recipient: to('ann@shop.example') }
    for (const type of ['text/plain', 'application/vnd.np6.cm.sms', 'application/vnd.np6.cm.email']) {
      const options = { headers: { 'content-type': type } }
      assert.equal((await ask('POST', `${id}/execution`, JSON.stringify(item), options)).status, 415, type)
      assert.equal((await ask('POST', `${id}/executions`, JSON.stringify([item]), options)).status, 415, type)
    }
    const key = await makeKey(own.account, ['read', 'write', 'admin'])
    assert.equal((await ask('POST', `${id}/execution`, item, { key })).status, 403)
    assert.equal((await ask('POST', `${id}/executions`, [item], { key })).status, 403)
  })

  test('held messages show an RCS action by its number and are found and released by it', async () => {
    const id = await ready()
    const stamp = { id: newStamp() }
    await execute(id, [{ recipient: to('ann@shop.example'), stamp }])
    await context.pool.query("update messages set state = 'held', held_at = now() where stamp = $1", [stamp.id])
    const shown = ({ body }: { body: { message: string; action: number }[] }) =>
      body.map(({ message, action }) => [message, action])
    assert.deepEqual(shown(await call('GET', `/settings/sending/held?action=${id}`)), [[stamp.id, id]])
    assert.deepEqual(shown(await call('GET', '/settings/sending/held')), [[stamp.id, id]])
    assert.equal((await call('GET', `/settings/sending/held?action=${id}`, { key: other.key })).status, 404)
    assert.equal((await call('GET', '/settings/sending/held?action=999999')).status, 404)
    for (const action of [999_999, 'none'])
      assert.equal(
        (await call('POST', '/settings/sending/held/release', { body: { decision: 'drop', action } })).status,
        404,
      )
    const released = await call('POST', '/settings/sending/held/release', { body: { decision: 'drop', action: id } })
    assert.deepEqual([released.status, released.body], [200, { messages: 1 }])
  })

  test('a strict PATCH reports unknown members, including those at the top level', async () => {
    const id = await rcs()
    const headers = { prefer: 'handling=strict' }
    const refused = await ask('PATCH', id, { colour: 'red', settings: { size: 1 } }, { headers })
    assert.deepEqual(
      [refused.status, refused.body.errors?.map(({ pointer }: { pointer: string }) => pointer).toSorted()],
      [400, ['/colour', '/settings/size']],
    )
    assert.equal((await ask('PATCH', id, { name: 'Pears' }, { headers })).status, 200)
    assert.equal((await ask('PATCH', id, { colour: 'red' })).status, 200)
  })
})

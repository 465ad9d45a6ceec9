import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { app, call, clock, makeKey, own, other, action, contact, settle, validated } = await startStage()

clock.set('2026-03-02T10:00:00.000Z')
const NOBODY = '019512a0-7c11-7d2e-9a42-000000000001'

async function campaign(body: object = {}) {
  const answer = await call('POST', '/campaigns', { body: { name: 'Spring', ...body } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function sms(): Promise<string> {
  const { body } = await call('POST', '/actions', {
    body: { type: 'smsMessage', name: 'Text', settings: { field: phone }, content: { textContent: 'Hello' } },
  })
  return body.id
}

const phone = (await call('POST', '/fields', { body: { type: 'phone', name: 'Phone' } })).body.id

async function pointerOf(method: string, url: string, body: unknown) {
  const answer = await call(method, url, { body })
  return [answer.status, answer.body?.errors?.[0]?.pointer]
}

suite('a campaign', () => {
  test('is stored as given, with its items in order and each once', async () => {
    const [first, second] = [await action(), await sms()]
    const items = [
      { type: 'sms', id: second },
      { type: 'email', id: first.toLowerCase() },
      { type: 'sms', id: second },
    ]
    const made = await campaign({
      name: '  Spring opening ',
      items,
      startDate: '2026-03-01',
      endDate: 1_775_001_600_000,
    })
    assert.match(made.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(made, {
      id: made.id,
      name: 'Spring opening',
      description: null,
      creationDate: '2026-03-02T10:00:00.000Z',
      updateDate: '2026-03-02T10:00:00.000Z',
      startDate: '2026-03-01T00:00:00.000Z',
      endDate: '2026-04-01T00:00:00.000Z',
      items: [
        { type: 'sms', id: second },
        { type: 'email', id: first },
      ],
    })
    assert.deepEqual((await call('GET', `/campaigns/${made.id.toUpperCase()}`)).body, made)
    const listed = (await call('GET', '/campaigns')).body
    assert.deepEqual(
      listed.filter(({ id }: { id: string }) => id === made.id),
      [made],
    )
  })

  test('a change keeps omitted members and replaces the items', async () => {
    const [first, second] = [await action(), await action()]
    const made = await campaign({ description: 'x', items: [{ type: 'email', id: first }] })
    clock.set('2026-03-02T11:00:00.000Z')
    const renamed = await call('PUT', `/campaigns/${made.id}`, { body: { name: 'Autumn' } })
    assert.deepEqual(renamed.body, { ...made, name: 'Autumn', updateDate: '2026-03-02T11:00:00.000Z' })
    const items = [{ type: 'email', id: second }]
    const changed = await call('PUT', `/campaigns/${made.id}`, { body: { ...renamed.body, items, description: null } })
    assert.deepEqual(changed.body, { ...renamed.body, items, description: null })
  })

  test('is refused with a pointer to the fault, and nothing is created', async () => {
    const email = await action()
    const before = (await call('GET', '/campaigns')).body.length
    assert.deepEqual(await pointerOf('POST', '/campaigns', {}), [400, '/name'])
    assert.deepEqual(await pointerOf('POST', '/campaigns', { name: 'n'.repeat(256) }), [400, '/name'])
    assert.deepEqual(await pointerOf('POST', '/campaigns', { name: 'A', description: 3 }), [400, '/description'])
    assert.deepEqual(await pointerOf('POST', '/campaigns', { name: 'A', startDate: 'soon' }), [400, '/startDate'])
    const reversed = { name: 'A', startDate: '2026-02-02', endDate: '2026-02-01' }
    assert.deepEqual(await pointerOf('POST', '/campaigns', reversed), [400, '/endDate'])
    const item = (type: string, id: unknown) => ({
      name: 'A',
      items: [
        { type: 'email', id: email },
        { type, id },
      ],
    })
    assert.deepEqual(await pointerOf('POST', '/campaigns', item('email', 12)), [400, '/items/1/id'])
    assert.deepEqual(await pointerOf('POST', '/campaigns', item('rcs', '12')), [400, '/items/1/id'])
    assert.deepEqual(await pointerOf('POST', '/campaigns', item('letter', 'x')), [400, '/items/1/type'])
    for (const [type, id] of [
      ['email', '0ZZZZZ'],
      ['sms', email],
      ['email', 'x'],
      ['rcs', 5],
      ['workflow', 5],
      ['display', 'd'],
    ])
      assert.equal((await call('POST', '/campaigns', { body: item(String(type), id) })).status, 404, `${type} ${id}`)
    const many = Array.from({ length: 501 }, (_, n) => ({ type: 'rcs', id: n + 1 }))
    assert.deepEqual(await pointerOf('POST', '/campaigns', { name: 'A', items: many }), [400, '/items'])
    assert.equal((await call('GET', '/campaigns')).body.length, before)
  })

  test('appends one or several items, and removes one', async () => {
    const [a, b, c] = [await action(), await action(), await action()]
    const { id } = await campaign({ items: [{ type: 'email', id: a }] })
    const one = await call('POST', `/campaigns/${id}/items`, { body: { type: 'email', id: b } })
    assert.deepEqual(
      one.body.items.map((item: { id: string }) => item.id),
      [a, b],
    )
    const several = [
      { type: 'email', id: c },
      { type: 'email', id: a },
    ]
    const more = await call('POST', `/campaigns/${id}/items`, { body: several })
    assert.deepEqual(
      more.body.items.map((item: { id: string }) => item.id),
      [a, b, c],
    )
    const unknown = [
      { type: 'email', id: await action() },
      { type: 'email', id: '0ZZZZZ' },
    ]
    assert.equal((await call('POST', `/campaigns/${id}/items`, { body: unknown })).status, 404)
    assert.equal((await call('DELETE', `/campaigns/${id}/items/email/${b.toLowerCase()}`)).status, 204)
    assert.equal((await call('DELETE', `/campaigns/${id}/items/email/${b}`)).status, 404)
    assert.equal((await call('DELETE', `/campaigns/${id}/items/letter/${a}`)).status, 404)
    const { body } = await call('GET', `/campaigns/${id}`)
    assert.deepEqual(
      body.items.map((item: { id: string }) => item.id),
      [a, c],
    )
  })

  test('a deleted action leaves every campaign, and a deleted campaign leaves its actions alone', async () => {
    const [gone, kept] = [await action(), await action()]
    const { id } = await campaign({
      items: [
        { type: 'email', id: gone },
        { type: 'email', id: kept },
      ],
    })
    assert.equal((await call('DELETE', `/actions/${gone}`)).status, 204)
    assert.deepEqual((await call('GET', `/campaigns/${id}`)).body.items, [{ type: 'email', id: kept }])
    assert.equal((await call('DELETE', `/campaigns/${id}`)).status, 204)
    assert.equal((await call('GET', `/campaigns/${id}`)).status, 404)
    assert.equal((await call('DELETE', `/campaigns/${id}`)).status, 404)
    assert.equal((await call('GET', `/actions/${kept}`)).status, 200)
  })

  test('is unknown to another account and requires rights', async () => {
    const { id } = await campaign({ items: [{ type: 'email', id: await action() }] })
    const foreign = [
      ['GET', `/campaigns/${id}`],
      ['PUT', `/campaigns/${id}`, {}],
      ['DELETE', `/campaigns/${id}`],
      ['POST', `/campaigns/${id}/items`, []],
      ['DELETE', `/campaigns/${id}/items/email/000001`],
      ['GET', `/campaigns/${id}/events`],
      ['POST', `/campaigns/${id}/events`, {}],
    ] as const
    for (const [method, url, body] of foreign) {
      assert.equal((await call(method, url, { body, key: other.key })).status, 404, `${method} ${url}`)
      assert.equal((await call(method, url.replace(id, NOBODY), { body })).status, 404, `${method} ${url}`)
    }
    assert.deepEqual((await call('GET', '/campaigns', { key: other.key })).body, [])
    const own404 = { name: 'A', items: [{ type: 'email', id: await action() }] }
    assert.equal((await call('POST', '/campaigns', { body: own404, key: other.key })).status, 404)
    const reader = await makeKey(own.account, ['read'])
    assert.equal((await call('POST', '/campaigns', { body: { name: 'A' }, key: reader })).status, 403)
    assert.equal((await call('POST', `/campaigns/${id}/events`, { body: {}, key: reader })).status, 200)
    const writer = await makeKey(own.account, ['write'])
    assert.equal((await call('GET', `/campaigns/${id}/events`, { key: writer })).status, 403)
  })
})

suite('events of a campaign', async () => {
  const [one, two, silent] = [await validated(await action()), await validated(await action()), await action()]
  const outside = await validated(await action())
  const ann = await contact('ann@shop.example')
  for (const id of [one, two, outside, one])
    await call('POST', `/actions/${id}/execution`, { body: { recipient: { type: 'id', value: ann } } })
  await settle()
  const items = [one, two, silent].map((id) => ({ type: 'email', id }))
  const { id } = await campaign({ items })
  const summary = (records: { type: string; source: { detail: { action: { id: string } } } }[]) =>
    records.map(({ type }) => type).sort()
  const read = async (body?: unknown, query = '') =>
    (await call('POST', `/campaigns/${id}/events${query}`, { body })).body

  test('are those of every item in one order, as one list or in pages', async () => {
    const { body, headers } = await call('GET', `/campaigns/${id}/events`)
    // Each action was tested with one proof, and its messages were accepted and handed over.
    assert.deepEqual(summary(body), [...Array(5).fill('activation'), ...Array(3).fill('execution')])
    assert.ok(Number(headers['x-events-complete-until']) > 0)
    const times = body.map(({ timestamp }: { timestamp: number }) => timestamp)
    assert.deepEqual(
      times,
      times.toSorted((a: number, b: number) => a - b),
    )
    const ids = body.map((record: { id: string }) => record.id)
    assert.deepEqual(
      (await call('GET', `/campaigns/${id}/events?sort=desc`)).body.map((r: { id: string }) => r.id),
      ids.toReversed(),
    )
    const page = await call('GET', `/campaigns/${id}/events?limit=3`)
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
    const rest = await call('GET', next)
    assert.deepEqual(
      [...page.body, ...rest.body].map((r: { id: string }) => r.id),
      ids.slice(0, 6),
    )
    assert.deepEqual(await read(), body)
    assert.deepEqual(await read({}), body)
    const headersOfLines = { 'x-key': own.key, accept: 'application/x-ndjson' }
    const lines = await app.inject({ url: `/campaigns/${id}/events`, headers: headersOfLines })
    assert.deepEqual(
      lines.payload
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      body,
    )
  })

  test('are filtered by items and kinds, and filter entries add up without duplicates', async () => {
    const executions = [{ type: 'execution' }]
    assert.equal((await read({ itemsEvents: [{ type: 'email', items: [one], events: executions }] })).length, 2)
    const twice = [
      { type: 'email', items: [one.toLowerCase(), one], events: executions },
      { type: 'email', events: executions },
      { type: 'sms' },
    ]
    assert.deepEqual(summary(await read({ itemsEvents: twice })), Array(3).fill('execution'))
    assert.deepEqual(await read({ itemsEvents: [] }), [])
    assert.deepEqual(
      await read({ itemsEvents: [{ type: 'email', events: [{ type: 'hit', subtypes: ['open'] }] }] }),
      [],
    )
    assert.deepEqual(await read({ itemsEvents: [{ type: 'email', events: [] }] }), [])
    assert.deepEqual(await read(undefined, '?end=2000-01-01'), [])
  })

  test('an unknown word is 400 with its pointer, an item outside the campaign is 404', async () => {
    const url = `/campaigns/${id}/events`
    const entry = (more: object) => ({ itemsEvents: [{ type: 'email', ...more }] })
    assert.deepEqual(await pointerOf('POST', url, { itemsEvents: [{ type: 'letter' }] }), [400, '/itemsEvents/0/type'])
    assert.deepEqual(await pointerOf('POST', url, entry({ events: [{ type: 'opened' }] })), [
      400,
      '/itemsEvents/0/events/0/type',
    ])
    assert.deepEqual(await pointerOf('POST', url, entry({ events: [{ type: 'hit', subtypes: ['open', 'opened'] }] })), [
      400,
      '/itemsEvents/0/events/0/subtypes/1',
    ])
    assert.deepEqual(await pointerOf('POST', url, entry({ events: [{ type: 'bounce', subtypes: ['x'] }] })), [
      400,
      '/itemsEvents/0/events/0/subtypes/0',
    ])
    assert.deepEqual(await pointerOf('POST', url, entry({ items: [3] })), [400, '/itemsEvents/0/items/0/id'])
    assert.equal((await call('POST', url, { body: entry({ items: [outside] }) })).status, 404)
    assert.equal((await call('GET', `${url}?classification=robot`)).status, 400)
    assert.equal((await call('GET', `${url}?start=2026-02-02&end=2026-02-01`)).status, 400)
  })

  test('a campaign without items has no events', async () => {
    const empty = await campaign()
    assert.deepEqual((await call('GET', `/campaigns/${empty.id}/events`)).body, [])
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { call, action, contact, segment, get, app } = await startStage()
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

const typed = (type: string) => ({ headers: { 'content-type': type } })

suite('empty values from typed and PHP clients', () => {
  test('[] counts as an empty object where an object is expected and an array is not', async () => {
    const body = { type: 'mailMessage', name: 'From PHP', settings: [], content: { headers: [], subject: 'Hello' } }
    const made = await call('POST', '/actions', { body })
    assert.equal(made.status, 200, made.text)
    const plain = await call('POST', '/actions', { body: { ...body, settings: {}, content: { subject: 'Hello' } } })
    assert.deepEqual([made.body.settings, made.body.content], [plain.body.settings, plain.body.content])
    const same = await call('PUT', `/actions/${made.body.id}`, { body: [] })
    assert.equal(same.status, 200, same.text)
    assert.deepEqual(same.body.settings, made.body.settings)
    assert.equal((await call('PUT', `/actions/${made.body.id}`, { body: [1] })).status, 400)
    assert.equal((await call('PUT', `/actions/${made.body.id}`, { body: { content: [1] } })).status, 400)
  })

  test('[] stays an array where an array is expected', async () => {
    await contact('kept@shop.example')
    const rows = await call('PUT', '/targets', { body: [] })
    assert.deepEqual([rows.status, rows.body], [200, []])
    const joined = await call('PUT', `/segments/${await segment([])}/targets`, { body: [] })
    assert.deepEqual([joined.status, joined.body], [200, 0])
  })

  test('null counts as an omitted member: the default at creation, unchanged in a PUT', async () => {
    const made = await call('POST', '/segments', { body: { type: 'static', name: 'Null', isTest: null } })
    assert.deepEqual([made.status, made.body.isTest], [200, false])
    const url = `/segments/${made.body.id}`
    assert.equal((await call('PUT', url, { body: { isTest: true } })).body.isTest, true)
    const kept = await call('PUT', url, { body: { isTest: null, name: null, description: 'd' } })
    assert.deepEqual([kept.status, kept.body.isTest, kept.body.name, kept.body.description], [200, true, 'Null', 'd'])
    const cleared = await call('PUT', url, { body: { description: null } })
    assert.deepEqual([cleared.status, cleared.body.description], [200, null])
    const id = await action({ settings: { priority: true, archive: true } })
    const body = { settings: { priority: null, purpose: null, performance: { openingRate: null } }, content: null }
    const unchanged = await call('PUT', `/actions/${id}`, { body })
    assert.equal(unchanged.status, 200, unchanged.text)
    assert.equal(unchanged.body.settings.priority, true)
  })

  test('null is refused for a required member, in a map of fields, in an array and in a PATCH', async () => {
    const required = await call('POST', '/categories', { body: { name: null } })
    assert.deepEqual([required.status, required.body.errors[0].pointer], [400, '/name'])
    const id = await contact('map@shop.example')
    assert.equal((await call('PUT', `/targets/${id}`, { body: { Nothing: null } })).status, 400)
    const list = await call('PUT', `/segments/${await segment([])}/targets`, { body: [null] })
    assert.deepEqual([list.status, list.body.errors[0].pointer], [400, '/0'])
    const { body } = await call('POST', '/display/campaign', { body: { name: 'Shown' } })
    const patched = await call('PATCH', `/display/campaign/${body.id}`, { body: { name: null } })
    assert.deepEqual([patched.status, patched.body.errors[0].pointer], [400, '/name'])
    assert.equal((await call('PATCH', `/display/campaign/${body.id}`, { body: [] })).status, 200)
  })

  test('0 counts as an id that is not set', async () => {
    const settings = { field: 0, sendingProfile: 0, webAnalyser: 0 }
    const made = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'Typed', informations: { folder: 0, category: 0 }, settings },
    })
    assert.equal(made.status, 200, made.text)
    const plain = await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Typed' } })
    assert.deepEqual([made.body.settings, made.body.informations], [plain.body.settings, plain.body.informations])
    const copy = await call('POST', `/actions/${made.body.id}/duplication?type=0&folder=0`)
    assert.deepEqual([copy.status, copy.body.type], [200, 'mailMessage'])
    assert.equal((await call('PUT', `/actions/${made.body.id}`, { body: { settings: { field: -1 } } })).status, 400)
    const field = await call('POST', '/fields', { body: { type: 'textField', name: 'No list', valueListId: 0 } })
    assert.deepEqual([field.status, Object.hasOwn(field.body, 'valueListId')], [200, false])
  })

  test('an empty query parameter counts as absent', async () => {
    const id = await action()
    for (const url of [
      '/segments?type=&limit=',
      '/actions?limit=&after=',
      `/actions/${id}/events?start=&end=&sort=&limit=&after=`,
      `/actions/${id}/duplication?type=&folder=`,
      '/imports?type=',
    ]) {
      const answer = await call(url.includes('duplication') ? 'POST' : 'GET', url)
      assert.equal(answer.status, 200, `${url} ${answer.text}`)
    }
    assert.equal((await call('GET', '/targets?unicity=')).status, 404)
    assert.equal((await call('GET', '/targets/events?id=')).status, 400)
    assert.equal((await call('GET', '/actions?limit=odd')).status, 400)
  })

  test('single quotes and ISODate are accepted outside of strings, and only after a syntax error', async () => {
    const create = (body: string) => call('POST', '/categories', { body, ...typed('application/json') })
    for (const [text, name, description] of [
      [`{'name': 'It\\'s "old"', "description": 'a\\\\b\\n'}`, `It's "old"`, 'a\\b\n'],
      [`{"name": ISODate("2020-01-02T03:04:05Z"), "description": ISODate ( 'x' )}`, '2020-01-02T03:04:05Z', 'x'],
      [`{'name': "ISODate('x')", "description": 'ISODate("y")'}`, `ISODate('x')`, 'ISODate("y")'],
      [`{"name": "it's 'valid' ISODate(\\"z\\")", "description": "'"}`, `it's 'valid' ISODate("z")`, "'"],
    ] as const) {
      const answer = await create(text)
      assert.equal(answer.status, 200, `${text} ${answer.text}`)
      assert.deepEqual([answer.body.name, answer.body.description], [name, description])
    }
    for (const text of [`{'name': 'a'`, `{'name': 'a}`, `{"name": ISODate("a"}`, `{name: 'a'}`, `{'__proto__': 'a'}`]) {
      const answer = await create(text)
      assert.deepEqual([answer.status, answer.body.type], [400, 'urn:stentor:problem:malformed-body'], text)
    }
  })
})

suite('media types and paths', () => {
  test("contact media types are accepted as a body's type only where contacts are written", async () => {
    for (const type of ['application/vnd.np6.experimental+json', 'application/vnd.mperf.v8.model.v1+json']) {
      const Email = `${type.length}@shop.example`
      const made = await call('POST', '/targets', { body: JSON.stringify({ Email }), ...typed(type) })
      assert.equal(made.status, 200, made.text)
      for (const url of ['/targets', `/targets/${made.body.id}`]) {
        assert.equal((await call('PUT', url, { body: JSON.stringify({ Email }), ...typed(type) })).status, 200, url)
      }
      assert.equal((await call('POST', '/categories', { body: '{"name":"x"}', ...typed(type) })).status, 415)
    }
  })

  test('an unknown path or method is reported before the media type or the body', async () => {
    for (const [type, body] of [
      ['application/xml', '<a/>'],
      ['application/vnd.np6.cm.email', '{}'],
      ['no type at all', 'x'],
      ['application/json', '{'],
    ] as const) {
      const unknown = await call('POST', '/nowhere', { body, ...typed(type) })
      assert.deepEqual([unknown.status, unknown.body.type], [404, 'urn:stentor:problem:not-found'], type)
      const method = await call('PATCH', '/categories', { body, ...typed(type) })
      assert.deepEqual([method.status, method.headers['allow']], [405, 'GET, HEAD, POST'], type)
    }
    assert.equal((await call('POST', '/nowhere', { body: '<a/>', key: null, ...typed('text/xml') })).status, 401)
    // Over a connection the rest of the body is passed over, and the next request is read.
    const body = Buffer.alloc(3_000_000)
    for (let turn = 0; turn < 2; turn++) {
      const answer = await fetch(`${origin}/t/o/none/at/all`, { method: 'POST', body })
      assert.equal(answer.status, 401)
    }
  })

  test('a footprint identifies a contact by its id alone', async () => {
    const contactId = await contact('print@shop.example')
    const id = await action()
    const render = (recipient: object) => call('POST', `/actions/${id}/render`, { body: { recipient } })
    const footprint = { type: 'footprint', id: contactId, unicity: 'another@shop.example', hash: 'of another' }
    const seen = await render(footprint)
    assert.deepEqual([seen.status, seen.body.type, seen.body.recipient], [200, 'success', 'print@shop.example'])
    assert.equal((await render({ type: 'footprint', id: contactId, unicity: null, hash: null })).body.type, 'success')
    const { id: _, ...nameless } = footprint
    assert.equal((await render(nameless)).status, 400)
    assert.equal((await render({ type: 'unicity', value: 'print@shop.example' })).status, 400)
    assert.equal((await get(id)).state, 20)
  })
})

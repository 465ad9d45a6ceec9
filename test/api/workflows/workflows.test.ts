import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type CallOptions, startHarness } from '../../support/harness.ts'

const harness = await startHarness()
const { call, clock, makeKey, own, other } = harness
const PATH = '/scripting/workflows'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let made = 0
const terminal = { type: 'terminal', id: 'end', default: true }
const parts = ['listeners', 'tasks', 'nodes', 'capping'] as const

async function make(more: object = {}, options: CallOptions = {}) {
  const answer = await call('POST', PATH, { body: { name: `Flow ${++made}`, ...more }, ...options })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function activated(more: object = { nodes: [terminal] }) {
  const one = await make(more)
  const answer = await call('POST', `${PATH}/${one.id}/activation`)
  assert.equal(answer.status, 204, answer.text)
  return one
}

async function segment(more: object = {}, options: CallOptions = {}): Promise<number> {
  const body = { type: 'static', name: `Buyers ${++made}`, ...more }
  const answer = await call('POST', '/segments', { body, ...options })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const put = (id: number, body: object) => call('PUT', `${PATH}/${id}`, { body })
const get = async (id: number) => (await call('GET', `${PATH}/${id}`)).body
const flaws = async (id: number) => (await call('GET', `${PATH}/${id}/flaws`)).body
const version = async (id: number) => (await get(id)).version
const pointers = ({ body }: { body: { errors: { pointer: string }[] } }) => body.errors.map(({ pointer }) => pointer)

suite('workflows as a resource', () => {
  test('a workflow of a name alone is inactive with defaults, and sending it back changes nothing', async () => {
    const now = new Date(clock.now()).toISOString()
    const body = await make({ name: 'Cart reminder' })
    assert.deepEqual(body, {
      id: body.id,
      name: 'Cart reminder',
      description: null,
      state: 0,
      version: 1,
      creationDate: now,
      updateDate: now,
      scripting: { version: '7.0.0', environment: {}, imports: null, initializers: null, filters: null },
      settings: {
        timeZone: { id: 'UTC' },
        timeZoneField: null,
        entryKey: null,
        reentry: { mode: 'always', period: null },
        concurrency: 1,
        maxNodes: 500,
        maxDuration: { type: 'rolling', unit: 'DAY', value: 365 },
        onDeactivate: 'pause',
        migration: 'none',
        trace: 'all',
      },
      listeners: [],
      tasks: [],
      capping: [],
      nodes: [],
    })
    clock.advance(1000)
    const sent = await put(body.id, body)
    assert.equal(sent.status, 200, sent.text)
    assert.deepEqual(sent.body, body)
  })

  test('a name is required, and another account sees nothing', async () => {
    assert.deepEqual(pointers(await call('POST', PATH, { body: {} })), ['/name'])
    const { id } = await make()
    const key = other.key
    const answers = await Promise.all([
      ...[
        '',
        '/nodes',
        '/listeners',
        '/tasks',
        '/capping',
        '/scripting',
        '/settings',
        '/flaws',
        '/versions',
        '/versions/1',
      ].map((path) => call('GET', `${PATH}/${id}${path}`, { key })),
      call('PUT', `${PATH}/${id}`, { key, body: { name: 'x' } }),
      call('PATCH', `${PATH}/${id}`, { key, body: { name: 'x' } }),
      call('DELETE', `${PATH}/${id}`, { key }),
      ...parts.map((part) => call('PUT', `${PATH}/${id}/${part}`, { key, body: [] })),
      ...[...parts, 'scripting', 'settings'].map((part) => call('DELETE', `${PATH}/${id}/${part}`, { key })),
      ...['scripting', 'settings'].flatMap((part) =>
        ['PUT', 'PATCH'].map((method) => call(method, `${PATH}/${id}/${part}`, { key, body: {} })),
      ),
      ...['POST', 'DELETE'].map((method) => call(method, `${PATH}/${id}/activation`, { key })),
      call('POST', `${PATH}/${id}/duplication`, { key }),
    ])
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [404])
    assert.deepEqual((await call('GET', PATH, { key })).body, [])
  })

  test('reading, writing and activation require their rights, and deactivation either of two', async () => {
    const { id } = await make({ nodes: [terminal] })
    const [read, write, send] = await Promise.all(
      (['read', 'write', 'send'] as const).map((right) => makeKey(own.account, [right])),
    )
    const status = async (method: string, path: string, key = '', body?: object) =>
      (await call(method, `${PATH}${path}`, { key, ...(body && { body }) })).status
    assert.equal(await status('GET', `/${id}`, read), 200)
    assert.equal(await status('GET', `/${id}/flaws`, send), 403)
    assert.equal(await status('POST', '', read, { name: 'x' }), 403)
    assert.equal(await status('PUT', `/${id}/nodes`, send, []), 403)
    assert.equal(await status('POST', `/${id}/duplication`, send), 403)
    assert.equal(await status('POST', `/${id}/activation`, write), 403)
    assert.equal(await status('POST', `/${id}/activation`, send), 204)
    assert.equal(await status('DELETE', `/${id}/activation`, read), 403)
    assert.equal(await status('DELETE', `/${id}/activation`, write), 204)
    assert.equal(await status('POST', `/${id}/activation`, send), 204)
    assert.equal(await status('DELETE', `/${id}/activation`, send), 204)
  })

  test('lists are filtered by state and exact name, and paged', async () => {
    const { id } = await activated({ name: 'Only one', nodes: [terminal] })
    const ids = async (query: string) =>
      (await call('GET', `${PATH}?${query}`)).body.map((one: { id: number }) => one.id)
    assert.deepEqual(await ids('name=Only%20one'), [id])
    assert.deepEqual(await ids('name=only'), [])
    assert.ok((await ids('state=1')).includes(id))
    assert.ok(!(await ids('state=0')).includes(id))
    assert.equal((await call('GET', `${PATH}?state=2`)).status, 400)
    const all = await ids('')
    assert.deepEqual(
      all,
      all.toSorted((one: number, two: number) => one - two),
    )
    const { headers, body } = await call('GET', `${PATH}?limit=1`)
    assert.equal(body.length, 1)
    assert.match(String(headers['link']), /rel="next"/)
  })

  test('versions count changes of what a workflow does, not of its name, and all are kept', async () => {
    const { id } = await make()
    await put(id, { name: 'Another', description: 'text' })
    assert.equal(await version(id), 1)
    await put(id, { nodes: [terminal] })
    await call('PUT', `${PATH}/${id}/settings`, { body: { concurrency: 2 } })
    await call('PUT', `${PATH}/${id}/settings`, { body: { concurrency: 2 } })
    const { body } = await call('GET', `${PATH}/${id}/versions`)
    assert.deepEqual(
      body.map((one: { version: number }) => one.version),
      [1, 2, 3],
    )
    const second = (await call('GET', `${PATH}/${id}/versions/2`)).body
    assert.deepEqual([second.nodes.length, second.settings.concurrency], [1, 1])
    assert.equal((await call('GET', `${PATH}/${id}/versions/4`)).status, 404)
  })

  test('a stale If-Match changes nothing', async () => {
    const { id } = await make()
    const { headers } = await call('GET', `${PATH}/${id}`)
    const tag = { 'if-match': String(headers['etag']) }
    assert.equal((await call('PUT', `${PATH}/${id}`, { body: { description: 'a' }, headers: tag })).status, 200)
    for (const method of ['PUT', 'PATCH'])
      assert.equal((await call(method, `${PATH}/${id}`, { body: { description: 'b' }, headers: tag })).status, 412)
    assert.equal((await call('DELETE', `${PATH}/${id}`, { headers: tag })).status, 412)
    assert.equal((await get(id)).description, 'a')
    const part = await call('GET', `${PATH}/${id}/nodes`)
    const partTag = { 'if-match': String(part.headers['etag']) }
    assert.equal((await call('PUT', `${PATH}/${id}/nodes`, { body: [terminal], headers: partTag })).status, 200)
    assert.equal((await call('DELETE', `${PATH}/${id}/nodes`, { headers: partTag })).status, 412)
  })

  test('PATCH accepts a merge patch and operations, and a removed member gets its default', async () => {
    const { id } = await make({ nodes: [terminal], settings: { concurrency: 5, own: 1 } })
    const merged = await call('PATCH', `${PATH}/${id}`, { body: { description: 'd', settings: { concurrency: null } } })
    assert.equal(merged.status, 200, merged.text)
    assert.deepEqual([merged.body.description, merged.body.settings.concurrency, merged.body.settings.own], ['d', 1, 1])
    assert.equal(merged.body.nodes.length, 1)
    const operations = [
      { op: 'test', path: '/nodes/0/id', value: 'end' },
      { op: 'add', path: '/nodes/-', value: { type: 'terminal', id: 'other' } },
    ]
    const patched = await call('PATCH', `${PATH}/${id}`, { body: operations })
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(
      patched.body.nodes.map((node: { id: string }) => node.id),
      ['end', 'other'],
    )
    // The id is taken by now.
    assert.equal((await call('PATCH', `${PATH}/${id}`, { body: operations })).status, 400)
    const failed = await call('PATCH', `${PATH}/${id}`, { body: [{ op: 'test', path: '/name', value: 'no' }] })
    assert.equal(failed.status, 409)
    assert.deepEqual(pointers(await call('PATCH', `${PATH}/${id}`, { body: { name: null } })), ['/name'])
  })

  test('a copy is inactive, has version 1, the lowest free number in its name and its own ids', async () => {
    const task = { id: 'nightly', schedulers: [{ type: 'once', at: '2030-01-01' }], handler: 'end' }
    const capping = [{ threshold: 1, period: { unit: 'DAY', value: 1 }, nodes: ['end'] }]
    const name = 'n'.repeat(255)
    const one = await activated({ name, nodes: [terminal], tasks: [task], capping })
    const copies = [
      (await call('POST', `${PATH}/${one.id}/duplication`)).body,
      (await call('POST', `${PATH}/${one.id}/duplication`)).body,
    ]
    assert.deepEqual(
      copies.map((copy) => copy.name),
      [`${'n'.repeat(251)} (1)`, `${'n'.repeat(251)} (2)`],
    )
    const [copy] = copies
    assert.deepEqual([copy.state, copy.version], [0, 1])
    assert.deepEqual(copy.nodes, one.nodes)
    assert.match(copy.tasks[0].id, UUID)
    assert.notEqual(copy.tasks[0].schedulers[0].id, one.tasks[0].schedulers[0].id)
    assert.notEqual(copy.capping[0].id, one.capping[0].id)
  })
})

suite('workflow states', () => {
  test('activation and deactivation succeed once each, and an active workflow cannot be deleted', async () => {
    const { id } = await make({ nodes: [terminal] })
    const activation = `${PATH}/${id}/activation`
    const kinds = async (method: string, path: string) => {
      const { status, body } = await call(method, path)
      return body ? `${status} ${body.type.split(':').at(-1)}` : status
    }
    assert.equal(await kinds('DELETE', activation), '409 workflow-inactive')
    assert.equal(await kinds('POST', activation), 204)
    assert.equal((await get(id)).state, 1)
    assert.equal(await kinds('POST', activation), '409 workflow-active')
    assert.equal(await kinds('DELETE', `${PATH}/${id}`), '409 workflow-active')
    assert.equal(await kinds('DELETE', `${activation}?open=kill`), 204)
    assert.equal(await kinds('DELETE', activation), '409 workflow-inactive')
    assert.equal(await kinds('DELETE', `${PATH}/${id}`), 204)
    assert.equal(await kinds('GET', `${PATH}/${id}`), '404 not-found')
    assert.equal(await kinds('DELETE', `${PATH}/${id}`), '404 not-found')
  })

  test('an unknown next is a flaw while inactive, and is refused while active', async () => {
    const broken = [{ type: 'if', id: 'a', default: true, settings: { condition: true }, next: 'gone' }]
    const { id } = await make()
    assert.equal((await call('PUT', `${PATH}/${id}/nodes`, { body: broken })).status, 200)
    const flaw = {
      type: 'unknown-reference',
      severity: 'error',
      path: '/nodes/0/next',
      message: 'Node "gone" does not exist.',
    }
    assert.deepEqual(await flaws(id), [flaw])
    const refused = await call('POST', `${PATH}/${id}/activation`)
    assert.equal(refused.status, 409)
    assert.deepEqual([refused.body.flaws, refused.body.detail], [[flaw], '1 flaw prevents activation.'])
    assert.match(refused.body.type, /:workflow-flawed$/)
    const active = await activated()
    const answer = await call('PUT', `${PATH}/${active.id}/nodes`, { body: broken })
    assert.deepEqual([answer.status, answer.body.flaws], [409, [flaw]])
    assert.deepEqual((await call('GET', `${PATH}/${active.id}/nodes`)).body, active.nodes)
    assert.equal((await call('DELETE', `${PATH}/${active.id}/nodes`)).status, 409)
    assert.equal(await version(active.id), 1)
  })

  test('an active workflow accepts a valid change as a new version', async () => {
    const { id } = await activated()
    const answer = await call('PUT', `${PATH}/${id}/nodes`, { body: [{ ...terminal, settings: { outcome: 'done' } }] })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(await version(id), 2)
    for (const part of ['listeners', 'tasks', 'capping', 'scripting', 'settings'])
      assert.equal((await call('DELETE', `${PATH}/${id}/${part}`)).status, 204, part)
  })
})

suite('workflow parts', () => {
  test('an unknown node type is refused with its pointer, and nothing changes', async () => {
    const one = await make({ nodes: [terminal] })
    const nodes = [terminal, { type: 'terminal' }, { type: 'terminal' }, { type: 'sendFax' }]
    const answer = await call('PUT', `${PATH}/${one.id}/nodes`, { body: nodes })
    assert.deepEqual([answer.status, pointers(answer)], [400, ['/3/type']])
    assert.match(answer.body.detail, /sendMail, sendSms, .*terminal/)
    assert.deepEqual(pointers(await put(one.id, { nodes })), ['/nodes/3/type'])
    assert.deepEqual(await get(one.id), one)
  })

  test('the flow of old clients is read as next and never written', async () => {
    const { id } = await make()
    const nodes = [
      { type: 'script', id: 'a', flow: { type: 'node', value: 'b' } },
      { type: 'terminal', id: 'b' },
    ]
    const { body } = await call('PUT', `${PATH}/${id}/nodes`, { body: nodes })
    assert.equal(body[0].next, 'b')
    assert.ok(!('flow' in body[0]))
  })

  test('deleted settings become those of a new workflow', async () => {
    const fresh = (await make()).settings
    const { id } = await make()
    const changes = {
      concurrency: 3,
      maxNodes: 9,
      trace: 'none',
      migration: 'atWaits',
      timeZone: 'America/New_York',
      entryKey: 'order',
      other: { kept: [1] },
    }
    const { body } = await call('PUT', `${PATH}/${id}/settings`, { body: changes })
    const entryKey = { type: 'literal', value: 'order' }
    assert.deepEqual(body, { ...fresh, ...changes, timeZone: { id: 'America/New_York' }, entryKey })
    assert.equal((await call('DELETE', `${PATH}/${id}/settings`)).status, 204)
    assert.deepEqual((await call('GET', `${PATH}/${id}/settings`)).body, fresh)
  })

  test('null in a PUT of settings resets that member, and omitted members stay', async () => {
    const { id } = await make({ settings: { concurrency: 3, maxNodes: 9 } })
    const { body } = await call('PUT', `${PATH}/${id}/settings`, { body: { concurrency: null } })
    assert.deepEqual([body.concurrency, body.maxNodes], [1, 9])
  })

  test('arrays are replaced whole, an object in their place is refused, and ids are generated', async () => {
    const { id } = await make({ nodes: [terminal] })
    for (const part of parts) {
      assert.equal((await call('PUT', `${PATH}/${id}/${part}`, { body: { a: 1 } })).status, 400, part)
      assert.equal((await call('PUT', `${PATH}/${id}/${part}`, { body: [] })).status, 200, part)
    }
    const { body } = await call('PUT', `${PATH}/${id}/nodes`, { body: [{ type: 'terminal' }, { type: 'terminal' }] })
    assert.match(body[0].id, UUID)
    assert.notEqual(body[0].id, body[1].id)
    const equal = await call('PUT', `${PATH}/${id}/nodes`, { body: [terminal, terminal] })
    assert.deepEqual([equal.status, pointers(equal)], [400, ['/1/id']])
  })

  test('a cycle that never waits is an error, one with a sleep is not', async () => {
    const cycle = (middle: object) => [
      // biome-ignore lint/suspicious/noThenProperty: the interface names it so.
      { type: 'if', id: 'a', default: true, settings: { condition: true, then: 'b' } },
      { id: 'b', next: 'a', ...middle },
    ]
    const { id } = await make({ nodes: cycle({ type: 'script', settings: { value: 'export default () => null' } }) })
    assert.deepEqual(
      (await flaws(id)).map(({ type, path }: { type: string; path: string }) => [type, path]),
      [['cycle', '/nodes/0']],
    )
    await put(id, { nodes: cycle({ type: 'sleep', settings: { period: { unit: 'DAY', value: 1 } } }) })
    assert.deepEqual(await flaws(id), [])
  })

  test('a projection inside or next to the provider is stored inside', async () => {
    const projection = { tier: { type: 'path', value: 'contact.id' } }
    const value = { id: await segment() }
    const inside = [{ id: 't', provider: { type: 'segment', value, projection } }]
    const beside = [{ id: 't', projection, provider: { type: 'segment', value } }]
    const { id } = await make()
    const first = (await call('PUT', `${PATH}/${id}/tasks`, { body: inside })).body
    const second = (await call('PUT', `${PATH}/${id}/tasks`, { body: beside })).body
    assert.deepEqual(first, second)
    assert.deepEqual(first[0].provider, { type: 'segment', value, projection })
  })

  test('names chosen by people can be node ids everywhere', async () => {
    const nodes = [
      { type: 'sleep', id: 'first', default: true, settings: { period: { unit: 'HOUR', value: 1 } }, next: 'étape 1' },
      { type: 'terminal', id: 'étape 1' },
    ]
    const listeners = [{ event: { type: 'custom', names: ['x'] }, handler: 'étape 1' }]
    const tasks = [{ id: 'nightly', handler: 'étape 1' }]
    const capping = [{ threshold: 1, period: { unit: 'DAY', value: 1 }, nodes: ['étape 1'] }]
    const one = await make({ nodes, listeners, tasks, capping })
    assert.deepEqual(await flaws(one.id), [])
    assert.equal(one.tasks[0].id, 'nightly')
    for (const id of ['a/b', 'a\u0007', '', 'x'.repeat(129)])
      assert.deepEqual(pointers(await put(one.id, { nodes: [{ type: 'terminal', id }] })), ['/nodes/0/id'], id)
  })

  test('a capping entry without id keeps the id of one that counts the same', async () => {
    const entry = { threshold: 3, period: { unit: 'DAY', value: 1 }, nodes: ['end'] }
    const { id, capping } = await make({ nodes: [terminal], capping: [entry] })
    const { body } = await call('PUT', `${PATH}/${id}/capping`, {
      body: [
        { ...entry, threshold: 4 },
        { ...entry, nodes: [] },
      ],
    })
    assert.equal(body[0].id, capping[0].id)
    assert.notEqual(body[1].id, capping[0].id)
    assert.deepEqual(body[0].key, { type: 'path', value: 'contact.id' })
  })

  test('a segment that a workflow names cannot be deleted', async () => {
    const [one, two] = [await segment(), await segment()]
    const match = (settings: object) => ({ type: 'match', id: 'm', default: true, settings })
    const { id, name } = await make({ nodes: [match({ segment: one })] })
    const refused = await call('DELETE', `/segments/${one}`)
    assert.equal(refused.status, 409)
    assert.deepEqual(refused.body.links, [{ type: 'workflow', id, name }])
    await put(id, { nodes: [match({ criteria: { any: [{ type: 'segment', segment: two }] } })] })
    assert.equal((await call('DELETE', `/segments/${one}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${two}`)).status, 409)
    assert.equal((await call('DELETE', `${PATH}/${id}`)).status, 204)
    assert.equal((await call('DELETE', `/segments/${two}`)).status, 204)
    const foreign = await segment({}, { key: other.key })
    const odd = await make({ nodes: [match({ segment: foreign })] })
    assert.deepEqual(
      (await flaws(odd.id)).map(({ type, path }: { type: string; path: string }) => [type, path]),
      [['unknown-reference', '/nodes/0/settings/segment']],
    )
  })
})

suite('workflow limits', () => {
  test('1,000 nodes are accepted and checked, 1,001 are refused', async () => {
    const nodes = Array.from({ length: 1000 }, (_, index) => ({
      type: 'if',
      id: `n${index}`,
      default: index === 0,
      // biome-ignore lint/suspicious/noThenProperty: the interface names it so.
      settings: { condition: { type: 'template', value: '{{ data.x }}' }, then: `n${(index * 7) % 1000}` },
      next: `n${(index + 1) % 1000}`,
    }))
    const { id } = await make({ nodes })
    assert.deepEqual(
      (await flaws(id)).map(({ type }: { type: string }) => type),
      ['cycle'],
    )
    assert.deepEqual(pointers(await put(id, { nodes: [...nodes, terminal] })), ['/nodes'])
  })

  test('a definition over 4 MiB is refused as a whole, even when added part by part', async () => {
    const text = 'x'.repeat(200 * 1024)
    const scripts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ type: 'script', id: `${index}`, settings: { value: text } }))
    const { id } = await make({ nodes: scripts(19) })
    assert.equal((await put(id, { nodes: scripts(21) })).status, 413)
    const initializers = [
      { name: 'a', value: text },
      { name: 'b', value: text },
    ]
    assert.equal((await call('PUT', `${PATH}/${id}/scripting`, { body: { initializers } })).status, 413)
    const long = { type: 'template', value: 'x'.repeat(32 * 1024 + 1) }
    const nodes = [{ type: 'if', settings: { condition: long } }]
    assert.deepEqual(pointers(await put(id, { nodes })), ['/nodes/0/settings/condition/value'])
  })
})

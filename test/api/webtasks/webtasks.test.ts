import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { type CallOptions, startHarness } from '../../support/harness.ts'

const harness = await startHarness()
const { call, clock, context, makeKey, own, other } = harness

const PATH = '/scripting/webtasks'
const DEFAULT = 'export default function (input) {\n  return null;\n}\n'
let made = 0

async function make(more: object = {}, options: CallOptions = {}) {
  const answer = await call('POST', PATH, { body: { name: `Task ${++made}`, ...more }, ...options })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const get = async (id: number) => (await call('GET', `${PATH}/${id}`)).body
const pointers = ({ body }: { body: { errors: { pointer: string }[] } }) => body.errors.map(({ pointer }) => pointer)
const brief = ({ status, body }: { status: number; body: { type: string; flaws: Record<string, unknown>[] } }) => [
  status,
  body.type,
  ...body.flaws.map(({ type, severity, path }) => `${severity} ${type} ${path}`),
]
const FLAWED = 'urn:stentor:problem:script-flawed'
const imports = (...all: [name: string, value: number | string][]) => ({
  imports: all.map(([name, value]) => ({ name, type: typeof value === 'number' ? 'webtask' : 'source', value })),
})

suite('webtasks', () => {
  test('null and empty parts get defaults, and sending back what was read changes nothing', async () => {
    const now = new Date(clock.now()).toISOString()
    const scripting = { imports: null, initializers: null, filters: null }
    const { body, text } = await call('POST', PATH, { body: { name: 'Points', scripting, settings: {} } })
    assert.deepEqual(
      body,
      {
        id: body.id,
        name: 'Points',
        description: null,
        creationDate: now,
        updateDate: now,
        scripting: { version: '7.0.0', environment: {}, imports: null, initializers: null, filters: null },
        settings: {
          cpuMs: 1000,
          wallMs: 10_000,
          logs: true,
          public: { enabled: false, methods: ['POST'], redirects: [] },
        },
        value: DEFAULT,
      },
      text,
    )
    clock.advance(1000)
    for (const method of ['PUT', 'PATCH'])
      assert.deepEqual((await call(method, `${PATH}/${body.id}`, { body })).body, body, method)
    assert.deepEqual(await get(body.id), body)
  })

  test('PUT retains absent members, and members that cannot be null', async () => {
    const settings = { cpuMs: 500, public: { enabled: true, redirects: ['Shop.example', 'shop.example'] } }
    const one = await make({ description: 'd', settings, scripting: { environment: { variables: { a: 1 } } } })
    const body = { name: null, settings: { wallMs: 500, cpuMs: null, public: { methods: ['GET', 'POST', 'GET'] } } }
    const put = await call('PUT', `${PATH}/${one.id}`, { body })
    assert.deepEqual(put.body, {
      ...one,
      settings: {
        cpuMs: 500,
        wallMs: 500,
        logs: true,
        public: { enabled: true, methods: ['GET', 'POST'], redirects: ['shop.example'] },
      },
    })
    assert.equal((await call('PUT', `${PATH}/${one.id}`, { body: { description: null } })).body.description, null)
  })

  test('errors name the faulty members', async () => {
    assert.deepEqual(pointers(await call('POST', PATH, { body: {} })), ['/name'])
    const settings = {
      cpuMs: 9,
      wallMs: 30_001,
      logs: 'yes',
      public: { methods: ['PUT'], redirects: ['https://a'] },
    }
    const scripting = { version: '6.0.0', environment: { capabilities: ['all'] } }
    assert.deepEqual(pointers(await call('POST', PATH, { body: { name: 'x', settings, scripting } })), [
      '/scripting/version',
      '/scripting/environment/capabilities/0',
      '/settings/cpuMs',
      '/settings/wallMs',
      '/settings/logs',
      '/settings/public/methods/0',
      '/settings/public/redirects/0',
    ])
    const headers = { prefer: 'handling=strict' }
    const strict = (body: object) => call('POST', PATH, { body: { name: 'x', ...body }, headers })
    assert.equal((await strict({ other: 1 })).status, 400)
    assert.deepEqual(pointers(await strict({ settings: { public: { other: 1 } } })), ['/settings/public/other'])
    assert.equal((await call('POST', PATH, { body: { name: 'n'.repeat(256) } })).status, 400)
    assert.equal((await call('POST', PATH, { body: { name: 'x', value: 1 } })).status, 400)
  })

  test('ids of another account and unknown ids return 404', async () => {
    const { id } = await make()
    const key = other.key
    const operations: [method: string, path: string, body?: unknown][] = [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/script'],
      ['PUT', '/script', { value: DEFAULT }],
      ['GET', '/cipher'],
      ['POST', '/cipher', {}],
      ['DELETE', '/cipher'],
      ['POST', '/execution', {}],
      ['POST', '/executions', [{}]],
      ['GET', '/runs'],
    ]
    for (const [method, path, body] of operations) {
      const options = { key, ...(body !== undefined && { body }) }
      assert.equal((await call(method, `${PATH}/${id}${path}`, options)).status, 404, `${method} ${path}`)
      for (const unknown of ['999999', '0', 'x'])
        assert.equal((await call(method, `${PATH}/${unknown}${path}`, { ...options, key: own.key })).status, 404)
    }
    assert.deepEqual((await call('GET', PATH, { key })).body, [])
  })

  test('reading, writing and capabilities require their rights', async () => {
    const { id } = await make()
    const [read, write, send] = await Promise.all(
      (['read', 'write', 'send'] as const).map((right) => makeKey(own.account, [right])),
    )
    const status = async (method: string, path: string, key: string | undefined, body?: object) =>
      (await call(method, `${PATH}${path}`, { key: key!, ...(body && { body }) })).status
    assert.equal(await status('GET', `/${id}`, read), 200)
    assert.equal(await status('GET', `/${id}/script`, send), 403)
    assert.equal(await status('GET', `/${id}/runs`, send), 403)
    assert.equal(await status('POST', '', read, { name: 'x' }), 403)
    assert.equal(await status('PUT', `/${id}/script`, read, { value: DEFAULT }), 403)
    for (const method of ['GET', 'POST', 'DELETE']) assert.equal(await status(method, `/${id}/cipher`, read), 403)
    assert.equal(await status('GET', `/${id}/cipher`, write), 200)
    const scripting = { environment: { capabilities: ['targets.write', 'actions.send'] } }
    assert.equal(await status('POST', '', write, { name: 'x', scripting }), 403)
    assert.equal(await status('PUT', `/${id}`, write, { scripting }), 403)
    assert.equal(await status('PUT', `/${id}`, own.key, { scripting }), 200)
    // What is there may stay.
    assert.equal(await status('PUT', `/${id}`, write, { scripting, description: 'other' }), 200)
  })

  test('lists are ordered by id, filtered by exact name and paged', async () => {
    const one = await make({ name: 'Only one' })
    const ids = async (query: string) =>
      (await call('GET', `${PATH}?${query}`)).body.map(({ id }: { id: number }) => id)
    assert.deepEqual(await ids('name=Only%20one'), [one.id])
    assert.deepEqual(await ids('name=only'), [])
    const all = await ids('')
    assert.deepEqual(
      all,
      all.toSorted((left: number, right: number) => left - right),
    )
    const page = await call('GET', `${PATH}?limit=1`)
    assert.deepEqual(page.body, [await get(all[0])])
    const next = /<(.*)>/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual((await call('GET', next)).body, [await get(all[1])])
  })

  test('PATCH accepts operations, a merge of the same change and the whole webtask sent back', async () => {
    const variables = { rate: 1 }
    const source = { name: 'tools', type: 'source', value: 'export const a = 1' }
    const scripting = { environment: { variables }, imports: [source] }
    const [one, two] = [await make({ name: 'Same', scripting }), await make({ name: 'Same', scripting })]
    const operations = [
      { op: 'test', path: '/settings/cpuMs', value: 1000 },
      { op: 'replace', path: '/settings/cpuMs', value: 20 },
      { op: 'add', path: '/scripting/environment/variables/other', value: 2 },
    ]
    const merge = { settings: { cpuMs: 20 }, scripting: { environment: { variables: { other: 2 } } } }
    const patch = (id: number, body: unknown, type = 'application/json') =>
      call('PATCH', `${PATH}/${id}`, { body: JSON.stringify(body), headers: { 'content-type': type } })
    const [first, second] = [await patch(one.id, operations), await patch(two.id, merge)]
    assert.deepEqual([first.status, { ...first.body, id: 0 }], [200, { ...second.body, id: 0 }])
    assert.deepEqual(first.body.scripting.environment.variables, { rate: 1, other: 2 })
    const { environment: _, ...others } = second.body.scripting
    const whole = { ...second.body, scripting: { ...others, imports: others.imports } }
    clock.advance(1000)
    assert.deepEqual((await patch(two.id, whole)).body, second.body)
    const bare = await make()
    const sent = { ...bare, scripting: { version: '7.0.0', imports: null, initializers: null, filters: null } }
    assert.deepEqual((await patch(bare.id, sent)).body, bare)
    assert.equal((await patch(one.id, operations)).status, 409)
    assert.equal((await patch(one.id, [{ op: 'remove', path: '/name' }])).status, 400)
    const removed = await patch(one.id, { scripting: null, settings: null, value: null, description: null })
    assert.deepEqual({ ...removed.body, id: 0, name: '' }, { ...bare, ...dates(removed.body), id: 0, name: '' })
    const json = await patch(two.id, operations.slice(1), 'application/json-patch+json')
    assert.equal(json.status, 200)
  })

  test('a stale If-Match returns 412 and changes nothing', async () => {
    const { id } = await make()
    const { headers } = await call('GET', `${PATH}/${id}`)
    const tag = { 'if-match': String(headers['etag']) }
    assert.equal((await call('PUT', `${PATH}/${id}`, { body: { description: 'a' }, headers: tag })).status, 200)
    for (const method of ['PUT', 'PATCH'])
      assert.equal((await call(method, `${PATH}/${id}`, { body: { description: 'b' }, headers: tag })).status, 412)
    assert.equal((await call('DELETE', `${PATH}/${id}`, { headers: tag })).status, 412)
    assert.equal((await get(id)).description, 'a')
  })

  test('an account can have at most 1,000', async () => {
    const { account, key } = await harness.makeAccount('FULL003')
    await sql`
      insert into webtasks (account, name, scripting, settings, source, cipher_id, created_at, updated_at)
      select ${account}, 'n', '{}', '{}', '', decode(md5(n::text), 'hex'), now(), now() from generate_series(1, 999) n`.execute(
      context.db,
    )
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', PATH, { body: { name: 'x' }, key })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
  })
})

const dates = ({ creationDate, updateDate }: { creationDate: string; updateDate: string }) => ({
  creationDate,
  updateDate,
})

suite('the script of a webtask', () => {
  const put = (id: number, body: unknown, type = 'application/json') =>
    call('PUT', `${PATH}/${id}/script`, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': type },
    })
  const script = 'export default ({ data }) => data // é'

  test('is read and replaced as JSON and as plain JavaScript', async () => {
    const { id } = await make()
    const read = async (accept: string) => {
      const { text, headers } = await call('GET', `${PATH}/${id}/script`, { headers: { accept } })
      return [String(headers['content-type']), text]
    }
    const replaced = await put(id, { value: script })
    assert.deepEqual([replaced.status, replaced.body], [200, { value: script }])
    assert.deepEqual(await read('*/*'), ['application/json; charset=utf-8', JSON.stringify({ value: script })])
    assert.deepEqual(await read('text/javascript'), ['text/javascript; charset=utf-8', script])
    for (const type of ['text/javascript', 'application/javascript; charset=utf-8']) {
      const bare = await put(id, `${script}\n// ${type}`, type)
      assert.deepEqual([bare.status, bare.body], [200, { value: `${script}\n// ${type}` }])
    }
    assert.equal((await get(id)).value, `${script}\n// application/javascript; charset=utf-8`)
  })

  test('both representations have ETags that a change must match', async () => {
    const { id } = await make()
    for (const accept of ['application/json', 'text/javascript']) {
      const { headers } = await call('GET', `${PATH}/${id}/script`, { headers: { accept } })
      const tag = { 'if-match': String(headers['etag']) }
      const change = (value: string) => call('PUT', `${PATH}/${id}/script`, { body: { value }, headers: tag })
      assert.equal((await change(`${script}\n// ${accept}`)).status, 200)
      assert.equal((await change(script)).status, 412)
    }
  })

  test('returns 413 above 256 KB, 415 for other types and 400 without a text', async () => {
    const { id } = await make()
    const large = `export default () => 1 //${'x'.repeat(256 * 1024)}`
    assert.equal((await put(id, { value: large })).status, 413)
    assert.equal((await put(id, large, 'text/javascript')).status, 413)
    assert.equal((await put(id, script, 'text/plain')).status, 415)
    assert.equal((await put(id, script, 'text/javascriptx')).status, 415)
    assert.equal((await put(id, {})).status, 400)
    const broken = { body: Buffer.from([0xff, 0xfe]), headers: { 'content-type': 'text/javascript' } }
    assert.equal((await call('PUT', `${PATH}/${id}/script`, broken)).status, 400)
    assert.deepEqual(brief(await call('POST', PATH, { body: { name: 'x', value: large } })), [
      400,
      FLAWED,
      'error limit /value',
    ])
    assert.equal((await get(id)).value, DEFAULT)
  })

  test('a syntax error reports its line and column, and the old script remains', async () => {
    const { id } = await make()
    const answer = await put(id, { value: '\nexport default (i => {' })
    assert.deepEqual(brief(answer), [400, FLAWED, 'error syntax /value'])
    const [{ position, message }] = answer.body.flaws
    assert.deepEqual([position.line, typeof position.column], [2, 'number'])
    assert.deepEqual(answer.body.errors, [{ pointer: '/value', detail: message }])
    assert.deepEqual((await call('GET', `${PATH}/${id}/script`)).body, { value: DEFAULT })
  })

  test('a module without a default export is refused without being run', async () => {
    const { id } = await make()
    // If it were run, it would time out.
    const answer = await put(id, { value: 'for (;;);\nexport const a = 1' })
    assert.deepEqual(brief(answer), [400, FLAWED, 'error missing-export /value'])
  })

  test('use of a capability that is not granted is a warning, listed next to errors', async () => {
    const value = 'export default () => http.fetch("https://a.test")'
    assert.equal((await make({ value })).value, value)
    const initializers = [{ name: 'first', value: 'let a = ' }]
    const answer = await call('POST', PATH, { body: { name: 'x', value, scripting: { initializers } } })
    assert.deepEqual(brief(answer), [
      400,
      FLAWED,
      'error syntax /scripting/initializers/0/value',
      'warning missing-capability /value',
    ])
  })
})

suite('webtask imports', () => {
  const importing = (name: string) => `import { a } from "${name}"\nexport default () => a`
  const exporting = 'export const a = 1\nexport default () => a'

  test('must exist in the account, under the imported name and with the imported export', async () => {
    const { id } = await make({ value: exporting })
    const post = (scripting: object, value = importing('shop')) =>
      call('POST', PATH, { body: { name: 'x', value, scripting } })
    assert.equal((await post(imports(['shop', id]))).status, 200)
    assert.deepEqual(brief(await post(imports(['other', id]))), [400, FLAWED, 'error unknown-reference /value'])
    assert.deepEqual(brief(await post(imports(['shop', 999_999]))), [
      400,
      FLAWED,
      'error unknown-reference /scripting/imports/0/value',
      'error unknown-reference /value',
    ])
    const missing = await post(imports(['shop', id]), 'import { b } from "shop"\nexport default () => b')
    assert.deepEqual(brief(missing), [400, FLAWED, 'error missing-export /value'])
    const foreign = await make({ value: exporting }, { key: other.key })
    assert.deepEqual(brief(await post(imports(['x', foreign.id]), DEFAULT)), [
      400,
      FLAWED,
      'error unknown-reference /scripting/imports/0/value',
    ])
  })

  test('a webtask that imports itself, directly or through others, is refused', async () => {
    const one = await make({ value: exporting })
    const two = await make({ value: exporting, scripting: imports(['one', one.id]) })
    const three = await make({ value: exporting, scripting: imports(['two', two.id]) })
    const put = (scripting: object) => call('PUT', `${PATH}/${one.id}`, { body: { scripting } })
    const answer = await put(imports(['self', one.id], ['three', three.id], ['tools', 'export {}']))
    assert.deepEqual(brief(answer), [
      400,
      FLAWED,
      'error recursion /scripting/imports/0/value',
      'error recursion /scripting/imports/1/value',
    ])
    const [, { message }] = answer.body.flaws
    assert.equal(
      message,
      `Webtasks import each other in a cycle: ${[one, three, two, one].map(({ id }) => id).join(' > ')}.`,
    )
  })

  test('an export that others import, even indirectly, cannot be removed', async () => {
    const value = 'export const rate = 3\nexport const other = 4\nexport default () => rate'
    const base = await make({ name: 'Rates', value })
    const middle = await make({
      name: 'Middle',
      value: 'export * from "base"\nexport default () => 1',
      scripting: imports(['base', base.id]),
    })
    const user = await make({
      name: 'Shop',
      value: 'import { rate } from "mid"\nexport default () => rate',
      scripting: imports(['mid', middle.id]),
    })
    const put = (text: string) => call('PUT', `${PATH}/${base.id}`, { body: { value: text } })
    const { status, body } = await put('export const other = 4\nexport default () => 3')
    const links = [{ type: 'webtask', id: user.id, name: 'Shop' }]
    assert.deepEqual([status, body.type, body.links], [409, 'urn:stentor:problem:in-use', links])
    assert.equal((await get(base.id)).value, value)
    assert.equal((await put('export const rate = 5\nexport default () => 3')).status, 200)
  })

  test('of two simultaneous writes that would create a cycle, one is refused', async () => {
    const pairs = await Promise.all(Array.from({ length: 5 }, () => Promise.all([make(), make()])))
    for (const [one, two] of pairs) {
      const answers = await Promise.all(
        [
          [one, two],
          [two, one],
        ].map(([from, to]) => call('PUT', `${PATH}/${from.id}`, { body: { scripting: imports(['other', to.id]) } })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    }
  })
})

suite('webtask deletion', () => {
  const node = (settings: object) => ({ id: 's', type: 'script', default: true, settings })
  const remove = (id: number) => call('DELETE', `${PATH}/${id}`)

  async function workflow(body: object): Promise<{ id: number; name: string }> {
    const answer = await call('POST', '/scripting/workflows', { body: { name: 'Flow', ...body } })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const activation = (id: number, method = 'POST', key = own.key) =>
    call(method, `/scripting/workflows/${id}/activation`, { key })

  test('is refused while another webtask imports it', async () => {
    const { id } = await make({ name: 'Base' })
    const user = await make({ name: 'User', scripting: imports(['base', id], ['again', id]) })
    const { status, body } = await remove(id)
    assert.deepEqual(
      [status, body.type, body.links],
      [409, 'urn:stentor:problem:in-use', [{ type: 'webtask', id: user.id, name: 'User' }]],
    )
    assert.equal((await call('PUT', `${PATH}/${user.id}`, { body: { scripting: null } })).status, 200)
    assert.equal((await remove(id)).status, 204)
    assert.equal((await call('GET', `${PATH}/${id}`)).status, 404)
    assert.equal((await remove(id)).status, 404)
  })

  test('is refused while an active workflow uses it, and afterwards is a flaw of the workflow', async () => {
    const [byNode, imported] = [await make(), await make({ value: 'export const a = 1\nexport default () => a' })]
    const { id, name } = await workflow({
      nodes: [node({ webtask: byNode.id })],
      scripting: imports(['shop', imported.id]),
    })
    assert.deepEqual((await call('GET', `/scripting/workflows/${id}/flaws`)).body, [])
    assert.equal((await activation(id)).status, 204)
    for (const one of [byNode, imported]) {
      const { status, body } = await remove(one.id)
      assert.deepEqual([status, body.links], [409, [{ type: 'workflow', id, name }]])
    }
    // A change of the active workflow frees what it does not name any more.
    const change = { scripting: null, nodes: [node({ value: DEFAULT })] }
    assert.equal((await call('PUT', `/scripting/workflows/${id}`, { body: change })).status, 200)
    assert.equal((await remove(imported.id)).status, 204)
    const back = { nodes: [node({ webtask: byNode.id })] }
    assert.equal((await call('PUT', `/scripting/workflows/${id}`, { body: back })).status, 200)
    assert.equal((await remove(byNode.id)).status, 409)
    assert.equal((await activation(id, 'DELETE')).status, 204)
    assert.equal((await remove(byNode.id)).status, 204)
    const flaws = (await call('GET', `/scripting/workflows/${id}/flaws`)).body
    assert.deepEqual(flaws, [
      {
        type: 'unknown-reference',
        severity: 'error',
        path: '/nodes/0/settings/webtask',
        message: `There is no webtask ${byNode.id}.`,
      },
    ])
    assert.equal((await activation(id)).status, 409)
  })

  test('a workflow is not activated with a webtask of another account or without the rights for its capabilities', async () => {
    const foreign = await make({}, { key: other.key })
    const { id } = await workflow({ nodes: [node({ webtask: foreign.id })], scripting: imports(['x', foreign.id]) })
    const flaws = (await call('GET', `/scripting/workflows/${id}/flaws`)).body
    assert.deepEqual(
      flaws.map(({ type, path }: { type: string; path: string }) => `${type} ${path}`),
      ['unknown-reference /nodes/0/settings/webtask', 'unknown-reference /scripting/imports/0/value'],
    )
    const scripting = { environment: { capabilities: ['targets.write'] } }
    const writing = await make({ scripting })
    const flow = await workflow({ nodes: [node({ webtask: writing.id })] })
    const key = await makeKey(own.account, ['send'])
    assert.equal((await activation(flow.id, 'POST', key)).status, 403)
    assert.equal((await activation(flow.id)).status, 204)
    const plain = await workflow({ nodes: [node({ value: DEFAULT })] })
    assert.equal((await activation(plain.id)).status, 204)
    const sending = await make({ scripting: { environment: { capabilities: ['actions.send'] } } })
    const writer = await makeKey(own.account, ['write'])
    const body = { nodes: [node({ webtask: sending.id })] }
    const change = (by: string) => call('PUT', `/scripting/workflows/${plain.id}`, { body, key: by })
    assert.equal((await change(writer)).status, 403)
    assert.equal((await change(own.key)).status, 200)
  })

  test('of a simultaneous deletion and activation, one is refused', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await make()
      const flow = await workflow({ nodes: [node({ webtask: id })] })
      const [removed, activated] = await Promise.all([remove(id), activation(flow.id)])
      assert.deepEqual([removed.status === 204, activated.status === 204].sort(), [false, true], removed.text)
    }
  })
})

suite('webtask validation before storing', () => {
  const check = (body: object, options: CallOptions = {}) => call('POST', `${PATH}/flaws`, { body, ...options })

  test('reports errors and warnings with their places, and stores and runs nothing', async () => {
    const before = (await call('GET', PATH)).body
    const broken = await check({ value: 'export default (i => {' })
    assert.deepEqual(
      [broken.status, broken.body.map(({ type, severity, path }: Record<string, unknown>) => [type, severity, path])],
      [200, [['syntax', 'error', '/value']]],
    )
    assert.equal(broken.body[0].position.line, 1)
    const asking = await check({ value: 'export default () => http.fetch("https://shop.example/")\n' })
    assert.deepEqual(
      asking.body.map(({ type, severity, path }: Record<string, unknown>) => [type, severity, path]),
      [['missing-capability', 'warning', '/value']],
    )
    const endless = await check({ value: 'while (true) {}\nexport default () => 1\n' })
    assert.deepEqual([endless.status, endless.body], [200, []])
    assert.deepEqual((await call('GET', PATH)).body, before)
  })

  test('uses the stored webtask for absent members', async () => {
    const { id } = await make({
      scripting: { ...imports(['lib', 'export const a = 1']), environment: { secrets: { shop: 'apples' } } },
    })
    assert.deepEqual((await check({ id, value: 'import { a } from "lib"\nexport default () => a\n' })).body, [])
    const alone = await check({ value: 'import { a } from "lib"\nexport default () => a\n' })
    assert.deepEqual(
      alone.body.map(({ type }: { type: string }) => type),
      ['unknown-reference'],
    )
    assert.deepEqual((await check({ id, scripting: { imports: null }, value: DEFAULT })).body, [])
  })

  test('a webtask of another account is unknown, also as an import, and an invalid body returns 400', async () => {
    const { id } = await make()
    const theirs = await check({ id, value: DEFAULT }, { key: other.key })
    assert.deepEqual(theirs.status, 404)
    const taken = await check({ scripting: imports(['lib', id]) }, { key: other.key })
    assert.deepEqual(
      taken.body.map(({ type, severity }: Record<string, unknown>) => [type, severity]),
      [['unknown-reference', 'error']],
    )
    const wrong = await check({ scripting: { version: '6.0.0' } })
    assert.deepEqual([wrong.status, pointers(wrong)], [400, ['/scripting/version']])
  })
})

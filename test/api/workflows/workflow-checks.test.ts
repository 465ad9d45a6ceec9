import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startHarness } from '../../support/harness.ts'

const harness = await startHarness()
const { call, context, makeKey, other, own } = harness
const PATH = '/scripting/workflows'

let made = 0
const terminal = { type: 'terminal', id: 'end', default: true }

async function make(more: object = {}) {
  const answer = await call('POST', PATH, { body: { name: `Flow ${++made}`, ...more } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function flawsOf(more: object): Promise<string[]> {
  const { id } = await make(more)
  const { body } = await call('GET', `${PATH}/${id}/flaws`)
  return body.map(
    (flaw: { type: string; severity: string; path: string }) => `${flaw.type} ${flaw.severity} ${flaw.path}`,
  )
}

const pointers = ({ body }: { body: { errors: { pointer: string }[] } }) => body.errors.map(({ pointer }) => pointer)
const only = (node: object) => ({ nodes: [{ id: 'n', default: true, ...node }] })

suite('the scripting object', () => {
  const environment = { secrets: { shop: 'token-1', mail: 'token-2' }, http: { allow: ['*.Shop.test:8443'] } }

  test('secrets are sealed, shown as stars, kept when sent back as stars, and otherwise replaced', async () => {
    const { id, scripting } = await make({ scripting: { environment } })
    assert.deepEqual(scripting.environment.secrets, { shop: '***', mail: '***' })
    assert.deepEqual(scripting.environment.http, { allow: ['*.shop.test:8443'] })
    const stored = async () => {
      const { rows } = await sql<{ definition: string; version: number }>`
        select definition::text as definition, version from workflow_versions where workflow = ${id} order by version desc`.execute(
        context.db,
      )
      return rows[0]!
    }
    const first = await stored()
    assert.ok(!first.definition.includes('token'), first.definition)
    const path = `${PATH}/${id}/scripting`
    for (const secrets of [
      { shop: '***', mail: '***' },
      { shop: 'token-1', mail: '***' },
    ]) {
      const kept = await call('PUT', path, { body: { environment: { secrets } } })
      assert.equal(kept.status, 200, kept.text)
    }
    assert.deepEqual(await stored(), first)
    await call('PATCH', path, { body: { environment: { secrets: { mail: null, shop: 'token-3' } } } })
    const second = await stored()
    assert.deepEqual(
      [second.version, JSON.parse(second.definition).scripting.environment.http],
      [2, { allow: ['*.shop.test:8443'] }],
    )
    assert.deepEqual(Object.keys(JSON.parse(second.definition).scripting.environment.secrets), ['shop'])
    const unknown = await call('PUT', path, { body: { environment: { secrets: { gone: '***' } } } })
    assert.deepEqual([unknown.status, pointers(unknown)], [400, ['/environment/secrets/gone']])
  })

  test('null resets a member or the whole to its default, and omitted members stay', async () => {
    const imports = [{ name: 'a', type: 'source', value: 'export const a = 1' }]
    const { id } = await make({ scripting: { environment, imports } })
    const path = `${PATH}/${id}/scripting`
    assert.deepEqual((await call('PUT', path, { body: {} })).body.imports, imports)
    assert.equal((await call('PUT', path, { body: { imports: null } })).body.imports, null)
    const { body } = await call('PUT', `${PATH}/${id}`, { body: { scripting: null } })
    const fresh = { version: '7.0.0', environment: {}, imports: null, initializers: null, filters: null }
    assert.deepEqual(body.scripting, fresh)
  })

  test('invalid values are refused with their pointer', async () => {
    const { id } = await make()
    const refused: [object, string][] = [
      [{ version: '6.0.0' }, '/version'],
      [{ environment: { capabilities: ['files'] } }, '/environment/capabilities/0'],
      [{ environment: { http: { allow: ['https://a.test/x'] } } }, '/environment/http/allow/0'],
      [{ environment: { variables: { a: 'x'.repeat(33 * 1024) } } }, '/environment/variables'],
      [{ filters: [{ name: 'upcase', value: 'x => x' }] }, '/filters/0/name'],
      [{ imports: [{ name: 'a', type: 'file', value: 'x' }] }, '/imports/0/type'],
    ]
    for (const [body, pointer] of refused)
      assert.deepEqual(pointers(await call('PUT', `${PATH}/${id}/scripting`, { body })), [pointer])
  })

  test('a capability requires its right when it is set and when the workflow is activated', async () => {
    const [write, send] = [await makeKey(own.account, ['read', 'write']), await makeKey(own.account, ['send'])]
    const { id } = await make({ nodes: [terminal] })
    const path = `${PATH}/${id}/scripting`
    const body = { environment: { capabilities: ['actions.send'] } }
    assert.equal((await call('PUT', path, { body, key: write })).status, 403)
    assert.equal((await call('PUT', path, { body })).status, 200)
    assert.equal((await call('PUT', path, { body, key: write })).status, 200)
    await call('PUT', path, { body: { environment: { capabilities: ['http.fetch'] } } })
    assert.equal((await call('POST', `${PATH}/${id}/activation`, { key: send })).status, 403)
    assert.equal((await call('POST', `${PATH}/${id}/activation`)).status, 204)
  })
})

suite('checks of a definition', () => {
  test('report a definition without nodes, without or with two entries, and unreachable nodes', async () => {
    assert.deepEqual(await flawsOf({}), ['no-node error /nodes'])
    assert.deepEqual(await flawsOf({ nodes: [{ type: 'terminal', id: 'a' }] }), ['missing-entry warning /nodes'])
    const two = { nodes: [terminal, { ...terminal, id: 'b' }, { type: 'terminal', id: 'c' }] }
    assert.deepEqual(await flawsOf(two), ['duplicate-entry error /nodes/1/default', 'unreachable warning /nodes/2'])
  })

  test('report goals as faulty targets, but never as unreachable', async () => {
    const goal = { type: 'goal', id: 'g', settings: { event: { type: 'custom', names: ['x'] } } }
    assert.deepEqual(await flawsOf({ nodes: [terminal, goal] }), [])
    const led = { type: 'if', id: 'n', default: true, settings: { condition: true }, next: 'g' }
    assert.deepEqual(await flawsOf({ nodes: [led, goal] }), ['goal-as-target error /nodes/0/next'])
  })

  test('report unknown actions, notifications, segments and fields, and those that cannot be sent', async () => {
    const mail = (action: string) => only({ type: 'sendMail', settings: { action } })
    assert.deepEqual(await flawsOf(mail('ZZZZZZ')), ['unknown-reference error /nodes/0/settings/action'])
    const draft = { type: 'mailMessage', name: 'Hello' }
    const { id } = (await call('POST', '/actions', { body: draft })).body
    assert.deepEqual(await flawsOf(mail(id)), ['not-sendable error /nodes/0/settings/action'])
    assert.deepEqual(await flawsOf(only({ type: 'sendSms', settings: { action: id } })), [
      'type-mismatch error /nodes/0/settings/action',
    ])
    await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
    const text = (action: string) => only({ type: 'sms', settings: { action, text: 'Hello' } })
    for (const [version, flaw] of [
      ['4', 'type-mismatch'],
      ['4.1', 'not-sendable'],
    ]) {
      const made = { type: 'smsMessage', name: 'Text', settings: { templating: { version } } }
      const answer = await call('POST', '/actions', { body: made })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(await flawsOf(text(answer.body.id)), [`${flaw} error /nodes/0/settings/action`])
    }
    const foreign = (await call('POST', '/actions', { body: draft, key: other.key })).body.id
    assert.deepEqual(await flawsOf(mail(foreign)), ['unknown-reference error /nodes/0/settings/action'])
    const fields = only({ type: 'updateTarget', settings: { fields: { Nope: 1 } } })
    assert.deepEqual(await flawsOf(fields), ['unknown-field error /nodes/0/settings/fields/Nope'])
    const criteria = only({
      type: 'match',
      settings: { criteria: { all: [{ type: 'field', field: 999_999, operator: 'empty' }] } },
    })
    assert.equal((await flawsOf(criteria)).length, 1)
    const push = only({ type: 'np6.notification/execution', settings: { notification: 999_999 } })
    assert.deepEqual(await flawsOf(push), ['unknown-reference error /nodes/0/settings/notification'])
  })

  test('report faults in expressions: syntax with its place, names and types', async () => {
    const condition = (value: unknown) => only({ type: 'if', settings: { condition: value } })
    assert.deepEqual(await flawsOf(condition({ type: 'path', value: 'data..x' })), [
      'syntax error /nodes/0/settings/condition/value',
    ])
    assert.deepEqual(await flawsOf(condition({ type: 'template', value: '{{ row.x }}' })), [
      'unknown-variable warning /nodes/0/settings/condition/value',
    ])
    assert.deepEqual(await flawsOf(condition('yes')), ['type-mismatch error /nodes/0/settings/condition'])
  })

  test('require literal addresses to be on the allow list', async () => {
    const request = (url: unknown) => only({ type: 'request', settings: { url } })
    const scripting = {
      environment: { http: { allow: ['api.shop.test', '*.open.test', 'http://plain.test:8080', '10.0.0.5'] } },
    }
    for (const url of [
      'https://api.shop.test/a',
      'https://a.open.test',
      'http://plain.test:8080/',
      { type: 'path', value: 'data.url' },
    ])
      assert.deepEqual(await flawsOf({ scripting, ...request(url) }), [], String(url))
    for (const url of [
      'https://shop.test/',
      'https://open.test/',
      'http://api.shop.test/',
      'https://api.shop.test:444/',
      'https://10.0.0.5/',
      'https://user:secret@api.shop.test/',
    ])
      assert.deepEqual(
        await flawsOf({ scripting, ...request(url) }),
        ['forbidden-host error /nodes/0/settings/url'],
        url,
      )
  })

  test('refuse an invalid schedule of a task, and warn about one that never occurs', async () => {
    const task = (members: object) => ({
      nodes: [terminal],
      tasks: [{ handler: 'end', schedulers: [{ type: 'cron', ...members }] }],
    })
    const odd = await call('POST', PATH, { body: { name: 'x', ...task({ minute: '61' }) } })
    assert.deepEqual([odd.status, pointers(odd)], [400, ['/tasks/0/schedulers/0/minute']])
    assert.deepEqual(await flawsOf(task({ dayOfMonth: '30', month: '2' })), [
      'never-fires warning /tasks/0/schedulers/0',
    ])
  })

  test('stop after 200 flaws and report that there are more', async () => {
    const nodes = Array.from({ length: 300 }, (_, index) => ({
      type: 'if',
      id: `${index}`,
      default: index === 0,
      next: `${index + 1}`,
    }))
    const flaws = await flawsOf({ nodes })
    assert.equal(flaws.length, 201)
    assert.equal(flaws.at(-1), 'limit error ')
  })
})

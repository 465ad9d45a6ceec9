import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { gatewayDefinitions } from '../../../src/gateways/gateway-definitions.ts'
import { openGatewayRegistry } from '../../../src/sending/gateway-registry/gateway-registry.ts'
import { addGateway } from '../../../src/sending/gateway-registry/gateway-rows.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { startHarness } from '../../support/harness.ts'
import { type Browser, kindOf, makePerson, signedIn } from '../../support/stages/people.ts'

const sink = await startSink()
after(() => sink.close())
const harness = await startHarness({
  STENTOR_OUTGOING_ALLOW: `127.0.0.1:${sink.port}`,
  STENTOR_SMTP_URL: 'smtp://relay:hidden-password@relay.example:587',
})
const { call, context, own, other } = harness

let operator: Browser
let admin: Browser
const asked = (method: string, url: string, body?: unknown, browser = operator, account = own.code) =>
  browser.visit(method, url, { account, ...(body !== undefined && { body }) })

before(async () => {
  operator = await signedIn(harness, await makePerson(harness, 'Otto', [], { operator: true }))
  admin = await signedIn(harness, await makePerson(harness, 'Ada', [[own, 'admin']]))
})

const relay = { kind: 'smtp', settings: { host: '127.0.0.1', port: sink.port } }
let named = 0

async function made(more: object = {}) {
  const { status, body } = await asked('POST', '/gateways', { ...relay, name: `relay ${++named}`, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

suite('gateways', () => {
  test('are created with what their kind describes, and secrets are named but never shown', async () => {
    const secrets = { username: 'shop-user', password: 'very-secret-7' }
    const body = await made({ name: 'main', secrets })
    assert.deepEqual(body, {
      id: body.id,
      scope: 'account',
      channel: 'email',
      name: 'main',
      kind: 'smtp',
      settings: {
        host: '127.0.0.1',
        port: sink.port,
        tls: 'opportunistic',
        verify: true,
        plainAuth: false,
        connections: 8,
        messages: 1000,
        chunking: true,
        idleMs: 10_000,
        connectMs: 30_000,
        greetingMs: 300_000,
        commandMs: 300_000,
        dataMs: 120_000,
        finalMs: 600_000,
      },
      secrets: ['password', 'username'],
      carries: true,
      creationDate: body.creationDate,
      callback: null,
    })
    const { callback: _, ...shown } = body
    assert.deepEqual((await call('GET', `/gateways/${body.id}`)).body, shown)
    const texts = [
      (await call('GET', '/gateways')).text,
      (await asked('GET', '/gateways')).text,
      (await asked('PUT', `/gateways/${body.id}`, { name: 'main 2' })).text,
      (await asked('POST', `/gateways/${body.id}/test`)).text,
      (await asked('POST', '/gateways', { ...relay, name: 'main 2', secrets })).text,
      (await asked('POST', '/gateways', { ...relay, secrets: { ...secrets, more: 'very-secret-8' } })).text,
    ]
    for (const text of texts) assert.doesNotMatch(text, /very-secret|shop-user|hidden-password/)
    assert.equal((await asked('DELETE', `/gateways/${body.id}`)).status, 204)
  })

  test('are listed in lookup order, and the first of a channel carries its messages', async () => {
    const [installation, account] = [await made({ scope: 'installation' }), await made()]
    const view = ({ id, scope, carries, settings }: Record<string, unknown>) => [id, scope, carries, settings !== null]
    assert.deepEqual((await asked('GET', '/gateways')).body.map(view), [
      [account.id, 'account', true, true],
      [installation.id, 'installation', false, true],
      [null, 'installation', false, true],
    ])
    // What the installation has is no matter of its accounts.
    assert.deepEqual((await call('GET', '/gateways')).body.map(view), [
      [account.id, 'account', true, true],
      [installation.id, 'installation', false, false],
      [null, 'installation', false, false],
    ])
    assert.deepEqual((await call('GET', '/gateways', { key: other.key })).body.map(view), [
      [installation.id, 'installation', true, false],
      [null, 'installation', false, false],
    ])
    for (const id of [installation.id, account.id]) await asked('DELETE', `/gateways/${id}`)
  })

  test('are changed member by member, and null removes a member', async () => {
    const { id } = await made({
      settings: { ...relay.settings, connections: 3 },
      secrets: { username: 'a', password: 'b' },
    })
    const changed = await asked('PUT', `/gateways/${id}`, { settings: { messages: 7, connections: null } })
    assert.deepEqual(
      [changed.body.settings.messages, changed.body.settings.connections, changed.body.secrets],
      [7, 8, ['password', 'username']],
    )
    assert.deepEqual((await asked('PUT', `/gateways/${id}`, changed.body)).body, changed.body)
    assert.deepEqual((await asked('PUT', `/gateways/${id}`, { secrets: null })).body.secrets, [])
    for (const member of [{ kind: 'smtp-direct' }, { channel: 'sms' }, { scope: 'installation' }])
      assert.deepEqual(kindOf(await asked('PUT', `/gateways/${id}`, member)), [409, 'gateway-fixed'])
    const stale = await operator.visit('PUT', `/gateways/${id}`, {
      account: own.code,
      body: { name: 'x' },
      headers: { 'if-match': '"stale"' },
    })
    assert.equal(stale.status, 412)
    assert.equal((await asked('DELETE', `/gateways/${id}`)).status, 204)
    assert.equal((await asked('DELETE', `/gateways/${id}`)).status, 404)
  })

  test('show the callback address once', async () => {
    const body = await made({
      kind: 'sms-http',
      secrets: { apiKey: 'very-secret-9' },
      settings: { url: 'https://192.0.2.7/send?to={{to}}', headers: { authorization: 'Bearer {{secret.apiKey}}' } },
    }).catch((error) => error)
    assert.match(String(body), /private address/)
    const settings = { url: 'https://93.184.215.14/send?to={{to}}', headers: { authorization: '{{secret.apiKey}}' } }
    const sms = await made({ kind: 'sms-http', settings, secrets: { apiKey: 'very-secret-9' } })
    assert.match(sms.callback, /^https:\/\/stentor\.example\/hooks\/sms\/[\w-]{32}$/)
    assert.deepEqual([sms.channel, sms.secrets], ['sms', ['apiKey', 'hookToken']])
    assert.equal((await asked('GET', `/gateways/${sms.id}`)).body.callback, undefined)
    // Whatever becomes of its other secrets, the address goes on working.
    const plain = { settings: { headers: { authorization: null } } }
    for (const secrets of [null, { hookToken: null }, {}, ['hookToken']]) {
      const { status, body: changed } = await asked('PUT', `/gateways/${sms.id}`, { ...plain, secrets })
      assert.deepEqual([status, changed.secrets], [200, ['hookToken']], JSON.stringify(changed))
      const url = new URL(sms.callback).pathname
      assert.notEqual((await call('POST', url, { body: {}, key: null })).status, 404)
    }
    await asked('DELETE', `/gateways/${sms.id}`)
  })

  test('are refused with a pointer to each fault', async () => {
    const pointers = async (body: object) => {
      const answer = await asked('POST', '/gateways', body)
      return [answer.status, answer.body.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    assert.deepEqual(await pointers({}), [400, ['/kind']])
    assert.deepEqual(await pointers({ kind: 'smtpp' }), [400, ['/kind']])
    assert.deepEqual(await pointers({ kind: 'smtp', channel: 'sms' }), [400, ['/channel']])
    assert.deepEqual(await pointers({ kind: 'smtp', settings: { ...relay.settings, port: 0 } }), [
      400,
      ['/settings/port'],
    ])
    assert.deepEqual(await pointers({ ...relay, secrets: { username: 'a', password: 7 } }), [
      400,
      ['/secrets/password'],
    ])
    assert.deepEqual(await pointers({ kind: 'capture', channel: 'email', settings: { host: 'x' } }), [
      400,
      ['/settings'],
    ])
    assert.deepEqual(await pointers({ kind: 'push-fcm', secrets: { key: 'no json' } }), [400, ['/secrets/key']])
    assert.deepEqual(await pointers({ kind: 'smtp-direct', settings: { allowPrivate: true } }), [
      400,
      ['/settings/allowPrivate'],
    ])
    const { id, name } = await made()
    assert.deepEqual(kindOf(await asked('POST', '/gateways', { ...relay, name })), [409, 'gateway-taken'])
    await asked('DELETE', `/gateways/${id}`)
  })

  test('accept only public hosts and hosts that the installation allows', async () => {
    for (const host of ['127.0.0.1', '10.0.0.7', 'localhost', '169.254.169.254', '::1', '2130706433']) {
      const { status, body } = await asked('POST', '/gateways', { kind: 'smtp', name: host, settings: { host } })
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/settings/host'], host)
    }
    for (const url of ['http://sms.example/send', 'https://10.0.0.7/send', 'https://sms.example:80/send']) {
      const { status, body } = await asked('POST', '/gateways', { kind: 'sms-http', name: url, settings: { url } })
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/settings/url'], url)
    }
    const { id } = await made()
    const moved = await asked('PUT', `/gateways/${id}`, { settings: { host: '10.0.0.7' } })
    assert.deepEqual([moved.status, moved.body.errors[0].pointer], [400, '/settings/host'])
    await asked('DELETE', `/gateways/${id}`)
  })

  test('created on the command line can be renamed and keep their private host', async () => {
    const row = { name: 'inside', kind: 'smtp', channel: 'email' as const, settings: { host: '10.0.0.7' } }
    const id = await addGateway(context.db, context.masterKeys, { ...row, account: own.account })
    assert.equal((await asked('PUT', `/gateways/${id}`, { name: 'still inside' })).status, 200)
    assert.equal((await asked('PUT', `/gateways/${id}`, { settings: { port: 2525 } })).status, 400)
    await asked('DELETE', `/gateways/${id}`)
  })

  test('are checked again when connecting, since a name may resolve elsewhere by then', async () => {
    const row = { kind: 'smtp', channel: 'email' as const, settings: { host: 'localhost', port: sink.port } }
    const { db, masterKeys, config, clock, log } = context
    for (const [name, guarded, open] of [
      ['moved', true, []],
      ['allowed', true, [`localhost:${sink.port}`]],
      ['by hand', false, []],
    ] as const) {
      const id = await addGateway(db, masterKeys, { ...row, name, account: own.account, guarded })
      const registry = openGatewayRegistry({
        db,
        masterKeys,
        clock,
        log,
        configured: [],
        destinations: { rules: [] } as never,
        config: { ...config, outgoingAllow: [...open] },
      })
      try {
        const { ok, detail } = await (await registry.gatewayOf(own.account, 'email')).check()
        assert.deepEqual([ok, detail.includes('private address')], [name !== 'moved', name === 'moved'], detail)
      } finally {
        await registry.close(0)
        await asked('DELETE', `/gateways/${id}`)
      }
    }
  })

  test('are tested without sending a message', async () => {
    const { id } = await made({ secrets: { username: 'nobody', password: 'wrong' } })
    const refused = await asked('POST', `/gateways/${id}/test`)
    assert.deepEqual([refused.status, refused.body.ok], [200, false])
    await asked('PUT', `/gateways/${id}`, { secrets: null })
    const { status, body } = await asked('POST', `/gateways/${id}/test`)
    assert.deepEqual([status, body.ok, Number.isInteger(body.durationMs)], [200, true, true])
    assert.match(body.detail, new RegExp(`answers at 127\\.0\\.0\\.1:${sink.port}`))
    await asked('DELETE', `/gateways/${id}`)
  })

  test('are written only by operators, and those of another account are unknown', async () => {
    const { id } = await made()
    for (const [method, url, body] of [
      ['POST', '/gateways', relay],
      ['PUT', `/gateways/${id}`, { name: 'y' }],
      ['DELETE', `/gateways/${id}`, undefined],
      ['POST', `/gateways/${id}/test`, undefined],
    ] as const) {
      assert.deepEqual(kindOf(await call(method, url, { body })), [403, 'session-required'], url)
      assert.deepEqual(kindOf(await asked(method, url, body, admin)), [403, 'operator-required'], url)
      if (method !== 'POST' || url !== '/gateways')
        assert.deepEqual(kindOf(await asked(method, url, body, operator, other.code)), [404, 'not-found'], url)
    }
    assert.equal((await call('GET', `/gateways/${id}`, { key: other.key })).status, 404)
    for (const unknown of ['999999', 'x', '0']) assert.equal((await call('GET', `/gateways/${unknown}`)).status, 404)
    const writer = await harness.makeKey(own.account, ['write'])
    assert.equal((await call('GET', '/gateways', { key: writer })).status, 403)
    await asked('DELETE', `/gateways/${id}`)
  })
})

test("operators' changes to gateways are recorded in the audit without secrets", async () => {
  const secrets = { username: 'shop-user', password: 'very-secret-7' }
  const { id, name } = await made({ secrets })
  await asked('PUT', `/gateways/${id}`, { settings: { connections: 3 }, secrets: { password: 'very-secret-8' } })
  await asked('DELETE', `/gateways/${id}`)
  const { body, text } = await call('GET', '/audit?limit=3')
  const view = ({ operation, object, who }: Record<string, Record<string, string>>) => [
    operation,
    object?.['id'],
    object?.['name'],
    who?.['name'],
  ]
  assert.deepEqual(body.map(view), [
    ['DELETE /gateways/{id}', String(id), name, 'Otto'],
    ['PUT /gateways/{id}', String(id), name, 'Otto'],
    ['POST /gateways', String(id), name, 'Otto'],
  ])
  assert.deepEqual(body[1].changes['/settings/connections'], [8, 3])
  assert.match(JSON.stringify(body[1].changes), /"password"/)
  assert.doesNotMatch(text, /very-secret|shop-user|hooks\/sms/)
})

suite('gateway kinds', () => {
  test('are listed with the schemas that check them', async () => {
    const { status, body } = await call('GET', '/gateways/kinds')
    assert.equal(status, 200)
    assert.deepEqual(
      body,
      gatewayDefinitions.map(({ kind, channels, settings, secrets, hook }) =>
        JSON.parse(
          JSON.stringify({
            kind,
            channels,
            settings: settings ?? null,
            secrets: secrets ?? null,
            callbacks: hook !== undefined,
          }),
        ),
      ),
    )
  })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { listApiKeys, revokeApiKey } from '../../../src/features/accounts/accounts.ts'
import { sealWebtaskToken } from '../../../src/features/webtasks/public/cipher.ts'
import { loadWebtask } from '../../../src/features/webtasks/stored.ts'
import type { MasterKey } from '../../../src/lib/crypto/tokens.ts'
import { makePerson, signedIn } from '../../support/stages/people.ts'
import { startWebtaskStage, WEBTASKS } from '../../support/stages/webtask-stage.ts'

const stage = await startWebtaskStage()
const { app, call, clock, context, makeKey, own, webtask } = stage

const open = (more: object = {}) => ({ settings: { public: { enabled: true, methods: ['GET', 'POST'], ...more } } })
const echo = 'export default ({ data, public: sent, contact }) => ({ data, sent, contact: contact && contact.id })'

async function token(id: number, body: object = {}, key = own.key): Promise<string> {
  const answer = await call('POST', `${WEBTASKS}/${id}/cipher`, { body, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.value
}

/** A request without a key, each from another address unless it says otherwise. */
let visitors = 0
async function visit(method: NonNullable<InjectOptions['method']>, path: string, more: object = {}) {
  const remoteAddress = `10.${++visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`
  const {
    statusCode: status,
    headers,
    payload,
  } = await app.inject({ method, url: `/w/${path}`, remoteAddress, ...more })
  return { status, headers, text: payload }
}
const json = (body: unknown) => ({
  payload: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

suite('public webtasks', () => {
  test("a token runs its webtask with the token's data and the request", async () => {
    const id = await webtask(echo, open())
    const good = await token(id, { data: { points: 3 } })
    const read = await visit('GET', `${good}?a=1&b=x&b=y`, { remoteAddress: '::ffff:192.0.2.7' })
    assert.equal(read.status, 200, read.text)
    assert.deepEqual(JSON.parse(read.text), {
      data: { points: 3 },
      sent: { method: 'GET', query: { a: '1', b: ['x', 'y'] }, body: null, ip: '192.0.2.7' },
      contact: null,
    })
    const { 'cache-control': cache, 'content-type': type, 'x-content-type-options': options } = read.headers
    assert.deepEqual([cache, type, options], ['no-store', 'application/json; charset=utf-8', 'nosniff'])
    const posted = await visit('POST', good, json({ n: [1] }))
    assert.deepEqual(JSON.parse(posted.text).sent.body, { n: [1] })
  })

  test('JSON and forms of up to 64 KB are read', async () => {
    const good = await token(await webtask('export default (input) => input.public.body', open()))
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=1&b=x%20y&b=z' }
    assert.deepEqual(JSON.parse((await visit('POST', good, form)).text), { a: '1', b: ['x y', 'z'] })
    const parts = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'
    const multipart = { headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload: parts }
    assert.deepEqual(JSON.parse((await visit('POST', good, multipart)).text), { a: '1' })
    assert.equal(JSON.parse((await visit('POST', good)).text), null)
    assert.equal((await visit('POST', good, json('{'))).status, 400)
    assert.equal((await visit('POST', good, { payload: 'x', headers: { 'content-type': 'text/plain' } })).status, 415)
    const text = 'x'.repeat(64 * 1024 - 2)
    assert.equal((await visit('POST', good, json(text && JSON.stringify(text)))).status, 200)
    assert.equal((await visit('POST', good, json(JSON.stringify(`${text}x`)))).status, 413)
  })

  test('every invalid token returns the same 404, byte for byte', async () => {
    const id = await webtask(echo, open())
    const [good, other] = [await token(id), await webtask(echo, open())]
    assert.equal((await visit('GET', good)).status, 200)
    const disabled = await webtask(echo)
    const deleted = await webtask(echo, open())
    const ofDeleted = await token(deleted)
    await call('DELETE', `${WEBTASKS}/${deleted}`)
    const renewed = await webtask(echo, open())
    const ended = await token(renewed)
    await call('DELETE', `${WEBTASKS}/${renewed}/cipher`)
    const key = await makeKey(own.account, ['write'])
    const ofRevoked = await token(id, {}, key)
    await revokeApiKey(context.db, (await listApiKeys(context.db, own.account)).at(-1)!.id, new Date(clock.now()))
    const { cipherId } = await loadWebtask(context.db, { account: own.account, id })
    const sealed = { data: null, variables: null, receiver: null, expires: null, minted: 0, maker: 1 }
    const faults = [
      'x',
      'v1.0.a.b',
      '%20',
      `${good}A`,
      `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
      `v1.9${good.slice(4)}`,
      good.toLowerCase(),
      await token(id, { expires: clock.now() }),
      ofDeleted,
      ended,
      ofRevoked,
      await token(disabled),
      sealWebtaskToken([{ number: 0, key: randomBytes(32) }], cipherId, sealed)!,
      sealWebtaskToken([{ number: 3, key: randomBytes(32) }], cipherId, sealed)!,
      good.replace(
        /^(v1\.\d+\.)[\w-]{22}/,
        `$1${(await loadWebtask(context.db, { account: own.account, id: other })).cipherId.toString('base64url')}`,
      ),
    ]
    const answers = await Promise.all(faults.flatMap((text) => [visit('GET', text), visit('POST', text, json({}))]))
    const same = new Set(
      answers.map(({ status, headers, text }) => {
        const { 'x-request-id': _, date: __, ...others } = headers
        return JSON.stringify([status, others, text])
      }),
    )
    assert.equal(same.size, 1, [...same].join('\n'))
    assert.deepEqual([answers[0]?.status, answers[0]?.headers['cache-control']], [404, 'no-store'])
    // The setting of the installation.
    context.config.publicWebtasks = false
    const off = await visit('GET', good)
    context.config.publicWebtasks = true
    assert.deepEqual([off.status, off.text], [404, answers[0]?.text])
  })

  test('only the api and tracking roles serve the public path', async () => {
    const good = await token(await webtask('export default () => 1', open()))
    for (const [role, status] of [
      ['api', 200],
      ['tracking', 200],
      ['inbound', 401],
    ] as const) {
      const served = await buildApiServer(context, new Registry(), [role])
      await served.ready()
      assert.equal((await served.inject(`/w/${good}`)).statusCode, status, role)
      await served.close()
    }
  })

  test('a token of the previous master key still works', async () => {
    const id = await webtask(echo, open())
    const good = await token(id)
    ;(context.masterKeys as MasterKey[]).unshift({ number: 5, key: randomBytes(32) })
    assert.match(await token(id), /^v1\.5\./)
    assert.equal((await visit('GET', good)).status, 200)
    assert.equal((await visit('GET', await token(id))).status, 200)
  })

  test('methods that are not listed return 405, and HEAD never runs the script', async () => {
    const id = await webtask(echo, open({ methods: ['POST'] }))
    const good = await token(id)
    const refused = await visit('GET', good)
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'POST'])
    assert.equal((await visit('PUT', good, json({}))).status, 405)
    const running = await webtask(echo, open())
    const both = await token(running)
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const { status, headers, text } = await visit(method, both)
      assert.deepEqual([status, headers.allow], [405, 'GET, POST'], method)
      if (method === 'HEAD') assert.equal(text, '')
      assert.equal((await visit(method, 'x')).status, 404)
    }
    assert.deepEqual((await call('GET', `${WEBTASKS}/${running}/runs`)).body, [])
    assert.deepEqual((await call('GET', `${WEBTASKS}/${id}/runs`)).body, [])
  })

  test('redirects are limited to listed hosts', async () => {
    const id = await webtask(
      'export default ({ data }) => data.value',
      open({ redirects: ['*.shop.example', 'plain.example:8443'] }),
    )
    const value = async (given: unknown) => visit('GET', await token(id, { data: { value: given } }))
    const led = await value({ redirect: 'https://www.shop.example/cart?a=1' })
    assert.deepEqual([led.status, led.headers['location'], led.text], [302, 'https://www.shop.example/cart?a=1', ''])
    assert.equal(led.headers['cache-control'], 'no-store')
    assert.equal((await value({ redirect: 'https://plain.example:8443/' })).status, 302)
    for (const redirect of [
      'https://shop.example/',
      'https://elsewhere.example/',
      'http://www.shop.example/',
      'javascript:alert(1)',
      '//www.shop.example/',
      'https://plain.example/',
      1,
    ]) {
      const { status, text } = await value({ redirect })
      assert.deepEqual([status, JSON.parse(text)], [200, { redirect }])
    }
    const broken = await value({ redirect: 'https://www.shop.example/\r\nset-cookie: a=b' })
    assert.equal(broken.headers['set-cookie'], undefined)
    const more = { redirect: 'https://www.shop.example/', more: 1 }
    assert.deepEqual(JSON.parse((await value(more)).text), more)
  })

  test('errors of scripts reveal nothing', async () => {
    const id = await webtask('export default ({ contact }) => { throw new Error("secret thing") }', open())
    const { status, text, headers } = await visit('GET', await token(id))
    const body = { type: 'urn:stentor:problem:internal', title: 'Internal Server Error', status: 500 }
    assert.deepEqual([status, JSON.parse(text), headers['cache-control']], [500, body, 'no-store'])
    const nobody = await visit('GET', await token(id, { receiver: { type: 'id', value: 'ZZZZZZZZ' } }))
    assert.deepEqual([nobody.status, nobody.text], [500, text])
    const [run] = (await call('GET', `${WEBTASKS}/${id}/runs`)).body
    assert.deepEqual([run.origin, run.error.message], [{ type: 'public' }, 'secret thing'])
  })

  test('capabilities require the rights of the key or person that created the token', async () => {
    const scripting = { environment: { capabilities: ['targets.write'] } }
    const writing = `export default ({ data }) => targets.create({ Email: data.address })`
    const id = await webtask(writing, { ...open(), scripting })
    const address = 'ann@orchard.example'
    const good = await visit('POST', await token(id, { data: { address } }))
    assert.equal(good.status, 200, good.text)
    assert.equal((await call('GET', `/targets?unicity=${address}`)).body.id, JSON.parse(good.text))
    const sends = { environment: { capabilities: ['actions.send'] } }
    assert.equal((await call('PUT', `${WEBTASKS}/${id}`, { body: { scripting: sends } })).status, 200)
    const tokenOf = async (name: string, role: 'author' | 'sender') => {
      const browser = await signedIn(stage, await makePerson(stage, name, [[own, role]]))
      return (await browser.visit('POST', `${WEBTASKS}/${id}/cipher`, { body: { data: { address } } })).body.value
    }
    for (const weak of [await token(id, {}, await makeKey(own.account, ['write'])), await tokenOf('Ann', 'author')]) {
      const refused = await visit('POST', weak)
      assert.deepEqual(
        [refused.status, JSON.parse(refused.text)],
        [403, { type: 'urn:stentor:problem:right-missing', title: 'Forbidden', status: 403 }],
      )
    }
    // The script fails, as it may not write any more; that it may run is what counts.
    assert.equal((await visit('POST', await tokenOf('Sam', 'sender'))).status, 500)
  })

  test('the rate is limited to 10 requests a second per address and 50 per webtask', async () => {
    const good = await token(await webtask('export default () => 1', open()))
    clock.advance(10_000)
    const from = (remoteAddress: string, text = good) => visit('GET', text, { remoteAddress })
    const [one, two] = ['198.51.100.7', '198.51.100.8']
    for (let n = 0; n < 10; n++) assert.equal((await from(one, n % 2 ? good : 'x')).status, n % 2 ? 200 : 404)
    for (const text of [good, 'x']) {
      const { status, headers } = await from(one, text)
      assert.deepEqual([status, headers['retry-after'], headers['cache-control']], [429, '1', 'no-store'])
    }
    assert.equal((await from(two)).status, 200)
    assert.equal((await from('2001:db8::1')).status, 200)
    clock.advance(1000)
    const answers = await Promise.all(Array.from({ length: 60 }, () => visit('GET', good)))
    const counts = [200, 429].map((status) => answers.filter((answer) => answer.status === status).length)
    assert.deepEqual(counts, [50, 10])
    clock.advance(1000)
    assert.equal((await from(one)).status, 200)
  })
})

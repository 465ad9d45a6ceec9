import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { app, call, clock, contact, own, registry } = await startStage()
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
const PATH = '/api/v1.0/ACME/001/subscriptions'
const TELEMETRY = '/api/v1.0/acme/001/telemetry'

/** Starts of a request as apps send them: the address is that of a test, the other headers are what their platforms send. */
const ANDROID = [
  'Content-Type: application/json; charset=utf-8',
  'Connection: close',
  'User-Agent: Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.230803.041)',
  'Accept-Encoding: gzip',
]
const OLD_ANDROID = [
  'Content-Type: application/json',
  'User-Agent: os : Android 5.1 ; model : SM-G900F ; app : example.orchard.app 2.3.1 ; library : 1.0.4 ; locale : fr_FR',
  'Connection: close',
]
const IOS = [
  'Accept: */*',
  'Content-Type: application/json',
  'User-Agent: Orchard/41 CFNetwork/1494.0.7 Darwin/23.4.0',
  'Accept-Language: fr-FR,fr;q=0.9',
  'Accept-Encoding: gzip, deflate',
  'Connection: close',
]

interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Sends a request byte by byte as given, and reads what comes until the service closes. */
async function raw(
  method: string,
  path: string,
  headers: readonly string[],
  body: string | Buffer,
): Promise<RawAnswer> {
  const bytes = Buffer.from(body)
  const head = [`${method} ${path} HTTP/1.1`, 'Host: t.orchard.example', ...headers, `Content-Length: ${bytes.length}`]
  const socket = connect(Number(port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'connect')
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
  await once(socket, 'end')
  const text = Buffer.concat(chunks).toString()
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const entries = lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)])
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(entries), body: text.slice(end + 4) }
}

let made = 0
async function application(more: object = {}, key = own.key): Promise<string> {
  const answer = await call('POST', '/parameters/applications', { key, body: { name: `App ${++made}`, ...more } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}
const orchard = await application()
const newToken = () => randomBytes(16).toString('hex')
const bodyOf = (more: object = {}) => ({
  id: randomUUID(),
  application: orchard,
  gateway: { type: 'firebase', token: newToken() },
  ...more,
})
const get = async (id: string) => (await call('GET', `/subscriptions/${id.toLowerCase()}`)).body

let addresses = 0
/** A PUT from an address of its own, unless one is given. */
async function put(body: unknown, { path = PATH, address = `198.51.100.${++addresses % 250}` } = {}) {
  clock.advance(1)
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await app.inject({
    method: 'PUT',
    url: path,
    headers: { 'content-type': 'application/json' },
    payload,
    remoteAddress: address,
  })
  if (answer.statusCode !== 200) assert.equal(answer.payload, '', 'a refusal has no body')
  return answer
}

suite('device requests on the wire', () => {
  test('an iOS request with upper-case UUIDs is accepted', async () => {
    const ada = await contact('ada@orchard.example')
    const { hash } = (await call('GET', `/targets/${ada}`)).body
    const { hash: own } = (
      await call('PUT', '/subscriptions', {
        body: { ...bodyOf(), provider: { type: 'http', token: newToken() }, contact: { type: 'id', value: ada } },
      })
    ).body.contact
    assert.ok(hash === undefined || hash === own)
    const id = randomUUID().toUpperCase()
    const body = {
      id,
      application: orchard.toUpperCase(),
      gateway: { type: 'apns', token: '9F2C'.repeat(16) },
      linked: { type: 'hash', value: own.toUpperCase() },
      culture: 'FR_fr',
    }
    const answer = await raw('PUT', PATH, IOS, JSON.stringify(body))
    assert.deepEqual([answer.status, answer.body], [200, '{}'])
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    const shown = await get(id)
    assert.deepEqual(
      [shown.id, shown.provider, shown.contact.id, shown.culture, shown.lifecycle.creation.user],
      [id.toLowerCase(), { type: 'apns', token: '9f2c'.repeat(16) }, ada, 'FR_fr', null],
    )
  })

  test('an Android request with linked null keeps the contact', async () => {
    const bea = await contact('bea@orchard.example')
    const named = { type: 'id', value: bea.toLowerCase() }
    const body = bodyOf({ protocol: '1.0.0', sent: 'by the library' })
    for (const linked of [named, null]) {
      const answer = await raw('PUT', PATH, ANDROID, JSON.stringify({ ...body, linked, culture: null }))
      assert.deepEqual([answer.status, answer.body], [200, '{}'])
      assert.equal((await get(body.id)).contact.id, bea)
    }
  })

  test('requests of old app versions are accepted despite their headers and lower-case path', async () => {
    for (const headers of [
      OLD_ANDROID,
      ['Connection: close'],
      ['Content-Type: application/x-www-form-urlencoded', 'Connection: close'],
    ]) {
      const body = bodyOf()
      const answer = await raw('PUT', '/api/v1.0/acme/001/subscriptions/', headers, JSON.stringify(body))
      assert.deepEqual([answer.status, answer.body], [200, '{}'], headers.join())
      assert.equal((await get(body.id)).application, orchard)
    }
  })

  test('an empty hash keeps the contact, and attaches nobody on a first call', async () => {
    const carl = await contact('carl@orchard.example')
    const linked = { type: 'hash', value: '' }
    const body = bodyOf({ linked: { type: 'unicity', value: ['carl@orchard.example'] } })
    for (const one of [body, { ...body, linked }])
      assert.equal((await raw('PUT', PATH, IOS, JSON.stringify(one))).status, 200)
    assert.equal((await get(body.id)).contact.id, carl)
    const first = bodyOf({ linked })
    const answer = await raw('PUT', PATH, IOS, JSON.stringify(first))
    assert.deepEqual([answer.status, answer.body], [200, '{}'])
    assert.equal((await get(first.id)).contact, null)
  })

  test('telemetry is accepted by PUT and POST, with or without a type', async () => {
    for (const [method, body] of [
      ['POST', { anything: 1 }],
      ['PUT', { type: 'start' }],
      ['POST', { error: 'x' }],
    ] as const) {
      const answer = await raw(method, TELEMETRY, ANDROID, JSON.stringify(body))
      assert.deepEqual([answer.status, answer.body], [200, '{}'])
    }
    const text = await registry.metrics()
    for (const type of ['unknown', 'start', 'error'])
      assert.match(text, new RegExp(`stentor_device_telemetry_total\\{type="${type}"\\} 1`))
    for (const body of ['', '[]', 'x', '1']) assert.equal((await raw('POST', TELEMETRY, IOS, body)).status, 400, body)
    assert.equal((await raw('POST', TELEMETRY, IOS, JSON.stringify({ x: 'x'.repeat(16_384) }))).status, 413)
    assert.equal((await raw('POST', '/api/v1.0/NONE/001/telemetry', IOS, '{}')).status, 404)
  })

  test("a web app's CORS preflight is accepted", async () => {
    const headers = ['Origin: https://shop.example', 'Access-Control-Request-Method: PUT', 'Connection: close']
    const answer = await raw('OPTIONS', PATH, headers, '')
    assert.equal(answer.status, 204)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.match(answer.headers['access-control-allow-methods'] ?? '', /PUT/)
    assert.equal(answer.headers['access-control-allow-headers'], 'content-type')
  })
})

suite('the device route', () => {
  test('refuses invalid requests with a status and no body', async () => {
    const statuses = async (expected: number, body: unknown, path = PATH) =>
      assert.equal((await put(body, { path })).statusCode, expected, JSON.stringify(body).slice(0, 200))
    await statuses(400, '{')
    await statuses(400, [])
    await statuses(400, bodyOf({ id: undefined }))
    await statuses(400, bodyOf({ application: null }))
    await statuses(400, bodyOf({ gateway: null }))
    await statuses(400, bodyOf({ linked: { type: 'email', value: 'x' } }))
    await statuses(400, bodyOf({ linked: { type: 'hash', value: 'x' } }))
    await statuses(400, bodyOf({ linked: { type: 'footprint', id: '00000001' } }))
    await statuses(404, bodyOf({ application: randomUUID() }))
    await statuses(404, bodyOf(), '/api/v1.0/RIVL/002/subscriptions')
    await statuses(404, bodyOf(), '/api/v1.0/NONE/001/subscriptions')
    await statuses(404, bodyOf(), '/api/v1.0/ACM/E001/subscriptions')
    await statuses(403, bodyOf({ application: await application({ registration: { open: false } }) }))
    const picky = await application({ registration: { identifiers: ['hash'] } })
    await statuses(400, bodyOf({ application: picky, linked: { type: 'id', value: '00000001' } }))
    await statuses(200, bodyOf({ application: picky }))
    const body = bodyOf()
    await statuses(200, body)
    await statuses(409, { ...body, application: picky })
    await statuses(413, bodyOf({ culture: 'x'.repeat(16_384) }))
  })

  test('null detaches no contact, and answers reveal nothing about contacts', async () => {
    const dora = await contact('dora@orchard.example')
    const body = bodyOf({ linked: { type: 'id', value: dora } })
    const answers = [
      await put(body),
      await put({ ...body, contact: null }),
      await put(bodyOf({ linked: { type: 'id', value: '0000ZZZZ' } })),
    ]
    assert.deepEqual(
      answers.map(({ statusCode, payload }) => [statusCode, payload]),
      Array.from({ length: 3 }, () => [200, '{}']),
    )
    assert.equal((await get(body.id)).contact.id, dora)
  })

  test('the eleventh PUT of an id in a minute is 429 with Retry-After', async () => {
    const body = bodyOf()
    for (let n = 0; n < 10; n++) assert.equal((await put(body)).statusCode, 200)
    const answer = await put(body)
    assert.equal(answer.statusCode, 429)
    assert.ok(Number(answer.headers['retry-after']) <= 60 && Number(answer.headers['retry-after']) > 0)
    assert.equal((await put(bodyOf())).statusCode, 200)
    clock.advance(60_000)
    assert.equal((await put(body)).statusCode, 200)
  })

  test('an address may send 300 requests a minute, and IPv6 addresses share this within their /64', async () => {
    const from = async (address: string) => (await put('{', { address })).statusCode
    for (let n = 0; n < 300; n++) assert.equal(await from(`2001:db8:7::${n.toString(16)}`), 400)
    assert.equal(await from('2001:db8:7:0:ffff::1'), 429)
    assert.equal(await from('2001:db8:7:1::1'), 400)
    assert.equal(await from('::ffff:203.0.113.9'), 400)
    clock.advance(60_000)
    assert.equal(await from('2001:db8:7::1'), 400)
  })

  test('an application accepts 100 new ids a second in addition to known ones', async () => {
    clock.advance(60_000)
    const known = bodyOf()
    assert.equal((await put(known)).statusCode, 200)
    clock.advance(2000)
    const once = (body: object, n: number) =>
      app.inject({ method: 'PUT', url: PATH, payload: JSON.stringify(body), remoteAddress: `203.0.113.${n % 250}` })
    const answers = await Promise.all(Array.from({ length: 105 }, (_, n) => once(bodyOf(), n)))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    assert.deepEqual([refused.length, refused[0]?.headers['retry-after']], [5, '1'])
    assert.equal((await once(known, 1)).statusCode, 200)
    clock.advance(1000)
    assert.equal((await once(bodyOf(), 2)).statusCode, 200)
  })

  test('a request that cannot be stored fails alone in its group', async () => {
    const good = Array.from({ length: 5 }, () => bodyOf())
    const bad = bodyOf({ application: randomUUID() })
    const answers = await Promise.all([...good, bad, ...good].map((body) => put(body)))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 200, 200, 200, 200, 404, 200, 200, 200, 200, 200],
    )
  })
})

import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { allowAborts } from '#test/fakes/web/client-aborts.ts'
import { NoAnswerError, type OutboundPolicy, RefusedAddressError } from '../../lib/net/guarded-client.ts'
import { parseAllowedHost } from './allow-list.ts'
import { createScriptFetcher, type ScriptFetchPolicy } from './fetcher.ts'
import { UnknownSecretError } from './secrets.ts'

interface Seen {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}
const seen: Seen[] = []
let active = 0
let most = 0

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  const { method = '', url = '', headers } = request
  seen.push({ method, url, headers, body })
  if (url === '/packed') {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync('packed'))
  } else if (url === '/bomb') {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(Buffer.alloc(8 << 20)))
  } else if (url === '/never') {
    most = Math.max(most, ++active)
    response.on('close', () => active--)
  } else if (url === '/busy') {
    most = Math.max(most, ++active)
    setImmediate(() => {
      active--
      response.end()
    })
  } else if (url.startsWith('/to/')) {
    const [, , status = '302', target = ''] = url.split('/')
    response.writeHead(Number(status), { location: decodeURIComponent(target) }).end()
  } else {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(`${method} ${body}`)
  }
}
const server = createServer(allowAborts(serve))

let port = 0
let reach: OutboundPolicy
const policy = (more: Partial<ScriptFetchPolicy> = {}): ScriptFetchPolicy => ({
  account: 1,
  allow: [`http://inside.example:${port}`, `http://other.example:${port}`],
  secrets: new Map([['shop', 's3cret']]),
  ...more,
})
const call = (url: string, options: unknown = {}, more: Partial<ScriptFetchPolicy> = {}) =>
  createScriptFetcher(reach).fetch(url, options, policy(more), new AbortController().signal)
const at = (path: string) => `http://inside.example:${port}${path}`
const to = (status: number, target: string) => at(`/to/${status}/${encodeURIComponent(target)}`)

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  reach = { open: new Set([`inside.example:${port}`, `other.example:${port}`]), resolve: async () => ['127.0.0.1'] }
})
after(() => {
  server.closeAllConnections()
  server.close()
})

describe('list of allowed hosts', () => {
  const open = () => ({ open: new Set<string>(), resolve: async () => ['127.0.0.1'] })
  const refused: [url: string, ...allow: string[]][] = [
    ['https://other.test/', 'api.shop.test'],
    ['https://shop.test/', '*.shop.test'],
    ['https://evilshop.test/', '*.shop.test'],
    ['https://api.shop.test.evil.test/', 'api.shop.test'],
    ['https://api.shop.test./', 'api.shop.test'],
    ['http://api.shop.test/', 'api.shop.test'],
    ['https://api.shop.test/', 'http://api.shop.test'],
    ['https://api.shop.test:8443/', 'api.shop.test'],
    ['https://api.shop.test/', 'api.shop.test:8443'],
    ['https://me:pw@api.shop.test/', 'api.shop.test'],
    ['ftp://api.shop.test/', 'api.shop.test'],
    ['//api.shop.test/', 'api.shop.test'],
    ['https://127.0.0.1/', '127.0.0.1'],
    ['https://2130706433/', '2130706433'],
    ['https://0x7f.1/', '0x7f.1', '*.1'],
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://[::1]/', '[::1]', '::1'],
    ['https://[::ffff:127.0.0.1]/', '*'],
  ]
  for (const [url, ...allow] of refused)
    test(`refuses ${url} when it allows ${allow}`, () =>
      assert.rejects(
        createScriptFetcher(open()).fetch(url, {}, policy({ allow }), new AbortController().signal),
        RefusedAddressError,
      ))

  test('accepts hosts, subdomains, ports and plain http as entries', () => {
    for (const entry of ['api.shop.test', '*.shop.test', 'api.shop.test:8443', 'http://inside', 'http://*.a.test:80'])
      assert.ok(parseAllowedHost(entry), entry)
    for (const entry of ['', '*', 'https://a.test', 'a.test/', 'a.test:0', 'a.test:99999', 'a b', '*.*.a.test', 'a..b'])
      assert.equal(parseAllowedHost(entry), undefined, entry)
  })
})

describe('addresses that are not public', () => {
  const addresses = [
    ['127.0.0.1'],
    ['10.0.0.5'],
    ['169.254.169.254'],
    ['::ffff:127.0.0.1'],
    ['100.64.0.1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['fd00::1'],
    ['8.8.8.8', '10.0.0.1'],
  ]
  for (const found of addresses)
    test(`an allowed name that resolves to ${found} gets no connection`, async () => {
      const asked = seen.length
      const closed = { open: new Set<string>(), resolve: async () => found }
      const allow = [`http://inside.example:${port}`]
      const called = createScriptFetcher(closed).fetch(at('/'), {}, policy({ allow }), new AbortController().signal)
      await assert.rejects(called, RefusedAddressError)
      assert.equal(seen.length, asked)
    })
})

describe('checked addresses of a call', () => {
  test('a name is resolved once, and the connection uses that address', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.9']]
    let asked = 0
    const rebinding = { ...reach, resolve: async () => answers[asked++] ?? [] }
    const answer = await createScriptFetcher(rebinding).fetch(at('/once'), {}, policy(), new AbortController().signal)
    assert.deepEqual([answer.status, asked], [200, 1])
  })

  test('redirects are checked like new calls', async () => {
    assert.equal((await call(to(302, '/end'))).status, 200)
    for (const target of [
      'http://localhost/',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      `http://me@inside.example:${port}/`,
    ])
      await assert.rejects(call(to(302, target)), RefusedAddressError, target)
    const twice = to(302, to(302, to(302, '/end')))
    assert.equal((await call(twice)).status, 200)
    await assert.rejects(call(to(302, twice)), /too many redirects/)
  })

  test('credentials and bodies with a secret are not sent to another host', async () => {
    const other = `http://other.example:${port}/there`
    const headers = { Authorization: 'Bearer x', 'X-Key': '[[secret:shop]]', 'X-Plain': 'yes' }
    await call(to(307, other), { method: 'POST', headers, body: 'text' })
    const { headers: given, body, method } = seen.at(-1) ?? assert.fail()
    assert.deepEqual(
      [given.authorization, given['x-key'], given['x-plain'], body, method],
      [undefined, undefined, 'yes', 'text', 'POST'],
    )
    await assert.rejects(call(to(307, other), { method: 'POST', body: '[[secret:shop]]' }), RefusedAddressError)
    await call(to(303, '/seen'), { method: 'POST', body: 'text' })
    assert.deepEqual([seen.at(-1)?.method, seen.at(-1)?.body], ['GET', ''])
  })
})

describe('a fetch request', () => {
  test('fills in secrets in headers and bodies', async () => {
    const options = { method: 'post', headers: { 'X-Key': 'k [[secret:shop]]' }, body: { deep: ['[[secret:shop]]'] } }
    const answer = await call(at('/'), options, { idempotencyKey: 'run:node:1:1' })
    assert.equal(answer.body, 'POST {"deep":["s3cret"]}')
    const { headers } = seen.at(-1) ?? assert.fail()
    assert.deepEqual(
      [headers['x-key'], headers['content-type'], headers['idempotency-key']],
      ['k s3cret', 'application/json', 'run:node:1:1'],
    )
    await assert.rejects(call(at('/'), { body: '[[secret:none]]' }), UnknownSecretError)
  })

  test('refuses connection headers and malformed headers', async () => {
    for (const name of ['Host', 'connection', 'Content-Length', 'transfer-encoding', 'Proxy-Authorization', 'upgrade'])
      await assert.rejects(call(at('/'), { headers: { [name]: 'x' } }), RefusedAddressError, name)
    await assert.rejects(call(at('/'), { headers: { 'x-a': 'b\r\nhost: c' } }), NoAnswerError)
    await assert.rejects(call(at('/'), { headers: { 'x a': 'b' } }), NoAnswerError)
    await assert.rejects(call(at('/'), { method: 'CONNECT' }), NoAnswerError)
  })

  test('limits sizes after decompression and times', async () => {
    assert.equal((await call(at('/packed'))).body, 'packed')
    await assert.rejects(call(at('/bomb')), /more than 1048576 bytes/)
    await assert.rejects(call(at('/'), { method: 'POST', body: 'x'.repeat(256 * 1024 + 1) }), /more than 262144 bytes/)
    await assert.rejects(call(at('/never'), { timeoutMs: 50 }), /no answer within 50 ms/)
  })

  test('runs at most 20 calls of an account at a time', async () => {
    most = 0
    const fetcher = createScriptFetcher(reach)
    const calls = Array.from({ length: 60 }, () =>
      fetcher.fetch(at('/busy'), {}, policy(), new AbortController().signal),
    )
    assert.deepEqual([...new Set((await Promise.all(calls)).map(({ status }) => status))], [200])
    assert.ok(most <= 20, String(most))
    const waiting = new AbortController()
    const held = Array.from({ length: 20 }, () => fetcher.fetch(at('/never'), {}, policy(), waiting.signal))
    await assert.rejects(fetcher.fetch(at('/'), { timeoutMs: 50 }, policy(), waiting.signal), NoAnswerError)
    assert.equal((await fetcher.fetch(at('/'), {}, policy({ account: 2 }), new AbortController().signal)).status, 200)
    waiting.abort()
    for (const { status } of await Promise.allSettled(held)) assert.equal(status, 'rejected')
  })
})

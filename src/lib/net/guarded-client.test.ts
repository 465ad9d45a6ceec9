import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { allowAborts } from '#test/fakes/web/client-aborts.ts'
import {
  BrokenRedirectError,
  NoAnswerError,
  type OutboundPolicy,
  parseAllowedHosts,
  parseOutboundUrl,
  RefusedAddressError,
  resolveOutboundUrl,
  sendOutboundRequest,
} from './guarded-client.ts'
import { isPublicAddress } from './public-address.ts'

const nowhere: OutboundPolicy = { open: new Set(), resolve: async () => [] }

describe('public addresses', () => {
  const closed = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.19.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'no address',
  ]
  for (const address of closed) test(`do not include ${address}`, () => assert.equal(isPublicAddress(address), false))
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])
    test(`include ${address}`, () => assert.equal(isPublicAddress(address), true))
})

describe('outgoing addresses', () => {
  const refused = [
    'ftp://a.example/',
    'a.example',
    'http://a.example/',
    'https://me@a.example/',
    'https://me:secret@a.example/',
    'https://a.example:22/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://169.254.169.254/latest/meta-data',
    'https://１２７.0.0.1/',
  ]
  for (const url of refused)
    test(`${url} is refused`, () => assert.throws(() => parseOutboundUrl(url, nowhere), RefusedAddressError))

  test('https on port 443 and from 1024 on is accepted', () => {
    assert.equal(parseOutboundUrl('https://a.example/x', nowhere).href, 'https://a.example/x')
    assert.equal(parseOutboundUrl('https://a.example:8443/', nowhere).port, '8443')
  })

  test('a host that the operator allows may be plain http, private and on any port', () => {
    const reach = { ...nowhere, open: new Set(['127.0.0.1', 'inside.example:81']) }
    assert.equal(parseOutboundUrl('http://127.0.0.1:80/', reach).hostname, '127.0.0.1')
    assert.equal(parseOutboundUrl('http://inside.example:81/', reach).port, '81')
    assert.throws(() => parseOutboundUrl('http://inside.example:82/', reach), RefusedAddressError)
  })

  test('a name with one private address among others is refused', async () => {
    const reach = { ...nowhere, resolve: async () => ['8.8.8.8', '10.0.0.1'] }
    await assert.rejects(resolveOutboundUrl('https://mixed.example/', reach), RefusedAddressError)
    await assert.rejects(resolveOutboundUrl('https://none.example/', nowhere), NoAnswerError)
  })
})

describe('outgoing call', () => {
  const asked: string[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.url === '/slow') return
    if (request.url === '/big') return response.end(Buffer.alloc(1 << 20))
    if (request.url === '/away') return response.writeHead(302, { location: 'http://127.0.0.2:1/private' }).end()
    if (request.url === '/round') return response.writeHead(302, { location: '/round' }).end()
    if (request.url === '/broken') return response.writeHead(302, { location: 'http://[no address' }).end()
    if (request.url === '/on') return response.writeHead(302, { location: '/end' }).end('moved')
    const body = await Array.fromAsync(request)
    response.setHeader('x-seen', request.headers['x-given'] ?? '')
    return response.end(`${request.method} ${Buffer.concat(body)}`)
  }
  const server = createServer(allowAborts(serve))
  let port = 0
  let reach: OutboundPolicy
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
    reach = { open: new Set([`inside.example:${port}`]), resolve: async () => ['127.0.0.1'] }
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const limits = { method: 'GET', timeoutMs: 2000, maxBytes: 1000 }
  const at = (path: string) => `http://inside.example:${port}${path}`

  test('sends the method, headers and body and returns the whole response', async () => {
    const { status, headers, body } = await sendOutboundRequest(
      { ...limits, url: at('/'), method: 'POST', headers: { 'x-given': 'yes' }, body: 'hello' },
      reach,
    )
    assert.deepEqual([status, headers['x-seen'], body.toString()], [200, 'yes', 'POST hello'])
  })

  test('fails when the response is too long or too slow', async () => {
    await assert.rejects(sendOutboundRequest({ ...limits, url: at('/big') }, reach), NoAnswerError)
    await assert.rejects(sendOutboundRequest({ ...limits, url: at('/slow'), timeoutMs: 50 }, reach), NoAnswerError)
  })

  test('returns redirects as they are, or follows them with the same checks', async () => {
    assert.equal((await sendOutboundRequest({ ...limits, url: at('/on') }, reach)).status, 302)
    const followed = await sendOutboundRequest({ ...limits, url: at('/on'), redirects: 1 }, reach)
    assert.equal(followed.body.toString(), 'GET ')
    await assert.rejects(sendOutboundRequest({ ...limits, url: at('/away'), redirects: 3 }, reach), RefusedAddressError)
    await assert.rejects(sendOutboundRequest({ ...limits, url: at('/round'), redirects: 3 }, reach), NoAnswerError)
    await assert.rejects(
      sendOutboundRequest({ ...limits, url: at('/broken'), redirects: 3 }, reach),
      BrokenRedirectError,
    )
    assert.equal((await sendOutboundRequest({ ...limits, url: at('/broken') }, reach)).status, 302)
  })

  test('sends no request when a name becomes private between the check and the connection', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    const rebinding = { open: new Set<string>(), resolve: async () => answers.shift() ?? [] }
    await resolveOutboundUrl(`https://rebinding.example:${port}/`, rebinding)
    const before = asked.length
    await assert.rejects(
      sendOutboundRequest({ ...limits, url: `https://rebinding.example:${port}/` }, rebinding),
      RefusedAddressError,
    )
    assert.equal(asked.length, before)
  })
})

test('hosts that an operator allows are names or addresses, with or without a port', () => {
  const hosts = ['files.desk.example', '10.0.0.7:8080', '::1', '[::1]:8443']
  assert.deepEqual(parseAllowedHosts(` ${hosts.join(', ').toUpperCase()},`), hosts)
  for (const wrong of ['https://files.desk.example', 'a/b', 'ann@desk.example', 'desk.example:port', '10.0.0.0/8'])
    assert.throws(() => parseAllowedHosts(`files.desk.example, ${wrong}`), /must be hosts/, wrong)
})

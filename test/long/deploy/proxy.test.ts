import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { type PreparedService, prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'
import { freePorts, isInstalled, proxyKinds, startProxy } from './proxies.ts'
import { type Visitor, visitorOf } from './visitor.ts'

const MIB = 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }
const LINES = 60_000
/** Of each line: the list of them is too long for the buffers of all sockets on its way. */
const NOTE = 'n'.repeat(200)

/** A file of more than 12 MiB, in parts. */
async function* file(): AsyncGenerator<string> {
  yield 'Email;Note\n'
  for (let start = 0; start < LINES; start += 1000)
    yield Array.from({ length: 1000 }, (_, n) => `p${start + n}@list.example;${NOTE}\n`).join('')
}

/** Resolves with the text of a live stream once it holds a word. */
async function until(message: IncomingMessage, word: string): Promise<string> {
  let heard = ''
  message.setEncoding('utf8')
  for await (const chunk of message) {
    heard += chunk
    if (heard.includes(word)) return heard
  }
  throw new Error(`the stream ended: ${heard}`)
}

for (const kind of proxyKinds) {
  suite(`${kind.name} with its configuration in deploy/proxy`, {
    skip: isInstalled(kind) ? false : `${kind.name} is not installed: npm run test:setup`,
  }, () => {
    const ports = { proxy: 0, service: 0 }
    let metricsPort = 0
    let service: PreparedService
    let visitor: Visitor
    const cleans: (() => Promise<void>)[] = []
    const scope = { after: (clean: () => Promise<void>) => void cleans.push(clean) }

    before(async () => {
      Object.assign(ports, await freePorts())
      metricsPort = await findFreePort()
      service = await prepareService(scope, {
        STENTOR_HTTP_PORT: String(ports.service),
        STENTOR_METRICS_PORT: String(metricsPort),
        STENTOR_TRUSTED_PROXIES: '127.0.0.1',
        STENTOR_PUBLIC_URL: `http://localhost:${ports.proxy}`,
      })
      await service.start()
      // In order: a query of a process that is killed goes on for a while.
      scope.after(async () => void (await service.end('SIGTERM')))
      await startProxy(scope, kind, ports)
      visitor = visitorOf(ports.proxy)
      scope.after(async () => visitor.close())
    })
    after(async () => {
      for (const clean of cleans.toReversed()) await clean()
    })

    test('passes keys on and keeps connections open', async () => {
      const first = await visitor.ask('/categories')
      const second = await visitor.ask('/categories')
      assert.deepEqual([first.status, second.status, second.reused], [200, 200, true])
      assert.equal((await visitor.ask('/categories', { headers: { 'x-key': 'another' } })).status, 401)
    })

    test("passes the visitor's address on, ignoring addresses that visitors claim", async () => {
      await service.call('PUT', '/settings/events', { ip: 'full' })
      const { id: campaign } = await service.call('POST', '/display/campaign', { name: 'Spring' })
      const banner = { name: 'Banner', campaign, url: 'https://shop.example/' }
      const { id: content } = await service.call('POST', '/display/content', banner)
      const { id: placement } = await service.call('POST', '/display/placement', { name: 'Home' })
      const tags = await service.call('GET', `/display/content/${content}/tags?placement=${placement}`)
      const link = new URL(tags.click)
      assert.equal(link.host, `localhost:${ports.proxy}`)
      const headers = {
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=203.0.113.9',
      }
      const followed = await visitor.ask(link.pathname, { headers })
      assert.deepEqual([followed.status, followed.headers.location], [302, 'https://shop.example/'])
      const hits = await eventually(async () => {
        const found = await service.call<{ source: { detail: { hit: { ip: string } } } }[]>(
          'GET',
          '/display/events/hits/redirection?classification=all',
        )
        return found.length > 0 && found
      })
      assert.deepEqual(
        hits.map(({ source }) => source.detail.hit.ip),
        ['127.0.0.5'],
      )
    })

    test('returns 404 for metrics, captured messages, the API reference and the manual', async () => {
      const paths = [
        '/metrics',
        '/captured',
        '/docs',
        '/docs/start.js',
        '/openapi.json',
        '/manual/',
        '/manual/search.json',
      ]
      for (const path of paths) assert.equal((await service.ask('GET', path)).status, 200, path)
      const spelled = [
        '/METRICS',
        '/metrics/',
        '/v1/metrics',
        '/V1/Captured',
        '/%6detrics',
        '/captured?limit=1',
        '/Docs',
        '/MANUAL/',
        '/v1/manual',
      ]
      for (const path of [...paths, ...spelled]) {
        const { status, headers } = await visitor.ask(path)
        // Every answer of the service has an id.
        assert.deepEqual([path, status, headers['x-request-id']], [path, 404, undefined])
      }
      assert.equal((await visitor.ask('/health/live')).status, 200)
    })

    test('leaves it to the service to refuse a body that is too large', async () => {
      const body = JSON.stringify({ Email: 'a'.repeat(11 * MIB) })
      const {
        status,
        headers,
        body: problem,
      } = await visitor.ask('/targets', { method: 'POST', headers: JSON_TYPE, body })
      assert.deepEqual([status, headers['content-type']], [413, 'application/problem+json; charset=utf-8'])
      assert.equal(JSON.parse(problem).status, 413)
    })

    test("streams an import's file and a list larger than any buffer", async () => {
      await service.call('POST', '/fields', { type: 'textField', name: 'Note' })
      const { id } = await service.call('POST', '/imports', { name: 'list' })
      const path = `/imports/${id}/executions`
      const started = await visitor.ask(path, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: file() })
      assert.equal(started.status, 200, started.body)
      const run = JSON.parse(started.body)
      const { created } = await eventually(async () => {
        const found = await service.call(`GET`, `${path}/${run.id}`)
        return found.state !== 0 && found
      }, 240_000)
      assert.equal(created, LINES)

      const { message } = await visitor.open('/targets')
      const parts: AsyncIterator<string> = message.setEncoding('utf8')[Symbol.asyncIterator]()
      let list = String((await parts.next()).value)
      const answered = /^stentor_http_requests_total\{method="GET",route="\/targets",status="200"\} 1$/m
      const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      assert.doesNotMatch(await figures(), answered, 'the first bytes are here, and the service is not done')
      for (let part = await parts.next(); !part.done; part = await parts.next()) list += part.value
      assert.equal(JSON.parse(list).length, LINES)
      assert.ok(list.length > 12 * MIB)
      await eventually(async () => answered.test(await figures()))
    })

    test('delivers live events as they happen', async () => {
      const watching = visitorOf(ports.proxy)
      const { message } = await watching.open('/events/stream?events=target.created')
      assert.equal(message.headers['content-type'], 'text/event-stream; charset=utf-8')
      const heard = until(message, 'event: target.created')
      await service.call('POST', '/targets', { Email: 'live@list.example' })
      assert.match(await heard, /^id: /m)
      watching.close()
    })
  })
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { createStentor, StentorError } from '../../clients/typescript/src/index.ts'
import { KEY, prepareService } from '../support/processes/process.ts'
import { eventually } from '../support/wait.ts'

interface Peer {
  url: string
  asked: { method: string; headers: IncomingHttpHeaders; at: number }[]
}

/** A server on loopback that notes what it is asked. */
async function startPeer(answer: (nth: number, ...given: Parameters<RequestListener>) => void): Promise<Peer> {
  const asked: Peer['asked'] = []
  const server = createServer((request, response) => {
    asked.push({ method: request.method ?? '', headers: request.headers, at: performance.now() })
    answer(asked.length, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const TYPE = { 'content-type': 'application/json' }

/** Answers the first so many requests with a status, then 200. */
function failing(count: number, status: number, headers: Record<string, string> = {}) {
  return startPeer((nth, _, response) => {
    if (nth <= count) response.writeHead(status, { ...TYPE, ...headers }).end('{}')
    else response.writeHead(200, TYPE).end('[]')
  })
}

/** Timers count whole milliseconds. */
const ROUNDING_MS = 1

const quick = { key: 'any', firstPauseMs: 1, longestPauseMs: 5000 }

suite('client retries', () => {
  test('503 with Retry-After is retried, no sooner than it says', async () => {
    const { url, asked } = await failing(1, 503, { 'retry-after': '1' })
    assert.deepEqual(await createStentor({ url, ...quick }).listCategories(), [])
    assert.equal(asked.length, 2)
    assert.ok(asked[1]!.at - asked[0]!.at >= 1000 - ROUNDING_MS)
  })

  test('Retry-After may be a date', async () => {
    const { url, asked } = await startPeer((nth, _, response) => {
      const date = new Date(Date.now() + 2000).toUTCString()
      if (nth === 1) response.writeHead(429, { ...TYPE, 'retry-after': date }).end('{}')
      else response.writeHead(200, TYPE).end('[]')
    })
    await createStentor({ url, ...quick }).listCategories()
    assert.ok(asked[1]!.at - asked[0]!.at >= 900, `${asked[1]!.at - asked[0]!.at}`)
  })

  test('pauses grow, and the last error is thrown', async () => {
    const { url, asked } = await failing(99, 503)
    const stentor = createStentor({ url, key: 'any', retries: 3, firstPauseMs: 100 })
    await assert.rejects(stentor.listCategories(), { name: 'StentorError', status: 503 })
    const pauses = asked.slice(1).map(({ at }, n) => at - asked[n]!.at)
    assert.equal(pauses.length, 3)
    for (const [n, pause] of pauses.entries()) assert.ok(pause >= 50 * 2 ** n - ROUNDING_MS, `${pauses}`)
  })

  test('an error with a Retry-After that is too long is thrown immediately with that time', async () => {
    const { url, asked } = await failing(1, 429, { 'retry-after': '3600' })
    const error = await createStentor({ url, ...quick })
      .listCategories()
      .catch((thrown) => thrown)
    assert.ok(error instanceof StentorError)
    assert.deepEqual([error.status, error.retryAfterMs, asked.length], [429, 3_600_000, 1])
  })

  test("a POST has the same key and body for all of its attempts, and the caller's key is used if set", async () => {
    const bodies: string[] = []
    const { url, asked } = await startPeer(async (nth, request, response) => {
      bodies.push(Buffer.concat(await Array.fromAsync(request)).toString())
      response.writeHead(nth % 2 === 1 ? 503 : 200, TYPE).end('{}')
    })
    const stentor = createStentor({ url, ...quick })
    await stentor.createCategory({ body: { name: 'One' } })
    await stentor.createCategory({ body: { name: 'One' }, headers: { 'idempotency-key': 'mine' } })
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
    assert.deepEqual(keys, [keys[0], keys[0], 'mine', 'mine'])
    assert.deepEqual(new Set(bodies), new Set(['{"name":"One"}']))
  })

  test('other writes are retried only after 429', async () => {
    const path = { id: '1' }
    const refused = await failing(1, 429)
    await createStentor({ url: refused.url, ...quick }).updateCategory({ path, body: { name: 'x' } })
    assert.equal(refused.asked.length, 2)
    for (const status of [503, 502]) {
      const { url, asked } = await failing(1, status)
      await assert.rejects(createStentor({ url, ...quick }).deleteCategory({ path }), { status })
      assert.equal(asked.length, 1)
    }
    const cut = await startPeer((_, request) => request.socket.destroy())
    await assert.rejects(
      createStentor({ url: cut.url, ...quick }).updateCategory({ path, body: { name: 'x' } }),
      TypeError,
    )
    assert.equal(cut.asked.length, 1)
  })

  test('without retries there is one attempt and no idempotency key', async () => {
    const { url, asked } = await failing(1, 503)
    await assert.rejects(createStentor({ url, key: 'any', retries: 0 }).createCategory({ body: { name: 'x' } }))
    assert.deepEqual(
      asked.map(({ headers }) => headers['idempotency-key']),
      [undefined],
    )
  })

  test("a stream is sent once, and a function's stream is sent again", async () => {
    const { url, asked } = await startPeer((_, request, response) => {
      request.resume().once('end', () => response.writeHead(503, TYPE).end('{}'))
    })
    const stentor = createStentor({ url, ...quick, retries: 1 })
    const options = { path: { id: '1' } }
    const stream = new Blob(['Email\n']).stream()
    await assert.rejects(stentor.upload(stentor.executeImport, stream, options), { status: 503 })
    assert.equal(asked.length, 1)
    const made = () => new Blob(['Email\n']).stream()
    await assert.rejects(stentor.upload(stentor.executeImport, made, options), { status: 503 })
    assert.equal(asked.length, 3)
  })

  test('a signal ends the pause between attempts', async () => {
    const { url, asked } = await failing(99, 503, { 'retry-after': '3600' })
    const controller = new AbortController()
    let isAnswered = false
    const noting: typeof fetch = async (...given) => {
      const response = await fetch(...given)
      isAnswered = true
      return response
    }
    const stentor = createStentor({ url, ...quick, longestPauseMs: 4_000_000, fetch: noting })
    let end = ''
    stentor.listCategories({ signal: controller.signal }).then(
      () => (end = 'answered'),
      (error) => (end = String(error)),
    )
    await eventually(() => isAnswered)
    controller.abort(new Error('enough'))
    await eventually(() => end !== '')
    assert.match(end, /enough/)
    assert.equal(asked.length, 1)
  })
})

test('a POST whose answer was lost is created once', async (t) => {
  const { url, start } = await prepareService(t)
  await start()
  const answers: (string | null)[] = []
  const lossy = await startPeer(async (nth, request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request))
    const headers = { 'x-key': KEY, ...TYPE, 'idempotency-key': String(request.headers['idempotency-key']) }
    const answer = await fetch(url + request.url, { method: 'POST', headers, body })
    const text = await answer.text()
    answers.push(answer.headers.get('idempotent-replayed'))
    // The service has done it, and the client never hears of it.
    if (nth === 1) request.socket.destroy()
    else response.writeHead(answer.status, TYPE).end(text)
  })
  const made = await createStentor({ url: lossy.url, ...quick }).createCategory({ body: { name: 'Once' } })
  assert.deepEqual(answers, [null, 'true'])
  const all = await createStentor({ url, key: KEY }).listCategories()
  assert.deepEqual(
    all.filter(({ name }) => name === 'Once').map(({ id }) => id),
    [made.id],
  )
})

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, suite, test } from 'node:test'
import { startHarness } from '../../support/harness.ts'

const { app, call, clock } = await startHarness()
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
after(() => app.close())

const PATH = '/api/v1.0/ACME/001/subscriptions'
const KIB_16 = 16 * 1024

const { body: orchard } = await call('POST', '/parameters/applications', { body: { name: 'Orchard' } })
const gateway = () => ({ type: 'firebase', token: randomBytes(16).toString('hex') })
const bodyOf = (id: string = randomUUID()) => ({ id, application: orchard.id, gateway: gateway() })

/** A body of exactly so many octets: apps may send members that are not known. */
function ofSize(octets: number): string {
  const body = { ...bodyOf(), padding: '' }
  return JSON.stringify({ ...body, padding: 'é'.padEnd(octets - JSON.stringify(body).length - 1, 'x') })
}

interface Answered {
  status: number
  retryAfter: number | undefined
  body: string
}

/** The first answer of a text, and what follows it; undefined while it is not whole. */
function readAnswer(text: string): { answer: Answered; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (text.length < end + 4 + length) return undefined
  const retryAfter = /retry-after: (\S+)/i.exec(head)?.[1]
  const answer = {
    status: Number(head.slice(9, 12)),
    retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
    body: text.slice(end + 4, end + 4 + length),
  }
  return { answer, rest: text.slice(end + 4 + length) }
}

const head = (framing: string) =>
  `PUT ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`
const whole = (body: string) => `${head(`content-length: ${Buffer.byteLength(body)}`)}${body}`
const chunked = (body: string) => {
  const octets = Buffer.byteLength(body).toString(16)
  return `${head('transfer-encoding: chunked')}${octets}\r\n${body}\r\n0\r\n\r\n`
}

/** Writes requests to one socket without waiting for answers; gives the answers, until the far side ends when it does. */
function pipelined(requests: readonly string[]): Promise<Answered[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered[]>()
  const answers: Answered[] = []
  let text = ''
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(requests.join('')))
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    for (let read = readAnswer(text); read !== undefined; read = readAnswer(text)) {
      answers.push(read.answer)
      text = read.rest
    }
    if (answers.length === requests.length) socket.end()
  })
  socket.on('error', reject).on('close', () => resolve(answers))
  return promise
}

suite('a flood of device requests over sockets', () => {
  test('of 400 puts from one address, 300 are accepted and the rest are 429 with Retry-After', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID())
    const sockets = ids.map((id) => Array.from({ length: 10 }, () => whole(JSON.stringify(bodyOf(id)))))
    const answers = (await Promise.all(sockets.map(pipelined))).flat()
    const { 200: taken = [], 429: refused = [], ...others } = Object.groupBy(answers, ({ status }) => status)
    assert.deepEqual(others, {})
    assert.deepEqual([taken.length, refused.length], [300, 100])
    assert.deepEqual(new Set(taken.map(({ body }) => body)), new Set(['{}']))
    for (const { retryAfter = 0, body } of refused) {
      assert.equal(body, '')
      assert.ok(retryAfter > 0 && retryAfter <= 60, `${retryAfter}`)
    }
    clock.advance(60_000)
    assert.deepEqual(await pipelined([whole(JSON.stringify(bodyOf(ids[0])))]), [
      { status: 200, retryAfter: undefined, body: '{}' },
    ])
  })

  for (const [name, framed] of [
    ['with its length', whole],
    ['in chunks', chunked],
  ] as const)
    test(`a body of exactly 16 KiB is accepted, one byte more is 413 (${name})`, async () => {
      clock.advance(60_000)
      const [most, over] = [ofSize(KIB_16), ofSize(KIB_16 + 1)]
      assert.deepEqual(
        [most, over].map((body) => Buffer.byteLength(body)),
        [KIB_16, KIB_16 + 1],
      )
      assert.deepEqual(await pipelined([framed(most)]), [{ status: 200, retryAfter: undefined, body: '{}' }])
      const [refused] = await pipelined([framed(over)])
      assert.deepEqual([refused?.status, refused?.body], [413, ''])
      const { id } = JSON.parse(over)
      assert.equal((await call('GET', `/subscriptions/${id}`)).status, 404)
    })
})

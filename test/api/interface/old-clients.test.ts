import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { startHarness } from '../../support/harness.ts'

const { app, call, own } = await startHarness()
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))

const HOST = 'Host: stentor.example'
const KEY = `X-Key: ${own.key}`
const JSON_TYPE = 'Content-Type: application/json'

interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The answers in a stream of bytes, in order; interim ones (1xx) are answers too. */
function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
    )
    assert.equal(headers['transfer-encoding'], undefined, 'these tests ask for nothing that is streamed')
    const length = Number(headers['content-length'] ?? 0)
    answers.push({
      status: Number(line.split(' ')[1]),
      headers,
      body: rest.toString('utf8', end + 4, end + 4 + length),
    })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}

/** Sends bytes as they are, in the pieces given, until the service closes; what it answered. */
async function send(...pieces: (string | Buffer)[]): Promise<RawAnswer[]> {
  const socket = connect(Number(port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'connect')
  for (const piece of pieces) socket.write(piece)
  await once(socket, 'end')
  return readAnswers(Buffer.concat(chunks))
}

/** A request of the lines given, after which the service closes. */
function request(lines: readonly string[], body: string | Buffer = ''): Buffer {
  return Buffer.concat([Buffer.from([...lines, 'Connection: close', '', ''].join('\r\n')), Buffer.from(body)])
}

async function ask(lines: readonly string[], body?: string | Buffer): Promise<RawAnswer> {
  const answers = await send(request([...lines, HOST, KEY], body))
  const [answer] = answers
  assert.ok(answer && answers.length === 1)
  return answer
}

function lengthOf(body: string | Buffer): string {
  return `Content-Length: ${Buffer.byteLength(body)}`
}

let contacts = 0

/** A new contact; its id and address. */
async function newContact(): Promise<{ id: string; address: string }> {
  const address = `old${++contacts}@example.org`
  const { status, body } = await call('POST', '/targets', { body: { Email: address } })
  assert.equal(status, 200)
  return { id: body.id, address }
}

suite('request targets of old clients', () => {
  test('a query value with a raw @ is accepted, and an unknown contact is 404 with an empty body', async () => {
    const { id, address } = await newContact()
    const known = await ask([`GET /targets?unicity=${address} HTTP/1.1`])
    assert.equal(known.status, 200)
    assert.equal(JSON.parse(known.body).id, id)
    const unknown = await ask(['GET /targets?unicity=none@example.org HTTP/1.1'])
    assert.deepEqual([unknown.status, unknown.headers['content-length'], unknown.body], [404, '0', ''])
    const created = await ask([`PUT /targets?unicity=${address} HTTP/1.1`, JSON_TYPE, lengthOf('{}')], '{}')
    assert.equal(JSON.parse(created.body).id, id)
  })

  test('static parts match in any case, with a trailing slash, and after /V1', async () => {
    const { id } = await newContact()
    const { body: made } = await call('POST', '/segments', { body: { type: 'static', name: 'Old' } })
    const { body: list } = await call('POST', '/valueLists', { body: { name: 'Old' } })
    const paths = [
      `/Targets/${id.toLowerCase()}/`,
      `/TARGETS/${id}`,
      '/targets/COUNT/',
      `/V1/segments/${made.id}`,
      `/v1/Segments/${made.id}/`,
      '/V1/segments/',
      `/valuelists/${list.id}`,
      '/V1/ValueLists/',
      `/V1/targets/${id}?fields=1`,
    ]
    for (const path of paths) assert.equal((await call('GET', path)).status, 200, path)
    assert.equal((await ask([`DELETE /V1/segments/${made.id}/ HTTP/1.1`])).status, 204)
    assert.equal((await ask(['GET /V1 HTTP/1.1'])).status, 404)
    assert.equal((await ask(['GET /V1/V1/targets/count HTTP/1.1'])).status, 404)
  })

  test('a target in absolute form is accepted (RFC 9112, 3.2.2)', async () => {
    const { id } = await newContact()
    for (const target of [`http://stentor.example/targets/${id}`, `HTTP://stentor.example:8080/V1/targets/${id}/`]) {
      const { status, body } = await ask([`GET ${target} HTTP/1.1`])
      assert.equal(status, 200, target)
      assert.equal(JSON.parse(body).id, id)
    }
    assert.equal(JSON.parse((await ask(['GET http://stentor.example HTTP/1.1'])).body).service, 'stentor')
    assert.equal(JSON.parse((await ask(['GET http://stentor.example?x=1 HTTP/1.1'])).body).service, 'stentor')
  })
})

suite('request bodies of old clients', () => {
  test('count as absent if empty and of type JSON, on GET, POST, PUT and DELETE', async () => {
    const { id } = await newContact()
    const cases: [string, number][] = [
      [`GET /targets/${id}`, 200],
      [`POST /targets/${id}/redlist/mail`, 204],
      [`PUT /targets/${id}`, 200],
      [`DELETE /targets/${id}/bounces/999999`, 404],
      [`DELETE /targets/${id}`, 204],
    ]
    for (const [line, status] of cases) {
      assert.equal((await ask([`${line} HTTP/1.1`, JSON_TYPE, 'Content-Length: 0'])).status, status, line)
    }
    const other = await newContact()
    for (const line of [`GET /targets/${other.id}`, `DELETE /targets/${other.id}`]) {
      assert.ok((await ask([`${line} HTTP/1.1`, JSON_TYPE])).status < 300, `${line} without Content-Length`)
    }
  })

  test('can be empty with chunked encoding or as whitespace', async () => {
    const { id } = await newContact()
    const chunked = [`POST /targets/${id}/redlist/mail HTTP/1.1`, JSON_TYPE, 'Transfer-Encoding: chunked']
    assert.equal((await ask(chunked, '0\r\n\r\n')).status, 204)
    const blanks = [`POST /targets/${id}/redlist/sms HTTP/1.1`, JSON_TYPE, 'Content-Length: 3']
    assert.equal((await ask(blanks, ' \r\n')).status, 204)
  })

  test('are not required for a POST without type', async () => {
    const { id } = await newContact()
    assert.equal((await ask([`POST /targets/${id}/redlist/mail HTTP/1.1`, 'Content-Length: 0'])).status, 204)
    assert.equal((await ask([`POST /targets/${id}/redlist/sms HTTP/1.1`])).status, 204)
    assert.equal((await call('GET', `/targets/${id}`)).body.redList.sms.reason, 1)
  })

  test('are accepted with a DELETE', async () => {
    const first = await newContact()
    const second = await newContact()
    const selection = JSON.stringify({ type: 'id', value: [first.id] })
    assert.equal((await ask(['DELETE /targets HTTP/1.1', JSON_TYPE, lengthOf(selection)], selection)).status, 204)
    const chunk = JSON.stringify({ type: 'unicity', value: [[second.address]] })
    const chunked = `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`
    assert.equal(
      (await ask(['DELETE /targets HTTP/1.1', JSON_TYPE, 'Transfer-Encoding: chunked'], chunked)).status,
      204,
    )
    const { body } = await call('POST', '/targets/resolve', {
      body: [{ Email: first.address }, { Email: second.address }],
    })
    assert.deepEqual(
      body.map(({ type }: { type: string }) => type),
      ['error', 'error'],
    )
    const third = await newContact()
    assert.equal(
      (await ask([`DELETE /targets/${third.id} HTTP/1.1`, JSON_TYPE, 'Content-Length: 2'], '{}')).status,
      204,
    )
  })

  test('are joined from many small chunks', async () => {
    const body = JSON.stringify({ Email: 'chunks@example.org' })
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`)
    const head = [
      'POST /targets HTTP/1.1',
      JSON_TYPE,
      'Transfer-Encoding: chunked',
      HOST,
      KEY,
      'Connection: close',
      '',
      '',
    ]
    const [answer] = await send(head.join('\r\n'), ...chunks, '0\r\n\r\n')
    assert.equal(answer?.status, 200)
    assert.equal(Object.values(JSON.parse(answer.body).fields)[0], 'chunks@example.org')
  })

  test('are awaited after Expect: 100-continue', async () => {
    const body = JSON.stringify({ Email: 'expected@example.org' })
    const head = ['POST /targets HTTP/1.1', JSON_TYPE, lengthOf(body), 'Expect: 100-continue']
    const [interim, answer] = await send(request([...head, HOST, KEY]), body)
    assert.deepEqual([interim?.status, answer?.status], [100, 200])
    const refused = await send(request([...head, HOST]), body)
    assert.equal(refused.at(-1)?.status, 401)
  })

  test("are UTF-8 JSON whatever the type's parameters and case, and a byte order mark is ignored", async () => {
    const types = [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'APPLICATION/JSON',
      'text/json',
      'application/merge-patch+json',
    ]
    for (const [n, type] of types.entries()) {
      const body = Buffer.from(`\ufeff{"Email":"zoë${n}@example.org"}`)
      const answer = await ask(['POST /targets HTTP/1.1', `Content-Type: ${type}`, lengthOf(body)], body)
      assert.equal(answer.status, 200, type)
      assert.equal(Object.values(JSON.parse(answer.body).fields)[0], `zoë${n}@example.org`)
    }
  })

  test('start an import if they are JSON of type octet-stream', async () => {
    const { body: made } = await call('POST', '/imports', { body: { name: 'Old' } })
    const body = JSON.stringify({ name: 'people.csv', data: 'Email\r\noctets@example.org\r\n' })
    const type = 'Content-Type: application/octet-stream'
    const answer = await ask([`POST /imports/${made.id}/executions HTTP/1.1`, type, lengthOf(body)], body)
    assert.equal(answer.status, 200, answer.body)
    assert.equal(JSON.parse(answer.body).source.filename.endsWith('_people.csv'), true)
    assert.equal((await ask(['POST /targets HTTP/1.1', type, lengthOf(body)], body)).status, 415)
  })
})

suite('connections of old clients', () => {
  test('answer pipelined requests in order', async () => {
    const { id } = await newContact()
    const common = [HOST, KEY, '', '']
    const [count, missing, document, last] = await send(
      ['GET /targets/count HTTP/1.1', ...common].join('\r\n'),
      ['GET /targets?unicity=none@example.org HTTP/1.1', ...common].join('\r\n'),
      ['PUT /targets HTTP/1.1', JSON_TYPE, 'Content-Length: 35', ...common].join('\r\n'),
      '{"Email":"pipelined@example.org"}  ',
      request([`GET /targets/${id} HTTP/1.1`, HOST, KEY]),
    )
    assert.deepEqual(
      [count, missing, document, last].map((answer) => answer?.status),
      [200, 404, 200, 200],
    )
    assert.equal(typeof JSON.parse(count?.body ?? '').targetsCount, 'number')
    assert.equal(Object.values(JSON.parse(document?.body ?? '').fields)[0], 'pipelined@example.org')
    assert.equal(JSON.parse(last?.body ?? '').id, id)
  })

  test('need no Host in HTTP/1.0, and close after the answer unless keep-alive is requested', async () => {
    const { id } = await newContact()
    const [alone, ...none] = await send([`GET /targets/${id} HTTP/1.0`, KEY, '', ''].join('\r\n'))
    assert.equal(alone?.status, 200)
    assert.equal(none.length, 0)
    const kept = [`GET /targets/${id} HTTP/1.0`, KEY, 'Connection: keep-alive', '', ''].join('\r\n')
    const answers = await send(kept, [`GET /targets/${id} HTTP/1.0`, KEY, '', ''].join('\r\n'))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, JSON.parse(body).id]),
      [
        [200, id],
        [200, id],
      ],
    )
  })

  test('receive a list without chunked encoding in HTTP/1.0', async () => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(['GET /fields HTTP/1.0', KEY, '', ''].join('\r\n'))
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 200 /)
    assert.doesNotMatch(head, /transfer-encoding/i)
    assert.equal(JSON.parse(body)[0].name, 'Email')
  })
})

suite('headers of old clients', () => {
  test('are recognized in any case, with or without whitespace', async () => {
    const { id } = await newContact()
    for (const name of ['x-key', 'X-KEY', 'x-Key']) {
      for (const blank of ['', ' ', '\t']) {
        const [answer] = await send(request([`GET /targets/${id} HTTP/1.1`, `${name}:${blank}${own.key}`, HOST]))
        assert.equal(answer?.status, 200, name)
      }
    }
    assert.equal((await send(request([`GET /targets/${id} HTTP/1.1`, HOST])))[0]?.status, 401)
  })

  test('with any Accept value get JSON', async () => {
    const { id } = await newContact()
    for (const accept of ['*/*', 'application/json, text/json, text/x-json, text/javascript, text/xml', 'text/html']) {
      const { status, headers } = await ask([`GET /targets/${id} HTTP/1.1`, `Accept: ${accept}`])
      assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8'], accept)
    }
  })

  test('select a model media type in any case for every operation', async () => {
    const { id, address } = await newContact()
    const type = 'application/vnd.np6.experimental+json'
    for (const line of [`GET /targets/${id}`, `GET /targets?unicity=${address}`]) {
      const { headers, body } = await ask([`${line} HTTP/1.1`, `Accept: ${type.toUpperCase()};q=1`])
      assert.equal(headers['content-type'], type)
      assert.deepEqual(Object.keys(JSON.parse(body)), ['id', 'hash', 'creationDate', 'lastUpdateDate', 'fields'])
    }
  })

  test('a malformed request is answered with a problem, and the service continues', async () => {
    const cases: [string, number][] = [
      ['nonsense\r\n\r\n', 400],
      [['GET /targets/count HTTP/1.1', HOST, KEY, `X-Long: ${'x'.repeat(20_000)}`, '', ''].join('\r\n'), 431],
      [['POST /targets HTTP/1.1', HOST, KEY, JSON_TYPE, 'Transfer-Encoding: chunked', '', 'zz\r\n'].join('\r\n'), 400],
    ]
    for (const [bytes, status] of cases) {
      const [answer] = await send(bytes)
      assert.equal(answer?.status, status)
      assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
      const problem = JSON.parse(answer.body)
      assert.deepEqual([problem.status, problem.instance], [status, answer.headers['x-request-id']])
    }
    assert.equal((await call('GET', '/targets/count')).status, 200)
  })

  test('paths that are malformed or too long are 404 like unknown ones', async () => {
    for (const path of ['/targets/%zz', '/targets/%ff', `/targets/${'x'.repeat(5000)}`, '/nowhere']) {
      const answer = await ask([`GET ${path} HTTP/1.1`])
      assert.equal(answer.status, 404, path)
      const problem = JSON.parse(answer.body)
      assert.equal(problem.type, 'urn:stentor:problem:not-found')
      assert.equal(problem.instance, answer.headers['x-request-id'])
    }
  })
})

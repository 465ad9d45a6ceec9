import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { revokeApiKey } from '../../../src/features/accounts/accounts.ts'
import { startHarness } from '../../support/harness.ts'
import { findTraces } from '../../support/traces.ts'
import { eventually } from '../../support/wait.ts'

const { app, call, clock, context, dataDir, makeKey, own, other } = await startHarness()
const origin = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))

/** Sends bytes as they are, and gives the answer as text. */
function raw(lines: string[], body = ''): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(origin.port), '127.0.0.1', () => {
    socket.write(
      `${[...lines, `x-key: ${own.key}`, 'host: stentor.example', 'connection: close', '', ''].join('\r\n')}${body}`,
    )
  })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('end', () => resolve(text))
  socket.on('error', reject)
  return promise
}

suite('API keys', () => {
  test('a request without a key or with an unknown or revoked one is refused', async () => {
    assert.equal((await call('GET', '/categories', { key: null })).status, 401)
    assert.equal((await call('GET', '/categories', { key: 'unknown' })).status, 401)
    const key = await makeKey(own.account, ['read'])
    assert.equal((await call('GET', '/categories', { key })).status, 200)
    const { id } = await context.db
      .selectFrom('api_keys')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    await revokeApiKey(context.db, id, new Date(clock.now()))
    clock.advance(1001)
    assert.equal((await call('GET', '/categories', { key })).status, 401)
  })

  test('a key is refused from the instant it expires', async () => {
    const key = await makeKey(own.account, ['read'])
    await context.db
      .updateTable('api_keys')
      .set({ expires_at: new Date(clock.now() + 60_000) })
      .where(
        'id',
        '=',
        context.db.selectFrom('api_keys').select((e) => e.fn.max('id').as('id')),
      )
      .execute()
    assert.equal((await call('GET', '/categories', { key })).status, 200)
    clock.advance(60_000)
    assert.equal((await call('GET', '/categories', { key })).status, 401)
  })

  test('a key without the required right gets 403 and changes nothing', async () => {
    const key = await makeKey(own.account, ['read'])
    const answer = await call('POST', '/categories', { key, body: { name: 'Forbidden' } })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.type, 'urn:stentor:problem:right-missing')
    const { body } = await call('GET', '/categories')
    assert.ok(!body.some((category: { name: string }) => category.name === 'Forbidden'))
  })

  test('no key is stored in clear text', async () => {
    const { rows } = await context.pool.query('select api_keys::text as text from api_keys')
    for (const { text } of rows) assert.ok(!text.includes(own.key))
  })
})

suite('errors', () => {
  test('are problem documents with the request id as instance', async () => {
    const answer = await call('GET', '/categories/999999', { headers: { 'x-request-id': 'caller-7' } })
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
    assert.equal(answer.headers['x-request-id'], 'caller-7')
    assert.deepEqual(answer.body, {
      type: 'urn:stentor:problem:not-found',
      title: 'Not Found',
      status: 404,
      detail: 'There is no category 999999.',
      instance: 'caller-7',
    })
  })

  test('an unsafe request id is replaced', async () => {
    const answer = await call('GET', '/categories', { headers: { 'x-request-id': 'a b\tc' } })
    assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  })

  test('an unknown path is 404, and a wrong method on a known one 405 with Allow', async () => {
    assert.equal((await call('GET', '/nowhere')).status, 404)
    const answer = await call('PATCH', '/categories')
    assert.equal(answer.status, 405)
    assert.equal(answer.headers['allow'], 'GET, HEAD, POST')
  })

  test('malformed JSON, hostile keys and excessive nesting are 400', async () => {
    const json = { 'content-type': 'application/json' }
    for (const body of [
      '{"name":',
      '{"name":"a","__proto__":{"x":1}}',
      '{"constructor":1}',
      '{"name":"a\\u0000b"}',
      '{"name":"\\ud800"}',
      `${'['.repeat(102)}${']'.repeat(102)}`,
      '\xff\xfe',
    ]) {
      const answer = await call('POST', '/categories', { body: Buffer.from(body, 'latin1'), headers: json })
      assert.equal(answer.status, 400, body)
      assert.equal(answer.body.type, 'urn:stentor:problem:malformed-body')
    }
  })

  test('wrong types are reported with their pointers, and nothing is created', async () => {
    const answer = await call('POST', '/categories', { body: { name: 7, description: false } })
    assert.equal(answer.status, 400)
    assert.deepEqual(
      answer.body.errors.map((fault: { pointer: string }) => fault.pointer),
      ['/name', '/description'],
    )
  })

  test('a body over the limit is read to its end, and the connection stays open', async () => {
    const length = 11 * 1024 * 1024
    const head = (line: string) => `${line} HTTP/1.1\r\nhost: stentor.example\r\nx-key: ${own.key}\r\n`
    const socket = connect(Number(origin.port), '127.0.0.1')
    let heard = ''
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text
    })
    try {
      socket.write(`${head('POST /categories')}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`)
      await eventually(() => heard.startsWith('HTTP/1.1 413'))
      socket.write('x'.repeat(length))
      socket.write(`${head('GET /categories')}\r\n`)
      await eventually(() => heard.includes('HTTP/1.1 200'))
      assert.doesNotMatch(heard, /connection: close/i)
    } finally {
      socket.destroy()
    }
  })

  test('a body over the limit is 413, and another media type 415', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) })
    assert.equal(
      (await call('POST', '/categories', { body, headers: { 'content-type': 'application/json' } })).status,
      413,
    )
    assert.equal(
      (await call('POST', '/categories', { body: '<a/>', headers: { 'content-type': 'application/xml' } })).status,
      415,
    )
    assert.equal(
      (
        await call('POST', '/categories', {
          body: '{"name":"a"}',
          headers: { 'content-type': 'application/vnd.np6.cm.email' },
        })
      ).status,
      415,
    )
  })
})

suite('errors with many faults', () => {
  test('are limited to 100, with the total number', async () => {
    const unknownMembers = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`unknown ${n}`, n]))
    const unknown = await call('POST', '/targets', { body: { Email: 'many@shop.example', ...unknownMembers } })
    assert.deepEqual([unknown.status, unknown.body.errors.length, unknown.body.errorCount], [400, 100, 250])
    assert.match(unknown.body.detail, / \(and 249 more\)$/)
    const headers = { prefer: 'handling=strict' }
    const strict = await call('POST', '/categories', { body: { name: 'Strict', ...unknownMembers }, headers })
    assert.deepEqual([strict.status, strict.body.errors.length, strict.body.errorCount], [400, 100, 250])
    const { body: segment } = await call('POST', '/segments', { body: { type: 'static', name: 'Strangers' } })
    const wrong = await call('PUT', '/settings/sending', { body: { yesValues: Array(50).fill(7), culture: 7 } })
    assert.deepEqual([wrong.status, wrong.body.errors.length, wrong.body.errorCount], [400, 51, undefined])
    const links = { body: { links: Array.from({ length: 100 }, () => ({ link: 7, url: 7 })) } }
    const action = await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Links' } })
    const many = await call('POST', `/actions/${action.body.id}/render/links`, links)
    assert.deepEqual([many.status, many.body.errors.length], [400, 100])
    assert.ok(many.body.errorCount > 100, many.text)
    const crowd = await call('PUT', `/segments/${segment.id}/targets`, { body: Array(5000).fill(7) })
    assert.deepEqual(crowd.body.errors, [{ pointer: '', detail: 'must NOT have more than 50 items' }])
  })

  test('repeat only as much of the request as is needed to identify the fault', async () => {
    const name = 'n'.repeat(100_000)
    const headers = { prefer: 'handling=strict' }
    for (const [path, body] of [
      ['/targets', { [name]: 1 }],
      ['/categories', { name: 'Long', [name]: 1 }],
      ['/segments', { type: 'dynamic', name: 'Long', criteria: { all: [{ type: name, [name]: 1 }] } }],
    ] as const) {
      const answer = await call('POST', path, { body, headers })
      assert.equal(answer.status, 400)
      assert.ok(answer.text.length < 10_000, `${path} answers ${answer.text.length} characters`)
    }
  })
})

suite('paths', () => {
  test('a path with a control character is refused with 400 on every route, before keys are read', async () => {
    const paths = [
      '/segments/%00',
      '/display/campaign/a%00',
      '/categories/%1F',
      '/t/o/%7f',
      '/nowhere%0A',
      '/forms/%C2%85',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await call(method, path, { key: null })
        assert.deepEqual([status, body?.type], [400, 'urn:stentor:problem:invalid-request'], `${method} ${path}`)
      }
    }
    assert.equal((await call('GET', '/display/campaign/%C3%A9')).status, 404)
  })
})

suite('responses of every kind', () => {
  const NOSNIFF = 'nosniff'

  test('forbid content type sniffing', async () => {
    const { body: segment } = await call('POST', '/segments', { body: { type: 'static', name: 'Sniffed' } })
    for (const [method, path, status] of [
      ['GET', '/', 200],
      ['GET', '/health/live', 200],
      ['GET', '/health/ready', 200],
      ['GET', '/openapi.json', 200],
      ['GET', '/docs/', 200],
      ['GET', '/metrics', 200],
      ['GET', '/categories', 200],
      ['GET', '/categories?limit=1', 200],
      ['GET', `/segments/${segment.id}`, 200],
      ['HEAD', '/categories', 200],
      ['GET', '/categories/999999', 404],
      ['GET', '/targets?hash=none', 404],
      ['DELETE', `/segments/${segment.id}`, 204],
      ['GET', '/nowhere', 404],
      ['GET', '/%zz', 404],
      ['PATCH', '/categories', 405],
      ['POST', '/categories', 400],
      ['GET', '/t/o/forged', 404],
      ['GET', '/t/f/forged', 404],
      ['GET', '/d/forged.gif', 404],
      ['GET', '/archives/forged', 404],
    ] as const) {
      const answer = await fetch(new URL(path, origin), { method, headers: { 'x-key': own.key } })
      assert.deepEqual(
        [answer.status, answer.headers.get('x-content-type-options'), answer.headers.has('x-request-id')],
        [status, NOSNIFF, true],
        `${method} ${path}`,
      )
      await answer.arrayBuffer()
    }
    assert.equal((await fetch(new URL('/categories', origin))).headers.get('x-content-type-options'), NOSNIFF)
    assert.match(await raw(['this is no request']), /^HTTP\/1\.1 400 .*\r\nx-content-type-options: nosniff\r\n/s)
    const long = await raw(['GET / HTTP/1.1', `x-long: ${'x'.repeat(20_000)}`])
    assert.match(long, /^HTTP\/1\.1 431 .*\r\nx-content-type-options: nosniff\r\n/s)
  })

  test('forbid content type sniffing in event streams', async () => {
    const answer = await fetch(new URL('/events/stream', origin), {
      headers: { 'x-key': own.key, accept: 'text/event-stream' },
    })
    assert.deepEqual([answer.status, answer.headers.get('x-content-type-options')], [200, NOSNIFF])
    await answer.body?.cancel()
  })
})

suite('tolerant request parsing', () => {
  test('unknown and server-owned members are ignored unless handling is strict', async () => {
    const body = { name: 'Tolerant', id: 77, creationDate: 'whenever', colour: 'red' }
    const strict = await call('POST', '/categories', { body, headers: { prefer: 'handling=strict' } })
    assert.equal(strict.status, 400)
    assert.deepEqual(strict.body.errors, [{ pointer: '/colour', detail: 'is not a member of this body' }])
    const tolerant = await call('POST', '/categories', { body })
    assert.equal(tolerant.status, 200)
    assert.notEqual(tolerant.body.id, 77)
  })

  test('static path parts match in any case, and a trailing slash and a leading /V1 are ignored', async () => {
    const { body } = await call('GET', '/categories')
    for (const path of ['/categories/', '/CATEGORIES', '/V1/categories', '/v1/Categories/']) {
      assert.deepEqual((await call('GET', path)).body, body, path)
    }
  })

  test('an empty body of type application/json is no body, on GET, POST and DELETE', async () => {
    const lines = ['content-type: application/json', 'content-length: 0']
    assert.match(await raw(['GET /categories HTTP/1.1', ...lines]), /^HTTP\/1\.1 200 /)
    assert.match(await raw(['DELETE /categories/999999 HTTP/1.1', ...lines]), /^HTTP\/1\.1 404 /)
    assert.match(await raw(['POST /categories HTTP/1.1', ...lines]), /^HTTP\/1\.1 400 .*"pointer"/s)
  })

  test('a POST without type and body and a DELETE with a JSON body are accepted', async () => {
    assert.match(await raw(['POST /categories HTTP/1.1', 'content-length: 0']), /^HTTP\/1\.1 400 .*invalid-request/s)
    const made = await call('POST', '/categories', { body: { name: 'To delete' } })
    const lines = [`DELETE /categories/${made.body.id} HTTP/1.1`, 'content-type: application/json', 'content-length: 2']
    assert.match(await raw(lines, '{}'), /^HTTP\/1\.1 204 /)
  })

  test('a query value with a raw @ and Expect: 100-continue are accepted', async () => {
    assert.match(await raw(['GET /categories?of=ann@example.org HTTP/1.1']), /^HTTP\/1\.1 200 /)
    const body = '{"name":"Expected"}'
    const lines = [
      'POST /categories HTTP/1.1',
      'content-type: application/json',
      `content-length: ${body.length}`,
      'expect: 100-continue',
    ]
    assert.match(await raw(lines, body), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })
})

suite('lists', () => {
  test('are paged by limit and after with a next Link, and the pages equal the whole', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await call('POST', '/categories', { body: { name }, key: other.key })
    const whole = await call('GET', '/categories', { key: other.key })
    const pages: unknown[] = []
    let next: string | undefined = '/categories?limit=2'
    while (next) {
      const page = await call('GET', next, { key: other.key })
      assert.ok(page.body.length <= 2)
      pages.push(...page.body)
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(pages, whole.body)
    assert.equal(whole.body.length, 6)
  })

  test('refuse a cursor that was never issued and an invalid limit', async () => {
    assert.equal((await call('GET', '/categories?limit=2&after=zzz')).status, 400)
    for (const limit of ['0', '10001', 'many'])
      assert.equal((await call('GET', `/categories?limit=${limit}`)).status, 400, limit)
  })
})

suite('conditional requests', () => {
  test('If-None-Match with the current ETag is 304, and If-Match with an outdated one 412', async () => {
    const { body } = await call('POST', '/categories', { body: { name: 'Conditional' } })
    const url = `/categories/${body.id}`
    const read = await call('GET', url)
    const etag = String(read.headers['etag'])
    const again = await call('GET', url, { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
    const changed = await call('PUT', url, { body: { description: 'new' }, headers: { 'if-match': etag } })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers['etag'], etag)
    for (const method of ['PUT', 'DELETE']) {
      const stale = await call(method, url, {
        headers: { 'if-match': etag },
        ...(method === 'PUT' && { body: { name: 'Lost' } }),
      })
      assert.equal(stale.status, 412)
    }
    assert.equal((await call('GET', url)).body.name, 'Conditional')
    assert.equal((await call('DELETE', url, { headers: { 'if-match': '*' } })).status, 204)
  })
})

suite('an idempotency key', () => {
  const headers = { 'idempotency-key': 'order-1' }

  test('returns the first answer again and does nothing twice', async () => {
    const first = await call('POST', '/categories', { body: { name: 'Once' }, headers })
    const second = await call('POST', '/categories', { body: { name: 'Once' }, headers })
    assert.deepEqual(second.body, first.body)
    assert.equal(second.status, 200)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(first.headers['idempotent-replayed'], undefined)
  })

  test('is refused with another body, and is separate for each account', async () => {
    assert.equal((await call('POST', '/categories', { body: { name: 'Other' }, headers })).status, 422)
    assert.equal((await call('POST', '/categories', { body: { name: 'Other' }, headers, key: other.key })).status, 200)
  })

  test('answers one of two concurrent requests, and the other with 409 or the same answer', async () => {
    const both = await Promise.all(
      [1, 2].map(() => call('POST', '/categories', { body: { name: 'Race' }, headers: { 'idempotency-key': 'race' } })),
    )
    assert.ok(both.some(({ status }) => status === 200))
    for (const { status, headers } of both)
      assert.ok(status === 200 || (status === 409 && headers['idempotent-replayed'] === undefined))
    const { body } = await call('GET', '/categories')
    assert.equal(body.filter(({ name }: { name: string }) => name === 'Race').length, 1)
  })

  test('stores answers encrypted, so a secret shown once is in no table and can be replayed', async () => {
    const body = { name: 'Hook', url: 'https://hooks.example/' }
    const ask = (path: string, key: string, given?: object) =>
      call('POST', path, { headers: { 'idempotency-key': key }, ...(given && { body: given }) })
    const made = await ask('/webhooks', 'hook', body)
    const rotated = await ask(`/webhooks/${made.body.id}/secret`, 'rotation')
    const secrets: string[] = [made, rotated].map((answer) => answer.body.secret)
    for (const secret of secrets) assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(await findTraces({ db: context.db, dataDir, except: 0 }, secrets), [])
    const again = [await ask('/webhooks', 'hook', body), await ask(`/webhooks/${made.body.id}/secret`, 'rotation')]
    assert.deepEqual(
      again.map((answer) => [answer.headers['idempotent-replayed'], answer.status, answer.body]),
      [made, rotated].map((answer) => ['true', answer.status, answer.body]),
    )
  })

  test('does not return an answer moved to it from another key', async () => {
    const two = ['first', 'second']
    for (const key of two)
      await call('POST', '/categories', { body: { name: key }, headers: { 'idempotency-key': key } })
    await context.pool.query(
      "update idempotency_keys k set body = o.body from idempotency_keys o where k.key = 'first' and o.key = 'second'",
    )
    const answer = await call('POST', '/categories', {
      body: { name: 'first' },
      headers: { 'idempotency-key': 'first' },
    })
    assert.equal(answer.status, 500)
  })

  test('is forgotten after 24 hours', async () => {
    clock.advance(24 * 3600 * 1000 + 1)
    const answer = await call('POST', '/categories', { body: { name: 'Next day' }, headers })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['idempotent-replayed'], undefined)
  })
})

suite('rate limits', () => {
  test('a key over its limit gets 429 with Retry-After, and works again later', async () => {
    const slow = await context.db
      .selectFrom('accounts')
      .select('id')
      .where('agency', '=', 'RIVL')
      .executeTakeFirstOrThrow()
    await context.db
      .updateTable('accounts')
      .set({ rate_per_second: 2, rate_burst: 3 })
      .where('id', '=', slow.id)
      .execute()
    const key = await makeKey(slow.id, ['read'])
    const remaining: unknown[] = []
    for (let i = 0; i < 3; i++)
      remaining.push((await call('GET', '/categories', { key })).headers['x-ratelimit-remaining'])
    assert.deepEqual(remaining.map(Number), [2, 1, 0])
    const refused = await call('GET', '/categories', { key })
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal(Number(refused.headers['x-ratelimit-limit']), 3)
    clock.advance(1000)
    assert.equal((await call('GET', '/categories', { key })).status, 200)
  })
})

suite('service endpoints', () => {
  test('report name, liveness and readiness to anyone, and metrics only with a key', async () => {
    assert.deepEqual((await call('GET', '/', { key: null })).body.interface, '8.1.0')
    assert.deepEqual((await call('GET', '/health/live', { key: null })).body, { status: 'live' })
    assert.deepEqual((await call('GET', '/health/ready', { key: null })).body, {
      status: 'ready',
      checks: { database: 'ok' },
    })
    assert.equal((await call('GET', '/metrics', { key: null })).status, 401)
  })

  test('serve the reference from local files only', async () => {
    const page = await call('GET', '/docs', { key: null })
    assert.match(page.text, /<title>Stentor interface<\/title>/)
    for (const [, path = ''] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      assert.equal((await call('GET', path, { key: null })).status, 200, path)
    }
  })
})

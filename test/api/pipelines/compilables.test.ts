import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bestCustomers, compilableStage, path, pipeline, where } from '../../support/stages/pipeline-stage.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, other, own, makeKey } = stage
const { make, made, url, flaws, execute, preview } = compilableStage(stage)

const UNKNOWN = '0193c0de-7000-7000-8000-000000000041'
const ROWS = pipeline([{ n: 1 }, { n: 2 }], [])

for (const [name, type] of [
  ['Age', 'numeric'],
  ['Spent', 'numeric'],
])
  assert.equal((await call('POST', '/fields', { body: { name, type } })).status, 200)
const people = [
  await stage.contact('ann@fields.example', { Age: 30, Spent: 912.5 }),
  await stage.contact('bob@fields.example', { Age: 17, Spent: 2000 }),
  await stage.contact('cat@fields.example', { Age: 40, Spent: 640 }),
  await stage.contact('dan@fields.example', { Age: 18 }),
]
const SEGMENT = await stage.segment(people)

/** The members of an answer that are named. */
const some = (body: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, body[name]]))

suite('compilables: create and read', () => {
  test('a pipeline is created as ready, without flaws and with defaults filled in', async () => {
    const { status, body } = await make(bestCustomers(SEGMENT))
    assert.equal(status, 200)
    const at = new Date(clock.now()).toISOString()
    assert.deepEqual(some(body, 'name', 'description', 'state', 'stamp', 'preview'), {
      name: 'Top adults',
      description: null,
      state: 'ready',
      stamp: { creation: at, modification: at },
      preview: { arguments: { top: 3 }, limit: 10 },
    })
    assert.deepEqual(body.value.cursors[2], {
      type: 'sort',
      by: [{ value: path('row.spent'), direction: 'desc', nulls: 'last' }],
    })
    assert.deepEqual(await flaws(body.id), [])
    assert.deepEqual((await call('GET', url(body.id))).body, body)
  })

  test('sending back what was read changes nothing', async () => {
    const { body } = await make(bestCustomers(SEGMENT))
    clock.advance(1000)
    assert.deepEqual((await call('PUT', url(body.id), { body })).body, body)
    assert.deepEqual((await call('PATCH', url(body.id), { body })).body, body)
    assert.deepEqual((await call('PATCH', url(body.id), { body: [] })).body, body)
  })

  test('row members keep the order in which they were written', async () => {
    const id = await made(pipeline([{}], [{ type: 'map', fields: { zebra: 1, ant: 2, Bee: 3 } }]))
    assert.deepEqual(Object.keys((await call('GET', url(id))).body.value.cursors[0].fields), ['zebra', 'ant', 'Bee'])
    assert.match((await execute(id)).text, /"value":\[\{"zebra":1,"ant":2,"Bee":3\}\]/)
  })

  test('unknown preview members become its arguments, and an empty preview request uses them', async () => {
    const { body } = await make({ ...bestCustomers(SEGMENT), preview: { top: 3 } })
    assert.deepEqual(body.preview, { arguments: { top: 3 }, limit: 10 })
    const { body: shown } = await preview(body.id)
    assert.deepEqual(shown.arguments, { minAge: 18, top: 3 })
    assert.deepEqual(
      shown.value.map(({ spent }: { spent: number }) => spent),
      [912.5, 640, null],
    )
  })

  test('lists filter by name and state, are ordered by id and are paged', async () => {
    const name = 'listed'
    const ready = (await make({ name, value: ROWS })).body.id
    const draft = (await make({ name, value: pipeline({ type: 'segment', segment: 99_999 }, []) })).body.id
    const list = async (query: string) =>
      (await call('GET', `/scripting/compilables?${query}`)).body.map(({ id }: { id: string }) => id)
    assert.deepEqual(await list('name=listed'), [ready, draft].sort())
    assert.deepEqual(await list('name=listed&state=ready'), [ready])
    assert.deepEqual(await list('name=listed&state=draft'), [draft])
    assert.deepEqual(await list('name=no'), [])
    assert.equal((await call('GET', '/scripting/compilables?state=odd')).status, 400)
    const page = await call('GET', '/scripting/compilables?name=listed&limit=1')
    assert.equal(page.body.length, 1)
    const next = /<([^>]*)>/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual(
      (await call('GET', next)).body.map(({ id }: { id: string }) => id),
      [[ready, draft].sort()[1]],
    )
  })
})

suite('compilables: structure', () => {
  const pointerOf = async (body: object): Promise<string> => {
    const answer = await make({ name: 'x', ...body })
    assert.equal(answer.status, 400, answer.text)
    return answer.body.errors[0].pointer
  }
  const cursor = (one: unknown) => ({ value: pipeline([], [one as object]) })
  const cases: [string, object, string][] = [
    ['no value', {}, '/value'],
    ['no name', { name: undefined, value: ROWS }, '/name'],
    ['an unknown type', { value: { type: 'query' } }, '/value/type'],
    ['an unknown source', { value: pipeline({ type: 'table' }, []) }, '/value/source/type'],
    ['an unknown cursor', cursor({ type: 'pivot' }), '/value/cursors/0/type'],
    ['an unknown operator', cursor(where(path('row.a'), 'like', 'x')), '/value/cursors/0/condition/operator'],
    ['an unknown leaf', cursor({ type: 'filter', condition: { type: 'jsonata' } }), '/value/cursors/0/condition/type'],
    [
      'an unknown function',
      cursor({ type: 'group', aggregates: { n: { function: 'median' } } }),
      '/value/cursors/0/aggregates/n/function',
    ],
    [
      'a bare object in place of an expression',
      cursor({ type: 'map', fields: { a: { b: 1 } } }),
      '/value/cursors/0/fields/a/type',
    ],
    ['a limit below 0', cursor({ type: 'limit', count: -1 }), '/value/cursors/0/count'],
    ['a script as a limit', cursor({ type: 'limit', count: { type: 'script', value: '1' } }), '/value/cursors/0/count'],
    ['an unknown event type', { value: pipeline({ type: 'events', types: ['hit'] }, []) }, '/value/source/types/0'],
    [
      '31 cursors',
      {
        value: pipeline(
          [],
          Array.from({ length: 31 }, () => ({ type: 'limit', count: 1 })),
        ),
      },
      '/value/cursors',
    ],
    [
      'two parameters with the same name',
      {
        value: pipeline(
          [],
          [],
          [
            { name: 'a', type: 'date' },
            { name: 'a', type: 'list' },
          ],
        ),
      },
      '/value/parameters/1/name',
    ],
    [
      'an invalid parameter name',
      { value: pipeline([], [], [{ name: '1a', type: 'date' }]) },
      '/value/parameters/0/name',
    ],
    [
      'an unknown parameter type',
      { value: pipeline([], [], [{ name: 'a', type: 'int' }]) },
      '/value/parameters/0/type',
    ],
    [
      '10,001 rows',
      {
        value: pipeline(
          Array.from({ length: 10_001 }, () => 1),
          [],
        ),
      },
      '/value/source/rows',
    ],
    ['a preview limit above 100', { value: ROWS, preview: { arguments: {}, limit: 101 } }, '/preview/limit'],
    ['preview arguments that are a list', { value: ROWS, preview: { arguments: [1] } }, '/preview/arguments'],
    [
      'a row name that could reach a prototype',
      cursor({ type: 'expand', value: path('row.a'), into: '__proto__' }),
      '/value/cursors/0/into',
    ],
  ]
  for (const [name, body, pointer] of cases)
    test(`returns 400 for ${name}`, async () => {
      assert.equal(await pointerOf(body), pointer)
    })

  test('returns 400 for conditions that are too deep or have too many leaves', async () => {
    const leaf = where(path('row.a'), 'empty').condition
    let deep: object = leaf
    for (let n = 0; n < 21; n++) deep = { all: [deep] }
    assert.match(
      await pointerOf(cursor({ type: 'filter', condition: deep })),
      /^\/value\/cursors\/0\/condition(\/all\/0){20}$/,
    )
    const wide = { any: Array.from({ length: 201 }, () => leaf) }
    assert.equal(await pointerOf(cursor({ type: 'filter', condition: wide })), '/value/cursors/0/condition')
  })

  test('returns 400 for texts that cannot be stored', async () => {
    for (const text of ['\u0000', '\ud800'])
      assert.equal((await make({ name: 'x', value: pipeline([{ a: text }], []) })).status, 400)
  })

  test('returns 413 above 1 MiB, and 400 for unknown members in strict mode', async () => {
    const large = pipeline(
      Array.from({ length: 10_000 }, () => ({ text: 'x'.repeat(120) })),
      [],
    )
    assert.equal((await make({ name: 'x', value: large })).status, 413)
    const odd = await make({ name: 'x', value: { ...ROWS, colour: 'red' } }, { headers: { prefer: 'handling=strict' } })
    assert.deepEqual([odd.status, odd.body.errors[0].pointer], [400, '/value/colour'])
  })
})

suite('compilables: change', () => {
  test('PUT retains absent members, and PATCH accepts a merge or operations', async () => {
    const id = await made(bestCustomers(SEGMENT).value, { description: 'first' })
    clock.advance(1000)
    const put = await call('PUT', url(id), { body: { name: 'Renamed' } })
    assert.deepEqual(some(put.body, 'name', 'description'), { name: 'Renamed', description: 'first' })
    assert.equal(put.body.stamp.modification, new Date(clock.now()).toISOString())
    const merged = await call('PATCH', url(id), { body: { description: null, preview: { limit: 5 } } })
    assert.deepEqual(some(merged.body, 'description', 'preview'), {
      description: null,
      preview: { arguments: {}, limit: 5 },
    })
    const operations = [
      { op: 'test', path: '/name', value: 'Renamed' },
      { op: 'replace', path: '/value/cursors/3/count', value: 1 },
      { op: 'remove', path: '/value/parameters/1' },
    ]
    const patched = await call('PATCH', url(id), {
      body: operations,
      headers: { 'content-type': 'application/json-patch+json' },
    })
    assert.equal(patched.status, 200, patched.text)
    assert.equal(patched.body.value.cursors[3].count, 1)
    const failed = [{ op: 'test', path: '/name', value: 'Another' }]
    assert.equal((await call('PATCH', url(id), { body: failed })).status, 409)
    assert.equal((await call('PATCH', url(id), { body: { value: null } })).status, 400)
  })

  test('a stale ETag returns 412', async () => {
    const id = await made(ROWS)
    const { headers } = await call('GET', url(id))
    const match = { 'if-match': String(headers['etag']) }
    assert.equal((await call('PUT', url(id), { body: { name: 'A' }, headers: match })).status, 200)
    assert.equal((await call('PUT', url(id), { body: { name: 'B' }, headers: match })).status, 412)
  })

  test('a copy has its own id and name', async () => {
    const id = await made(ROWS, { name: 'Original' })
    const first = await call('POST', url(id, '/duplication'))
    assert.deepEqual(some(first.body, 'name', 'state', 'value'), {
      name: 'Original (1)',
      state: 'ready',
      value: (await call('GET', url(id))).body.value,
    })
    assert.equal((await call('POST', url(id, '/duplication'))).body.name, 'Original (2)')
    assert.notEqual(first.body.id, id)
  })

  test('DELETE returns 204, then 404', async () => {
    const id = await made(ROWS)
    assert.equal((await call('DELETE', url(id))).status, 204)
    assert.equal((await call('GET', url(id))).status, 404)
    assert.equal((await call('DELETE', url(id))).status, 404)
  })

  test('DELETE of a compilable in use returns 409 and names its user', async () => {
    const inner = await made(ROWS)
    const outer = await made(pipeline({ type: 'compilable', id: inner }, []), { name: 'Outer' })
    const refused = await call('DELETE', url(inner))
    assert.equal(refused.status, 409)
    assert.deepEqual(
      [refused.body.type, refused.body.links],
      ['urn:stentor:problem:in-use', [{ type: 'compilable', id: outer, name: 'Outer' }]],
    )
    assert.equal((await call('DELETE', url(outer))).status, 204)
    assert.equal((await call('DELETE', url(inner))).status, 204)
  })
})

suite('compilables: state', () => {
  const stateOf = async (id: string): Promise<string> => (await call('GET', url(id))).body.state

  test('deleting the segment it uses makes it a draft with one flaw, and its execution returns 409', async () => {
    const segment = await stage.segment(people)
    const id = await made(bestCustomers(segment).value)
    assert.equal(await stateOf(id), 'ready')
    assert.equal((await call('DELETE', `/segments/${segment}`)).status, 204)
    assert.equal(await stateOf(id), 'draft')
    const expected = [
      {
        type: 'unknown-reference',
        severity: 'error',
        path: '/value/source/segment',
        message: `There is no segment ${segment}.`,
      },
    ]
    assert.deepEqual(await flaws(id), expected)
    const refused = await execute(id, { top: 1 })
    assert.equal(refused.status, 409)
    assert.deepEqual([refused.body.type, refused.body.flaws], ['urn:stentor:problem:compilable-flawed', expected])
    const previewed = await preview(id, { arguments: { top: 1 } })
    assert.deepEqual([previewed.status, previewed.body], [200, { type: 'error', flaws: expected }])
  })

  test('the state follows fields, value lists and other compilables, and lists show it', async () => {
    const field = (await call('POST', '/fields', { body: { name: 'Passing', type: 'numeric' } })).body.id
    const list = (await call('POST', '/valueLists', { body: { name: 'Passing', values: [{ value: 'a' }] } })).body.id
    const byField = await made(pipeline({ type: 'targets' }, [where(path('row.fields.Passing'), 'notEmpty')]), {
      name: 'following',
    })
    const byList = await made(pipeline({ type: 'valueList', id: list }, []))
    const outer = await made(pipeline({ type: 'compilable', id: byField }, []))
    const outermost = await made(
      pipeline(
        [{}],
        [
          {
            type: 'join',
            source: { type: 'compilable', id: outer },
            into: 'other',
            on: { left: path('row.id'), right: path('other.id') },
          },
        ],
      ),
    )
    for (const id of [byField, byList, outer, outermost]) assert.equal(await stateOf(id), 'ready')
    await call('DELETE', `/fields/${field}`)
    await call('DELETE', `/valueLists/${list}`)
    assert.equal(await stateOf(outermost), 'draft')
    assert.deepEqual(
      (await flaws(outermost)).map(({ type, path: at }) => `${type} ${at}`),
      ['flawed-reference /value/cursors/0/source/id'],
    )
    const drafts = await call('GET', '/scripting/compilables?state=draft&name=following')
    assert.deepEqual(
      drafts.body.map(({ id }: { id: string }) => id),
      [byField],
    )
    for (const id of [byList, outer]) assert.equal(await stateOf(id), 'draft')
    await call('POST', '/fields', { body: { name: 'Passing', type: 'numeric' } })
    for (const id of [byField, outer, outermost]) assert.equal(await stateOf(id), 'ready')
  })

  test('changing what another compilable needs changes the state of that compilable', async () => {
    const inner = await made(pipeline([1], []))
    const outer = await made(pipeline({ type: 'compilable', id: inner }, []))
    assert.equal(await stateOf(outer), 'ready')
    const parameters = [{ name: 'needed', type: 'number', required: true }]
    await call('PATCH', url(inner), { body: { value: { parameters } } })
    assert.equal(await stateOf(outer), 'draft')
    assert.deepEqual(
      (await flaws(outer)).map(({ type, path: at }) => `${type} ${at}`),
      ['missing-parameter /value/source/arguments'],
    )
  })
})

suite('compilables: executions', () => {
  test('the answer has the used arguments, including defaults, and the value', async () => {
    const id = await made(bestCustomers(SEGMENT).value)
    const { status, body } = await execute(id, { top: 2 })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      type: 'success',
      arguments: { minAge: 18, top: 2 },
      value: [
        { id: people[0], spent: 912.5 },
        { id: people[2], spent: 640 },
      ],
    })
  })

  test('missing, mistyped or unknown arguments return 400', async () => {
    const id = await made(bestCustomers(SEGMENT).value)
    const pointers = async (given: unknown): Promise<unknown> => {
      const { status, body } = await execute(id, given)
      return [status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]
    }
    assert.deepEqual(await pointers(undefined), [400, ['/top']])
    assert.deepEqual(await pointers({ top: null }), [400, ['/top']])
    assert.deepEqual(await pointers({ top: '2' }), [400, ['/top']])
    assert.deepEqual(await pointers({ top: 2, other: 1 }), [400, ['/other']])
    assert.deepEqual(await pointers({ top: 2.5 }), [400, ['/top']])
    assert.deepEqual(await pointers({ top: 2, minAge: 'x' }), [400, ['/minAge']])
    assert.equal((await execute(id, [1])).status, 400)
  })

  test('each parameter type is checked, dates are normalized and null counts as absent', async () => {
    const types = ['string', 'number', 'boolean', 'date', 'list', 'object']
    const fields = Object.fromEntries(types.map((type) => [type, path(`arguments.${type}`)]))
    const parameters = types.map((type) => ({ name: type, type }))
    const id = await made(pipeline([1], [{ type: 'map', fields }], parameters))
    const given = { string: 'a', number: 1.5, boolean: false, date: '2026-01-05', list: [1], object: { a: null } }
    const { body } = await execute(id, given)
    const used = { ...given, date: '2026-01-05T00:00:00.000Z' }
    assert.deepEqual(body, { type: 'success', arguments: used, value: [used] })
    const none = await execute(id, { string: null })
    assert.deepEqual(none.body.arguments, {})
    assert.deepEqual(none.body.value, [Object.fromEntries(types.map((type) => [type, null]))])
    for (const type of types) {
      const wrong = type === 'string' ? 1 : type === 'date' ? 'soon' : 'x'
      assert.equal((await execute(id, { [type]: wrong })).status, 400, type)
    }
    assert.equal((await execute(id, { string: '\u0000' })).status, 400)
  })

  test('a preview runs the value in the request, or lists its flaws, and leaves the stored one unchanged', async () => {
    const id = await made(ROWS)
    const before = (await call('GET', url(id))).body
    const value = pipeline(
      [{ n: 5 }, { n: 6 }, { n: 7 }],
      [where(path('row.n'), 'greater', path('arguments.than'))],
      [{ name: 'than', type: 'number' }],
    )
    const { body } = await preview(id, { value, arguments: { than: 5 }, limit: 1 })
    assert.equal(typeof body.plan.durationMs, 'number')
    assert.deepEqual(
      { ...body, plan: { ...body.plan, durationMs: 0 } },
      {
        type: 'success',
        arguments: { than: 5 },
        value: [{ n: 6 }],
        writes: [],
        plan: { sql: 1, memory: 0, rowsRead: 1, durationMs: 0 },
      },
    )
    const whole = await preview(id, { value: { name: 'x', value, preview: { than: 6 } } })
    assert.deepEqual([whole.body.arguments, whole.body.value], [{ than: 6 }, [{ n: 7 }]])
    const broken = await preview(id, { value: pipeline({ type: 'segment', segment: 99_999 }, []) })
    assert.equal(broken.status, 200)
    assert.deepEqual(
      [broken.body.type, broken.body.flaws.map(({ type }: { type: string }) => type)],
      ['error', ['unknown-reference']],
    )
    assert.equal((await preview(id, { value: { type: 'odd' } })).status, 400)
    assert.equal((await preview(id, { limit: 0 })).status, 400)
    const wrong = await preview(id, { value, arguments: { than: 'x' } })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/arguments/than'])
    assert.deepEqual((await call('GET', url(id))).body, before)
  })
})

suite('compilables: other accounts, rights and limits', () => {
  test('the id of another account returns 404 like an unknown one', async () => {
    const id = await made(ROWS)
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/flaws'],
      ['POST', '/duplication'],
      ['POST', '/execution'],
      ['POST', '/preview'],
    ]
    for (const [method, rest, body] of calls) {
      const options = body ? { body } : {}
      const foreign = await call(method, url(id, rest), { ...options, key: other.key })
      const unknown = await call(method, url(UNKNOWN, rest), options)
      const unreadable = await call(method, url('x', rest), options)
      assert.deepEqual([foreign.status, unknown.status, unreadable.status], [404, 404, 404], `${method} ${rest}`)
    }
    const theirs = await call('GET', '/scripting/compilables', { key: other.key })
    assert.deepEqual(theirs.body, [])
    assert.equal((await call('GET', url(id))).status, 200)
  })

  test('a segment of another account is a flaw, or a 400 if passed as an argument', async () => {
    const { body } = await make(bestCustomers(SEGMENT), { key: other.key })
    assert.equal(body.state, 'draft')
    const found = await call('GET', url(body.id, '/flaws'), { key: other.key })
    assert.deepEqual(
      found.body.map(({ type, path: at }: { type: string; path: string }) => `${type} ${at}`),
      [
        'unknown-field /value/cursors/0/condition/left/value',
        'unknown-field /value/cursors/1/fields/spent/value',
        'unknown-reference /value/source/segment',
      ],
    )
    const argument = await make(
      {
        name: 'Any segment',
        value: pipeline({ type: 'segment', segment: path('arguments.id') }, [], [{ name: 'id', type: 'number' }]),
      },
      { key: other.key },
    )
    const refused = await execute(argument.body.id, { id: SEGMENT }, { key: other.key })
    assert.deepEqual(
      [refused.status, refused.body.errors],
      [400, [{ pointer: '/id', detail: 'must be the id of a segment' }]],
    )
  })

  test('reading and executing require the read right, and changes require write', async () => {
    const id = await made(ROWS)
    const reader = await makeKey(own.account, ['read'])
    const writer = await makeKey(own.account, ['write'])
    for (const rest of ['/execution', '/preview']) {
      assert.equal((await call('POST', url(id, rest), { key: reader })).status, 200)
      assert.equal((await call('POST', url(id, rest), { key: writer })).status, 403)
    }
    assert.equal((await call('GET', url(id), { key: writer })).status, 403)
    assert.equal((await call('PUT', url(id), { key: reader, body: { name: 'x' } })).status, 403)
    assert.equal((await call('DELETE', url(id), { key: reader })).status, 403)
    assert.equal((await call('POST', url(id, '/duplication'), { key: reader })).status, 403)
    assert.equal((await call('PUT', url(id), { key: writer, body: { name: 'x' } })).status, 200)
    assert.equal((await call('GET', url(id), { key: null })).status, 401)
  })

  test('an unsupported method returns 405', async () => {
    assert.equal((await call('PUT', '/scripting/compilables', { body: {} })).status, 405)
  })

  test('an account can have at most 1,000 compilables', async () => {
    const account = await stage.makeAccount('FULL003')
    await stage.context.pool.query(
      `insert into compilables (id, account, name, value, preview, state, created_at, updated_at)
       select gen_random_uuid(), $1, 'x', '{"type":"pipeline","source":{"type":"targets"},"cursors":[],"parameters":[]}',
         '{"arguments":{},"limit":10}', 'ready', now(), now() from generate_series(1, 1000)`,
      [account.account],
    )
    const refused = await make({ name: 'one more', value: ROWS }, { key: account.key })
    assert.deepEqual([refused.status, refused.body.type], [409, 'urn:stentor:problem:too-many-compilables'])
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  compare,
  compilableStage,
  literal,
  path,
  pipeline,
  script,
  template,
  where,
} from '../../support/stages/pipeline-stage.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call } = stage
const { made, flaws, flawsOf, make, url } = compilableStage(stage)
const UNKNOWN = '0193c0de-7000-7000-8000-000000000041'

for (const [name, type] of [
  ['Age', 'numeric'],
  ['Born', 'date'],
  ['Nick', 'textField'],
])
  assert.equal((await call('POST', '/fields', { body: { name, type } })).status, 200)
const CITIES = (await call('POST', '/valueLists', { body: { name: 'Cities', values: [{ value: 'Paris' }] } })).body.id
await call('POST', '/fields', { body: { name: 'Tags', type: 'multipleSelectList', valueListId: CITIES } })
const SEGMENT = await stage.segment([])

const targets = (...cursors: object[]) => pipeline({ type: 'targets' }, cursors)
const mapped = (fields: object, more: object = {}) => ({ type: 'map', fields, ...more })

/** Type, severity and place of each flaw. */
async function placesOf(value: object): Promise<unknown[]> {
  const found = await flaws(await made(value))
  return found.map((one) => [one.type, one.severity, one.path, 'position' in one ? one.position : undefined])
}

suite('compilable flaws', () => {
  const cases: [string, object, string[]][] = [
    ['a missing source', { type: 'pipeline' }, ['missing-setting /value/source']],
    ['a missing segment', pipeline({ type: 'segment' }, []), ['missing-setting /value/source/segment']],
    ['no event types', pipeline({ type: 'events' }, []), ['missing-setting /value/source/types']],
    ['a filter without condition', targets({ type: 'filter' }), ['missing-setting /value/cursors/0/condition']],
    [
      'a comparison without sides',
      targets({ type: 'filter', condition: { type: 'compare' } }),
      ['left', 'operator'].map((name) => `missing-setting /value/cursors/0/condition/${name}`),
    ],
    [
      'a comparison without right side',
      targets(where(path('row.id'), 'equals')),
      ['missing-setting /value/cursors/0/condition/right'],
    ],
    ['a sort without by', targets({ type: 'sort' }), ['missing-setting /value/cursors/0/by']],
    ['a distinct without by', targets({ type: 'distinct', by: [] }), ['missing-setting /value/cursors/0/by']],
    ['a limit without count', targets({ type: 'limit' }), ['missing-setting /value/cursors/0/count']],
    [
      'an aggregate without value',
      targets({ type: 'group', aggregates: { a: { function: 'sum' }, n: { function: 'count' } } }),
      ['missing-setting /value/cursors/0/aggregates/a/value'],
    ],
    [
      'a join without settings',
      targets({ type: 'join' }),
      ['into', 'on', 'source'].map((name) => `missing-setting /value/cursors/0/${name}`),
    ],
    ['an empty script', targets({ type: 'script', value: ' ' }), ['missing-setting /value/cursors/0/value']],
    [
      'a parameter without name and type',
      pipeline([], [], [{}]),
      ['missing-setting /value/parameters/0/name', 'missing-setting /value/parameters/0/type'],
    ],
    [
      'an unknown segment',
      pipeline({ type: 'segment', segment: 99_999 }, []),
      ['unknown-reference /value/source/segment'],
    ],
    ['an unknown list', pipeline({ type: 'valueList', id: 99_999 }, []), ['unknown-reference /value/source/id']],
    [
      'an unknown compilable',
      pipeline({ type: 'compilable', id: UNKNOWN }, []),
      ['unknown-reference /value/source/id'],
    ],
    [
      'an unknown action and a number as an id',
      pipeline({ type: 'events', types: ['action.hit'], ids: ['000ZZZ', 5] }, []),
      ['unknown-reference /value/source/ids/0', 'type-mismatch /value/source/ids/1'],
    ],
    [
      'an unknown segment in criteria',
      targets({ type: 'filter', condition: { type: 'criteria', value: { type: 'segment', segment: 99_999 } } }),
      ['unknown-reference /value/cursors/0/condition/value/segment'],
    ],
    [
      'invalid criteria',
      targets({
        type: 'filter',
        condition: { any: [{ type: 'criteria', value: { type: 'field', field: 1, operator: 'near' } }] },
      }),
      ['type-mismatch /value/cursors/0/condition/any/0/value/operator'],
    ],
    [
      'an unknown field',
      targets(mapped({ a: path('row.fields.Nothing.x') })),
      ['unknown-field /value/cursors/0/fields/a/value'],
    ],
    ['fields by id and by name', targets(mapped({ a: path('row.fields.1'), b: path('row.fields["Age"]') })), []],
    ['members of inline rows', pipeline([{}], [mapped({ a: path('row.nothing.at.all') })]), []],
    [
      'an unknown root',
      targets(mapped({ a: path('contact.id') })),
      ['unknown-variable /value/cursors/0/fields/a/value'],
    ],
    [
      'an unknown parameter',
      targets({ type: 'limit', count: path('arguments.top') }),
      ['unknown-variable /value/cursors/0/count/value'],
    ],
    ['an invalid path', targets(mapped({ 'a/b': path('row..x') })), ['syntax /value/cursors/0/fields/a~1b/value']],
    ['an invalid template', targets(mapped({ a: template('{{ row.id') })), ['syntax /value/cursors/0/fields/a/value']],
    [
      'an unknown filter',
      targets(mapped({ a: template('{{ row.id | shout }}') })),
      ['unknown-filter /value/cursors/0/fields/a/value'],
    ],
    ['an invalid script', targets(mapped({ a: script('row.(') })), ['syntax /value/cursors/0/fields/a/value']],
    ['an invalid module', targets({ type: 'script', value: 'export default (' }), ['syntax /value/cursors/0/value']],
    [
      'a module without default export',
      targets({ type: 'script', value: 'const a = 1' }),
      ['missing-export /value/cursors/0/value'],
    ],
    [
      'a function that cursor scripts do not have',
      targets({ type: 'script', value: 'export default async (rows) => targets.get(rows[0])' }),
      ['missing-capability /value/cursors/0/value'],
    ],
    [
      'criteria for rows that are not contacts',
      targets(mapped({ id: path('row.id') }), { type: 'filter', condition: { type: 'criteria', value: { all: [] } } }),
      ['type-mismatch /value/cursors/1/condition'],
    ],
    [
      'criteria for contacts with added members',
      targets(mapped({ x: 1 }, { keep: true }), {
        type: 'filter',
        condition: { type: 'criteria', value: { all: [] } },
      }),
      [],
    ],
    [
      'a default of another type',
      pipeline(
        [],
        [where(path('row.a'), 'greater', path('arguments.n'))],
        [{ name: 'n', type: 'number', default: 'x' }],
      ),
      ['type-mismatch /value/parameters/0/default'],
    ],
    [
      'an unused parameter',
      pipeline([], [], [{ name: 'n', type: 'number' }]),
      ['unused-parameter /value/parameters/0'],
    ],
    [
      'an argument for rows that is not a list',
      pipeline({ type: 'inline', rows: path('arguments.n') }, [], [{ name: 'n', type: 'number' }]),
      ['type-mismatch /value/source/rows'],
    ],
    [
      'an argument for a limit that is not a number',
      pipeline([], [{ type: 'limit', count: path('arguments.n') }], [{ name: 'n', type: 'string' }]),
      ['type-mismatch /value/cursors/0/count'],
    ],
    [
      'a sum of texts',
      targets({ type: 'group', aggregates: { s: { function: 'sum', value: path('row.fields.Nick') } } }),
      ['type-mismatch /value/cursors/0/aggregates/s/value'],
    ],
    [
      'an expand of a number',
      targets({ type: 'expand', value: path('row.fields.Age'), into: 'e' }),
      ['type-mismatch /value/cursors/0/value'],
    ],
    [
      'a join of a number with a text',
      targets({
        type: 'join',
        source: { type: 'valueList', id: CITIES },
        into: 'o',
        on: { left: path('row.fields.Age'), right: path('other.value') },
      }),
      ['type-mismatch /value/cursors/0/on/right'],
    ],
    [
      'an unknown parameter of a template',
      { type: 'template', value: '{{ arguments.who }}' },
      ['unknown-variable /value/value'],
    ],
    ['an unknown tag of a template', { type: 'template', value: '{% cancel %}' }, ['syntax /value/value']],
    ['a missing template', { type: 'template' }, ['missing-setting /value/value']],
    ['a missing script', { type: 'script' }, ['missing-setting /value/value']],
    ['a script without default export', { type: 'script', value: 'let a' }, ['missing-export /value/value']],
    [
      'an invalid import and a function that is not granted',
      {
        type: 'script',
        value: 'import "m"; export default () => http.fetch("https://x.example")',
        scripting: { imports: [{ name: 'm', type: 'source', value: 'export (' }] },
      },
      ['syntax /value/scripting/imports/0/value', 'missing-capability /value/value'],
    ],
    [
      'an unknown webtask',
      {
        type: 'script',
        value: 'export default () => 1',
        scripting: { imports: [{ name: 'm', type: 'webtask', value: 9999 }] },
      },
      ['unknown-reference /value/scripting/imports/0/value'],
    ],
  ]
  for (const [name, value, expected] of cases)
    test(`reports ${expected.join(', ') || 'no flaw'} for ${name}`, async () => {
      assert.deepEqual(await flawsOf(value), expected)
    })

  test('literals and operators must match the types of the fields', async () => {
    const fits = async (left: string, operator: string, right?: unknown): Promise<string[]> =>
      (await flawsOf(targets(where(path(`row.fields.${left}`), operator, right)))).map((one) =>
        one.replace('/value/cursors/0/condition/', ''),
      )
    assert.deepEqual(await fits('Age', 'greater', 5), [])
    assert.deepEqual(await fits('Age', 'greater', 'x'), ['type-mismatch right'])
    assert.deepEqual(await fits('Age', 'contains', 'x'), ['type-mismatch operator'])
    assert.deepEqual(await fits('Age', 'equals', 'x'), ['type-mismatch right'])
    assert.deepEqual(await fits('Age', 'in', literal([1, 'x'])), ['type-mismatch right'])
    assert.deepEqual(await fits('Age', 'between', literal([1, 2])), [])
    assert.deepEqual(await fits('Age', 'between', literal(['2026-01-01', '2026-02-01'])), ['type-mismatch right'])
    assert.deepEqual(await fits('Born', 'before', literal({ ago: { value: 1, unit: 'day' } })), [])
    assert.deepEqual(await fits('Born', 'before', 'soon'), ['type-mismatch right'])
    assert.deepEqual(await fits('Born', 'within', literal({ last: { value: 1, unit: 'week' } })), [])
    assert.deepEqual(await fits('Born', 'within', literal({ last: 5 })), ['type-mismatch right'])
    assert.deepEqual(await fits('Born', 'greater', 5), ['type-mismatch operator'])
    assert.deepEqual(await fits('Born', 'equals', '2026-01-05'), [])
    assert.deepEqual(await fits('Born', 'equals', 'x'), ['type-mismatch right'])
    assert.deepEqual(await fits('Nick', 'startsWith', 'x'), [])
    assert.deepEqual(await fits('Nick', 'startsWith', 5), ['type-mismatch right'])
    assert.deepEqual(await fits('Nick', 'greater', 5), ['type-mismatch operator'])
    assert.deepEqual(await fits('Nick', 'equals', path('row.fields.Age')), ['type-mismatch right'])
    assert.deepEqual(await fits('Tags', 'in', literal(['Paris'])), [])
    assert.deepEqual(await fits('Tags', 'contains', 'Paris'), ['type-mismatch operator'])
    assert.deepEqual(await fits('Tags', 'notEmpty'), [])
    assert.deepEqual(
      await flawsOf(pipeline([{}], [where(path('row.any'), 'contains', 'x'), where(path('row.any'), 'greater', 5)])),
      [],
    )
    assert.deepEqual(
      await flawsOf(targets(where(path('row.creationDate'), 'after', 5), where(path('row.id'), 'in', 'x'))),
      ['type-mismatch /value/cursors/1/condition/right'],
    )
  })

  test('types are tracked through cursors and used compilables', async () => {
    const value = targets(
      mapped({ age: path('row.fields.Age'), born: path('row.fields.Born') }),
      {
        type: 'group',
        by: { born: path('row.born') },
        aggregates: { oldest: { function: 'max', value: path('row.age') } },
      },
      where(path('row.oldest'), 'contains', 'x'),
      where(path('row.born'), 'greater', 1),
    )
    assert.deepEqual(await flawsOf(value), [
      'type-mismatch /value/cursors/2/condition/operator',
      'type-mismatch /value/cursors/3/condition/operator',
    ])
    const inner = await made(targets(mapped({ age: path('row.fields.Age') })))
    assert.deepEqual(
      await flawsOf(pipeline({ type: 'compilable', id: inner }, [where(path('row.age'), 'before', 'x')])),
      ['type-mismatch /value/cursors/0/condition/operator'],
    )
  })

  test('flaws have a severity and a position in the text, and a compilable with only warnings is ready', async () => {
    assert.deepEqual(
      await placesOf(targets(mapped({ a: path('  row.fields.Nothing'), b: template('Dear\n {{ arguments.x }}') }))),
      [
        ['unknown-field', 'error', '/value/cursors/0/fields/a/value', { line: 1, column: 3, length: 18 }],
        ['unknown-variable', 'warning', '/value/cursors/0/fields/b/value', { line: 2, column: 5, length: 11 }],
      ],
    )
    const value = { type: 'script', value: 'export default () => {\n  return events.list("x")\n' }
    assert.deepEqual(await placesOf(value), [
      ['missing-capability', 'warning', '/value/value', { line: 2, column: 10, length: 11 }],
      ['syntax', 'error', '/value/value', { line: 3, column: 1, length: 1 }],
    ])
    const { body } = await make({ name: 'warned', value: { type: 'template', value: '{{ arguments.x }}' } })
    assert.equal(body.state, 'ready')
  })

  test('sort and group after a cursor that runs in memory are reported', async () => {
    const filter = where(script('row.a * 2'), 'greater', 2)
    const sort = { type: 'sort', by: [{ value: path('row.a') }] }
    const limit = { type: 'limit', count: 1 }
    assert.deepEqual(await flawsOf(pipeline([], [sort, filter, limit, sort])), ['in-memory /value/cursors/3'])
    const inner = await made(pipeline([], [filter]))
    const outer = pipeline({ type: 'compilable', id: inner }, [limit, { type: 'group', by: {}, aggregates: {} }])
    assert.deepEqual(await flawsOf(outer), ['in-memory /value/cursors/1'])
  })

  test('recursive, flawed, deeply nested and non-pipeline sources are reported', async () => {
    const first = await made(pipeline([], []))
    const second = await made(pipeline({ type: 'compilable', id: first }, []))
    const change = async (id: string, value: object) => (await call('PUT', url(id), { body: { value } })).body.state
    assert.equal(await change(first, pipeline({ type: 'compilable', id: second }, [])), 'draft')
    const types = async (id: string) => (await flaws(id)).map(({ type, path: at }) => `${type} ${at}`)
    assert.deepEqual(await types(first), ['recursion /value/source/id'])
    assert.deepEqual(await types(second), ['recursion /value/source/id'])
    const third = await made(pipeline({ type: 'compilable', id: first }, []))
    assert.deepEqual(await types(third), ['flawed-reference /value/source/id'])
    const own = await made(pipeline([], []))
    assert.equal(await change(own, pipeline({ type: 'compilable', id: own }, [])), 'draft')
    assert.deepEqual(await types(own), ['recursion /value/source/id'])
    let deep = await made(pipeline([], []))
    for (let n = 0; n < 5; n++) {
      deep = await made(pipeline({ type: 'compilable', id: deep }, []))
      assert.deepEqual(await types(deep), [], `${n + 1} below it`)
    }
    assert.deepEqual(await flawsOf(pipeline({ type: 'compilable', id: deep }, [])), ['limit /value/source/id'])
    const text = await made({ type: 'template', value: 'x' })
    assert.deepEqual(await flawsOf(pipeline({ type: 'compilable', id: text }, [])), ['type-mismatch /value/source/id'])
  })

  test('arguments of a used compilable are checked against its parameters', async () => {
    const inner = await made(
      pipeline(
        [{}],
        [mapped({ a: path('arguments.a'), b: path('arguments.b') })],
        [
          { name: 'a', type: 'number', required: true },
          { name: 'b', type: 'date' },
        ],
      ),
    )
    const given = (values: object) => flawsOf(pipeline({ type: 'compilable', id: inner, arguments: values }, []))
    assert.deepEqual(await given({ a: 1, b: '2026-01-05' }), [])
    assert.deepEqual(await given({}), ['missing-parameter /value/source/arguments'])
    assert.deepEqual(await given({ a: 'x', b: 'soon', c: 1 }), [
      'type-mismatch /value/source/arguments/a',
      'type-mismatch /value/source/arguments/b',
      'unused-parameter /value/source/arguments/c',
    ])
  })

  test('at most 200 flaws are listed, followed by one limit flaw', async () => {
    const fields = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`f${n}`, path('nowhere.x')]))
    const found = await flaws(await made(targets(mapped(fields), mapped(fields))))
    assert.equal(found.length, 201)
    assert.deepEqual([found[200]!.type, found[200]!.severity], ['limit', 'error'])
  })

  test('rows with more than 1,000 members are reported', async () => {
    const fields = (n: number) => Object.fromEntries(Array.from({ length: 200 }, (_, m) => [`f${n}-${m}`, 1]))
    const value = pipeline(
      [{}],
      Array.from({ length: 6 }, (_, n) => mapped(fields(n), { keep: true })),
    )
    assert.deepEqual(await flawsOf(value), ['limit /value/cursors/5'])
  })

  test('nested conditions of all kinds have no flaws', async () => {
    const condition = {
      all: [
        { any: [compare(path('row.fields.Age'), 'greater', 1), { none: [compare(path('row.fields.Nick'), 'empty')] }] },
        { type: 'criteria', value: { type: 'segment', segment: SEGMENT } },
        path('row.fields.Age'),
        true,
      ],
    }
    assert.deepEqual(await flawsOf(targets({ type: 'filter', condition })), [])
  })
})

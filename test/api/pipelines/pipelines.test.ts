import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { EventKind } from '../../../src/features/events/kinds/event-kinds.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import type { PipelineDefinition } from '../../../src/features/pipelines/definition/definition.ts'
import { type PipelineRunContext, runPipeline } from '../../../src/features/pipelines/execution/run.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { statementsOf } from '../../support/database/statements.ts'
import {
  bestCustomers,
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
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, other, own } = stage
const { db, pool } = context
const { make, made, resultOf, errorOf, execute, preview, flaws } = compilableStage(stage)

const put = async (url: string, body: object) => {
  const answer = await call('POST', url, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}
const CITIES = await put('/valueLists', {
  name: 'Cities',
  values: [{ value: 'Paris' }, { value: 'Évry' }, { value: 'Lyon' }],
})
const TAGS = await put('/valueLists', { name: 'Tags', ordered: true, values: [{ value: 'Tea' }, { value: 'Chess' }] })
const AGE = await put('/fields', { name: 'Age', type: 'numeric' })
await put('/fields', { name: 'Spent', type: 'numeric' })
await put('/fields', { name: 'Born', type: 'date' })
await put('/fields', { name: 'City', type: 'singleSelectList', valueListId: CITIES })
await put('/fields', { name: 'Tags', type: 'multipleSelectList', valueListId: TAGS })
await put('/fields', { name: 'a"b', type: 'textField' })

const ANN = await stage.contact('ann@rows.example', {
  Age: 30,
  Spent: 10.5,
  Born: '1996-01-05',
  City: 'Paris',
  Tags: ['Tea', 'Chess'],
  'a"b': "'; drop table contacts",
})
const BOB = await stage.contact('bob@rows.example', { Age: 20, Spent: 5, City: 'évry' })
const CAT = await stage.contact('cat@rows.example', { City: 'Paris' })
const SEGMENT = await stage.segment([CAT, ANN])

const map = (fields: object, more: object = {}) => ({ type: 'map', fields, ...more })
const ids = map({ id: path('row.id') })
const targets = (...cursors: object[]) => pipeline({ type: 'targets' }, cursors)
const rows = (given: readonly unknown[], ...cursors: object[]) => pipeline(given, cursors)
const only = (name: string) => map({ v: path(`row.${name}`) })
/** The members `v` of the rows of a pipeline. */
const column = async (value: object, given: object = {}): Promise<unknown[]> =>
  ((await resultOf(value, given)) as { v: unknown }[]).map(({ v }) => v)

suite('pipeline sources', () => {
  test("targets have the contacts' values by field id and by name", async () => {
    const [ann, ...others] = (await resultOf(targets())) as Record<string, unknown>[]
    const { body } = await call('GET', `/targets/${ANN}`)
    const named = { Email: 'ann@rows.example', Age: 30, Spent: 10.5, Born: '1996-01-05T00:00:00.000Z', City: 'Paris' }
    const { id, hash, creationDate, lastUpdateDate, fields } = body
    assert.deepEqual(ann, {
      id,
      unicity: 'ann@rows.example',
      hash,
      creationDate,
      lastUpdateDate,
      fields: { ...fields, ...named, Tags: ['Chess', 'Tea'], 'a"b': "'; drop table contacts" },
    })
    assert.deepEqual(
      others.map((row) => row['id']),
      [BOB, CAT],
    )
  })

  test('static and dynamic segments can be read, also by an argument', async () => {
    const of = (segment: unknown) => ({
      ...pipeline({ type: 'segment', segment }, [ids]),
      parameters: [{ name: 's', type: 'number' }],
    })
    const criteria = { type: 'field', field: AGE, operator: 'greater', value: 18 }
    const dynamic = await put('/segments', { type: 'dynamic', name: 'Adults', criteria })
    assert.deepEqual(await resultOf(of(SEGMENT)), [{ id: ANN }, { id: CAT }])
    assert.deepEqual(await resultOf(of(dynamic)), [{ id: ANN }, { id: BOB }])
    assert.deepEqual(await resultOf(of(path('arguments.s')), { s: dynamic }), [{ id: ANN }, { id: BOB }])
    const id = await made(of(path('arguments.s')))
    for (const s of [99_999, 1.5, undefined]) {
      const refused = await execute(id, { s })
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/s'])
    }
  })

  test('value lists have an index and a value', async () => {
    assert.deepEqual(await resultOf(pipeline({ type: 'valueList', id: CITIES }, [])), [
      { index: 1, value: 'Paris' },
      { index: 2, value: 'Évry' },
      { index: 3, value: 'Lyon' },
    ])
  })

  test('inline rows and rows of an argument become objects, and more than 10,000 are refused', async () => {
    const given = [{ a: 1 }, 5, 'x', null, [1], { value: { b: [] } }]
    const expected = [{ a: 1 }, { value: 5 }, { value: 'x' }, { value: null }, { value: [1] }, { value: { b: [] } }]
    assert.deepEqual(await resultOf(rows(given)), expected)
    const byArgument = pipeline({ type: 'inline', rows: path('arguments.rows') }, [], [{ name: 'rows', type: 'list' }])
    assert.deepEqual(await resultOf(byArgument, { rows: given }), expected)
    assert.deepEqual(await resultOf(byArgument), [])
    const refused = await execute(await made(byArgument), { rows: Array.from({ length: 10_001 }, () => 1) })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/rows'])
  })

  test('compilables accept computed arguments', async () => {
    const inner = await made(
      pipeline(
        [{ n: 1 }, { n: 2 }, { n: 3 }],
        [where(path('row.n'), 'greaterOrEqual', path('arguments.least'))],
        [{ name: 'least', type: 'number', default: 3 }],
      ),
    )
    const outer = (least: unknown) => ({
      ...pipeline({ type: 'compilable', id: inner, arguments: { least } }, [only('n')]),
      parameters: [{ name: 'more', type: 'number', default: 1 }],
    })
    assert.deepEqual(await column(outer(2)), [2, 3])
    assert.deepEqual(await column(outer(path('arguments.more'))), [1, 2, 3])
    assert.deepEqual(await column(outer(script('arguments.more + 1'))), [2, 3])
    assert.deepEqual(await column(pipeline({ type: 'compilable', id: inner }, [only('n')])), [3])
    const wrong = await execute(await made(outer(template('x'))))
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, ''])
  })
})

suite('pipeline sources: events', () => {
  const stamp = {
    id: createUuidV7(Date.now()),
    thread: createUuidV7(Date.now()),
    set: createUuidV7(Date.now()),
    time: Date.now(),
  }
  interface Given {
    kind?: EventKind
    account?: number
    isTest?: boolean
    subject?: number
    detail?: object
  }
  async function happened(contact: string, { kind = 'hits/open', account = own.account, ...more }: Given = {}) {
    const one = {
      account,
      channel: 'email',
      kind,
      subject: 7,
      stamp: stamp.id,
      thread: stamp.thread,
      isTest: false,
      key: null,
    } as const
    const detail = { activation: { id: '000007', stamp }, ...more.detail }
    await appendEvents(db, [{ ...one, ...more, contact: parseContactId(contact)!, detail }])
  }

  test('events and custom events of the account are read in the order of their ids, without tests', async () => {
    await happened(ANN, { detail: { link: { type: 'open' } } })
    await happened(BOB, { kind: 'responses/stop' })
    await happened(CAT, { isTest: true })
    await happened(CAT, { account: other.account })
    await sql`insert into notices (account, type, contact, data, name) values
      (${own.account}, 'custom', ${parseContactId(BOB)!}, '{"cart": 7}', 'cart.left')`.execute(db)
    const types = ['action.hit', 'action.reply', 'custom']
    const found = (await resultOf(pipeline({ type: 'events', types }, []))) as Record<string, unknown>[]
    const shown = found.map(({ id, timestamp, ...rest }) => {
      assert.match(String(id), /^[0-9a-f-]{36}$/)
      assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      return rest
    })
    const activation = { id: '000007', stamp }
    assert.deepEqual(shown, [
      {
        type: 'action.hit',
        contact: ANN,
        source: 'email',
        kind: 'open',
        stamp,
        data: { activation, link: { type: 'open' } },
      },
      { type: 'action.reply', contact: BOB, source: 'email', kind: 'stop', stamp, data: { activation } },
      { type: 'custom', contact: BOB, source: null, kind: 'cart.left', stamp: null, data: { cart: 7 } },
    ])
    assert.deepEqual(
      found.map(({ id }) => id),
      found.map(({ id }) => id).toSorted(),
    )
  })

  test('bounds may be dates, expressions or periods back, and ids filter by action', async () => {
    clock.set(Date.now() + 1000)
    const count = async (more: object, given: object = {}) => {
      const source = { type: 'events', types: ['action.hit'], ...more }
      const parameters = [{ name: 'since', type: 'date' }]
      const value = pipeline(source, [{ type: 'group', aggregates: { v: { function: 'count' } } }], parameters)
      return (await column(value, given))[0]
    }
    assert.equal(await count({}), 1)
    assert.equal(await count({ start: { unit: 'HOUR', value: 1 } }), 1)
    assert.equal(await count({ end: { unit: 'HOUR', value: 1 } }), 0)
    assert.equal(await count({ start: '2100-01-01' }), 0)
    assert.equal(await count({ start: path('arguments.since') }, { since: '2100-01-01' }), 0)
    assert.equal(await count({ start: path('arguments.since') }), 1)
    assert.equal(await count({ end: path('now') }), 1)
    assert.equal(await count({ ids: [] }), 1)
    const action = await stage.action()
    assert.equal(await count({ ids: [action] }), 0)
  })

  test('events can be joined with contacts and grouped', async () => {
    const value = pipeline({ type: 'events', types: ['action.hit', 'action.reply'] }, [
      {
        type: 'join',
        source: { type: 'segment', segment: SEGMENT },
        into: 'who',
        kind: 'inner',
        on: { left: path('row.contact'), right: path('other.id') },
      },
      { type: 'group', by: { city: path('row.who.fields.City') }, aggregates: { n: { function: 'count' } } },
    ])
    assert.deepEqual(await resultOf(value), [{ city: 'Paris', n: 1 }])
  })
})

suite('pipeline values', () => {
  const list = [
    { v: 10 },
    { v: 9 },
    { v: '9' },
    { v: 'é' },
    { v: 'É' },
    { v: true },
    { v: null },
    {},
    { v: '' },
    { v: [] },
  ]
  const fitting = (...given: [string, unknown?, object?]) =>
    column(rows(list, where(path('row.v'), ...given), only('v')))

  test('comparisons with null or another type hold only for negative operators', async () => {
    assert.deepEqual(await fitting('equals', 9), [9])
    assert.deepEqual(await fitting('notEquals', 9), [10, '9', 'é', 'É', true, null, null, '', []])
    assert.deepEqual(await fitting('equals', literal(null)), [])
    assert.deepEqual((await fitting('notEquals', literal(null))).length, 10)
    assert.deepEqual(await fitting('greater', 9), [10])
    assert.deepEqual(await fitting('greater', path('row.v')), [])
    assert.deepEqual(await fitting('lessOrEqual', path('row.v')), [10, 9])
    assert.deepEqual(await fitting('between', literal([9, 10])), [10, 9])
    assert.deepEqual(await fitting('in', literal([9, 'É', true, null])), [9, 'é', 'É', true])
    assert.deepEqual(await fitting('notIn', literal([9, 10, 'é', true])), ['9', null, null, '', []])
    assert.deepEqual(await fitting('empty'), [null, null, '', []])
    assert.deepEqual(await fitting('notEmpty'), [10, 9, '9', 'é', 'É', true])
  })

  test('texts are compared case-insensitively unless exact is set', async () => {
    assert.deepEqual(await fitting('equals', 'É'), ['é', 'É'])
    assert.deepEqual(await fitting('equals', 'É', { exact: true }), ['É'])
    assert.deepEqual(await fitting('contains', 'É', { exact: true }), ['É'])
    assert.deepEqual(await fitting('startsWith', 'É'), ['é', 'É'])
    assert.deepEqual(await fitting('notContains', 'é'), [10, 9, '9', true, null, null, '', []])
  })

  test('dates are compared as instants, in whatever format', async () => {
    const dates = ['2026-01-05T10:00:00.000Z', '2026-01-05T12:00:00+02:00', '2026-01-05', 'soon', 5, null].map((v) => ({
      v,
    }))
    const of = (...given: [string, unknown]) => column(rows(dates, where(path('row.v'), ...given), only('v')))
    const [first, second, third] = dates.map(({ v }) => v)
    assert.deepEqual(await of('equals', '2026-01-05T10:00:00.000Z'), [first, second])
    assert.deepEqual(await of('before', '2026-01-05T10:00:00.000Z'), [third])
    assert.deepEqual(await of('after', '2026-01-05T10:00:00Z'), [first, second])
    assert.deepEqual(await of('between', literal(['2026-01-05', '2026-01-05T10:00:00Z'])), [third])
    assert.deepEqual(await of('within', literal({ start: '2026-01-05', end: '2026-01-06' })), [first, second, third])
    clock.set('2026-01-06T12:00:00Z')
    assert.deepEqual(await of('after', literal({ ago: { value: 1, unit: 'day' } })), [first, second, third])
    assert.deepEqual(await of('before', literal({ ago: { value: 35, unit: 'hour' } })), [third])
    assert.deepEqual(await of('within', literal({ last: { value: 2, unit: 'day' } })), [first, second, third])
    assert.deepEqual(await of('before', path('now')), [first, second, third])
    const born = await resultOf(targets(where(path('row.fields.Born'), 'equals', '1996-01-05'), ids))
    assert.deepEqual(born, [{ id: ANN }])
  })

  test('days without a time are compared as days of the calendar in every zone, in the database and in memory', async () => {
    const first = { type: 'targets' }
    const of = async (zone: string, now: string, ...given: [string, object]) => {
      clock.set(now)
      await call('PUT', '/settings/contacts', { body: { timeZone: zone } })
      const born = where(path('row.fields.Born'), given[0], literal(given[1]))
      const pushed = await resultOf(pipeline(first, [born, ids]))
      const scriptFilter = { type: 'filter', condition: script('row.id.length === 8') }
      assert.deepEqual(await resultOf(pipeline(first, [scriptFilter, born, ids])), pushed, 'in memory')
      const days = [{ v: '1996-01-05' }, { v: '1996-01-05T00:00:00.001Z' }]
      const texts = await column(rows(days, where(path('row.v'), given[0], literal(given[1])), only('v')))
      return [...(pushed as { id: string }[]).map(({ id }) => id), ...texts]
    }
    const [day, moment] = ['1996-01-05', '1996-01-05T00:00:00.001Z']
    const today = { last: { value: 1, unit: 'day' } }
    assert.deepEqual(await of('America/New_York', '1996-01-05T03:00:00Z', 'within', today), [moment])
    assert.deepEqual(await of('America/New_York', '1996-01-06T04:59:00Z', 'within', today), [ANN, day])
    assert.deepEqual(await of('Pacific/Auckland', '1996-01-04T11:00:00Z', 'within', today), [ANN, day, moment])
    assert.deepEqual(await of('Pacific/Auckland', '1996-01-05T11:00:00Z', 'within', today), [])
    const startOfDay = { ago: { value: 0, unit: 'day' } }
    assert.deepEqual(await of('America/New_York', '1996-01-05T12:00:00Z', 'before', startOfDay), [moment])
    assert.deepEqual(await of('America/New_York', '1996-01-05T12:00:00Z', 'after', startOfDay), [ANN, day])
    assert.deepEqual(await of('Pacific/Auckland', '1996-01-05T10:00:00Z', 'after', startOfDay), [ANN, day, moment])
    await call('PUT', '/settings/contacts', { body: { timeZone: 'UTC' } })
    clock.set('2026-01-06T12:00:00Z')
  })

  test('list values are compared by their labels, and multiple selections are lists', async () => {
    const of = async (...given: [string, string, unknown?]) =>
      (
        (await resultOf(targets(where(path(`row.fields.${given[0]}`), given[1], given[2]), ids))) as { id: string }[]
      ).map(({ id }) => id)
    assert.deepEqual(await of('City', 'equals', 'PARIS'), [ANN, CAT])
    assert.deepEqual(await of('City', 'startsWith', 'é'), [BOB])
    assert.deepEqual(await of('City', 'notIn', literal(['paris'])), [BOB])
    assert.deepEqual(await of('Tags', 'in', literal(['tea', 'x'])), [ANN])
    assert.deepEqual(await of('Tags', 'empty'), [BOB, CAT])
    assert.deepEqual(await column(targets(map({ v: path('row.fields.Tags[1]') }))), ['Tea', null, null])
  })

  test('segment criteria can be used as conditions, pushed down or in memory', async () => {
    const criteria = {
      any: [
        { type: 'field', field: AGE, operator: 'empty' },
        { type: 'segment', segment: SEGMENT, operator: 'notIn' },
      ],
    }
    const filter = { type: 'filter', condition: { type: 'criteria', value: criteria } }
    assert.deepEqual(await resultOf(targets(filter, ids)), [{ id: BOB }, { id: CAT }])
    const kept = map({ a: path('row.fields.Age') }, { keep: true })
    const after = {
      type: 'filter',
      condition: { all: [{ type: 'criteria', value: criteria }, compare(path('row.a'), 'greater', 1)] },
    }
    assert.deepEqual(await resultOf(targets(kept, { type: 'limit', count: 3 }, after, ids)), [{ id: BOB }])
    const inMemory = targets(where(script('row.id.length'), 'equals', 8), filter, ids)
    assert.deepEqual(await resultOf(inMemory), [{ id: BOB }, { id: CAT }])
  })

  test('conditions may be groups, expressions and empty groups', async () => {
    const numbers = [1, 2, 3, 4].map((v) => ({ v, isOdd: v % 2 === 1, text: v > 2 ? 'true' : 'yes' }))
    const of = (condition: unknown) => column(rows(numbers, { type: 'filter', condition }, only('v')))
    const odd = path('row.isOdd')
    assert.deepEqual(await of(odd), [1, 3])
    assert.deepEqual(await of(path('row.text')), [3, 4])
    assert.deepEqual(await of({ none: [odd, path('row.text')] }), [2])
    assert.deepEqual(await of({ any: [compare(path('row.v'), 'equals', 4), { all: [odd, path('row.text')] }] }), [3, 4])
    assert.deepEqual(await of({ all: [] }), [1, 2, 3, 4])
    assert.deepEqual(await of({ any: [] }), [])
    assert.deepEqual(await of({ none: [] }), [1, 2, 3, 4])
    assert.deepEqual(await of(script('row.v > 3')), [4])
    assert.deepEqual(await of(template('{% if row.v < 2 %}true{% endif %}')), [1])
  })
})

suite('pipeline cursors', () => {
  test('map creates new rows or extends them', async () => {
    const given = [{ a: 1, b: { c: [5] } }]
    const fields = {
      x: path('row.b.c[0]'),
      a: path('row.b'),
      t: template('{{ row.a }}!'),
      s: script('row.a + 1'),
      n: path('row.no'),
    }
    const made = { x: 5, a: { c: [5] }, t: '1!', s: 2, n: null }
    assert.deepEqual(await resultOf(rows(given, map(fields))), [made])
    assert.deepEqual(await resultOf(rows(given, map(fields, { keep: true }))), [{ b: { c: [5] }, ...made }])
  })

  test('sort orders texts by code point and numbers by value, separates types, places nulls and is stable', async () => {
    const given = ['b', 10, null, 'É', 9, 'a', true, { x: 1 }, [2], false, '\u{1f600}', '\uffff', null].map((v, n) => ({
      v,
      n,
    }))
    const sorted = (more: object) =>
      column(rows(given, { type: 'sort', by: [{ value: path('row.v'), ...more }] }, only('v')))
    const up = [false, true, 9, 10, 'a', 'b', 'É', '\uffff', '\u{1f600}', [2], { x: 1 }]
    assert.deepEqual(await sorted({}), [...up, null, null])
    assert.deepEqual(await sorted({ direction: 'desc', nulls: 'first' }), [null, null, ...up.toReversed()])
    const ties = rows(
      [2, 1, 2, 1].map((v, n) => ({ v, n })),
      { type: 'sort', by: [{ value: path('row.v'), direction: 'desc' }] },
      only('n'),
    )
    assert.deepEqual(await column({ ...ties, cursors: ties.cursors.with(1, map({ v: path('row.n') })) }), [0, 2, 1, 3])
  })

  test('distinct keeps the first of equal rows, and limit takes a range', async () => {
    const given = [1, '1', 1, null, 'a', 'A', null].map((v) => ({ v }))
    assert.deepEqual(await column(rows(given, { type: 'distinct', by: [path('row.v')] })), [1, '1', null, 'a', 'A'])
    assert.deepEqual(await column(rows(given, { type: 'limit', count: 2, offset: 3 })), [null, 'a'])
    assert.deepEqual(await column(rows(given, { type: 'limit', count: 0 })), [])
  })

  test('group supports every aggregate and orders groups by their first rows', async () => {
    const given = [
      { k: 'b', v: 1, t: 'x' },
      { k: 'a', v: 5, t: null },
      { k: 'b', v: 2.5, t: 'y' },
      { k: 'b', v: null, t: 'y' },
      { k: 'b', v: 'text', t: [1] },
    ]
    const all = {
      count: undefined,
      values: 'v',
      distinct: 't',
      sum: 'v',
      avg: 'v',
      min: 'v',
      max: 'v',
      first: 't',
      last: 't',
      list: 't',
    }
    const names: Record<string, string> = { count: 'count', values: 'count', distinct: 'countDistinct' }
    const aggregates = Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        name,
        { function: names[name] ?? name, ...(value && { value: path(`row.${value}`) }) },
      ]),
    )
    assert.deepEqual(await resultOf(rows(given, { type: 'group', by: { key: path('row.k') }, aggregates })), [
      {
        key: 'b',
        count: 4,
        values: 3,
        distinct: 3,
        sum: 3.5,
        avg: 1.75,
        min: 1,
        max: 'text',
        first: 'x',
        last: [1],
        list: ['x', 'y', 'y', [1]],
      },
      {
        key: 'a',
        count: 1,
        values: 1,
        distinct: 0,
        sum: 5,
        avg: 5,
        min: 5,
        max: 5,
        first: null,
        last: null,
        list: [null],
      },
    ])
    const none = {
      count: 0,
      values: 0,
      distinct: 0,
      sum: 0,
      avg: null,
      min: null,
      max: null,
      first: null,
      last: null,
      list: [],
    }
    assert.deepEqual(await resultOf(rows([], { type: 'group', by: {}, aggregates })), [none])
    assert.deepEqual(await resultOf(rows([], { type: 'group', by: { k: path('row.k') }, aggregates })), [])
    const many = Array.from({ length: 1200 }, (_, n) => ({ n }))
    const listed = { type: 'group', aggregates: { v: { function: 'list', value: path('row.n') } } }
    assert.deepEqual(await column(rows(many, listed)), [Array.from({ length: 1000 }, (_, n) => n)])
    const tenths = Array.from({ length: 10 }, () => ({ n: 0.1 }))
    assert.deepEqual(
      await column(rows(tenths, { type: 'group', aggregates: { v: { function: 'sum', value: path('row.n') } } })),
      [1],
    )
  })

  test('join returns the first or all matches, or only matched rows, and null matches nothing', async () => {
    const given = [{ k: 1 }, { k: 2 }, { k: null }, { k: 'a' }]
    const source = {
      type: 'inline',
      rows: [
        { k: 2, n: 1 },
        { k: 'a', n: 2 },
        { k: 2, n: 3 },
        { k: null, n: 4 },
        { k: 'A', n: 5 },
      ],
    }
    const on = { left: path('row.k'), right: path('other.k') }
    const joined = (more: object) => resultOf(rows(given, { type: 'join', source, on, into: 'o', ...more }))
    const [two, a, second] = source.rows
    assert.deepEqual(await joined({}), [
      { k: 1, o: null },
      { k: 2, o: two },
      { k: null, o: null },
      { k: 'a', o: a },
    ])
    assert.deepEqual(await joined({ kind: 'inner', many: true }), [
      { k: 2, o: [two, second] },
      { k: 'a', o: [a] },
    ])
    assert.deepEqual(await joined({ many: true, kind: 'left' }), [
      { k: 1, o: [] },
      { k: 2, o: [two, second] },
      { k: null, o: [] },
      { k: 'a', o: [a] },
    ])
  })

  test('expand returns one row for each element and none for values that are not lists', async () => {
    const given = [{ n: 1, l: ['a', null] }, { n: 2, l: [] }, { n: 3, l: 'x' }, { n: 4 }, { n: 5, l: [[1]] }]
    assert.deepEqual(
      await resultOf(
        rows(given, { type: 'expand', value: path('row.l'), into: 'e' }, map({ n: path('row.n'), e: path('row.e') })),
      ),
      [
        { n: 1, e: 'a' },
        { n: 1, e: null },
        { n: 5, e: [1] },
      ],
    )
  })

  test('script receives batches of 500 rows in one runtime, with its context', async () => {
    const given = Array.from({ length: 1100 }, (_, n) => ({ n }))
    const value = `let seen = 0; export default (rows, context) => {
      seen += rows.length; return [{ size: rows.length, seen, first: context.first, last: context.last, given: context.arguments, typeof: typeof targets }] }`
    const parameters = [{ name: 'a', type: 'date' }]
    const found = await resultOf(pipeline(given, [{ type: 'script', value }], parameters), { a: '2026-01-05' })
    const told = { given: { a: '2026-01-05T00:00:00.000Z' }, typeof: 'undefined' }
    assert.deepEqual(found, [
      { size: 500, seen: 500, first: true, last: false, ...told },
      { size: 500, seen: 1000, first: false, last: false, ...told },
      { size: 100, seen: 1100, first: false, last: true, ...told },
    ])
    const filtered = pipeline(given, [where(script('row.n < 600'), 'equals', true), { type: 'script', value }])
    assert.deepEqual(
      ((await resultOf(filtered)) as Record<string, unknown>[]).map(({ size, last }) => [size, last]),
      [
        [500, false],
        [100, true],
      ],
    )
    assert.deepEqual(await resultOf(rows([], { type: 'script', value })), [])
    const async = 'export default async (rows) => rows.map(({ n }) => n * 2)'
    assert.deepEqual(await resultOf(rows([{ n: 1 }, { n: 2 }], { type: 'script', value: async })), [
      { value: 2 },
      { value: 4 },
    ])
  })
})

suite('pipeline limits', () => {
  const many = (count: number, ...cursors: object[]) =>
    rows(
      [Array.from({ length: 100 }, (_, n) => n)].map((list) => ({ list })),
      { type: 'expand', value: path('row.list'), into: 'a' },
      { type: 'expand', value: path('row.list'), into: 'b' },
      { type: 'expand', value: path('row.list'), into: 'c' },
      { type: 'limit', count },
      map({ n: path('row.c') }),
      ...cursors,
    )

  test('10,001 rows are an error of type limit', async () => {
    assert.equal(((await resultOf(many(10_000))) as unknown[]).length, 10_000)
    const expected = { type: 'limit', message: 'The result exceeds 10,000 rows.' }
    assert.deepEqual(await errorOf(many(10_001)), expected)
    assert.deepEqual(await errorOf(many(10_001, map({ n: template('1') }))), { ...expected })
  })

  test('a result above 5 MB is an error of type limit', async () => {
    const wide = map({ ...Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`t${n}`, 'x'.repeat(1000)])) })
    const expected = { type: 'limit', message: 'The result exceeds 5 MB.' }
    assert.deepEqual(await errorOf(many(1000, wide)), expected)
    const listed = { type: 'group', aggregates: { l: { function: 'list', value: literal('x'.repeat(6000)) } } }
    assert.deepEqual(await errorOf(many(1000, listed)), expected)
  })

  test('more than 100,000 rows in memory are an error', async () => {
    const value = many(
      100_001,
      { type: 'script', value: 'export default (rows) => rows' },
      { type: 'sort', by: [{ value: path('row.n') }] },
    )
    const { type } = await errorOf(value)
    assert.equal(type, 'rows')
  })

  /** Keeps statements that read contacts waiting until it is called back. */
  async function holdContacts(t: TestContext): Promise<() => Promise<void>> {
    const holder = await pool.connect()
    t.after(() => holder.release(true))
    await holder.query('begin')
    await holder.query('lock table contacts in access exclusive mode')
    return async () => void (await holder.query('rollback'))
  }

  test('a statement that takes too long is ended, and fails with a timeout', async (t) => {
    const slow = await made(targets(ids))
    const release = await holdContacts(t)
    // It is answered though its statement could wait for ever: its own time is over.
    const { body } = await execute(slow)
    assert.deepEqual([body.type, body.value.type, body.value.limit], ['error', 'timeout', 'wall'])
    await release()
    assert.equal(((await execute(slow)).body.value as unknown[]).length, 3)
  })

  const runWithin = (limitMs: number, given: object, sandbox: PipelineRunContext['sandbox'] = context.sandbox) =>
    runPipeline(
      { db, sandbox },
      { account: own.account, pipeline: given as PipelineDefinition, arguments: {}, now: clock.now() },
      { budget: { limitMs, rows: 10_000, bytes: 5 * 1024 * 1024 } },
    )

  test('a pipeline may wait for its scripts longer than its limit, but at most twelve times as long', async (t) => {
    const pipeline = rows([1, 2], map({ v: script('row.value + 1') }))
    const now = performance.now.bind(performance)
    let ahead = 0
    t.mock.method(performance, 'now', () => now() + ahead)
    const late = (ms: number): PipelineRunContext['sandbox'] => ({
      openRounds: context.sandbox.openRounds,
      async evaluateEach(...asked) {
        ahead += ms
        return context.sandbox.evaluateEach(...asked)
      },
    })
    assert.deepEqual((await runWithin(5000, pipeline, late(30_000))).rows, [{ v: 2 }, { v: 3 }])
    await assert.rejects(runWithin(5000, pipeline, late(60_001)), {
      failed: { type: 'timeout', limit: 'wall', message: 'The execution took more than 60 s.' },
    })
  })

  /** Rows that the database returns at once. */
  const numbers = (count: number, ...cursors: object[]) =>
    rows(
      Array.from({ length: count }, (_, n) => n),
      ...cursors,
    )
  const computed = {
    failed: { type: 'timeout', limit: 'cpu', message: 'The execution used the CPU for more than 1 s.' },
  }

  test('templates of a pipeline together compute no longer than its limit', async () => {
    const long = template('{% for i in (1..5000) %}{{ i | times: 3 }}{% endfor %}')
    await assert.rejects(runWithin(1000, numbers(5000, map({ n: long }), map({ n: literal(1) }))), computed)
  })

  test('scripts of a pipeline together compute no longer than its limit', async () => {
    // 150 to 500 ms of the 1 s limit for each of twenty batches, and 10 to 25 ms of the 100 ms limit for each row.
    const value = 'export default (rows) => { let sum = 0; for (let n = 0; n < 4000000; n++) sum += n; return rows }'
    await assert.rejects(runWithin(1000, numbers(10_000, { type: 'script', value })), computed)
    const long = '(() => { let sum = 0; for (let n = 0; n < 200000; n++) sum += n; return 1 })()'
    await assert.rejects(runWithin(1000, numbers(1000, map({ n: script(long) }))), computed)
  })

  test('a script may return at most 10 rows for each row, and a limit reads only the batches it needs', async () => {
    const eleven = 'export default (rows) => rows.flatMap((row) => Array(11).fill(row))'
    assert.equal((await errorOf(rows([1, 2], { type: 'script', value: eleven }))).type, 'limit')
    const ten = 'export default (rows) => rows.flatMap((row) => Array(10).fill(row))'
    assert.equal(((await resultOf(rows([1, 2], { type: 'script', value: ten }))) as unknown[]).length, 20)
    const id = await made(
      many(5000, { type: 'script', value: 'export default (rows) => rows' }, { type: 'limit', count: 5 }),
    )
    const { body } = await preview(id)
    assert.deepEqual([body.value.length, body.plan.rowsRead, body.plan.sql, body.plan.memory], [5, 500, 5, 2])
  })

  test('errors of scripts and templates have their type and position', async () => {
    const thrown = await errorOf(
      rows([1], { type: 'script', value: 'export default () => {\n  throw new Error("no")\n}' }),
    )
    assert.deepEqual(thrown, { ...thrown, type: 'script', message: 'no', position: { line: 2, column: 18 } })
    assert.equal(
      (await errorOf(rows([1], { type: 'script', value: 'export default () => { while (true) {} }' }))).type,
      'timeout',
    )
    assert.equal((await errorOf(rows([1], { type: 'script', value: 'export default () => 5' }))).type, 'result')
    assert.equal((await errorOf(rows([1], map({ a: script('row.x.y') })))).type, 'script')
    assert.equal(
      (await errorOf(rows([1], map({ a: template('{% for i in (1..9999999) %}xxxxxxxx{% endfor %}') })))).type,
      'template',
    )
  })

  test('all scripts of a pipeline share one runtime, so concurrent pipelines do not deadlock', async () => {
    const adding = (n: number) => ({
      type: 'script',
      value: `export default (rows) => rows.map((row) => ({ n: row.n + ${n}, seen: [globalThis.seen = (globalThis.seen ?? 0) + 1] }))`,
    })
    const value = rows(
      [{ n: 0 }],
      ...Array.from({ length: 12 }, (_, n) => adding(n)),
      map({ n: script('row.n * 2'), seen: path('row.seen') }),
    )
    const id = await made(value)
    const answers = await Promise.all(Array.from({ length: 4 }, () => execute(id)))
    for (const { body } of answers) assert.deepEqual(body.value, [{ n: 132, seen: [12] }])
  })

  test('an account can run four pipelines at once, a fifth gets 503, and other accounts are not affected', async (t) => {
    const slow = await made(targets(ids))
    const foreign = (await make({ name: 'x', value: rows([1]) }, { key: other.key })).body.id
    const release = await holdContacts(t)
    const four = Promise.all(Array.from({ length: 4 }, () => execute(slow)))
    await eventually(async () => {
      const { rowCount } = await pool.query(
        `select from pg_locks where not granted and relation = 'contacts'::regclass
          and database = (select oid from pg_database where datname = current_database())`,
      )
      return rowCount === 4
    })
    const [refused, theirs] = await Promise.all([execute(slow), execute(foreign, undefined, { key: other.key })])
    assert.deepEqual([refused.status, refused.headers['retry-after'], theirs.status], [503, '1', 200])
    await release()
    assert.deepEqual(
      (await four).map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal((await execute(slow)).status, 200)
  })
})

suite('pipeline statements', () => {
  /** The statements that read rows. */
  async function readingOf(work: () => Promise<unknown>) {
    const sent = await statementsOf(pool, work)
    return sent.filter(({ text }) => /\bcontacts c\b|jsonb_array_elements/.test(text))
  }

  test('a pipeline of filter, map, sort and limit runs as one statement', async () => {
    const id = await made(bestCustomers(SEGMENT).value)
    const sent = await readingOf(() => execute(id, { top: 2 }))
    assert.equal(sent.length, 1, JSON.stringify(sent))
    const { body } = await preview(id, { arguments: { top: 1 } })
    assert.deepEqual([body.plan.sql, body.plan.memory, body.plan.rowsRead], [4, 0, 1])
  })

  test('a pipeline with every cursor and a used compilable runs as one statement', async () => {
    const inner = await made(
      targets(map({ id: path('row.id'), age: path('row.fields.Age') }), { type: 'limit', count: 2 }),
    )
    const on = { left: path('row.id'), right: path('other.id') }
    const value = pipeline({ type: 'compilable', id: inner }, [
      where(path('row.age'), 'greater', 1),
      { type: 'join', source: { type: 'segment', segment: SEGMENT }, on, into: 'o' },
      { type: 'expand', value: path('row.o.fields.Tags'), into: 'tag' },
      { type: 'distinct', by: [path('row.tag')] },
      { type: 'sort', by: [{ value: path('row.tag'), direction: 'desc' }] },
      {
        type: 'group',
        by: { who: path('row.id') },
        aggregates: { tags: { function: 'list', value: path('row.tag') } },
      },
    ])
    const id = await made(value)
    assert.deepEqual(await flaws(id), [])
    let answer: unknown
    const sent = await readingOf(async () => (answer = (await execute(id)).body.value))
    assert.equal(sent.length, 1)
    assert.deepEqual(answer, [{ who: ANN, tags: ['Tea', 'Chess'] }])
  })

  test('hostile names and literals are bound as parameters and never become part of a statement', async () => {
    const hostile = "'; drop table contacts"
    const value = targets(
      where(path('row.fields["a\\"b"]'), 'equals', hostile),
      map({ [hostile]: path('row.fields["a\\"b"]'), 'x") --': literal([hostile]) }),
      { type: 'group', by: { [hostile]: path(`row["${hostile}"]`) }, aggregates: { ['a"b']: { function: 'count' } } },
    )
    const id = await made(value)
    let answer: unknown
    const sent = await statementsOf(pool, async () => (answer = (await execute(id)).body.value))
    assert.deepEqual(answer, [{ [hostile]: hostile, 'a"b': 1 }])
    for (const { text } of sent) assert.doesNotMatch(text, /drop table|a"b|x"\)/)
    const reading = sent.filter(({ text }) => text.includes('contacts c'))
    assert.equal(reading.length, 1)
    assert.ok(reading[0]!.text.includes('c.account = $'))
    assert.equal(((await resultOf(targets())) as unknown[]).length, 3)
  })

  test('cursors that run in memory read through a database cursor', async () => {
    const id = await made(targets(where(script('row.fields.Age > 25'), 'equals', true), ids))
    const sent = await statementsOf(pool, () => execute(id))
    assert.ok(sent.some(({ text }) => /declare .* cursor for/s.test(text)))
    assert.deepEqual((await execute(id)).body.value, [{ id: ANN }])
  })

  test('the transaction is read-only', async () => {
    const sent = await statementsOf(pool, async () => execute(await made(rows([1]))))
    assert.ok(sent.some(({ text }) => /read only/i.test(text)))
  })
})

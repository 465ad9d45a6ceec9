import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { startHarness } from '../../support/harness.ts'

const { call, clock, context, own, other } = await startHarness()

async function made(url: string, body: unknown, key = own.key): Promise<number> {
  const answer = await call('POST', url, { body, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const titles = await made('/valueLists', {
  name: 'Titles',
  values: [{ value: 'Mr' }, { value: 'Ms' }, { value: 'Dr' }],
})
const drinks = await made('/valueLists', {
  name: 'Drinks',
  values: [{ value: 'Tea' }, { value: 'Coffee' }, { value: '42' }],
})
const fields = {
  email: (await call('GET', '/fields')).body[0].id as number,
  name: await made('/fields', { type: 'textField', name: 'Name' }),
  phone: await made('/fields', { type: 'phone', name: 'Phone' }),
  age: await made('/fields', { type: 'numeric', name: 'Age' }),
  born: await made('/fields', { type: 'date', name: 'Born' }),
  title: await made('/fields', { type: 'singleSelectList', name: 'Title', valueListId: titles }),
  likes: await made('/fields', { type: 'multipleSelectList', name: 'Likes', valueListId: drinks }),
  notes: await made('/fields', { type: 'textArea', name: 'Notes', isCriterion: true }),
  secret: await made('/fields', { type: 'textField', name: 'Secret', isCriterion: false }),
}

const people: Record<string, Record<string, unknown>> = {
  ann: {
    Email: 'Ann@example.org',
    Name: 'Ann Straße',
    Phone: '01 23 45 67 89',
    Age: 12.5,
    Born: '1990-05-17',
    Title: 'Ms',
    Likes: ['Tea', 'Coffee'],
    Notes: 'first line\nsecond line',
  },
  bob: {
    Email: 'bob@example.test',
    Name: "O'Brien; drop table contacts; --",
    Phone: '+447400123456',
    Age: 9,
    Born: '1992-02-29T13:45:10.250Z',
    Title: 'Mr',
    Likes: ['Coffee'],
    Notes: 'x'.repeat(70),
  },
  cyd: { Email: 'cyd@example.com', Name: '100% %_\\ wild', Age: -3, Born: '2026-03-29', Title: 'Dr', Likes: ['42'] },
  dee: { Email: 'dee@example.org', Name: `${'y'.repeat(60)}z`, Age: 0.1, Born: '2026-03-29T00:30:00Z' },
  eve: { Email: 'eve@example.org' },
}
const ids: Record<string, string> = {}
for (const [name, body] of Object.entries(people)) {
  const answer = await call('PUT', '/targets', { body })
  assert.equal(answer.status, 200, answer.text)
  ids[name] = answer.body.id
}
const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
const everybody = Object.keys(people)

let named = 0
function segment(criteria: unknown, more: object = {}): Promise<number> {
  return made('/segments', { type: 'dynamic', name: `Dynamic ${++named}`, criteria, ...more })
}

async function membersOf(id: number): Promise<string[]> {
  const answer = await call('GET', `/segments/${id}/targets`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map((contact: string) => nameOf.get(contact) ?? contact)
}

/** The members of criteria, by every way there is to them: the list, the count, and contact by contact. */
async function selected(criteria: unknown, more: object = {}): Promise<string[]> {
  const id = await segment(criteria, more)
  const members = await membersOf(id)
  assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, members.length)
  for (const [name, contact] of Object.entries(ids)) {
    const { body } = await call('GET', `/targets/${contact}/segments?type=dynamic`)
    const isIn = body.some((one: { id: number }) => one.id === id)
    assert.equal(isIn, members.includes(name), `${name}: ${JSON.stringify(criteria)}`)
  }
  assert.equal((await call('DELETE', `/segments/${id}`)).status, 204)
  return members
}

/** What is refused, with the pointers of the faults. */
async function refused(criteria: unknown): Promise<[number, string[]]> {
  const answer = await call('POST', '/segments', { body: { type: 'dynamic', name: `Refused ${++named}`, criteria } })
  return [answer.status, (answer.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)]
}

function leaf(field: keyof typeof fields, operator: string, ...[value]: unknown[]) {
  return { type: 'field', field: fields[field], operator, ...(value !== undefined && { value }) }
}

function others(...names: string[]): string[] {
  return everybody.filter((name) => !names.includes(name))
}

type Row = [keyof typeof fields, string, unknown, string[]]

/** Every operator of every type: what it is asked, and who fits. */
const operators: Row[] = [
  ['email', 'equals', 'ANN@Example.ORG', ['ann']],
  ['email', 'notEquals', 'ann@example.org', others('ann')],
  ['email', 'contains', 'EXAMPLE.O', ['ann', 'dee', 'eve']],
  ['email', 'notContains', 'example.org', ['bob', 'cyd']],
  ['email', 'startsWith', 'aNN@', ['ann']],
  ['email', 'endsWith', '.COM', ['cyd']],
  ['email', 'in', ['bob@EXAMPLE.test', 'eve@example.org', 'none@example.org'], ['bob', 'eve']],
  ['email', 'notIn', ['bob@example.test'], others('bob')],
  ['email', 'empty', undefined, []],
  ['email', 'notEmpty', undefined, everybody],
  ['phone', 'equals', '01.23.45.67.89', ['ann']],
  ['phone', 'equals', 33123456789, ['ann']],
  ['phone', 'in', ['0123456789', '+44 7400 123456'], ['ann', 'bob']],
  ['phone', 'startsWith', '+33', ['ann']],
  ['phone', 'notContains', '7400', others('bob')],
  ['phone', 'empty', undefined, ['cyd', 'dee', 'eve']],
  ['name', 'equals', 'ANN STRASSE', ['ann']],
  ['name', 'equals', 'Ann', []],
  ['name', 'notEquals', 'ann straße', others('ann')],
  ['name', 'contains', 'STRASS', ['ann']],
  ['name', 'contains', '%', ['cyd']],
  ['name', 'contains', '_', ['cyd']],
  ['name', 'contains', '\\', ['cyd']],
  ['name', 'contains', "'; ", []],
  ['name', 'contains', '; DROP table', ['bob']],
  ['name', 'startsWith', "o'b", ['bob']],
  ['name', 'endsWith', '%', []],
  ['name', 'endsWith', ' WILD', ['cyd']],
  ['name', 'equals', 'y'.repeat(61), []],
  ['name', 'equals', `${'Y'.repeat(60)}Z`, ['dee']],
  ['name', 'in', [`${'Y'.repeat(60)}Z`, 'ann strasse'], ['ann', 'dee']],
  ['name', 'in', ['y'.repeat(61), 'ann strasse'], ['ann']],
  ['name', 'startsWith', `${'Y'.repeat(60)}Z`, ['dee']],
  ['name', 'startsWith', 'y'.repeat(61), []],
  ['name', 'in', [], []],
  ['name', 'notIn', [], everybody],
  ['notes', 'contains', 'LINE\nsecond', ['ann']],
  ['notes', 'equals', 'X'.repeat(70), ['bob']],
  ['notes', 'equals', 'x'.repeat(69), []],
  ['age', 'equals', '12.50', ['ann']],
  ['age', 'notEquals', 12.5, others('ann')],
  ['age', 'greater', 9, ['ann']],
  ['age', 'greaterOrEqual', 9, ['ann', 'bob']],
  ['age', 'less', 0.1, ['cyd']],
  ['age', 'lessOrEqual', 0.1, ['cyd', 'dee']],
  ['age', 'between', [0.1, 9], ['bob', 'dee']],
  ['age', 'in', ['0.10', -3], ['cyd', 'dee']],
  ['age', 'notIn', [9, 12.5], ['cyd', 'dee', 'eve']],
  ['age', 'empty', undefined, ['eve']],
  ['age', 'notEmpty', undefined, others('eve')],
  ['born', 'equals', '1990-05-17', ['ann']],
  ['born', 'equals', '17/05/1990', ['ann']],
  ['born', 'notEquals', '1990-05-17', others('ann')],
  ['born', 'in', ['1992-02-29T13:45:10.25Z', 643_000_000_000], ['bob']],
  ['born', 'notIn', ['1992-02-29T13:45:10.25Z'], others('bob')],
  ['born', 'before', '1992-02-29T13:45:10.250Z', ['ann']],
  ['born', 'after', '1992-02-29T13:45:10.250Z', ['bob', 'cyd', 'dee']],
  ['born', 'between', ['1990-05-17', '1992-02-29T13:45:10.250Z'], ['ann']],
  ['born', 'within', { start: '1990-05-17', end: '2026-03-29' }, ['ann', 'bob']],
  ['born', 'within', { start: '2026-03-29' }, ['cyd', 'dee']],
  ['born', 'within', { end: '1990-05-18' }, ['ann']],
  ['born', 'empty', undefined, ['eve']],
  ['born', 'notEmpty', undefined, others('eve')],
  ['title', 'equals', 'mS', ['ann']],
  ['title', 'equals', 1, ['bob']],
  ['title', 'notEquals', 'Mr', others('bob')],
  ['title', 'in', ['MR', 'dr'], ['bob', 'cyd']],
  ['title', 'notIn', ['Mr', 'Dr'], ['ann', 'dee', 'eve']],
  ['title', 'empty', undefined, ['dee', 'eve']],
  ['title', 'notEmpty', undefined, ['ann', 'bob', 'cyd']],
  ['likes', 'in', ['TEA'], ['ann']],
  ['likes', 'in', ['Tea', 'coffee'], ['ann', 'bob']],
  ['likes', 'in', [42], ['cyd']],
  ['likes', 'notIn', ['Coffee'], ['cyd', 'dee', 'eve']],
  ['likes', 'empty', undefined, ['dee', 'eve']],
  ['likes', 'notEmpty', undefined, ['ann', 'bob', 'cyd']],
]

suite('criteria › fields', () => {
  for (const [field, operator, value, expected] of operators) {
    test(`matches by ${field} ${operator} ${JSON.stringify(value ?? '').slice(0, 60)}`, async () => {
      assert.deepEqual(await selected(leaf(field, operator, value)), expected)
    })
  }

  test('a negated group also matches contacts whose field is empty', async () => {
    assert.deepEqual(await selected({ none: [leaf('age', 'less', 10)] }), ['ann', 'eve'])
    assert.deepEqual(await selected({ none: [leaf('age', 'notEquals', 9)] }), ['bob'])
    assert.deepEqual(await selected({ none: [{ none: [leaf('title', 'equals', 'Dr')] }] }), ['cyd'])
  })

  test("a contact whose value changes is in the very next list, and the segment is among the target's", async () => {
    const id = await segment(leaf('age', 'greater', 10))
    assert.deepEqual(await membersOf(id), ['ann'])
    await call('PUT', `/targets/${ids['bob']}`, { body: { Age: 11 } })
    assert.deepEqual(await membersOf(id), ['ann', 'bob'])
    const { body } = await call('GET', `/targets/${ids['bob']}/segments`)
    assert.deepEqual(
      body.map((one: { id: number }) => one.id),
      [id],
    )
    await call('PUT', `/targets/${ids['bob']}`, { body: { Age: 9 } })
    assert.deepEqual(await membersOf(id), ['ann'])
    assert.equal((await call('DELETE', `/segments/${id}`)).status, 204)
  })
})

suite('criteria › groups', () => {
  const ann = leaf('title', 'equals', 'Ms')
  const bob = leaf('title', 'equals', 'Mr')

  test('no criteria match no contact, {"all":[]} matches all, and a leaf on an unknown field is 400', async () => {
    assert.deepEqual(await selected(null), [])
    assert.deepEqual(await selected({ all: [] }), everybody)
    assert.deepEqual(await refused({ all: [{ type: 'field', field: 99999, operator: 'equals', value: 'x' }] }), [
      400,
      ['/criteria/all/0/field'],
    ])
  })

  test('an empty "none" matches every contact, an empty "any" none', async () => {
    assert.deepEqual(await selected({ none: [] }), everybody)
    assert.deepEqual(await selected({ any: [] }), [])
    assert.deepEqual(await selected({ all: [{ any: [] }, { all: [] }] }), [])
  })

  test('all, any and none groups can be nested', async () => {
    assert.deepEqual(await selected({ any: [ann, bob] }), ['ann', 'bob'])
    assert.deepEqual(await selected({ all: [ann, bob] }), [])
    assert.deepEqual(await selected({ none: [ann, bob] }), others('ann', 'bob'))
    assert.deepEqual(await selected({ all: [{ any: [ann, bob] }, { none: [bob] }] }), ['ann'])
    assert.deepEqual(await selected({ any: [{ all: [ann, { none: [bob] }] }, leaf('age', 'empty')] }), ['ann', 'eve'])
  })

  test('200 leaves and 20 levels are accepted, one more of either is refused', async () => {
    const leaves = (n: number) => ({ any: Array.from({ length: n }, () => ann) })
    assert.deepEqual(await selected(leaves(200)), ['ann'])
    assert.deepEqual(await refused(leaves(201)), [400, ['/criteria']])
    const levels = (n: number): unknown => (n === 0 ? ann : { all: [levels(n - 1)] })
    assert.deepEqual(await selected(levels(20)), ['ann'])
    assert.deepEqual(await refused(levels(21)), [400, [`/criteria${'/all/0'.repeat(20)}`]])
  })
})

suite('criteria › faults', () => {
  const amount = { value: 1, unit: 'day' }
  const faults: [unknown, string[]][] = [
    ['all', ['/criteria']],
    [[], ['/criteria']],
    [{}, ['/criteria']],
    [{ all: [], any: [] }, ['/criteria']],
    [{ all: [], type: 'field' }, ['/criteria']],
    [{ all: {} }, ['/criteria/all']],
    [{ all: [1, null] }, ['/criteria/all/0', '/criteria/all/1']],
    [{ any: [{ type: 'hat' }] }, ['/criteria/any/0/type']],
    [{ any: [{ type: 'toString' }] }, ['/criteria/any/0/type']],
    [{ all: [leaf('secret', 'equals', 'x')] }, ['/criteria/all/0/field']],
    [{ all: [{ ...leaf('name', 'equals', 'x'), field: String(fields.name) }] }, ['/criteria/all/0/field']],
    [{ all: [leaf('name', 'greater', 1)] }, ['/criteria/all/0/operator']],
    [{ all: [leaf('name', 'constructor', 1)] }, ['/criteria/all/0/operator']],
    [{ all: [leaf('likes', 'equals', 'Tea')] }, ['/criteria/all/0/operator']],
    [{ all: [leaf('phone', 'notEmpty', 1)] }, ['/criteria/all/0/value']],
    [
      { all: [leaf('age', 'greater', 'ten'), leaf('age', 'equals'), leaf('age', 'between', [2, 1])] },
      ['/criteria/all/0/value', '/criteria/all/1/value', '/criteria/all/2/value'],
    ],
    [leaf('age', 'between', 1), ['/criteria/value']],
    [leaf('age', 'between', [1, 'x']), ['/criteria/value/1']],
    [leaf('age', 'equals', 1234567890123456), ['/criteria/value']],
    [leaf('name', 'equals', ''), ['/criteria/value']],
    [leaf('name', 'equals', true), ['/criteria/value']],
    [leaf('name', 'equals', ['a']), ['/criteria/value']],
    [leaf('name', 'contains', 5), ['/criteria/value']],
    [leaf('email', 'equals', 'no address'), ['/criteria/value']],
    [leaf('name', 'in', 'Ann'), ['/criteria/value']],
    [leaf('name', 'in', Array(1001).fill('x')), ['/criteria/value']],
    [leaf('title', 'in', ['Mr', 'Prof']), ['/criteria/value/1']],
    [leaf('born', 'before', 'soon'), ['/criteria/value']],
    [leaf('born', 'before', { ago: amount, ahead: amount }), ['/criteria/value']],
    [leaf('born', 'before', { ago: { value: -1, unit: 'day' } }), ['/criteria/value/ago/value']],
    [
      leaf('born', 'before', { ago: { value: 1.5, unit: 'decade' } }),
      ['/criteria/value/ago/value', '/criteria/value/ago/unit'],
    ],
    [leaf('born', 'between', ['2026-01-02', '2026-01-01']), ['/criteria/value']],
    [leaf('born', 'within', { last: amount, next: amount }), ['/criteria/value']],
    [leaf('born', 'within', { last: { value: 0, unit: 'day' } }), ['/criteria/value/last/value']],
    [leaf('born', 'within', { start: '2026-01-02', end: '2026-01-01' }), ['/criteria/value/end']],
    [leaf('born', 'within', {}), ['/criteria/value']],
    [leaf('born', 'anniversary', { from: -367, to: 0 }), ['/criteria/value/from']],
    [leaf('born', 'anniversary', { from: 1, to: 0 }), ['/criteria/value/to']],
    [{ type: 'creationDate', operator: 'equals', value: '2026-01-01' }, ['/criteria/operator']],
    [{ type: 'segment', segment: 99999 }, ['/criteria/segment']],
    [{ type: 'segment', segment: 'x', operator: 'over' }, ['/criteria/segment', '/criteria/operator']],
    [{ type: 'redList', channel: 'fax' }, ['/criteria/channel']],
    [{ type: 'bounce', field: fields.name }, ['/criteria/field']],
    [{ type: 'bounce', is: ['hard', 'nonsense'] }, ['/criteria/is/1']],
    [{ type: 'event', event: 'hits/nothing' }, ['/criteria/event']],
    [{ type: 'event' }, ['/criteria/event']],
    [{ type: 'event', event: 'bounce', link: 'open' }, ['/criteria/link']],
    [{ type: 'event', event: 'hit', link: 'open', channel: 'sms' }, ['/criteria/channel']],
    [{ type: 'event', event: 'hit', actions: ['yyyyyy', 'no'] }, ['/criteria/actions/1']],
    [{ type: 'event', event: 'hit', actions: ['ZZZZZ0'] }, ['/criteria/actions/0']],
    [
      { type: 'event', event: 'hit', count: { operator: 'about', value: -1 } },
      ['/criteria/count/operator', '/criteria/count/value'],
    ],
    [{ type: 'event', event: 'hit', robots: 'yes' }, ['/criteria/robots']],
    [{ type: 'event', event: 'hit', period: { last: 3 } }, ['/criteria/period/last']],
    [{ type: 'subscription', application: 'mine' }, ['/criteria/application']],
  ]
  for (const [criteria, pointers] of faults) {
    test(`reports 400 at ${pointers.join(', ')} of ${JSON.stringify(criteria).slice(0, 90)}`, async () => {
      assert.deepEqual(await refused(criteria), [400, pointers])
    })
  }

  test('a refused request creates and changes nothing', async () => {
    const before = (await call('GET', '/segments')).body.length
    await refused({ all: [leaf('age', 'greater', 'x')] })
    assert.equal((await call('GET', '/segments')).body.length, before)
    const id = await segment({ all: [] })
    assert.equal((await call('PUT', `/segments/${id}`, { body: { criteria: { any: 1 } } })).status, 400)
    assert.deepEqual((await call('GET', `/segments/${id}`)).body.criteria, { all: [] })
    await call('DELETE', `/segments/${id}`)
  })

  test('fields, segments and lists of another account are unknown', async () => {
    const theirField = await made('/fields', { type: 'numeric', name: 'Theirs' }, other.key)
    const theirs = await made('/segments', { type: 'dynamic', name: 'Theirs', criteria: { all: [] } }, other.key)
    assert.deepEqual(await refused({ type: 'field', field: theirField, operator: 'empty' }), [400, ['/criteria/field']])
    assert.deepEqual(await refused({ type: 'segment', segment: theirs }), [400, ['/criteria/segment']])
    const parent = await call('POST', '/segments', { body: { type: 'dynamic', name: 'Orphan', parentId: theirs } })
    assert.deepEqual([parent.status, parent.body.errors[0].pointer], [404, '/parentId'])
  })
})

suite('criteria › stored form', () => {
  test('labels are stored by index so that a renamed one shows everywhere, and values are normalised', async () => {
    const given = {
      all: [
        leaf('title', 'in', ['DR', 1]),
        leaf('title', 'equals', 'ms'),
        leaf('phone', 'equals', '01 23 45 67 89'),
        leaf('born', 'after', '2026-01-01'),
        leaf('age', 'equals', '12.50'),
        leaf('born', 'within', { last: { value: 3, unit: 'day' }, ignored: true }),
        { type: 'event', event: 'hit', ignored: 1 },
      ],
    }
    const id = await segment(given)
    await call('PUT', `/valueLists/${titles}`, {
      body: {
        values: [
          { index: 1, value: 'Mr' },
          { index: 2, value: 'Mrs' },
          { index: 3, value: 'Dr' },
        ],
      },
    })
    assert.deepEqual((await call('GET', `/segments/${id}`)).body.criteria, {
      all: [
        leaf('title', 'in', ['Dr', 'Mr']),
        leaf('title', 'equals', 'Mrs'),
        leaf('phone', 'equals', '+33123456789'),
        leaf('born', 'after', '2026-01-01T00:00:00.000Z'),
        leaf('age', 'equals', 12.5),
        leaf('born', 'within', { last: { value: 3, unit: 'day' } }),
        { type: 'event', event: 'hit' },
      ],
    })
    await call('PUT', `/valueLists/${titles}`, {
      body: {
        values: [
          { index: 1, value: 'Mr' },
          { index: 2, value: 'Ms' },
          { index: 3, value: 'Dr' },
        ],
      },
    })
    const { body } = await call('GET', `/segments/${id}`)
    assert.equal((await call('PUT', `/segments/${id}`, { body })).status, 200)
    assert.deepEqual((await call('GET', `/segments/${id}`)).body.criteria, body.criteria)
    await call('DELETE', `/segments/${id}`)
  })

  test('PUT replaces criteria, null removes them, and omission keeps them', async () => {
    const id = await segment(leaf('title', 'equals', 'Ms'))
    await call('PUT', `/segments/${id}`, { body: { description: 'kept' } })
    assert.deepEqual(await membersOf(id), ['ann'])
    await call('PUT', `/segments/${id}`, { body: { criteria: leaf('title', 'equals', 'Mr') } })
    assert.deepEqual(await membersOf(id), ['bob'])
    assert.equal((await call('PUT', `/segments/${id}`, { body: { criteria: null } })).body.criteria, null)
    assert.deepEqual(await membersOf(id), [])
    await call('DELETE', `/segments/${id}`)
  })

  test('texts that look like SQL are only texts, in values and in names', async () => {
    const hostile = ["'; drop table contacts; --", '$1', '\\', '%', '"', "E'\\x00'", '{1,2}', 'null', '#{x}', '/*']
    for (const operator of ['equals', 'contains', 'startsWith', 'endsWith'])
      for (const text of hostile)
        assert.ok(!(await selected(leaf('name', operator, text))).includes('eve'), `${operator} ${text}`)
    assert.deepEqual(await selected(leaf('name', 'in', hostile)), [])
    const odd = await made('/fields', { type: 'textField', name: `a"b'; drop table contacts; --` })
    await call('PUT', `/targets/${ids['eve']}`, { body: { [odd]: "x'y" } })
    assert.deepEqual(await selected({ type: 'field', field: odd, operator: 'equals', value: "X'Y" }), ['eve'])
    assert.equal((await call('DELETE', `/fields/${odd}`)).status, 204)
    assert.equal((await call('GET', '/targets/count')).body.targetsCount, 5)
  })
})

suite('criteria › red lists, bounces, dates of the contact', () => {
  test('red lists are matched by channel', async () => {
    await call('POST', `/targets/${ids['ann']}/redlist/mail`)
    await call('POST', `/targets/${ids['bob']}/redlist/sms`)
    assert.deepEqual(await selected({ type: 'redList', channel: 'mail' }), ['ann'])
    assert.deepEqual(await selected({ type: 'redList', channel: 'sms' }), ['bob'])
    assert.deepEqual(await selected({ type: 'redList' }), ['ann', 'bob'])
    assert.deepEqual(await selected({ none: [{ type: 'redList', channel: 'any' }] }), others('ann', 'bob'))
  })

  test('bounces are matched by field and flag, by default the flags that stop sends', async () => {
    await call('PUT', `/targets/${ids['ann']}/bounces/${fields.email}`, { body: { type: 'hardUser' } })
    await call('PUT', `/targets/${ids['ann']}/bounces/${fields.phone}`, { body: { type: 'soft' } })
    await call('PUT', `/targets/${ids['bob']}/bounces/${fields.phone}`, { body: { type: 'reportAsSpam' } })
    await call('PUT', `/targets/${ids['cyd']}/bounces/${fields.email}`, { body: { type: 'validated' } })
    assert.deepEqual(await selected({ type: 'bounce' }), ['ann', 'bob'])
    assert.deepEqual(await selected({ type: 'bounce', is: ['hard'] }), ['ann'])
    assert.deepEqual(await selected({ type: 'bounce', is: ['SOFT', 3] }), ['ann', 'cyd'])
    assert.deepEqual(await selected({ type: 'bounce', field: fields.phone }), ['bob'])
    assert.deepEqual(await selected({ none: [{ type: 'bounce', is: [52] }] }), others('ann'))
  })

  test('the dates of creation and last update are matched', async () => {
    const { body } = await call('GET', `/targets/${ids['ann']}`)
    assert.deepEqual(await selected({ type: 'creationDate', operator: 'before', value: body.creationDate }), [])
    assert.deepEqual(
      await selected({
        type: 'creationDate',
        operator: 'between',
        value: [body.creationDate, Date.parse(body.creationDate) + 1],
      }),
      (
        await Promise.all(
          everybody.map(async (name) => ({ name, at: (await call('GET', `/targets/${ids[name]}`)).body.creationDate })),
        )
      )
        .filter(({ at }) => at === body.creationDate)
        .map(({ name }) => name),
    )
    const hour = { last: { value: 1, unit: 'hour' } }
    assert.deepEqual(await selected({ type: 'creationDate', operator: 'within', value: hour }), everybody)
    const moment = clock.now()
    // As long as a month can be.
    clock.set(moment + 31 * DAY_MS)
    await call('PUT', `/targets/${ids['dee']}`, { body: { Notes: 'changed' } })
    assert.deepEqual(await selected({ type: 'lastUpdateDate', operator: 'within', value: hour }), ['dee'])
    assert.deepEqual(
      await selected({ type: 'creationDate', operator: 'within', value: { last: { value: 1, unit: 'month' } } }),
      [],
    )
    assert.deepEqual(
      await selected({ type: 'creationDate', operator: 'anniversary', value: { from: -31, to: -31 } }),
      everybody,
    )
    clock.set(moment)
  })

  test('a contact without a device matches no subscription criterion', async () => {
    const application = '019ade4a-4280-7172-8edc-ae47474b615c'
    assert.deepEqual(await selected({ type: 'subscription' }), [])
    assert.deepEqual(await selected({ none: [{ type: 'subscription', application }] }), everybody)
  })
})

suite('criteria › time', () => {
  const inZone = (timeZone: string) => call('PUT', '/settings/contacts', { body: { timeZone } })
  const amount = (value: number, unit: string) => ({ value, unit })

  test('days follow the time zone, include today and respect clock changes', async () => {
    // In Paris the 29th of March 2026 has 23 hours: it begins at 23:00Z and ends at 22:00Z.
    const rows: [string, string, object, string[]][] = [
      ['UTC', '2026-03-29T12:00:00Z', { last: amount(1, 'day') }, ['cyd', 'dee']],
      ['UTC', '2026-03-30T00:00:00Z', { last: amount(1, 'day') }, []],
      ['UTC', '2026-03-30T00:00:00Z', { last: amount(2, 'day') }, ['cyd', 'dee']],
      ['UTC', '2026-03-28T12:00:00Z', { next: amount(1, 'day') }, []],
      ['UTC', '2026-03-28T12:00:00Z', { next: amount(2, 'day') }, ['cyd', 'dee']],
      ['Europe/Paris', '2026-03-28T22:59:59Z', { last: amount(1, 'day') }, []],
      ['Europe/Paris', '2026-03-28T23:00:00Z', { last: amount(1, 'day') }, ['cyd', 'dee']],
      ['Europe/Paris', '2026-03-29T21:59:59Z', { last: amount(1, 'day') }, ['cyd', 'dee']],
      ['Europe/Paris', '2026-03-29T22:00:00Z', { last: amount(1, 'day') }, []],
      // A day without a time is that day in every zone; 0:30 in UTC is the evening before in New York.
      ['America/New_York', '2026-03-29T03:00:00Z', { last: amount(1, 'day') }, ['dee']],
      ['America/New_York', '2026-03-29T05:00:00Z', { last: amount(1, 'day') }, ['cyd']],
      ['America/New_York', '2026-03-29T05:00:00Z', { last: amount(2, 'day') }, ['cyd', 'dee']],
      ['America/New_York', '2026-03-28T12:00:00Z', { next: amount(1, 'day') }, ['dee']],
      ['America/New_York', '2026-03-28T12:00:00Z', { next: amount(2, 'day') }, ['cyd', 'dee']],
      ['Pacific/Auckland', '2026-03-28T10:59:59Z', { last: amount(1, 'day') }, []],
      ['Pacific/Auckland', '2026-03-28T11:00:00Z', { last: amount(1, 'day') }, ['cyd', 'dee']],
      ['Pacific/Auckland', '2026-03-29T10:59:59Z', { last: amount(1, 'day') }, ['cyd', 'dee']],
      ['Pacific/Auckland', '2026-03-29T11:00:00Z', { last: amount(1, 'day') }, []],
      ['UTC', '2026-03-29T00:30:00Z', { last: amount(30, 'minute') }, ['cyd', 'dee']],
      ['UTC', '2026-03-29T00:30:00.001Z', { last: amount(30, 'minute') }, ['dee']],
      ['UTC', '2026-03-29T00:00:00Z', { next: amount(30, 'minute') }, ['cyd']],
      ['UTC', '2026-03-28T22:30:00Z', { next: amount(2, 'hour') }, ['cyd']],
      ['UTC', '2026-04-04T12:00:00Z', { last: amount(1, 'week') }, ['cyd', 'dee']],
      ['UTC', '2026-04-05T12:00:00Z', { last: amount(1, 'week') }, []],
      ['UTC', '2026-04-28T12:00:00Z', { last: amount(1, 'month') }, ['cyd', 'dee']],
      ['UTC', '2026-04-29T12:00:00Z', { last: amount(1, 'month') }, []],
      ['UTC', '2027-03-28T12:00:00Z', { last: amount(1, 'year') }, ['cyd', 'dee']],
      ['UTC', '2027-03-29T12:00:00Z', { last: amount(1, 'year') }, []],
      ['UTC', '2026-03-29T12:00:00Z', { last: amount(100_000, 'year') }, ['ann', 'bob', 'cyd', 'dee']],
    ]
    const present = clock.now()
    for (const [zone, now, span, expected] of rows) {
      await inZone(zone)
      clock.set(now)
      assert.deepEqual(await selected(leaf('born', 'within', span)), expected, `${zone} ${now} ${JSON.stringify(span)}`)
    }
    await inZone('UTC')
    clock.set(present)
  })

  test('moments relative to the present are compared to the start of their day', async () => {
    const rows: [string, string, string, unknown, string[]][] = [
      ['UTC', '2026-03-30T12:00:00Z', 'after', { ago: amount(1, 'day') }, ['cyd', 'dee']],
      ['UTC', '2026-03-30T12:00:00Z', 'after', { ago: amount(0, 'day') }, []],
      ['UTC', '2026-03-30T12:00:00Z', 'before', { ago: amount(1, 'day') }, ['ann', 'bob']],
      ['UTC', '2026-03-28T12:00:00Z', 'before', { ahead: amount(1, 'day') }, ['ann', 'bob']],
      ['UTC', '2026-03-29T01:00:00Z', 'after', { ago: amount(30, 'minute') }, ['dee']],
      ['Europe/Paris', '2026-03-30T12:00:00Z', 'before', { ago: amount(0, 'day') }, ['ann', 'bob', 'cyd', 'dee']],
      ['America/New_York', '2026-03-29T12:00:00Z', 'before', { ago: amount(0, 'day') }, ['ann', 'bob', 'dee']],
      ['America/New_York', '2026-03-29T12:00:00Z', 'after', { ago: amount(0, 'day') }, ['cyd']],
      ['Pacific/Auckland', '2026-03-29T10:00:00Z', 'before', { ago: amount(0, 'day') }, ['ann', 'bob']],
      ['Pacific/Auckland', '2026-03-29T10:00:00Z', 'after', { ago: amount(0, 'day') }, ['cyd', 'dee']],
      ['UTC', '2026-03-28T12:00:00Z', 'between', ['1992-01-01', { ahead: amount(2, 'day') }], ['bob', 'cyd', 'dee']],
      [
        'UTC',
        '2026-03-28T12:00:00Z',
        'between',
        [{ ago: amount(50, 'year') }, { ago: amount(30, 'year') }],
        ['ann', 'bob'],
      ],
    ]
    const present = clock.now()
    for (const [zone, now, operator, value, expected] of rows) {
      await inZone(zone)
      clock.set(now)
      assert.deepEqual(
        await selected(leaf('born', operator, value)),
        expected,
        `${zone} ${now} ${JSON.stringify(value)}`,
      )
    }
    await inZone('UTC')
    clock.set(present)
  })

  test('anniversaries match by month and day, 29 February on the 28th in common years', async () => {
    const rows: [string, string, [number, number], string[]][] = [
      ['UTC', '2030-05-17T12:00:00Z', [0, 0], ['ann']],
      ['UTC', '2030-05-10T12:00:00Z', [0, 7], ['ann']],
      ['UTC', '2030-05-10T12:00:00Z', [0, 6], []],
      ['UTC', '2030-05-19T12:00:00Z', [-2, -1], ['ann']],
      ['Pacific/Auckland', '2030-05-16T13:00:00Z', [0, 0], ['ann']],
      ['America/New_York', '2030-05-18T03:00:00Z', [0, 0], ['ann']],
      ['UTC', '2027-02-28T12:00:00Z', [0, 0], ['bob']],
      ['UTC', '2028-02-28T12:00:00Z', [0, 0], []],
      ['UTC', '2028-02-29T12:00:00Z', [0, 0], ['bob']],
      ['UTC', '2027-03-01T12:00:00Z', [0, 0], []],
      ['UTC', '2026-12-31T12:00:00Z', [59, 59], ['bob']],
      ['UTC', '2026-07-01T12:00:00Z', [-366, 366], ['ann', 'bob', 'cyd', 'dee']],
    ]
    const present = clock.now()
    for (const [zone, now, [from, to], expected] of rows) {
      await inZone(zone)
      clock.set(now)
      assert.deepEqual(
        await selected(leaf('born', 'anniversary', { from, to })),
        expected,
        `${zone} ${now} ${from} ${to}`,
      )
    }
    await inZone('UTC')
    clock.set(present)
  })
})

suite('criteria › events', async () => {
  const now = Date.now()
  const action = (await call('POST', '/actions', { body: { type: 'mailMessage', name: 'For criteria' } })).body
    .id as string

  /** An event of a contact, as features/events stores it; `more` are its other columns. */
  async function event(name: string, kind: string, more: Record<string, unknown> = {}): Promise<void> {
    const row = {
      channel: 'email',
      subject: null,
      classification: null,
      is_test: false,
      ago: 0,
      account: own.account,
      ...more,
    }
    const contact = Number.parseInt(ids[name] ?? '', 36)
    await sql`
      insert into events (id, at, account, channel, kind, subject, contact, classification, is_test, detail)
      values (uuidv7(), ${new Date(now - Number(row.ago))}, ${row.account}, ${row.channel}, ${kind},
        ${row.subject}, ${contact}, ${row.classification}, ${row.is_test}, '{}')`.execute(context.db)
  }
  const subject = Number.parseInt(action, 36)
  await event('ann', 'hits/open')
  await event('ann', 'hits/open', { ago: 2 * DAY_MS, subject })
  await event('ann', 'hits/redirection', { channel: 'sms' })
  await event('bob', 'hits/open', { classification: 'mpp' })
  await event('cyd', 'hits/open', { is_test: true })
  await event('cyd', 'activations', { ago: DAY_MS, subject })
  await event('dee', 'bounces', { channel: 'rcs', subject })
  await event('eve', 'hits/open', { account: other.account })

  const open = { type: 'event', event: 'hit', link: 'open' }
  const count = (operator: string, value: unknown) => ({ ...open, count: { operator, value } })
  const rows: [string, object, string[]][] = [
    ['a type', { type: 'event', event: 'hit' }, ['ann']],
    ['a type and a link', open, ['ann']],
    ['a kind', { type: 'event', event: 'hits/redirection' }, ['ann']],
    ['every kind', { type: 'event', event: '' }, ['ann', 'cyd', 'dee']],
    ['a type with robots', { ...open, robots: true }, ['ann', 'bob']],
    ['a channel', { type: 'event', event: 'hit', channel: 'sms' }, ['ann']],
    [
      'a channel without events',
      {
        ...open,
        channel: 'email',
        period: { last: { value: 1, unit: 'minute' } },
        count: { operator: 'greater', value: 1 },
      },
      [],
    ],
    ['an action', { type: 'event', event: '', actions: [action.toLowerCase()] }, ['ann', 'cyd']],
    ['an RCS action of that number', { type: 'event', event: '', actions: [subject] }, ['dee']],
    ['an empty list of actions', { type: 'event', event: '', actions: [] }, []],
    ['a period', { ...open, period: { last: { value: 1, unit: 'hour' } } }, ['ann']],
    ['a fixed period', { ...open, period: { end: now - DAY_MS } }, ['ann']],
    ['an earlier fixed period', { ...open, period: { end: now - 3 * DAY_MS } }, []],
    ['count equals 0', count('equals', 0), others('ann')],
    ['count equals 1', count('equals', 1), []],
    ['count equals 2', count('equals', 2), ['ann']],
    ['count notEquals 2', count('notEquals', 2), others('ann')],
    ['count notEquals 0', count('notEquals', 0), ['ann']],
    ['count greater 1', count('greater', 1), ['ann']],
    ['count greater 2', count('greater', 2), []],
    ['count greaterOrEqual 0', count('greaterOrEqual', 0), everybody],
    ['count less 1', count('less', 1), others('ann')],
    ['count less 0', count('less', 0), []],
    ['count lessOrEqual 1', count('lessOrEqual', 1), others('ann')],
    ['count lessOrEqual 2', count('lessOrEqual', 2), everybody],
    ['count between 1 and 2', count('between', [1, 2]), ['ann']],
    ['count between 0 and 1', count('between', [0, 1]), others('ann')],
    ['a none group', { none: [open] }, others('ann')],
  ]
  for (const [name, criteria, expected] of rows) {
    test(`selects the right contacts by ${name}`, async () => {
      assert.deepEqual(await selected(criteria), expected)
    })
  }

  test('events can be combined with other leaves in every kind of group', async () => {
    const age = leaf('age', 'less', 10)
    const never = count('equals', 0)
    assert.deepEqual(await selected({ all: [open, leaf('title', 'equals', 'Ms')] }), ['ann'])
    assert.deepEqual(await selected({ any: [open, leaf('title', 'equals', 'Dr')] }), ['ann', 'cyd'])
    assert.deepEqual(await selected({ any: [count('greater', 1), { all: [leaf('title', 'equals', 'Dr'), never] }] }), [
      'ann',
      'cyd',
    ])
    assert.deepEqual(await selected({ any: [never, leaf('title', 'equals', 'Ms')] }), everybody)
    assert.deepEqual(await selected({ all: [age, never] }), ['bob', 'cyd', 'dee'])
    assert.deepEqual(await selected({ none: [{ all: [age, never] }] }), ['ann', 'eve'])
  })
})

suite('criteria › segments in segments', () => {
  async function statics(...names: string[]): Promise<number> {
    const id = await made('/segments', { type: 'static', name: `Static ${++named}` })
    await call('PUT', `/segments/${id}/targets`, { body: names.map((name) => ids[name]) })
    return id
  }
  const within = (segment: number, operator?: string) => ({ type: 'segment', segment, ...(operator && { operator }) })

  test('a parent, expired or not, limits a segment to its members', async () => {
    const parentId = await segment(leaf('age', 'notEmpty'), { expiration: '2020-01-01' })
    assert.deepEqual(await selected({ all: [] }, { parentId }), others('eve'))
    const below = await segment(leaf('born', 'before', '2000-01-01'), { parentId })
    assert.deepEqual(await selected(leaf('title', 'notEquals', 'Mr'), { parentId: below }), ['ann'])
    assert.deepEqual(await selected({ all: [] }, { parentId: await statics('dee', 'eve') }), ['dee', 'eve'])
    assert.deepEqual(await selected({ all: [] }, { parentId: await segment(null) }), [])
  })

  test('members and non-members of static and dynamic segments are matched', async () => {
    const friends = await statics('ann', 'eve')
    const adults = await segment(leaf('age', 'greaterOrEqual', 9))
    const child = await segment({ all: [] }, { parentId: adults })
    assert.deepEqual(await selected(within(friends)), ['ann', 'eve'])
    assert.deepEqual(await selected(within(friends, 'notIn')), others('ann', 'eve'))
    assert.deepEqual(await selected(within(child, 'in')), ['ann', 'bob'])
    assert.deepEqual(await selected(within(child, 'notIn')), ['cyd', 'dee', 'eve'])
    assert.deepEqual(await selected({ any: [within(friends), within(child)] }), ['ann', 'bob', 'eve'])
    assert.deepEqual(await selected({ all: [within(friends), { none: [within(child)] }] }), ['eve'])
    assert.deepEqual(await selected({ none: [within(await segment(null))] }), everybody)
  })

  test('a cycle through parents or criteria is 409 and changes nothing', async () => {
    const first = await segment({ all: [] })
    const second = await segment(within(first))
    const third = await segment({ all: [] }, { parentId: second })
    for (const body of [
      { criteria: within(third) },
      { parentId: third },
      { criteria: { none: [within(first)] } },
      { parentId: first },
    ]) {
      const answer = await call('PUT', `/segments/${first}`, { body })
      assert.deepEqual(
        [answer.status, answer.body.type],
        [409, 'urn:stentor:problem:segment-ring'],
        JSON.stringify(body),
      )
    }
    const { body } = await call('GET', `/segments/${first}`)
    assert.deepEqual([body.criteria, body.parentId], [{ all: [] }, null])
    assert.deepEqual(await membersOf(third), everybody)
  })

  test('of two changes that would together close a cycle, one is refused', async () => {
    const [first, second] = [await segment({ all: [] }), await segment({ all: [] })]
    const answers = await Promise.all([
      call('PUT', `/segments/${first}`, { body: { criteria: within(second) } }),
      call('PUT', `/segments/${second}`, { body: { parentId: first } }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  })

  test('ten segments can build on each other, but not eleven, wherever the new one is added', async () => {
    const chain = [await segment({ all: [] })]
    for (let level = 2; level <= 10; level++) {
      const below = chain.at(-1) ?? 0
      chain.push(level % 2 ? await segment(within(below)) : await segment({ all: [] }, { parentId: below }))
    }
    assert.deepEqual(await membersOf(chain.at(-1) ?? 0), everybody)
    const body = { type: 'dynamic', name: 'One too many', criteria: within(chain.at(-1) ?? 0) }
    assert.equal((await call('POST', '/segments', { body })).status, 409)
    const base = await segment({ all: [] })
    assert.equal((await call('PUT', `/segments/${chain[0]}`, { body: { parentId: base } })).status, 409)
  })

  test('many references to the same segments can be evaluated', async () => {
    let below = await segment(leaf('age', 'notEmpty'))
    for (let level = 2; level <= 6; level++)
      below = await segment({ all: Array.from({ length: 20 }, () => within(below)) })
    assert.deepEqual(await membersOf(below), others('eve'))
  })

  test('a segment named by criteria cannot be deleted, and the links name the segment that uses it', async () => {
    const named = await statics('ann')
    const naming = await segment({ none: [within(named)] }, { name: 'Naming' })
    const refusal = await call('DELETE', `/segments/${named}`)
    assert.deepEqual(
      [refusal.status, refusal.body.type, refusal.body.links],
      [409, 'urn:stentor:problem:segment-linked', [{ type: 'segment', id: naming, name: 'Naming' }]],
    )
    await call('PUT', `/segments/${naming}`, { body: { criteria: { all: [] } } })
    assert.equal((await call('DELETE', `/segments/${named}`)).status, 204)
  })
})

suite('criteria › used fields', () => {
  test('a field used in criteria cannot be deleted or lose isCriterion, type or list', async () => {
    const field = await made('/fields', { type: 'singleSelectList', name: 'Held', valueListId: drinks })
    const id = await segment({ any: [{ type: 'field', field, operator: 'empty' }] }, { name: 'Holding' })
    const links = [{ type: 'segment', id, name: 'Holding' }]
    const before = (await call('GET', `/fields/${field}`)).body
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', { isCriterion: false }],
      ['PUT', { type: 'textField', valueListId: null }],
      ['PUT', { valueListId: titles }],
    ] as const) {
      const answer = await call(method, `/fields/${field}`, { body })
      assert.deepEqual([answer.status, answer.body.links], [409, links], JSON.stringify(body))
    }
    assert.deepEqual((await call('GET', `/fields/${field}`)).body, before)
    assert.equal((await call('DELETE', `/segments/${id}`)).status, 204)
    assert.equal((await call('DELETE', `/fields/${field}`)).status, 204)
  })

  test('a field named by a bounce criterion counts as used', async () => {
    const field = await made('/fields', { type: 'phone', name: 'Second phone' })
    const id = await segment({ type: 'bounce', field })
    assert.equal((await call('DELETE', `/fields/${field}`)).status, 409)
    await call('DELETE', `/segments/${id}`)
    assert.equal((await call('DELETE', `/fields/${field}`)).status, 204)
  })
})

suite('criteria › counts', () => {
  test('a count is computed when the segment is read, kept for a minute, and never computed by lists', async () => {
    const present = clock.now()
    const id = await segment(leaf('title', 'in', ['Mr', 'Ms']))
    const listed = async () => (await call('GET', '/segments')).body.find((one: { id: number }) => one.id === id)
    const counted = ({ targetsCount, targetsCountDate }: { targetsCount: number; targetsCountDate: string }) => [
      targetsCount,
      targetsCountDate,
    ]
    assert.deepEqual(counted(await listed()), [0, null])
    assert.deepEqual(counted((await call('GET', `/segments/${id}`)).body), [2, new Date(present).toISOString()])
    assert.deepEqual(counted(await listed()), [2, new Date(present).toISOString()])
    await call('PUT', `/targets/${ids['eve']}`, { body: { Title: 'Mr' } })
    clock.advance(60_000)
    assert.deepEqual(counted((await call('GET', `/segments/${id}`)).body), [2, new Date(present).toISOString()])
    clock.advance(1)
    assert.deepEqual(counted((await call('GET', `/segments/${id}`)).body), [
      3,
      new Date(present + 60_001).toISOString(),
    ])
    const { body } = await call('GET', `/segments/${id}`)
    assert.deepEqual((await call('PUT', `/segments/${id}`, { body })).body, body)
    assert.deepEqual(counted((await call('PUT', `/segments/${id}`, { body: { criteria: { all: [] } } })).body), [
      0,
      null,
    ])
    assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, 5)
    await call('PUT', `/targets/${ids['eve']}`, { body: { Title: null } })
    await call('DELETE', `/segments/${id}`)
    clock.set(present)
  })
})

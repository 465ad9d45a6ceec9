import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { deleteSelectedContacts } from '../../../src/features/contacts/bulk/selections.ts'
import type { ContactPorts } from '../../../src/features/contacts/records/ports.ts'
import { formatContactId } from '../../../src/lib/ids.ts'
import { createContactPorts } from '../../../src/service/ports.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, context, makeAccount, other } = await startHarness()

let accounts = 0

async function newAccount() {
  const { account, key } = await makeAccount(`S${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(method, url, { body, headers, key })
  const spent: number = (await ask('POST', '/fields', { type: 'numeric', name: 'Spent' })).body.id
  /** Creates contacts `<name>@example.org` and gives their ids. */
  const contacts = async (...names: string[]): Promise<string[]> => {
    const { body } = await ask(
      'PUT',
      '/targets',
      names.map((name) => ({ Email: `${name}@example.org` })),
    )
    return body.map((item: { contact: { id: string } }) => item.contact.id)
  }
  const segment = async (type: string, ...members: string[]): Promise<number> => {
    const { rows } = await context.pool.query(
      `insert into segments (account, type, name, name_folded, created_at, expires_at)
       values ($1, $2, gen_random_uuid(), gen_random_uuid(), now(), now()) returning id`,
      [account, type],
    )
    await context.pool.query('insert into segment_members select $1, $2, unnest($3::bigint[])', [
      account,
      rows[0].id,
      members.map((id) => Number.parseInt(id, 36)),
    ])
    return rows[0].id
  }
  const names = async () =>
    (await ask('GET', '/targets')).body.map(({ fields }: { fields: Record<string, unknown> }) =>
      String(Object.values(fields)[0]).replace('@example.org', ''),
    )
  return { account, key, ask, spent, contacts, segment, names }
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const listed = { accept: 'application/vnd.np6.cm.v1' }

suite('PUT /targets with an array', () => {
  test('answers each row in order, and an invalid row affects no other', async () => {
    const { ask, names } = await newAccount()
    const { status, body } = await ask('PUT', '/targets', [
      { Email: 'a@example.org' },
      { Spent: 1 },
      { Email: 'b@example.org', Nowhere: 1 },
      { Email: 'no address' },
      { Email: 'c@example.org' },
    ])
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(
        (item: { type: string; created?: boolean; value?: { type: string } }) => item.created ?? item.value?.type,
      ),
      [true, 'unicity-missing', 'unknown-field', 'invalid-value', true],
    )
    assert.equal(body[0].contact.hash, md5('a@example.org'))
    assert.deepEqual(await names(), ['a', 'c'])
  })

  test('new contacts get their ids in the order of the maps', async () => {
    const { ask } = await newAccount()
    const names = ['zoe', 'ann', 'mia', 'bob', 'ann', 'eve']
    const { status, body } = await ask(
      'PUT',
      '/targets',
      names.map((name) => ({ Email: `${name}@order.example` })),
    )
    assert.equal(status, 200)
    const ids = body.map(({ contact }: { contact: { id: string } }) => contact.id)
    assert.equal(ids[4], ids[1])
    const newIds = ids.toSpliced(4, 1)
    assert.deepEqual(newIds, newIds.toSorted())
  })

  test('applies a repeated key to the contact created by its first row', async () => {
    const { ask, spent } = await newAccount()
    const { body } = await ask('PUT', '/targets', [
      { Email: 'Ann@example.org', Spent: 1 },
      { Email: 'ann@example.org' },
      { Email: 'ANN@example.org', Spent: 3 },
    ])
    assert.deepEqual(
      body.map(({ created }: { created: boolean }) => created),
      [true, false, false],
    )
    const all = (await ask('GET', '/targets')).body
    assert.equal(all.length, 1)
    assert.equal(all[0].hash, md5('Ann@example.org'))
    assert.equal(all[0].fields[spent], 3)
  })

  test('keeps the id and spelling of existing contacts', async () => {
    const { ask, contacts, spent } = await newAccount()
    const [id] = await contacts('Ann')
    const { body } = await ask('PUT', '/targets', [
      { Email: 'ANN@example.org', Spent: 2 },
      { Email: 'bob@example.org' },
    ])
    assert.deepEqual(
      body.map(({ created }: { created: boolean }) => created),
      [false, true],
    )
    assert.deepEqual(body[0].contact, {
      type: 'footprint',
      id,
      unicity: 'Ann@example.org',
      hash: md5('Ann@example.org'),
    })
    assert.equal((await ask('GET', `/targets/${id}`)).body.fields[spent], 2)
  })

  test('accepts 1,000 rows, and refuses 1,001 without changing anything', async () => {
    const { ask } = await newAccount()
    const rows = (length: number) => Array.from({ length }, (_, n) => ({ Email: `${n}@example.org` }))
    assert.equal((await ask('PUT', '/targets', rows(1001))).status, 400)
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 0)
    assert.equal((await ask('PUT', '/targets', rows(1000))).body.length, 1000)
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1000)
    assert.deepEqual((await ask('PUT', '/targets', [])).body, [])
  })
})

suite('PUT /targets with a selection', () => {
  test('changes the contacts selected in every form, and returns counts', async () => {
    const { ask, contacts, segment, spent } = await newAccount()
    const [a = '', b = '', c = ''] = await contacts('a', 'b', 'c')
    const forms: [object, object][] = [
      [
        { type: 'id', value: [a, a, 'ZZZZZZZZ'] },
        { matched: 1, updated: 1, unchanged: 0, unknown: 1 },
      ],
      [
        { type: 'id', value: [[a], b, ['ZZZZZZZZ']] },
        { matched: 2, updated: 2, unchanged: 0, unknown: 1 },
      ],
      [
        { type: 'unicity', value: [['A@example.org'], 'b@example.org', 'x@example.org'] },
        { matched: 2, updated: 2, unchanged: 0, unknown: 1 },
      ],
      [
        { type: 'hash', value: [md5('c@example.org').toUpperCase(), 'x'] },
        { matched: 1, updated: 1, unchanged: 0, unknown: 1 },
      ],
      [
        { type: 'segment', value: await segment('static', a, b) },
        { matched: 2, updated: 2, unchanged: 0, unknown: 0 },
      ],
      [
        { type: 'segment', value: [await segment('static', b), String(await segment('static', b, c))] },
        { matched: 2, updated: 2, unchanged: 0, unknown: 0 },
      ],
    ]
    for (const [place, [selection, counts]] of forms.entries()) {
      const answer = await ask('PUT', '/targets', { ...selection, fields: { Spent: place + 1 } })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, counts)
    }
    const { body } = await ask('PUT', '/targets', { type: 'id', value: [a, b], fields: { Spent: 5 } })
    assert.deepEqual(body, { matched: 2, updated: 1, unchanged: 1, unknown: 0 })
    assert.equal((await ask('GET', `/targets/${c}`)).body.fields[spent], 6)
  })

  test('applies to the members that a dynamic segment has at the start', async () => {
    const { ask, spent, contacts } = await newAccount()
    const [a, b] = await contacts('a', 'b', 'c')
    await ask('PUT', '/targets', { type: 'id', value: [a, b], fields: { Spent: 20 } })
    const criteria = { all: [{ type: 'field', field: spent, operator: 'greater', value: 10 }] }
    const rich = await ask('POST', '/segments', { type: 'dynamic', name: 'Rich', criteria })
    assert.equal(rich.status, 200, rich.text)
    const change = { type: 'segment', value: rich.body.id, fields: { Spent: 5 } }
    const { body } = await ask('PUT', '/targets', change)
    assert.deepEqual(body, { matched: 2, updated: 2, unchanged: 0, unknown: 0 })
    assert.equal((await ask('PUT', '/targets', change)).status, 404)
  })

  test('returns 400 for an invalid value, a unicity field or an invalid selection, and changes nothing', async () => {
    const { ask, contacts } = await newAccount()
    const [id] = await contacts('a')
    const before = (await ask('GET', '/targets')).text
    const cases: [object, string][] = [
      [{ type: 'id', value: [id], fields: { Spent: 'many' } }, '/fields/Spent'],
      [{ type: 'id', value: [id], fields: { Nowhere: 1 } }, '/fields/Nowhere'],
      [{ type: 'id', value: [id], fields: { Email: 'b@example.org' } }, '/fields'],
      [{ type: 'id', value: id, fields: { Spent: 1 } }, '/value'],
      [{ type: 'unicity', value: [7], fields: { Spent: 1 } }, '/value'],
      [{ type: 'segment', value: 'x', fields: { Spent: 1 } }, '/value'],
      [{ type: 'hash', fields: { Spent: 1 } }, '/value'],
      [{ type: 'other', value: [id], fields: { Spent: 1 } }, '/type'],
    ]
    for (const [body, pointer] of cases) {
      const answer = await ask('PUT', '/targets', body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.equal(answer.body.errors[0].pointer, pointer)
    }
    assert.equal((await ask('GET', '/targets')).text, before)
  })

  test('returns 404 for an empty selection or an unknown segment', async () => {
    const { ask, contacts, segment } = await newAccount()
    const [id = ''] = await contacts('a')
    const foreign = await (await newAccount()).segment('static')
    for (const selection of [
      { type: 'id', value: [] },
      { type: 'id', value: ['ZZZZZZZZ'] },
      { type: 'segment', value: await segment('static') },
      { type: 'segment', value: [await segment('static', id), 999_999] },
      { type: 'segment', value: [await segment('static', id), '9999999999'] },
      { type: 'segment', value: foreign },
    ]) {
      assert.equal((await ask('PUT', '/targets', { ...selection, fields: { Spent: 1 } })).status, 404)
      assert.equal((await ask('DELETE', '/targets', selection)).status, 404)
    }
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1)
  })
})

suite('DELETE /targets', () => {
  test('deletes the contacts found, and lists them only on request', async () => {
    const { ask, contacts, names } = await newAccount()
    const [, b] = await contacts('a', 'b', 'c')
    const plain = await ask('DELETE', '/targets', { type: 'unicity', value: [['a@example.org'], ['none@example.org']] })
    assert.equal(plain.status, 204)
    assert.equal(plain.text, '')
    const answer = await ask('DELETE', '/targets', { type: 'id', value: [b, 'ZZZZZZZZ'] }, listed)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], listed.accept)
    assert.deepEqual(JSON.parse(answer.text), [{ id: b, unicity: ['b@example.org'] }])
    assert.deepEqual(await names(), ['c'])
  })

  test('accepts each id plain or in an array of its own, also for an erasure', async () => {
    const { ask, contacts, names } = await newAccount()
    const [a, b, c, d] = await contacts('a', 'b', 'c', 'd', 'e')
    const remove = (value: unknown, query = '') => ask('DELETE', `/targets${query}`, { type: 'id', value }, listed)
    assert.deepEqual(JSON.parse((await remove([[a], b, [String(c).toLowerCase()], ['ZZZZZZZZ'], [a]])).text), [
      { id: a, unicity: ['a@example.org'] },
      { id: b, unicity: ['b@example.org'] },
      { id: c, unicity: ['c@example.org'] },
    ])
    for (const value of [[[]], [[d, d]], [[[d]]], [[7]], [{ id: d }], d])
      assert.equal((await remove(value)).status, 400, JSON.stringify(value))
    assert.equal((await remove([['ZZZZZZZZ']])).status, 404)
    assert.deepEqual(JSON.parse((await remove([[d]], '?erase=true')).text), [{ id: d, unicity: ['d@example.org'] }])
    assert.deepEqual(await names(), ['e'])
  })

  test('deletes the members of segments, each once', async () => {
    const { ask, contacts, segment, names } = await newAccount()
    const [a = '', b = ''] = await contacts('a', 'b', 'c')
    const value = [await segment('static', a, b), String(await segment('static', b))]
    const answer = await ask('DELETE', '/targets', { type: 'segment', value }, listed)
    assert.deepEqual(
      JSON.parse(answer.text).map(({ id }: { id: string }) => id),
      [a, b],
    )
    assert.deepEqual(await names(), ['c'])
  })

  test('deletes the members of a dynamic segment', async () => {
    const { ask, spent, contacts, names } = await newAccount()
    const [a] = await contacts('a', 'b')
    await ask('PUT', `/targets/${a}`, { Spent: 20 })
    const criteria = { all: [{ type: 'field', field: spent, operator: 'greater', value: 10 }] }
    const { body } = await ask('POST', '/segments', { type: 'dynamic', name: 'Rich', criteria })
    assert.equal((await ask('DELETE', '/targets', { type: 'segment', value: [body.id] })).status, 204)
    assert.deepEqual(await names(), ['b'])
  })

  test('returns 400 without a valid selection and deletes nothing', async () => {
    const { ask, contacts } = await newAccount()
    await contacts('a')
    const bad = [
      undefined,
      {},
      [],
      { type: 'all' },
      { type: 'id' },
      { type: 'id', value: 'x' },
      { type: 'unicity', value: [[1]] },
    ]
    for (const body of bad) assert.equal((await ask('DELETE', '/targets', body)).status, 400)
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1)
  })

  test('removes remaining data of contacts deleted now or earlier on erasure, and not on plain deletion', async () => {
    const { account, contacts, names } = await newAccount()
    const [a = '', b = ''] = await contacts('a', 'b')
    const kept = new Set(['00ERASED'].map((id) => Number.parseInt(id, 36)))
    const forgotten: number[] = []
    const ports: ContactPorts = {
      ...createContactPorts(context),
      forget: async (_tx, _account, ids) => {
        forgotten.push(...ids)
        return ids.filter((id) => kept.has(id))
      },
    }
    const remove = (erase: boolean, ...value: string[]) => {
      const deletion = { selection: { type: 'id' as const, value }, erase, listed: true }
      return deleteSelectedContacts(context.db, account, deletion, { ...context, ports })
    }
    assert.equal((await remove(false, a)).length, 1)
    assert.deepEqual(forgotten, [])
    assert.deepEqual(await remove(true, b, '00ERASED'), [{ id: b, unicity: ['b@example.org'] }])
    assert.deepEqual(
      forgotten.map((id) => formatContactId(id)),
      [b, '00ERASED'],
    )
    assert.deepEqual(await remove(true, '00ERASED'), [])
    await assert.rejects(remove(true, 'ZZZZZZZZ'), { status: 404 })
    await assert.rejects(remove(false, '00ERASED'), { status: 404 })
    assert.deepEqual(await names(), [])
  })

  test('cannot reach contacts of another account', async () => {
    const { contacts, names } = await newAccount()
    const [id] = await contacts('a')
    for (const selection of [
      { type: 'id', value: [id] },
      { type: 'hash', value: [md5('a@example.org')] },
      { type: 'unicity', value: ['a@example.org'] },
    ]) {
      assert.equal((await call('DELETE', '/targets', { body: selection, key: other.key })).status, 404)
      const change = { ...selection, fields: {} }
      assert.equal((await call('PUT', '/targets', { body: change, key: other.key })).status, 404)
    }
    assert.deepEqual(await names(), ['a'])
  })
})

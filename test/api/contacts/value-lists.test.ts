import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, other, context, makeAccount } = await startHarness()

let accounts = 0

async function newAccount() {
  const { account, key } = await makeAccount(`V${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown): Promise<Answer> => call(method, url, { body, key })
  const list = async (values: (string | object)[], more: object = {}): Promise<number> => {
    const body = {
      name: 'Title',
      values: values.map((value) => (typeof value === 'string' ? { value } : value)),
      ...more,
    }
    const answer = await ask('POST', '/valueLists', body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }
  const field = async (valueListId: number, type = 'singleSelectList'): Promise<number> =>
    (await ask('POST', '/fields', { type, name: `${type} ${valueListId}`, valueListId })).body.id
  return { account, key, ask, list, field }
}

const mrMs = [
  { index: 1, value: 'Mr' },
  { index: 2, value: 'Ms' },
]

suite('value lists', () => {
  test('are created, read and listed whole', async () => {
    const { ask } = await newAccount()
    const made = await ask('POST', '/valueLists', {
      name: ' Title ',
      values: [{ value: ' Mr ' }, { index: 0, value: 'Ms' }],
    })
    assert.equal(made.status, 200)
    assert.deepEqual(made.body, { id: made.body.id, name: 'Title', ordered: false, values: mrMs })
    assert.deepEqual((await ask('GET', `/valueLists/${made.body.id}`)).body, made.body)
    assert.deepEqual((await ask('GET', '/valueLists')).body, [made.body])
    const empty = await ask('POST', '/valueLists', { name: 'Empty' })
    assert.deepEqual(empty.body.values, [])
  })

  test('null values and a null order leave the list unchanged', async () => {
    const { ask, list } = await newAccount()
    const id = await list(['b', 'a'], { ordered: true })
    const { body } = await ask('GET', `/valueLists/${id}`)
    const sent = await ask('PUT', `/valueLists/${id}`, { ordered: null, values: null })
    assert.deepEqual([sent.status, sent.body], [200, body])
    const emptied = await ask('PUT', `/valueLists/${id}`, { values: [] })
    assert.deepEqual([emptied.status, emptied.body.values], [200, []])
  })

  test('are available at a lower-case path', async () => {
    const { ask, list } = await newAccount()
    const id = await list(['Mr'])
    assert.equal((await ask('GET', `/valuelists/${id}/`)).status, 200)
  })

  test('an ordered list is returned alphabetically, and another in the given order', async () => {
    const { ask, list } = await newAccount()
    const id = await list(['pear', 'Äpfel', 'Zoo', 'apple'])
    const values = async () =>
      (await ask('GET', `/valueLists/${id}`)).body.values.map((label: { value: string }) => label.value)
    assert.deepEqual(await values(), ['pear', 'Äpfel', 'Zoo', 'apple'])
    assert.equal((await ask('PUT', `/valueLists/${id}`, { ordered: true })).status, 200)
    assert.deepEqual(await values(), ['Äpfel', 'apple', 'pear', 'Zoo'])
  })

  test('a given index is kept, other labels get the next free one, and no index is reused', async () => {
    const { ask, list } = await newAccount()
    const id = await list([{ index: 5, value: 'five' }, 'six', { index: 1, value: 'one' }])
    const put = async (values: object[]) => (await ask('PUT', `/valueLists/${id}`, { values })).body.values
    assert.deepEqual((await ask('GET', `/valueLists/${id}`)).body.values, [
      { index: 5, value: 'five' },
      { index: 6, value: 'six' },
      { index: 1, value: 'one' },
    ])
    assert.deepEqual(await put([{ value: 'FIVE' }]), [{ index: 5, value: 'FIVE' }])
    assert.deepEqual(await put([{ value: 'five' }, { value: 'six' }]), [
      { index: 5, value: 'five' },
      { index: 7, value: 'six' },
    ])
    const again = await ask('PUT', `/valueLists/${id}`, { values: [{ index: 6, value: 'six' }] })
    assert.equal(again.status, 400)
    assert.equal(again.body.errors[0].pointer, '/values/0/index')
    const gap = [
      { index: 3, value: 'three' },
      { index: 5, value: 'five' },
    ]
    assert.deepEqual(await put(gap), gap, 'an index that was never used is free, also below others')
    assert.deepEqual(await put([{ index: 5, value: 'five' }]), [{ index: 5, value: 'five' }])
    for (const index of [1, 3, 6, 7]) {
      const used = await ask('PUT', `/valueLists/${id}`, { values: [{ index, value: 'again' }] })
      assert.deepEqual([used.status, used.body.errors[0].pointer], [400, '/values/0/index'], String(index))
    }
  })

  test('labels can be swapped', async () => {
    const { ask, list } = await newAccount()
    const id = await list(['Mr', 'Ms'])
    const values = [
      { index: 1, value: 'Ms' },
      { index: 2, value: 'Mr' },
    ]
    assert.deepEqual((await ask('PUT', `/valueLists/${id}`, { values })).body.values, values)
  })

  test('invalid lists are 400, a repeated label or name 409, and nothing is created', async () => {
    const { ask, list } = await newAccount()
    await list(['Mr'])
    const cases: [object, number][] = [
      [{}, 400],
      [{ name: '' }, 400],
      [{ name: 'X', values: [{ value: '' }] }, 400],
      [{ name: 'X', values: [{ value: 'x'.repeat(256) }] }, 400],
      [{ name: 'X', values: [{ value: 'a\nb' }] }, 400],
      [{ name: 'X', values: [{}] }, 400],
      [{ name: 'X', values: [{ index: -1, value: 'a' }] }, 400],
      [
        {
          name: 'X',
          values: [
            { index: 1, value: 'a' },
            { index: 1, value: 'b' },
          ],
        },
        400,
      ],
      [{ name: 'X', values: Array.from({ length: 10_001 }, (_, n) => ({ value: `${n}` })) }, 400],
      [{ name: 'X', values: [{ value: 'a' }, { value: 'A' }] }, 409],
      [{ name: 'TITLE' }, 409],
    ]
    for (const [body, status] of cases) assert.equal((await ask('POST', '/valueLists', body)).status, status)
    assert.equal((await ask('GET', '/valueLists')).body.length, 1)
  })

  test('hold 10,000 labels', async () => {
    const { ask, list } = await newAccount()
    const id = await list(Array.from({ length: 10_000 }, (_, n) => `label ${n}`))
    const { values } = (await ask('GET', `/valueLists/${id}`)).body
    assert.equal(values.length, 10_000)
    // One more is refused, and the list keeps what it had.
    const more = [...values, { value: 'label 10000' }]
    assert.equal((await ask('PUT', `/valueLists/${id}`, { values: more })).status, 400)
    assert.deepEqual((await ask('GET', `/valueLists/${id}`)).body.values, values)
  })

  test('are unknown to other accounts', async () => {
    const { ask, list } = await newAccount()
    const id = await list(['Mr'])
    const theirs = (method: string, body?: unknown) => call(method, `/valueLists/${id}`, { body, key: other.key })
    assert.equal((await theirs('GET')).status, 404)
    assert.equal((await theirs('PUT', { name: 'Theirs' })).status, 404)
    assert.equal((await theirs('DELETE')).status, 404)
    assert.equal((await ask('GET', `/valueLists/${id}`)).body.name, 'Title')
  })

  test('respect If-Match', async () => {
    const { key, list } = await newAccount()
    const id = await list(['Mr'])
    const { headers } = await call('GET', `/valueLists/${id}`, { key })
    const change = (name: string) =>
      call('PUT', `/valueLists/${id}`, { key, body: { name }, headers: { 'if-match': String(headers['etag']) } })
    assert.equal((await change('B')).status, 200)
    assert.equal((await change('C')).status, 412)
  })
})

suite('value lists in use', () => {
  test('a changed label appears in every contact at once', async () => {
    const { ask, list, field } = await newAccount()
    const id = await list(['Mr', 'Ms'])
    const title = await field(id)
    const { body: contact } = await ask('POST', '/targets', { Email: 'a@example.org', [title]: 'mS' })
    assert.equal(contact.fields[title], 'Ms')
    assert.equal((await ask('PUT', `/targets/${contact.id}`, { [title]: 'Dr' })).status, 400)
    await ask('PUT', `/valueLists/${id}`, {
      values: [
        { index: 1, value: 'Mr' },
        { index: 2, value: 'Mrs' },
      ],
    })
    const read = await ask('GET', `/targets/${contact.id}`)
    assert.equal(read.body.fields[title], 'Mrs')
    assert.equal(read.body.lastUpdateDate, contact.lastUpdateDate)
  })

  test('values of a multiple list follow the order of the list', async () => {
    const { ask, list, field } = await newAccount()
    const id = await list(['Tea', 'Chess', 'Books'])
    const tastes = await field(id, 'multipleSelectList')
    const { body } = await ask('POST', '/targets', { Email: 'a@example.org', [tastes]: ['books', 'TEA', 'Books'] })
    assert.deepEqual(body.fields[tastes], ['Tea', 'Books'])
    await ask('PUT', `/valueLists/${id}`, { ordered: true })
    assert.deepEqual((await ask('GET', `/targets/${body.id}`)).body.fields[tastes], ['Books', 'Tea'])
  })

  test('a value in use by contacts cannot be removed, and links report how many use it', async () => {
    const { ask, list, field } = await newAccount()
    const id = await list(['Mr', 'Ms', 'Dr'])
    const single = await field(id)
    const multiple = await field(id, 'multipleSelectList')
    await ask('POST', '/targets', { Email: 'a@example.org', [single]: 'Ms', [multiple]: ['Mr', 'Ms'] })
    await ask('POST', '/targets', { Email: 'b@example.org', [single]: 'Ms' })
    const before = (await ask('GET', `/valueLists/${id}`)).text
    const answer = await ask('PUT', `/valueLists/${id}`, { name: 'Other', values: [{ value: 'Mr' }] })
    assert.equal(answer.status, 409)
    assert.deepEqual(
      answer.body.links.map(({ id, contacts }: { id: number; contacts: number }) => ({ id, contacts })),
      [
        { id: single, contacts: 2 },
        { id: multiple, contacts: 1 },
      ],
    )
    assert.equal((await ask('GET', `/valueLists/${id}`)).text, before)
    assert.equal((await ask('PUT', `/valueLists/${id}`, { values: [{ value: 'Mr' }, { value: 'Ms' }] })).status, 200)
  })

  test('a list used by a field is not deleted', async () => {
    const { ask, list, field } = await newAccount()
    const id = await list(['Mr'])
    const title = await field(id)
    const answer = await ask('DELETE', `/valueLists/${id}`)
    assert.equal(answer.status, 409)
    assert.equal((await ask('GET', `/valueLists/${id}`)).status, 200)
    assert.equal((await ask('DELETE', `/fields/${title}`)).status, 204)
    assert.equal((await ask('DELETE', `/valueLists/${id}`)).status, 204)
    assert.equal((await ask('GET', `/valueLists/${id}`)).status, 404)
    const { rows } = await context.pool.query('select from value_list_labels where list = $1', [id])
    assert.equal(rows.length, 0)
  })
})

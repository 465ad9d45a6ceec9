import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startHarness } from '../../support/harness.ts'

const { call, own, other, makeKey, clock } = await startHarness()

async function made(path: string, body: object, key = own.key): Promise<number> {
  const answer = await call('POST', path, { body, key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const [email] = (await call('GET', '/fields')).body
const cities = await made('/valueLists', { name: 'Cities', values: [{ value: 'Paris' }, { value: 'Lyon' }] })
const field = {
  email: email.id as number,
  name: await made('/fields', { type: 'textField', name: 'Nom' }),
  phone: await made('/fields', { type: 'phone', name: 'Mobile' }),
  spend: await made('/fields', { type: 'numeric', name: 'Spend' }),
  born: await made('/fields', { type: 'date', name: 'Born' }),
  city: await made('/fields', { type: 'singleSelectList', name: 'City', valueListId: cities }),
  hobbies: await made('/fields', { type: 'multipleSelectList', name: 'Hobbies', valueListId: cities }),
  note: await made('/fields', { type: 'textField', name: 'Note', isCriterion: false }),
}
await call('PUT', '/settings/contacts', { body: { defaultCountry: 'FRA' } })

const people = [
  { Email: 'zoe@shop.example', Nom: 'Zoé', Spend: 5, Born: '1990-05-17', City: 'Lyon' },
  {
    Email: 'elodie@shop.example',
    Nom: 'Élodie',
    Spend: 12.5,
    Born: '1980-01-02',
    City: 'Paris',
    Mobile: '06 12 34 56 78',
  },
  { Email: 'eric@other.example', Nom: 'eric', Spend: 12.5, City: 'Paris' },
  { Email: 'nobody@other.example' },
  { Email: 'Ann_50%@shop.example', Nom: 'Ann', Spend: -3, City: 'Lyon', Mobile: '+33687654321' },
]
const ids: string[] = []
for (const body of people) {
  clock.advance(1000)
  ids.push((await call('POST', '/targets', { body })).body.id)
}
const [zoe = '', elodie = '', eric = '', nobody = '', ann = ''] = ids
await call('POST', '/targets', { body: { Email: 'zoe@shop.example' }, key: other.key })

async function listed(body: object = {}): Promise<string[]> {
  const answer = await call('POST', '/targets/search', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.items.map(({ id }: { id: string }) => id)
}

/** The whole of a list, page by page. */
async function paged(body: object, limit: number): Promise<string[]> {
  const found: string[] = []
  for (let after: string | null = null; ; ) {
    const { body: page } = await call('POST', '/targets/search', { body: { ...body, limit, after } })
    found.push(...page.items.map(({ id }: { id: string }) => id))
    if (page.next === null) return found
    after = page.next
  }
}

async function refused(path: string, body: object, pointer: string): Promise<void> {
  const answer = await call('POST', path, { body })
  assert.equal(answer.status, 400, answer.text)
  assert.ok(
    answer.body.errors.some((fault: { pointer: string }) => fault.pointer === pointer),
    answer.text,
  )
}

suite('POST /targets/search', () => {
  test('returns whole contacts with their total, and none of another account', async () => {
    const { body } = await call('POST', '/targets/search', { body: { fields: [field.name], limit: 2 } })
    const { items, total, exact, next } = body
    assert.deepEqual({ total, exact }, { total: 5, exact: true })
    assert.equal(typeof next, 'string')
    const whole = (await call('GET', `/targets/${zoe}`)).body
    assert.deepEqual(items[0], { ...whole, fields: { [field.name]: 'Zoé' } })
    assert.equal(items.length, 2)
    assert.deepEqual(await listed(), ids)
    const all = await call('POST', '/targets/search', { body: { limit: 5 } })
    assert.equal(all.body.next, null)
  })

  const orders: [string, object, string[]][] = [
    ['the id, backwards', { by: 'id', order: 'desc' }, [ann, nobody, eric, elodie, zoe]],
    ['the date of creation', { by: 'creationDate' }, ids],
    ['the date of the last change, backwards', { by: 'lastUpdateDate', order: 'desc' }, ids.toReversed()],
    ['a text, without regard to case and accents', { by: field.name }, [ann, elodie, eric, zoe, nobody]],
    ['a text, backwards', { by: String(field.name), order: 'desc' }, [zoe, eric, elodie, ann, nobody]],
    ['a number', { by: field.spend }, [ann, zoe, elodie, eric, nobody]],
    ['a number, backwards', { by: field.spend, order: 'desc' }, [eric, elodie, zoe, ann, nobody]],
    ['a date', { by: field.born }, [elodie, zoe, eric, nobody, ann]],
    ['a label, backwards', { by: field.city, order: 'desc' }, [ann, zoe, eric, elodie, nobody]],
    ['an address', { by: field.email }, [ann, elodie, eric, nobody, zoe]],
  ]

  for (const [name, sort, expected] of orders) {
    test(`is sorted by ${name}, with contacts without a value last`, async () => {
      assert.deepEqual(await listed({ sort }), expected)
      for (const limit of [1, 2, 4]) assert.deepEqual(await paged({ sort }, limit), expected, `pages of ${limit}`)
    })

    test(`can start a page at any fraction of the list when sorted by ${name}`, async () => {
      for (const [place] of expected.entries()) {
        const at = (place + 0.5) / expected.length
        assert.deepEqual(await listed({ sort, at }), expected.slice(place), String(at))
      }
      assert.deepEqual(await listed({ sort, at: 1 }), expected.slice(-1))
      assert.deepEqual(await listed({ sort, at: 0 }), expected)
    })
  }

  test('returns and counts the contacts that match the criteria, even on a page in the middle', async () => {
    const criteria = { type: 'field', field: field.spend, operator: 'greater', value: 0 }
    const { body } = await call('POST', '/targets/search', { body: { criteria, limit: 1, sort: { by: field.name } } })
    assert.deepEqual([body.total, body.exact, body.items[0].id], [3, true, elodie])
    const behind = await call('POST', '/targets/search', {
      body: { criteria, limit: 1, sort: { by: field.name }, after: body.next },
    })
    assert.deepEqual([behind.body.total, behind.body.exact, behind.body.items[0].id], [3, true, eric])
    assert.deepEqual(await listed({ criteria, sort: { by: field.name }, at: 0.7 }), [zoe])
    const none = await call('POST', '/targets/search', { body: { criteria: { any: [] }, at: 0.5 } })
    assert.deepEqual(none.body, { items: [], total: 0, exact: true, next: null })
  })

  const texts: [string, string[]][] = [
    ['elodie@shop.example', [elodie]],
    ['ELODIE@SHOP.EXAMPLE', [elodie]],
    ['shop.ex', [zoe, elodie, ann]],
    ['50%', [ann]],
    ['n_5', [ann]],
    ['%@s', [ann]],
    ['06 12 34 56 78', [elodie]],
    ['0612', [elodie]],
    ['+33 6', [elodie, ann]],
    ['sh', []],
    ['élodie', [elodie]],
    ['absent', []],
  ]
  for (const [query, expected] of texts)
    test(`finds ${expected.length} contacts by "${query}"`, async () =>
      assert.deepEqual(await listed({ query }), expected))

  test('finds a contact by its id, and combines a query with criteria', async () => {
    assert.deepEqual(await listed({ query: eric.toLowerCase() }), [eric])
    const criteria = { type: 'field', field: field.city, operator: 'equals', value: 'Lyon' }
    assert.deepEqual(await listed({ query: 'shop', criteria }), [zoe, ann])
  })

  test('refuses an invalid request', async () => {
    await refused(
      '/targets/search',
      { criteria: { type: 'field', field: 999_999, operator: 'empty' } },
      '/criteria/field',
    )
    await refused('/targets/search', { sort: { by: 'name' } }, '/sort/by')
    await refused('/targets/search', { sort: { by: field.note } }, '/sort/by')
    await refused('/targets/search', { sort: { by: field.hobbies } }, '/sort/by')
    await refused('/targets/search', { at: 2 }, '/at')
    await refused('/targets/search', { at: 0.5, after: 'x' }, '/at')
    await refused('/targets/search', { after: 'x' }, '/after')
    await refused('/targets/search', { limit: 0 }, '/limit')
    await refused('/targets/search', { fields: [999_999] }, 'fields')
    const { body } = await call('POST', '/targets/search', { body: { limit: 1 } })
    await refused('/targets/search', { after: body.next, sort: { by: field.name } }, '/after')
  })

  test('requires the read right', async () => {
    assert.equal((await call('POST', '/targets/search', { body: {}, key: null })).status, 401)
    const key = await makeKey(own.account, ['write'])
    for (const path of ['/targets/search', '/segments/preview'])
      assert.equal((await call('POST', path, { body: { criteria: null }, key })).status, 403)
    assert.equal((await call('GET', '/search?q=x', { key })).status, 403)
  })
})

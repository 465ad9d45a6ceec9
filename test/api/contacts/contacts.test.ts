import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, clock, context, makeAccount, makeKey, other } = await startHarness()

let accounts = 0

interface Asking {
  headers?: Record<string, string>
}

/** An account of its own with a field of every type. */
async function newAccount() {
  const { account, key } = await makeAccount(`C${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown, { headers = {} }: Asking = {}): Promise<Answer> =>
    call(method, url, { body, headers, key })
  const made = async (url: string, body: object): Promise<number> => (await ask('POST', url, body)).body.id
  const [{ id: email }] = (await ask('GET', '/fields')).body
  const titles = await made('/valueLists', { name: 'Titles', values: [{ value: 'Mr' }, { value: 'Ms' }] })
  const tastes = await made('/valueLists', { name: 'Tastes', values: [{ value: 'Tea' }, { value: 'Chess' }] })
  const ids = {
    email: email as number,
    first: await made('/fields', { type: 'textField', name: 'First name' }),
    title: await made('/fields', { type: 'singleSelectList', name: 'Title', valueListId: titles }),
    mobile: await made('/fields', { type: 'phone', name: 'Mobile' }),
    spent: await made('/fields', { type: 'numeric', name: 'Spent' }),
    birth: await made('/fields', { type: 'date', name: 'Birth date' }),
    tastes: await made('/fields', { type: 'multipleSelectList', name: 'Tastes', valueListId: tastes }),
    notes: await made('/fields', { type: 'textArea', name: 'Notes' }),
  }
  const contact = async (body: object): Promise<string> => {
    const answer = await ask('POST', '/targets', body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }
  return { account, key, ask, made, ids, contact }
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const models = ['application/vnd.np6.experimental+json', 'application/vnd.mperf.v8.model.v1+json']

suite('contacts › documents', () => {
  test('a new contact has every field of the account, no flags and no red list', async () => {
    const { ask, ids } = await newAccount()
    clock.set('2026-02-01T08:00:00.000Z')
    const { status, body } = await ask('POST', '/targets', { email: ' Ann@EXAMPLE.org ' })
    assert.equal(status, 200)
    assert.match(body.id, /^[0-9A-Z]{8}$/)
    assert.deepEqual(body, {
      id: body.id,
      hash: md5('Ann@example.org'),
      creationDate: '2026-02-01T08:00:00.000Z',
      lastUpdateDate: '2026-02-01T08:00:00.000Z',
      fields: {
        [ids.email]: 'Ann@example.org',
        [ids.first]: null,
        [ids.title]: null,
        [ids.mobile]: null,
        [ids.spent]: null,
        [ids.birth]: null,
        [ids.tastes]: [],
        [ids.notes]: null,
      },
      bounce: [],
      redList: {},
    })
    assert.deepEqual((await ask('GET', `/targets/${body.id.toLowerCase()}`)).body, body)
    assert.deepEqual((await ask('GET', '/targets')).body, [body])
  })

  test('a model media type gives a document exactly five members in every operation', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    for (const accept of models) {
      const headers = { accept: `text/html, ${accept}; q=0.9` }
      const answers = [
        await ask('POST', '/targets', { Email: `${accepted(accept)}@example.org` }, { headers }),
        await ask('PUT', '/targets', { Email: 'a@example.org' }, { headers }),
        await ask('PUT', `/targets/${id}`, {}, { headers }),
        await ask('GET', `/targets/${id}`, undefined, { headers }),
        await ask('GET', '/targets?unicity=a@example.org', undefined, { headers }),
        await ask('GET', '/targets', undefined, { headers }),
        await ask('GET', '/targets?limit=1', undefined, { headers }),
      ]
      for (const { status, body, headers } of answers) {
        assert.equal(status, 200)
        assert.equal(headers['content-type'], accept)
        const document = Array.isArray(body) ? body[0] : body
        assert.deepEqual(Object.keys(document), ['id', 'hash', 'creationDate', 'lastUpdateDate', 'fields'])
      }
    }
  })

  test('a body of a model media type is read as JSON, and Accept decides the answer', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    for (const type of [...models, `${models[0]?.toUpperCase()}; charset=utf-8`]) {
      const headers = { 'content-type': type }
      const made = await ask('POST', '/targets', { Email: `${accepted(type)}.typed@example.org` }, { headers })
      assert.equal(made.status, 200, made.text)
      assert.deepEqual([made.headers['content-type'], made.body.bounce], ['application/json; charset=utf-8', []])
      const narrow = { ...headers, accept: models[1] ?? '' }
      const changed = await ask('PUT', `/targets/${id}`, { Spent: 4 }, { headers: narrow })
      assert.deepEqual([changed.status, changed.body.bounce], [200, undefined])
      assert.equal((await ask('PUT', '/targets', { Email: 'a@example.org' }, { headers })).body.id, id)
      const sought = { type: 'id', value: id }
      assert.equal((await ask('POST', '/targets/resolve', sought, { headers })).body.id, id)
      const gone = { type: 'id', value: [made.body.id] }
      assert.equal((await ask('DELETE', '/targets', gone, { headers })).status, 204)
    }
    const headers = { 'content-type': 'application/vnd.example.other+json' }
    assert.equal((await ask('POST', '/targets', { Email: 'other@example.org' }, { headers })).status, 415)
  })

  test('"fields" limits the fields returned', async () => {
    const { ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org', Spent: 3 })
    const narrowed = { [ids.email]: 'a@example.org', [ids.spent]: 3 }
    const query = `fields=${ids.spent},%20${ids.email}`
    assert.deepEqual((await ask('GET', `/targets/${id}?${query}`)).body.fields, narrowed)
    assert.deepEqual((await ask('GET', `/targets?${query}`)).body[0].fields, narrowed)
    assert.deepEqual((await ask('GET', `/targets?unicity=a@example.org&${query}`)).body.fields, narrowed)
    for (const fields of ['x', '999999', '', `${ids.email},`]) {
      for (const url of [`/targets?fields=${fields}`, `/targets/${id}?fields=${fields}`]) {
        assert.equal((await ask('GET', url)).status, 400, url)
      }
    }
  })

  test('pages follow each other by ascending id and contain every contact once', async () => {
    const { ask } = await newAccount()
    const rows = Array.from({ length: 25 }, (_, n) => ({ Email: `${n}@example.org` }))
    await ask('PUT', '/targets', rows)
    const all = (await ask('GET', '/targets')).body.map(({ id }: { id: string }) => id)
    assert.equal(all.length, 25)
    assert.deepEqual(all, all.toSorted())
    const paged: string[] = []
    for (let url: string | undefined = '/targets?limit=10'; url; ) {
      const page: Answer = await ask('GET', url)
      paged.push(...page.body.map(({ id }: { id: string }) => id))
      url = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    }
    assert.deepEqual(paged, all)
    assert.equal((await ask('GET', '/targets?after=nonsense')).status, 400)
    assert.equal((await ask('GET', '/targets?limit=0')).status, 400)
  })

  test('the count reflects the last commit', async () => {
    const { ask, contact } = await newAccount()
    assert.deepEqual((await ask('GET', '/targets/count')).body, { targetsCount: 0 })
    const id = await contact({ Email: 'a@example.org' })
    await contact({ Email: 'b@example.org' })
    await ask('PUT', '/targets', { Email: 'A@example.org' })
    assert.deepEqual((await ask('GET', '/targets/count')).body, { targetsCount: 2 })
    await ask('DELETE', `/targets/${id}`)
    assert.deepEqual((await ask('GET', '/targets/count')).body, { targetsCount: 1 })
  })
})

function accepted(type: string): string {
  return String(models.indexOf(type))
}

suite('contacts › values', () => {
  test('are returned in the documented form for every type', async () => {
    const { ask, ids } = await newAccount()
    const { body } = await ask('POST', '/targets', {
      email: 'a@example.org',
      'FIRST NAME': '  Zoe\u0308 ',
      [ids.title]: 'mS',
      mobile: '01 23 45 67 89',
      spent: '12.50',
      'birth date': '01/02/2000',
      tastes: ['chess', 'TEA', 'Chess'],
      notes: 'two\nlines',
    })
    assert.deepEqual(body.fields, {
      [ids.email]: 'a@example.org',
      [ids.first]: 'Zoë',
      [ids.title]: 'Ms',
      [ids.mobile]: '+33123456789',
      [ids.spent]: 12.5,
      [ids.birth]: '2000-02-01T00:00:00.000Z',
      [ids.tastes]: ['Tea', 'Chess'],
      [ids.notes]: 'two\nlines',
    })
  })

  test('numbers of 15 digits are returned exactly, and numbers of 16 are refused', async () => {
    const { ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org', Spent: 123456789012345 })
    assert.equal((await ask('GET', `/targets/${id}`)).body.fields[ids.spent], 123456789012345)
    assert.equal((await ask('PUT', `/targets/${id}`, { Spent: 1234567890123456 })).status, 400)
  })

  test('phone numbers without a country are kept as written, and letters are refused', async () => {
    const { ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org', Mobile: '07400123456' })
    assert.equal((await ask('GET', `/targets/${id}`)).body.fields[ids.mobile], '07400123456')
    assert.equal((await ask('PUT', `/targets/${id}`, { Mobile: 'abc' })).status, 400)
  })

  test("follow the account's country and date order", async () => {
    const { ask, ids, contact } = await newAccount()
    await ask('PUT', '/settings/contacts', { defaultCountry: 'gb', dateOrder: 'mdy' })
    const id = await contact({ Email: 'a@example.org', Mobile: '07400123456', 'Birth date': '01/02/2000' })
    const { fields } = (await ask('GET', `/targets/${id}`)).body
    assert.equal(fields[ids.mobile], '+447400123456')
    assert.equal(fields[ids.birth], '2000-01-02T00:00:00.000Z')
  })

  test('a boolean or an object is 400 for every type, and an array for every type except one', async () => {
    const { ask, ids } = await newAccount()
    for (const value of [true, {}, { value: 'a' }, ['Tea', ['Chess']], [null]]) {
      for (const id of Object.values(ids)) {
        const body = { Email: 'a@example.org', [id]: value }
        assert.equal((await ask('PUT', '/targets', body)).status, 400, JSON.stringify(body))
      }
    }
    for (const body of [[], [{ Email: 'a@example.org' }], 7]) {
      assert.equal((await ask('POST', '/targets', body)).status, 400, JSON.stringify(body))
    }
    assert.deepEqual((await ask('GET', '/targets')).body, [])
  })

  test('are limited to 1,000 characters in text fields and 65,000 in text areas, whatever their bytes', async () => {
    const { ask, ids } = await newAccount()
    const [first, notes] = ['👩'.repeat(1000), '👩'.repeat(65_000)]
    const { body } = await ask('POST', '/targets', { Email: 'a@example.org', 'First name': first, Notes: notes })
    assert.deepEqual([body.fields[ids.first], body.fields[ids.notes]], [first, notes])
    assert.equal((await ask('PUT', '/targets', { Email: 'a@example.org', 'First name': `${first}x` })).status, 400)
    assert.equal((await ask('PUT', '/targets', { Email: 'a@example.org', Notes: `${notes}x` })).status, 400)
    assert.equal((await ask('PUT', '/targets', { Email: 'a@example.org', 'First name': 'a\nb' })).status, 400)
  })

  test('null, "" and [] empty a field, and omission leaves it unchanged', async () => {
    const { ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org', Spent: 1, Tastes: ['Tea'], Notes: 'x', 'First name': 'Ann' })
    const { body } = await ask('PUT', `/targets/${id}`, { Spent: null, Tastes: [], Notes: '' })
    assert.equal(body.fields[ids.spent], null)
    assert.deepEqual(body.fields[ids.tastes], [])
    assert.equal(body.fields[ids.notes], null)
    assert.equal(body.fields[ids.first], 'Ann')
  })

  test('all invalid values are reported together and nothing is written', async () => {
    const { ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org', 'First name': 'Ann' })
    const before = (await ask('GET', `/targets/${id}`)).text
    const bad = { 'First name': 'Bob', Spent: 'many', Mobile: true, [ids.birth]: '31/02/2000', Email: null, Nowhere: 1 }
    for (const [method, url] of [
      ['PUT', `/targets/${id}`],
      ['PUT', '/targets'],
      ['POST', '/targets'],
    ] as const) {
      const answer = await ask(method, url, bad)
      assert.equal(answer.status, 400)
      assert.deepEqual(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(),
        ['/Email', '/Mobile', '/Nowhere', '/Spent', `/${ids.birth}`].sort(),
      )
    }
    assert.equal((await ask('GET', `/targets/${id}`)).text, before)
  })

  test('unknown keys, nested fields and a field given twice are 400 with a pointer', async () => {
    const { ask, ids } = await newAccount()
    const nested = await ask('POST', '/targets', { fields: { [ids.email]: 'a@example.org' } })
    assert.equal(nested.status, 400)
    assert.equal(nested.body.errors[0].pointer, '/fields')
    const twice = await ask('POST', '/targets', { Email: 'a@example.org', [ids.email]: 'a@example.org' })
    assert.equal(twice.status, 400)
    const slash = await ask('POST', '/targets', { Email: 'a@example.org', 'a/b~c': 1 })
    assert.equal(slash.body.errors[0].pointer, '/a~1b~0c')
    const foreign = (await call('GET', '/fields', { key: other.key })).body[0].id
    assert.equal((await ask('POST', '/targets', { Email: 'a@example.org', [foreign]: 'b@example.org' })).status, 400)
    assert.deepEqual((await ask('GET', '/targets')).body, [])
  })

  test('characters not allowed in text are 400, not a server error', async () => {
    const { ask } = await newAccount()
    for (const value of ['a\u0000b', 'a\ud800']) {
      for (const name of ['First name', 'Notes', 'Email', 'Title']) {
        assert.equal((await ask('POST', '/targets', { Email: 'a@example.org', [name]: value })).status, 400)
      }
    }
    assert.equal((await ask('GET', '/targets?unicity=a%00@example.org')).status, 404)
  })
})

suite('contacts › identity', () => {
  test('the key ignores case, and the first spelling is kept', async () => {
    const { ask, ids } = await newAccount()
    const first = await ask('POST', '/targets', { Email: 'Ann@EXAMPLE.org' })
    const again = await ask('POST', '/targets', { [ids.email]: 'ann@example.org' })
    assert.equal(again.status, 409)
    assert.equal(again.body.type, 'urn:stentor:problem:unicity-taken')
    const upserted = await ask('PUT', '/targets', { [ids.email]: 'ANN@example.org' })
    assert.equal(upserted.status, 200)
    assert.deepEqual(upserted.body, first.body)
  })

  test('PUT of one contact updates the spelling and its hash', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact({ Email: 'Ann@example.org' })
    const { body } = await ask('PUT', `/targets/${id}`, { Email: 'ANN@example.org' })
    assert.equal(body.hash, md5('ANN@example.org'))
    assert.equal((await ask('GET', `/targets?hash=${md5('Ann@example.org')}`)).status, 404)
    assert.equal((await ask('GET', `/targets?hash=${md5('ANN@example.org').toUpperCase()}`)).body.id, id)
  })

  test('an unknown unicity or hash is 404 with an empty body', async () => {
    const { ask } = await newAccount()
    for (const query of [
      'unicity=none@example.org',
      'unicity=',
      'unicity=no%20address',
      `hash=${md5('x')}`,
      'hash=x',
      'hash=',
    ]) {
      const answer = await ask('GET', `/targets?${query}`)
      assert.equal(answer.status, 404, query)
      assert.equal(answer.text, '', query)
    }
    assert.equal((await ask('GET', `/targets?unicity=a@example.org&hash=${md5('x')}`)).status, 400)
  })

  test('a unicity is normalized before lookup', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact({ Email: 'Ünï@xn--huser-gra.example' })
    const query = new URLSearchParams({ unicity: ' üNÏ@HÄUSER.example ' })
    assert.equal((await ask('GET', `/targets?${query}`)).body.id, id)
  })

  test('several unicity fields are found joined, one by one, and by hash', async () => {
    const { ask, made, ids } = await newAccount()
    const company = await made('/fields', { type: 'textField', name: 'Company', isUnicity: true })
    const number = await made('/fields', { type: 'textField', name: 'Number', isUnicity: true })
    await ask('PUT', `/fields/${ids.email}`, { isUnicity: false, isMandatory: false })
    const { body } = await ask('POST', '/targets', { [number]: 7, [company]: 'ACME' })
    assert.equal(body.hash, md5('ACME7'))
    for (const query of ['unicity=ACME7', 'unicity=acme7', 'unicity=ACME&unicity=7', `hash=${md5('ACME7')}`]) {
      assert.equal((await ask('GET', `/targets?${query}`)).body.id, body.id, query)
    }
    assert.equal((await ask('GET', '/targets?unicity=7&unicity=ACME')).status, 404)
    assert.equal((await ask('GET', '/targets?unicity=ACME&unicity=7&unicity=')).status, 404)
    assert.equal((await ask('POST', '/targets', { Company: 'ACM', Number: 'E7' })).status, 409)
    const half = await ask('POST', '/targets', { Company: 'ACME' })
    assert.equal(half.status, 400)
    assert.equal(half.body.type, 'urn:stentor:problem:unicity-missing')
    const upserted = await ask('PUT', '/targets', { Company: 'acm', Number: 'e7', 'First name': 'Ann' })
    assert.equal(upserted.body.id, body.id)
    assert.equal(upserted.body.fields[company], 'ACME')
  })

  test('addresses are one key if they are equal in lower case after NFC, with their domain in A-labels', async () => {
    const { ask, contact } = await newAccount()
    const pairs = [
      ['stra\u00dfe@example.org', 'STRA\u1e9eE@EXAMPLE.org'],
      ['ὀδυσσεύς@example.org', 'ὈΔΥΣΣΕΎΣ@EXAMPLE.org'],
      ['éloïse@exämple.org', 'ÉLOÏSE@xn--exmple-cua.org'],
    ]
    for (const [first = '', again = ''] of pairs) {
      const id = await contact({ Email: first })
      assert.equal((await ask('POST', '/targets', { Email: again })).status, 409, again)
      assert.equal((await ask('PUT', '/targets', { Email: again })).body.id, id, again)
      assert.equal((await ask('GET', `/targets?${new URLSearchParams({ unicity: again })}`)).body.id, id, again)
    }
  })

  test('values of every type can be unicity, and are found in any of their forms', async () => {
    const { ask, made, ids } = await newAccount()
    const type = { textField: 'T', numeric: 'N', date: 'D', phone: 'P' }
    for (const [kind, name] of Object.entries(type)) await made('/fields', { type: kind, name, isUnicity: true })
    await ask('PUT', `/fields/${ids.email}`, { isUnicity: false, isMandatory: false })
    const { body } = await ask('POST', '/targets', { T: 'Zoe\u0308', N: '7.50', D: '01/02/2000', P: '01 23 45 67 89' })
    const unicity = 'Zoë7.52000-02-01T00:00:00.000Z+33123456789'
    assert.equal(body.hash, md5(unicity))
    const forms = [
      [unicity],
      [unicity.toLowerCase()],
      [' ZOE\u0308 ', '7.5', '949363200000', '0033 1 23 45 67 89'],
      ['zoë', '007.50', '2000-02-01T01:00:00+01:00', '+33123456789'],
    ]
    for (const form of forms) {
      const query = new URLSearchParams(form.map((value) => ['unicity', value]))
      assert.equal((await ask('GET', `/targets?${query}`)).body?.id, body.id, String(query))
      assert.equal((await ask('PUT', `/targets?${query}`, { 'First name': 'Zoë' })).body.id, body.id, String(query))
    }
    const filled = await ask('POST', '/targets?unicity=a', { N: 1, D: '2000-01-01', P: '0123456789' })
    assert.equal(filled.body.type, 'urn:stentor:problem:unicity-missing')
  })

  test('a key is limited to 512 characters', async () => {
    const { ask, made, ids } = await newAccount()
    await made('/fields', { type: 'textField', name: 'Code', isUnicity: true })
    await ask('PUT', `/fields/${ids.email}`, { isUnicity: false, isMandatory: false })
    assert.equal((await ask('POST', '/targets', { Code: '👩'.repeat(512) })).status, 200)
    assert.equal((await ask('POST', '/targets', { Code: 'x'.repeat(513) })).status, 400)
  })

  test('the unicity parameter supplies the only unicity field if the body lacks it', async () => {
    const { ask, ids } = await newAccount()
    const created = await ask('POST', '/targets?unicity=a@example.org', { 'First name': 'Ann' })
    assert.equal(created.body.fields[ids.email], 'a@example.org')
    assert.equal((await ask('POST', '/targets?unicity=b@example.org')).status, 200)
    const ignored = await ask('POST', '/targets?unicity=x@example.org', { Email: 'c@example.org' })
    assert.equal(ignored.body.fields[ids.email], 'c@example.org')
    assert.equal((await ask('POST', '/targets')).body.type, 'urn:stentor:problem:unicity-missing')
    assert.equal((await ask('POST', '/targets?unicity=nonsense', {})).status, 400)
  })
})

suite('contacts › changes', () => {
  test('lastUpdateDate changes only when a value changes', async () => {
    const { ask, contact } = await newAccount()
    clock.set('2026-02-01T08:00:00.000Z')
    const id = await contact({ Email: 'a@example.org', Spent: 1, Tastes: ['Tea', 'Chess'] })
    clock.set('2026-02-02T08:00:00.000Z')
    for (const same of [
      {},
      { Spent: '1.0' },
      { Tastes: ['chess', 'tea'] },
      { Email: 'a@EXAMPLE.org' },
      { Notes: '' },
    ]) {
      const { body } = await ask('PUT', `/targets/${id}`, same)
      assert.equal(body.lastUpdateDate, '2026-02-01T08:00:00.000Z', JSON.stringify(same))
    }
    const { body } = await ask('PUT', `/targets/${id}`, { Spent: 2 })
    assert.equal(body.lastUpdateDate, '2026-02-02T08:00:00.000Z')
    assert.equal(body.creationDate, '2026-02-01T08:00:00.000Z')
  })

  test('PUT of one contact to a key in use is 409 and changes nothing', async () => {
    const { ask, contact } = await newAccount()
    await contact({ Email: 'a@example.org' })
    const id = await contact({ Email: 'b@example.org' })
    const before = (await ask('GET', `/targets/${id}`)).text
    const answer = await ask('PUT', `/targets/${id}`, { Email: 'A@example.org', Spent: 1 })
    assert.equal(answer.status, 409)
    assert.equal(answer.body.type, 'urn:stentor:problem:unicity-taken')
    assert.equal((await ask('GET', `/targets/${id}`)).text, before)
  })

  test('an upsert by unicity parameter renames the contact, or is 409 if the new key is taken', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    await contact({ Email: 'b@example.org' })
    const renamed = await ask('PUT', '/targets?unicity=A@example.org', { Email: 'c@example.org' })
    assert.equal(renamed.body.id, id)
    assert.equal(renamed.body.hash, md5('c@example.org'))
    assert.equal((await ask('PUT', '/targets?unicity=c@example.org', { Email: 'B@example.org' })).status, 409)
    const kept = await ask('PUT', '/targets?unicity=c@example.org', { Email: 'C@example.org' })
    assert.equal(kept.body.hash, md5('c@example.org'))
  })

  test("an upsert returns the contact's flags and red lists except those it clears", async () => {
    const { ask, ids, contact } = await newAccount()
    clock.set('2026-02-03T09:30:00.000Z')
    const id = await contact({ Email: 'a@example.org', Mobile: '0123456789' })
    await ask('PUT', `/targets/${id}/bounces/${ids.mobile}`, { type: 'hardUser' })
    await ask('POST', `/targets/${id}/redlist/sms`, { origin: 6 })
    const timestamp = '2026-02-03T09:30:00.000Z'
    const flag = { field: ids.mobile, type: 52, timestamp, reason: '' }
    const redList = { sms: { timestamp, reason: 6 } }
    const marked = await ask('PUT', '/targets', { Email: 'a@example.org', Spent: 1 })
    assert.deepEqual([marked.body.bounce, marked.body.redList], [[flag], redList])
    const cleared = await ask('PUT', '/targets', { Email: 'a@example.org', Mobile: '0123456780' })
    assert.deepEqual([cleared.body.bounce, cleared.body.redList], [[], redList])
    assert.deepEqual((await ask('GET', `/targets/${id}`)).body, cleared.body)
  })

  test('an upsert creates a contact found by neither parameter nor body', async () => {
    const { ask, ids } = await newAccount()
    const created = await ask('PUT', '/targets?unicity=a@example.org', { 'First name': 'Ann' })
    assert.equal(created.body.fields[ids.email], 'a@example.org')
    const other = await ask('PUT', '/targets?unicity=x@example.org', { Email: 'b@example.org' })
    assert.equal(other.body.fields[ids.email], 'b@example.org')
    assert.equal(
      (await ask('PUT', '/targets', { 'First name': 'Ann' })).body.type,
      'urn:stentor:problem:unicity-missing',
    )
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 2)
  })

  test('strict handling requires every mandatory field on creation, and on an upsert only if it creates', async () => {
    const { ask, made } = await newAccount()
    const city = await made('/fields', { type: 'textField', name: 'City', isMandatory: true })
    const strict = { headers: { prefer: 'return=minimal, handling=strict' } }
    const errors = [{ pointer: `/${city}`, detail: '"City" is mandatory' }]
    for (const [method, url] of [
      ['POST', '/targets'],
      ['PUT', '/targets'],
      ['PUT', '/targets?unicity=a@example.org'],
    ] as const) {
      const answer = await ask(method, url, { Email: 'a@example.org' }, strict)
      assert.deepEqual([answer.status, answer.body.errors], [400, errors], `${method} ${url}`)
    }
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 0)
    const created = await ask('PUT', '/targets', { Email: 'a@example.org', City: 'Lyon' }, strict)
    assert.equal(created.status, 200)
    const changed = await ask('PUT', '/targets', { Email: 'a@example.org', Spent: 1 }, strict)
    assert.deepEqual([changed.status, changed.body.id], [200, created.body.id])
    assert.equal((await ask('PUT', `/targets/${created.body.id}`, { Spent: 2 }, strict)).status, 200)
  })

  test('PUT and DELETE respect If-Match', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    const { headers } = await ask('GET', `/targets/${id}`)
    const ifMatch = { headers: { 'if-match': String(headers['etag']) } }
    assert.equal((await ask('PUT', `/targets/${id}`, { Spent: 1 }, ifMatch)).status, 200)
    assert.equal((await ask('PUT', `/targets/${id}`, { Spent: 2 }, ifMatch)).status, 412)
    assert.equal((await ask('DELETE', `/targets/${id}`, undefined, ifMatch)).status, 412)
    assert.equal((await ask('DELETE', `/targets/${id}`, undefined, { headers: { 'if-match': '*' } })).status, 204)
    const unchanged = await ask('GET', '/targets/count', undefined, {})
    assert.equal(unchanged.body.targetsCount, 0)
  })

  test('a deleted contact leaves no dependent data, and its id is never reused', async () => {
    const { account, ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    await ask('POST', `/targets/${id}/redlist/mail`)
    await ask('PUT', `/targets/${id}/bounces/${ids.email}`, { type: 'soft' })
    await context.pool.query(
      `with s as (insert into segments (account, type, name, name_folded, created_at, expires_at)
         values ($1, 'static', 'S', 's', now(), now()) returning id)
       insert into segment_members select $1, s.id, $2 from s`,
      [account, Number.parseInt(id, 36)],
    )
    assert.equal((await ask('DELETE', `/targets/${id}`)).status, 204)
    assert.equal((await ask('DELETE', `/targets/${id}`)).status, 404)
    assert.equal((await ask('GET', `/targets/${id}`)).status, 404)
    for (const table of ['segment_members', 'red_list', 'bounce_flags', 'soft_bounces']) {
      const { rows } = await context.pool.query(`select from ${table} where account = $1`, [account])
      assert.equal(rows.length, 0, table)
    }
    const { rows } = await context.pool.query(
      'select n from segment_counts join segments s on s.id = segment where s.account = $1 and n <> 0',
      [account],
    )
    assert.equal(
      rows.reduce((sum, { n }) => sum + Number(n), 0),
      0,
    )
    assert.notEqual(await contact({ Email: 'a@example.org' }), id)
  })

  test('contacts of another account are treated as unknown', async () => {
    const { ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    const before = (await ask('GET', `/targets/${id}`)).text
    const theirs = (method: string, url: string, body?: unknown) => call(method, url, { body, key: other.key })
    assert.equal((await theirs('GET', `/targets/${id}`)).status, 404)
    assert.equal((await theirs('PUT', `/targets/${id}`, {})).status, 404)
    assert.equal((await theirs('DELETE', `/targets/${id}`)).status, 404)
    assert.equal((await theirs('GET', '/targets?unicity=a@example.org')).status, 404)
    assert.equal((await theirs('GET', `/targets?hash=${md5('a@example.org')}`)).status, 404)
    assert.deepEqual((await theirs('GET', '/targets')).body, [])
    assert.equal((await theirs('GET', '/targets/count')).body.targetsCount, 0)
    assert.equal((await theirs('DELETE', '/targets', { type: 'id', value: [id] })).status, 404)
    assert.equal((await theirs('GET', `/targets?fields=${ids.email}`)).status, 400)
    assert.equal((await ask('GET', `/targets/${id}`)).text, before)
  })

  test('malformed ids are 404', async () => {
    const { ask } = await newAccount()
    for (const id of ['0', '000000000', 'a-b', 'ZZZZZZZZ', '%20']) {
      assert.equal((await ask('GET', `/targets/${id}`)).status, 404, id)
      assert.equal((await ask('PUT', `/targets/${id}`, {})).status, 404, id)
      assert.equal((await ask('DELETE', `/targets/${id}`)).status, 404, id)
    }
  })

  test('writing contacts requires the write right, and resolving the read right', async () => {
    const { account, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    const key = await makeKey(account, ['read'])
    const forbidden = [
      ['POST', '/targets'],
      ['PUT', '/targets'],
      ['DELETE', '/targets'],
      ['PUT', `/targets/${id}`],
      ['DELETE', `/targets/${id}`],
    ] as const
    for (const [method, url] of forbidden) assert.equal((await call(method, url, { key, body: {} })).status, 403)
    for (const url of ['/targets', '/targets/count', `/targets/${id}`])
      assert.equal((await call('GET', url, { key })).status, 200)
    assert.equal((await call('POST', '/targets/resolve', { key, body: [] })).status, 200)
  })
})

suite('contacts › resolve', () => {
  test('each form of identification is answered in its place', async () => {
    const { ask, ids, contact } = await newAccount()
    const id = await contact({ Email: 'Ann@example.org' })
    const footprint = { type: 'footprint', id, unicity: 'Ann@example.org', hash: md5('Ann@example.org') }
    const unknown = { type: 'id', value: 'ZZZZZZZZ' }
    const known = [
      { type: 'id', value: id.toLowerCase() },
      { type: 'unicity', value: ['ANN@example.org'] },
      { type: 'hash', value: footprint.hash.toUpperCase() },
      footprint,
      { email: 'ann@EXAMPLE.org' },
      { [ids.email]: 'ann@example.org', 'First name': 'Ann' },
    ]
    const { status, body } = await ask('POST', '/targets/resolve', [...known, unknown])
    assert.equal(status, 200)
    assert.deepEqual(
      body.slice(0, -1),
      known.map(() => footprint),
    )
    assert.deepEqual(body.at(-1), { type: 'error', value: { type: 'recipient not found', recipient: unknown } })
  })

  test('malformed items are distinguished from unknown contacts, and nothing is created', async () => {
    const { ask } = await newAccount()
    const malformed = [
      7,
      'a@example.org',
      null,
      [],
      {},
      { type: 'id' },
      { type: 'id', value: 7 },
      { type: 'unicity', value: 'a@example.org' },
      { type: 'unicity', value: ['a', 'b'] },
      { Nowhere: 1, Email: 'a@example.org' },
    ]
    const missing = [
      { Email: 'a@example.org' },
      { Email: 'no address' },
      { type: 'hash', value: 'x' },
      { type: 'id', value: '?' },
    ]
    const { body } = await ask('POST', '/targets/resolve', [...malformed, ...missing])
    assert.deepEqual(body, [
      ...malformed.map((recipient) => ({ type: 'error', value: { type: 'invalid recipient', recipient } })),
      ...missing.map((recipient) => ({ type: 'error', value: { type: 'recipient not found', recipient } })),
    ])
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 0)
  })

  test('a single object gets a single object, 1,000 items are accepted, and 1,001 are refused', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    assert.equal((await ask('POST', '/targets/resolve', { Email: 'a@example.org' })).body.id, id)
    const items = (length: number) => Array.from({ length }, () => ({ Email: 'a@example.org' }))
    assert.equal((await ask('POST', '/targets/resolve', items(1000))).body.length, 1000)
    assert.equal((await ask('POST', '/targets/resolve', items(1001))).status, 400)
    assert.deepEqual((await ask('POST', '/targets/resolve', [])).body, [])
  })

  test('contacts of another account are not found', async () => {
    const { contact } = await newAccount()
    const id = await contact({ Email: 'a@example.org' })
    const items = [{ type: 'id', value: id }, { type: 'hash', value: md5('a@example.org') }, { Email: 'a@example.org' }]
    const { body } = await call('POST', '/targets/resolve', { body: items, key: other.key })
    assert.deepEqual(
      [...new Set(body.map((item: { value: { type: string } }) => item.value.type))],
      ['recipient not found'],
    )
  })
})

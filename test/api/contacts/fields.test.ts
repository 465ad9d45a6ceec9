import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, other, context, makeAccount, makeKey } = await startHarness()

let accounts = 0

/** An account of its own, so that no test meets the fields of another. */
async function newAccount() {
  const { account, key } = await makeAccount(`F${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown): Promise<Answer> => call(method, url, { body, key })
  const [email] = (await ask('GET', '/fields')).body
  const field = async (body: object): Promise<number> => {
    const answer = await ask('POST', '/fields', body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }
  const contact = async (body: object): Promise<string> => {
    const answer = await ask('POST', '/targets', body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }
  return { account, key, ask, email: email.id as number, field, contact }
}

/** A refusal leaves the definitions and the contacts as they were. */
async function unchanged(ask: (method: string, url: string) => Promise<Answer>, refused: () => Promise<Answer>) {
  const state = async () => [(await ask('GET', '/fields')).text, (await ask('GET', '/targets')).text]
  const before = await state()
  const answer = await refused()
  assert.deepEqual(await state(), before)
  return answer
}

suite('fields', () => {
  test('a new account has only its email field', async () => {
    const { ask, email } = await newAccount()
    assert.deepEqual((await ask('GET', '/fields')).body, [
      { type: 'email', id: email, name: 'Email', isUnicity: true, isMandatory: true, isCriterion: true },
    ])
  })

  test('are created, read and listed as documents without unset members', async () => {
    const { ask } = await newAccount()
    const made = await ask('POST', '/fields', {
      type: 'numeric',
      name: '  Spent ',
      constraint: { operator: 3, value: '0' },
    })
    assert.equal(made.status, 200)
    const { id } = made.body
    const expected = {
      type: 'numeric',
      id,
      name: 'Spent',
      isUnicity: false,
      isMandatory: false,
      isCriterion: true,
      constraint: { operator: 3, value: '0' },
    }
    assert.deepEqual(made.body, expected)
    assert.deepEqual((await ask('GET', `/fields/${id}`)).body, expected)
    assert.deepEqual((await ask('GET', '/fields')).body[1], expected)
  })

  test('a text area is no criterion by default, and unicity forces isMandatory', async () => {
    const { ask } = await newAccount()
    const area = await ask('POST', '/fields', { type: 'textArea', name: 'Notes' })
    assert.equal(area.body.isCriterion, false)
    const unicity = await ask('POST', '/fields', {
      type: 'textField',
      name: 'Code',
      isUnicity: true,
      isMandatory: false,
    })
    assert.equal(unicity.body.isMandatory, true)
  })

  test('can be sent back as they were read', async () => {
    const { ask, field } = await newAccount()
    const id = await field({ type: 'date', name: 'Birth', constraint: { operator: 1, value: '1900-01-01' } })
    const { body } = await ask('GET', `/fields/${id}`)
    const answer = await ask('PUT', `/fields/${id}`, body)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, body)
  })

  test('omitted members stay unchanged, and null clears a constraint', async () => {
    const { ask, field } = await newAccount()
    const id = await field({
      type: 'numeric',
      name: 'Age',
      isMandatory: true,
      constraint: { operator: 1, value: '17' },
    })
    const renamed = await ask('PUT', `/fields/${id}`, { name: 'Years' })
    assert.deepEqual(renamed.body.constraint, { operator: 1, value: '17' })
    assert.equal(renamed.body.isMandatory, true)
    const cleared = await ask('PUT', `/fields/${id}`, { constraint: null })
    assert.ok(!('constraint' in cleared.body))
  })

  test('null flags, a null value list and a value list 0 count as omitted', async () => {
    const { ask, field } = await newAccount()
    const list = (await ask('POST', '/valueLists', { name: 'Titles', values: [{ value: 'Ms' }] })).body.id
    const unset = { isUnicity: null, isMandatory: null, isCriterion: null, constraint: null }
    const text = await field({ ...unset, type: 'textArea', name: 'Notes', valueListId: 0 })
    const title = await field({ type: 'singleSelectList', name: 'Title', valueListId: list, isMandatory: true })
    const code = await field({ type: 'textField', name: 'Code', isUnicity: true, isCriterion: false })
    for (const id of [text, title, code]) {
      const { body } = await ask('GET', `/fields/${id}`)
      for (const valueListId of [0, null]) {
        const sent = await ask('PUT', `/fields/${id}`, { ...unset, valueListId })
        assert.deepEqual([sent.status, sent.body], [200, body], sent.text)
      }
    }
    assert.deepEqual((await ask('GET', `/fields/${text}`)).body, {
      type: 'textArea',
      id: text,
      name: 'Notes',
      isUnicity: false,
      isMandatory: false,
      isCriterion: false,
    })
    const without = await ask('POST', '/fields', { type: 'singleSelectList', name: 'None', valueListId: 0 })
    assert.deepEqual([without.status, without.body.errors[0].pointer], [400, '/valueListId'])
    const other = await ask('PUT', `/fields/${text}`, { valueListId: list })
    assert.deepEqual([other.status, other.body.errors[0].pointer], [400, '/valueListId'])
  })

  test('are paged by ascending id', async () => {
    const { ask, field } = await newAccount()
    const id = await field({ type: 'textField', name: 'A' })
    const first = await ask('GET', '/fields?limit=1')
    assert.equal(first.body.length, 1)
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1]
    assert.deepEqual(
      (await ask('GET', next ?? '')).body.map((field: { id: number }) => field.id),
      [id],
    )
  })

  test('respect If-Match', async () => {
    const { key, field } = await newAccount()
    const id = await field({ type: 'textField', name: 'A' })
    const { headers } = await call('GET', `/fields/${id}`, { key })
    const change = (name: string) =>
      call('PUT', `/fields/${id}`, { key, body: { name }, headers: { 'if-match': String(headers['etag']) } })
    assert.equal((await change('B')).status, 200)
    assert.equal((await change('C')).status, 412)
  })

  test('invalid fields are 400 with a pointer for each fault', async () => {
    const { ask } = await newAccount()
    const cases: [object, string][] = [
      [{ name: 'X' }, '/type'],
      [{ type: 'boolean', name: 'X' }, '/type'],
      [{ type: 'textField' }, '/name'],
      [{ type: 'textField', name: '   ' }, '/name'],
      [{ type: 'textField', name: 'x'.repeat(101) }, '/name'],
      [{ type: 'textField', name: '104' }, '/name'],
      [{ type: 'textArea', name: 'X', isUnicity: true }, '/isUnicity'],
      [{ type: 'singleSelectList', name: 'X' }, '/valueListId'],
      [{ type: 'textField', name: 'X', valueListId: 1 }, '/valueListId'],
      [{ type: 'email', name: 'X', constraint: { operator: 1, value: '1' } }, '/constraint'],
      [{ type: 'numeric', name: 'X', constraint: { operator: 1, value: 'many' } }, '/constraint'],
      [{ type: 'textField', name: 'X', constraint: { operator: 1, value: '1.5' } }, '/constraint'],
      [{ type: 'numeric', name: 'X', constraint: { operator: 6, value: '1' } }, '/constraint/operator'],
    ]
    for (const [body, pointer] of cases) {
      const answer = await ask('POST', '/fields', body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.ok(
        answer.body.errors.some((error: { pointer: string }) => error.pointer.startsWith(pointer)),
        `${JSON.stringify(body)}: ${answer.text}`,
      )
    }
    assert.equal((await ask('GET', '/fields')).body.length, 1)
  })

  test('constraint operator 0 means no constraint, and operator 1 requires a value', async () => {
    const { ask } = await newAccount()
    for (const [n, more] of [{ value: '' }, {}, { value: null }].entries()) {
      const constraint = { operator: 0, ...more }
      const { status, body } = await ask('POST', '/fields', { type: 'email', name: `None ${n}`, constraint })
      assert.deepEqual([status, body.constraint], [200, { operator: 0, value: '' }])
      for (const type of ['numeric', 'date', 'textField']) {
        const bare = await ask('POST', '/fields', { type, name: 'Bare', constraint: { ...constraint, operator: 1 } })
        assert.deepEqual([bare.status, bare.body.errors[0].pointer], [400, '/constraint'], type)
      }
    }
    const answer = await ask('POST', '/fields', { type: 'email', name: 'X', constraint: { operator: 0, value: '' } })
    assert.equal(answer.status, 200)
  })

  test('a value list unknown or of another account is 404', async () => {
    const { ask } = await newAccount()
    const foreign = await call('POST', '/valueLists', { body: { name: 'Foreign' }, key: other.key })
    for (const valueListId of [999_999, foreign.body.id]) {
      const { status, body } = await ask('POST', '/fields', { type: 'singleSelectList', name: 'X', valueListId })
      assert.deepEqual([status, body.errors[0].pointer], [404, '/valueListId'])
    }
  })

  test('a name that differs only in case is 409', async () => {
    const { ask, field } = await newAccount()
    const id = await field({ type: 'textField', name: 'City' })
    assert.equal((await ask('POST', '/fields', { type: 'textField', name: 'eMAIL' })).status, 409)
    assert.equal((await ask('PUT', `/fields/${id}`, { name: 'EMAIL' })).status, 409)
    assert.equal((await ask('PUT', `/fields/${id}`, { name: 'CITY' })).status, 200)
  })

  test('are unknown to other accounts', async () => {
    const { ask, field } = await newAccount()
    const id = await field({ type: 'textField', name: 'Mine' })
    const theirs = (method: string, body?: unknown) => call(method, `/fields/${id}`, { body, key: other.key })
    const unknown = await call('GET', '/fields/999999', { key: other.key })
    const foreign = await theirs('GET')
    assert.equal(foreign.status, 404)
    assert.equal(foreign.body.detail, unknown.body.detail.replace('999999', String(id)))
    assert.equal((await theirs('PUT', { name: 'Theirs' })).status, 404)
    assert.equal((await theirs('DELETE')).status, 404)
    assert.equal((await ask('GET', `/fields/${id}`)).body.name, 'Mine')
    for (const text of ['0', 'x', '99999999999', '-1']) assert.equal((await ask('GET', `/fields/${text}`)).status, 404)
  })

  test('require the write right to change', async () => {
    const { account, email } = await newAccount()
    const key = await makeKey(account, ['read'])
    assert.equal((await call('GET', '/fields', { key })).status, 200)
    assert.equal((await call('POST', '/fields', { key, body: { type: 'textField', name: 'X' } })).status, 403)
    assert.equal((await call('PUT', `/fields/${email}`, { key, body: { name: 'X' } })).status, 403)
    assert.equal((await call('DELETE', `/fields/${email}`, { key })).status, 403)
  })

  test('are limited to 500', async () => {
    const { account, ask } = await newAccount()
    await context.pool.query(
      `insert into fields (account, type, name, name_folded)
       select $1, 'textField', 'f ' || n, 'f ' || n from generate_series(1, 498) n`,
      [account],
    )
    assert.equal((await ask('POST', '/fields', { type: 'textField', name: 'The 500th' })).status, 200)
    assert.equal((await ask('POST', '/fields', { type: 'textField', name: 'The 501st' })).status, 400)
  })
})

suite('fields with values', () => {
  test('deleting a field deletes its values', async () => {
    const { ask, field, contact, account } = await newAccount()
    const id = await field({ type: 'textField', name: 'City' })
    const target = await contact({ Email: 'a@example.org', City: 'Lyon' })
    assert.equal((await ask('DELETE', `/fields/${id}`)).status, 204)
    assert.equal((await ask('GET', `/fields/${id}`)).status, 404)
    assert.ok(!(id in (await ask('GET', `/targets/${target}`)).body.fields))
    const { rows } = await context.pool.query('select fields from contacts where account = $1', [account])
    assert.ok(!(String(id) in rows[0].fields))
  })

  test('type and value list cannot change while a contact has a value', async () => {
    const { ask, field, contact } = await newAccount()
    const id = await field({ type: 'textField', name: 'Size' })
    assert.equal((await ask('PUT', `/fields/${id}`, { type: 'numeric' })).status, 200)
    await contact({ Email: 'a@example.org', Size: 42 })
    const answer = await unchanged(ask, () => ask('PUT', `/fields/${id}`, { type: 'textField' }))
    assert.equal(answer.status, 409)
    assert.equal(answer.body.type, 'urn:stentor:problem:field-filled')
  })

  test('a field made mandatory later does not block creation, and cannot be emptied', async () => {
    const { ask, key, field, contact } = await newAccount()
    const id = await field({ type: 'textField', name: 'City', isMandatory: true })
    const target = await contact({ Email: 'a@example.org' })
    assert.equal((await ask('PUT', `/targets/${target}`, { [id]: '' })).status, 400)
    const strict = { prefer: 'handling=strict' }
    const answer = await call('POST', '/targets', { key, body: { Email: 'b@example.org' }, headers: strict })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body.errors, [{ pointer: `/${id}`, detail: '"City" is mandatory' }])
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1)
  })

  test('a new constraint applies only to later writes', async () => {
    const { ask, field, contact } = await newAccount()
    const id = await field({ type: 'numeric', name: 'Age' })
    const target = await contact({ Email: 'a@example.org', Age: 5 })
    assert.equal((await ask('PUT', `/fields/${id}`, { constraint: { operator: 3, value: '18' } })).status, 200)
    assert.equal((await ask('GET', `/targets/${target}`)).body.fields[id], 5)
    assert.equal((await ask('PUT', `/targets/${target}`, { Age: 17 })).status, 400)
    assert.equal((await ask('PUT', `/targets/${target}`, { Age: 18 })).status, 200)
  })
})

suite('unicity fields', () => {
  test('the last one can be neither deleted nor switched off', async () => {
    const { ask, email, contact } = await newAccount()
    await contact({ Email: 'a@example.org' })
    for (const refused of [
      () => ask('DELETE', `/fields/${email}`),
      () => ask('PUT', `/fields/${email}`, { isUnicity: false }),
    ]) {
      const answer = await unchanged(ask, refused)
      assert.equal(answer.status, 409)
      assert.equal(answer.body.type, 'urn:stentor:problem:unicity-last')
    }
  })

  test('a new unicity field is 409 while contacts exist', async () => {
    const { ask, contact } = await newAccount()
    await contact({ Email: 'a@example.org' })
    const answer = await unchanged(ask, () =>
      ask('POST', '/fields', { type: 'textField', name: 'Code', isUnicity: true }),
    )
    assert.equal(answer.status, 409)
  })

  test('an empty value, a repeated value or colliding keys are 409 and change nothing', async () => {
    const { ask, email, field, contact } = await newAccount()
    const code = await field({ type: 'textField', name: 'Code' })
    const first = await contact({ Email: 'a@example.org', Code: 'Same' })
    const second = await contact({ Email: 'b@example.org' })
    const turnOn = () => ask('PUT', `/fields/${code}`, { isUnicity: true })
    assert.equal((await unchanged(ask, turnOn)).body.type, 'urn:stentor:problem:unicity-empty')
    await ask('PUT', `/targets/${second}`, { Code: 'SAME' })
    assert.equal((await unchanged(ask, turnOn)).body.type, 'urn:stentor:problem:unicity-not-unique')
    await ask('PUT', `/targets/${second}`, { Code: 'Other' })
    assert.equal((await turnOn()).status, 200)
    await ask('PUT', `/targets/${second}`, { Code: 'SAME' })
    const turnOff = await unchanged(ask, () => ask('PUT', `/fields/${email}`, { isUnicity: false }))
    assert.equal(turnOff.body.type, 'urn:stentor:problem:unicity-not-unique')
    const deletion = await unchanged(ask, () => ask('DELETE', `/fields/${email}`))
    assert.equal(deletion.body.type, 'urn:stentor:problem:unicity-not-unique')
    assert.equal((await ask('GET', '/targets?unicity=a@example.orgSame')).body.id, first)
  })

  test('a change of unicity gives every contact its new key and hash', async () => {
    const { ask, email, field, contact } = await newAccount()
    const code = await field({ type: 'numeric', name: 'Code' })
    const target = await contact({ Email: 'a@example.org', Code: 7 })
    assert.equal((await ask('PUT', `/fields/${code}`, { isUnicity: true })).status, 200)
    assert.equal((await ask('GET', '/targets?unicity=a@example.org7')).body.id, target)
    assert.equal((await ask('GET', '/targets?unicity=A@EXAMPLE.org&unicity=7.0')).body.id, target)
    assert.equal((await ask('GET', '/targets?unicity=a@example.org')).status, 404)
    assert.equal((await ask('PUT', `/fields/${email}`, { isUnicity: false })).status, 200)
    const { body } = await ask('GET', '/targets?unicity=7')
    assert.equal(body.id, target)
    assert.equal(body.hash, '8f14e45fceea167a5a36dedd4bea2543')
  })

  test('contacts can swap keys', async () => {
    const { ask, email, field, contact } = await newAccount()
    const code = await field({ type: 'textField', name: 'Code' })
    const first = await contact({ Email: 'a@example.org', Code: 'b@example.org' })
    const second = await contact({ Email: 'b@example.org', Code: 'a@example.org' })
    assert.equal((await ask('PUT', `/fields/${code}`, { isUnicity: true })).status, 200)
    assert.equal((await ask('PUT', `/fields/${email}`, { isUnicity: false })).status, 200)
    assert.equal((await ask('GET', '/targets?unicity=b@example.org')).body.id, first)
    assert.equal((await ask('GET', '/targets?unicity=a@example.org')).body.id, second)
    assert.equal((await ask('DELETE', `/fields/${email}`)).status, 204)
  })

  test('a chain of keys that each move up one place is no conflict', async () => {
    const { ask, email, field, contact } = await newAccount()
    const code = await field({ type: 'textField', name: 'Code' })
    const ids = []
    for (const n of [1, 2, 3, 4]) ids.push(await contact({ Email: `${n}@example.org`, Code: `${n + 1}@example.org` }))
    assert.equal((await ask('PUT', `/fields/${code}`, { isUnicity: true })).status, 200)
    assert.equal((await ask('PUT', `/fields/${email}`, { isUnicity: false })).status, 200)
    for (const [place, id] of ids.entries()) {
      assert.equal((await ask('GET', `/targets?unicity=${place + 2}@example.org`)).body.id, id)
    }
  })

  test('contact writes wait during a change of unicity, and none is lost', async () => {
    const { ask, field } = await newAccount()
    const code = await field({ type: 'textField', name: 'Code' })
    const writes = Array.from({ length: 20 }, (_, n) =>
      ask('POST', '/targets', { Email: `${n}@example.org`, Code: `C${n}` }),
    )
    const change = ask('PUT', `/fields/${code}`, { isUnicity: true })
    const answers = await Promise.all(writes)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal((await change).status, 200)
    for (const [n, { body }] of answers.entries()) {
      assert.equal((await ask('GET', `/targets?unicity=${n}@example.orgC${n}`)).body.id, body.id)
    }
  })
})

suite('fields in use', () => {
  test('a field used in criteria can be neither deleted nor switched off as a criterion', async () => {
    const { ask, field } = await newAccount()
    const id = await field({ type: 'numeric', name: 'Age' })
    const criteria = { all: [{ any: [{ type: 'field', field: id, operator: 'greater', value: 10 }] }] }
    const segment = await ask('POST', '/segments', { type: 'dynamic', name: 'Grown-ups', criteria })
    const links = [{ type: 'segment', id: segment.body.id, name: 'Grown-ups' }]
    for (const refused of [
      () => ask('DELETE', `/fields/${id}`),
      () => ask('PUT', `/fields/${id}`, { isCriterion: false }),
    ]) {
      const answer = await unchanged(ask, refused)
      assert.equal(answer.status, 409)
      assert.deepEqual(answer.body.links, links)
    }
    assert.equal((await ask('DELETE', `/segments/${segment.body.id}`)).status, 204)
    assert.equal((await ask('PUT', `/fields/${id}`, { isCriterion: false })).status, 200)
    assert.equal((await ask('DELETE', `/fields/${id}`)).status, 204)
  })

  test('a field an action sends to can be deleted only once the action is finished', async () => {
    const { account, ask, field } = await newAccount()
    const id = await field({ type: 'phone', name: 'Mobile' })
    const { rows } = await context.pool.query(
      `insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
       select $1, 'smsCampaign', 'Text', 50, 1, id, $2, '{}', now(), now() from categories where account = $1 returning id`,
      [account, JSON.stringify({ field: id })],
    )
    const answer = await unchanged(ask, () => ask('DELETE', `/fields/${id}`))
    assert.equal(answer.status, 409)
    assert.deepEqual(
      answer.body.links.map(({ type, name }: Record<string, string>) => ({ type, name })),
      [{ type: 'action', name: 'Text' }],
    )
    await context.pool.query('update actions set state = 60 where id = $1', [rows[0].id])
    assert.equal((await ask('DELETE', `/fields/${id}`)).status, 204)
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Answer, startHarness } from '../harness.ts'

const { call, makeAccount } = await startHarness()

const AT_ONCE = 20
let accounts = 0

async function newAccount() {
  const { key } = await makeAccount(`R${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown): Promise<Answer> => call(method, url, { body, key })
  return { key, ask }
}

function atOnce(request: (n: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, n) => request(n)))
}

/** How many answers had each status. */
function statuses(answers: readonly Answer[]): Record<string, number> {
  const groups = Object.groupBy(answers, ({ status }) => status)
  return Object.fromEntries(Object.entries(groups).map(([status, group]) => [status, group?.length ?? 0]))
}

suite('contacts written at once', () => {
  test('of twenty creates with one key one wins, the others are 409', async () => {
    const { ask } = await newAccount()
    const answers = await atOnce(() => ask('POST', '/targets', { Email: 'ann@example.org' }))
    assert.deepEqual(statuses(answers), { 200: 1, 409: AT_ONCE - 1 })
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1)
  })

  test('twenty upserts with one key all succeed, and make one contact', async () => {
    const { ask } = await newAccount()
    const answers = await atOnce((n) =>
      ask('PUT', '/targets', { Email: n % 2 ? 'ann@example.org' : 'ANN@example.org' }),
    )
    assert.deepEqual(statuses(answers), { 200: AT_ONCE })
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1)
  })

  test('bulk upserts of the same rows in any order all succeed', async () => {
    const { ask } = await newAccount()
    const rows = Array.from({ length: 200 }, (_, n) => ({ Email: `${n}@example.org` }))
    const answers = await atOnce((n) => ask('PUT', '/targets', n % 2 ? rows : rows.toReversed()))
    assert.deepEqual(statuses(answers), { 200: AT_ONCE })
    const created = answers.flatMap(({ body }) => body.filter((item: { created: boolean }) => item.created))
    assert.equal(created.length, rows.length)
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, rows.length)
  })

  test('writers of different fields all win', async () => {
    const { ask } = await newAccount()
    const { body: contact } = await ask('POST', '/targets', { Email: 'a@example.org' })
    const fields: number[] = []
    for (let n = 0; n < AT_ONCE; n++) {
      fields.push((await ask('POST', '/fields', { type: 'numeric', name: `N${n}` })).body.id)
    }
    const answers = await atOnce((n) => ask('PUT', `/targets/${contact.id}`, { [fields[n] ?? 0]: n }))
    assert.deepEqual(statuses(answers), { 200: AT_ONCE })
    const stored = (await ask('GET', `/targets/${contact.id}`)).body.fields
    assert.deepEqual(
      fields.map((id) => stored[id]),
      fields.map((_, n) => n),
    )
  })

  test('renames to one key: one wins, the others are 409', async () => {
    const { ask } = await newAccount()
    const rows = Array.from({ length: AT_ONCE }, (_, n) => ({ Email: `${n}@example.org` }))
    const { body } = await ask('PUT', '/targets', rows)
    const answers = await atOnce((n) => ask('PUT', `/targets/${body[n].contact.id}`, { Email: 'one@example.org' }))
    assert.deepEqual(statuses(answers), { 200: 1, 409: AT_ONCE - 1 })
  })

  test('upserts and deletions of one contact never fail on each other', async () => {
    const { ask } = await newAccount()
    const selection = { type: 'unicity', value: ['a@example.org'] }
    const answers = await atOnce((n) =>
      n % 2 ? ask('PUT', '/targets', { Email: 'a@example.org' }) : ask('DELETE', '/targets', selection),
    )
    const upserts = answers.filter((_, n) => n % 2)
    assert.deepEqual(statuses(upserts), { 200: AT_ONCE / 2 })
    const deletions = answers.filter((_, n) => n % 2 === 0)
    assert.ok(deletions.every(({ status }) => status === 204 || status === 404))
    assert.ok((await ask('GET', '/targets/count')).body.targetsCount <= 1)
  })

  test('new fields and values of them do not meet halfway', async () => {
    const { ask } = await newAccount()
    const { body: contact } = await ask('POST', '/targets', { Email: 'a@example.org' })
    const { body: field } = await ask('POST', '/fields', { type: 'textField', name: 'Gone' })
    const writes = atOnce((n) => ask('PUT', `/targets/${contact.id}`, { Gone: `${n}` }))
    const deletion = await ask('DELETE', `/fields/${field.id}`)
    assert.equal(deletion.status, 204)
    assert.ok((await writes).every(({ status }) => status === 200 || status === 400))
    assert.deepEqual(Object.keys((await ask('GET', `/targets/${contact.id}`)).body.fields).length, 1)
  })
})

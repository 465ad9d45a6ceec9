import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { eventually } from '../../../scripts/demo/client.ts'
import { buildApiServer } from '../../../src/app.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { app, context, makeAccount } = await startHarness()

/** A second server on the same database: it shares nothing else with the first, as another process would. */
const second = await buildApiServer(context, new Registry())
after(() => second.close())
const origins = [await app.listen({ port: 0, host: '127.0.0.1' }), await second.listen({ port: 0, host: '127.0.0.1' })]

const AT_ONCE = 20
let accounts = 0

/** Sends a request of its own connection to one of the two servers. */
async function post(origin: string, key: string, method: string, url: string, body: unknown): Promise<Answer> {
  const headers = {
    'x-key': key,
    connection: 'close',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const response = await fetch(origin + url, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

async function newAccount() {
  const { key } = await makeAccount(`R${String(++accounts).padStart(3, '0')}001`)
  let turn = 0
  const ask = (method: string, url: string, body?: unknown): Promise<Answer> =>
    post(origins[turn++ % origins.length] ?? '', key, method, url, body)
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

suite('concurrent contact writes', () => {
  test('of twenty creates with the same key, one succeeds and the others return 409', async () => {
    const { ask } = await newAccount()
    const answers = await atOnce(() => ask('POST', '/targets', { Email: 'ann@example.org' }))
    assert.deepEqual(statuses(answers), { 200: 1, 409: AT_ONCE - 1 })
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1)
  })

  test('twenty upserts with the same key all succeed and create one contact', async () => {
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

  test('concurrent writes to different fields are all stored', async () => {
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

  test('of simultaneous renames to the same key, one succeeds and the others return 409', async () => {
    const { ask } = await newAccount()
    const rows = Array.from({ length: AT_ONCE }, (_, n) => ({ Email: `${n}@example.org` }))
    const { body } = await ask('PUT', '/targets', rows)
    const answers = await atOnce((n) => ask('PUT', `/targets/${body[n].contact.id}`, { Email: 'one@example.org' }))
    assert.deepEqual(statuses(answers), { 200: 1, 409: AT_ONCE - 1 })
  })

  test('upserts and deletions of one contact never make each other fail', async () => {
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

  test('values written while their field is deleted are accepted or refused, and none remains', async () => {
    const { ask } = await newAccount()
    const { body: contact } = await ask('POST', '/targets', { Email: 'a@example.org' })
    const { body: field } = await ask('POST', '/fields', { type: 'textField', name: 'Gone' })
    const writes = atOnce((n) => ask('PUT', `/targets/${contact.id}`, { Gone: `${n}` }))
    const deletion = await ask('DELETE', `/fields/${field.id}`)
    assert.equal(deletion.status, 204)
    assert.ok((await writes).every(({ status }) => status === 200 || status === 400))
    assert.deepEqual(Object.keys((await ask('GET', `/targets/${contact.id}`)).body.fields).length, 1)
  })

  test('creates and upserts of one key make one contact, and only creates are refused', async () => {
    const { ask } = await newAccount()
    const answers = await atOnce((n) => ask(n % 2 ? 'PUT' : 'POST', '/targets', { Email: 'ann@example.org' }))
    assert.deepEqual(statuses(answers.filter((_, n) => n % 2)), { 200: AT_ONCE / 2 })
    const created = answers.filter(({ status }, n) => n % 2 === 0 && status === 200)
    assert.ok(created.length <= 1)
    assert.equal(new Set(answers.flatMap(({ status, body }) => (status === 200 ? body.id : []))).size, 1)
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, 1)
  })

  test('every upsert returns what it wrote, and one of them is stored', async () => {
    const { ask } = await newAccount()
    const { body: field } = await ask('POST', '/fields', { type: 'numeric', name: 'N' })
    const answers = await atOnce((n) => ask('PUT', '/targets', { Email: 'ann@example.org', N: n }))
    assert.deepEqual(
      answers.map(({ body }) => body.fields[field.id]),
      answers.map((_, n) => n),
    )
    const { body: stored } = await ask('GET', '/targets?unicity=ann@example.org')
    assert.ok(answers.some(({ body }) => body.fields[field.id] === stored.fields[field.id]))
  })

  test('an invalid request does not affect others', async () => {
    const { ask } = await newAccount()
    const bodies = [
      (n: number) => ({ Email: `${n}@example.org` }),
      () => ({ Email: 'no address' }),
      () => ({ Nowhere: 1 }),
      () => ({}),
    ]
    const answers = await atOnce((n) => ask(n % 8 < 4 ? 'POST' : 'PUT', '/targets', bodies[n % 4]?.(n)))
    for (const [n, answer] of answers.entries()) assert.equal(answer.status, n % 4 === 0 ? 200 : 400)
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, AT_ONCE / 4)
  })

  test('a row that the database refuses does not fail those written with it', async () => {
    const { ask } = await newAccount()
    await context.pool.query(`
      create function refuse_poison() returns trigger language plpgsql as $$
      begin
        if new.key = 'poison@example.org' then raise exception 'poison'; end if;
        return new;
      end $$;
      create trigger poison before insert on contacts for each row execute function refuse_poison()`)
    const answers = await atOnce((n) => ask('POST', '/targets', { Email: `${n === 7 ? 'poison' : n}@example.org` }))
    await context.pool.query('drop trigger poison on contacts; drop function refuse_poison')
    assert.deepEqual(statuses(answers), { 200: AT_ONCE - 1, 500: 1 })
    assert.equal((await ask('GET', '/targets/count')).body.targetsCount, AT_ONCE - 1)
  })

  test('a write waiting for a lock does not delay others of its account', async () => {
    const { ask } = await newAccount()
    const { body: field } = await ask('POST', '/fields', { type: 'numeric', name: 'N' })
    const { body: contact } = await ask('POST', '/targets', { Email: 'locked@example.org' })
    const holder = await context.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from contacts where id = $1 for update', [Number.parseInt(contact.id, 36)])
      const waiting = ask('PUT', '/targets', { Email: 'locked@example.org', N: 1 })
      await eventually('the wait', 5000, async () => {
        const { rows } = await context.pool.query('select from pg_locks where not granted')
        return rows.length > 0 || undefined
      })
      const answers = await atOnce((n) => ask('POST', '/targets', { Email: `${n}@example.org` }))
      assert.deepEqual(statuses(answers), { 200: AT_ONCE })
      await holder.query('rollback')
      assert.equal((await waiting).body.fields[field.id], 1)
    } finally {
      holder.release()
    }
  })

  test('a created contact is immediately visible to every server', async () => {
    const { ask } = await newAccount()
    const found = await atOnce(async (n) => {
      const { body } = await ask('POST', '/targets', { Email: `${n}@example.org` })
      return ask('GET', `/targets/${body.id}`)
    })
    assert.deepEqual(statuses(found), { 200: AT_ONCE })
  })

  test('a change to fields, lists or settings applies to the very next write on every server', async () => {
    const { ask } = await newAccount()
    const both = async (body: object): Promise<Answer[]> => [
      await ask('PUT', '/targets', body),
      await ask('PUT', '/targets', body),
    ]
    const Email = 'ann@example.org'
    assert.deepEqual(statuses(await both({ Email, N: 1 })), { 400: 2 })
    const { body: list } = await ask('POST', '/valueLists', { name: 'L', values: [{ value: 'a' }] })
    const { body: field } = await ask('POST', '/fields', { type: 'singleSelectList', name: 'N', valueListId: list.id })
    assert.deepEqual(statuses(await both({ Email, N: 'a' })), { 200: 2 })
    assert.deepEqual(statuses(await both({ Email, N: 'b' })), { 400: 2 })
    await ask('PUT', `/valueLists/${list.id}`, { values: [{ value: 'a' }, { value: 'b' }] })
    assert.deepEqual(
      (await both({ Email, N: 'b' })).map(({ body }) => body.fields[field.id]),
      ['b', 'b'],
    )
    const { body: date } = await ask('POST', '/fields', { type: 'date', name: 'D' })
    for (const [dateOrder, day] of [
      ['mdy', '2000-01-02'],
      ['dmy', '2000-02-01'],
    ]) {
      await ask('PUT', '/settings/contacts', { dateOrder })
      const answers = await both({ Email, D: '01/02/2000' })
      for (const { body } of answers) assert.equal(body.fields[date.id], `${day}T00:00:00.000Z`)
    }
    await ask('DELETE', `/fields/${date.id}`)
    assert.deepEqual(statuses(await both({ Email, D: '' })), { 400: 2 })
  })
})

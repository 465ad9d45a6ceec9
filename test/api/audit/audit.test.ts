import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { recordAudit } from '../../../src/features/audit/record-audit.ts'
import { purgeAuditRows } from '../../../src/features/audit/retention.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import { makePerson, openBrowser, signedIn } from '../../support/stages/people.ts'

const harness = await startHarness()
const { app, call, clock, context, makeAccount, makeKey, other, own } = harness
const { db } = context
const DAY = 24 * 3600 * 1000

interface Row {
  id: number
  operation: string
  object: { type: string; id: string | null; name: string | null } | null
  changes: Record<string, [unknown, unknown]>
  outcome: string
  problem: string | null
}

async function audit(query = '', key = own.key): Promise<Row[]> {
  const { status, body, text } = await call('GET', `/audit${query}`, { key })
  assert.equal(status, 200, text)
  return body
}

async function newest(key = own.key): Promise<Row> {
  const [row] = await audit('?limit=1', key)
  assert.ok(row)
  return row
}

function ok(answer: Answer): Answer {
  assert.ok(answer.status < 300, answer.text)
  return answer
}

let named = 0
async function segment(more: object = {}): Promise<number> {
  const body = { type: 'dynamic', name: `Segment ${++named}`, ...more }
  return ok(await call('POST', '/segments', { body })).body.id
}

async function fieldNamed(name: string): Promise<number> {
  const { body } = await call('GET', '/fields')
  return body.find((field: { name: string }) => field.name === name).id
}

test('every writing route declares what the audit records of it, or why nothing', () => {
  assert.deepEqual(app.audit.undeclared, [])
})

suite('audit › an entry', () => {
  test('records who did what to which object, from where and when', async () => {
    clock.set('2026-03-01T10:00:00Z')
    const { body } = ok(
      await call('POST', '/categories', { body: { name: 'News' }, headers: { 'x-request-id': 'request-1' } }),
    )
    const row = await newest()
    const key = (
      await db.selectFrom('api_keys').select('id').where('account', '=', own.account).executeTakeFirstOrThrow()
    ).id
    assert.deepEqual(row, {
      id: row.id,
      at: '2026-03-01T10:00:00.000Z',
      account: own.code,
      who: { type: 'key', id: String(key), name: 'test' },
      from: '127.0.0.1',
      request: 'request-1',
      operation: 'POST /categories',
      object: { type: 'category', id: String(body.id), name: 'News' },
      changes: { '/id': [null, body.id], '/name': [null, 'News'], '/default': [null, false] },
      omitted: 0,
      outcome: 'done',
      problem: null,
    })
  })

  test('of a changed segment names the member, before and after, and masks addresses in criteria', async () => {
    const email = await fieldNamed('Email')
    const criteria = (value: string) => ({ all: [{ type: 'field', field: email, operator: 'equals', value }] })
    const id = await segment({ description: 'first', criteria: criteria('ann@shop.example') })
    ok(await call('PUT', `/segments/${id}`, { body: { description: 'second' } }))
    assert.deepEqual((await newest()).changes, { '/description': ['first', 'second'] })
    ok(await call('PUT', `/segments/${id}`, { body: { criteria: criteria('bob@shop.example') } }))
    assert.deepEqual((await newest()).changes, { '/criteria/all/0/value': ['***', '***'] })
    const { text } = await call('GET', '/audit')
    assert.ok(!text.includes('ann@') && !text.includes('bob@'))
  })

  test('shows a sealed secret as ***', async () => {
    const body = (shop: string) => ({ name: 'Task', scripting: { environment: { secrets: { shop } } } })
    const { id } = ok(await call('POST', '/scripting/webtasks', { body: body('hunter2') })).body
    ok(await call('PUT', `/scripting/webtasks/${id}`, { body: body('hunter3') }))
    assert.deepEqual((await newest()).changes, { '/scripting/environment/secrets/shop': ['***', '***'] })
    const { text } = await call('GET', '/audit')
    assert.ok(!text.includes('hunter'))
  })

  test('does not contain the address of an erased contact', async () => {
    const address = 'erased.person@shop.example'
    const email = await fieldNamed('Email')
    const contact = ok(await call('PUT', '/targets', { body: { Email: address } })).body.id
    await segment({
      name: `For ${address}`,
      criteria: { all: [{ type: 'field', field: email, operator: 'equals', value: address }] },
    })
    ok(await call('GET', `/targets/${contact}/export`))
    ok(await call('DELETE', `/targets/${contact}?erase=true`))
    const [erasure, download] = await audit('?object=contact')
    assert.deepEqual(
      [erasure?.operation, erasure?.object, erasure?.changes],
      ['DELETE /targets/{id}', { type: 'contact', id: contact, name: null }, { '/erase': [null, true] }],
    )
    assert.equal(download?.operation, 'GET /targets/{id}/export')
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from audit a where a::text ilike ${'%erased.person%'}`.execute(db)
    assert.equal(rows[0]?.n, 0)
  })

  test('is not written for single contacts', async () => {
    const before = await newest()
    const { id } = ok(await call('PUT', '/targets', { body: { Email: 'single@shop.example' } })).body
    ok(await call('PUT', `/targets/${id}`, { body: { Email: 'single2@shop.example' } }))
    ok(await call('POST', `/targets/${id}/redlist/mail`, { body: {} }))
    ok(await call('DELETE', `/targets/${id}`))
    assert.deepEqual(await newest(), before)
  })

  test('is not written again for a replayed answer', async () => {
    const make = () => call('POST', '/categories', { body: { name: 'Once' }, headers: { 'idempotency-key': 'once' } })
    ok(await make())
    const before = await newest()
    assert.equal(ok(await make()).headers['idempotent-replayed'], 'true')
    assert.deepEqual(await newest(), before)
  })
})

suite('audit › completed and refused operations', () => {
  test('a refused operation leaves an entry with the problem, and none of success', async () => {
    const id = await segment()
    const { status } = await call('PUT', `/segments/${id}`, { body: { name: 'x' }, headers: { 'if-match': '"other"' } })
    assert.equal(status, 412)
    const row = await newest()
    assert.deepEqual(
      [row.operation, row.object, row.outcome, row.changes],
      ['PUT /segments/{id}', { type: 'segment', id: String(id), name: null }, 'refused', {}],
    )
    assert.ok(row.problem)
    assert.equal((await audit(`?object=segment:${id}&operation=PUT`)).length, 1)
  })

  test('a missing right, an id of another account and a conflict are recorded', async () => {
    const weak = await makeKey(own.account, ['read', 'admin'])
    assert.equal((await call('POST', '/segments', { body: { type: 'static', name: 'no' }, key: weak })).status, 403)
    assert.equal((await newest()).problem, 'right-missing')
    const id = await segment()
    assert.equal((await call('DELETE', `/segments/${id}`, { key: other.key })).status, 404)
    const [row] = await audit('?limit=1', other.key)
    assert.deepEqual([row?.problem, row?.object?.id], ['not-found', String(id)])
    ok(await call('POST', '/categories', { body: { name: 'Taken' } }))
    assert.equal((await call('POST', '/categories', { body: { name: 'taken' } })).status, 409)
    assert.deepEqual([(await newest()).outcome, (await newest()).problem], ['refused', 'name-taken'])
  })

  test('a refused act is recorded whatever its path quotes, with a long id cut', async () => {
    const path = (id: string): string => `/display/campaign/${id}`
    const answers = ['%E2%80%AE', randomBytes(2048).toString('hex')].map((id) => call('DELETE', path(id)))
    for (const { status, text } of await Promise.all(answers)) assert.equal(status, 404, text)
    const ids = (await audit('?limit=2')).map(({ object }) => object?.id?.length)
    assert.deepEqual(ids.sort(), [1, 500])
  })

  test('an entry quotes texts without what the database cannot store', async () => {
    const text = 'a\0b\ud800c'
    const entry = {
      account: own.account,
      at: new Date(clock.now()),
      operation: 'PUT /segments/{id}',
      problem: 'not-found',
      actor: { type: 'key', id: '1', name: text } as const,
      origin: null,
      object: { type: 'segment', id: text, name: text },
      changes: { [`/${text}`]: [text, { [text]: [text] }], '/sender': [null, text] } as const,
    }
    await inTransaction(db, (tx) => recordAudit(tx, entry))
    const { who, object, changes } = (await newest()) as Row & { who: object }
    const cleanText = 'ab\ufffdc'
    assert.deepEqual(who, { type: 'key', id: '1', name: cleanText })
    assert.deepEqual(object, { type: 'segment', id: cleanText, name: cleanText })
    assert.deepEqual(changes, {
      [`/${cleanText}`]: [cleanText, { [cleanText]: [cleanText] }],
      '/sender': [null, cleanText],
    })
  })

  test('an invalid request is not recorded', async () => {
    const before = await newest()
    assert.equal((await call('POST', '/segments', { body: { type: 'odd', name: 'x' } })).status, 400)
    assert.deepEqual(await newest(), before)
  })

  test('a failed transaction leaves neither the write nor the entry', async () => {
    const before = await newest()
    await sql`create function refuse_audit() returns trigger language plpgsql as 'begin raise ''no''; end'`.execute(db)
    await sql`create trigger refused before insert on audit for each row execute function refuse_audit()`.execute(db)
    try {
      assert.equal((await call('POST', '/categories', { body: { name: 'Never' } })).status, 500)
    } finally {
      await sql`drop trigger refused on audit`.execute(db)
    }
    const { body } = await call('GET', '/categories')
    assert.ok(!body.some(({ name }: { name: string }) => name === 'Never'))
    assert.deepEqual(await newest(), before)
  })
})

suite('audit › immutability', () => {
  test('no statement can change an entry or delete one of the last 30 days', async () => {
    clock.set(Date.now())
    ok(await call('POST', '/categories', { body: { name: 'Kept' } }))
    for (const statement of [
      "update audit set operation = 'x'",
      'delete from audit',
      'truncate audit',
      "with gone as (select set_config('stentor.audit_before', 'infinity', true)) delete from audit using gone",
    ])
      await assert.rejects(context.pool.query(statement), /rows of the audit are not changed/)
  })

  test('entries older than the retention are deleted, younger ones stay', async () => {
    const { key } = await makeAccount('OLDA001')
    const write = async (days: number, name: string) => {
      clock.set(Date.now() - days * DAY)
      ok(await call('POST', '/categories', { body: { name }, key }))
    }
    await write(402, 'old')
    await write(398, 'young')
    await purgeAuditRows(db, Date.now(), 400)
    assert.deepEqual(
      (await audit('', key)).map(({ object }) => object?.name),
      ['young'],
    )
  })
})

suite('audit › reading', () => {
  async function stage() {
    const { key } = await makeAccount(`AUD${++named % 10}${String(named).padStart(3, '0').slice(-3)}`)
    const start = Date.parse('2026-05-01T00:00:00Z')
    for (let n = 0; n < 5; n++) {
      clock.set(start + n * DAY)
      ok(await call('POST', '/categories', { body: { name: `C${n}` }, key }))
    }
    const [last] = await audit('?limit=1', key)
    ok(await call('DELETE', `/categories/${last?.object?.id}`, { key }))
    return { key, last: last?.object?.id }
  }
  const names = (rows: Row[]) => rows.map(({ object }) => object?.name)

  test('lists entries newest first, filtered by period, operation, object and actor', async () => {
    const { key, last } = await stage()
    assert.deepEqual(names(await audit('', key)), ['C4', 'C4', 'C3', 'C2', 'C1', 'C0'])
    assert.deepEqual(names(await audit('?start=2026-05-02&end=2026-05-04', key)), ['C2', 'C1'])
    assert.equal((await audit('?operation=DELETE', key)).length, 1)
    assert.equal((await audit(`?operation=${encodeURIComponent('DELETE /categories/{id}')}`, key)).length, 1)
    assert.equal((await audit('?operation=/categories', key)).length, 5)
    assert.equal((await audit(`?object=category:${last}`, key)).length, 2)
    assert.equal((await audit('?object=segment', key)).length, 0)
    assert.equal((await audit('?who=key', key)).length, 6)
    assert.equal((await audit('?who=key:1', key)).length, 0)
    assert.equal((await audit('?who=person', key)).length, 0)
    for (const query of ['?who=somebody', '?object=*', '?start=never', '?start=2026-02-01&end=2026-01-01', '?after=x'])
      assert.equal((await call('GET', `/audit${query}`, { key })).status, 400)
  })

  test('returns every entry once in pages', async () => {
    const { key } = await stage()
    const seen: number[] = []
    for (let url: string | undefined = '/audit?limit=4'; url; ) {
      const { body, headers } = await call('GET', url, { key })
      seen.push(...body.map(({ id }: Row) => id))
      url = /<([^>]+)>/.exec(String(headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(
      seen,
      (await audit('', key)).map(({ id }) => id),
    )
    assert.equal(seen.length, 6)
  })

  test('returns one entry a line as NDJSON, whole and paged, and an empty body without entries', async () => {
    const { key } = await stage()
    const headers = { accept: 'application/x-ndjson' }
    for (const query of ['', '?limit=100']) {
      const { text, headers: given } = await call('GET', `/audit${query}`, { key, headers })
      assert.match(String(given['content-type']), /^application\/x-ndjson/)
      assert.deepEqual(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
        await audit('', key),
      )
    }
    assert.equal((await call('GET', '/audit?object=nothing', { key, headers })).text, '')
  })

  test('excludes entries of another account, and requires admin', async () => {
    const { key } = await stage()
    const foreign = await call('GET', '/audit', { key: other.key })
    assert.ok(foreign.body.every(({ account }: { account: string }) => account === other.code))
    assert.ok((await audit('', key)).length === 6)
    const weak = await makeKey(own.account, ['read', 'write', 'send'])
    assert.equal((await call('GET', '/audit', { key: weak })).status, 403)
    assert.equal((await call('GET', '/audit', { key: null })).status, 401)
  })
})

suite('audit › people', () => {
  test("a person's operation names the person, and sign-ins, with refused ones hashed, are the installation's", async () => {
    clock.set(Date.now())
    const person = await makePerson(harness, 'Vera', [[own, 'admin']])
    const operator = await signedIn(harness, await makePerson(harness, 'Olga', [], { operator: true }))
    const rows = async (query: string) => (await operator.visit('GET', `/audit${query}`)).body
    const refused = async (password: string) => {
      const body = { email: person.email, password }
      assert.equal((await openBrowser(harness).visit('POST', '/auth/sign-in', { body })).status, 401)
    }
    await refused('wrong one')
    await refused('wrong two')
    const [second, first] = await rows('?object=sign-in')
    assert.match(second.object.id, /^hmac:[0-9a-f]{32}$/)
    assert.deepEqual(
      [second.object.id, second.account, second.who, second.outcome, second.problem, second.operation],
      [first.object.id, null, { type: 'system' }, 'refused', 'sign-in-refused', 'POST /auth/sign-in'],
    )

    const browser = await signedIn(harness, person)
    const who = { type: 'person', id: person.id, name: 'Vera' }
    const [session] = await rows(`?who=person:${person.id}`)
    assert.deepEqual([session.who, session.from, session.changes], [who, '198.51.100.7', { '/factor': [null, 'none'] }])

    const made = await browser.visit('POST', '/categories', { body: { name: 'Hers' }, account: own.code })
    assert.equal(made.status, 200)
    const [row] = (await browser.visit('GET', '/audit?limit=1')).body
    assert.deepEqual([row.who, row.account, row.object.name], [who, own.code, 'Hers'])
    assert.ok((await rows('')).some(({ account }: { account: string }) => account === other.code))
    const foreign = await operator.visit('GET', '/audit', { account: other.code })
    assert.ok(foreign.body.every(({ account }: { account: string }) => account === other.code))
    assert.ok(!JSON.stringify(await rows('')).includes(person.email))
  })

  test('a refused person is recorded by name', async () => {
    const viewer = await signedIn(harness, await makePerson(harness, 'Vic', [[own, 'viewer']]))
    assert.equal((await viewer.visit('POST', '/categories', { body: { name: 'no' } })).status, 403)
    const row = await newest()
    assert.deepEqual([row.outcome, row.problem, row.operation], ['refused', 'right-missing', 'POST /categories'])
    assert.equal((await viewer.visit('GET', '/audit')).status, 403)
  })

  test('keys, invitations and roles are recorded without secrets and email addresses', async () => {
    const admin = await signedIn(harness, await makePerson(harness, 'Ada', [[own, 'admin']]))
    const { body: key } = await admin.visit('POST', '/keys', { body: { name: 'shop', rights: ['read'] } })
    assert.deepEqual((await newest()).object, { type: 'key', id: String(key.id), name: 'shop' })
    const email = 'guest@people.example'
    assert.equal((await admin.visit('POST', '/people/invitations', { body: { email, role: 'author' } })).status, 200)
    const { object, changes } = await newest()
    assert.equal(object?.type, 'invitation')
    assert.deepEqual(changes['/role'], [null, 'author'])
    const { text } = await call('GET', '/audit')
    assert.ok(!text.includes(key.key) && !text.includes(email))
  })
})

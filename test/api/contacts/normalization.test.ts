import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runJob } from '../../../src/features/jobs/run.ts'
import { createJobHandlers } from '../../../src/service/job-handlers.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { call, context, makeAccount, makeKey, other } = await startHarness()
const bodies = createJobHandlers(context)

let accounts = 0

async function newAccount() {
  const { account, key } = await makeAccount(`N${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(method, url, { body, headers, key })
  const email: number = (await ask('GET', '/fields')).body[0].id
  const phone: number = (await ask('POST', '/fields', { type: 'phone', name: 'Phone' })).body.id
  const segment: number = (await ask('POST', '/segments', { type: 'static', name: 'All' })).body.id
  /** Makes a contact of the segment; gives its id. */
  const make = async (name: string, values: object): Promise<string> => {
    const answer = await ask('POST', '/targets', { Email: `${name}@example.org`, ...values })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await ask('POST', `/targets/${answer.body.id}/segments/${segment}`)).status, 204)
    return answer.body.id
  }
  const read = async (id: string) => (await ask('GET', `/targets/${id}`)).body
  const phoneOf = async (id: string) => (await read(id)).fields[phone]
  const normalize = (body?: unknown, id = segment) => ask('POST', `/segments/${id}/normalization`, body)
  return { account, key, ask, email, phone, segment, make, read, phoneOf, normalize }
}

suite('POST /segments/{id}/normalization', () => {
  test('normalizes few contacts at once, with the countries given', async () => {
    const { phone, make, phoneOf, normalize } = await newAccount()
    const id = await make('a', { Phone: '07400123456' })
    assert.equal(await phoneOf(id), '07400123456')
    const answer = await normalize({ fields: { [phone]: ['GBR'] } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { normalized: 1, unchanged: 0, invalid: 0 })
    assert.equal(await phoneOf(id), '+447400123456')
    assert.deepEqual((await normalize({ fields: { [phone]: ['GBR'] } })).body, {
      normalized: 0,
      unchanged: 1,
      invalid: 0,
    })
  })

  test('normalizes over 10,000 contacts as a job that ends with the counts', async () => {
    const { account, ask, email, phone, segment, normalize } = await newAccount()
    await context.pool.query(
      `with made as (
        insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
        select $1, jsonb_build_object($2::text, address, $3::text, '07400' || lpad(n::text, 6, '0')),
          address, address, decode(md5(address), 'hex'), now(), now()
        from generate_series(100000, 110000) n, lateral (select n || '@example.org' as address) a returning id)
      insert into segment_members select $1, $4, id from made`,
      [account, String(email), String(phone), segment],
    )
    const answer = await normalize({ fields: { [phone]: ['FRA', 'GBR'] } })
    assert.equal(answer.status, 202, answer.text)
    assert.equal(answer.headers['location'], `/jobs/${answer.body.id}`)
    await runJob(context, bodies, { job: answer.body.id })
    const { state, result, progress } = (await ask('GET', `/jobs/${answer.body.id}`)).body
    assert.equal(state, 'done')
    assert.deepEqual(progress, { done: 10_001, total: 10_001 })
    assert.equal(result.normalized + result.invalid, 10_001)
    const { rows } = await context.pool.query(
      "select count(*)::integer as n from contacts where account = $1 and fields ->> $2 like '+447400%'",
      [account, String(phone)],
    )
    assert.equal(rows[0].n, result.normalized)
    assert.ok(result.normalized > 9000, JSON.stringify(result))
  })

  test('tries the international form first, then each country in order, or defaultCountry without a body', async () => {
    const { ask, make, phoneOf, normalize } = await newAccount()
    await ask('PUT', '/settings/contacts', { defaultCountry: 'USA' })
    const french = await make('a', { Phone: '01 23 45 67 89' })
    const whole = await make('b', { Phone: '33123456780' })
    const never = await make('c', { Phone: '000000' })
    const known = await make('d', { Phone: '+33123456781' })
    const unassigned = await make('f', { Phone: '+1 555 123 4567' })
    await make('e', {})
    await ask('PUT', '/settings/contacts', { defaultCountry: 'FRA' })
    const { body } = await normalize()
    assert.deepEqual(body, { normalized: 2, unchanged: 1, invalid: 2 })
    assert.equal(await phoneOf(unassigned), '+15551234567')
    assert.equal(await phoneOf(french), '+33123456789')
    assert.equal(await phoneOf(whole), '+33123456780')
    assert.equal(await phoneOf(never), '000000')
    assert.equal(await phoneOf(known), '+33123456781')
  })

  test('updates key and hash, and leaves the value unchanged if the key is taken', async () => {
    const { ask, email, phone, make, read, normalize, phoneOf } = await newAccount()
    // Phone alone is the unicity.
    const free = await make('a', { Phone: '07400123456' })
    const taken = await make('b', { Phone: '07400123457' })
    const twin = await make('c', { Phone: '7400123456' })
    const holder = await make('d', { Phone: '+447400123457' })
    assert.equal((await ask('PUT', `/fields/${phone}`, { isUnicity: true })).status, 200)
    assert.equal((await ask('PUT', `/fields/${email}`, { isUnicity: false })).status, 200)
    const before = await read(free)
    const { body } = await normalize({ fields: { Phone: ['GBR'] } })
    assert.deepEqual(body, { normalized: 1, unchanged: 1, invalid: 2 })
    assert.equal(await phoneOf(free), '+447400123456')
    assert.equal(await phoneOf(taken), '07400123457')
    assert.equal(await phoneOf(twin), '7400123456')
    assert.notEqual((await read(free)).hash, before.hash)
    const found = await ask('GET', '/targets?unicity=%2B447400123456')
    assert.equal(found.body.id, free)
    assert.equal((await ask('GET', '/targets?unicity=%2B447400123457')).body.id, holder)
  })

  test('clears the flag of the old value', async () => {
    const { ask, phone, make, read, normalize } = await newAccount()
    const id = await make('a', { Phone: '07400123456' })
    await ask('PUT', `/targets/${id}/bounces/${phone}`)
    assert.equal((await read(id)).bounce.length, 1)
    await normalize({ fields: { [phone]: ['GBR'] } })
    assert.deepEqual((await read(id)).bounce, [])
  })

  test('changes only members of the segment', async () => {
    const { ask, phone, phoneOf, normalize } = await newAccount()
    const { body: outsider } = await ask('POST', '/targets', { Email: 'o@example.org', Phone: '07400123456' })
    assert.deepEqual((await normalize({ fields: { [phone]: ['GBR'] } })).body, {
      normalized: 0,
      unchanged: 0,
      invalid: 0,
    })
    assert.equal(await phoneOf(outsider.id), '07400123456')
  })

  test('applies to the members that a dynamic segment has at the start', async () => {
    const { ask, phone, make, normalize, phoneOf } = await newAccount()
    const member = await make('a', { Phone: '07400123456' })
    const outsider = await make('b', { Phone: '+447400123457' })
    const criteria = { all: [{ type: 'field', field: phone, operator: 'startsWith', value: '07' }] }
    const { id } = (await ask('POST', '/segments', { type: 'dynamic', name: 'National', criteria })).body
    const counts = { normalized: 1, unchanged: 0, invalid: 0 }
    assert.deepEqual((await normalize({ fields: { [phone]: ['GBR'] } }, id)).body, counts)
    assert.equal(await phoneOf(member), '+447400123456')
    assert.equal(await phoneOf(outsider), '+447400123457')
  })

  test('leaves the value unchanged if another write takes the key meanwhile', async () => {
    const { account, ask, email, phone, make, normalize, phoneOf } = await newAccount()
    const late = await make('a', { Phone: '07400123456' })
    const free = await make('b', { Phone: '07400123457' })
    await ask('PUT', `/fields/${phone}`, { isUnicity: true })
    await ask('PUT', `/fields/${email}`, { isUnicity: false })
    const rival = await context.pool.connect()
    await rival.query('begin')
    await rival.query(
      `insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
       values ($1, jsonb_build_object($2::text, $3::text), $3, $3, decode(md5($3), 'hex'), now(), now())`,
      [account, String(phone), '+447400123456'],
    )
    const answer = normalize({ fields: { [phone]: ['GBR'] } })
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await eventually(async () => (await context.pool.query(waiting)).rowCount !== 0)
    await rival.query('commit')
    rival.release()
    assert.deepEqual((await answer).body, { normalized: 1, unchanged: 0, invalid: 1 })
    assert.equal(await phoneOf(late), '07400123456')
    assert.equal(await phoneOf(free), '+447400123457')
  })

  test('is a job of any size with Prefer: respond-async', async () => {
    const { ask, segment, make } = await newAccount()
    await make('a', { Phone: '07400123456' })
    const answer = await ask('POST', `/segments/${segment}/normalization`, undefined, { prefer: 'respond-async' })
    assert.equal(answer.status, 202)
    await runJob(context, bodies, { job: answer.body.id })
    assert.deepEqual((await ask('GET', `/jobs/${answer.body.id}`)).body.result, {
      normalized: 0,
      unchanged: 0,
      invalid: 1,
    })
  })

  test('returns 400 with a pointer for a field that is no phone field or an unknown country', async () => {
    const { email, phone, normalize } = await newAccount()
    const cases: [object, string][] = [
      [{ fields: { [email]: ['FRA'] } }, `/fields/${email}`],
      [{ fields: { 999999: ['FRA'] } }, '/fields/999999'],
      [{ fields: { [phone]: ['FRA', 'XYZ'] } }, `/fields/${phone}/1`],
      [{ fields: { [phone]: 'FRA' } }, `/fields/${phone}`],
    ]
    for (const [body, pointer] of cases) {
      const answer = await normalize(body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.equal(answer.body.errors[0].pointer, pointer)
    }
  })

  test('is 404 for segments unknown or of another account, and requires the write right', async () => {
    const { account, normalize, segment } = await newAccount()
    assert.equal((await normalize(undefined, 999_999)).status, 404)
    const url = `/segments/${segment}/normalization`
    assert.equal((await call('POST', url, { key: other.key })).status, 404)
    assert.equal((await call('POST', '/segments/x/normalization')).status, 404)
    assert.equal((await call('POST', url, { key: await makeKey(account, ['read']) })).status, 403)
  })
})

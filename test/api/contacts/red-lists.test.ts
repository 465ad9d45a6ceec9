import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addToRedList } from '../../../src/features/contacts/suppressions/red-list.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, clock, context, makeAccount, makeKey, other } = await startHarness()

let accounts = 0

async function newAccount() {
  const { account, key } = await makeAccount(`L${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown): Promise<Answer> => call(method, url, { body, key })
  const contact = async (name: string, more: object = {}): Promise<string> => {
    const answer = await ask('POST', '/targets', { Email: `${name}@example.org`, ...more })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }
  const shown = async (id: string) => (await ask('GET', `/targets/${id}`)).body.redList
  return { account, key, ask, contact, shown }
}

suite('red lists', () => {
  test('listing twice is 204 twice and keeps the first timestamp', async () => {
    const { ask, contact, shown } = await newAccount()
    const id = await contact('a')
    clock.set('2026-02-03T09:30:00.000Z')
    assert.equal((await ask('POST', `/targets/${id}/redlist/mail`)).status, 204)
    clock.set('2026-02-04T09:30:00.000Z')
    assert.equal((await ask('POST', `/targets/${id}/redlist/mail`, {})).status, 204)
    assert.deepEqual(await shown(id), { mail: { timestamp: '2026-02-03T09:30:00.000Z', reason: 1 } })
    assert.deepEqual((await ask('GET', '/targets/redlist/mail')).body, [
      { id, timestamp: '2026-02-03T09:30:00.000Z', origin: 1, detail: {} },
    ])
    assert.deepEqual((await ask('GET', '/targets/redlist/sms')).body, [])
  })

  test('given members replace those of an existing entry', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact('a')
    await ask('POST', `/targets/${id}/redlist/sms`, {
      timestamp: '2026-01-01',
      origin: 3,
      detail: { formId: '0000GH' },
    })
    await ask('POST', `/targets/${id}/redlist/sms`, { origin: 6, id: 'ZZZZZZZZ' })
    assert.deepEqual((await ask('GET', '/targets/redlist/sms')).body, [
      { id, timestamp: '2026-01-01T00:00:00.000Z', origin: 6, detail: { formId: '0000GH' } },
    ])
    await ask('POST', `/targets/${id}/redlist/sms`, { timestamp: 0, detail: { path: 'C:\\u0000' } })
    assert.deepEqual((await ask('GET', '/targets/redlist/sms')).body, [
      { id, timestamp: '1970-01-01T00:00:00.000Z', origin: 6, detail: { path: 'C:\\u0000' } },
    ])
  })

  test('an invalid origin, date or detail is 400, an unknown contact 404, and nothing is listed', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact('a')
    const bad = [
      { origin: 10 },
      { origin: -1 },
      { origin: 'x' },
      { timestamp: 'x' },
      { timestamp: 1e18 },
      { detail: 'x' },
      ['x'],
    ]
    for (const body of bad) {
      assert.equal((await ask('POST', `/targets/${id}/redlist/mail`, body)).status, 400, JSON.stringify(body))
    }
    for (const unknown of ['ZZZZZZZZ', '-']) {
      assert.equal((await ask('POST', `/targets/${unknown}/redlist/mail`)).status, 404)
    }
    assert.deepEqual((await ask('GET', '/targets/redlist/mail')).body, [])
  })

  test('are listed by timestamp, then contact, for a period and in pages', async () => {
    const { ask, contact } = await newAccount()
    const [a, b, c, d] = [await contact('a'), await contact('b'), await contact('c'), await contact('d')]
    const days = [
      [a, '2026-01-03'],
      [b, '2026-01-02'],
      [c, '2026-01-02'],
      [d, '2026-01-01'],
    ] as const
    for (const [id, timestamp] of days) await ask('POST', `/targets/${id}/redlist/mail`, { timestamp })
    const ids = async (query: string) =>
      (await ask('GET', `/targets/redlist/mail?${query}`)).body.map((entry: { id: string }) => entry.id)
    assert.deepEqual(await ids(''), [d, b, c, a])
    assert.deepEqual(await ids('startDate=2026-01-02&endDate=2026-01-03'), [b, c])
    assert.deepEqual(await ids('startDate=2026-01-03'), [a])
    assert.deepEqual(await ids('endDate=2026-01-02'), [d])
    assert.deepEqual(await ids('startDate=0001-01-01&endDate=9999-12-31'), [d, b, c, a])
    const paged: string[] = []
    for (let url: string | undefined = '/targets/redlist/mail?limit=1&startDate=2026-01-02'; url; ) {
      const page: Answer = await ask('GET', url)
      paged.push(...page.body.map((entry: { id: string }) => entry.id))
      url = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    }
    assert.deepEqual(paged, [b, c, a])
    for (const query of [
      'startDate=x',
      'startDate=-800000000000000',
      'startDate=2026-01-02&endDate=2026-01-01',
      'after=x',
      'after=WzEsIngiXQ',
    ]) {
      assert.equal((await ask('GET', `/targets/redlist/mail?${query}`)).status, 400, query)
    }
  })

  test('removing an entry requires a reason, which is recorded for good with the entry and the key', async () => {
    const { account, ask, contact, shown } = await newAccount()
    const id = await contact('a')
    clock.set('2026-02-03T09:30:00.000Z')
    await ask('POST', `/targets/${id}/redlist/mail`, { origin: 4, detail: { action: 7 } })
    for (const body of [undefined, {}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(501) }, { reason: 7 }]) {
      assert.equal((await ask('DELETE', `/targets/${id}/redlist/mail`, body)).status, 400)
    }
    assert.ok('mail' in (await shown(id)))
    clock.set('2026-02-04T09:30:00.000Z')
    assert.equal((await ask('DELETE', `/targets/${id}/redlist/mail`, { reason: ' asked by phone ' })).status, 204)
    assert.deepEqual(await shown(id), {})
    await ask('DELETE', `/targets/${id}`)
    const { rows } = await context.pool.query(
      `select channel, contact, reason, removed_at, entry, api_key is not null as "hasKey"
       from red_list_removals where account = $1`,
      [account],
    )
    assert.deepEqual(rows, [
      {
        channel: 'mail',
        contact: Number.parseInt(id, 36),
        reason: 'asked by phone',
        removed_at: new Date('2026-02-04T09:30:00.000Z'),
        entry: { timestamp: '2026-02-03T09:30:00+00:00', origin: 4, detail: { action: 7 } },
        hasKey: true,
      },
    ])
  })

  test('the reason can be a parameter, and a contact not listed is 404', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact('a')
    await ask('POST', `/targets/${id}/redlist/sms`)
    assert.equal((await ask('DELETE', `/targets/${id}/redlist/mail?reason=x`)).status, 404)
    assert.equal((await ask('DELETE', `/targets/${id}/redlist/sms?reason=asked%20by%20phone`)).status, 204)
    assert.equal((await ask('DELETE', `/targets/${id}/redlist/sms?reason=x`)).status, 404)
    assert.equal((await ask('DELETE', '/targets/ZZZZZZZZ/redlist/sms?reason=x')).status, 404)
  })

  test('are unknown to other accounts', async () => {
    const { ask, contact } = await newAccount()
    const id = await contact('a')
    await ask('POST', `/targets/${id}/redlist/mail`)
    const theirs = (method: string, url: string) => call(method, url, { key: other.key })
    assert.deepEqual((await theirs('GET', '/targets/redlist/mail')).body, [])
    assert.equal((await theirs('POST', `/targets/${id}/redlist/sms`)).status, 404)
    assert.equal((await theirs('DELETE', `/targets/${id}/redlist/mail?reason=x`)).status, 404)
    assert.deepEqual((await ask('GET', '/targets/redlist/mail')).body.length, 1)
  })

  test('require the write right to change', async () => {
    const { account, contact } = await newAccount()
    const id = await contact('a')
    const key = await makeKey(account, ['read'])
    assert.equal((await call('POST', `/targets/${id}/redlist/mail`, { key })).status, 403)
    assert.equal((await call('DELETE', `/targets/${id}/redlist/mail?reason=x`, { key })).status, 403)
    assert.equal((await call('GET', '/targets/redlist/mail', { key })).status, 200)
  })

  test('many contacts are added in one statement, without existing entries and unknown contacts', async () => {
    const { account, ask, contact } = await newAccount()
    const [a, b] = [await contact('a'), await contact('b')]
    await ask('POST', `/targets/${a}/redlist/mail`, { origin: 4, timestamp: '2026-01-01' })
    const contacts = [a, b, b, 'ZZZZZZZZ'].map((id) => Number.parseInt(id, 36))
    const entry = { at: new Date('2026-01-02'), origin: 2, detail: { importId: 9 } }
    await addToRedList(context.db, account, 'mail', { contacts, entry })
    assert.deepEqual((await ask('GET', '/targets/redlist/mail')).body, [
      { id: a, timestamp: '2026-01-01T00:00:00.000Z', origin: 4, detail: {} },
      { id: b, timestamp: '2026-01-02T00:00:00.000Z', origin: 2, detail: { importId: 9 } },
    ])
  })
})

suite('red lists after a deletion', () => {
  test('an address with an entry made by the person is listed again with origin and timestamp', async () => {
    const { ask, contact, shown } = await newAccount()
    await ask('POST', '/fields', { type: 'phone', name: 'Mobile' })
    const id = await contact('Ann', { Mobile: '01 23 45 67 89' })
    await ask('POST', `/targets/${id}/redlist/mail`, { origin: 4, timestamp: '2026-01-01', detail: { action: 7 } })
    await ask('POST', `/targets/${id}/redlist/sms`, { origin: 6, timestamp: '2026-01-02' })
    await ask('DELETE', `/targets/${id}`)
    const again = await ask('PUT', '/targets', { Email: 'ann@example.org', Mobile: '+33123456789' })
    assert.deepEqual(again.body.redList, {
      mail: { timestamp: '2026-01-01T00:00:00.000Z', reason: 4 },
      sms: { timestamp: '2026-01-02T00:00:00.000Z', reason: 6 },
    })
    assert.deepEqual((await ask('GET', '/targets/redlist/mail')).body[0].detail, { action: 7 })
    const [byPhone] = (await ask('PUT', '/targets', [{ Email: 'b@example.org', Mobile: '0123456789' }])).body
    assert.deepEqual(await shown(byPhone.contact.id), { sms: { timestamp: '2026-01-02T00:00:00.000Z', reason: 6 } })
  })

  test('an entry of another origin is deleted, and no address is stored', async () => {
    const { account, ask, contact } = await newAccount()
    const listed = await contact('a')
    await ask('POST', `/targets/${listed}/redlist/mail`, { origin: 1 })
    await ask('POST', `/targets/${await contact('b')}/redlist/mail`, { origin: 5 })
    assert.equal(
      (await ask('DELETE', '/targets', { type: 'unicity', value: ['a@example.org', 'b@example.org'] })).status,
      204,
    )
    assert.deepEqual((await ask('POST', '/targets', { Email: 'a@example.org' })).body.redList, {})
    const { rows } = await context.pool.query('select m::text as text from red_list_memory m where account = $1', [
      account,
    ])
    assert.equal(rows.length, 1)
    assert.ok(!rows[0].text.includes('example.org'))
  })

  test('a removed entry does not return', async () => {
    const { ask, contact, shown } = await newAccount()
    await ask('POST', `/targets/${await contact('a')}/redlist/mail`, { origin: 4 })
    await ask('DELETE', '/targets', { type: 'unicity', value: ['a@example.org'] })
    const id = await contact('a')
    assert.ok('mail' in (await shown(id)))
    await ask('DELETE', `/targets/${id}/redlist/mail?reason=asked`)
    await ask('DELETE', `/targets/${id}`)
    assert.deepEqual(await shown(await contact('a')), {})
  })

  test('forgetRedListOnDelete deletes the entry, and accounts do not affect each other', async () => {
    const { ask, contact, shown } = await newAccount()
    await ask('PUT', '/settings/contacts', { forgetRedListOnDelete: true })
    const id = await contact('a')
    await ask('POST', `/targets/${id}/redlist/mail`, { origin: 4 })
    await ask('DELETE', `/targets/${id}`)
    assert.deepEqual(await shown(await contact('a')), {})
    const first = await newAccount()
    await first.ask('POST', `/targets/${await first.contact('a')}/redlist/mail`, { origin: 4 })
    await first.ask('DELETE', '/targets', { type: 'unicity', value: ['a@example.org'] })
    const second = await newAccount()
    await second.ask('POST', `/targets/${await second.contact('x')}/redlist/mail`, { origin: 4 })
    await second.ask('DELETE', '/targets', { type: 'unicity', value: ['x@example.org'] })
    assert.deepEqual(await second.shown(await second.contact('a')), {})
  })
})

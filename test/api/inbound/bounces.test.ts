import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type BounceCode, bounceCodes } from '../../../src/features/contacts/bounce-flags/bounce-codes.ts'
import { clearSoftBounces, flagBounces } from '../../../src/features/contacts/bounce-flags/bounce-flags.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, clock, context, makeAccount, makeKey, other } = await startHarness()

let accounts = 0

async function newAccount() {
  const { account, key } = await makeAccount(`B${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown): Promise<Answer> => call(method, url, { body, key })
  const [{ id: email }] = (await ask('GET', '/fields')).body
  const mobile: number = (await ask('POST', '/fields', { type: 'phone', name: 'Mobile phone' })).body.id
  const name: number = (await ask('POST', '/fields', { type: 'textField', name: 'Name' })).body.id
  const contact = async (local: string, more: object = {}): Promise<string> =>
    (await ask('POST', '/targets', { Email: `${local}@example.org`, ...more })).body.id
  const flags = async (id: string) => (await ask('GET', `/targets/${id}`)).body.bounce
  const codes = async (id: string) => (await flags(id)).map(({ type }: { type: number }) => type)
  /** What the sender does with refusals of one address, given by code and day of January 2026. */
  const refuse = (id: string, refusals: [BounceCode, number][], field = email as number) =>
    flagBounces(
      context.db,
      account,
      refusals.map(([code, day]) => ({
        contact: Number.parseInt(id, 36),
        field,
        code,
        at: new Date(Date.UTC(2026, 0, day)),
        reason: `refused on day ${day}`,
      })),
      { softBounce: { count: 5, days: 30 } },
    )
  return { account, key, ask, email: email as number, mobile, name, contact, flags, codes, refuse }
}

const { soft, validated, hardUser, hardDomain, hardOther } = bounceCodes

suite('bounce flags › set and cleared', () => {
  test('a missing or empty body sets hardUser with the current time', async () => {
    const { ask, email, contact, flags } = await newAccount()
    const id = await contact('a')
    clock.set('2026-02-03T09:30:00.000Z')
    for (const body of [undefined, {}, []]) {
      assert.equal((await ask('PUT', `/targets/${id}/bounces/${email}`, body)).status, 204)
      assert.deepEqual(await flags(id), [{ field: email, type: 52, timestamp: '2026-02-03T09:30:00.000Z', reason: '' }])
      await ask('DELETE', `/targets/${id}/bounces/${email}`)
    }
  })

  test('types are accepted by name and code, and details in both forms', async () => {
    const { ask, email, contact, flags } = await newAccount()
    const id = await contact('a')
    for (const [name, { code }] of Object.entries(bounceCodes)) {
      for (const type of [name, name.toUpperCase(), code, String(code)]) {
        const body = { type, detail: { message: '5.1.1 unknown' }, timestamp: '2026-01-02' }
        assert.equal((await ask('PUT', `/targets/${id}/bounces/${email}`, body)).status, 204)
        assert.deepEqual(await flags(id), [
          { field: email, type: code, timestamp: '2026-01-02T00:00:00.000Z', reason: '5.1.1 unknown' },
        ])
        await ask('DELETE', `/targets/${id}/bounces/${email}`)
      }
    }
    await ask('PUT', `/targets/${id}/bounces/${email}`, { detail: 'two\nlines\u0007' })
    assert.equal((await flags(id))[0].reason, 'two lines')
  })

  test('a field has at most one flag, and a phone field has its own', async () => {
    const { ask, email, mobile, contact, flags } = await newAccount()
    const id = await contact('a', { 'Mobile phone': '0123456789' })
    await ask('PUT', `/targets/${id}/bounces/${email}`, { type: 51 })
    await ask('PUT', `/targets/${id}/bounces/${email}`, { type: 'soft' })
    await ask('PUT', `/targets/${id}/bounces/${mobile}`, { type: 53 })
    assert.deepEqual(
      (await flags(id)).map(({ field, type }: { field: number; type: number }) => [field, type]),
      [
        [email, 4],
        [mobile, 53],
      ],
    )
  })

  test('bad types, dates and fields are 400, unknown ones 404, and an empty field is 409', async () => {
    const { ask, email, mobile, name, contact, flags } = await newAccount()
    const id = await contact('a', { Name: 'Ann' })
    for (const body of [{ type: 'nonsense' }, { type: 7 }, { type: true }, { timestamp: 'x' }, { detail: 7 }, ['x']]) {
      assert.equal((await ask('PUT', `/targets/${id}/bounces/${email}`, body)).status, 400, JSON.stringify(body))
    }
    assert.equal((await ask('PUT', `/targets/${id}/bounces/${name}`)).status, 400)
    const theirs = (await call('GET', '/fields', { key: other.key })).body[0].id
    for (const field of ['999999', 'x', theirs]) {
      assert.equal((await ask('PUT', `/targets/${id}/bounces/${field}`)).status, 404)
      assert.equal((await ask('DELETE', `/targets/${id}/bounces/${field}`)).status, 404)
    }
    assert.equal((await ask('PUT', `/targets/ZZZZZZZZ/bounces/${email}`)).status, 404)
    assert.equal((await ask('DELETE', `/targets/ZZZZZZZZ/bounces/${email}`)).status, 404)
    assert.equal((await ask('PUT', `/targets/${id}/bounces/${mobile}`)).status, 409)
    assert.deepEqual(await flags(id), [])
  })

  test('DELETE is 204 even without a flag, and resets the soft count to 0', async () => {
    const { ask, email, contact, codes, refuse } = await newAccount()
    const id = await contact('a')
    assert.equal((await ask('DELETE', `/targets/${id}/bounces/${email}`)).status, 204)
    await refuse(id, [
      [4, 1],
      [4, 2],
      [4, 3],
      [4, 4],
    ])
    assert.equal((await ask('DELETE', `/targets/${id}/bounces/${email}`)).status, 204)
    assert.deepEqual(await codes(id), [])
    await refuse(id, [[4, 5]])
    assert.deepEqual(await codes(id), [soft.code])
  })

  test('a new value clears flag and count, a change of case or of another field does not', async () => {
    const { ask, email, mobile, contact, codes, refuse } = await newAccount()
    const id = await contact('a', { 'Mobile phone': '0123456789' })
    await refuse(id, [
      [4, 1],
      [4, 2],
      [4, 3],
      [4, 4],
    ])
    await refuse(id, [[52, 1]], mobile)
    await ask('PUT', `/targets/${id}`, { Email: 'A@example.org', Name: 'Ann' })
    assert.deepEqual(await codes(id), [soft.code, hardUser.code])
    await ask('PUT', `/targets/${id}`, { Email: 'b@example.org' })
    assert.deepEqual(await codes(id), [hardUser.code])
    await refuse(id, [[4, 5]])
    assert.deepEqual(await codes(id), [soft.code, hardUser.code])
    await ask('PUT', '/targets', [{ Email: 'b@example.org', 'Mobile phone': null }])
    assert.deepEqual(await codes(id), [soft.code])
    assert.equal((await ask('GET', `/targets/bounces?query=field:${email}`)).body.length, 1)
  })

  test("flags of another account's contacts are unknown", async () => {
    const { email, contact, codes } = await newAccount()
    const id = await contact('a')
    const theirs = (method: string) => call(method, `/targets/${id}/bounces/${email}`, { key: other.key })
    assert.equal((await theirs('PUT')).status, 404)
    assert.equal((await theirs('DELETE')).status, 404)
    assert.deepEqual(await codes(id), [])
  })

  test('writing a flag requires the right to write', async () => {
    const { account, email, contact } = await newAccount()
    const id = await contact('a')
    const key = await makeKey(account, ['read'])
    assert.equal((await call('PUT', `/targets/${id}/bounces/${email}`, { key })).status, 403)
    assert.equal((await call('DELETE', `/targets/${id}/bounces/${email}`, { key })).status, 403)
    assert.equal((await call('GET', '/targets/bounces', { key })).status, 200)
  })
})

suite('bounce flags › refusals', () => {
  test('the fifth soft refusal in thirty days sets hardOther', async () => {
    const { contact, codes, refuse } = await newAccount()
    const id = await contact('a')
    for (const day of [1, 2, 3, 4]) {
      await refuse(id, [[4, day]])
      assert.deepEqual(await codes(id), [soft.code])
    }
    await refuse(id, [[4, 5]])
    assert.deepEqual(await codes(id), [hardOther.code])
  })

  test('five refusals at once count as five, and those older than thirty days do not count', async () => {
    const { contact, codes, refuse } = await newAccount()
    const [a, b] = [await contact('a'), await contact('b')]
    await refuse(a, [
      [4, 1],
      [4, 2],
      [4, 3],
      [4, 4],
      [4, 5],
    ])
    assert.deepEqual(await codes(a), [hardOther.code])
    await refuse(b, [
      [4, 1],
      [4, 2],
      [4, 3],
      [4, 4],
      [4, 31],
    ])
    assert.deepEqual(await codes(b), [soft.code])
  })

  test('a success in between resets the count', async () => {
    const { account, email, contact, codes, refuse } = await newAccount()
    const id = await contact('a')
    await refuse(id, [
      [4, 1],
      [4, 2],
      [4, 3],
      [4, 4],
    ])
    await clearSoftBounces(context.db, account, [{ contact: Number.parseInt(id, 36), field: email }])
    await refuse(id, [[4, 5]])
    assert.deepEqual(await codes(id), [soft.code])
  })

  test('a validated flag resets the count', async () => {
    const { ask, email, contact, codes, refuse } = await newAccount()
    const id = await contact('a')
    await refuse(id, [
      [4, 1],
      [4, 2],
      [4, 3],
      [4, 4],
    ])
    await ask('PUT', `/targets/${id}/bounces/${email}`, { type: 'validated', timestamp: '2026-01-05' })
    assert.deepEqual(await codes(id), [validated.code])
    await refuse(id, [[4, 6]])
    assert.deepEqual(await codes(id), [soft.code])
  })

  test('soft flags set by a caller count as refusals', async () => {
    const { ask, email, contact, codes } = await newAccount()
    const id = await contact('a')
    for (let n = 0; n < 5; n++) await ask('PUT', `/targets/${id}/bounces/${email}`, { type: 'soft' })
    assert.deepEqual(await codes(id), [hardOther.code])
  })

  test('a soft refusal never replaces a hard flag, otherwise the newest wins', async () => {
    const { contact, flags, codes, refuse } = await newAccount()
    const id = await contact('a')
    await refuse(id, [[hardUser.code, 2]])
    await refuse(id, [[soft.code, 3]])
    assert.deepEqual(await codes(id), [hardUser.code])
    await refuse(id, [[hardDomain.code, 1]])
    assert.deepEqual(await codes(id), [hardUser.code])
    await refuse(id, [
      [soft.code, 9],
      [hardDomain.code, 4],
      [hardUser.code, 3],
    ])
    assert.equal((await flags(id))[0].reason, 'refused on day 4')
    await refuse(id, [[bounceCodes.reportAsSpam.code, 5]])
    assert.deepEqual(await codes(id), [6])
  })

  test('refusals of unknown contacts and fields are ignored', async () => {
    const { contact, codes, refuse } = await newAccount()
    const id = await contact('a')
    await refuse('ZZZZZZZZ', [[4, 1]])
    await refuse(id, [[4, 1]], 999_999)
    assert.deepEqual(await codes(id), [])
  })
})

suite('bounce flags › search', () => {
  async function flagged() {
    const account = await newAccount()
    const { ask, email, mobile, contact } = account
    const a = await contact('ann', { 'Mobile phone': '0123456789' })
    const b = await contact('bob')
    const c = await contact('cy')
    const set = (id: string, field: number, type: string, timestamp: string, detail: string) =>
      ask('PUT', `/targets/${id}/bounces/${field}`, { type, timestamp, detail })
    await set(a, email, 'hardUser', '2026-02-03T09:30:00.000Z', '5.1.1 mailbox Unknown')
    await set(a, mobile, 'soft', '2026-01-02', 'absent')
    await set(b, email, 'soft', '2025-12-31', 'mailbox full')
    await set(c, email, 'validated', '2026-01-15', '')
    const found = async (query: string, more = '') => {
      const answer = await ask('GET', `/targets/bounces?query=${encodeURIComponent(query)}${more}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.map(({ id, bounces }: { id: string; bounces: { fieldId: number }[] }) => [
        id === a ? 'a' : id === b ? 'b' : 'c',
        ...bounces.map(({ fieldId }) => (fieldId === email ? 'email' : 'mobile')),
      ])
    }
    return { ...account, a, b, c, found }
  }

  test('returns contacts with their matching flags in full', async () => {
    const { ask, a, email } = await flagged()
    const query = encodeURIComponent(`field:${email} type:hardUser after:2026-01-01 example.org`)
    assert.deepEqual((await ask('GET', `/targets/bounces?query=${query}`)).body, [
      {
        id: a,
        bounces: [
          {
            type: 'hardUser',
            fieldId: email,
            detail: { message: '5.1.1 mailbox Unknown' },
            timestamp: '2026-02-03T09:30:00.000Z',
          },
        ],
      },
    ])
  })

  test('each term narrows the result, and validated addresses are shown only on request', async () => {
    const { found, a, mobile } = await flagged()
    const cases: [string, string[][]][] = [
      [
        '',
        [
          ['a', 'email', 'mobile'],
          ['b', 'email'],
        ],
      ],
      ['type:hard', [['a', 'email']]],
      [
        'type:soft,4',
        [
          ['a', 'mobile'],
          ['b', 'email'],
        ],
      ],
      ['type:validated', [['c', 'email']]],
      [
        '-type:soft',
        [
          ['a', 'email'],
          ['c', 'email'],
        ],
      ],
      ['field:"Mobile phone"', [['a', 'mobile']]],
      [
        `-field:${mobile} -type:validated`,
        [
          ['a', 'email'],
          ['b', 'email'],
        ],
      ],
      ['after:2026-01-02', [['a', 'email', 'mobile']]],
      ['before:2026-01-02', [['b', 'email']]],
      [
        'mailbox',
        [
          ['a', 'email'],
          ['b', 'email'],
        ],
      ],
      ['"mailbox unknown"', [['a', 'email']]],
      ['BOB@', [['b', 'email']]],
      ['+3312', [['a', 'mobile']]],
      ['100%', []],
      [`contact:${a.toLowerCase()} type:soft`, [['a', 'mobile']]],
      [`-contact:${a}`, [['b', 'email']]],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await found(query), expected, query)
  })

  test('a segment and a period narrow the result', async () => {
    const { account, found, b } = await flagged()
    const { rows } = await context.pool.query(
      `with s as (insert into segments (account, type, name, name_folded, created_at, expires_at)
         values ($1, 'static', 'S', 's', now(), now()) returning id)
       insert into segment_members select $1, s.id, $2 from s returning segment`,
      [account, Number.parseInt(b, 36)],
    )
    assert.deepEqual(await found(`segment:${rows[0].segment}`), [['b', 'email']])
    assert.deepEqual(await found(`-segment:${rows[0].segment}`), [['a', 'email', 'mobile']])
    assert.deepEqual(await found('', '&startDate=2026-01-01&endDate=2026-02-01'), [['a', 'mobile']])
  })

  test('a dynamic segment narrows the result to its current members', async () => {
    const { ask, found, b, name } = await flagged()
    const criteria = { all: [{ type: 'field', field: name, operator: 'equals', value: 'Bob' }] }
    const { id } = (await ask('POST', '/segments', { type: 'dynamic', name: 'Bobs', criteria })).body
    assert.deepEqual(await found(`segment:${id}`), [])
    await ask('PUT', `/targets/${b}`, { Name: 'bob' })
    assert.deepEqual(await found(`segment:${id}`), [['b', 'email']])
  })

  test('is paged by contact', async () => {
    const { ask, b } = await flagged()
    const first = await ask('GET', '/targets/bounces?limit=1')
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1]
    const second = await ask('GET', next ?? '')
    assert.deepEqual(
      second.body.map(({ id }: { id: string }) => id),
      [b],
    )
    assert.equal(second.headers['link'], undefined)
  })

  test('an invalid term, or one that names nothing, is 400 with its position', async () => {
    const { ask } = await flagged()
    const cases: [string, number][] = [
      ['type:nonsense', 1],
      ['mailbox field:999999', 9],
      ['  segment:999999', 3],
      ['a "b', 3],
    ]
    for (const [query, position] of cases) {
      const answer = await ask('GET', `/targets/bounces?query=${encodeURIComponent(query)}`)
      assert.equal(answer.status, 400, query)
      assert.equal(answer.body.errors[0].pointer, 'query')
      assert.match(answer.body.errors[0].detail, new RegExp(`^at character ${position}: `))
    }
    assert.equal((await ask('GET', '/targets/bounces?startDate=x')).status, 400)
  })

  test('finds nothing of another account', async () => {
    const { a } = await flagged()
    for (const query of ['', `contact:${a}`, 'example.org']) {
      const answer = await call('GET', `/targets/bounces?query=${encodeURIComponent(query)}`, { key: other.key })
      assert.deepEqual(answer.body, [])
    }
  })
})

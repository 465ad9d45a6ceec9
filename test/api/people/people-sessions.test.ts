import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import operations from '../../../src/http/operations.json' with { type: 'json' }
import { startHarness } from '../../support/harness.ts'
import { type Browser, kindOf, makePerson, openBrowser, PASSWORD, signedIn } from '../../support/stages/people.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { own, other, context, clock, call } = harness
const { db } = context

let admin: Browser
let operator: Browser
let inBoth: Browser

before(async () => {
  admin = await signedIn(harness, await makePerson(harness, 'Ada', [[own, 'admin']]))
  operator = await signedIn(harness, await makePerson(harness, 'Otto', [], { operator: true }))
  const roles = [[own, 'viewer'] as const, [other, 'admin'] as const]
  inBoth = await signedIn(
    harness,
    await makePerson(
      harness,
      'Bo',
      roles.map((pair) => [...pair]),
    ),
  )
})

suite("a person's session in the API", () => {
  test('gets 403 for every operation of another account, the same as for an unknown account', async () => {
    for (const { method, path } of operations) {
      const url = path.replaceAll(/\{\w+\}/g, '000001')
      const theirs = await admin.visit(method, url, { account: other.code })
      const nowhere = await admin.visit(method, url, { account: 'NONE999' })
      assert.deepEqual(kindOf(theirs), [403, 'not-a-member'], `${method} ${path}`)
      const { instance, detail, ...rest } = theirs.body
      const { instance: _, detail: otherDetail, ...otherRest } = nowhere.body
      assert.deepEqual([rest, detail.replace(other.code, '')], [otherRest, otherDetail.replace('NONE999', '')])
      assert.ok(instance)
    }
  })

  test('names its account by header, in the query of a GET, or not at all if there is only one', async () => {
    assert.equal((await admin.visit('GET', '/categories')).status, 200)
    assert.deepEqual(kindOf(await inBoth.visit('GET', '/categories')), [400, 'account-missing'])
    assert.equal((await inBoth.visit('GET', '/categories', { account: own.code })).status, 200)
    assert.equal((await inBoth.visit('GET', `/categories?account=${own.code}`)).status, 200)
    assert.equal((await inBoth.visit('GET', '/categories?account=acme001', { account: own.code })).status, 200)
    const both = await inBoth.visit('GET', `/categories?account=${own.code}`, { account: other.code })
    assert.deepEqual([both.status, both.body.errors[0].pointer], [400, 'account'])
    const body = { name: 'By query' }
    assert.deepEqual(kindOf(await inBoth.visit('POST', `/categories?account=${other.code}`, { body })), [
      400,
      'account-missing',
    ])
  })

  test("has the rights of the person's role in the account", async () => {
    const body = { name: 'Tried' }
    const refused = await inBoth.visit('POST', '/categories', { body, account: own.code })
    assert.deepEqual(kindOf(refused), [403, 'right-missing'])
    assert.equal((await inBoth.visit('POST', '/categories', { body, account: other.code })).status, 200)
    const author = await signedIn(harness, await makePerson(harness, 'Art', [[own, 'author']]))
    assert.equal((await author.visit('POST', '/categories', { body: { name: 'Written' } })).status, 200)
    const validation = await author.visit('POST', '/actions/000001/validation', { body: {} })
    assert.equal(validation.status, 403)
    assert.deepEqual(kindOf(await author.visit('GET', '/keys')), [403, 'right-missing'])
    assert.equal((await operator.visit('GET', '/keys', { account: own.code })).status, 200)
    assert.equal((await operator.visit('GET', '/keys', { account: 'NONE999' })).status, 403)
    const { body: key } = await call('GET', '/me')
    assert.deepEqual(
      [key.account.code, key.person, key.rights.length, typeof key.key.id],
      [own.code, undefined, 4, 'number'],
    )
  })

  test('allows changes, and a GET that starts something, only from a page of the public address', async () => {
    const body = { name: 'Forged' }
    const foreign: [string | null, Record<string, string>][] = [
      [null, {}],
      ['https://evil.example', {}],
      ['null', {}],
      ['http://stentor.example', {}],
      [null, { referer: 'https://evil.example/page' }],
      [null, { 'sec-fetch-site': 'cross-site' }],
      [null, { 'sec-fetch-site': 'same-site' }],
      ['https://evil.example', { 'sec-fetch-site': 'same-origin' }],
    ]
    for (const [origin, headers] of foreign) {
      assert.deepEqual(kindOf(await admin.visit('POST', '/categories', { body, origin, headers })), [403, 'cross-site'])
      assert.equal((await admin.visit('GET', '/categories', { origin, headers })).status, 200)
      const started = await admin.visit('GET', '/actions/000001/export/recipients', { origin, headers })
      assert.deepEqual(kindOf(started), [403, 'cross-site'])
    }
    const { body: categories } = await admin.visit('GET', '/categories')
    assert.ok(!categories.some(({ name }: { name: string }) => name === 'Forged'))
    const fine: [string | null, Record<string, string>][] = [
      ['https://stentor.example', {}],
      [null, { referer: 'https://stentor.example/console/' }],
      [null, { 'sec-fetch-site': 'same-origin' }],
    ]
    for (const [index, [origin, headers]] of fine.entries()) {
      const made = await admin.visit('POST', '/categories', { body: { name: `Made ${index}` }, origin, headers })
      assert.equal(made.status, 200)
      const started = await admin.visit('GET', '/actions/000001/export/recipients', { origin, headers })
      assert.equal(started.status, 404)
    }
  })

  test('is answered without caching, and a key takes precedence over the cookie', async () => {
    const { headers } = await admin.visit('GET', '/categories')
    assert.deepEqual([headers['cache-control'], headers['vary']], ['private, no-store', 'Cookie, X-Account'])
    const refused = await admin.visit('GET', '/categories', { account: other.code })
    assert.deepEqual([refused.status, refused.headers['cache-control']], [403, 'private, no-store'])
    assert.equal((await admin.visit('GET', '/openapi.json')).headers['cache-control'], undefined)
    const byKey = await admin.visit('POST', '/categories', {
      body: { name: 'By key' },
      origin: null,
      headers: { 'x-key': other.key },
    })
    assert.deepEqual([byKey.status, byKey.headers['cache-control']], [200, undefined])
    assert.ok((await call('GET', '/categories', { key: other.key })).text.includes('By key'))
    const wrong = await admin.visit('GET', '/categories', { headers: { 'x-key': 'none' } })
    assert.equal(wrong.status, 401)
  })

  test('is refused with 421 for a foreign Host, even before a key or session is checked', async () => {
    const host = { host: 'evil.example' }
    for (const url of [
      '/captured',
      '/captured/x',
      '/auth/sessions',
      '/console/',
      '/console/assets/x.js',
      '/%63aptured',
    ])
      assert.deepEqual(
        kindOf(await openBrowser(harness).visit('GET', url, { headers: host })),
        [421, 'misdirected'],
        url,
      )
    assert.deepEqual(kindOf(await admin.visit('GET', '/categories', { headers: host })), [421, 'misdirected'])
    assert.equal((await admin.visit('GET', '/categories', { headers: { host: 'localhost:8080' } })).status, 200)
    const byKey = await openBrowser(harness).visit('GET', '/categories', { headers: { ...host, 'x-key': own.key } })
    assert.equal(byKey.status, 200)
  })

  test("shares one rate limit with the person's other sessions", async () => {
    const account = await harness.makeAccount('RATE003')
    await db
      .updateTable('accounts')
      .set({ rate_per_second: 1, rate_burst: 3 })
      .where('id', '=', account.account)
      .execute()
    const person = await makePerson(harness, 'Ray', [[account, 'viewer']])
    const [one, two] = [await signedIn(harness, person), await signedIn(harness, person)]
    const statuses: number[] = []
    for (const browser of [one, two, one, two]) statuses.push((await browser.visit('GET', '/categories')).status)
    assert.deepEqual(statuses, [200, 200, 200, 429])
  })

  test('has no rights without a second factor when requireSecondFactor is set', async () => {
    const account = await harness.makeAccount('STRC004')
    const browser = await signedIn(harness, await makePerson(harness, 'Sue', [[account, 'admin']]))
    await db.updateTable('accounts').set({ require_second_factor: true }).where('id', '=', account.account).execute()
    await eventually(async () => (await browser.visit('GET', '/categories')).status === 403)
    assert.deepEqual(kindOf(await browser.visit('GET', '/categories')), [403, 'second-factor-required'])
    const { status, body } = await browser.visit('GET', '/me')
    assert.deepEqual([status, body.rights, body.secondFactorRequired], [200, [], true])
    // Of a path, too, with and without the header that names the account.
    const rename = () => browser.visit('PUT', '/accounts/STRC004', { body: { name: 'Renamed' } })
    assert.deepEqual(kindOf(await rename()), [403, 'second-factor-required'])
    const { name } = await db
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', account.account)
      .executeTakeFirstOrThrow()
    assert.notEqual(name, 'Renamed')
    await db.updateTable('sessions').set({ factor: 'totp' }).execute()
    await eventually(async () => (await rename()).status === 200)
    assert.equal((await call('GET', '/categories', { key: account.key })).status, 200)
  })

  test('ends by sign-out, deactivation, 12 hours of inactivity, and after 14 days', async () => {
    const person = await makePerson(harness, 'Eve', [[own, 'viewer']])
    const [one, two] = [await signedIn(harness, person), await signedIn(harness, person)]
    const { body: sessions } = await one.visit('GET', '/auth/sessions')
    assert.deepEqual(
      sessions.map(({ current, browser, address }: Record<string, unknown>) => [current, browser, address]).sort(),
      [
        [false, 'test browser', '198.51.100.7'],
        [true, 'test browser', '198.51.100.7'],
      ],
    )
    const foreign = await two.visit('GET', '/auth/sessions')
    const id = foreign.body.find(({ current }: { current: boolean }) => current).id
    assert.equal((await admin.visit('DELETE', `/auth/sessions/${id}`)).status, 404)
    assert.equal((await one.visit('DELETE', '/auth/sessions/nothing')).status, 404)
    assert.equal((await one.visit('DELETE', `/auth/sessions/${id}`)).status, 204)
    assert.equal((await two.visit('GET', '/me')).status, 401)
    const token = one.cookies.get('__Host-stentor') ?? ''
    assert.equal((await one.visit('POST', '/auth/sign-out')).status, 204)
    one.cookies.set('__Host-stentor', token)
    assert.equal((await one.visit('GET', '/me')).status, 401)

    const three = await signedIn(harness, person)
    clock.advance(11 * 3600_000)
    assert.equal((await three.visit('GET', '/me')).status, 200)
    clock.advance(11 * 3600_000)
    assert.equal((await three.visit('GET', '/me')).status, 200)
    clock.advance(13 * 3600_000)
    await eventually(async () => (await three.visit('GET', '/me')).status === 401)

    const four = await signedIn(harness, person)
    for (let day = 0; day < 28; day++) {
      clock.advance(11.9 * 3600_000)
      await db
        .updateTable('sessions')
        .set({ last_used_at: new Date(clock.now()) })
        .execute()
    }
    assert.equal((await four.visit('GET', '/me')).status, 200)
    clock.advance(0.3 * 24 * 3600_000)
    await eventually(async () => (await four.visit('GET', '/me')).status === 401)

    const five = await signedIn(harness, person)
    await db.updateTable('people').set({ active: false }).where('id', '=', person.id).execute()
    await eventually(async () => (await five.visit('GET', '/me')).status === 401, 2000)
  })

  test("requires a password or passkey of the last 10 minutes for one's own settings", async () => {
    const browser = await signedIn(harness, await makePerson(harness, 'Cleo', [[own, 'viewer']]))
    const body = { name: 'Cleopatra', locale: 'fr' }
    const changed = await browser.visit('PUT', '/me', { body })
    assert.deepEqual([changed.status, changed.body.name, changed.body.locale], [200, 'Cleopatra', 'fr'])
    clock.advance(11 * 60_000)
    const asking: [string, string, object?][] = [
      ['PUT', '/me', body],
      ['PUT', '/me/password', { old: PASSWORD, new: 'another long sentence' }],
      ['POST', '/me/totp'],
      ['DELETE', '/me/totp'],
      ['POST', '/me/recovery'],
      ['GET', '/me/passkeys'],
      ['POST', '/me/passkeys'],
      ['DELETE', '/me/passkeys/x'],
    ]
    for (const [method, url, given] of asking) {
      const refused = await browser.visit(method, url, { ...(given && { body: given }) })
      assert.deepEqual(kindOf(refused), [403, 'confirm-again'], `${method} ${url}`)
      const byKey = await call(method, url, { ...(given && { body: given }) })
      assert.deepEqual(kindOf(byKey), [403, 'session-required'], `${method} ${url}`)
    }
    assert.equal((await browser.visit('GET', '/me')).body.confirmedUntil, null)
    assert.equal((await browser.visit('POST', '/auth/confirm', { body: { password: 'wrong' } })).status, 401)
    assert.equal((await browser.visit('POST', '/auth/confirm', { body: {} })).status, 400)
    assert.equal((await browser.visit('POST', '/auth/confirm', { body: { password: PASSWORD } })).status, 204)
    assert.equal((await browser.visit('PUT', '/me', { body })).status, 200)
  })

  test('uses cookies that are HttpOnly, SameSite=Lax and bound to the public address', async () => {
    const person = await makePerson(harness, 'Kim', [[own, 'viewer']])
    const body = { email: person.email.toUpperCase(), password: PASSWORD }
    const { headers } = await openBrowser(harness).visit('POST', '/auth/sign-in', { body })
    const [session] = [headers['set-cookie']].flat()
    assert.match(
      String(session),
      /^__Host-stentor=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/,
    )
    const rows = await db.selectFrom('sessions').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(/=([\w-]{43})/.exec(String(session))?.[1] ?? ''))
  })
})

import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { generateApiKey } from '../../../src/features/accounts/accounts.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import {
  type Browser,
  kindOf,
  makePerson,
  openBrowser,
  PASSWORD,
  signedIn,
  type TestPerson,
} from '../../support/stages/people.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { own, other, context, clock, call } = harness
const { db } = context

let ada: TestPerson
let admin: Browser
let operator: Browser

before(async () => {
  ada = await makePerson(harness, 'Ada', [[own, 'admin']])
  admin = await signedIn(harness, ada)
  operator = await signedIn(harness, await makePerson(harness, 'Otto', [], { operator: true }))
})

/** The token of an invitation's link. */
function tokenOf({ body }: Answer): string {
  return /\/console\/invitation#token=([\w-]{43})$/.exec(body.link ?? '')?.[1] ?? ''
}

function invite(email: string, role = 'author', browser = admin): Promise<Answer> {
  return browser.visit('POST', '/people/invitations', { body: { email, role }, account: own.code })
}

function accept(token: string, body: object, browser = openBrowser(harness)): Promise<Answer> {
  return browser.visit('POST', '/auth/invitations/acceptance', { body: { token, ...body } })
}

suite('people of an account', () => {
  test('are listed with their membership in it, and operators see all memberships', async () => {
    const both = await makePerson(harness, 'Bo', [
      [own, 'viewer'],
      [other, 'admin'],
    ])
    const { body } = await admin.visit('GET', '/people')
    assert.deepEqual(body[1], {
      id: both.id,
      email: both.email,
      name: 'Bo',
      locale: 'en',
      active: true,
      secondFactor: 'none',
      operator: false,
      createdAt: new Date(clock.now()).toISOString(),
      lastSignInAt: null,
      memberships: [{ account: own.code, role: 'viewer' }],
    })
    const all = await operator.visit('GET', '/people', { account: own.code })
    assert.deepEqual(all.body[1].memberships.length, 2)
    assert.deepEqual((await call('GET', '/people', { key: other.key })).body.length, 1)
    assert.equal(
      (await call('GET', '/people', { key: await harness.makeKey(own.account, ['read', 'write']) })).status,
      403,
    )
  })

  test('the last admin cannot be removed, demoted or deactivated, even by two who demote each other', async () => {
    const { key } = own
    for (const [method, body] of [['DELETE'], ['PUT', { role: 'viewer' }], ['PUT', { active: false }]] as const) {
      const refused = await call(method, `/people/${ada.id}`, { key, ...(body && { body }) })
      assert.deepEqual(
        kindOf(refused),
        method === 'PUT' && 'active' in (body ?? {}) ? [409, 'last-admin'] : [409, 'last-admin'],
      )
    }
    const second = await makePerson(harness, 'Sam', [[own, 'admin']])
    const theirs = await signedIn(harness, second)
    // Both have read who asks before either changes anything.
    const both = await db.transaction().execute(async (tx) => {
      await sql`select from accounts where id = ${own.account} for no key update`.execute(tx)
      const asked = Promise.all([
        admin.visit('PUT', `/people/${second.id}`, { body: { role: 'viewer' } }),
        theirs.visit('PUT', `/people/${ada.id}`, { body: { role: 'viewer' } }),
      ])
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length === 2
      })
      return { asked }
    })
    assert.deepEqual((await both.asked).map(({ status }) => status).sort(), [200, 409])
    await db.updateTable('memberships').set({ role: 'admin' }).where('person', '=', ada.id).execute()
    await db.deleteFrom('memberships').where('person', '=', second.id).execute()
    // One who is deactivated is no admin that counts.
    const idle = await makePerson(harness, 'Ida', [[own, 'admin']])
    await db.updateTable('people').set({ active: false }).where('id', '=', idle.id).execute()
    assert.deepEqual(kindOf(await call('DELETE', `/people/${ada.id}`, { key })), [409, 'last-admin'])
    assert.equal((await call('DELETE', `/people/${idle.id}`, { key })).status, 204)
  })

  test('change in role and active state, except oneself and people of other accounts', async () => {
    const cal = await makePerson(harness, 'Cal', [[own, 'viewer']])
    const browser = await signedIn(harness, cal)
    const promoted = await admin.visit('PUT', `/people/${cal.id}`, { body: { role: 'sender' } })
    assert.deepEqual([promoted.status, promoted.body.memberships], [200, [{ account: own.code, role: 'sender' }]])
    assert.deepEqual((await browser.visit('GET', '/me')).body.rights, ['read', 'write', 'send'])
    assert.deepEqual(kindOf(await admin.visit('PUT', `/people/${ada.id}`, { body: { role: 'viewer' } })), [
      409,
      'oneself',
    ])
    assert.deepEqual(kindOf(await admin.visit('DELETE', `/people/${ada.id}`)), [409, 'oneself'])
    assert.equal((await admin.visit('PUT', `/people/${cal.id}`, { body: { role: 'king' } })).status, 400)
    assert.equal((await call('PUT', `/people/${cal.id}`, { key: other.key, body: { role: 'viewer' } })).status, 404)
    assert.equal((await call('DELETE', '/people/nobody')).status, 404)
    const off = await admin.visit('PUT', `/people/${cal.id}`, { body: { active: false } })
    assert.deepEqual([off.status, off.body.active], [200, false])
    assert.equal((await browser.visit('GET', '/me')).status, 401)
    const refused = await browser.visit('POST', '/auth/sign-in', { body: { email: cal.email, password: PASSWORD } })
    assert.deepEqual(kindOf(refused), [401, 'sign-in-refused'])
    assert.equal((await admin.visit('PUT', `/people/${cal.id}`, { body: { active: true } })).status, 200)
    assert.equal((await signedIn(harness, cal)).cookies.size > 0, true)

    const shared = await makePerson(harness, 'Dee', [
      [own, 'viewer'],
      [other, 'viewer'],
    ])
    const change = { body: { active: false } }
    assert.deepEqual(kindOf(await admin.visit('PUT', `/people/${shared.id}`, change)), [403, 'operator-required'])
    assert.equal((await operator.visit('PUT', `/people/${shared.id}`, { ...change, account: own.code })).status, 200)
    assert.equal((await admin.visit('DELETE', `/people/${shared.id}`)).status, 204)
    assert.equal((await admin.visit('DELETE', `/people/${shared.id}`)).status, 404)
  })

  test('the only operator cannot be deactivated', async () => {
    const op = await makePerson(harness, 'Opal', [[own, 'viewer']], { operator: true })
    await db.updateTable('people').set({ operator: false }).where('name', '=', 'Otto').execute()
    const theirs = await signedIn(harness, op)
    assert.deepEqual(kindOf(await theirs.visit('PUT', `/people/${op.id}`, { body: { active: false } })), [
      409,
      'oneself',
    ])
    const { setUserActive, setUserOperator } = await import('../../../src/features/people/members/members.ts')
    const isOnly = { status: 409, kind: 'only-operator' }
    await assert.rejects(setUserActive(db, op.id, false), isOnly)
    await assert.rejects(setUserOperator(db, op.id, false), isOnly)
    await db.updateTable('people').set({ operator: true }).where('name', '=', 'Otto').execute()
  })
})

suite('invitations', () => {
  test('a new person accepts once with name and password, and is signed in', async () => {
    const invited = await invite('New.Person@People.Example')
    assert.equal(invited.status, 200)
    assert.equal(invited.body.email, 'new.person@people.example')
    const token = tokenOf(invited)
    const { body: shown } = await openBrowser(harness).visit('POST', '/auth/invitations', { body: { token } })
    assert.deepEqual(shown, {
      email: 'new.person@people.example',
      role: 'author',
      known: false,
      account: { code: own.code, name: own.code },
      expiresAt: new Date(clock.now() + 7 * 24 * 3600_000).toISOString(),
    })
    assert.equal((await accept(token, { password: PASSWORD })).status, 400)
    assert.equal((await accept(token, { name: 'New', password: 'short' })).status, 400)
    const given = { name: 'New', password: PASSWORD }
    const [one, two] = [openBrowser(harness), openBrowser(harness)]
    const answers = await Promise.all([accept(token, given, one), accept(token, given, two)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
    const browser = answers[0]?.status === 200 ? one : two
    assert.deepEqual((await browser.visit('GET', '/me')).body.rights, ['read', 'write'])
    assert.equal((await openBrowser(harness).visit('GET', `/auth/invitations/${token}`)).status, 404)
    assert.deepEqual(kindOf(await invite('new.person@people.example')), [409, 'already-member'])
    const person = await db
      .selectFrom('people')
      .select('email_confirmed')
      .where('name', '=', 'New')
      .executeTakeFirstOrThrow()
    assert.equal(person.email_confirmed, false)
  })

  test('links whose token is in the path, as old consoles send it, are shown and accepted too', async () => {
    const token = tokenOf(await invite('old.console@people.example'))
    const url = `/auth/invitations/${token}`
    const { body: shown } = await openBrowser(harness).visit('POST', '/auth/invitations', { body: { token } })
    assert.deepEqual((await openBrowser(harness).visit('GET', url)).body, shown)
    const profile = { name: 'Old', password: PASSWORD }
    assert.equal((await openBrowser(harness).visit('POST', url, { body: profile })).status, 200)
    for (const path of ['', '/acceptance']) {
      const again = await openBrowser(harness).visit('POST', `/auth/invitations${path}`, {
        body: { token, ...profile },
      })
      assert.equal(again.status, 404, path)
    }
  })

  test('a known person accepts with their own password or session, and nobody else can', async () => {
    const jo = await makePerson(harness, 'Jo', [[other, 'viewer']])
    const token = tokenOf(await invite(jo.email, 'viewer'))
    const stranger = await accept(token, { name: 'Mallory', password: 'my own long password' })
    assert.deepEqual(kindOf(stranger), [401, 'sign-in-refused'])
    assert.equal((await accept(token, { name: 'Mallory' })).status, 400)
    assert.equal((await accept(token, { password: PASSWORD })).status, 200)
    const browser = await signedIn(harness, jo)
    assert.equal((await browser.visit('GET', '/categories', { account: own.code })).status, 200)
    assert.equal((await admin.visit('DELETE', `/people/${jo.id}`)).status, 204)
    const again = tokenOf(await invite(jo.email, 'viewer'))
    assert.equal((await accept(again, {}, browser)).status, 200)
    assert.equal((await browser.visit('GET', '/categories', { account: own.code })).status, 200)
  })

  test('are accepted only once the second factor is passed', async () => {
    const una = await makePerson(harness, 'Una', [[other, 'viewer']])
    const theirs = await signedIn(harness, una)
    const { body: proposed } = await theirs.visit('POST', '/me/totp')
    const totp = new TOTP({ secret: proposed.secret })
    const code = () => totp.generate({ timestamp: clock.now() })
    assert.equal((await theirs.visit('POST', '/me/totp', { body: { code: code() } })).status, 200)
    clock.advance(60_000)
    const token = tokenOf(await invite(una.email, 'viewer'))
    const browser = openBrowser(harness)
    const first = await accept(token, { password: PASSWORD }, browser)
    assert.deepEqual(first.body, { state: 'second-factor', methods: ['code', 'recovery'] })
    const members = async () => (await admin.visit('GET', '/people')).text.includes(una.email)
    assert.deepEqual([(await browser.visit('GET', '/me')).status, await members()], [401, false])
    assert.equal((await openBrowser(harness).visit('GET', `/auth/invitations/${token}`)).status, 200)
    const wrong = await browser.visit('POST', '/auth/second-factor', { body: { code: '000000' } })
    assert.deepEqual([kindOf(wrong), await members()], [[401, 'second-factor-wrong'], false])
    const done = await browser.visit('POST', '/auth/second-factor', { body: { code: code() } })
    assert.deepEqual([done.body, await members()], [{ state: 'done' }, true])
    assert.equal((await browser.visit('GET', '/categories', { account: own.code })).status, 200)
    assert.equal((await openBrowser(harness).visit('GET', `/auth/invitations/${token}`)).status, 404)
    // Taken back while the second factor is awaited, there is nothing to go on with.
    assert.equal((await admin.visit('DELETE', `/people/${una.id}`)).status, 204)
    clock.advance(60_000)
    const again = await invite(una.email, 'viewer')
    browser.cookies.clear()
    assert.equal((await accept(tokenOf(again), { password: PASSWORD }, browser)).body.state, 'second-factor')
    assert.equal((await admin.visit('DELETE', `/people/invitations/${again.body.id}`)).status, 204)
    const late = await browser.visit('POST', '/auth/second-factor', { body: { code: code() } })
    assert.deepEqual([kindOf(late), await members()], [[401, 'sign-in-over'], false])
  })

  test("do not change the role of an account's last admin", async () => {
    const team = await harness.makeAccount('LAST004')
    const lea = await makePerson(harness, 'Lea')
    const token = tokenOf(
      await operator.visit('POST', '/people/invitations', {
        body: { email: lea.email, role: 'viewer' },
        account: team.code,
      }),
    )
    const created_at = new Date(clock.now())
    const membership = { account: team.account, person: lea.id, role: 'admin', source: 'provider', created_at } as const
    await db.insertInto('memberships').values(membership).execute()
    const browser = await signedIn(harness, lea)
    const roleOf = async () => (await browser.visit('GET', '/me', { account: team.code })).body.accounts[0].role
    for (const [body, who] of [
      [{}, browser],
      [{ password: PASSWORD }, openBrowser(harness)],
    ] as const)
      assert.deepEqual(kindOf(await accept(token, body, who)), [409, 'last-admin'])
    assert.equal(await roleOf(), 'admin')
    await makePerson(harness, 'Leo', [[team, 'admin']])
    assert.equal((await accept(token, {}, browser)).status, 200)
    assert.equal(await roleOf(), 'viewer')
  })

  test('are listed, resent and withdrawn, and expire after 7 days', async () => {
    const first = tokenOf(await invite('again@people.example', 'viewer'))
    const second = await invite('again@people.example', 'sender')
    assert.equal((await openBrowser(harness).visit('GET', `/auth/invitations/${first}`)).status, 404)
    const { link, ...shown } = second.body
    assert.deepEqual((await admin.visit('GET', '/people/invitations')).body, [shown])
    assert.deepEqual((await call('GET', '/people/invitations', { key: other.key })).body, [])
    assert.equal((await call('DELETE', `/people/invitations/${shown.id}`, { key: other.key })).status, 404)
    assert.equal((await admin.visit('DELETE', `/people/invitations/${shown.id}`)).status, 204)
    assert.equal((await openBrowser(harness).visit('GET', `/auth/invitations/${tokenOf(second)}`)).status, 404)
    assert.deepEqual(kindOf(await invite(ada.email)), [409, 'oneself'])
    assert.equal((await invite('nobody', 'viewer')).status, 400)
    assert.equal((await invite('x@people.example', 'king')).status, 400)
    const late = tokenOf(await invite('late@people.example'))
    clock.advance(7 * 24 * 3600_000)
    assert.equal((await accept(late, { name: 'Late', password: PASSWORD })).status, 404)
    admin = await signedIn(harness, ada)
    operator = await signedIn(harness, { id: '', email: 'otto@people.example' })
  })
})

suite('keys', () => {
  test('are created, shown once, listed without secrets and revoked', async () => {
    const expires = new Date(clock.now() + 3600_000).toISOString()
    const body = { name: 'Shop', rights: ['read', 'send'], expires }
    const made = await admin.visit('POST', '/keys', { body })
    assert.equal(made.status, 200)
    const { key, ...shown } = made.body
    assert.match(key, /^sk_[\w-]{43}$/)
    assert.deepEqual([shown.name, shown.rights, shown.expiresAt], ['Shop', ['read', 'send'], expires])
    assert.equal((await call('GET', '/categories', { key })).status, 200)
    const { body: listed } = await admin.visit('GET', '/keys')
    assert.ok(!JSON.stringify(listed).includes(key))
    assert.ok(listed.some(({ id }: { id: number }) => id === shown.id))
    assert.equal((await call('DELETE', `/keys/${shown.id}`, { key: other.key })).status, 404)
    assert.equal((await admin.visit('DELETE', `/keys/${shown.id}`)).status, 204)
    assert.equal((await admin.visit('DELETE', `/keys/${shown.id}`)).status, 404)
    await eventually(async () => {
      clock.advance(100)
      return (await call('GET', '/categories', { key })).status === 401
    })
  })

  test('cannot revoke themselves or grant rights that they do not have', async () => {
    const { body: me } = await call('GET', '/me')
    assert.deepEqual(kindOf(await call('DELETE', `/keys/${me.key.id}`)), [409, 'oneself'])
    const weak = await harness.makeKey(own.account, ['admin'])
    const body = { name: 'Strong', rights: ['admin', 'send'] }
    assert.deepEqual(kindOf(await call('POST', '/keys', { key: weak, body })), [403, 'right-missing'])
    for (const bad of [
      { rights: [] },
      { rights: ['fly'] },
      { expires: '2001-01-01' },
      { expires: 'soon' },
      { name: '' },
    ]) {
      const { status } = await call('POST', '/keys', { body: { name: 'Bad', rights: ['read'], ...bad } })
      assert.equal(status, 400, JSON.stringify(bad))
    }
    assert.ok(generateApiKey().startsWith('sk_'))
  })

  test('an answer replayed by Idempotency-Key is returned to nobody else', async () => {
    const second = await signedIn(harness, await makePerson(harness, 'Abe', [[own, 'admin']]))
    const asking = { body: { name: 'Once', rights: ['read'] }, headers: { 'idempotency-key': 'k-1' } }
    const [one, two] = [await admin.visit('POST', '/keys', asking), await admin.visit('POST', '/keys', asking)]
    assert.equal(one.body.key, two.body.key)
    assert.equal((await second.visit('POST', '/keys', asking)).status, 422)
  })
})

suite('accounts', () => {
  test('are created and listed by operators', async () => {
    const made = await operator.visit('POST', '/accounts', { body: { code: 'NEWA001', name: 'New' } })
    assert.deepEqual([made.status, made.body.code, made.body.name], [200, 'NEWA001', 'New'])
    assert.deepEqual(kindOf(await operator.visit('POST', '/accounts', { body: { code: 'NEWA001', name: 'New' } })), [
      409,
      'account-taken',
    ])
    assert.equal((await operator.visit('POST', '/accounts', { body: { code: 'newa1', name: 'New' } })).status, 400)
    const { body } = await operator.visit('GET', '/accounts')
    assert.deepEqual(
      body.map(({ code }: { code: string }) => code),
      [own.code, other.code, 'LAST004', 'NEWA001'],
    )
    assert.equal((await operator.visit('GET', '/categories', { account: 'NEWA001' })).body.length, 1)
    assert.deepEqual(kindOf(await admin.visit('GET', '/accounts')), [403, 'operator-required'])
    assert.deepEqual(kindOf(await call('GET', '/accounts')), [403, 'session-required'])
  })

  test('are renamed by operators and by their own admins', async () => {
    const rename = (browser: Browser, code: string) =>
      browser.visit('PUT', `/accounts/${code}`, { body: { name: 'Named' } })
    assert.deepEqual((await rename(admin, own.code)).body.name, 'Named')
    assert.equal((await rename(admin, other.code)).status, 404)
    assert.equal((await rename(operator, other.code)).status, 200)
    assert.equal((await rename(operator, 'NONE999')).status, 404)
    assert.equal((await call('PUT', `/accounts/${own.code}`, { body: { name: 'By key' } })).status, 200)
    assert.equal((await call('PUT', `/accounts/${other.code}`, { body: { name: 'By key' } })).status, 404)
    const viewer = await signedIn(harness, await makePerson(harness, 'Vi', [[own, 'viewer']]))
    assert.equal((await rename(viewer, own.code)).status, 404)
  })
})

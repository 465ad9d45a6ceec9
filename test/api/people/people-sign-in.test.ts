import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { TOTP } from 'otpauth'
import { mailPasswordReset } from '../../../src/features/account-mail/people-mail.ts'
import { createPasswordResetToken, createSetUpToken } from '../../../src/features/people/members/links.ts'
import { createPasswordHasher } from '../../../src/features/people/sign-in/passwords.ts'
import { signInByPassword } from '../../../src/features/people/sign-in/sign-in.ts'
import { listCapturedMessages, readCapturedMessage } from '../../../src/gateways/capture/files.ts'
import { toPublicSite } from '../../../src/lib/net/site.ts'
import { createAuthenticator } from '../../fakes/web/authenticator.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import {
  type Browser,
  kindOf,
  makePerson,
  ORIGIN,
  openBrowser,
  PASSWORD,
  signedIn,
  type TestPerson,
} from '../../support/stages/people.ts'

const harness = await startHarness()
const { own, other, context, clock, call } = harness
const { db } = context
const NEW = 'another long sentence'

/** Puts the clock where no code or try of an earlier test counts. */
function later(): void {
  clock.advance(20 * 60_000)
}

/** A try to sign in from an address of its own. */
function attempt(email: string, password: string, browser = openBrowser(harness)): Promise<Answer> {
  return browser.visit('POST', '/auth/sign-in', { body: { email, password } })
}

/** A person with an app that shows codes: its secret, the recovery codes, and a browser that is signed in. */
async function withTotp(
  name: string,
): Promise<{ person: TestPerson; totp: TOTP; recovery: string[]; browser: Browser }> {
  const person = await makePerson(harness, name, [[own, 'admin']])
  const browser = await signedIn(harness, person)
  const { body: proposed } = await browser.visit('POST', '/me/totp')
  assert.match(proposed.uri, /^otpauth:\/\/totp\/Stentor:[^?]+\?issuer=Stentor&secret=/)
  const totp = new TOTP({ secret: proposed.secret })
  const code = totp.generate({ timestamp: clock.now() })
  const { status, body } = await browser.visit('POST', '/me/totp', { body: { code } })
  assert.equal(status, 200)
  assert.equal(body.recovery.length, 10)
  return { person, totp, recovery: body.recovery, browser }
}

function codeOf(totp: TOTP, steps = 0): string {
  return totp.generate({ timestamp: clock.now() + steps * 30_000 })
}

before(async () => {
  await createSetUpToken(db, clock.now())
})

suite('the setup link', () => {
  test('works once, creates an operator and admin of the first account, and is not offered afterwards', async () => {
    const token = (await createSetUpToken(db, clock.now())) ?? ''
    const second = (await createSetUpToken(db, clock.now())) ?? ''
    const given = { token, email: 'First@People.example', name: 'First', password: PASSWORD }
    const visit = (body: object) => openBrowser(harness).visit('POST', '/auth/setup', { body })
    assert.equal((await visit({ ...given, token: 'wrong' })).status, 404)
    const short = await visit({ ...given, password: 'too short' })
    assert.deepEqual([short.status, short.body.errors[0].pointer], [400, '/password'])
    assert.equal((await visit({ ...given, email: 'nobody' })).status, 400)
    const answers = await Promise.all([visit(given), visit(given), visit({ ...given, token: second })])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
    assert.equal(await createSetUpToken(db, clock.now()), undefined)
    const first = await signedIn(harness, { id: '', email: given.email })
    const { body } = await first.visit('GET', '/me')
    assert.deepEqual(
      [body.person.operator, body.person.email, body.person.memberships, body.account.code],
      [true, 'first@people.example', [{ account: own.code, role: 'admin' }], own.code],
    )
    assert.deepEqual(
      body.accounts.map(({ code, role }: Record<string, unknown>) => [code, role]),
      [
        [own.code, 'admin'],
        [other.code, null],
      ],
    )
  })

  test('expires after a day', async () => {
    await db.deleteFrom('people').execute()
    const token = (await createSetUpToken(db, clock.now())) ?? ''
    clock.advance(24 * 3600_000)
    const body = { token, email: 'late@people.example', name: 'Late', password: PASSWORD }
    assert.equal((await openBrowser(harness).visit('POST', '/auth/setup', { body })).status, 404)
  })
})

suite('passwords', () => {
  test('must have 12 to 200 characters and be neither common nor the email', async () => {
    const person = await makePerson(harness, 'Pat-with-a-long-name', [[own, 'viewer']])
    const browser = await signedIn(harness, person)
    const change = (password: string) =>
      browser.visit('PUT', '/me/password', { body: { old: PASSWORD, new: password } })
    // Twelve letters, of two code units each.
    const gothic = '𐌰𐌱𐌲𐌳𐌴𐌵𐌶𐌷𐌸𐌹𐌺𐌻'
    const short = gothic.slice(2)
    const common = ['1qaz2wsx3edc', 'QWERTY123456', 'password1234', person.email.toUpperCase()]
    for (const bad of ['elevenchars', short, 'x y'.repeat(67), ...common]) {
      const { status, body } = await change(bad)
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/new'], bad)
    }
    assert.equal((await change(gothic)).status, 204)
    assert.equal((await attempt(person.email, gothic)).status, 200)
    assert.equal((await attempt(person.email, PASSWORD)).status, 401)
  })

  test('a new password requires the old one and ends the other sessions', async () => {
    const person = await makePerson(harness, 'Nora', [[own, 'viewer']])
    const [one, two] = [await signedIn(harness, person), await signedIn(harness, person)]
    const wrong = await one.visit('PUT', '/me/password', { body: { old: 'wrong', new: NEW } })
    assert.deepEqual(kindOf(wrong), [401, 'sign-in-refused'])
    assert.equal((await two.visit('GET', '/me')).status, 200)
    assert.equal((await one.visit('PUT', '/me/password', { body: { old: PASSWORD, new: NEW } })).status, 204)
    assert.deepEqual([(await one.visit('GET', '/me')).status, (await two.visit('GET', '/me')).status], [200, 401])
  })
})

suite('password guessing', () => {
  test('of 100 wrong passwords, five are checked, and known and unknown emails get the same answers', async () => {
    later()
    const { email } = await makePerson(harness, 'Gus', [[own, 'viewer']])
    const seen: unknown[] = []
    for (const [index, name] of [email, 'nobody@people.example'].entries()) {
      const from = (n: number) => openBrowser(harness, `203.0.113.${100 * index + n}`)
      const answers: Answer[] = []
      // As many at once as passwords are hashed: who waits longer is told so.
      for (let n = 0; n < 100; n += 4)
        answers.push(...(await Promise.all([0, 1, 2, 3].map((m) => attempt(name, 'wrong password', from(n + m))))))
      const statuses = answers.map(({ status }) => status)
      seen.push({
        judged: statuses.filter((status) => status === 401).length,
        others: [...new Set(statuses)].sort(),
        bodies: [...new Set(answers.map(({ body: { instance, ...rest } }) => JSON.stringify(rest)))].sort(),
        retry: answers
          .filter(({ status }) => status === 429)
          .every(({ headers }) => Number(headers['retry-after']) === 900),
      })
    }
    assert.deepEqual(seen[0], seen[1])
    const [{ judged, others, retry }] = seen as [{ judged: number; others: number[]; retry: boolean }]
    assert.deepEqual([judged, others, retry], [5, [401, 429], true])
    assert.equal((await attempt(email, PASSWORD)).status, 429)
    clock.advance(15 * 60_000 + 1)
    assert.equal((await attempt(email, PASSWORD)).status, 200)
  })

  test('an address is blocked after twenty tries, whatever the emails, and an IPv6 /64 counts as one', async () => {
    later()
    const statuses: number[] = []
    for (let n = 0; n < 21; n++)
      statuses.push((await attempt(`n${n}@people.example`, 'x', openBrowser(harness, `2001:db8::${n}`))).status)
    assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [20, 429])
    assert.equal((await attempt('n@people.example', 'x', openBrowser(harness, '2001:db8:0:1::1'))).status, 401)
  })

  test('a browser that signed in before has its own count, for that person only', async () => {
    later()
    const [gil, max] = [
      await makePerson(harness, 'Gil', [[own, 'viewer']]),
      await makePerson(harness, 'Max', [[own, 'viewer']]),
    ]
    const known = await signedIn(harness, gil)
    for (const { email } of [gil, max])
      for (let n = 0; n < 5; n++) await attempt(email, 'wrong', openBrowser(harness, `192.0.2.${n}`))
    assert.equal((await attempt(gil.email, PASSWORD)).status, 429)
    assert.equal((await attempt(gil.email, PASSWORD, known)).status, 200)
    assert.equal((await attempt(max.email, PASSWORD, known)).status, 429)
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await attempt(gil.email, 'wrong', known)).status)
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
    known.cookies.set('__Host-stentor-known', `${(known.cookies.get('__Host-stentor-known') ?? '').slice(0, -2)}AA`)
    assert.equal((await attempt(gil.email, PASSWORD, known)).status, 429)
  })
})

suite('a password that changes while another one is checked', () => {
  /** A second process on the same database whose judgement of passwords waits until it may go on. */
  const slow = () => {
    const [judged, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { verify, hash } = createPasswordHasher()
    const passwords = {
      hash,
      async verify(password: string, stored: string | null) {
        const isRight = await verify(password, stored)
        judged.resolve()
        await goOn.promise
        return isRight
      },
    }
    const { masterKeys } = context
    const signInContext = { db, masterKeys, clock, passwords, site: toPublicSite(ORIGIN) }
    return { signInContext, judged: judged.promise, goOn: () => goOn.resolve() }
  }
  const visitor = {
    origin: { address: '198.51.100.77', browser: 'slow' },
    known: undefined,
    act: { operation: 'POST /auth/sign-in', request: 'slow' },
  }
  const sessionsOf = async ({ id }: TestPerson): Promise<number> =>
    (await db.selectFrom('sessions').select('id').where('person', '=', id).execute()).length

  for (const [name, hasTotp] of [
    ['Sid', false],
    ['Tod', true],
  ] as const)
    test(`leaves no sign-in with the old password${hasTotp ? ', nor one that awaits its second factor' : ''}`, async () => {
      later()
      const person = hasTotp ? (await withTotp(name)).person : await makePerson(harness, name, [[own, 'viewer']])
      const { signInContext, judged, goOn } = slow()
      const begun = signInByPassword(signInContext, { email: person.email, password: PASSWORD }, visitor)
      const outcome = assert.rejects(begun, { status: 401, kind: 'sign-in-over' })
      await judged
      const token = await createPasswordResetToken(db, person.id, { mailed: false, now: clock.now() })
      const given = { body: { password: NEW } }
      assert.equal((await openBrowser(harness).visit('POST', `/auth/reset/${token}`, given)).status, 204)
      goOn()
      await outcome
      assert.equal(await sessionsOf(person), 0)
      assert.deepEqual(
        await db.selectFrom('sign_in_attempts').select('digest').where('person', '=', person.id).execute(),
        [],
      )
    })

  test('is not changed again by a concurrent request with the old password', async () => {
    later()
    const person = await makePerson(harness, 'Ugo', [[own, 'viewer']])
    const browser = await signedIn(harness, person)
    // Both are judged by the same password; one of them is late.
    const change = (to: string) =>
      browser.visit('PUT', '/me/password', { body: { old: PASSWORD, new: `${to} ${NEW}` } })
    const statuses = (await Promise.all([change('first'), change('second')])).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [204, 401])
  })
})

suite('a second factor', () => {
  test('a code works once, even concurrently, and one from two steps ago is refused', async () => {
    later()
    const { person, totp } = await withTotp('Tom')
    later()
    const begin = async () => {
      const browser = openBrowser(harness)
      const { body } = await attempt(person.email, PASSWORD, browser)
      assert.deepEqual(body, { state: 'second-factor', methods: ['code', 'recovery'] })
      assert.equal((await browser.visit('GET', '/me')).status, 401)
      return browser
    }
    const give = (browser: Browser, body: object) => browser.visit('POST', '/auth/second-factor', { body })
    const [one, two, three] = [await begin(), await begin(), await begin()]
    assert.deepEqual(kindOf(await give(three, { code: codeOf(totp, -2) })), [401, 'second-factor-wrong'])
    const code = codeOf(totp, -1)
    const answers = await Promise.all([give(one, { code }), give(two, { code })])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
    assert.equal((await give(three, { code })).status, 401)
    assert.deepEqual((await give(three, { code: codeOf(totp) })).body, { state: 'done' })
    assert.equal((await three.visit('GET', '/me')).status, 200)
    assert.deepEqual(kindOf(await give(three, { code: codeOf(totp, 1) })), [401, 'sign-in-over'])
  })

  test('a recovery code works once, even concurrently, and new codes replace the old ones', async () => {
    later()
    const { person, recovery, browser } = await withTotp('Rob')
    const give = async (code: string) => {
      const visitor = openBrowser(harness)
      await attempt(person.email, PASSWORD, visitor)
      return () => visitor.visit('POST', '/auth/second-factor', { body: { recovery: code } })
    }
    const [first = '', second = ''] = recovery
    const both = await Promise.all([await give(first), await give(first)])
    const answers = await Promise.all(both.map((go) => go()))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
    assert.equal((await (await give(second.toUpperCase().replaceAll('-', ' ')))()).status, 200)
    const renewed = await browser.visit('POST', '/me/recovery')
    assert.equal(renewed.body.recovery.length, 10)
    assert.equal((await (await give(recovery[2] ?? ''))()).status, 401)
    assert.equal((await (await give(renewed.body.recovery[0]))()).status, 200)
  })

  test('five wrong codes end the attempt and count as tries, and it expires after five minutes', async () => {
    later()
    const { person, totp } = await withTotp('Fay')
    later()
    const browser = openBrowser(harness)
    await attempt(person.email, PASSWORD, browser)
    const give = (body: object) => browser.visit('POST', '/auth/second-factor', { body })
    assert.equal((await give({})).status, 400)
    assert.equal((await give({ code: '1', recovery: '2' })).status, 400)
    const kinds: unknown[] = []
    for (let n = 0; n < 6; n++) kinds.push(kindOf(await give({ code: '000000' }))[1])
    assert.deepEqual(kinds, [...Array.from({ length: 5 }, () => 'second-factor-wrong'), 'sign-in-over'])
    assert.equal((await attempt(person.email, PASSWORD, openBrowser(harness))).status, 429)
    later()
    await attempt(person.email, PASSWORD, browser)
    clock.advance(5 * 60_000)
    assert.deepEqual(kindOf(await give({ code: codeOf(totp) })), [401, 'sign-in-over'])
  })

  test('is no longer required once removed', async () => {
    later()
    const { person, browser } = await withTotp('Una')
    assert.equal((await browser.visit('GET', '/me')).body.person.secondFactor, 'totp')
    assert.equal((await browser.visit('DELETE', '/me/totp')).status, 204)
    assert.equal((await browser.visit('DELETE', '/me/totp')).status, 404)
    assert.deepEqual(kindOf(await browser.visit('POST', '/me/recovery')), [409, 'no-second-factor'])
    assert.deepEqual((await attempt(person.email, PASSWORD)).body, { state: 'done' })
    assert.deepEqual(await db.selectFrom('recovery_codes').selectAll().where('person', '=', person.id).execute(), [])
  })

  test('secrets are sealed, and a wrong code activates nothing', async () => {
    later()
    const person = await makePerson(harness, 'Wes', [[own, 'viewer']])
    const browser = await signedIn(harness, person)
    const { body } = await browser.visit('POST', '/me/totp')
    const { status } = await browser.visit('POST', '/me/totp', { body: { code: '000000' } })
    assert.equal(status, 400)
    const row = await db
      .selectFrom('totp_secrets')
      .selectAll()
      .where('person', '=', person.id)
      .executeTakeFirstOrThrow()
    assert.equal(row.sealed, null)
    assert.ok(!Buffer.from(row.proposed ?? '').includes(Buffer.from(body.secret)))
    assert.deepEqual((await attempt(person.email, PASSWORD)).body, { state: 'done' })
  })
})

suite('passkeys', () => {
  test('sign in as both factors or as the second, and confirm, and a challenge counts once', async () => {
    later()
    const person = await makePerson(harness, 'Kay', [[own, 'viewer']])
    const browser = await signedIn(harness, person)
    const device = createAuthenticator(ORIGIN)
    const { body: asked } = await browser.visit('POST', '/me/passkeys')
    assert.deepEqual([asked.options.rp.id, asked.options.user.name], ['stentor.example', person.email])
    const passkey = device.create(asked.options)
    const added = await browser.visit('POST', '/me/passkeys', { body: { name: 'Laptop', passkey } })
    assert.deepEqual([added.status, added.body.passkey.name], [200, 'Laptop'])
    assert.equal((await browser.visit('POST', '/me/passkeys', { body: { passkey } })).status, 400)

    const visitor = openBrowser(harness)
    const options = async (who: Browser) => (await who.visit('POST', '/auth/passkey/options')).body
    const answer = device.get(await options(visitor))
    const sign = (who: Browser, given: object) => who.visit('POST', '/auth/passkey', { body: { passkey: given } })
    assert.deepEqual((await sign(visitor, answer)).body, { state: 'done' })
    assert.equal((await visitor.visit('GET', '/me')).body.person.secondFactor, 'passkey')
    assert.equal((await sign(openBrowser(harness), answer)).status, 401)

    const second = openBrowser(harness)
    assert.deepEqual((await attempt(person.email, PASSWORD, second)).body.methods, ['passkey', 'recovery'])
    const factor = device.get(await options(second))
    assert.equal((await second.visit('POST', '/auth/second-factor', { body: { passkey: factor } })).status, 200)

    clock.advance(11 * 60_000)
    const again = device.get(await options(second))
    assert.equal((await second.visit('POST', '/auth/confirm', { body: { passkey: again } })).status, 204)
    const [{ id }] = (await second.visit('GET', '/me/passkeys')).body
    assert.equal((await second.visit('DELETE', `/me/passkeys/${id}`)).status, 204)
    assert.equal((await second.visit('DELETE', `/me/passkeys/${id}`)).status, 404)
  })

  test('are refused from another page, without PIN or fingerprint, too late, or from somebody else', async () => {
    later()
    const [kit, lea] = [
      await makePerson(harness, 'Kit', [[own, 'viewer']]),
      await makePerson(harness, 'Lea', [[own, 'viewer']]),
    ]
    const device = createAuthenticator(ORIGIN)
    const browser = await signedIn(harness, kit)
    const make = async () => device.create((await browser.visit('POST', '/me/passkeys')).body.options)
    device.isVerifying = false
    assert.equal((await browser.visit('POST', '/me/passkeys', { body: { passkey: await make() } })).status, 400)
    device.isVerifying = true
    assert.equal((await browser.visit('POST', '/me/passkeys', { body: { passkey: await make() } })).status, 200)
    const sign = async (change: () => void) => {
      const visitor = openBrowser(harness)
      const { body } = await visitor.visit('POST', '/auth/passkey/options')
      change()
      const { status } = await visitor.visit('POST', '/auth/passkey', { body: { passkey: device.get(body) } })
      Object.assign(device, { origin: ORIGIN, isVerifying: true })
      return status
    }
    assert.equal(await sign(() => (device.origin = 'https://evil.example')), 401)
    assert.equal(await sign(() => (device.isVerifying = false)), 401)
    assert.equal(await sign(() => clock.advance(5 * 60_000)), 401)
    assert.equal(await sign(() => undefined), 200)
    const theirs = await signedIn(harness, lea)
    const { body } = await theirs.visit('POST', '/auth/passkey/options')
    assert.equal((await theirs.visit('POST', '/auth/confirm', { body: { passkey: device.get(body) } })).status, 401)
  })
})

suite('a password reset', () => {
  const link = async () => {
    const [newest] = await listCapturedMessages(harness.dataDir)
    const { bytes } = (await readCapturedMessage(harness.dataDir, newest?.id ?? '')) ?? {}
    const text = String(bytes).replaceAll('=\r\n', '').replaceAll('=3D', '=')
    return { id: newest?.id ?? '', token: /reset#token=([\w-]{43})/.exec(text)?.[1] ?? '' }
  }
  /** Runs the jobs that would mail links. */
  const mail = async (): Promise<number> => {
    const { rows } = await context.pool.query<{ payload: { email: string } }>(
      `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
       where t.id = j.task_id and t.identifier = 'people.reset' returning j.payload`,
    )
    for (const { payload } of rows) await mailPasswordReset(context, payload, AbortSignal.timeout(10_000))
    return rows.length
  }

  test('is mailed, and only operators see the captured mail', async () => {
    later()
    const person = await makePerson(harness, 'Ron', [[own, 'viewer']])
    const ask = (email: string) => openBrowser(harness).visit('POST', '/auth/reset', { body: { email } })
    assert.equal((await ask('nobody@people.example')).status, 204)
    assert.equal((await ask(person.email)).status, 204)
    assert.equal(await mail(), 2)
    const captured = await listCapturedMessages(harness.dataDir)
    assert.equal(captured.length, 1)
    const { id, token } = await link()
    assert.match(token, /^[\w-]{43}$/)

    const [viewer, admin] = [
      await signedIn(harness, await makePerson(harness, 'Vic', [[own, 'viewer']])),
      await signedIn(harness, await makePerson(harness, 'Amy', [[own, 'admin']])),
    ]
    const operator = await signedIn(harness, await makePerson(harness, 'Ope', [], { operator: true }))
    const look = async (visit: (url: string) => Promise<Answer>) => {
      const [list, one] = [await visit('/captured'), await visit(`/captured/${id}`)]
      return [list.status, list.text.includes(person.email), one.status, one.text.includes(token)]
    }
    const loopback = { ...openBrowser(harness, '127.0.0.1') }
    const local = (url: string) => loopback.visit('GET', url, { headers: { host: 'localhost:8080' } })
    assert.deepEqual(await look((url) => viewer.visit('GET', url)), [403, false, 403, false])
    assert.deepEqual(await look((url) => admin.visit('GET', url)), [200, false, 404, false])
    assert.deepEqual(await look((url) => call('GET', url)), [200, false, 404, false])
    assert.deepEqual(await look(local), [200, false, 404, false])
    assert.deepEqual((await look((url) => operator.visit('GET', url))).slice(0, 3), [200, true, 200])
  })

  test('sets a new password once within an hour, ends all sessions and still requires a second factor', async () => {
    later()
    const { person, browser } = await withTotp('Zoe')
    await db.updateTable('people').set({ email_confirmed: true }).where('id', '=', person.id).execute()
    await openBrowser(harness).visit('POST', '/auth/reset', { body: { email: person.email } })
    await mail()
    const { token } = await link()
    const give = (given: string, password: string) =>
      openBrowser(harness).visit('POST', '/auth/reset/password', { body: { token: given, password } })
    assert.equal((await give('x'.repeat(43), NEW)).status, 404)
    assert.equal((await give(token, 'short')).status, 400)
    const answers = await Promise.all([give(token, NEW), give(token, NEW)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404])
    assert.equal((await browser.visit('GET', '/me')).status, 401)
    assert.equal((await attempt(person.email, NEW)).body.state, 'second-factor')
    await openBrowser(harness).visit('POST', '/auth/reset', { body: { email: person.email } })
    await mail()
    const late = await link()
    clock.advance(3600_000)
    assert.equal((await give(late.token, NEW)).status, 404)
    const kept = JSON.stringify(await db.selectFrom('person_links').selectAll().execute())
    assert.ok(!kept.includes(late.token))
  })

  test('that first confirms the address removes what somebody else set up before', async () => {
    later()
    const { person, totp, recovery, browser } = await withTotp('Eve')
    const authenticator = createAuthenticator(ORIGIN)
    const { body: proposed } = await browser.visit('POST', '/me/passkeys')
    const passkey = authenticator.create(proposed.options)
    assert.equal((await browser.visit('POST', '/me/passkeys', { body: { passkey } })).status, 200)
    const identity = { issuer: 'https://sign-in.example', subject: 'eve', person: person.id }
    await db
      .insertInto('provider_identities')
      .values({ ...identity, created_at: new Date(clock.now()) })
      .execute()
    await openBrowser(harness).visit('POST', '/auth/reset', { body: { email: person.email } })
    await mail()
    const { token } = await link()
    const given = { body: { password: NEW } }
    assert.equal((await openBrowser(harness).visit('POST', `/auth/reset/${token}`, given)).status, 204)
    assert.equal((await browser.visit('GET', '/me')).status, 401)
    // The app, the codes and the passkey of before open nothing.
    const owner = openBrowser(harness)
    assert.deepEqual((await attempt(person.email, NEW, owner)).body, { state: 'done' })
    const stranger = openBrowser(harness)
    const { body: options } = await stranger.visit('POST', '/auth/passkey/options')
    const answered = { body: { passkey: authenticator.get(options) } }
    assert.deepEqual(kindOf(await stranger.visit('POST', '/auth/passkey', answered)), [401, 'sign-in-refused'])
    for (const body of [{ code: codeOf(totp) }, { recovery: recovery[0] }])
      assert.equal((await stranger.visit('POST', '/auth/second-factor', { body })).status, 401)
    const left = await db.selectFrom('provider_identities').select('subject').where('person', '=', person.id).execute()
    assert.deepEqual(left, [])
    const { email_confirmed } = await db
      .selectFrom('people')
      .select('email_confirmed')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    assert.equal(email_confirmed, true)
  })

  test('is not mailed to an operator with a second factor whose address was never confirmed', async () => {
    later()
    const { person } = await withTotp('Olga')
    await db.updateTable('people').set({ operator: true }).where('id', '=', person.id).execute()
    const captured = (await listCapturedMessages(harness.dataDir)).length
    await openBrowser(harness).visit('POST', '/auth/reset', { body: { email: person.email } })
    assert.equal(await mail(), 1)
    assert.equal((await listCapturedMessages(harness.dataDir)).length, captured)
    // Nor does one work that was mailed before.
    const token = await createPasswordResetToken(db, person.id, { mailed: true, now: clock.now() })
    const given = { body: { password: NEW } }
    assert.equal((await openBrowser(harness).visit('POST', `/auth/reset/${token}`, given)).status, 404)
  })

  test('can be requested at most five times in 15 minutes, even for unknown emails', async () => {
    later()
    for (const email of ['ron@people.example', 'nowhere@people.example']) {
      const statuses: number[] = []
      for (let n = 0; n < 6; n++)
        statuses.push(
          (await openBrowser(harness, `192.0.2.${n}`).visit('POST', '/auth/reset', { body: { email } })).status,
        )
      assert.deepEqual(statuses, [204, 204, 204, 204, 204, 429])
    }
  })
})

suite('the sign-in request', () => {
  test('is accepted from pages of the public address and from programs, not from other pages', async () => {
    later()
    const { email } = await makePerson(harness, 'Bea', [[own, 'viewer']])
    const body = { email, password: PASSWORD }
    for (const origin of ['https://evil.example', 'null']) {
      const refused = await openBrowser(harness).visit('POST', '/auth/sign-in', { body, origin })
      assert.deepEqual(kindOf(refused), [403, 'cross-site'])
    }
    assert.equal((await openBrowser(harness).visit('POST', '/auth/sign-in', { body, origin: null })).status, 200)
    assert.equal((await openBrowser(harness).visit('POST', '/auth/sign-in', { body: { email } })).status, 400)
    assert.equal((await openBrowser(harness).visit('GET', '/auth/sign-in')).status, 401)
    const me = await openBrowser(harness).visit('GET', '/me')
    assert.deepEqual([me.status, me.body.provider], [401, null])
    assert.equal((await openBrowser(harness).visit('GET', '/auth/oidc')).status, 404)
  })
})

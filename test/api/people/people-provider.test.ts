import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { createIdentityProvider } from '../../../src/features/people/sign-in/provider.ts'
import { CLIENT, type Claims, startOidcPeer } from '../../fakes/web/oidc.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import { type Browser, kindOf, makePerson, ORIGIN, openBrowser } from '../../support/stages/people.ts'

const CALLBACK = `${ORIGIN}/auth/oidc/callback`
const peer = await startOidcPeer(CALLBACK)
const roles = {
  marketing: ['ACME001:sender'],
  readers: ['ACME001:viewer', 'RIVL002:viewer', 'NONE999:admin'],
  leads: ['LONE004:admin'],
  'lone readers': ['LONE004:viewer'],
}
const harness = await startHarness({
  STENTOR_OIDC_ISSUER: peer.issuer,
  STENTOR_OIDC_CLIENT_ID: CLIENT.id,
  STENTOR_OIDC_CLIENT_SECRET: CLIENT.secret,
  STENTOR_OIDC_NAME: 'Orchard',
  STENTOR_OIDC_ROLES: JSON.stringify(roles),
})
const { own, other, context, clock } = harness
const { db } = context

after(() => peer.close())

/** The address at the provider where a sign-in of a browser begins. */
async function begin(browser: Browser, to = ''): Promise<string> {
  const { status, headers } = await browser.visit('GET', `/auth/oidc${to}`, { origin: null })
  assert.equal(status, 302)
  return String(headers['location'])
}

function comeBack(browser: Browser, url: URL, accept = '*/*'): Promise<Answer> {
  return browser.visit('GET', `${url.pathname}${url.search}`, { origin: null, headers: { accept } })
}

/** Signs in at the provider as somebody. */
async function signIn(who: Claims, browser = openBrowser(harness)): Promise<{ answer: Answer; browser: Browser }> {
  peer.who = who
  return { answer: await comeBack(browser, await peer.follow(await begin(browser))), browser }
}

function verified(name: string, more: Partial<Claims> = {}): Claims {
  return { sub: `sub-${name}`, email: `${name}@people.example`, email_verified: true, name, ...more }
}

async function membershipsOf(email: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person')
    .select(['m.account', 'm.role', 'm.source'])
    .where('p.email', '=', email)
    .orderBy('m.account')
    .execute()
}

suite('a sign-in with a provider', () => {
  test('by code, PKCE, state and nonce creates a person with the roles of the provider', async () => {
    const browser = openBrowser(harness)
    peer.who = verified('ann', { groups: ['marketing', 'readers', 'unknown'] })
    const start = new URL(await begin(browser, '?to=/console/actions'))
    assert.equal(start.searchParams.get('code_challenge_method'), 'S256')
    const answer = await comeBack(browser, await peer.follow(start.href))
    assert.deepEqual([answer.status, answer.headers['location']], [302, '/console/actions'])
    assert.deepEqual(await membershipsOf('ann@people.example'), [
      { account: own.account, role: 'sender', source: 'provider' },
      { account: other.account, role: 'viewer', source: 'provider' },
    ])
    const { body } = await browser.visit('GET', '/me', { account: own.code })
    assert.deepEqual([body.person.name, body.rights, body.confirmedUntil], ['ann', ['read', 'write', 'send'], null])
    assert.equal((await openBrowser(harness).visit('GET', '/me')).body.provider, 'Orchard')
  })

  test('fails for a wrong nonce or issuer, a replayed or foreign state, and an unverified email', async () => {
    const refused = async (browser: Browser, url: URL) => {
      assert.deepEqual(kindOf(await comeBack(browser, url)), [403, 'provider-refused'])
      assert.equal((await browser.visit('GET', '/me')).status, 401)
    }
    peer.who = verified('eva', { groups: ['readers'] })
    const nonce = openBrowser(harness)
    const start = new URL(await begin(nonce))
    start.searchParams.set('nonce', 'another')
    await refused(nonce, await peer.follow(start.href))

    const issuer = openBrowser(harness)
    const back = await peer.follow(await begin(issuer))
    back.searchParams.set('iss', 'https://evil.example')
    await refused(issuer, back)

    const [mine, theirs] = [openBrowser(harness), openBrowser(harness)]
    await begin(theirs)
    const url = await peer.follow(await begin(mine))
    await refused(theirs, url)
    await refused(openBrowser(harness), url)
    const provider = mine.cookies.get('__Host-stentor-provider') ?? ''
    assert.equal((await comeBack(mine, url)).status, 302)
    await mine.visit('POST', '/auth/sign-out')
    mine.cookies.set('__Host-stentor-provider', provider)
    await refused(mine, url)

    const late = openBrowser(harness)
    const lateUrl = await peer.follow(await begin(late))
    clock.advance(10 * 60_000 + 1)
    await refused(late, lateUrl)

    const code = openBrowser(harness)
    const codeUrl = await peer.follow(await begin(code))
    codeUrl.searchParams.set('code', 'invented')
    await refused(code, codeUrl)

    for (const email_verified of [false, undefined]) {
      const claims = {
        ...verified(`unverified-${email_verified}`, { groups: ['readers'] }),
        email_verified: email_verified as boolean,
      }
      const { answer, browser } = await signIn(claims)
      assert.deepEqual(kindOf(answer), [403, 'not-invited'])
      assert.equal((await browser.visit('GET', '/me')).status, 401)
    }
    const page = openBrowser(harness)
    const led = await comeBack(page, new URL(`${CALLBACK}?state=x&code=y`), 'text/html,*/*;q=0.8')
    assert.deepEqual([led.status, led.headers['location']], [302, '/console/sign-in?problem=provider-refused'])
  })

  test('removes a role that the provider withdrew, and keeps one assigned by hand', async () => {
    await signIn(verified('max', { groups: ['marketing', 'readers'] }))
    const max = await db
      .selectFrom('people')
      .select('id')
      .where('email', '=', 'max@people.example')
      .executeTakeFirstOrThrow()
    const extra = await harness.makeAccount('HAND003')
    await db
      .insertInto('memberships')
      .values({
        account: extra.account,
        person: max.id,
        role: 'admin',
        source: 'hand',
        created_at: new Date(clock.now()),
      })
      .execute()
    await signIn(verified('max', { groups: ['readers'] }))
    assert.deepEqual(await membershipsOf('max@people.example'), [
      { account: own.account, role: 'viewer', source: 'provider' },
      { account: other.account, role: 'viewer', source: 'provider' },
      { account: extra.account, role: 'admin', source: 'hand' },
    ])
    const { answer, browser } = await signIn(verified('max', { groups: [] }))
    assert.equal(answer.status, 302)
    assert.deepEqual(await membershipsOf('max@people.example'), [
      { account: extra.account, role: 'admin', source: 'hand' },
    ])
    assert.deepEqual(kindOf(await browser.visit('GET', '/categories', { account: own.code })), [403, 'not-a-member'])
  })

  test('does not remove the last admin of an account, and records that', async () => {
    const lone = await harness.makeAccount('LONE004')
    await signIn(verified('sol', { groups: ['leads'] }))
    const admin = [{ account: lone.account, role: 'admin', source: 'provider' }]
    assert.deepEqual(await membershipsOf('sol@people.example'), admin)
    const refusals = () =>
      db.selectFrom('audit').select(['outcome', 'changes']).where('problem', '=', 'last-admin').orderBy('id').execute()
    for (const [nth, groups] of [[], ['lone readers']].entries()) {
      const { answer } = await signIn(verified('sol', { groups }))
      assert.equal(answer.status, 302)
      assert.deepEqual(await membershipsOf('sol@people.example'), admin)
      const told = await refusals()
      const changes = { '/LONE004': ['admin', nth === 0 ? null : 'viewer'] }
      assert.deepEqual(told[nth], { outcome: 'refused', changes })
    }
    // An invitation with another role waits on; one into another account is taken.
    const poll = await makePerson(harness, 'Poll', [[lone, 'admin']], { email_confirmed: true })
    await db.deleteFrom('memberships').where('role', '=', 'admin').where('source', '=', 'provider').execute()
    for (const account of [lone.account, own.account])
      await db
        .insertInto('invitations')
        .values({
          id: randomUUID(),
          account,
          email: poll.email,
          role: 'viewer',
          digest: randomBytes(32),
          created_at: new Date(clock.now()),
          expires_at: new Date(clock.now() + 60_000),
        })
        .execute()
    await signIn(verified('poll'))
    assert.deepEqual(await membershipsOf(poll.email), [
      { account: own.account, role: 'viewer', source: 'hand' },
      { account: lone.account, role: 'admin', source: 'hand' },
    ])
  })

  test('accepts no invitation of a person with a second factor here until it is passed', async () => {
    const person = await makePerson(harness, 'Vera', [], { email_confirmed: true })
    await db
      .insertInto('totp_secrets')
      .values({ person: person.id, sealed: Buffer.from('sealed') })
      .execute()
    const invited = { email: person.email, role: 'author' }
    assert.equal((await harness.call('POST', '/people/invitations', { body: invited })).status, 200)
    const { answer } = await signIn(verified('vera'))
    assert.equal(answer.headers['location'], '/console/sign-in?state=second-factor')
    assert.deepEqual(await membershipsOf(person.email), [])
  })

  test('joins nobody whose email differs in more than case, such as a dotless i or an ß', async () => {
    for (const [known, coming] of [
      ['mike', 'mıke'],
      ['strasse', 'straße'],
      ['fin', 'ﬁn'],
    ] as const) {
      await makePerson(harness, known, [[own, 'admin']], { email_confirmed: true })
      assert.deepEqual(kindOf((await signIn(verified(coming))).answer), [403, 'not-invited'], coming)
    }
    const eva = await makePerson(harness, 'éva', [[own, 'author']], { email_confirmed: true })
    const { browser } = await signIn({ ...verified('eva-composed'), email: 'E\u0301va@People.example' })
    assert.equal((await browser.visit('GET', '/me')).body.person.id, eva.id)
  })

  test('finds people whose email is stored in an older form by their own address', async () => {
    const person = await makePerson(harness, 'zoe', [[own, 'author']], { email_confirmed: true })
    await db.updateTable('people').set({ email: 'zoe\u0308@people.example' }).where('id', '=', person.id).execute()
    const { browser } = await signIn(verified('zoë'))
    assert.equal((await browser.visit('GET', '/me')).body.person.id, person.id)
  })

  test('links people whose email was confirmed, and invited people, but nobody else', async () => {
    const shown = await makePerson(harness, 'Shown', [[own, 'author']], { email_confirmed: true })
    const { answer, browser } = await signIn(verified('shown'))
    assert.equal(answer.status, 302)
    assert.equal((await browser.visit('GET', '/me')).body.person.id, shown.id)
    await makePerson(harness, 'Typed', [[own, 'author']])
    assert.deepEqual(kindOf((await signIn(verified('typed'))).answer), [403, 'not-invited'])
    assert.deepEqual(kindOf((await signIn(verified('stranger'))).answer), [403, 'not-invited'])
    const invited = { email: 'guest@people.example', role: 'author' }
    assert.equal((await harness.call('POST', '/people/invitations', { body: invited })).status, 200)
    const guest = await signIn(verified('guest'))
    assert.deepEqual((await guest.browser.visit('GET', '/me')).body.rights, ['read', 'write'])
    assert.deepEqual(await membershipsOf('guest@people.example'), [
      { account: own.account, role: 'author', source: 'hand' },
    ])
    await db.updateTable('people').set({ active: false }).where('email', '=', 'guest@people.example').execute()
    assert.deepEqual(kindOf((await signIn(verified('guest'))).answer), [403, 'not-invited'])
    // The pair of issuer and subject is the person, whatever the email says later.
    const moved = await signIn({ ...verified('shown'), email: 'other@people.example' })
    assert.equal((await moved.browser.visit('GET', '/me')).body.person.id, shown.id)
  })

  test('never creates or changes an operator', async () => {
    const op = await makePerson(harness, 'Op', [], { operator: true, email_confirmed: true })
    await signIn(verified('op', { groups: ['marketing'] }))
    assert.deepEqual(await membershipsOf(op.email), [])
  })

  test("is a second factor if the provider reports one, else the person's own is required", async () => {
    const person = await makePerson(harness, 'Two', [[own, 'author']], { email_confirmed: true })
    await db.updateTable('accounts').set({ require_second_factor: true }).where('id', '=', own.account).execute()
    const weak = await signIn(verified('two', { groups: ['marketing'] }))
    assert.deepEqual(kindOf(await weak.browser.visit('GET', '/categories')), [403, 'second-factor-required'])
    const strong = await signIn(verified('two', { groups: ['marketing'], amr: ['pwd', 'mfa'] }))
    assert.equal((await strong.browser.visit('GET', '/categories')).status, 200)
    await db
      .insertInto('totp_secrets')
      .values({ person: person.id, sealed: Buffer.from('sealed') })
      .execute()
    const { answer, browser } = await signIn(verified('two'))
    assert.deepEqual([answer.status, answer.headers['location']], [302, '/console/sign-in?state=second-factor'])
    assert.equal((await browser.visit('GET', '/me')).status, 401)
  })

  test('redirects only to the console', async () => {
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/console//evil.example',
      '/captured',
      '/console/\\evil',
    ]) {
      const browser = openBrowser(harness)
      peer.who = verified('ann', { groups: ['marketing'] })
      const back = await peer.follow(await begin(browser, `?to=${encodeURIComponent(to)}`))
      assert.equal((await comeBack(browser, back)).headers['location'], '/console/', to)
    }
  })
})

suite('what providers say of an email', () => {
  const unsaid = (name: string, more: Partial<Claims> = {}): Claims => {
    const { email_verified: _, ...claims } = verified(name, { groups: ['readers'], ...more })
    return claims
  }

  test('counts as verified by the claims of Microsoft Entra, and as unverified where one says so', async () => {
    const good: Partial<Claims>[] = [
      { xms_edov: true },
      { xms_edov: '1' },
      { verified_primary_email: ['Entra-2@people.example'] },
    ]
    for (const [n, more] of good.entries()) {
      const { answer } = await signIn(unsaid(`entra-${n}`, more))
      assert.equal(answer.status, 302, JSON.stringify(more))
    }
    const bad: Partial<Claims>[] = [
      { xms_edov: false },
      { xms_edov: 0 },
      { email_verified: false, verified_primary_email: ['entra-bad@people.example'] },
      { verified_primary_email: ['somebody@people.example'] },
      { verified_primary_email: [] },
    ]
    for (const more of bad) {
      const { answer } = await signIn({ ...unsaid('entra-bad'), ...more })
      assert.deepEqual(kindOf(answer), [403, 'not-invited'], JSON.stringify(more))
    }
  })

  test('is said with the setting to make where the provider says nothing', async () => {
    const { answer } = await signIn(unsaid('silent'))
    assert.match(answer.body.detail, /STENTOR_OIDC_TRUST_EMAIL=on/)
  })

  test('never joins a person who signs in by another account of the provider', async () => {
    const { answer } = await signIn(verified('first', { groups: ['readers'] }))
    assert.equal(answer.status, 302)
    const recycled = await signIn({ ...verified('first', { groups: ['marketing'] }), sub: 'another-subject' })
    assert.deepEqual(kindOf(recycled.answer), [403, 'not-invited'])
    assert.match(recycled.answer.body.detail, /another account of the provider/)
    assert.equal((await signIn(verified('first', { groups: ['readers'] }))).answer.status, 302)
  })

  test('comes with groups that were left out: the answer says what to set at the provider', async () => {
    const { groups: _, ...claims } = verified('many-groups')
    const { answer } = await signIn({ ...claims, _claim_names: { groups: 'src1' } })
    assert.deepEqual(kindOf(answer), [403, 'provider-refused'])
    assert.match(answer.body.detail, /omitted "groups"/)
  })
})

suite('a provider that is set up otherwise', async () => {
  const another = await startHarness({
    STENTOR_OIDC_ISSUER: peer.issuer,
    STENTOR_OIDC_CLIENT_ID: CLIENT.id,
    STENTOR_OIDC_CLIENT_SECRET: CLIENT.secret,
    STENTOR_OIDC_SCOPES: 'openid email  profile roles',
    STENTOR_OIDC_CLAIM: 'realm_access.roles',
    STENTOR_OIDC_TRUST_EMAIL: 'on',
    STENTOR_OIDC_ROLES: JSON.stringify({ readers: ['ACME001:viewer'] }),
  })

  test('may say nothing of its emails where they are trusted, and have roles within a claim of a scope that is asked for', async () => {
    const browser = openBrowser(another)
    const come = async (who: Claims) => {
      peer.who = who
      return comeBack(browser, await peer.follow(await begin(browser)))
    }
    const { email_verified: _, ...claims } = verified('kim', { realm_access: { roles: ['readers'] } })
    assert.equal((await come(claims)).status, 302)
    assert.equal((await browser.visit('GET', '/me', { account: another.own.code })).body.rights.join(), 'read')
    const denied = await come({ ...claims, sub: 'sub-lou', email: 'lou@people.example', email_verified: false })
    assert.deepEqual(kindOf(denied), [403, 'not-invited'])
  })

  test('may name itself with a slash at its end', async () => {
    const server = createServer((request, response) => {
      const origin = `http://${request.headers.host}`
      const metadata = { issuer: `${origin}/realm/`, authorization_endpoint: `${origin}/realm/authorize` }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    }).listen(0, 'localhost')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { oidc } = another.context.config
    const settings = { ...oidc!, issuer: `http://localhost:${port}/realm` }
    const site = { origin: ORIGIN }
    const provider = createIdentityProvider({ ...another.context, site } as never, settings)
    const { pathname } = await provider.begin('browser', '/')
    assert.equal(pathname, '/realm/authorize')
    server.close()
  })
})

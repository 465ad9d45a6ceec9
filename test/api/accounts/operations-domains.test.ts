import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { listDomainKeys } from '../../../src/features/accounts/domain-keys.ts'
import { startDnsServer } from '../../fakes/mail/dns-server.ts'
import { startHarness } from '../../support/harness.ts'
import { type Browser, kindOf, makePerson, signedIn } from '../../support/stages/people.ts'

const server = await startDnsServer()
after(() => server.close())
const harness = await startHarness({ STENTOR_DNS_SERVERS: server.address })
const { call, clock, context, own, other } = harness
const now = '2026-03-02T10:00:00.000Z'
clock.set(now)

let operator: Browser
let admin: Browser
const asked = (method: string, url: string, body?: unknown, browser = operator) =>
  browser.visit(method, url, { account: own.code, ...(body !== undefined && { body }) })

before(async () => {
  operator = await signedIn(harness, await makePerson(harness, 'Otto', [], { operator: true }))
  admin = await signedIn(harness, await makePerson(harness, 'Ada', [[own, 'admin']]))
})

let named = 0
async function added(): Promise<string> {
  const name = `d${++named}.shop.example`
  assert.equal((await asked('POST', '/domains', { name })).status, 200)
  return name
}

suite('domains of an account', () => {
  test('are added by operators and returned with the records to publish', async () => {
    const { status, body } = await asked('POST', '/domains', { name: 'Mail.Shop.example' })
    const [rsa, ed25519] = await listDomainKeys(context.db, own.account, 'mail.shop.example')
    const line = (name: string, text: string) =>
      `${name}. IN TXT ${text
        .match(/.{1,255}/g)
        ?.map((part) => `"${part}"`)
        .join(' ')}`
    const record = (purpose: string, type: string, name: string, value: string | null, shown: string | null) => ({
      purpose,
      type,
      name,
      value,
      line: shown,
      state: 'unchecked',
      found: [],
      checkedDate: null,
      key: null,
    })
    const dkim = (key: typeof rsa, kind: string) => {
      const { selector = '', publicKey, algorithm } = key ?? {}
      const [name, value] = [`${selector}._domainkey.mail.shop.example`, `v=DKIM1; k=${kind}; p=${publicKey}`]
      const shownKey = { selector, algorithm, state: 'signing', removableDate: null }
      return { ...record('DKIM', 'TXT', name, value, line(name, value)), key: shownKey }
    }
    const spf = 'v=spf1 a:stentor.example ~all'
    assert.equal(status, 200)
    assert.deepEqual(body, {
      name: 'mail.shop.example',
      default: true,
      verified: false,
      verifiedDate: null,
      checkedDate: null,
      creationDate: body.creationDate,
      records: [
        dkim(rsa, 'rsa'),
        dkim(ed25519, 'ed25519'),
        record('SPF', 'TXT', 'mail.shop.example', spf, line('mail.shop.example', spf)),
        record('MX', 'MX', 'mail.shop.example', '10 stentor.example.', 'mail.shop.example. IN MX 10 stentor.example.'),
        record(
          'DMARC',
          'TXT',
          '_dmarc.mail.shop.example',
          'v=DMARC1; p=none',
          '_dmarc.mail.shop.example. IN TXT "v=DMARC1; p=none"',
        ),
        record('tracking', 'A', 'stentor.example', null, null),
      ],
    })
    assert.deepEqual((await call('GET', '/domains/MAIL.shop.example')).body, body)
    assert.doesNotMatch(JSON.stringify(body), /private/i)
  })

  test('are listed by name, and one added again becomes the default on request', async () => {
    const name = await added()
    assert.equal((await asked('POST', '/domains', { name, default: true })).body.default, true)
    const { body } = await call('GET', '/domains')
    assert.deepEqual(
      body.filter((one: { default: boolean }) => one.default).map((one: { name: string }) => one.name),
      [name],
    )
    assert.deepEqual(Object.keys(body[0]), [
      'name',
      'default',
      'verified',
      'verifiedDate',
      'checkedDate',
      'creationDate',
    ])
    assert.deepEqual((await call('GET', '/domains', { key: other.key })).body, [])
  })

  test('are refused when the name is not a domain name', async () => {
    for (const body of [
      {},
      { name: 'shop' },
      { name: 'a b.example' },
      { name: 7 },
      { name: 'x.example', default: 1 },
    ]) {
      const answer = await asked('POST', '/domains', body)
      assert.deepEqual([answer.status, answer.body.errors.length > 0], [400, true], JSON.stringify(body))
    }
  })

  test('are written only by operators, and read with the right to read', async () => {
    const name = await added()
    for (const [method, url, body] of [
      ['POST', '/domains', { name: 'x.shop.example' }],
      ['DELETE', `/domains/${name}`, undefined],
      ['POST', `/domains/${name}/check`, undefined],
    ] as const) {
      assert.deepEqual(kindOf(await call(method, url, { body })), [403, 'session-required'], url)
      assert.deepEqual(kindOf(await asked(method, url, body, admin)), [403, 'operator-required'], url)
    }
    const reader = await harness.makeKey(own.account, ['read'])
    assert.equal((await call('GET', `/domains/${name}`, { key: reader })).status, 200)
    const writer = await harness.makeKey(own.account, ['write'])
    assert.equal((await call('GET', `/domains/${name}`, { key: writer })).status, 403)
    assert.equal((await asked('GET', '/domains', undefined, admin)).status, 200)
  })

  test('are 404 when unknown or of another account', async () => {
    const name = await added()
    assert.equal((await call('GET', `/domains/${name}`, { key: other.key })).status, 404)
    for (const account of [own.code, other.code]) {
      const unknown = account === own.code ? 'unknown.example' : name
      for (const [method, url] of [
        ['GET', `/domains/${unknown}`],
        ['DELETE', `/domains/${unknown}`],
        ['POST', `/domains/${unknown}/check`],
      ] as const)
        assert.deepEqual(kindOf(await operator.visit(method, url, { account })), [404, 'not-found'], url)
    }
    assert.equal((await call('GET', '/domains/no-domain')).status, 404)
  })

  test('are removed with their keys', async () => {
    const name = await added()
    const etag = String((await call('GET', `/domains/${name}`)).headers['etag'])
    const remove = (tag: string) =>
      operator.visit('DELETE', `/domains/${name}`, { account: own.code, headers: { 'if-match': tag } })
    assert.equal((await remove('"stale"')).status, 412)
    assert.equal((await remove(etag)).status, 204)
    assert.equal((await call('GET', `/domains/${name}`)).status, 404)
    assert.deepEqual(await listDomainKeys(context.db, own.account, name), [])
  })
})

suite('a domain check', () => {
  const states = (body: { records: { purpose: string; state: string; found: string[] }[] }) =>
    body.records.map(({ purpose, state, found }) => [purpose, state, found.length])

  test('reports and stores what was found for each record and when', async () => {
    const name = await added()
    const first = await asked('POST', `/domains/${name}/check`)
    assert.equal(first.status, 200)
    assert.deepEqual(states(first.body), [
      ['DKIM', 'missing', 0],
      ['DKIM', 'missing', 0],
      ['SPF', 'missing', 0],
      ['MX', 'missing', 0],
      ['DMARC', 'missing', 0],
      ['tracking', 'missing', 0],
    ])
    for (const { type, name: host, value, key } of first.body.records)
      if (key) server.zone[host] = { txt: [value] }
      else if (type === 'A') server.zone[host] = { a: ['192.0.2.7'] }
    server.zone[name] = { txt: ['v=spf1 -all', 'v=spf1 mx', 'else'], mx: ['other.example', 'stentor.example'] }
    server.zone[`_dmarc.${name}`] = { txt: ['v=DMARC1; p=reject'] }
    clock.advance(60_000)
    const at = new Date(clock.now()).toISOString()
    const { body } = await asked('POST', `/domains/${name}/check`)
    assert.deepEqual([body.verified, body.verifiedDate, body.checkedDate], [true, at, at])
    assert.deepEqual(states(body), [
      ['DKIM', 'found', 1],
      ['DKIM', 'found', 1],
      ['SPF', 'missing', 2],
      ['MX', 'found', 2],
      ['DMARC', 'found', 1],
      ['tracking', 'found', 1],
    ])
    const [, , spf, mx, dmarc, tracking] = body.records
    assert.deepEqual(
      [spf.found, mx.found, dmarc.found, tracking.found],
      [['v=spf1 -all', 'v=spf1 mx'], ['other.example', 'stentor.example'], ['v=DMARC1; p=reject'], ['192.0.2.7']],
    )
    assert.ok(body.records.every(({ checkedDate }: { checkedDate: string }) => checkedDate === at))
    assert.deepEqual((await call('GET', `/domains/${name}`)).body, body)
  })

  test('looks up the host of links that a profile names', async () => {
    const name = await added()
    const profile = { name: 'Shop', channel: 'email', default: true, from: { prefix: 'news', domain: name } }
    const profiles = [{ ...profile, trackingHost: `links.${name}:8443` }]
    assert.equal((await call('PUT', '/settings/sending', { body: { profiles } })).status, 200)
    server.zone['stentor.example'] = { a: ['192.0.2.7'] }
    server.zone[`links.${name}`] = { a: ['192.0.2.9'] }
    const tracking = async () => (await asked('POST', `/domains/${name}/check`)).body.records.at(-1)
    const wrong = await tracking()
    assert.deepEqual(
      [wrong.type, wrong.name, wrong.value, wrong.line, wrong.state, wrong.found],
      [
        'CNAME',
        `links.${name}`,
        'stentor.example.',
        `links.${name}. IN CNAME stentor.example.`,
        'missing',
        ['192.0.2.9'],
      ],
    )
    server.zone[`links.${name}`] = { a: ['192.0.2.7'] }
    assert.equal((await tracking()).state, 'found')
  })

  test('changes nothing while no name server answers', async () => {
    const name = await added()
    const before_ = (await call('GET', `/domains/${name}`)).body
    server.zone[name] = { fails: true }
    const answer = await asked('POST', `/domains/${name}/check`)
    assert.deepEqual([...kindOf(answer), answer.headers['retry-after']], [503, 'dns-unavailable', '10'])
    assert.deepEqual((await call('GET', `/domains/${name}`)).body, before_)
  })
})

test("operators' changes to domains are recorded in the audit", async () => {
  const name = await added()
  server.zone[name] = { txt: ['v=spf1 mx'] }
  await asked('POST', `/domains/${name}/check`)
  await asked('DELETE', `/domains/${name}`)
  const { body } = await call('GET', '/audit?limit=3')
  assert.deepEqual(
    body.map(({ operation, object }: Record<string, { id: string }>) => [operation, object?.id]),
    [
      ['DELETE /domains/{name}', name],
      ['POST /domains/{name}/check', name],
      ['POST /domains', name],
    ],
  )
})

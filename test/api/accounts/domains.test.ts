import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import {
  type DkimDomainKey,
  listDomainKeys,
  loadSigningKeys,
  NO_SIGNING_KEYS,
  RETIRED_DKIM_KEY_DAYS,
  rotateDomainKeys,
} from '../../../src/features/accounts/domain-keys.ts'
import { buildDomainDnsRecords, formatZoneFileLine } from '../../../src/features/accounts/domain-records.ts'
import { readPublishedDomain, verifySendingDomain } from '../../../src/features/accounts/domain-verification.ts'
import { addSendingDomain, listAccountDomains, removeSendingDomain } from '../../../src/features/accounts/domains.ts'
import { createMailDnsResolver, DnsUnavailableError } from '../../../src/lib/net/dns.ts'
import { startDnsServer } from '../../fakes/mail/dns-server.ts'
import { startHarness } from '../../support/harness.ts'

const { call, context, own, other } = await startHarness()
const { db, masterKeys } = context
const PUBLIC = 'https://stentor.example'
const now = new Date('2026-03-02T10:00:00.000Z')
const server = await startDnsServer()
after(() => server.close())
const verifying = { db, dns: createMailDnsResolver([server.address]), publicUrl: PUBLIC }

let named = 0

/** A new domain of an account that is not verified. */
async function newDomain(account = own.account, domain = `d${++named}.shop.example`): Promise<string> {
  await addSendingDomain(context, account, { domain, isDefault: false, verifiedAt: null, now })
  return domain
}

const keysOf = (domain: string, account = own.account): Promise<DkimDomainKey[]> => listDomainKeys(db, account, domain)
const verify = (domain: string, at = now) => verifySendingDomain(verifying, own.account, domain, at)
const isVerified = async (domain: string): Promise<boolean | undefined> =>
  (await listAccountDomains(db, own.account)).find((one) => one.domain === domain)?.verified

/** Publishes the records of these keys, and nothing else of the domain. */
function publish(domain: string, keys: readonly DkimDomainKey[]): void {
  for (const { name, type, value } of buildDomainDnsRecords({ domain, keys, bounceDomains: [], host: 'x.example' }))
    if (type === 'TXT' && name.includes('_domainkey')) server.zone[name] = { txt: [value] }
}

suite('a sending domain', () => {
  test('has a sealed key for each algorithm and shows the public halves', async () => {
    const domain = await newDomain()
    const keys = await keysOf(domain)
    assert.deepEqual(
      keys.map(({ algorithm, selector, state }) => [algorithm, selector, state]),
      [
        ['rsa-sha256', 'r1', 'signing'],
        ['ed25519-sha256', 'e1', 'signing'],
      ],
    )
    assert.ok(keys[0]!.publicKey.length > 380)
    assert.equal(Buffer.from(keys[1]!.publicKey, 'base64').length, 32)
    const report = (error: unknown) => assert.fail(String(error))
    const { byDomain, opened } = await loadSigningKeys(db, masterKeys, own.account, { before: NO_SIGNING_KEYS, report })
    const stored = await db
      .selectFrom('domain_keys')
      .select(['id', 'private_key'])
      .where('domain', '=', domain)
      .execute()
    for (const { id, private_key: sealed } of stored) {
      const der = opened.get(id)?.export({ type: 'pkcs8', format: 'der' })
      assert.ok(der && !sealed.includes(der.subarray(-24)))
    }
    assert.equal(byDomain.get(domain)?.length, 2)
  })

  test('keeps its keys and verification when it is added again', async () => {
    const domain = await newDomain()
    const before = await keysOf(domain)
    await addSendingDomain(context, own.account, { domain, isDefault: false, verifiedAt: now, now })
    await newDomain(own.account, domain)
    assert.deepEqual(await keysOf(domain), before)
    assert.equal(await isVerified(domain), true)
  })

  test('shared by two accounts has its own selectors in each', async () => {
    const domain = await newDomain()
    await newDomain(other.account, domain)
    assert.deepEqual(
      (await keysOf(domain, other.account)).map(({ selector }) => selector),
      ['r2', 'e2'],
    )
    await removeSendingDomain(db, other.account, domain)
    assert.deepEqual(await keysOf(domain, other.account), [])
    assert.equal((await keysOf(domain)).length, 2)
  })
})

suite('DNS records to publish', () => {
  test('cover the keys, the return path and the policy, as lines of a zone file', async () => {
    const domain = await newDomain()
    const published = await readPublishedDomain(db, own.account, domain, PUBLIC)
    const [rsa, ed25519, ...others] = buildDomainDnsRecords(published).map(formatZoneFileLine)
    const [first = '', second = ''] = [...(rsa ?? '').matchAll(/"([^"]*)"/g)].map(([, text]) => text)
    assert.ok((rsa ?? '').startsWith(`r1._domainkey.${domain}. IN TXT "v=DKIM1; k=rsa; p=MII`))
    assert.deepEqual([first.length, (first + second).endsWith(published.keys[0]!.publicKey)], [255, true])
    assert.equal(ed25519, `e1._domainkey.${domain}. IN TXT "v=DKIM1; k=ed25519; p=${published.keys[1]!.publicKey}"`)
    assert.deepEqual(others, [
      `${domain}. IN TXT "v=spf1 a:stentor.example ~all"`,
      `${domain}. IN MX 10 stentor.example.`,
      `_dmarc.${domain}. IN TXT "v=DMARC1; p=none"`,
    ])
  })

  test('for the return path follow the profiles that send from the domain', async () => {
    const domain = await newDomain(other.account)
    const profile = { name: 'Shop', channel: 'email', default: true, from: { prefix: 'news', domain } }
    const put = (bounceDomain: string | null) =>
      call('PUT', '/settings/sending', { key: other.key, body: { profiles: [{ ...profile, bounceDomain }] } })
    const returns = async () => (await readPublishedDomain(db, other.account, domain, PUBLIC)).bounceDomains
    assert.deepEqual(await returns(), [domain])
    assert.equal((await put('b.shop.example')).status, 200)
    assert.deepEqual(await returns(), ['b.shop.example'])
  })

  test('are 404 for an unknown domain or one of another account', async () => {
    const domain = await newDomain()
    for (const [account, name] of [
      [own.account, 'unknown.example'],
      [other.account, domain],
    ] as const) {
      await assert.rejects(readPublishedDomain(db, account, name, PUBLIC), { status: 404 })
      await assert.rejects(verifySendingDomain(verifying, account, name, now), { status: 404 })
      await assert.rejects(rotateDomainKeys(db, masterKeys, { account, domain: name, now }), { status: 404 })
    }
  })
})

suite('domain verification', () => {
  test('requires the record of every signing key, and reports the others', async () => {
    const domain = await newDomain()
    const [rsa, ed25519] = await keysOf(domain)
    assert.equal((await verify(domain)).verified, false)
    publish(domain, [rsa!])
    assert.equal((await verify(domain)).verified, false)
    publish(domain, [ed25519!])
    const { verified, records } = await verify(domain)
    assert.equal(verified, true)
    assert.deepEqual(
      records.map(({ purpose, found }) => [purpose, found]),
      [
        ['DKIM', true],
        ['DKIM', true],
        ['SPF', false],
        ['bounces', false],
        ['DMARC', false],
      ],
    )
    assert.equal(await isVerified(domain), true)
    server.zone[domain] = { txt: ['v=spf1 mx -all', 'other=1'], mx: ['mx.other.example', 'Stentor.example'] }
    server.zone['_dmarc.shop.example'] = { txt: ['v=DMARC1;p=reject'] }
    assert.deepEqual(
      (await verify(domain)).records.map(({ found }) => found),
      [true, true, true, true, true],
    )
    delete server.zone['_dmarc.shop.example']
  })

  test('is lost when a record is missing or has another key, and kept while name servers are down', async () => {
    const domain = await newDomain()
    const keys = await keysOf(domain)
    publish(domain, keys)
    assert.equal((await verify(domain)).verified, true)
    const name = `r1._domainkey.${domain}`
    server.zone[name] = { fails: true }
    await assert.rejects(verify(domain), DnsUnavailableError)
    assert.equal(await isVerified(domain), true)
    server.zone[name] = { txt: ['v=DKIM1; k=rsa; p=MIIB'] }
    assert.equal((await verify(domain)).verified, false)
    assert.equal(await isVerified(domain), false)
  })
})

suite('key rotation', () => {
  test('creates waiting keys that sign once their records are found, and then retires the old ones', async () => {
    const domain = await newDomain()
    publish(domain, await keysOf(domain))
    await verify(domain)
    await rotateDomainKeys(db, masterKeys, { account: own.account, domain, now })
    const states = async () => (await keysOf(domain)).map(({ selector, state }) => `${selector} ${state}`)
    assert.deepEqual(await states(), ['r1 signing', 'e1 signing', 'r2 waiting', 'e2 waiting'])
    assert.equal((await verify(domain)).verified, true)
    assert.deepEqual(await states(), ['r1 signing', 'e1 signing', 'r2 waiting', 'e2 waiting'])
    publish(domain, (await keysOf(domain)).slice(2))
    assert.equal((await verify(domain)).verified, true)
    assert.deepEqual(await states(), ['r1 retired', 'e1 retired', 'r2 signing', 'e2 signing'])
  })

  test('creates keys that sign at once for a domain without keys', async () => {
    const domain = await newDomain()
    await db.deleteFrom('domain_keys').where('domain', '=', domain).execute()
    assert.equal((await verify(domain)).verified, false)
    await rotateDomainKeys(db, masterKeys, { account: own.account, domain, now })
    assert.deepEqual(
      (await keysOf(domain)).map(({ state }) => state),
      ['signing', 'signing'],
    )
  })

  test('is refused while keys are already waiting', async () => {
    const domain = await newDomain()
    const given = { account: own.account, domain, now }
    await rotateDomainKeys(db, masterKeys, given)
    await assert.rejects(rotateDomainKeys(db, masterKeys, given), { status: 409, kind: 'keys-waiting' })
    assert.equal((await keysOf(domain)).length, 4)
  })

  test('keeps retired keys as long as mail may be in transit, then deletes them', async () => {
    const domain = await newDomain()
    await rotateDomainKeys(db, masterKeys, { account: own.account, domain, now })
    publish(domain, await keysOf(domain))
    await verify(domain)
    const later = (days: number): Date => new Date(now.getTime() + days * 24 * 3600 * 1000)
    await verify(domain, later(RETIRED_DKIM_KEY_DAYS - 1))
    assert.equal((await keysOf(domain)).length, 4)
    await verify(domain, later(RETIRED_DKIM_KEY_DAYS + 1))
    assert.deepEqual(
      (await keysOf(domain)).map(({ selector }) => selector),
      ['r2', 'e2'],
    )
  })
})

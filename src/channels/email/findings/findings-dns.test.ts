import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DkimDomainKey } from '../../../features/accounts/domain-keys.ts'
import { type DnsResolver, DnsUnavailableError } from '../../../lib/net/dns.ts'
import { checkMailDomains, type MailSigningDomains } from './findings-dns.ts'

const key = (id: number, algorithm: DkimDomainKey['algorithm']): DkimDomainKey => ({
  id,
  algorithm,
  selector: algorithm === 'rsa-sha256' ? 'r1' : 'e1',
  publicKey: `key${id}`,
  state: 'signing',
  retiredAt: null,
})
const envelope: MailSigningDomains = {
  from: 'mail.shop.example',
  bounce: 'b.shop.example',
  keys: [key(1, 'rsa-sha256'), key(2, 'ed25519-sha256')],
}
const SPF = { 'b.shop.example': ['v=spf1 a:stentor.example ~all', 'other'] }
const RSA = { 'r1._domainkey.mail.shop.example': ['v=DKIM1; k=rsa; p=key1'] }
const ED25519 = { 'e1._domainkey.mail.shop.example': ['v=DKIM1; k=ed25519; p=key2'] }
const DMARC = { '_dmarc.shop.example': ['v=DMARC1; p=none'] }

/** A domain name system that holds these texts; a name with null is not answered. */
const holding = (zone: Record<string, readonly string[] | null>): DnsResolver => ({
  async txt(name) {
    const texts = zone[name] ?? []
    if (zone[name] === null) throw new DnsUnavailableError(name)
    return [...texts]
  },
  mx: async () => [],
})

async function types(
  zone: Record<string, readonly string[] | null>,
  more: Partial<MailSigningDomains> = {},
): Promise<string[]> {
  return (await checkMailDomains(holding(zone), { ...envelope, ...more })).map(({ type }) => type)
}

suite('findings on the domains of a message', () => {
  test("reports nothing when SPF, every key and the organisation's DMARC policy are published", async () => {
    assert.deepEqual(await types({ ...SPF, ...RSA, ...ED25519, ...DMARC }), [])
    const own = { '_dmarc.mail.shop.example': ['other', 'v=DMARC1;p = REJECT ; rua=mailto:d@shop.example'] }
    assert.deepEqual(await types({ ...SPF, ...RSA, ...ED25519, ...own }), [])
  })

  test('reports SPF, DKIM, DMARC and alignment when no record is published', async () => {
    assert.deepEqual(await types({}), ['no-spf', 'no-dkim', 'no-dmarc', 'not-aligned'])
  })

  test('requires exactly one SPF record and one DMARC policy with a disposition', async () => {
    const keys = { ...RSA, ...ED25519 }
    const twice = { 'b.shop.example': ['v=spf1 -all', 'v=spf1 mx -all'] }
    assert.deepEqual(await types({ ...twice, ...keys, ...DMARC }), ['no-spf'])
    for (const texts of [['v=DMARC1; rua=mailto:d@shop.example'], ['v=DMARC1; p=none', 'v=DMARC1; p=none'], ['p=none']])
      assert.deepEqual(await types({ ...SPF, ...keys, '_dmarc.shop.example': texts }), ['no-dmarc'])
    const own = { '_dmarc.mail.shop.example': ['v=DMARC1; p=whatever'] }
    assert.deepEqual(await types({ ...SPF, ...keys, ...own, ...DMARC }), ['no-dmarc'])
  })

  test('requires the DKIM record of every signing key', async () => {
    const [finding, ...more] = await checkMailDomains(holding({ ...SPF, ...RSA, ...DMARC }), envelope)
    assert.deepEqual(more, [])
    assert.deepEqual(finding, {
      type: 'no-dkim',
      message: 'The DKIM record of a key is not published: e1._domainkey.mail.shop.example.',
      part: 'from',
      position: null,
    })
    assert.deepEqual(await types({ ...SPF, ...DMARC }, { keys: [] }), ['no-dkim'])
  })

  test('accepts alignment by an RSA signature or by SPF of the same organisation', async () => {
    const elsewhere = { bounce: 'b.relay.example' }
    const zone = { ...DMARC, 'b.relay.example': ['v=spf1 -all'] }
    assert.deepEqual(await types({ ...zone, ...RSA, ...ED25519 }, elsewhere), [])
    assert.deepEqual(await types({ ...zone, ...ED25519 }, elsewhere), ['no-dkim', 'not-aligned'])
    assert.deepEqual(await types({ ...SPF, ...DMARC }), ['no-dkim'])
    const strict = { '_dmarc.shop.example': ['v=DMARC1; p=none; aspf=s'] }
    assert.deepEqual(await types({ ...SPF, ...strict }), ['no-dkim', 'not-aligned'])
  })

  test('domains below a public suffix belong to different organisations', async () => {
    const zone = { 'b.co.uk': ['v=spf1 -all'], '_dmarc.a.co.uk': ['v=DMARC1; p=none'] }
    assert.deepEqual(await types(zone, { from: 'a.co.uk', bounce: 'b.co.uk' }), ['no-dkim', 'not-aligned'])
  })

  test('reports unanswered lookups as one finding that names them and still checks the rest', async () => {
    const zone = { 'b.shop.example': null, '_dmarc.mail.shop.example': null }
    const findings = await checkMailDomains(holding(zone), envelope)
    assert.deepEqual(
      findings.map(({ type }) => type),
      ['dns-away', 'no-dkim'],
    )
    assert.equal(
      findings[0]?.message,
      'The name servers did not respond, so SPF of b.shop.example, DMARC of mail.shop.example could not be checked.',
    )
  })

  test('stops waiting for DNS after the timeout', async () => {
    const silent: DnsResolver = { txt: () => new Promise(() => {}), mx: async () => [] }
    const findings = await checkMailDomains(silent, envelope, 1)
    assert.deepEqual(
      findings.map(({ type }) => type),
      ['dns-away'],
    )
  })
})

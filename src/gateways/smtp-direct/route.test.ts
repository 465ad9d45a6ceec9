import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startDnsServer } from '#test/fakes/mail/dns-server.ts'
import { createMailDnsResolver } from '../../lib/net/dns.ts'
import { createMailRouteFinder, type MailRoute, type MailRouterServices, orderHostsByPreference } from './route.ts'

const server = await startDnsServer({
  'shop.example': {
    mx: [
      ['mx2.shop.example', 20],
      ['mx1.shop.example', 10],
      ['gone.shop.example', 5],
    ],
  },
  'mx1.shop.example': { a: ['8.8.8.8'], aaaa: ['2606:4700::1111'] },
  'mx2.shop.example': { a: ['8.8.4.4', '10.0.0.1'] },
  'bare.example': { a: ['9.9.9.9'] },
  'null.example': { mx: [['.', 0]] },
  'empty.example': { txt: ['nothing'] },
  'inside.example': { mx: ['mx.inside.example'] },
  'mx.inside.example': { a: ['192.168.1.1'] },
  'lost.example': { mx: ['nowhere.example'] },
  'away.example': { fails: true },
  'half.example': { mx: ['mx.away.example'] },
  'mx.away.example': { fails: true },
})
after(() => server.close())
const dns = createMailDnsResolver([server.address])

const parts: MailRouterServices = { dns, findPolicy: undefined, allowPrivate: false }
const find = (domain: string, more: Partial<MailRouterServices> = {}) =>
  createMailRouteFinder({ ...parts, ...more })(domain, 0)
const hostsOf = (route: MailRoute) =>
  'hosts' in route ? route.hosts.map(({ host, addresses }) => [host, ...addresses]) : route
const codeOf = (route: MailRoute) => ('refused' in route ? `${route.refused.code} ${route.refused.enhanced}` : route)

describe('routes of a domain', () => {
  it('are its mail exchangers with their public addresses, best first', async () => {
    assert.deepEqual(hostsOf(await find('shop.example')), [
      ['mx1.shop.example', '8.8.8.8', '2606:4700::1111'],
      ['mx2.shop.example', '8.8.4.4'],
    ])
  })

  it('are the domain itself without MX records', async () => {
    assert.deepEqual(hostsOf(await find('bare.example')), [['bare.example', '9.9.9.9']])
  })

  it('are refused when a domain accepts no mail, does not exist or has no usable host', async () => {
    const ends = ['null.example', 'nothing.example', 'empty.example', 'lost.example', 'inside.example']
    assert.deepEqual(await Promise.all(ends.map(async (domain) => codeOf(await find(domain)))), [
      '556 5.1.10',
      '550 5.1.2',
      '550 5.1.2',
      '550 5.4.4',
      '550 5.4.4',
    ])
  })

  it('include private addresses only when allowed', async () => {
    assert.deepEqual(hostsOf(await find('inside.example', { allowPrivate: true })), [
      ['mx.inside.example', '192.168.1.1'],
    ])
  })

  it('are deferred while no name server answers', async () => {
    for (const domain of ['away.example', 'half.example']) assert.ok('deferred' in (await find(domain)), domain)
  })

  it('include only the hosts of an enforced policy', async () => {
    const policy = { mode: 'enforce' as const, mx: ['mx2.shop.example'], maxAgeSeconds: 100 }
    const enforced = await find('shop.example', { findPolicy: async () => policy })
    assert.deepEqual(hostsOf(enforced), [['mx2.shop.example', '8.8.4.4']])
    assert.ok('hosts' in enforced && enforced.isVerified)
    const none = await find('shop.example', { findPolicy: async () => ({ ...policy, mx: ['other.example'] }) })
    assert.ok('deferred' in none)
    const testing = await find('shop.example', { findPolicy: async () => ({ ...policy, mode: 'testing', mx: [] }) })
    assert.ok('hosts' in testing && !testing.isVerified && testing.hosts.length === 2)
  })

  it('are looked up once for concurrent callers and again after their TTL', async () => {
    let asked = 0
    const exchanges: typeof dns.exchanges = (name) => {
      asked++
      return dns.exchanges(name)
    }
    const counting = { ...dns, exchanges }
    const route = createMailRouteFinder({ ...parts, dns: counting })
    await Promise.all([route('shop.example', 0), route('shop.example', 0)])
    await route('shop.example', 59_000)
    assert.equal(asked, 1)
    await route('shop.example', 60_000)
    assert.equal(asked, 2)
  })
})

describe('order of mail exchangers', () => {
  it('follows the preference and rotates among equals', () => {
    const hosts = ['a', 'b', 'c'].map((host, index) => ({ host, preference: index === 0 ? 5 : 10, addresses: [] }))
    const order = (...numbers: number[]) =>
      orderHostsByPreference(hosts, () => numbers.shift() ?? 0).map(({ host }) => host)
    assert.deepEqual(order(0.9, 0.2, 0.1), ['a', 'c', 'b'])
    assert.deepEqual(order(0.9, 0.1, 0.2), ['a', 'b', 'c'])
  })
})

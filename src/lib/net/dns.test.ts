import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startDnsServer } from '#test/fakes/mail/dns-server.ts'
import { createMailDnsResolver, DnsUnavailableError, parseDnsServers } from './dns.ts'

const long = `v=DKIM1; k=rsa; p=${'x'.repeat(400)}`
const server = await startDnsServer({
  'shop.example': { txt: ['v=spf1 -all', long], mx: ['mx1.shop.example', 'mx2.shop.example'] },
  'bare.example': {},
  'broken.example': { fails: true },
})
after(() => server.close())
const dns = createMailDnsResolver([server.address])

describe('DNS lookups', () => {
  it('join the strings of a TXT record', async () => {
    assert.deepEqual((await dns.txt('shop.example')).sort(), [long, 'v=spf1 -all'])
  })

  it('return mail exchangers, best first', async () => {
    assert.deepEqual(await dns.mx('shop.example'), ['mx1.shop.example', 'mx2.shop.example'])
  })

  it('return an empty list for a name without such records and for an unknown name', async () => {
    assert.deepEqual([await dns.txt('bare.example'), await dns.mx('nowhere.example')], [[], []])
  })

  it('throw when no server answers', async () => {
    await assert.rejects(dns.txt('broken.example'), DnsUnavailableError)
  })
})

describe('DNS server settings', () => {
  it('accept addresses with or without a port', () => {
    const servers = ['10.0.0.53', '10.0.0.53:5353', '2001:db8::53', '[2001:db8::53]:5353', '[2001:db8::53]']
    assert.deepEqual(parseDnsServers(servers.join(', ')), servers)
    // The result must be accepted by the resolver.
    createMailDnsResolver(servers)
  })

  it('refuse anything else', () => {
    for (const text of [' , ', 'dns.example', '10.0.0.53:0', '10.0.0.53:65536', '[10.0.0.53]', '10.0.0'])
      assert.throws(() => parseDnsServers(text), text)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DnsUnavailableError } from '../../lib/net/dns.ts'
import { createMtaStsPolicyFinder, findMtaStsPolicyId, isHostAllowedByPolicy, parseMtaStsPolicy } from './mta-sts.ts'

const enforced = 'version: STSv1\r\nmode: enforce\r\nmx: mail.shop.example\r\nmx: *.Shop.example\r\nmax_age: 604800\r\n'

describe('MTA-STS (RFC 8461)', () => {
  it('reads the id of a single record', () => {
    assert.equal(findMtaStsPolicyId(['v=STSv1; id=20260101T000000;']), '20260101T000000')
    assert.equal(findMtaStsPolicyId(['other', 'v=STSv1;id=a1']), 'a1')
    assert.equal(findMtaStsPolicyId(['v=STSv1; id=a', 'v=STSv1; id=b']), undefined)
    assert.equal(findMtaStsPolicyId(['v=STSv1;']), undefined)
    assert.equal(findMtaStsPolicyId(['v=STSv12; id=a']), undefined)
    assert.equal(findMtaStsPolicyId(['v=STSv1; id=not-a-word;']), undefined)
  })

  it('reads policies with either line ending', () => {
    const policy = { mode: 'enforce', mx: ['mail.shop.example', '*.shop.example'], maxAgeSeconds: 604_800 }
    assert.deepEqual(parseMtaStsPolicy(enforced), policy)
    assert.deepEqual(parseMtaStsPolicy(enforced.replaceAll('\r', '')), policy)
    assert.deepEqual(parseMtaStsPolicy('version: STSv1\nmode: none\nmax_age: 99999999999'), undefined)
    assert.deepEqual(parseMtaStsPolicy('version: STSv1\nmode: none\nmax_age: 9999999999'), {
      mode: 'none',
      mx: [],
      maxAgeSeconds: 31_557_600,
    })
  })

  it('reads no policy from other texts', () => {
    for (const wrong of [
      '',
      'mode: enforce',
      enforced.replace('STSv1', 'STSv2'),
      enforced.replace('enforce', 'strict'),
      '<html>',
    ])
      assert.equal(parseMtaStsPolicy(wrong), undefined, wrong)
    assert.equal(parseMtaStsPolicy('version: STSv1\nmode: enforce\nmax_age: 1'), undefined)
  })

  it('lets a wildcard match exactly one label', () => {
    const policy = { mx: ['mail.shop.example', '*.mx.example'] }
    const hosts = [
      'mail.shop.example',
      'MAIL.shop.example',
      'a.mx.example',
      'a.b.mx.example',
      'mx.example',
      'x.shop.example',
    ]
    assert.deepEqual(
      hosts.map((host) => isHostAllowedByPolicy(policy, host)),
      [true, true, true, false, false, false],
    )
  })
})

describe('MTA-STS › cached policies', () => {
  function setUp() {
    const world = {
      records: ['v=STSv1; id=1'] as string[] | undefined,
      text: enforced as string | undefined,
      fetched: 0,
    }
    const dns = {
      async txt(name: string) {
        assert.equal(name, '_mta-sts.shop.example')
        if (world.records === undefined) throw new DnsUnavailableError('away')
        return world.records
      },
    }
    const find = createMtaStsPolicyFinder(dns, async (domain) => {
      assert.equal(domain, 'shop.example')
      world.fetched++
      if (world.text === undefined) throw new Error('no answer')
      return world.text
    })
    return { world, find: async (now: number) => (await find('shop.example', now))?.mode }
  }

  it('are fetched once and again when their id changes', async () => {
    const { world, find } = setUp()
    assert.deepEqual([await find(0), await find(1000), world.fetched], ['enforce', 'enforce', 1])
    Object.assign(world, { records: ['v=STSv1; id=2'], text: enforced.replace('enforce', 'testing') })
    assert.deepEqual([await find(2000), world.fetched], ['testing', 2])
  })

  it('remain valid for their max_age, even when they can no longer be fetched', async () => {
    const { world, find } = setUp()
    await find(0)
    Object.assign(world, { records: undefined, text: undefined })
    assert.equal(await find(604_799_000), 'enforce')
    world.records = ['v=STSv1; id=2']
    assert.equal(await find(604_799_000), 'enforce')
    assert.equal(await find(604_800_000), undefined)
  })

  it('are not requested for every mail after a failed fetch', async () => {
    const { world, find } = setUp()
    world.text = undefined
    assert.deepEqual([await find(0), await find(1000), world.fetched], [undefined, undefined, 1])
    world.text = enforced
    assert.equal(await find(300_000), 'enforce')
  })

  it('do not exist without a record', async () => {
    const { world, find } = setUp()
    world.records = []
    assert.deepEqual([await find(0), world.fetched], [undefined, 0])
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AccountSenderProfile, AccountSendingSettings } from '../../features/accounts/sending-settings-schemas.ts'
import { resolveMailSender } from './sender.ts'

const PUBLIC = 'https://stentor.example'

const shop: AccountSenderProfile = {
  id: 3,
  name: 'Shop',
  channel: 'email',
  default: true,
  from: { prefix: 'shop', domain: null, label: 'The Shop' },
  reply: 'help@shop.example',
  bounceDomain: 'b.shop.example',
  trackingHost: 't.shop.example',
  sender: null,
}
const domains = [
  { domain: 'mail.shop.example', default: true, verified: true },
  { domain: 'new.shop.example', default: false, verified: false },
]

function resolve(from: object, settings: Partial<AccountSendingSettings> = {}, profile: number | null = null) {
  const sending = { profiles: [shop], domains, unverifiedDomain: 'substitute', ...settings } as AccountSendingSettings
  return resolveMailSender({ from }, profile, sending, PUBLIC)
}

suite('sender of an email', () => {
  test('comes from the profile when the action sets nothing', () => {
    assert.deepEqual(resolve({}), {
      sender: {
        from: { prefix: 'shop', domain: 'mail.shop.example', label: 'The Shop' },
        profileDomain: 'mail.shop.example',
        reply: 'help@shop.example',
        bounceDomain: 'b.shop.example',
        trackingUrl: 'https://t.shop.example',
      },
      errors: [],
      findings: [],
    })
  })

  test('uses each member that the action sets', () => {
    const { sender } = resolve({ prefix: 'orders', label: 'Orders' })
    assert.deepEqual(sender.from, { prefix: 'orders', domain: 'mail.shop.example', label: 'Orders' })
  })

  test('falls back to the default profile when its own profile has been deleted', () => {
    assert.equal(resolve({}, {}, 99).sender.from.prefix, 'shop')
  })

  test('replaces an unverified domain and makes it the reply address when none is set', () => {
    const profile = { ...shop, reply: null }
    const { sender, findings } = resolve({ domain: 'New.Shop.example' }, { profiles: [profile] })
    assert.deepEqual([sender.from.domain, sender.reply], ['mail.shop.example', 'shop@new.shop.example'])
    assert.equal(findings[0]?.type, 'domain-substituted')
    assert.equal(resolve({ domain: 'new.shop.example' }).sender.reply, 'help@shop.example')
  })

  test('is an error when the account refuses unverified domains', () => {
    const { errors, findings } = resolve({ domain: 'new.shop.example' }, { unverifiedDomain: 'refuse' })
    assert.deepEqual([errors[0]?.type, findings], ['sender', []])
    assert.deepEqual(resolve({}, { unverifiedDomain: 'refuse' }).errors, [])
  })

  test('uses the host of the public address when the account has no domain', () => {
    const { sender, findings } = resolve(
      {},
      { domains: [], profiles: [{ ...shop, bounceDomain: null, trackingHost: null }] },
    )
    assert.deepEqual(
      [sender.from.domain, sender.bounceDomain, sender.trackingUrl, findings],
      ['stentor.example', 'stentor.example', PUBLIC, []],
    )
  })
})

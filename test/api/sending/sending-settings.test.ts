import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addSendingDomain, removeSendingDomain } from '../../../src/features/accounts/domains.ts'
import { startHarness } from '../../support/harness.ts'

const { call, context, makeAccount, makeKey, other, own } = await startHarness()

async function put(body: object, key = own.key) {
  return call('PUT', '/settings/sending', { body, key })
}

async function settings(key = own.key) {
  return (await call('GET', '/settings/sending', { key })).body
}

suite('sending settings', () => {
  test('a new account has every default and a profile for each channel', async () => {
    assert.deepEqual(await settings(other.key), {
      culture: 'fr-FR',
      defaultFolder: 1,
      testSubjectPrefix: '[TEST] ',
      testTextPrefix: '',
      testRequired: true,
      unverifiedDomain: 'substitute',
      stopMention: null,
      stopOnStandard: false,
      optInField: null,
      doubleOptInField: null,
      yesValues: ['yes', 'oui', 'true', '1'],
      serviceIgnoresRedList: false,
      inDoubt: 'hold',
      attachmentHosts: [],
      reportAddresses: [],
      archiveDays: 1095,
      honeypotLink: false,
      openConsentField: null,
      profiles: [
        {
          id: 1,
          name: 'Default email',
          channel: 'email',
          default: true,
          from: { prefix: 'news', domain: 'stentor.example', label: null },
          reply: null,
          bounceDomain: 'stentor.example',
          trackingHost: null,
          sender: null,
        },
        {
          id: 2,
          name: 'Default SMS',
          channel: 'sms',
          default: true,
          from: null,
          reply: null,
          bounceDomain: null,
          trackingHost: null,
          sender: null,
        },
      ],
      domains: [],
      webAnalysers: [],
    })
  })

  test('given members change, the others stay, and the whole can be sent back', async () => {
    const before = await settings()
    const changed = await put({ culture: 'en-GB', reportAddresses: ['desk@shop.example'] })
    assert.equal(changed.status, 200)
    assert.deepEqual(changed.body, { ...before, culture: 'en-GB', reportAddresses: ['desk@shop.example'] })
    assert.deepEqual((await put(changed.body)).body, changed.body)
    assert.deepEqual(await settings(), changed.body)
  })

  test("the default domain follows the account's domains, even after the whole was sent back", async () => {
    const { account, key } = await makeAccount('DOMS001')
    await put(await settings(key), key)
    const email = async () => (await settings(key)).profiles[0]
    assert.equal((await email()).from.domain, 'stentor.example')
    const now = new Date()
    await addSendingDomain(context, account, { domain: 'mail.shop.example', isDefault: false, verifiedAt: now, now })
    assert.deepEqual(
      [(await email()).from.domain, (await email()).bounceDomain],
      ['mail.shop.example', 'mail.shop.example'],
    )
    assert.deepEqual((await settings(key)).domains, [{ domain: 'mail.shop.example', default: true, verified: true }])
    await removeSendingDomain(context.db, account, 'mail.shop.example')
    assert.equal((await email()).from.domain, 'stentor.example')
  })

  test('new profiles get ids that are never reused, and keep their values', async () => {
    const { key } = await makeAccount('PROF001')
    const [email, sms] = (await settings(key)).profiles
    const shop = {
      name: 'Shop',
      channel: 'email',
      from: { prefix: 'shop', domain: 'Shop.Example', label: 'Shop' },
      reply: 'help@shop.example',
    }
    const made = (await put({ profiles: [email, sms, shop] }, key)).body.profiles[2]
    assert.deepEqual(made, {
      id: 3,
      name: 'Shop',
      channel: 'email',
      default: false,
      from: { prefix: 'shop', domain: 'shop.example', label: 'Shop' },
      reply: 'help@shop.example',
      bounceDomain: 'stentor.example',
      trackingHost: null,
      sender: null,
    })
    await put({ profiles: [email, sms] }, key)
    assert.equal((await put({ profiles: [email, sms, shop] }, key)).body.profiles[2].id, 4)
  })

  test('an action can name a profile and an analyser of its account', async () => {
    const [email, sms] = (await settings()).profiles
    const { body } = await put({
      profiles: [email, sms, { name: 'Shop', channel: 'email' }],
      webAnalysers: [{ name: 'Visits', parameters: { from: 'mail' } }],
    })
    const named = { sendingProfile: body.profiles[2].id, webAnalyser: body.webAnalysers[0].id }
    const made = await call('POST', '/actions', { body: { type: 'mailMessage', name: 'Named', settings: named } })
    assert.equal(made.status, 200)
    const whole = await call('GET', `/actions/${made.body.id}`)
    await put({ profiles: [email, sms], webAnalysers: [] })
    assert.equal((await call('PUT', `/actions/${made.body.id}`, { body: whole.body })).status, 200)
    const wrongChannel = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'SMS', settings: { sendingProfile: sms.id } },
    })
    assert.equal(wrongChannel.status, 404)
    const foreign = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'Foreign', settings: named },
      key: other.key,
    })
    assert.equal(foreign.status, 404)
  })

  test('faults are 400 with their pointers and change nothing', async () => {
    const before = await settings()
    const [email, sms] = before.profiles
    const cases: [object, string][] = [
      [{ culture: 'no culture' }, '/culture'],
      [{ archiveDays: 0 }, '/archiveDays'],
      [{ unverifiedDomain: 'other' }, '/unverifiedDomain'],
      [{ optInField: 999999 }, '/optInField'],
      [{ openConsentField: 999999, doubleOptInField: 999999 }, '/doubleOptInField'],
      [{ reportAddresses: ['nobody'] }, '/reportAddresses/0'],
      [{ profiles: [{ ...email, default: false }] }, '/profiles'],
      [{ profiles: [email, { name: 'Second', channel: 'email', default: true }] }, '/profiles'],
      [{ profiles: [email, email] }, '/profiles/1/id'],
      [{ profiles: [{ ...email, id: 99 }] }, '/profiles/0/id'],
      [{ profiles: [{ ...sms, channel: 'email' }] }, '/profiles/0/channel'],
      [{ profiles: [{ ...email, from: { domain: 'no domain' } }] }, '/profiles/0/from/domain'],
      [{ profiles: [{ ...email, trackingHost: 'https://t.shop.example' }] }, '/profiles/0/trackingHost'],
      [{ webAnalysers: [{ id: 99, name: 'x', parameters: {} }] }, '/webAnalysers/0/id'],
      [{ webAnalysers: [{ name: 'x', parameters: { a: 1 } }] }, '/webAnalysers/0/parameters/a'],
    ]
    for (const [body, pointer] of cases) {
      const answer = await put(body)
      assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [400, pointer], JSON.stringify(body))
    }
    assert.deepEqual(await settings(), before)
  })

  test('reading requires the right to read, writing that of an administrator', async () => {
    const key = await makeKey(own.account, ['read', 'write', 'send'])
    assert.equal((await call('GET', '/settings/sending', { key })).status, 200)
    assert.equal((await call('PUT', '/settings/sending', { body: {}, key })).status, 403)
  })

  test('another account has its own settings', async () => {
    await put({ testSubjectPrefix: '[MINE] ' })
    assert.equal((await settings(other.key)).testSubjectPrefix, '[TEST] ')
  })

  test('a change with an older ETag is 412', async () => {
    const etag = String((await call('GET', '/settings/sending')).headers['etag'])
    const change = (archiveDays: number) =>
      call('PUT', '/settings/sending', { body: { archiveDays }, headers: { 'if-match': etag } })
    assert.equal((await change(10)).status, 200)
    assert.equal((await change(20)).status, 412)
  })
})

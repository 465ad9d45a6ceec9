import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, suite, test } from 'node:test'
import { listDomainKeys } from '../../../src/features/accounts/domain-keys.ts'
import { buildDomainDnsRecords } from '../../../src/features/accounts/domain-records.ts'
import { addSendingDomain } from '../../../src/features/accounts/domains.ts'
import { startDnsServer, type Zone } from '../../fakes/mail/dns-server.ts'
import { startStage } from '../../support/stages/stage.ts'

const { action, call, contact, context, gateway, get, own, segment, settle } = await startStage()
const FROM = 'mail.shop.example'
const BOUNCE = 'b.shop.example'
const server = await startDnsServer()
const site = createServer(({ url }, response) => response.writeHead(url === '/gone' ? 404 : 200).end())
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const SITE = `127.0.0.1:${(site.address() as AddressInfo).port}`
context.config.dnsServers = [server.address]
context.config.outgoingAllow = [SITE]
after(() => Promise.all([server.close(), new Promise((resolve) => site.close(resolve))]))

const at = new Date('2026-03-02T10:00:00.000Z')
await addSendingDomain(context, own.account, { domain: FROM, isDefault: true, verifiedAt: at, now: at })
const profile = { name: 'Shop', channel: 'email', default: true, from: { prefix: 'news', domain: FROM } }
await call('PUT', '/settings/sending', { body: { profiles: [{ ...profile, bounceDomain: BOUNCE }] } })
const keys = await listDomainKeys(context.db, own.account, FROM)
/** What the domain has to publish. */
const SOUND: Zone = Object.fromEntries(
  buildDomainDnsRecords({ domain: FROM, keys, bounceDomains: [BOUNCE], host: 'stentor.example' })
    .filter(({ type }) => type === 'TXT')
    .map(({ name, value }) => [name, { txt: [value] }]),
)

function publish(zone: Zone): void {
  for (const name of Object.keys(server.zone)) delete server.zone[name]
  Object.assign(server.zone, zone)
}
beforeEach(() => publish(SOUND))

const GOOD = {
  subject: 'Our doors open',
  html: '<html><body><p>Come in</p><img src="https://shop.example/a.png" alt="A door"><a href="Unsubscribe">Leave</a></body></html>',
}

/** Tests an action with campaignAnalyser, but for what `test` says; gives its state and what is kept of the test. */
async function tested(more: object, test: object = {}) {
  const id = await action(more)
  const body = { fortest: true, mediaForTest: 'proof@desk.example', campaignAnalyser: true, ...test }
  const answer = await call('POST', `/actions/${id}/validation`, { body })
  assert.equal(answer.status, 204, answer.text)
  await settle()
  const { state, informations } = await get(id)
  return { state, ...informations.lastValidation }
}

async function found(content: object, more: object = {}): Promise<string[]> {
  const { findings } = await tested({ content: { ...GOOD, ...content }, ...more })
  return findings.map(({ type }: { type: string }) => type)
}

suite('findings of a test', () => {
  test('are empty for a sound message of a sound domain', async () => {
    const { state, result, findings } = await tested({ content: GOOD })
    assert.deepEqual([state, result, findings], [38, 'passed', []])
  })

  test('are all reported with part and position, and do not fail the test', async () => {
    publish({})
    const html = `<body>
<img src="https://shop.example/a.png">
<a href="http://${SITE}/gone"></a>
  <a href="http://bit.ly/x"></a></body>`
    const content = { subject: 'LAST CHANCE TO SAVE', html, text: 'Come to http://shop.example/ now' }
    const { state, result, errors, findings } = await tested({ content })
    assert.deepEqual([state, result, errors], [38, 'passed', []])
    const shown = findings.map(
      ({ type, part, position }: { type: string; part: string; position: { line: number; column: number } | null }) =>
        `${type} ${part} ${position ? `${position.line}:${position.column}` : '-'}`,
    )
    assert.deepEqual(shown, [
      'no-spf from -',
      'no-dkim from -',
      'no-dmarc from -',
      'not-aligned from -',
      'subject-capitals subject -',
      'images-only html 2:1',
      'dead-link html 3:4',
      'link-insecure html 3:4',
      'link-insecure html 4:6',
      'link-insecure text 1:9',
      'link-address html 3:4',
      'link-shortener html 4:6',
      'image-text html 2:1',
      'no-unsubscribe-link html -',
    ])
    for (const { message } of findings) assert.match(message, /^[A-Z].*\.$|^b\.shop\.example.*\.$/)
  })

  test('are not collected without campaignAnalyser', async () => {
    publish({})
    const content = {
      subject: 'LAST CHANCE TO SAVE',
      html: '<img src="https://shop.example/a.png"><a href="http://bit.ly/x"></a>',
    }
    for (const campaignAnalyser of [false, null])
      assert.deepEqual((await tested({ content }, { campaignAnalyser })).findings, [])
  })

  test('include links without a scheme and tags of other services, whatever is requested', async () => {
    const html = `<body>\n<a href="www.shop.example">Shop</a>\n*|UNSUB|*<a href="Unsubscribe">Leave</a></body>`
    const { state, findings } = await tested({ content: { ...GOOD, html } }, { campaignAnalyser: false })
    assert.equal(state, 38)
    assert.deepEqual(
      findings.map(({ type, part, position }: { type: string; part: string; position: object }) => [
        type,
        part,
        position,
      ]),
      [
        ['link-relative', 'html', { line: 2, column: 4 }],
        ['merge-tag', 'html', { line: 3, column: 1 }],
      ],
    )
  })

  test('report unreachable name servers as one finding, and the test passes', async () => {
    publish(Object.fromEntries(Object.keys(SOUND).map((name) => [name, { fails: true }])))
    const { state, findings } = await tested({ content: GOOD })
    const message = `The name servers did not respond, so SPF of ${BOUNCE}, DKIM of ${FROM}, DMARC of ${FROM} could not be checked.`
    assert.deepEqual([state, findings], [38, [{ type: 'dns-away', message, part: 'from', position: null }]])
  })

  test('concern the domain that the message is finally sent from', async () => {
    const from = { prefix: 'news', domain: 'elsewhere.example' }
    assert.deepEqual(await found({ headers: { from } }), ['domain-substituted'])
  })

  test('report a domain without keys as unsigned and therefore without one-click unsubscription', async () => {
    const bare = 'bare.shop.example'
    await addSendingDomain(context, own.account, { domain: bare, isDefault: false, verifiedAt: at, now: at })
    await context.db.deleteFrom('domain_keys').where('domain', '=', bare).execute()
    const headers = { from: { prefix: 'news', domain: bare } }
    const missing = ['no-dkim', 'no-dmarc']
    assert.deepEqual(await found({ headers }), [...missing, 'no-one-click'])
    assert.deepEqual(await found({ headers }, { settings: { purpose: { type: 'service' } } }), missing)
  })

  test('measure the HTML as sent, with its values and links, and report its size once', async () => {
    const long = `${GOOD.html}{% for i in (1..1100) %}${'x'.repeat(95)}{% endfor %}`
    assert.deepEqual(await found({ html: long }), ['size'])
    assert.deepEqual(await found({ html: `${GOOD.html}${'x'.repeat(101 * 1024)}` }), ['size'])
    assert.deepEqual(await found({ html: `${GOOD.html}${'x'.repeat(110 * 1024)}` }), ['size'])
    assert.deepEqual(await found({ html: `${GOOD.html}${'x'.repeat(90 * 1024)}` }), [])
  })

  test('check the subject of each contact without the test prefix, and report it once', async () => {
    const names = ['Bo', 'Maximiliane-Alexandra', 'Annabelle-Charlotte']
    const contacts = await Promise.all(
      names.map((name, n) => contact(`${n}@test.example`, { Email: `${name}@test.example` })),
    )
    const subject = `{{ contact.Email }} ${'x'.repeat(50)}`
    const testers = { mediaForTest: null, testSegments: [await segment(contacts, { isTest: true })] }
    const { sent, findings } = await tested({ content: { ...GOOD, subject } }, testers)
    assert.equal(sent, 3)
    assert.deepEqual(findings, [
      {
        type: 'subject-length',
        message: 'The subject has up to 85 characters; mail clients show about 70.',
        part: 'subject',
        position: null,
      },
    ])
    assert.deepEqual(await found({ subject: 'x'.repeat(70) }), [])
  })

  test('are listed along with the errors of content in need of repair', async () => {
    const { state, result, errors, findings } = await tested({
      content: { ...GOOD, html: `${GOOD.html}{{ contact.No }}<a href="https://192.0.2.7/">a</a>` },
    })
    assert.deepEqual([state, result, errors.length], [10, 'repair', 1])
    assert.deepEqual(
      findings.map(({ type }: { type: string }) => type),
      ['link-address'],
    )
  })

  test('report only dead links for a text message', async () => {
    await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
    publish({})
    const textContent = `Come in: http://${SITE}/gone`
    const sms = { type: 'smsMessage', settings: { purpose: { type: 'service' } }, content: { textContent } }
    const { findings } = await tested(sms, { mediaForTest: '+33601999999' })
    assert.deepEqual(findings, [
      {
        type: 'dead-link',
        message: `The link to http://${SITE}/gone does not work: it returns 404.`,
        part: 'textContent',
        position: { line: 1, column: 10 },
      },
    ])
  })

  test('are limited to 100, with those of the domain first', async () => {
    publish({})
    const { state, findings } = await tested({
      content: { ...GOOD, html: '<img src="https://shop.example/a.png">'.repeat(150) },
    })
    assert.deepEqual([state, findings.length, findings[0].type], [38, 100, 'no-spf'])
    assert.equal(gateway.to('proof@desk.example').length > 0, true)
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { listDomainKeys, rotateDomainKeys } from '../../../src/features/accounts/domain-keys.ts'
import { buildDomainDnsRecords } from '../../../src/features/accounts/domain-records.ts'
import { verifySendingDomain } from '../../../src/features/accounts/domain-verification.ts'
import { addSendingDomain } from '../../../src/features/accounts/domains.ts'
import { readSmtpSettings } from '../../../src/gateways/smtp/settings.ts'
import { openSmtpGateway } from '../../../src/gateways/smtp/smtp.ts'
import type { DnsResolver } from '../../../src/lib/net/dns.ts'
import { openSenderSigningKeys } from '../../../src/sending/prepare/signing-keys.ts'
import { type Sink, type SinkOptions, startSink } from '../../fakes/mail/smtp-sink.ts'
import { python, type Records, readWithPython, verifyWithMailauth } from '../../support/files/mail-readers.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { action, call, clock, contact, context, own, sender, sendDue, settle, validated } = stage
const { db } = context
const DOMAIN = 'mail.shop.example'
const UNVERIFIED = 'new.shop.example'
const now = new Date(clock.now())

await call('POST', '/fields', { body: { type: 'textField', name: 'Firstname' } })
await addSendingDomain(context, own.account, { domain: DOMAIN, isDefault: true, verifiedAt: now, now })
await addSendingDomain(context, own.account, { domain: UNVERIFIED, isDefault: false, verifiedAt: null, now })
const profile = { id: 1, name: 'Shop', channel: 'email', default: true, from: { prefix: 'news', label: 'The Shop' } }
const hosts = { bounceDomain: 'b.shop.example', trackingHost: 't.shop.example' }
const kept = await call('PUT', '/settings/sending', { body: { profiles: [{ ...profile, ...hosts }] } })
assert.equal(kept.status, 200, kept.text)

/** The records of the domains of the account, as they would be published. */
async function records(): Promise<Records> {
  const lists = [DOMAIN, UNVERIFIED].map(async (domain) => {
    const keys = await listDomainKeys(db, own.account, domain)
    return buildDomainDnsRecords({ domain, keys, bounceDomains: [], host: 'stentor.example' })
  })
  return Object.fromEntries((await Promise.all(lists)).flat().map(({ name, value }) => [name, value]))
}

interface Receiver {
  sink: Sink
  /** From now on everything goes there. */
  take(): void
}

async function receiver(options: SinkOptions = {}): Promise<Receiver> {
  const sink = await startSink(options)
  const settings = readSmtpSettings({ host: '127.0.0.1', port: sink.port, tls: 'none' })
  const gateway = openSmtpGateway('sink', settings, undefined)
  after(async () => {
    await gateway.close()
    await sink.close()
  })
  const take = (): void => {
    sender.gateways = { gatewayOf: async () => gateway, named: async () => undefined, close: async () => undefined }
  }
  return { sink, take }
}

const { sink, take } = await receiver()
const withoutUtf8 = await receiver({ smtputf8: false })
take()

function received(address: string): Buffer {
  const found = sink.messages.findLast(({ to }) => to.includes(address))
  assert.ok(found, `nothing came for ${address}`)
  return found.bytes
}

const to = (address: string) => ({ type: 'unicity', value: [address] })

async function send(id: string, item: object): Promise<string> {
  const { body, text } = await call('POST', `/actions/${id}/execution`, { body: item })
  assert.equal(body.type, 'success', text)
  await sendDue()
  return body.id
}

const service = { purpose: { type: 'service' } }
const CONTENT = {
  subject: 'Hello {{ contact.Firstname }}',
  html: '<p>Dear {{ contact.Firstname }}</p><a href="https://shop.example/a">See</a>',
}

const made = async (more: object = {}): Promise<string> => validated(await action({ content: CONTENT, ...more }))

const namesOf = (bytes: Buffer): string[] =>
  [...(bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? '').matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name)

/** Both signatures verify for every reader that is here, and cover these headers. */
async function assertSigned(bytes: Buffer, domain = DOMAIN): Promise<string[]> {
  const known = await records()
  const verified = await verifyWithMailauth(bytes, known)
  assert.deepEqual(
    verified.map((one) => [one.result, one.domain, one.algorithm]),
    [
      ['pass', domain, 'rsa-sha256'],
      ['pass', domain, 'ed25519-sha256'],
    ],
  )
  if (python !== undefined) {
    const [mail] = readWithPython([bytes], known)
    assert.deepEqual(mail?.defects, [])
    if (mail?.signatures) assert.deepEqual(mail.signatures, [true, true])
  }
  const covered = [...bytes.toString('latin1').matchAll(/ h=([^;]*);/g)].map(([, names = '']) =>
    names.replace(/\s/g, ''),
  )
  assert.equal(covered[0], covered[1])
  return covered[0]?.split(':') ?? []
}

async function eventsOf(id: string, kind: string) {
  return (await call('GET', `/actions/${id}/events/${kind}`)).body
}

suite('outgoing mail', () => {
  test('has both List headers within two valid signatures for marketing, and no List header for service', async () => {
    await contact('ann@example.org', { Firstname: 'Ann' })
    await send(await made(), { recipient: to('ann@example.org') })
    const marketing = received('ann@example.org')
    const covered = await assertSigned(marketing)
    const lists = ['list-unsubscribe', 'list-unsubscribe-post']
    assert.deepEqual(
      covered.filter((name) => name.startsWith('list-')),
      lists,
    )
    const mail = await simpleParser(marketing)
    assert.match(
      marketing.toString(),
      /^List-Unsubscribe: <https:\/\/t\.shop\.example\/t\/u\/[\w-]{72}>,\r\n <mailto:unsub\+[a-z2-7]{50}@b\.shop\.example\?subject=unsubscribe>\r$/m,
    )
    assert.equal(mail.headers.get('list') !== undefined, true)
    assert.match(marketing.toString(), /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)

    await send(await made({ settings: service }), { recipient: to('ann@example.org') })
    const answer = received('ann@example.org')
    assert.ok(!(await assertSigned(answer)).some((name) => name.startsWith('list-')))
    assert.ok(!namesOf(answer).some((name) => name.startsWith('List-')))
  })

  test('has exactly the specified headers, each once except the signatures', async () => {
    await contact('bea@example.org', { Firstname: 'Bea' })
    const id = await made({ settings: { importance: true } })
    const stamp = await send(id, { recipient: to('bea@example.org'), headers: { reply: 'help@shop.example' } })
    const bytes = received('bea@example.org')
    const { from } = sink.messages.at(-1) ?? { from: '' }
    assert.match(from, /^bounce\+[a-z2-7]{50}@b\.shop\.example$/)
    const head = bytes.toString().split('\r\n\r\n', 1)[0] ?? ''
    const lines = head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .slice(2)
    const date = new Date(clock.now()).toUTCString().replace('GMT', '+0000')
    assert.deepEqual(
      lines.map((line) => line.replace(/[\w-]{72}|[a-z2-7]{50}/g, '{t}')),
      [
        'From: The Shop <news@mail.shop.example>',
        'To: bea@example.org',
        'Reply-To: help@shop.example',
        'Subject: Hello Bea',
        `Date: ${date}`,
        `Message-ID: <${stamp}@mail.shop.example>`,
        'List-Unsubscribe: <https://t.shop.example/t/u/{t}>, <mailto:unsub+{t}@b.shop.example?subject=unsubscribe>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        `Feedback-ID: ${id}:ACME001:message:stentor`,
        'Precedence: bulk',
        'Importance: high',
        'X-Priority: 1',
        'X-Stamp: {t}',
        'MIME-Version: 1.0',
        'Content-Type: multipart/alternative; boundary="=_alternative"',
      ],
    )
    assert.deepEqual(namesOf(bytes).slice(0, 2), ['DKIM-Signature', 'DKIM-Signature'])

    await send(await made({ settings: service }), { recipient: to('bea@example.org') })
    const names = namesOf(received('bea@example.org'))
    assert.ok(names.includes('Auto-Submitted'))
    for (const absent of ['Precedence', 'Importance', 'X-Priority', 'Reply-To', 'Cc'])
      assert.ok(!names.includes(absent))
  })

  test('CR LF and Bcc in a field value produce one subject line and no Bcc header', async () => {
    await contact('eve@example.org', { Firstname: 'Eve' })
    const evil = 'Eve\r\nBcc: x@y.example'
    const id = await made({ content: { ...CONTENT, subject: 'Hello {{ data.name }}' } })
    await send(id, { recipient: to('eve@example.org'), data: { name: evil } })
    const bytes = received('eve@example.org')
    assert.match(bytes.toString(), /^Subject: Hello Eve Bcc: x@y\.example\r$/m)
    assert.ok(!namesOf(bytes).includes('Bcc'))
    await assertSigned(bytes)

    // What is in the database counts, not what a field would take today.
    await sql`update contacts set fields = replace(fields::text, '"Eve"', ${JSON.stringify(evil)})::jsonb
      where account = ${own.account} and unicity = 'eve@example.org'`.execute(db)
    await send(await made(), { recipient: to('eve@example.org') })
    assert.match(received('eve@example.org').toString(), /^Subject: Hello Eve Bcc: x@y\.example\r$/m)
  })

  test('contentFormat 2 without a text sends an alternative with derived text before the HTML', async () => {
    await contact('dan@example.org', { Firstname: 'Dan' })
    const id = await made({ settings: { contentFormat: 2 } })
    await send(id, { recipient: to('dan@example.org') })
    const bytes = received('dan@example.org')
    const types = [...bytes.toString().matchAll(/^Content-Type: ([^;\r]*)/gm)].map(([, type]) => type)
    assert.deepEqual(types, ['multipart/alternative', 'text/plain', 'text/html'])
    const { text } = await simpleParser(bytes)
    assert.match(
      text ?? '',
      /^Dear Dan\n+See \[https:\/\/t\.shop\.example\/t\/r\/[\w-]{72}[^\]]*\]$|^Dear Dan\n+See \[https:\/\/shop\.example\/a\]\n?$/,
    )
  })

  test('5,000 accented characters on one line are wrapped to at most 76 per line and decode unchanged', async () => {
    await contact('lea@example.org', { Firstname: 'Léa' })
    const long = 'éàüçñ'.repeat(1000)
    const id = await made({
      content: {
        subject: long.slice(0, 900),
        html: `<p>${long}{{ contact.Firstname }}</p>`,
        text: `${long}{{ contact.Firstname }}`,
      },
    })
    await send(id, { recipient: to('lea@example.org') })
    const bytes = received('lea@example.org')
    const [head = '', ...bodies] = bytes.toString('latin1').split('\r\n\r\n')
    for (const line of head.split('\r\n')) assert.ok(line.length <= 998)
    for (const line of bodies.join('\r\n\r\n').split('\r\n'))
      assert.ok(line.length <= 76 || line.startsWith('Content-'), line)
    const { text, html, subject } = await simpleParser(bytes)
    assert.equal(text, `${long}Léa`)
    assert.ok(String(html).includes(`<p>${long}Léa</p>`))
    assert.equal(subject, long.slice(0, 900))
    await assertSigned(bytes)
  })

  test('a non-ASCII local part bounces with 5.6.7 before DATA if the peer lacks SMTPUTF8', async () => {
    withoutUtf8.take()
    await contact('zoé@exämple.example', { Firstname: 'Zoé' })
    const id = await made()
    const before = withoutUtf8.sink.counters.messages
    await send(id, { recipient: to('zoé@xn--exmple-cua.example') })
    assert.equal(withoutUtf8.sink.counters.messages, before)
    const [bounce] = await eventsOf(id, 'bounces')
    const { status } = bounce.source.detail.bounce
    assert.deepEqual([status.type, status.code], ['sync', { reply: 553, enhanced: '5.6.7' }])
    assert.equal((await eventsOf(id, 'activations')).length > 0, true)
    take()
  })

  test('cc and bcc copies have plain links, a header that marks the copy, and no List-Unsubscribe', async () => {
    await contact('fay@example.org', { Firstname: 'Fay' })
    const copies = [
      { type: 'address', value: 'cc@desk.example' },
      { type: 'address', value: 'bcc@desk.example', as: 'bcc' },
    ]
    await send(await made(), { recipient: to('fay@example.org'), copies })
    const main = await simpleParser(received('fay@example.org'))
    assert.match(String(main.html), /href="https:\/\/t\.shop\.example\/t\/r\//)
    for (const address of ['cc@desk.example', 'bcc@desk.example']) {
      const bytes = received(address)
      const mail = await simpleParser(bytes)
      assert.match(String(mail.html), /href="https:\/\/shop\.example\/a"/)
      assert.doesNotMatch(String(mail.html), /\/t\/o\//)
      assert.ok(!namesOf(bytes).some((name) => name.startsWith('List-')))
      assert.equal([mail.to].flat()[0]?.text, 'fay@example.org')
      assert.equal([mail.cc].flat()[0]?.text, 'cc@desk.example')
      assert.ok(!namesOf(bytes).includes('Bcc'))
      await assertSigned(bytes)
    }
  })

  test('an address of more than 254 octets is an invalid address', async () => {
    await contact('gus@example.org', { Firstname: 'Gus' })
    const long = `${'g'.repeat(60)}@${`${'h'.repeat(62)}.`.repeat(3)}example`
    await sql`update contacts set fields = replace(fields::text, 'gus@example.org', ${long})::jsonb
      where account = ${own.account} and unicity = 'gus@example.org'`.execute(db)
    const id = await made()
    await send(id, { recipient: to('gus@example.org') })
    const [event] = await eventsOf(id, 'cancellations')
    assert.equal(event.source.detail.cancellation.type, 'invalid address')
  })
})

suite('an unverified domain', () => {
  const fromNew = { content: { ...CONTENT, headers: { from: { prefix: 'hello', domain: UNVERIFIED } } } }
  const set = async (unverifiedDomain: string): Promise<void> => {
    assert.equal((await call('PUT', '/settings/sending', { body: { unverifiedDomain } })).status, 200)
    clock.advance(2000)
  }

  test('is replaced by the default one, with replies to the original address and a finding', async () => {
    await contact('hal@example.org', { Firstname: 'Hal' })
    const id = await made(fromNew)
    const { findings } = (await stage.get(id)).informations.lastValidation
    assert.deepEqual(
      findings.map(({ type, part }: { type: string; part: string }) => [type, part]),
      [['domain-substituted', 'from']],
    )
    await send(id, { recipient: to('hal@example.org') })
    const bytes = received('hal@example.org')
    assert.match(bytes.toString(), /^From: The Shop <hello@mail\.shop\.example>\r$/m)
    assert.match(bytes.toString(), /^Reply-To: hello@new\.shop\.example\r$/m)
    await assertSigned(bytes)
  })

  test('is also replaced when an item requests it, and an explicit reply address stays', async () => {
    const headers = { from: { domain: UNVERIFIED }, reply: 'help@shop.example' }
    await send(await made(), { recipient: to('hal@example.org'), headers })
    const bytes = received('hal@example.org')
    assert.match(bytes.toString(), /^From: The Shop <news@mail\.shop\.example>\r$/m)
    assert.match(bytes.toString(), /^Reply-To: help@shop\.example\r$/m)
  })

  test("becomes the profile's domain where an action or an item uses the keyword for it", async () => {
    const plain = { content: { ...CONTENT, headers: { from: { prefix: 'hello', domain: 'defaultdomain' } } } }
    for (const [action, headers, local] of [
      [await made(plain), {}, 'hello'],
      [await made(), { from: { prefix: 'own', domain: 'DefaultDomain' } }, 'own'],
    ] as const) {
      await send(action, { recipient: to('hal@example.org'), headers })
      const bytes = received('hal@example.org')
      assert.match(bytes.toString(), new RegExp(`^From: The Shop <${local}@mail\\.shop\\.example>\r$`, 'm'))
      assert.doesNotMatch(bytes.toString(), /^Reply-To:/m)
    }
  })

  test('fails the test and cancels the item where the account refuses such domains', async () => {
    const valid = await made()
    await set('refuse')
    const id = await action(fromNew)
    const body = { fortest: true, mediaForTest: 'proof@desk.example' }
    assert.equal((await call('POST', `/actions/${id}/validation`, { body })).status, 204)
    await settle()
    const { informations } = await stage.get(id)
    assert.deepEqual([informations.state, informations.lastValidation.result], [10, 'repair'])
    assert.deepEqual(informations.lastValidation.errors[0].type, 'sender')

    const before = sink.counters.messages
    await send(valid, { recipient: to('hal@example.org'), headers: { from: { domain: UNVERIFIED } } })
    assert.equal(sink.counters.messages, before)
    const [event] = await eventsOf(valid, 'cancellations')
    assert.deepEqual(event.source.detail.cancellation, {
      type: 'render error',
      value: {
        type: 'render',
        message: `The domain ${UNVERIFIED} is not verified: nothing is sent from it.`,
        position: null,
      },
    })
    await set('substitute')
  })

  test('signs once it is verified', async () => {
    const id = await made(fromNew)
    await addSendingDomain(context, own.account, { domain: UNVERIFIED, isDefault: false, verifiedAt: now, now })
    clock.advance(2000)
    // What was validated before is sent as it was frozen; an item may name the domain at once.
    await send(id, { recipient: to('hal@example.org'), headers: { from: { domain: UNVERIFIED } } })
    const bytes = received('hal@example.org')
    assert.match(bytes.toString(), /^From: The Shop <hello@new\.shop\.example>\r$/m)
    await assertSigned(bytes, UNVERIFIED)
  })
})

suite('signing keys of a domain', () => {
  const selectorsOf = (bytes: Buffer): string[] =>
    [...bytes.toString('latin1').matchAll(/ s=([a-z0-9]+);/g)].map(([, selector = '']) => selector)
  const published = (known: Records): DnsResolver => ({
    txt: async (name) => (known[name] === undefined ? [] : [known[name]]),
    mx: async () => [],
  })
  const selectors = async (): Promise<string[]> => {
    clock.advance(2000)
    await send(await made(), { recipient: to('ivy@example.org') })
    const bytes = received('ivy@example.org')
    await assertSigned(bytes)
    return selectorsOf(bytes)
  }

  test('keep signing after a rotation until the records of the new ones are found', async () => {
    await contact('ivy@example.org', { Firstname: 'Ivy' })
    const before = await records()
    assert.deepEqual(await selectors(), ['r1', 'e1'])
    await rotateDomainKeys(db, context.masterKeys, { account: own.account, domain: DOMAIN, now })
    assert.deepEqual(await selectors(), ['r1', 'e1'])
    const verifying = { db, publicUrl: 'https://stentor.example' }
    await verifySendingDomain({ ...verifying, dns: published(before) }, own.account, DOMAIN, now)
    assert.deepEqual(await selectors(), ['r1', 'e1'])
    await verifySendingDomain({ ...verifying, dns: published(await records()) }, own.account, DOMAIN, now)
    assert.deepEqual(await selectors(), ['r2', 'e2'])
  })

  test('sign nothing if they cannot be decrypted, and the domain counts as unverified', async () => {
    await sql`update domain_keys set private_key = 'x' where domain = ${UNVERIFIED}`.execute(db)
    const fresh = openSenderSigningKeys(context)
    sender.signing = fresh
    await send(await made(), { recipient: to('ivy@example.org'), headers: { from: { domain: UNVERIFIED } } })
    const bytes = received('ivy@example.org')
    assert.match(bytes.toString(), /^From: The Shop <news@mail\.shop\.example>\r$/m)
    assert.equal((await fresh.of(own.account)).has(UNVERIFIED), false)
  })

  test('do not exist without a domain, and the mail leaves unsigned', async () => {
    const recording = stage.gateway
    sender.gateways = { gatewayOf: async () => recording, named: async () => undefined, close: async () => undefined }
    await db.deleteFrom('sending_domains').where('account', '=', own.account).execute()
    assert.deepEqual(await db.selectFrom('domain_keys').select('id').where('account', '=', own.account).execute(), [])
    clock.advance(2000)
    await send(await made(), { recipient: to('ivy@example.org') })
    const bytes = recording.to('ivy@example.org')[0]?.bytes ?? Buffer.alloc(0)
    assert.match(bytes.toString(), /^From: The Shop <news@stentor\.example>\r$/m)
    assert.ok(!namesOf(bytes).includes('DKIM-Signature'))
  })
})

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import { Registry } from 'prom-client'
import type { ServiceContext } from '../../../src/context.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { type MailListener, startMailListener } from '../../../src/features/inbound/mail/mail-listener.ts'
import { signStampAddress } from '../../../src/lib/crypto/tokens.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startDatabaseProxy } from '../../fakes/database-proxy.ts'
import { deliver, openMailClient } from '../../fakes/mail/mail-client.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, gateway, own, other } = stage
const { email } = await emailField()

/** Reports come to the host of the public address, as the account has no domain of its own. */
const REPORTS = 'fbl@stentor.example'

/** The key under which the reports of a feedback loop are signed here. */
const loopKey = generateKeyPairSync('rsa', { modulusLength: 2048 })

const proxy = await startDatabaseProxy(String(context.pool.options.connectionString))
const away = openDatabasePool(proxy.url, { max: 4 })
const registry = new Registry()
const listener = await listen({ ...context, db: away.db, pool: away.pool }, registry)

function listen(of: ServiceContext, figures: Registry): Promise<MailListener> {
  const record = `k=rsa; p=${loopKey.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
  return startMailListener({ ...of, config: { ...of.config, smtpInPort: 0 } }, figures, async () => [[record]])
}

/** A mail signed as by a domain. */
async function signedBy(signingDomain: string, mail: string): Promise<string> {
  const privateKey = String(loopKey.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const signer = { signingDomain, selector: 'r', privateKey, canonicalization: 'relaxed/relaxed' as const }
  const { signatures } = await dkimSign(mail, { ...signer, signatureData: [signer] })
  return signatures + mail
}

async function emailField(): Promise<{ email: number }> {
  const [field] = (await call('GET', '/fields')).body
  return { email: field.id }
}

const take = (to: string | readonly string[], mail: string | Buffer): Promise<string> =>
  deliver(listener.port, to, mail)

function fixture(name: string, values: Record<string, string> = {}): string {
  const text = readFileSync(join(import.meta.dirname, '../../fixtures/bounces', name), 'latin1')
  return text.replace(/@([A-Z]+)@/g, (mark, key: string) => values[key] ?? mark)
}

interface Sent {
  action: string
  contact: string
  address: string
  stamp: string
  /** Envelope address. */
  returnPath: string
  /** Address that unsubscribes. */
  unsubscribe: string
  /** Value of X-Stamp. */
  stampToken: string
  /** The message as it went out. */
  mail: string
}

let named = 0

/** Sends one message to a new contact. */
async function send(more: { copies?: object[]; kind?: 'proof' } = {}): Promise<Sent> {
  const address = `reader${++named}@mailbox.example`
  const contact = await stage.contact(address)
  const action = await stage.validated(await stage.action({ settings: { purpose: { type: 'marketing' } } }))
  const { status, text } = await call('POST', `/actions/${action}/execution`, {
    body: { recipient: { type: 'id', value: contact }, ...(more.copies && { copies: more.copies }) },
  })
  assert.equal(status, 200, text)
  await stage.settle()
  clock.advance(60_000)
  return sentTo(address, { action, contact })
}

function sentTo(address: string, known: { action: string; contact: string }): Sent {
  const recorded = gateway.to(address).at(-1)
  assert.ok(recorded)
  const mail = recorded.bytes.toString('latin1')
  const unfolded = mail.replace(/\r\n /g, ' ')
  return {
    ...known,
    address,
    mail,
    stamp: recorded.origin?.stamp ?? '',
    returnPath: recorded.envelope.from,
    unsubscribe: /mailto:(unsub\+[^?>]+)/.exec(unfolded)?.[1] ?? '',
    stampToken: /^X-Stamp: (\S+)/m.exec(unfolded)?.[1] ?? '',
  }
}

/** A delivery report about one recipient. */
function report(recipient: string, fields: { action?: string; status?: string; diagnostic?: string } = {}): string {
  const { action = 'failed', status = '5.1.1', diagnostic = 'smtp; 550 5.1.1 User unknown' } = fields
  return [
    'From: MAILER-DAEMON@relay.example',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    `<${recipient}>: it did not work (in reply to RCPT TO command)`,
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.mailbox.example',
    `Diagnostic-Code: ${diagnostic}`,
    '',
    '--b--',
    '',
  ].join('\r\n')
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
type Any = any

const events = async ({ action }: Sent, suffix: string): Promise<Any[]> =>
  (await call('GET', `/actions/${action}/events/${suffix}`)).body
const contactOf = async ({ contact }: Sent): Promise<Any> => (await call('GET', `/targets/${contact}`)).body
const flagsOf = async (sent: Sent): Promise<number[]> => (await contactOf(sent)).bounce.map(({ type }: Any) => type)
const unmatched = async (): Promise<{ id: string; kind: string }[]> =>
  (await context.pool.query('select id, kind from unmatched_reports order by kind')).rows

/** The kinds of what is kept for operators since `before`. */
async function keptSince(before: { id: string }[]): Promise<string[]> {
  const known = new Set(before.map(({ id }) => id))
  return (await unmatched()).filter(({ id }) => !known.has(id)).map(({ kind }) => kind)
}

async function figure(outcome: string): Promise<number> {
  const { values = [] } = (await registry.getSingleMetric('stentor_inbound_mails_total')?.get()) ?? {}
  return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
}

suite('inbound mail', () => {
  // Before the harness deletes the database.
  after(async () => {
    proxy.restore()
    await listener.stop()
    await away.close()
    await proxy.close()
  })

  suite('bounces', () => {
    test('a report to the return path is an async bounce at once, flags the address and stops the next message', async () => {
      const sent = await send()
      assert.match(await take(sent.returnPath, report(sent.address)), /^250 /)
      const [bounce] = await events(sent, 'bounces')
      const { activation, bounce: detail } = bounce.source.detail
      assert.deepEqual([activation.recipient, activation.stamp.id, activation.field], [sent.address, sent.stamp, email])
      assert.deepEqual(detail, {
        time: clock.now(),
        status: {
          type: 'async',
          code: { enhanced: '5.1.1', reply: 550 },
          diagnostic: 'smtp; 550 5.1.1 User unknown',
          mta: 'mx.mailbox.example',
        },
        analysis: {
          verdict: 'hard',
          subject: { type: 'address', detail: { type: 'bad destination mailbox address' } },
          rule: 'user-unknown',
        },
      })
      const { bounce: flags } = await contactOf(sent)
      assert.deepEqual(flags, [
        {
          field: email,
          type: 52,
          timestamp: new Date(clock.now()).toISOString(),
          reason: 'smtp; 550 5.1.1 User unknown',
        },
      ])
      await call('POST', `/actions/${sent.action}/execution`, {
        body: { recipient: { type: 'id', value: sent.contact } },
      })
      await stage.settle()
      const [cancelled] = await events(sent, 'cancellations')
      assert.equal(cancelled.source.detail.cancellation.type, 'bounce')
      assert.equal(await figure('bounce'), 1)
    })

    test('a repeated mail and another one about the same recipient change nothing', async () => {
      const sent = await send()
      const mail = report(sent.address)
      for (let n = 0; n < 3; n++) assert.match(await take(sent.returnPath, mail), /^250 /)
      await Promise.all([take(sent.returnPath, mail), take(sent.returnPath, report(sent.address.toUpperCase()))])
      assert.equal((await events(sent, 'bounces')).length, 1)
    })

    test('a report to the return path in upper case is matched to its message', async () => {
      const sent = await send()
      assert.match(await take(sent.returnPath.toUpperCase(), report(sent.address)), /^250 /)
      assert.equal((await events(sent, 'bounces')).length, 1)
    })

    test('a forged signature is refused, and a vacation reply, a delay or a delivery gives no event', async () => {
      const sent = await send()
      const at = sent.returnPath.indexOf('+') + 45
      const changed = sent.returnPath[at] === 'a' ? 'b' : 'a'
      const forged = sent.returnPath.slice(0, at) + changed + sent.returnPath.slice(at + 1)
      assert.match(await take(forged, report(sent.address)), /^550 5\.1\.1 /)
      for (const mail of [
        fixture('vacation.eml'),
        fixture('challenge.eml'),
        fixture('delayed-report.eml'),
        fixture('delayed-warning.eml'),
        fixture('delivered-report.eml'),
      ])
        assert.match(await take(sent.returnPath, mail), /^250 /)
      assert.deepEqual(await events(sent, 'bounces'), [])
      assert.deepEqual(await flagsOf(sent), [])
    })

    const verdicts: [diagnostic: string, status: string, verdict: string, flags: number[]][] = [
      ['smtp; 552 5.2.2 over quota', '5.2.2', 'soft', [4]],
      ['X-Postfix; Host or domain name not found: domain not found', '5.4.4', 'hard', [51]],
      ['smtp; 550 5.7.1 blocked, spam', '5.7.1', 'soft', []],
      ['smtp; 450 4.1.1 user unknown', '4.1.1', 'soft', [4]],
    ]
    for (const [diagnostic, status, verdict, flags] of verdicts) {
      test(`${diagnostic} is ${verdict}, with the flags [${flags}]`, async () => {
        const sent = await send()
        assert.match(await take(sent.returnPath, report(sent.address, { status, diagnostic })), /^250 /)
        const [bounce] = await events(sent, 'bounces')
        assert.equal(bounce.source.detail.bounce.analysis.verdict, verdict)
        assert.deepEqual(await flagsOf(sent), flags)
      })
    }

    test('each failed recipient gives one event, even in a plain text report', async () => {
      const sent = await send()
      assert.match(await take(sent.returnPath, fixture('exim-two-recipients.eml')), /^250 /)
      const bounces = await events(sent, 'bounces')
      assert.deepEqual(
        bounces.map(({ source }) => source.detail.bounce.analysis.verdict),
        ['soft', 'hard'],
      )
    })

    test('the address of a message with copies is flagged only by a report about that address', async () => {
      const copies = [{ type: 'address', value: 'archive@office.example', as: 'bcc' }]
      const sent = await send({ copies })
      assert.match(await take(sent.returnPath, report('archive@office.example')), /^250 /)
      assert.equal((await events(sent, 'bounces')).length, 1)
      assert.deepEqual(await flagsOf(sent), [])
      assert.match(await take(sent.returnPath, report(sent.address.toUpperCase())), /^250 /)
      assert.deepEqual(await flagsOf(sent), [52])
    })

    test('an address changed meanwhile is not flagged', async () => {
      const sent = await send()
      await call('PUT', `/targets/${sent.contact}`, { body: { Email: `new-${sent.address}` } })
      assert.match(await take(sent.returnPath, report(sent.address)), /^250 /)
      assert.equal((await events(sent, 'bounces')).length, 1)
      assert.deepEqual(await flagsOf(sent), [])
    })

    test('an old message is found by its activation when nothing else of it is left', async () => {
      const sent = await send()
      await context.pool.query('delete from sent_messages where stamp = $1', [sent.stamp])
      clock.advance(390 * 24 * 3600 * 1000)
      assert.match(await take(sent.returnPath, report(sent.address)), /^250 /)
      assert.equal((await events(sent, 'bounces')).length, 1)
      assert.deepEqual(await flagsOf(sent), [52])
      clock.set(Date.now())
    })

    test('a report that arrives before the activation is recorded is linked to it', async () => {
      const address = `early${++named}@mailbox.example`
      const contact = await stage.contact(address)
      const action = await stage.validated(await stage.action())
      const { body } = await call('POST', `/actions/${action}/execution`, {
        body: { recipient: { type: 'id', value: contact } },
      })
      const returnPath = `bounce+${signStampAddress(context.tokens, 'bounce', own.account, body.id)}@stentor.example`
      assert.match(await take(returnPath, report(address)), /^250 /)
      const sent = { action, contact } as Sent
      assert.equal((await events(sent, 'bounces'))[0].source.detail.activation.stamp.id, body.id)
      assert.deepEqual(await flagsOf(sent), [52])
    })

    test("a proof's bounce is recorded and has no effect", async () => {
      const contact = await stage.contact('proof@desk.example')
      const action = await stage.validated(await stage.action())
      const sent = sentTo('proof@desk.example', { action, contact })
      assert.match(await take(sent.returnPath, report(sent.address)), /^250 /)
      const [bounce] = await events(sent, 'bounces')
      assert.equal(bounce.source.detail.activation.kind, 'test')
      assert.deepEqual(await flagsOf(sent), [])
    })

    test('a report to the reports address is matched by our stamp in its header', async () => {
      const sent = await send()
      const mail = fixture('postfix-unknown-mailbox.eml').replace(
        'Message-ID:',
        `X-Stamp: ${sent.stampToken}\r\nMessage-ID:`,
      )
      assert.match(await take(REPORTS, mail), /^250 /)
      assert.equal((await events(sent, 'bounces')).length, 1)
    })
  })

  suite('complaints', () => {
    test('a report with masked addresses is matched by X-Stamp: one complaint, red list 5, flag 6', async () => {
      const sent = await send()
      const mail = fixture('complaint-masked.eml', { STAMP: sent.stampToken })
      for (let n = 0; n < 2; n++) assert.match(await take(REPORTS, mail), /^250 /)
      const complaints = await events(sent, 'complaints')
      assert.equal(complaints.length, 1)
      const { activation, complaint } = complaints[0].source.detail
      assert.equal(activation.stamp.id, sent.stamp)
      assert.deepEqual(complaint, {
        time: clock.now(),
        feedback: {
          type: 'abuse',
          userAgent: 'loop/1.0',
          version: '1',
          sourceIp: '198.51.100.7',
          reportedDomain: 'shop.example',
        },
        provider: 'loop.example',
        recipient: sent.address,
      })
      const contact = await contactOf(sent)
      assert.equal(contact.redList.mail.reason, 5)
      assert.deepEqual(
        contact.bounce.map(({ type }: Any) => type),
        [6],
      )
    })

    test('a not-spam report has no effect', async () => {
      const sent = await send()
      assert.match(await take(REPORTS, fixture('complaint-not-spam.eml', { STAMP: sent.stampToken })), /^250 /)
      assert.deepEqual(await events(sent, 'complaints'), [])
      assert.deepEqual((await contactOf(sent)).redList, {})
    })

    test('a virus report is recorded and changes nothing', async () => {
      const sent = await send()
      const mail = fixture('complaint-masked.eml', { STAMP: sent.stampToken }).replace(': abuse', ': virus')
      assert.match(await take(REPORTS, mail), /^250 /)
      assert.equal((await events(sent, 'complaints')).length, 1)
      assert.deepEqual((await contactOf(sent)).redList, {})
    })

    test('a report is matched by the return path, the unsubscribe link or address, or the Message-ID', async () => {
      const traces = [
        (sent: Sent) => `Return-Path: <${sent.returnPath}>`,
        (sent: Sent) => `List-Unsubscribe: <mailto:${sent.unsubscribe}>`,
        (sent: Sent) => `List-Unsubscribe: <${/https:\S+\/t\/u\/[\w-]+/.exec(sent.mail.replace(/\r\n /g, ''))?.[0]}>`,
        (sent: Sent) => `Message-ID: <${sent.stamp}@stentor.example>`,
      ]
      for (const trace of traces) {
        const sent = await send()
        const mail = fixture('complaint-masked.eml').replace('X-Stamp: @STAMP@', trace(sent))
        assert.match(await take(REPORTS, mail), /^250 /)
        assert.equal((await events(sent, 'complaints')).length, 1, trace(sent))
      }
    })

    test('a report is matched whatever the structure of the message that it returns', async () => {
      const text = 'Content-Type: text/plain\n\nCome in.\n'
      const parts = (type: string, boundary: string, ...all: string[]) =>
        `MIME-Version: 1.0\nContent-Type: multipart/${type}; boundary=${boundary}\n\n${all.map((one) => `--${boundary}\n${one}\n`).join('')}--${boundary}--\n`
      const alternative = parts('alternative', 'i', text, 'Content-Type: text/html\n\n<p>Come in.</p>\n')
      const structures = {
        'a text': text,
        alternatives: alternative,
        'alternatives in a mixed one': parts('mixed', 'o', alternative, 'Content-Type: application/pdf\n\n%PDF\n'),
        'related parts': parts('related', 'o', alternative, 'Content-Type: image/gif\n\nGIF89a\n'),
        'signed parts': parts('signed', 'o', alternative, 'Content-Type: application/pkcs7-signature\n\nMII=\n'),
        'a part without an end': alternative.replace('--i--\n', ''),
      }
      for (const [name, structure] of Object.entries(structures)) {
        const sent = await send()
        const mail = fixture('complaint-masked.eml', { STAMP: sent.stampToken }).replace(
          /\r?\nCome in\.\r?\n/,
          structure,
        )
        assert.match(await take(REPORTS, mail.replaceAll(/\r?\n/g, '\r\n')), /^250 /)
        assert.equal((await events(sent, 'complaints')).length, 1, name)
        assert.deepEqual(await flagsOf(sent), [6], name)
      }
    })

    test('the whole mail sent back without a report format is a complaint', async () => {
      const sent = await send()
      const mail = fixture('complaint-without-report.eml').replace('Come in.', sent.mail)
      assert.match(await take('abuse@stentor.example', mail), /^250 /)
      assert.equal((await events(sent, 'complaints')).length, 1)
    })

    test('a complaint that names only an address is accepted when a known feedback loop signed it', async () => {
      const [first, latest] = [await send(), await send()]
      const mail = (sent: Sent) =>
        fixture('complaint-masked.eml').replace(': redacted@', `: ${sent.address.toUpperCase()}`)
      const forged = await signedBy('shop.example', mail(first))
      for (const unsure of [
        mail(first),
        forged,
        (await signedBy('yahoo.com', mail(latest))).replace('loop/1.0', 'loop/2.0'),
      ])
        assert.match(await take(REPORTS, unsure), /^250 /)
      assert.deepEqual([await events(first, 'complaints'), await events(latest, 'complaints')], [[], []])
      assert.match(await take(REPORTS, await signedBy('arf.mail.yahoo.com', mail(latest))), /^250 /)
      assert.equal((await events(latest, 'complaints')).length, 1)
      clock.advance(31 * 24 * 3600 * 1000)
      assert.match(await take(REPORTS, await signedBy('yahoo.com', mail(first))), /^250 /)
      assert.deepEqual(await events(first, 'complaints'), [])
      clock.set(Date.now())
    })

    test('a complaint that matches no message is kept for operators and counted', async () => {
      const [before, counted] = [await unmatched(), await figure('unmatched')]
      assert.match(await take(REPORTS, fixture('complaint-masked.eml')), /^250 /)
      assert.match(await take(REPORTS, fixture('person-asks.eml')), /^250 /)
      assert.deepEqual(await keptSince(before), ['complaint', 'other'])
      assert.equal(await figure('unmatched'), counted + 2)
    })
  })

  suite('unsubscribe mails', () => {
    test('a mail to the signed address, whatever its text, unsubscribes once with origin 4', async () => {
      const sent = await send()
      for (const mail of [fixture('person-asks.eml'), 'Subject: unsubscribe\r\n\r\n', fixture('vacation.eml')])
        assert.match(await take(sent.unsubscribe, mail), /^250 /)
      const hits = await events(sent, 'hits/unsubscribe')
      assert.equal(hits.length, 1)
      const { link, hit } = hits[0].source.detail
      assert.deepEqual(link, { type: 'unsubscribe', via: 'mailto' })
      assert.deepEqual([hit.ip, hit.userAgent, hit.classification], [null, null, null])
      const { redList } = await contactOf(sent)
      assert.deepEqual([redList.mail.reason, redList.sms], [4, undefined])
    })

    test('a return path cannot be turned into an unsubscribe address', async () => {
      const sent = await send()
      assert.match(await take(sent.returnPath.replace('bounce+', 'unsub+'), 'Subject: x\r\n\r\n'), /^550 /)
      assert.match(await take(sent.unsubscribe.replace('unsub+', 'bounce+'), report(sent.address)), /^550 /)
      assert.deepEqual((await contactOf(sent)).redList, {})
    })
  })

  suite('recipients of inbound mail', () => {
    test("nothing signed for another account reaches this account's contacts", async () => {
      const sent = await send()
      const foreign = signStampAddress(context.tokens, 'bounce', other.account, sent.stamp)
      const before = await unmatched()
      assert.match(await take(`bounce+${foreign}@stentor.example`, report(sent.address)), /^250 /)
      const stamp = signStampAddress(context.tokens, 'stamp', other.account, sent.stamp)
      assert.match(await take(REPORTS, fixture('complaint-masked.eml', { STAMP: stamp })), /^250 /)
      assert.deepEqual(await keptSince(before), ['bounce', 'complaint'])
      assert.deepEqual([await events(sent, 'bounces'), await events(sent, 'complaints')], [[], []])
      assert.deepEqual(await flagsOf(sent), [])
    })

    test('unknown recipients are refused at once: no relaying, no other address, no foreign domain', async () => {
      const refused = await figure('refused')
      for (const address of [
        'ann@elsewhere.example',
        'postmaster@stentor.example',
        'bounce@stentor.example',
        'fbl@elsewhere.example',
        `bounce+${'a'.repeat(50)}@stentor.example`,
        'ann%elsewhere.example@stentor.example',
      ])
        assert.match(
          await take(address, report('ann@elsewhere.example')),
          /^550 5\.1\.1 No such address here$/,
          address,
        )
      assert.equal(await figure('refused'), refused + 6)
    })

    test("reports to a profile's bounce domain are accepted", async () => {
      await call('PUT', '/settings/sending', {
        body: { profiles: [{ channel: 'email', name: 'Shop', default: true, bounceDomain: 'b.shop.example' }] },
      })
      clock.advance(11_000)
      const sent = await send()
      assert.match(sent.returnPath, /@b\.shop\.example$/)
      assert.match(
        await take('FBL@B.shop.example', fixture('complaint-masked.eml', { STAMP: sent.stampToken })),
        /^250 /,
      )
      assert.equal((await events(sent, 'complaints')).length, 1)
    })
  })

  suite('the SMTP session', () => {
    test('a mail over 10 MiB is refused with 552, announced or not', async () => {
      const sent = await send()
      const client = await openMailClient(listener.port)
      await client.say('EHLO relay.example')
      assert.match(await client.say(`MAIL FROM:<> SIZE=${11 * 1024 * 1024}`), /^552 /)
      await client.say('MAIL FROM:<>')
      await client.say(`RCPT TO:<${sent.returnPath}>`)
      await client.say('DATA')
      client.write(report(sent.address))
      for (let n = 0; n < 11; n++) client.write('x'.repeat(1022).concat('\r\n').repeat(1024))
      assert.match(await client.say('.'), /^552 /)
      client.close()
      assert.deepEqual(await events(sent, 'bounces'), [])
    })

    test('a mail of 9 MiB is read when its report is at the beginning', async () => {
      const sent = await send()
      const mail =
        report(sent.address) +
        'x'
          .repeat(1022)
          .concat('\r\n')
          .repeat(9 * 1024)
      assert.match(await take(sent.returnPath, mail), /^250 /)
      assert.equal((await events(sent, 'bounces')).length, 1)
    })

    test('a mail that breaks off is not accepted', async () => {
      const sent = await send()
      const client = await openMailClient(listener.port)
      await client.say('EHLO relay.example')
      await client.say('MAIL FROM:<>')
      await client.say(`RCPT TO:<${sent.returnPath}>`)
      await client.say('DATA')
      client.write(report(sent.address))
      client.socket.end()
      await client.answer()
      assert.deepEqual(await events(sent, 'bounces'), [])
    })

    test('a hundred recipients are accepted and the next is deferred, and one mail may reach several addresses', async () => {
      const sent = await send()
      const client = await openMailClient(listener.port)
      await client.say('EHLO relay.example')
      await client.say('MAIL FROM:<>')
      await client.say(`RCPT TO:<${sent.returnPath}>`)
      await client.say(`RCPT TO:<${sent.unsubscribe}>`)
      for (let n = 2; n < 100; n++) {
        const token = signStampAddress(
          context.tokens,
          'bounce',
          own.account,
          `019b78c9-0a80-70fa-807f-3375bd03d3${n + 100 > 255 ? '00' : (n + 100).toString(16)}`,
        )
        assert.match(await client.say(`RCPT TO:<bounce+${token}@stentor.example>`), /^250 /)
      }
      assert.match(await client.say(`RCPT TO:<${REPORTS}>`), /^452 /)
      await client.say('DATA')
      client.write(report(sent.address))
      assert.match(await client.say('.'), /^250 /)
      client.close()
      assert.equal((await events(sent, 'bounces')).length, 1)
      assert.equal((await events(sent, 'hits/unsubscribe')).length, 1)
    })

    test('STARTTLS is offered only with a certificate, and no login is offered', async () => {
      const plain = await openMailClient(listener.port)
      assert.match(await plain.say('STARTTLS'), /^50[02] /)
      await plain.say('EHLO relay.example')
      assert.match(await plain.say('AUTH PLAIN AGEAYg=='), /^50[02] /)
      plain.close()
      const tls = join(import.meta.dirname, '../../fixtures/tls')
      const config = {
        ...context.config,
        dataDir: join(stage.dataDir, 'tls'),
        smtpInCertificate: join(tls, 'test-only-cert.pem'),
        smtpInKey: join(tls, 'test-only-key.pem'),
      }
      const second = await listen({ ...context, config }, new Registry())
      const client = await openMailClient(second.port)
      await client.say('EHLO relay.example')
      assert.match(await client.say('STARTTLS'), /^220 /)
      client.socket.removeAllListeners('data')
      const secure = connectTls({ socket: client.socket, rejectUnauthorized: false })
      await new Promise((resolve) => secure.once('secureConnect', resolve))
      assert.match(String(secure.getProtocol()), /^TLSv1\.[23]$/)
      secure.destroy()
      await second.stop()
    })
  })

  suite('while the database is down', () => {
    const spool = join(stage.dataDir, 'spool', 'mail')
    const isEmpty = async (): Promise<boolean> => (await readdir(spool)).length === 0

    test('mail is stored on disk, and its reports appear once when the database is back', async () => {
      const [bounced, gone, angry] = [await send(), await send(), await send()]
      proxy.cut()
      const complaint = fixture('complaint-masked.eml', { STAMP: angry.stampToken })
      assert.match(await take(bounced.returnPath, report(bounced.address)), /^250 /)
      assert.match(await take(bounced.returnPath, report(bounced.address)), /^250 /)
      assert.match(await take(gone.unsubscribe, 'Subject: stop\r\n\r\n'), /^250 /)
      assert.match(await take(REPORTS, complaint), /^250 /)
      assert.equal(await isEmpty(), false)
      const times = clock.now()
      clock.advance(60_000)
      proxy.restore()
      await eventually(isEmpty)
      const [bounce, ...others] = await events(bounced, 'bounces')
      assert.deepEqual([others, bounce.source.detail.bounce.time], [[], times])
      assert.deepEqual(await flagsOf(bounced), [52])
      assert.equal((await events(gone, 'hits/unsubscribe')).length, 1)
      assert.equal((await events(angry, 'complaints')).length, 1)
      assert.ok((await figure('spooled')) >= 4)
    })

    test('mail is accepted while the database hangs', async () => {
      const sent = await send()
      proxy.freeze()
      assert.match(await take(sent.returnPath, report(sent.address)), /^250 /)
      proxy.restore()
      await eventually(isEmpty)
      assert.equal((await events(sent, 'bounces')).length, 1)
    })

    test('a report whose commit was not confirmed counts once', async () => {
      const sent = await send()
      proxy.cutAtCommit()
      assert.match(await take(sent.returnPath, report(sent.address)), /^250 /)
      proxy.restore()
      await eventually(isEmpty)
      assert.equal((await events(sent, 'bounces')).length, 1)
    })

    test('mail that a dead process left on disk is stored by the next one', async () => {
      const sent = await send()
      const dying = await listen({ ...context, db: away.db, pool: away.pool }, new Registry())
      proxy.cut()
      assert.match(await deliver(dying.port, sent.returnPath, report(sent.address)), /^250 /)
      await dying.stop()
      const [file = ''] = await readdir(spool)
      await utimes(join(spool, file), new Date(0), new Date(0))
      proxy.restore()
      await eventually(isEmpty)
      assert.equal((await events(sent, 'bounces')).length, 1)
    })
  })

  suite('retention of inbound mail', () => {
    test('unmatched reports are deleted after 30 days', async () => {
      assert.ok((await unmatched()).length > 0)
      const day = 24 * 3600 * 1000
      await context.pool.query('update unmatched_reports set received_at = $1', [new Date(clock.now())])
      await purgeExpiredRows(context, 'forgetUnmatched', clock.now() + 29 * day)
      assert.ok((await unmatched()).length > 0)
      await purgeExpiredRows(context, 'forgetUnmatched', clock.now() + 31 * day)
      assert.deepEqual(await unmatched(), [])
    })
  })
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { within } from '#test/support/processes/processor-time.ts'
import { MAX_MAIL_READ_BYTES } from '../../../lib/text/mail/mime.ts'
import { toClassifiedReport } from './compare-bounce-labels.ts'
import { type MailRecipientReport, parseMailReports } from './reports.ts'

const FIXTURES = join(import.meta.dirname, '../../../../test/fixtures/bounces')

/** What each mail must be taken for: `hard` and `soft` are bounces. */
const expected: Record<string, [what: string, status: string | undefined, recipient: string | undefined][]> = {
  'blocked-despite-code.eml': [['soft', '5.1.3', 'ann@mailbox.example']],
  'challenge.eml': [['none', undefined, undefined]],
  'complaint-masked.eml': [['complaint', undefined, undefined]],
  'complaint-not-spam.eml': [['complaint', undefined, undefined]],
  'complaint-without-report.eml': [['complaint', undefined, 'ann@mailbox.example']],
  'delayed-report.eml': [['soft', '4.4.1', 'ann@mailbox.example']],
  'delayed-warning.eml': [['soft', '4.0.0', 'ann@mailbox.example']],
  'delivered-report.eml': [
    ['none', '2.1.5', 'ann@mailbox.example'],
    ['none', '2.0.0', 'bob@office.example'],
  ],
  'exchange-french.eml': [['hard', '5.1.1', 'ann@mailbox.example']],
  'exim-two-recipients.eml': [
    ['soft', '5.2.2', 'ann@mailbox.example'],
    ['hard', '5.0.0', 'bob@nowhere.example'],
  ],
  'german-8bit.eml': [['hard', '5.0.0', 'ann@mailbox.example']],
  'host-without-mail.eml': [['hard', '5.0.0', 'bob@nowhere.example']],
  'html-only.eml': [['hard', '5.0.0', 'ann@mailbox.example']],
  'international-address.eml': [['hard', '5.1.1', 'zoé@exämple.example']],
  'japanese-text.eml': [['hard', '5.0.0', 'ann@mailbox.example']],
  'json-notice.eml': [['hard', '5.1.1', 'ann@mailbox.example']],
  'mailbox-expired-spanish.eml': [['hard', '5.0.0', 'ana@correo.example']],
  'person-asks.eml': [['none', undefined, undefined]],
  'postfix-unknown-mailbox.eml': [['hard', '5.1.1', 'ann@mailbox.example']],
  'qmail-closed-account.eml': [['hard', '5.0.0', 'ann@mailbox.example']],
  'report-sent-on.eml': [['hard', '5.1.1', 'ann@mailbox.example']],
  'report-without-boundary.eml': [
    ['soft', '5.2.2', 'ann@mailbox.example'],
    ['soft', '5.7.1', 'bob@office.example'],
  ],
  'scanned-footer.eml': [['hard', '5.1.1', 'ann@mailbox.example']],
  'sendmail-old-transcript.eml': [
    ['soft', '5.0.0', 'ann@mailbox.example'],
    ['hard', '5.0.0', 'bob@nowhere.example'],
    ['hard', '5.0.0', 'cleo@office.example'],
  ],
  'sendmail-unknown-host.eml': [['hard', '5.1.2', 'bob@nowhere.example']],
  'too-large-despite-code.eml': [['soft', '5.1.1', 'bob@office.example']],
  'unauthorized-sender.eml': [['soft', '5.1.1', 'ann@mailbox.example']],
  'vacation.eml': [['none', undefined, undefined]],
}

const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, name))

suite('reports read from a mail', () => {
  for (const [name, reports] of Object.entries(expected)) {
    test(name, () => {
      const found = parseMailReports(fixture(name)).reports.map(toClassifiedReport)
      assert.deepEqual(
        found.map(({ kind, verdict, status, recipient }) => [verdict ?? kind, status, recipient]),
        reports,
      )
    })
  }

  test('every fixture has an expected report', () => {
    assert.deepEqual(readdirSync(FIXTURES).sort(), Object.keys(expected).sort())
  })

  test('a delivery report has its codes, reply, original diagnostic and refusing server', () => {
    const [bounce] = parseMailReports(fixture('postfix-unknown-mailbox.eml')).reports
    assert.deepEqual(bounce, {
      kind: 'bounce',
      recipient: 'ann@mailbox.example',
      original: 'ann@mailbox.example',
      isDelayed: false,
      diagnostic:
        'smtp; 550 5.1.1 <ann@mailbox.example>: Recipient address rejected: User unknown in local recipient table',
      mta: 'mx.mailbox.example',
      analysis: {
        enhanced: '5.1.1',
        reply: 550,
        subject: { type: 'address', detail: { type: 'bad destination mailbox address' } },
        verdict: 'hard',
        rule: 'user-unknown',
      },
    })
  })

  test('a complaint has all of its members', () => {
    const [complaint] = parseMailReports(fixture('complaint-masked.eml')).reports
    assert.deepEqual(complaint, {
      kind: 'complaint',
      feedback: 'abuse',
      recipient: null,
      userAgent: 'loop/1.0',
      version: '1',
      sourceIp: '198.51.100.7',
      reportedDomain: 'shop.example',
      mailFrom: null,
    })
  })

  test('a mail is marked as delayed while delivery is still being tried', () => {
    for (const name of ['delayed-report.eml', 'delayed-warning.eml']) {
      const [report] = parseMailReports(fixture(name)).reports
      assert.ok(report?.kind === 'bounce' && report.isDelayed, name)
      assert.equal(report.analysis.verdict, 'soft', name)
    }
  })
})

/** Mails cut short, with bytes changed, and with parts of others in them. */
function* broken(): Generator<Buffer> {
  const random = seeded(7)
  const mails = Object.keys(expected).map(fixture)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  for (const mail of mails) {
    for (let n = 0; n < 12; n++) yield mail.subarray(0, Math.floor(random() * mail.length))
    for (let n = 0; n < 12; n++) {
      const changed = Buffer.from(mail)
      for (let k = 0; k < 1 + random() * 20; k++)
        changed[Math.floor(random() * mail.length)] = pick([0, 10, 13, 32, 45, 58, 61, 255, 64, 60])
      yield changed
    }
    for (let n = 0; n < 6; n++) {
      const other = pick(mails)
      const at = Math.floor(random() * mail.length)
      yield Buffer.concat([
        mail.subarray(0, at),
        other.subarray(Math.floor(random() * other.length)),
        mail.subarray(at),
      ])
    }
  }
}

/** The reports that are read from a mail within a second. */
const readSoon = (mail: Buffer): readonly MailRecipientReport[] => within(1000, () => parseMailReports(mail).reports)

suite('hostile mails', () => {
  test('broken mails are read without an error, each within a second', () => {
    for (const mail of broken()) {
      const reports = readSoon(mail)
      assert.ok(reports.length > 0)
      for (const report of reports) assert.ok(JSON.stringify(toClassifiedReport(report)).length > 0)
    }
  })

  const boundary = 'MIME-Version: 1.0\r\nContent-Type: multipart/report; boundary=b\r\nSubject: Undeliverable\r\n\r\n'
  const nested = (n: number): string =>
    n === 0
      ? 'x'
      : `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n${nested(n - 1)}\r\n--b${n}--\r\n`
  const bombs: Record<string, string> = {
    'a thousand parts within each other': nested(400),
    'a hundred thousand parts': boundary + '--b\r\n\r\nx\r\n'.repeat(100_000),
    'a message in a message in a message': 'Content-Type: message/rfc822\r\n\r\n'.repeat(20_000),
    'a header of a megabyte': `Subject: ${'undeliverable '.repeat(90_000)}\r\n\r\nx`,
    'a hundred thousand header lines': `${'X-A: b\r\n'.repeat(100_000)}\r\nx`,
    'nothing but equal signs': `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'='.repeat(1_000_000)}`,
    'nothing but tags': `Content-Type: text/html\r\nSubject: Undeliverable\r\n\r\n${'<style>'.repeat(150_000)}`,
    'nothing but addresses': `From: mailer-daemon@x.example\r\nSubject: failed\r\n\r\n${'a@b.example\r\n'.repeat(70_000)}`,
    'nothing but recipients': `${boundary}--b\r\nContent-Type: message/delivery-status\r\n\r\n${'Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\nDiagnostic-Code: smtp; 550 user unknown\r\n\r\n'.repeat(9000)}`,
    'a word of a megabyte': `From: mailer-daemon@x.example\r\nSubject: failed\r\n\r\n${'user'.repeat(250_000)}`,
    'words of the rules': `From: mailer-daemon@x.example\r\nSubject: failed\r\n\r\n<a@b.example>: ${'user account is mailbox '.repeat(40_000)}`,
    ...Object.fromEntries(
      [
        'a@b.example, ',
        '<a@b.example> ',
        "'a@b.example' (",
        'x: a@b.example; ',
        '550 <a@b.example>... ',
        'a@b.',
        'to a@b.example ',
        '>>> ',
      ].flatMap((piece) =>
        [1000, 250_000].map((length) => [
          `${length} characters a line of ${piece}`,
          `From: mailer-daemon@x.example\r\nSubject: failed\r\n\r\n${`${piece.repeat(length).slice(0, length)}\r\n`.repeat(250_000 / length)}`,
        ]),
      ),
    ),
    'lines of 45 addresses': `From: mailer-daemon@x.example\r\nSubject: failed\r\n\r\n${`${Array(45).fill("'a@b.example'").join(', ')}\r\n`.repeat(330)}`,
    'references of HTML': `Content-Type: text/html\r\nSubject: Undeliverable\r\n\r\n${'&#x41;&eacute;&&&#'.repeat(15_000)}`,
    'an unknown charset': 'Content-Type: text/plain; charset="no-such"\r\n\r\n\xff\xfe',
    nothing: '',
  }
  for (const [name, mail] of Object.entries(bombs)) {
    test(`a mail of ${name} is read within a second`, () => {
      const bytes = Buffer.from(mail, 'latin1')
      assert.ok(readSoon(bytes).length <= 100)
    })
  }

  test('only the beginning of a very large mail is read', () => {
    const mail = Buffer.concat([fixture('exim-two-recipients.eml'), Buffer.alloc(50 * MAX_MAIL_READ_BYTES, 'x')])
    assert.equal(readSoon(mail).length, 2)
  })
})

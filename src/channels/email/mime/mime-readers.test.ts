import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { describe, it } from 'node:test'
import { simpleParser } from 'mailparser'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { type ReadMail, readWithPython, verifyWithMailauth, withoutPython } from '#test/support/files/mail-readers.ts'
import { createDkimKey, dkimAlgorithms, formatDkimRecord } from '../../../lib/crypto/dkim-keys.ts'
import { toWireMailAddress } from '../../../lib/text/mail-address.ts'
import { composeMail, type MailComposeInput, toMailBytes } from './mime.ts'
import { buildAttachmentPart, type MimeAttachment } from './mime-parts.ts'
import { signMail, signMailOffThread } from './signing.ts'

const DOMAIN = 'mail.shop.example'
const made = await Promise.all(
  dkimAlgorithms.map(async (algorithm) => ({ algorithm, ...(await createDkimKey(algorithm)) })),
)
const keys = made.map(({ algorithm, privateKey }) => ({
  algorithm,
  selector: `${algorithm.slice(0, 1)}1`,
  key: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
}))
const records = Object.fromEntries(
  made.map(({ algorithm, publicKey }) => [
    `${algorithm.slice(0, 1)}1._domainkey.${DOMAIN}`,
    formatDkimRecord(algorithm, publicKey),
  ]),
)

/** A content whose parts are whole. */
interface Texts {
  format: 1 | 2 | 3
  html?: string
  text?: string
}

/** A message and the files that go with it. */
interface Given {
  input: MailComposeInput & { content: Texts }
  files: MimeAttachment[]
}

const common = {
  from: { address: `news@${DOMAIN}`, label: 'The Shop' },
  to: { address: 'ann@example.org' },
  timeMs: Date.UTC(2026, 2, 20, 8),
  stamp: '019512a0-7c11-7d2e-9a42-0c1de0a5b001',
  stampToken: 'aeaaaaabagk',
  unsubscribe: { url: 'https://t.shop.example/t/u/AQQAAAAB', address: 'unsub+aeaaaaabagk@b.shop.example' },
  feedbackId: '000K7Q:ACME001:campaign:stentor',
  purpose: 'marketing',
} as const

function bytesOf({ input, files }: Given): Buffer {
  const mail = composeMail({ ...input, attachments: files.map(buildAttachmentPart) })
  assert.ok('headers' in mail, 'an address was refused')
  return toMailBytes(signMail(mail, keys))
}

/** Line ends as a part has them, and halves of surrogate pairs as UTF-8 has them. */
const asText = (text = ''): string => text.toWellFormed().replace(/\r\n?|\n/g, '\n')

/** What a header keeps of a text. */
const asHeader = (text = ''): string =>
  text
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .trim()

/** The texts of a content, in the order of their parts. */
function textsOf({ format, html, text }: Texts): string[] {
  return [...(format === 1 ? [] : [asText(text ?? '')]), ...(format === 3 ? [] : [asText(html ?? '')])]
}

/** What holds for every message on the wire. */
function assertSound(bytes: Buffer): void {
  const wire = bytes.toString('latin1')
  assert.doesNotMatch(wire, /\r(?!\n)|(?<!\r)\n/)
  const [head = ''] = wire.split('\r\n\r\n', 1)
  for (const line of head.split('\r\n')) assert.ok(line.length <= 998)
  for (const line of wire.slice(head.length).split('\r\n')) assert.ok(line.length <= 78, line)
  const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name.toLowerCase())
  const once = names.filter((name) => name !== 'dkim-signature')
  assert.equal(new Set(once).size, once.length, 'a header stands twice')
}

async function assertReadByMailparser(bytes: Buffer, { input, files }: Given): Promise<void> {
  const mail = await simpleParser(bytes, { skipTextToHtml: true, skipHtmlToText: true })
  const { content, subject, from, to } = input
  assert.equal(mail.subject ?? '', asHeader(subject))
  assert.deepEqual(mail.from?.value, [{ address: from.address, name: asHeader(from.label ?? '') }])
  assert.deepEqual([mail.to].flat()[0]?.value[0]?.address, to.address)
  if (content.format !== 3) assert.equal(String(mail.html).trimEnd(), asText(content.html ?? '').trimEnd())
  if (content.format !== 1) assert.equal((mail.text ?? '').trimEnd(), asText(content.text ?? '').trimEnd())
  assert.deepEqual(
    mail.attachments.map(({ content: file }) => file.toString('base64')),
    files.map(({ content: file }) => Buffer.from(file).toString('base64')),
  )
}

function assertReadByPython(mail: ReadMail, { input, files }: Given): void {
  const { content, subject, from, to, cc = [] } = input
  assert.deepEqual(mail.defects, [])
  assert.equal(mail.subject, asHeader(subject))
  assert.deepEqual(mail.from, [[asHeader(from.label ?? ''), from.address]])
  assert.deepEqual(mail.to, [['', toWireMailAddress(to.address)]])
  assert.deepEqual(
    mail.cc.map(([, address]) => address),
    cc.map(({ address }) => address),
  )
  const [texts, attached] = [
    mail.parts.filter((part) => !part.disposition),
    mail.parts.filter((part) => part.disposition),
  ]
  assert.deepEqual(
    texts.map((part) => asText(Buffer.from(part.content, 'base64').toString())),
    // The last line of a message ends, that of a part within it does not.
    textsOf(content).map((text) => (mail.types.length === 1 ? `${text}\n` : text)),
  )
  assert.deepEqual(
    attached.map(({ name, content: file }) => [name, file]),
    files.map(({ name, content: file }) => [asHeader(name), Buffer.from(file).toString('base64')]),
  )
  if (mail.signatures) assert.deepEqual(mail.signatures, [true, true])
}

async function assertVerifies(bytes: Buffer): Promise<void> {
  const verified = await verifyWithMailauth(bytes, records)
  assert.deepEqual(
    verified.map(({ result, domain, algorithm }) => [result, domain, algorithm]),
    dkimAlgorithms.map((algorithm) => ['pass', DOMAIN, algorithm]),
  )
}

const TROUBLE = [
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\n\n\n',
  '.',
  '\n.\n',
  '\r.\r',
  'From ',
  '\nFrom ',
  '=',
  '=?utf-8?Q?x?=',
  '--=_mixed',
  '\n--=_alternative--\n',
  'é',
  '’',
  '🎉',
  '👨‍👩‍👧‍👦',
  'مرحبا بكم',
  'שלום',
  '日本語',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\udc00',
  '\0',
  '\x7f',
  '\u0085',
  '\u2028',
  '\r\nBcc: x@y.example\r\n',
  '<p>',
  '&amp;',
  '"',
  '\\',
  '(',
  ')',
  ',',
  ';',
  '<a@b.example>',
  'x'.repeat(70),
  'y'.repeat(1200),
  'word '.repeat(30),
  '  indented\n    twice\n',
]

function randomText(next: () => number, most: number): string {
  const pick = () => TROUBLE[Math.floor(next() * TROUBLE.length)] ?? ''
  const letters = () => String.fromCodePoint(97 + Math.floor(next() * 26)).repeat(1 + Math.floor(next() * 8))
  return Array.from({ length: Math.floor(next() * most) }, () => (next() < 0.5 ? pick() : letters())).join('')
}

/** A letter or two that no reader leaves out: what they do with nothing but blanks is their own matter. */
const solid = (text: string): string => `a${text}z`

function randomMail(next: () => number): Given {
  const format = ([1, 2, 3] as const)[Math.floor(next() * 3)] ?? 2
  const template = randomText(next, 60)
  const html = `<p>${template}</p>${template}${randomText(next, 25)}`
  const files = Array.from({ length: Math.floor(next() * 3) }, (_, index) => ({
    name: solid(randomText(next, 4).replace(/\s+/g, ' ')).slice(0, 200) + index,
    type: 'application/pdf',
    content: Buffer.from(Array.from({ length: Math.floor(next() * 300) }, () => Math.floor(next() * 256))),
  }))
  return {
    input: {
      ...common,
      from: { ...common.from, label: solid(randomText(next, 6)).slice(0, 150) },
      cc: next() < 0.3 ? [{ address: 'bob@example.org', label: solid(randomText(next, 6)).slice(0, 80) }] : [],
      subject: solid(randomText(next, 12)).slice(0, 900),
      content: { format, html: solid(html), text: solid(template + randomText(next, 10)) },
    },
    files,
  }
}

const plain = (subject: string, content: Texts, more: Partial<Omit<MailComposeInput, 'content'>> = {}): Given => ({
  input: { ...common, subject, content, ...more },
  files: [],
})

const cases: Record<string, Given> = {
  'a long subject with accents, emoji and right-to-left text': plain(
    `Été 🎉 مرحبا بكم في متجرنا الجديد ${'très longue ligne, '.repeat(30)}`,
    { format: 3, text: 'x' },
  ),
  'a domain beyond ASCII': plain('x', { format: 3, text: 'x' }, { to: { address: 'ann@exämple.example' } }),
  'lines over 998 octets': plain('x', {
    format: 2,
    html: `<p>${'x'.repeat(5000)}</p>`,
    text: `${'word '.repeat(400)}\n${'x'.repeat(3000)}`,
  }),
  'lone dots and bare line ends': plain('x', { format: 2, html: '.\r.\n.\r\n..\n', text: '.\n\r.\r\n.' }),
  'case 24: 5,000 accented characters on one line': plain('x', { format: 3, text: 'é'.repeat(5000) }),
  'an empty text': plain('x', { format: 2, html: '<img src="https://shop.example/a.png">', text: '' }),
  'indented HTML': plain('x', { format: 1, html: '<table>\n\t<tr>\n    <td>  a \t b  </td>\n\t</tr>\n</table>\n\n\n' }),
  'empty lines at the end': plain('x', { format: 3, text: 'a\n\n\n\n' }),
  'files of any name': {
    ...plain('x', { format: 2, html: '<p>x</p>', text: 'x' }),
    files: [
      `Ödön's "plan" (1)*%.pdf`,
      `${'très long '.repeat(20)}.txt`,
      '日本語'.repeat(30),
      `${'a'.repeat(254)}🎉.pdf`.slice(0, 255),
      'a;b=c.pdf',
    ].map((name) => ({ name, type: 'application/pdf', content: Buffer.from(name) })),
  },
}

describe('composed mail › mailparser and mailauth read it as written and signed', () => {
  for (const [name, given] of Object.entries(cases))
    it(name, async () => {
      const bytes = bytesOf(given)
      assertSound(bytes)
      if (given.files.length === 0) await assertReadByMailparser(bytes, given)
      await assertVerifies(bytes)
    })

  it('60 random messages are read as written, and their signatures verify', async () => {
    const next = seeded(20260320)
    for (let round = 0; round < 60; round++) {
      const given = randomMail(next)
      const bytes = bytesOf(given)
      assertSound(bytes)
      await assertReadByMailparser(bytes, given)
      await assertVerifies(bytes)
    }
  })
})

describe('composed mail › Python reads it as written and signed', { skip: withoutPython }, () => {
  it('every sample message is read as written', () => {
    const mails = readWithPython(Object.values(cases).map(bytesOf), records)
    for (const [index, given] of Object.values(cases).entries()) assertReadByPython(mails[index]!, given)
  })

  it('80 random messages are read as written', () => {
    const next = seeded(20260321)
    const given = Array.from({ length: 80 }, () => randomMail(next))
    const mails = readWithPython(given.map(bytesOf), records)
    for (const [index, one] of given.entries()) assertReadByPython(mails[index]!, one)
  })
})

describe('DKIM signature', () => {
  it('is the same when computed off the main thread', async () => {
    const mail = composeMail({ ...common, subject: 'x', content: { format: 3, text: 'x' } })
    assert.ok('headers' in mail)
    await assertVerifies(toMailBytes(await signMailOffThread(mail, keys)))
    assert.deepEqual((await signMailOffThread(mail, keys)).headers[0], signMail(mail, keys).headers[0])
  })

  it('fails when a covered header is changed or a second From is inserted', async () => {
    const bytes = bytesOf(plain('Our doors open', { format: 3, text: 'Come in' })).toString('latin1')
    for (const changed of [
      bytes.replace('Our doors', 'Your doors'),
      bytes.replace('Come in', 'Come on'),
      `From: other@evil.example\r\n${bytes}`,
      bytes.replace('List-Unsubscribe: <https://t.', 'List-Unsubscribe: <https://x.'),
    ]) {
      assert.notEqual(changed, bytes)
      const verified = await verifyWithMailauth(Buffer.from(changed, 'latin1'), records)
      assert.ok(verified.every(({ result }) => result !== 'pass'))
    }
  })

  it('covers each header of the message once and From twice, and nothing else', () => {
    const more = { cc: [{ address: 'a@b.example' }], replyTo: { address: 'c@d.example' }, important: true }
    const text = bytesOf(plain('x', { format: 3, text: 'x' }, more)).toString()
    const covered = [...text.matchAll(/ h=([^;]*);/g)].map(([, names = '']) => names.replace(/\s/g, ''))
    const names = [
      'from',
      'from',
      'to',
      'cc',
      'subject',
      'date',
      'message-id',
      'reply-to',
      'mime-version',
      'content-type',
      'list-unsubscribe',
      'list-unsubscribe-post',
      'feedback-id',
      'precedence',
    ].join(':')
    assert.deepEqual(covered, [names, names])
  })
})

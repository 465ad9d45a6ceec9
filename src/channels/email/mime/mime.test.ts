import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ParsedMail, simpleParser } from 'mailparser'
import { type ComposedMail, composeMail, type MailComposeInput, toMailBytes } from './mime.ts'
import { buildAttachmentPart } from './mime-parts.ts'

const input: MailComposeInput = {
  from: { address: 'news@mail.shop.example', label: 'The Shop' },
  to: { address: 'ann@example.org' },
  subject: 'Our doors open',
  timeMs: Date.UTC(2026, 2, 20, 8),
  stamp: '019512a0-7c11-7d2e-9a42-0c1de0a5b001',
  stampToken: 'aeaaaaabagk',
  unsubscribe: { url: 'https://t.shop.example/t/u/AQQAAAAB', address: 'unsub+aeaaaaabagk@b.shop.example' },
  feedbackId: '000K7Q:ACME001:campaign:stentor',
  purpose: 'marketing',
  content: { format: 2, html: '<p>Come in</p>', text: 'Come in' },
}

function compose(more: Partial<MailComposeInput> = {}): ComposedMail {
  const mail = composeMail({ ...input, ...more })
  assert.ok('headers' in mail, 'an address was refused')
  return mail
}

/** What holds for every message, whatever is in it. */
function assertSound(bytes: Buffer): void {
  const text = bytes.toString('latin1')
  assert.doesNotMatch(text, /\r(?!\n)|(?<!\r)\n/)
  assert.ok(text.endsWith('\r\n'))
  const [head = ''] = text.split('\r\n\r\n')
  for (const line of head.split('\r\n')) {
    assert.match(line, /^(?:[A-Za-z-]+: |[ \t]\S)/)
    assert.ok(line.length <= 998)
    if (line.includes('=?')) assert.ok(line.length <= 76, line)
    for (const word of line.match(/=\?[^ ]*\?=/g) ?? []) assert.ok(word.length <= 75, word)
  }
  const names = head.split('\r\n').flatMap((line) => /^([A-Za-z-]+):/.exec(line)?.[1]?.toLowerCase() ?? [])
  assert.equal(new Set(names).size, names.length, 'a header stands twice')
  for (const line of text.slice(head.length).split('\r\n')) assert.ok(line.length <= 76 || /^Content-/.test(line), line)
}

async function parse(more: Partial<MailComposeInput> = {}): Promise<ParsedMail> {
  const bytes = toMailBytes(compose(more))
  assertSound(bytes)
  return simpleParser(bytes)
}

const rawHeader = (mail: ComposedMail, name: string): string | undefined =>
  mail.headers.find(([header]) => header === name)?.[1]

const names = (mail: ComposedMail): string[] => mail.headers.map(([name]) => name)

describe('composed headers', () => {
  it("a campaign's headers are complete and in order", () => {
    assert.equal(
      toMailBytes(compose()).toString().split('\r\n\r\n')[0],
      [
        'From: The Shop <news@mail.shop.example>',
        'To: ann@example.org',
        'Subject: Our doors open',
        'Date: Fri, 20 Mar 2026 08:00:00 +0000',
        'Message-ID: <019512a0-7c11-7d2e-9a42-0c1de0a5b001@mail.shop.example>',
        'List-Unsubscribe: <https://t.shop.example/t/u/AQQAAAAB>,',
        ' <mailto:unsub+aeaaaaabagk@b.shop.example?subject=unsubscribe>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        'Feedback-ID: 000K7Q:ACME001:campaign:stentor',
        'Precedence: bulk',
        'X-Stamp: aeaaaaabagk',
        'MIME-Version: 1.0',
        'Content-Type: multipart/alternative; boundary="=_alternative"',
      ].join('\r\n'),
    )
  })

  it('service messages have Auto-Submitted and no List headers', () => {
    const mail = compose({ purpose: 'service', unsubscribe: null, feedbackId: null, important: true })
    assert.deepEqual(
      names(mail).filter((name) => !/^(?:From|To|Subject|Date|Message-ID|MIME-Version|Content-Type)$/.test(name)),
      ['Auto-Submitted', 'Importance', 'X-Priority', 'X-Stamp'],
    )
    assert.deepEqual([rawHeader(mail, 'Importance'), rawHeader(mail, 'X-Priority')], ['high', '1'])
  })

  const subjects: Record<string, string> = {
    'plain text': 'Our doors open on Saturday',
    nothing: '',
    accents: 'Ann, nos portes s’ouvrent',
    emoji: '🎉🎉 50% 👨‍👩‍👧‍👦 à gagner 🎉',
    'right-to-left text': 'مرحبا بكم في متجرنا الجديد، تفضلوا بالدخول يوم السبت القادم',
    Chinese: '我们的新店将于本周六上午十点隆重开业，欢迎各位新老顾客光临选购，惊喜多多，优惠多多',
    '998 ASCII characters': 'word '.repeat(199).trim(),
    '998 characters without a blank': 'x'.repeat(998),
    '998 accented characters': 'é'.repeat(998),
    'several blanks': 'a  b   c',
    'what looks like an encoded word': 'see =?utf-8?Q?this?= here',
    punctuation: '"a" <b@c.example>, d: e; (f) _g_ =3D ?=',
  }
  for (const [name, subject] of Object.entries(subjects)) {
    it(`carry a subject of ${name}`, async () => {
      assert.equal((await parse({ subject })).subject ?? '', subject)
    })
  }

  it('use Q encoding for mostly-ASCII text and B encoding for the rest', () => {
    assert.equal(
      rawHeader(compose({ subject: 'Ann, nos portes s’ouvrent' }), 'Subject'),
      '=?utf-8?Q?Ann=2C_nos_portes_s=E2=80=99ouvrent?=',
    )
    assert.match(rawHeader(compose({ subject: 'Привет' }), 'Subject') ?? '', /^=\?utf-8\?B\?/)
  })

  it('never split a character between encoded words', () => {
    for (const subject of ['é'.repeat(300), '🎉'.repeat(200), 'a🎉é'.repeat(100)]) {
      const words = (rawHeader(compose({ subject }), 'Subject') ?? '').split('\r\n ')
      assert.ok(words.length > 5)
      const decoded = words.map((word) => {
        const [, letter, payload = ''] = /^=\?utf-8\?([QB])\?(.*)\?=$/.exec(word) ?? []
        if (letter === 'B') return Buffer.from(payload, 'base64').toString()
        const octets = payload
          .replace(/_/g, ' ')
          .replace(/=(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
        return Buffer.from(octets, 'latin1').toString()
      })
      assert.ok(decoded.every((piece) => !piece.includes('\ufffd')))
      assert.equal(decoded.join(''), subject)
    }
  })

  const labels = [
    'The Shop',
    'Shop, The',
    'O"Neil \\ Sons',
    'Café René',
    '会社'.repeat(40),
    'a'.repeat(300),
    'x@y.example',
    'A <b@c.example>',
    '=?utf-8?Q?x?=',
  ]
  for (const label of labels) {
    it(`carry the sender label ${label.slice(0, 20)}`, async () => {
      const { from } = await parse({ from: { address: 'news@shop.example', label } })
      assert.deepEqual(from?.value, [{ address: 'news@shop.example', name: label }])
    })
  }

  it('list the copies and the reply address', async () => {
    const cc = Array.from({ length: 20 }, (_, index) => ({
      address: `copy${index}@example.com`,
      label: `Copié, ${index}`,
    }))
    const mail = await parse({ cc, replyTo: { address: 'help@shop.example' } })
    assert.deepEqual(
      [mail.cc].flat().flatMap((list) => list?.value ?? []),
      cc.map(({ address, label }) => ({ address, name: label })),
    )
    assert.equal(mail.replyTo?.text, 'help@shop.example')
  })

  it('convert domains to A-labels and report when a local part needs SMTPUTF8', async () => {
    const mail = compose({ to: { address: 'ann@exämple.example' }, from: { address: 'a@bücher.example' } })
    assert.equal(rawHeader(mail, 'To'), 'ann@xn--exmple-cua.example')
    assert.match(rawHeader(mail, 'Message-ID') ?? '', /@xn--bcher-kva\.example>$/)
    assert.equal(mail.smtputf8, false)
    const utf8 = compose({ to: { address: 'zoé@exämple.example', label: 'Zoé' } })
    assert.equal(utf8.smtputf8, true)
    assert.match(toMailBytes(utf8).toString(), /^To: =\?utf-8\?Q\?Zo=C3=A9\?= <zoé@exämple\.example>\r$/m)
  })

  it('refuse an invalid address or one of more than 254 octets, returning it as a value', () => {
    const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
    for (const address of [long, 'a', 'a@', '@b.example', 'a b@c.example', 'a@b.example\r\nBcc: x@y.example', '']) {
      assert.deepEqual(composeMail({ ...input, to: { address } }), { invalidAddress: address })
      assert.deepEqual(composeMail({ ...input, cc: [{ address }] }), { invalidAddress: address })
    }
    assert.ok('headers' in composeMail({ ...input, to: { address: long.slice(1).replace('dd', '') } }))
  })

  it('no input can inject a header', async () => {
    const evil = 'x\r\nBcc: y@z.example\r\n\r\nbody\u2028\0\u0085é'
    for (const text of [evil, evil.replace('é', ''), '\r\n\r\n', '\n', '\r']) {
      const mail = compose({
        subject: text,
        from: { address: 'a@b.example', label: text },
        cc: [{ address: 'c@d.example', label: text }],
        replyTo: { address: 'e@f.example', label: text },
        stamp: text,
        stampToken: text,
        feedbackId: text,
        unsubscribe: { url: `https://t.example/${text}>`, address: `a@b.example?bcc=${text}` },
        attachments: [buildAttachmentPart({ name: text, type: text, content: Buffer.from(text) })],
      })
      const bytes = toMailBytes(mail)
      assertSound(bytes)
      const parsed = await simpleParser(bytes)
      assert.equal(parsed.bcc, undefined)
      assert.equal(parsed.headerLines.length, 14)
      assert.equal(parsed.text, 'Come in')
    }
  })
})

describe('composed bodies', () => {
  const types = (mail: ComposedMail): string[] =>
    [
      ...toMailBytes(mail)
        .toString()
        .matchAll(/^Content-Type: ([^;\r]*)/gm),
    ].map(([, type]) => type ?? '')

  it('contain the parts of their format, in order', () => {
    const all = { html: '<p>a</p>', text: 'b', amp: '<html ⚡4email></html>' }
    assert.deepEqual(types(compose({ content: { ...all, format: 1, amp: null } })), ['text/html'])
    assert.deepEqual(types(compose({ content: { ...all, format: 3 } })), ['text/plain'])
    assert.deepEqual(types(compose({ content: { ...all, format: 1 } })), [
      'multipart/alternative',
      'text/x-amp-html',
      'text/html',
    ])
    assert.deepEqual(types(compose({ content: { ...all, format: 2, amp: '' } })), [
      'multipart/alternative',
      'text/plain',
      'text/html',
    ])
    assert.deepEqual(types(compose({ content: { ...all, format: 2 } })), [
      'multipart/alternative',
      'text/plain',
      'text/x-amp-html',
      'text/html',
    ])
    const attachments = [buildAttachmentPart({ name: 'a.pdf', type: 'application/pdf', content: Buffer.from('x') })]
    assert.deepEqual(types(compose({ content: { ...all, format: 2 }, attachments })), [
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'text/x-amp-html',
      'text/html',
      'application/pdf',
    ])
  })

  const texts: Record<string, string> = {
    'a lone dot': '.\nb\n.',
    'lines over 998 octets': `${'word '.repeat(400)}\n${'x'.repeat(5000)}`,
    '5,000 accented characters on one line': 'é'.repeat(5000),
    'emoji and right-to-left text': '🎉 مرحبا 👨‍👩‍👧‍👦',
    'what looks like a boundary': '--=_alternative\n--=_alternative--\n--=_mixed\nContent-Type: x\n\ny',
    'blanks at line ends': 'a \n\tb\t\n-- \nc',
    'From at a line start': 'From here\nFrom there',
  }
  for (const [name, text] of Object.entries(texts)) {
    it(`carry ${name} unchanged`, async () => {
      const html = `<pre>${text}</pre>`
      const attachments = [buildAttachmentPart({ name: 'a', type: 'text/plain', content: Buffer.from(text) })]
      const mail = await parse({ content: { format: 2, html, text }, attachments })
      assert.equal(mail.text, text)
      assert.equal(mail.html, html)
      assert.equal(mail.attachments[0]?.content.toString(), text)
      assert.equal((await parse({ content: { format: 3, text } })).text?.trimEnd(), text.trimEnd())
    })
  }

  it('convert bare CR and LF to line ends', async () => {
    const mail = await parse({ content: { format: 2, html: 'a\rb\nc\r\nd', text: 'a\rb\nc\r\nd' } })
    assert.equal(mail.text, 'a\nb\nc\nd')
    assert.equal(mail.html, 'a\nb\nc\nd')
  })

  it('carry attachments of any name, type and content', async () => {
    const random = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * index * 31) & 255))
    const files = [
      { name: 'report.pdf', type: 'application/pdf', content: random },
      { name: `Ödön's "plan" (1)*%.pdf`, type: 'application/pdf', content: Buffer.alloc(0) },
      { name: `${'très long '.repeat(20)}.txt`, type: 'text/plain', content: Buffer.from('a') },
      { name: '日本語'.repeat(30), type: 'message/rfc822', content: Buffer.from('ab') },
      { name: '../../etc/passwd', type: 'x; y="z"', content: random.subarray(0, 57) },
      { name: '', type: 'image/png', content: random.subarray(0, 58) },
    ]
    const mail = await parse({ attachments: files.map(buildAttachmentPart) })
    assert.deepEqual(
      mail.attachments.map(({ filename, contentType, content }) => [
        filename,
        contentType,
        content.equals(random) || content.length,
      ]),
      [
        ['report.pdf', 'application/pdf', true],
        [`Ödön's "plan" (1)*%.pdf`, 'application/pdf', 0],
        [`${'très long '.repeat(20)}.txt`, 'text/plain', 1],
        ['日本語'.repeat(30), 'application/octet-stream', 2],
        ['../../etc/passwd', 'application/octet-stream', 57],
        ['attachment', 'image/png', 58],
      ],
    )
  })
})

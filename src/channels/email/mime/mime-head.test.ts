import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildMailHead, type MailHeadInput } from './mime-head.ts'

const input: MailHeadInput = {
  from: { address: 'news@bücher.example', label: 'Café & Thé' },
  to: { address: 'zoé@exämple.example', label: 'Zoé, "la" fée' },
  cc: [{ address: 'Ann.B+x@Mail.Example', label: 'Ann Bell' }, { address: 'b@c.example' }],
  replyTo: { address: 'reply@shop.example', label: 'x'.repeat(80) },
  subject: 'Élodie, voici les horaires d’ouverture de notre boutique pour la semaine prochaine\r\nBcc: x@y.example',
  timeMs: Date.UTC(2026, 0, 2, 3, 4, 5, 999),
  stamp: 'st amp\r\n',
  stampToken: 'aea é',
  unsubscribe: { url: 'https://t.shop.example/é "<{a|b}>\ud800?c=d[1]', address: 'unsub+a b@b.shop.example' },
  feedbackId: 'a:b c\n:d',
  purpose: 'service',
  important: true,
}

describe('mail headers', () => {
  it('encodes each text for its header, without line breaks from the text', () => {
    const head = buildMailHead(input)
    assert.ok('headers' in head)
    assert.deepEqual(
      head.headers.map(([name, value]) => `${name}: ${value}`),
      [
        'From: =?utf-8?B?Q2Fmw6kgJiBUaMOp?= <news@xn--bcher-kva.example>',
        'To: =?utf-8?B?Wm/DqSwgImxhIiBmw6ll?= <zoé@exämple.example>',
        'Cc: Ann Bell <Ann.B+x@Mail.Example>, b@c.example',
        `Reply-To: =?utf-8?Q?${'x'.repeat(54)}?=\r\n =?utf-8?Q?${'x'.repeat(26)}?= <reply@shop.example>`,
        'Subject: =?utf-8?Q?=C3=89lodie=2C_voici_les_horaires_d=E2=80=99ouverture_d?=\r\n' +
          ' =?utf-8?Q?e_notre_boutique_pour_la_semaine_prochaine_Bcc=3A_x=40y=2Eexamp?=\r\n =?utf-8?Q?le?=',
        'Date: Fri, 02 Jan 2026 03:04:05 +0000',
        'Message-ID: <stamp@xn--bcher-kva.example>',
        'List-Unsubscribe: <https://t.shop.example/%C3%A9%20%22%3C%7Ba%7Cb%7D%3E%EF%BF%BD?c=d[1]>,\r\n' +
          ' <mailto:unsub+a%20b@b.shop.example?subject=unsubscribe>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        'Feedback-ID: a:bc:d',
        'Auto-Submitted: auto-generated',
        'Importance: high',
        'X-Priority: 1',
        'X-Stamp: aea',
        'MIME-Version: 1.0',
      ],
    )
    assert.deepEqual([head.domain, head.smtputf8], ['xn--bcher-kva.example', true])
  })

  it('requires SMTPUTF8 only for an address with a non-ASCII local part, in any header', () => {
    const plain = { address: 'a@b.example' }
    const needs = (more: Partial<MailHeadInput>): boolean => {
      const head = buildMailHead({ ...input, to: plain, cc: [], replyTo: null, ...more })
      assert.ok('headers' in head)
      return head.smtputf8
    }
    const local = { address: 'zoé@b.example' }
    assert.deepEqual(
      [
        {},
        { to: { address: 'a@bücher.example', label: 'Zoé' } },
        { from: local },
        { to: local },
        { cc: [local] },
        { replyTo: local },
      ].map(needs),
      [false, false, true, true, true, true],
    )
  })

  it('returns the first invalid address instead of headers', () => {
    const none = { address: 'a b', label: 'x' }
    for (const more of [{ from: none }, { to: none }, { cc: [{ address: 'a@b.example' }, none] }, { replyTo: none }])
      assert.deepEqual(buildMailHead({ ...input, ...more }), { invalidAddress: 'a b' })
  })

  it('writes the date of each message to the second', () => {
    const times = [0, 999, 1000, 1500, 86_400_000, 999].map((timeMs) => {
      const head = buildMailHead({ ...input, timeMs })
      return 'headers' in head && head.headers.find(([name]) => name === 'Date')?.[1]
    })
    const [first, second] = ['Thu, 01 Jan 1970 00:00:00 +0000', 'Thu, 01 Jan 1970 00:00:01 +0000']
    assert.deepEqual(times, [first, first, second, second, 'Fri, 02 Jan 1970 00:00:00 +0000', first])
  })
})

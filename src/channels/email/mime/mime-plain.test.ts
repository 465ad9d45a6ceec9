import assert from 'node:assert/strict'
import { isAscii } from 'node:buffer'
import { it } from 'node:test'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { buildDataPieces } from '../../../gateways/smtp/body.ts'
import { composeMail, type MailComposeInput, toMailPieces } from './mime.ts'
import { buildAttachmentPart } from './mime-parts.ts'

const ROUNDS = 400
const ENVELOPE = { from: 'bounce@shop.example', to: 'ann@example.org' }

/** What could begin a line with a dot, end one with less than CRLF, or need eight bits. */
const WORDS = [
  '.',
  '..',
  '\r\n.',
  '\n.',
  '\r.',
  '\r',
  '\n',
  '\t',
  ' ',
  'é',
  '漢字',
  '=',
  'From ',
  'word',
  'x'.repeat(74),
]

it('a mail vouched to be plain is composed as if its text had been scanned, whatever the text', () => {
  const random = seeded(1)
  const text = (most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, () => WORDS[Math.floor(random() * WORDS.length)]).join('')
  for (let round = 0; round < ROUNDS; round++) {
    const input: MailComposeInput = {
      from: { address: 'news@shop.example', label: text(9) },
      to: { address: 'ann@exämple.example', label: text(9) },
      subject: text(30),
      timeMs: round * 1e9,
      stamp: '019512a0-7c11-7d2e-9a42-0c1de0a5b001',
      stampToken: text(5),
      unsubscribe: { url: `https://t.shop.example/${text(9)}`, address: `unsub+${text(5)}@b.shop.example` },
      feedbackId: text(9),
      purpose: 'marketing',
      content: { format: 2, html: [text(20), text(20), text(200)], text: text(60), amp: text(40) },
      attachments: [buildAttachmentPart({ name: text(9), type: text(9), content: Buffer.from(text(50)) })],
    }
    const mail = composeMail(input)
    assert.ok('headers' in mail)
    assert.equal(mail.smtputf8, false)
    const bytes = toMailPieces(mail)
    const outgoing = { id: 1, envelope: ENVELOPE, bytes }
    const vouchedFor = Buffer.concat(buildDataPieces({ ...outgoing, isPlain: true }, ''))
    assert.deepEqual(vouchedFor.toString('latin1'), Buffer.concat(buildDataPieces(outgoing, '')).toString('latin1'))
    assert.ok(isAscii(vouchedFor), `round ${round} has eight bits`)
  }
})

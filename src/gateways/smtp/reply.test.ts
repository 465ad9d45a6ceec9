import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseSmtpFeatures } from './features.ts'
import {
  createSmtpReplyReader,
  formatReplyDiagnostic,
  getEnhancedCode,
  getReplyReference,
  type SmtpReply,
} from './reply.ts'

function read(...chunks: string[]): { replies: SmtpReply[]; fault: string | undefined } {
  const replies: SmtpReply[] = []
  const reader = createSmtpReplyReader((reply) => replies.push(reply))
  for (const chunk of chunks) {
    const fault = reader(chunk)
    if (fault !== undefined) return { replies, fault }
  }
  return { replies, fault: undefined }
}

describe('SMTP replies', () => {
  it('are read whole, wherever the chunks are split', () => {
    const text = '220 a\r\n250-b\r\n250-\r\n250 c d\r\n354\r\n550 5.1.1 e\n'
    const expected = [
      { code: 220, text: 'a' },
      { code: 250, text: 'b\n\nc d' },
      { code: 354, text: '' },
      { code: 550, text: '5.1.1 e' },
    ]
    for (let cut = 0; cut <= text.length; cut++)
      assert.deepEqual(read(text.slice(0, cut), text.slice(cut)).replies, expected)
    assert.deepEqual(read(...text).replies, expected)
  })

  it('may be UTF-8', () => {
    const wire = Buffer.from('550 5.1.1 boîte inconnue\r\n').toString('latin1')
    assert.equal(read(wire).replies[0]?.text, '5.1.1 boîte inconnue')
  })

  it('are refused in any other form', () => {
    for (const line of ['hello', '', '25 ok', '2500 ok', '150 ok', '650 ok', '250_ok', '250ok', '250-a\r\n251 b'])
      assert.notEqual(read(`${line}\r\n`).fault, undefined, line)
  })

  it('are refused when a line or a reply is too long', () => {
    assert.match(read('2'.repeat(5000)).fault ?? '', /a line of more/)
    assert.match(read('250-x\r\n'.repeat(300)).fault ?? '', /a reply of more/)
  })

  it('have an enhanced code of their class, or x.0.0 by default', () => {
    const codes: [string, string][] = [
      ['550 5.1.1 no such user', '5.1.1'],
      ['550 #5.1.0 Address rejected', '5.1.0'],
      ['550 Requested action not taken: mailbox unavailable (5.2.1)', '5.2.1'],
      ['452 4.2.2 full', '4.2.2'],
      ['550 4.2.2 full', '5.0.0'],
      ['550 no such user', '5.0.0'],
      ['451 greylisted', '4.0.0'],
      ['554 blocked: 5.1.1.1 is listed', '5.0.0'],
      ['554 blocked: 15.1.1 is listed', '5.0.0'],
      ['554 5.7.1.', '5.7.1'],
      ['550 5.007.001 odd', '5.7.1'],
    ]
    for (const [text, code] of codes)
      assert.equal(getEnhancedCode({ code: Number(text.slice(0, 3)), text: text.slice(4) }), code, text)
  })

  it('are shown on one line of at most 2,000 characters with the enhanced code once', () => {
    assert.equal(formatReplyDiagnostic({ code: 550, text: '5.1.1 a\n5.1.1 b\n5.1.1' }), '550 5.1.1 a b')
    assert.equal(formatReplyDiagnostic({ code: 550, text: `a\tb\x1b[31m${'x'.repeat(5000)}` }).length, 2000)
    assert.doesNotMatch(formatReplyDiagnostic({ code: 550, text: 'a\tb\x1b[31m' }), /[\t\x1b]/)
  })

  it("contain the remote's reference of the message", () => {
    const references: [string, string][] = [
      ['2.0.0 Ok: queued as 4XyZ12', '4XyZ12'],
      ['2.6.0 <a@b.example> [InternalId=123] Queued mail for delivery', '123'],
      ['OK id=1qAbCd-0001Ab-2C', '1qAbCd-0001Ab-2C'],
      ['2.0.0 OK 1700000000 a1-b2 - gsmtp', '2.0.0 OK 1700000000 a1-b2 - gsmtp'],
    ]
    for (const [text, reference] of references) assert.equal(getReplyReference({ code: 250, text }), reference)
  })
})

describe('SMTP features', () => {
  it('are read with their values in any case', () => {
    const features = parseSmtpFeatures(
      'mx.example hello\npipelining\nSIZE 35882577\n8bitmime\nAUTH=LOGIN\nAUTH PLAIN XOAUTH2\nX-Y',
    )
    assert.deepEqual(features, {
      pipelining: true,
      size: true,
      largest: 35882577,
      eightBitMime: true,
      smtputf8: false,
      chunking: false,
      starttls: false,
      auth: ['LOGIN', 'PLAIN', 'XOAUTH2'],
    })
  })

  it("are off when not offered, and the server's name is not a feature", () => {
    assert.equal(parseSmtpFeatures('PIPELINING').pipelining, false)
    assert.equal(parseSmtpFeatures('x\nSIZE').largest, 0)
    assert.equal(parseSmtpFeatures('x\nSIZE -1').largest, 0)
    assert.equal(parseSmtpFeatures('x\nSIZE lots').largest, 0)
  })
})

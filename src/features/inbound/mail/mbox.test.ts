import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { splitMbox } from './mbox.ts'

const mails = (text: string): string[] => splitMbox(Buffer.from(text)).map(String)

suite('mails of an uploaded file', () => {
  test('are split in an mbox', () => {
    const one = 'From MAILER-DAEMON  Thu Apr 29 23:34:45 2015\nSubject: a\n\nx\n\n'
    const other = 'From ann@shop.example Fri Jan  2 03:04:05 2026\nSubject: b\n\nFrom here on\n'
    assert.deepEqual(mails(one + other), [one, other])
    assert.deepEqual(
      mails(`${one}${other}`.replaceAll('\n', '\r\n')),
      [one, other].map((mail) => mail.replaceAll('\n', '\r\n')),
    )
  })

  test('are one mail when the file is not an mbox or a line only resembles its separator', () => {
    const mail = 'Subject: a\n\nx\n\nFrom ann@shop.example Fri Jan  2 03:04:05 2026\n'
    assert.deepEqual(mails(mail), [mail])
    const quoted =
      'From ann@shop.example Fri Jan  2 03:04:05 2026\nSubject: b\n\nx\nFrom bob@shop.example Fri Jan  2 03:04:05 2026\n'
    assert.deepEqual(mails(quoted), [quoted])
    assert.deepEqual(mails(''), [''])
  })
})

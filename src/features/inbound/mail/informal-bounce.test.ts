import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { MailField } from '../../../lib/text/mail/fields.ts'
import { isDelayWarning, isInformalBounce } from './informal-bounce.ts'

const mail = (from: string, subject: string, text: string, ...more: MailField[]) => ({
  fields: [['from', from], ['subject', subject], ...more] as MailField[],
  text,
})

const DAEMON = 'Mail Delivery Subsystem <MAILER-DAEMON@relay.example>'
const ANN = 'Ann <ann@mailbox.example>'

suite('failures reported in the text of a mail', () => {
  const failures = [
    mail(DAEMON, 'Returned mail: User unknown', '550 <ann@mailbox.example>... User unknown'),
    mail(DAEMON, 'failure notice', "I'm afraid I wasn't able to deliver your message."),
    mail('Postmaster <post_master@mobile.example>', 'Re:Hello', 'Error: Invalid user address\n550 - no such user here'),
    mail('NDR <sysadmin@mobile.example>', 'Undeliverable Message', 'Message could not be delivered to mobile.'),
    mail(ANN, 'Hello', 'x', ['x-failed-recipients', 'ann@mailbox.example']),
    mail('<>', '=?utf-8?B?6YWN5L+h5LiN6IO9?=', '以下の宛先にメールを配信できませんでした。'),
    mail(DAEMON, 'Undelivered Mail', 'could not be delivered', ['auto-submitted', 'auto-replied']),
  ]
  for (const one of failures) test(`are recognised: ${one.fields[1]?.[1]}`, () => assert.ok(isInformalBounce(one)))

  const others = [
    mail(
      ANN,
      'Re: Problem with my order',
      'The delivery of my order failed. I paid 450 euros and the address does not exist.',
    ),
    mail(ANN, 'Automatic reply: Undeliverable offers', 'I could not be reached until May.', [
      'auto-submitted',
      'auto-replied',
    ]),
    mail('No reply <no-reply@mailbox.example>', 'Thank you for contacting us', 'We answer within two days.'),
    mail(ANN, 'Please confirm your message', 'It was not delivered yet.', ['auto-submitted', 'auto-replied']),
    mail(DAEMON, 'Welcome', 'Your mailbox was made.'),
    mail(ANN, 'Hello', '550 people came'),
    mail('', '', ''),
  ]
  for (const one of others) test(`are not assumed: ${one.fields[1]?.[1]}`, () => assert.ok(!isInformalBounce(one)))
})

suite('warnings reported in the text of a mail', () => {
  test('are recognised while delivery is still being tried', () => {
    assert.ok(isDelayWarning(mail(DAEMON, 'Warning: could not send message for past 4 hours', '')))
    assert.ok(isDelayWarning(mail(DAEMON, 'Delivery Status', 'THIS IS A WARNING\nMESSAGE ONLY.')))
    assert.ok(!isDelayWarning(mail(DAEMON, 'Undelivered Mail', 'This is a permanent error; I have given up.')))
  })
})

import { fitSms, type SmsText } from '../channels/sms/fit.ts'
import { wireSender } from '../channels/sms/number.ts'
import type { Cancellation } from '../features/events/record.ts'
import type { OutgoingSms } from '../gateways/gateway.ts'
import type { Ready } from './materials.ts'
import type { VersionSource } from './version.ts'

/** A rendered text as it leaves: with the STOP mention it needs, in its alphabet, its segments counted. */
export function fitText({ sms }: Pick<VersionSource, 'sms'>, text: string): SmsText {
  if (!sms) throw new Error('a content of SMS has no settings of SMS')
  return fitSms(text, sms.format, sms.stopMention)
}

/** One SMS from its rendered text. What cannot be written, or is too long, is a cancellation (rendering.md 10). */
export function composeSms(
  { message, source, facts }: Ready,
  { address, text }: { address: string; text: string },
): OutgoingSms | { cancellation: Cancellation } {
  const fitted = fitText(source, text)
  if (fitted.outcome === 'failed') {
    const value = { type: 'render', message: fitted.message, position: null }
    return { cancellation: { type: 'render error', value } }
  }
  return {
    id: message.id,
    to: address,
    from: wireSender(source.sms?.sender ?? ''),
    text: fitted.text,
    encoding: fitted.encoding,
    // What a campaign's end finds on its way the network need not deliver any more.
    ...(facts.endsAt !== null && { expiresAt: facts.endsAt }),
    origin: { account: message.account, action: message.action, stamp: message.stamp.id },
  }
}

import type { SendCancellation } from '../../features/events/record/record.ts'
import { joinTextPieces } from '../../features/rendering/templates/pieces.ts'
import type { OutgoingSms } from '../../gateways/gateway.ts'
import type { ComposeInput } from '../channel.ts'
import type { ContentVersionSource } from '../version-source.ts'
import { fitSms, type SmsText } from './fit.ts'
import { formatSmsSender } from './number.ts'

/** The rendered text of an SMS. */
export function getRenderedSmsText({ textContent = '' }: Readonly<Record<string, string>>): string {
  return textContent
}

/** A rendered text as it leaves: with the STOP mention it needs, in its alphabet, its segments counted. */
export function fitRenderedSms({ sms }: Pick<ContentVersionSource, 'sms'>, text: string): SmsText {
  if (!sms) throw new Error('a content of SMS has no settings of SMS')
  return fitSms(text, sms.format, sms.stopMention)
}

/** Composes one SMS from its rendered text. A text that is too long or cannot be encoded is a cancellation. */
export function composeSmsMessage(
  source: ContentVersionSource,
  input: ComposeInput,
): OutgoingSms | { cancellation: SendCancellation } {
  const fittedText = fitRenderedSms(source, joinTextPieces(input.rendered.parts['textContent'] ?? []))
  if (fittedText.outcome === 'failed') {
    const value = { type: 'render', message: fittedText.message, position: null }
    return { cancellation: { type: 'render error', value } }
  }
  return toOutgoingSms(source, input, fittedText)
}

/** A text that fits, as it leaves. */
export function toOutgoingSms(
  { sms }: Pick<ContentVersionSource, 'sms'>,
  { id, message, address, endsAt }: ComposeInput,
  { text, encoding }: Extract<SmsText, { outcome: 'fits' }>,
): OutgoingSms {
  return {
    id,
    to: address,
    from: formatSmsSender(sms?.sender ?? ''),
    text,
    encoding,
    // What a campaign's end finds on its way the network need not deliver any more.
    ...(endsAt !== null && { expiresAt: endsAt }),
    origin: {
      account: message.account,
      sourceKind: message.sourceKind,
      source: message.source,
      stamp: message.stamp.id,
    },
  }
}

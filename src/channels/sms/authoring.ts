import { findDeadLinks } from '../../features/deliverability/dead-links.ts'
import { findContentLinks } from '../../features/deliverability/written-links.ts'
import type { ChannelAuthoring } from '../channel.ts'
import { toContentSource } from '../version-source.ts'
import { fitRenderedSms, getRenderedSmsText } from './compose.ts'
import { parseSmsNumber } from './number.ts'
import { resolveSmsSender } from './sender.ts'

/** Authoring of SMS: writing, testing and analysis. */
export const smsAuthoring: ChannelAuthoring = {
  resolveSender: ({ settings, sending, accountCode, publicUrl }) =>
    resolveSmsSender(settings, sending, { named: accountCode, publicUrl }),
  replaced: (_content, { text = null }) => ({ textContent: text }),
  readProofAddress: (text) => parseSmsNumber(text)?.e164,
  proofAddressForm: 'an E.164 number such as +33639980078',
  proofErrors(source, rendered) {
    if (rendered.outcome !== 'rendered') return []
    const fittedText = fitRenderedSms(source, getRenderedSmsText(rendered.parts))
    if (fittedText.outcome === 'fits') return []
    return [{ type: fittedText.type, message: fittedText.message, part: 'textContent', position: null }]
  },
  proofOf: () => ({ subject: '', htmlBytes: 0 }),
  // What a text may be for some contacts only.
  repairableTypes: ['sms-length', 'sms-alphabet'],
  analyse: ({ reach }, _account, source) => findDeadLinks(findContentLinks(toContentSource(source)), reach),
  preview({ source, recipient, rendered }) {
    const fittedText = fitRenderedSms(source, getRenderedSmsText(rendered.parts))
    if (fittedText.outcome === 'failed') return { failure: fittedText.message }
    const { text, encoding, segments, length } = fittedText
    return { type: 'success', recipient, sender: source.sms?.sender ?? '', text, encoding, segments, length }
  },
}

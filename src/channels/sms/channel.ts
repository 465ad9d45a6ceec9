import { classifySmsRefusal } from '../../features/bounces/classify-sms-failure.ts'
import type { ActionChannelModule } from '../channel.ts'
import { smsAuthoring } from './authoring.ts'
import { parseCapturedSms, renderCapturedSms } from './captured.ts'
import { composeSmsMessage, getRenderedSmsText } from './compose.ts'
import { parseSmsNumber } from './number.ts'
import { storeSmsReferences } from './sends.ts'

/** SMS: one text, carried by message centres over SMPP or HTTP. */
export const smsChannel: ActionChannelModule = {
  isSendable: (address) => parseSmsNumber(address) !== undefined,
  exclusion({ sms }, address) {
    const countries = sms?.countries ?? []
    if (countries.length === 0) return undefined
    const countryCode = parseSmsNumber(address)?.country ?? null
    return countries.includes(countryCode ?? '') ? undefined : { type: 'country', value: { country: countryCode } }
  },
  composer: (source) => (input) => composeSmsMessage(source, input),
  isOurFault: ({ stage }) => stage === 'connect' || stage === 'mail',
  verdictOf: ({ enhanced, gatewayCode }) => classifySmsRefusal(enhanced ?? '5.0.0', gatewayCode),
  referencesOf: (outgoing, { reference, references }) => ({
    references: references ?? [reference],
    sender: 'from' in outgoing ? outgoing.from : '',
  }),
  keepReferences: storeSmsReferences,
  inlineParts: ({ text = '' }) => ({ textContent: text }),
  mirrored: (parts) => ({ title: '', text: getRenderedSmsText(parts) }),
  capturedBody: renderCapturedSms,
  capturedParts: parseCapturedSms,
  authoring: smsAuthoring,
}

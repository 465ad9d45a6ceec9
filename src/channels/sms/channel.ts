import { refusedSms } from '../../features/events/bounces/sms-bounces.ts'
import type { ActionChannelModule } from '../channel.ts'
import { smsAuthoring } from './authoring.ts'
import { smsBody, smsParts } from './captured.ts'
import { composeSms, textPart } from './compose.ts'
import { readNumber } from './number.ts'
import { keepSmsSends } from './sends.ts'

/** SMS: one text, carried by message centres over SMPP or HTTP. */
export const smsChannel: ActionChannelModule = {
  isSendable: (address) => readNumber(address) !== undefined,
  exclusion({ sms }, address) {
    const countries = sms?.countries ?? []
    if (countries.length === 0) return undefined
    const country = readNumber(address)?.country ?? null
    return countries.includes(country ?? '') ? undefined : { type: 'country', value: { country } }
  },
  composer: (source) => (input) => composeSms(source, input),
  isOurFault: ({ stage }) => stage === 'connect' || stage === 'mail',
  verdictOf: ({ enhanced, gatewayCode }) => refusedSms(enhanced ?? '5.0.0', gatewayCode),
  referencesOf: (outgoing, { reference, references }) => ({
    references: references ?? [reference],
    sender: 'from' in outgoing ? outgoing.from : '',
  }),
  keepReferences: keepSmsSends,
  inlineParts: ({ text = '' }) => ({ textContent: text }),
  mirrored: (parts) => ({ title: '', text: textPart(parts) }),
  capturedBody: smsBody,
  capturedParts: smsParts,
  authoring: smsAuthoring,
}

import type { AuthoredContent, SmsVersionContent, TemplatePart } from '../authored.ts'

function buildSmsParts({ textContent }: SmsVersionContent): TemplatePart[] {
  if (textContent === null || textContent.trim() === '') return []
  return [{ name: 'textContent', template: textContent, mode: 'text', links: 'shortened', isPrefixed: true }]
}

/** SMS traits for the rest of the program, available without loading the code that builds messages. */
export const smsChannelTraits = {
  name: 'sms',
  title: 'SMS',
  addressType: 'phone',
  prefersUnicity: false,
  redList: 'sms',
  hitsAs: 'hits',
  arrivals: 'reports',
  mediaType: 'application/vnd.np6.cm.sms',
  sourceKind: 'action',
  actions: { message: 'smsMessage', campaign: 'smsCampaign' },
  wantsUnsubscribeLink: false,
  isArchived: false,
  foreignMembers: {
    item: ['headers', 'subject', 'attachments', 'copies', 'important'],
    content: ['html', 'amp'],
    legacyKnown: ['data'],
  },
  profile: { id: 2, name: 'Default SMS', hasFrom: false },
  userAddress: null,
  testPrefix: 'testTextPrefix',
  newSettings: () => ({ smsFormat: 3, smsType: 1, countries: [], sender: null }),
  newContent: () => ({ textContent: null }),
  frozen: ({ textContent = null }: AuthoredContent): SmsVersionContent => ({ textContent }),
  parts: buildSmsParts,
  missingParts: ({ textContent }: AuthoredContent) =>
    (textContent ?? '').trim() === '' ? ['content.textContent'] : [],
} as const

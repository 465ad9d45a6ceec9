import type { AuthoredContent, AuthoredSettings, MailVersionContent, TemplatePart } from '../authored.ts'

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === ''
}

/** The parts of a mail. Links of the HTML are numbered first, then those of the AMP part. */
function buildMailParts({ subject, html, text, amp }: MailVersionContent, format: number): TemplatePart[] {
  const alternative = { links: 'tracked', isAlternative: true } as const
  const candidateParts: readonly (TemplatePart | false)[] = [
    format !== 3 && { name: 'html', template: html ?? '', mode: 'html', ...alternative, isPage: true },
    format !== 3 && { name: 'amp', template: amp ?? '', mode: 'html', ...alternative },
    { name: 'subject', template: subject ?? '', mode: 'text', links: 'tracked', isHeader: true, isPrefixed: true },
    format !== 1 && { name: 'text', template: text ?? '', mode: 'text', ...alternative },
  ]
  const presentParts = candidateParts
    .filter((part) => part !== false)
    .filter((part) => part.isHeader || !isBlank(part.template))
  return format === 2 && isBlank(text) && html !== null
    ? [...presentParts, { name: 'text', template: html, mode: 'text', ...alternative, isDerived: true }]
    : presentParts
}

function listMissingParts(content: AuthoredContent, { contentFormat }: AuthoredSettings): string[] {
  const body = contentFormat === 3 ? 'text' : 'html'
  return (['subject', body] as const)
    .filter((part) => (content[part] ?? '').trim() === '')
    .map((part) => `content.${part}`)
}

/** Email traits for the rest of the program, available without loading the code that builds messages. */
export const emailChannelTraits = {
  name: 'email',
  title: 'email',
  addressType: 'email',
  prefersUnicity: true,
  redList: 'mail',
  hitsAs: 'hits',
  arrivals: 'bounces',
  mediaType: 'application/vnd.np6.cm.email',
  sourceKind: 'action',
  actions: { message: 'mailMessage', campaign: 'mailCampaign' },
  wantsUnsubscribeLink: true,
  isArchived: true,
  foreignMembers: { item: [], content: [], legacyKnown: null },
  profile: { id: 1, name: 'Default email', hasFrom: true },
  userAddress: 'email',
  testPrefix: 'testSubjectPrefix',
  newSettings: ({ editionMode }: { editionMode?: 0 | 1 | 2 }) => ({
    editionMode: 1,
    contentFormat: editionMode === 2 ? 3 : 2,
    importance: false,
    useFormLinkSSL: true,
    performance: { openingRate: 0, clickRate: 0, unsubscribedRate: 0 },
    archive: false,
  }),
  newContent: () => ({ headers: { from: {}, reply: null }, subject: null, html: null, text: null, amp: null }),
  frozen: ({ subject = null, html = null, text = null, amp = null }: AuthoredContent): MailVersionContent => ({
    subject,
    html,
    text,
    amp,
  }),
  parts: buildMailParts,
  missingParts: listMissingParts,
} as const

import type { AuthoredContent, AuthoredSettings } from '../authored.ts'

function missingParts(content: AuthoredContent, { contentFormat }: AuthoredSettings): string[] {
  const body = contentFormat === 3 ? 'text' : 'html'
  return (['subject', body] as const)
    .filter((part) => (content[part] ?? '').trim() === '')
    .map((part) => `content.${part}`)
}

/** What the rest of the program knows of email without loading what makes it. */
export const email = {
  name: 'email',
  title: 'email',
  addressType: 'email',
  prefersUnicity: true,
  redList: 'mail',
  mediaType: 'application/vnd.np6.cm.email',
  actions: { message: 'mailMessage', campaign: 'mailCampaign' },
  isTextOnly: false,
  isArchived: true,
  foreignMembers: { item: [], content: [], legacyKnown: null },
  profile: { id: 1, name: 'Default email', hasFrom: true },
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
  missingParts,
} as const

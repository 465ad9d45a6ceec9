import type { RcsFallback, RcsMessageContent, RcsVersionContent } from './content/content-schemas.ts'
import { listRcsTemplates } from './content/parts.ts'

/** Members of an RCS action that determine whether it is complete and what is frozen. */
export interface AuthoredRcs {
  content?: RcsMessageContent | null
  fallback?: RcsFallback | null
}

/** RCS traits for the rest of the program, available without loading the code that builds messages. */
export const rcsChannelTraits = {
  name: 'rcs',
  title: 'RCS',
  addressType: 'phone',
  prefersUnicity: false,
  redList: 'sms',
  hitsAs: 'interactions',
  arrivals: 'reports',
  // Its bodies are plain JSON: no media type of its own.
  mediaType: null,
  sourceKind: 'rcs',
  actions: { message: 'rcsMessage', campaign: 'rcsCampaign' },
  wantsUnsubscribeLink: false,
  isArchived: false,
  foreignMembers: { item: ['headers', 'subject', 'attachments', 'copies', 'important'], content: [], legacyKnown: [] },
  // Its profiles are resources of their own: an account begins with none.
  profile: null,
  userAddress: null,
  testPrefix: null,
  newSettings: () => ({ profile: null, trafficType: null, expiration: null }),
  newContent: () => ({ content: null, fallback: null }),
  frozen({ content, fallback = null }: AuthoredRcs): RcsVersionContent {
    if (!content) throw new Error('an action without content is not frozen')
    return { content, fallback }
  },
  parts: listRcsTemplates,
  missingParts: ({ content }: AuthoredRcs, { profile }: { profile?: number | null }): string[] =>
    [profile == null && 'settings.profile', content == null && 'content'].filter((path) => path !== false),
} as const

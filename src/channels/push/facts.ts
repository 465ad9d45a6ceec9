import type { AuthoredContent, TemplatePart } from '../authored.ts'
import type { PushVersionContent } from './content.ts'
import { listPushTemplates } from './parts.ts'

/** What the rest of the program knows of push messages without loading what makes them. */
export const pushChannelTraits = {
  name: 'notification',
  title: 'notification',
  // They go to the devices of a contact, and no field holds these.
  addressType: null,
  prefersUnicity: false,
  redList: null,
  hitsAs: 'hits',
  arrivals: null,
  mediaType: null,
  sourceKind: 'notification',
  actions: null,
  wantsUnsubscribeLink: false,
  isArchived: false,
  foreignMembers: { item: [], content: [], legacyKnown: [] },
  profile: null,
  testPrefix: null,
  newSettings: () => ({}),
  newContent: () => ({}),
  frozen(_content: AuthoredContent): PushVersionContent {
    throw new Error('no action is made of notifications')
  },
  parts: (content: PushVersionContent): TemplatePart[] => listPushTemplates(content),
  missingParts: (): string[] => [],
} as const

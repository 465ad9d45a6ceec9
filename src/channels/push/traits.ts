import type { AuthoredContent, TemplatePart } from '../authored.ts'
import type { PushVersionContent } from './content.ts'
import { listPushTemplates } from './parts.ts'

/** Push traits for the rest of the program, available without loading the code that builds messages. */
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
  userAddress: null,
  testPrefix: null,
  newSettings: () => ({}),
  newContent: () => ({}),
  frozen(_content: AuthoredContent): PushVersionContent {
    throw new Error('no action is made of notifications')
  },
  parts: (content: PushVersionContent): TemplatePart[] => listPushTemplates(content),
  missingParts: (): string[] => [],
} as const

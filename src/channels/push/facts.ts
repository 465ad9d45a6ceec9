import type { AuthoredContent, TemplatePart } from '../authored.ts'
import type { FrozenNotification } from './content.ts'
import { pushParts } from './parts.ts'

/** What the rest of the program knows of push messages without loading what makes them. */
export const notification = {
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
  frozen(_content: AuthoredContent): FrozenNotification {
    throw new Error('no action is made of notifications')
  },
  parts: (content: FrozenNotification): TemplatePart[] => pushParts(content),
  missingParts: (): string[] => [],
} as const

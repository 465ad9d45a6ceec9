import type { FrozenRcs, RcsContent, RcsFallback } from './content-schemas.ts'
import { rcsParts } from './parts.ts'

/** Of an RCS action, what decides whether it is complete. */
export interface AuthoredRcs {
  settings: { profile: number | null }
  content: RcsContent | null
}

/** What is missing of an action, as paths (rcs.md 4). */
export function missingOfRcs({ settings, content }: AuthoredRcs): string[] {
  return [settings.profile === null && 'settings.profile', content === null && 'content'].filter(
    (path) => path !== false,
  )
}

/** What a version keeps of an action's content. */
export function freezeRcs(content: RcsContent, fallback: RcsFallback | null): FrozenRcs {
  return { content, fallback }
}

/** What the rest of the program knows of RCS without loading what makes its messages. */
export const rcs = {
  name: 'rcs',
  title: 'RCS',
  addressType: 'phone',
  prefersUnicity: false,
  redList: 'sms',
  actions: { message: 'rcsMessage', campaign: 'rcsCampaign' },
  wantsUnsubscribeLink: false,
  isArchived: false,
  parts: rcsParts,
} as const

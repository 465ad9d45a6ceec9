import type { AccountId } from './account.ts'
import { formatActionId } from './ids.ts'

/** Kinds of what is sent. Link tokens hold their places in this list, which is only ever added to, up to four. */
export const sentSourceKinds = ['action', 'rcs', 'notification'] as const

export type SentSourceKind = (typeof sentSourceKinds)[number]

/** The source of a message: its kind, and its number there. */
export interface SentSourceNumber {
  sourceKind: SentSourceKind
  source: number
}

/** The same with its account. */
export interface SentSource extends SentSourceNumber {
  account: AccountId
}

/** Wire form of what was sent: the six characters of an action, the number of anything else. */
export function formatSentSourceId({ sourceKind, source }: SentSourceNumber): string | number {
  return sourceKind === 'action' ? formatActionId(source) : source
}

/** The origin of a send. */
export interface SendOrigin {
  type: 'api' | 'workflow' | 'webtask' | 'compilable' | 'campaign' | 'task'
  id?: string | number
}

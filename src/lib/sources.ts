import type { AccountId } from './account.ts'
import { actionId } from './ids.ts'

/** Kinds of what is sent. Link tokens hold their places in this list, which is only ever added to, up to four. */
export const sourceKinds = ['action', 'rcs', 'notification'] as const

export type SourceKind = (typeof sourceKinds)[number]

/** What was sent: its kind, and its number there. */
export interface SourceNumber {
  sourceKind: SourceKind
  source: number
}

/** The same with its account. */
export interface Source extends SourceNumber {
  account: AccountId
}

/** Wire form of what was sent: the six characters of an action, the number of anything else. */
export function sourceId({ sourceKind, source }: SourceNumber): string | number {
  return sourceKind === 'action' ? actionId(source) : source
}

/** Who asked for a send. */
export interface Origin {
  type: 'api' | 'workflow' | 'webtask' | 'compilable' | 'campaign' | 'task'
  id?: string | number
}

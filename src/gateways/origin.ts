import type { SentSourceKind } from '../lib/sources.ts'

/** Identifies the send that a message belongs to, for gateways that store it. */
export interface MessageOrigin {
  account: number
  sourceKind: SentSourceKind
  source: number
  stamp: string
}

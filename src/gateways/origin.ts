import type { SentSourceKind } from '../lib/sources.ts'

/** Which send a message belongs to, for gateways that store it. */
export interface MessageOrigin {
  account: number
  sourceKind: SentSourceKind
  source: number
  stamp: string
}

import type { MessageOrigin } from '../../gateways/gateway.ts'
import type { RcsSettings } from '../version-source.ts'

/** One rich message, ready for a network. */
export interface RcsOutgoing {
  /** The message row. */
  id: number
  /** E.164 with its plus sign. */
  to: string
  agent: string
  /** `contentMessage` as JSON. */
  contentMessage: string
  /** What is left of its expiration. */
  ttlSeconds: number
  trafficType: NonNullable<RcsSettings['trafficType']>
  /** The stamp: the network knows repetitions by it. */
  messageId: string
  origin?: MessageOrigin
}

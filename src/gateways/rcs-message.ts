import type { MessageDelivery } from './delivery.ts'
import type { MessageOrigin } from './origin.ts'

/** How an agent's message is billed and filtered, in the words of RCS Business Messaging. */
export const rcsTrafficTypes = [
  'AUTHENTICATION',
  'TRANSACTION',
  'PROMOTION',
  'SERVICEREQUEST',
  'ACKNOWLEDGEMENT',
] as const

export type RcsTrafficType = (typeof rcsTrafficTypes)[number]

/** The most octets of a `contentMessage` as JSON. */
export const MAX_RCS_MESSAGE_BYTES = 250 * 1024

/** One rich message, ready for a network. */
export interface OutgoingRcs extends MessageDelivery {
  /** E.164 with its plus sign. */
  to: string
  /** The agent it comes from. */
  agent: string
  /** The `contentMessage` of RCS Business Messaging as JSON, at most MAX_RCS_MESSAGE_BYTES octets. */
  contentMessage: string
  /** What is left of its expiration. */
  ttlSeconds: number
  /** When it expires, in milliseconds: where it is known, what is left is seen when it is handed over. */
  expiresAt?: number
  /** What a phone must be able to do to show it, in the words of RCS Business Messaging. */
  features?: readonly string[]
  purpose?: 'marketing' | 'service'
  trafficType: RcsTrafficType
  /** The stamp: a UUID by which the network knows repetitions, and which its reports name. */
  messageId: string
  /** How often it was tried before: the more, the longer it waits. */
  attempts?: number
  origin?: MessageOrigin
}

/** Whole seconds until an instant; none when it is over. Both in milliseconds. */
export function getSecondsUntil(until: number, now: number): number {
  return Math.max(0, Math.floor((until - now) / 1000))
}

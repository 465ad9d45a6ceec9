import type { MessageDelivery } from './delivery.ts'
import type { MessageOrigin } from './origin.ts'

/** Traffic types, which determine how an agent's message is billed and filtered, in the terms of RCS Business Messaging. */
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
  /** Remaining time until expiration. */
  ttlSeconds: number
  /** Expiration time in milliseconds, if known. The remaining time is then computed at the handover. */
  expiresAt?: number
  /** Features that a phone needs to show it, in the terms of RCS Business Messaging. */
  features?: readonly string[]
  purpose?: 'marketing' | 'service'
  trafficType: RcsTrafficType
  /** The stamp: a UUID by which the network knows repetitions, and which its reports name. */
  messageId: string
  /** Number of earlier attempts: the more, the longer the delay. */
  attempts?: number
  origin?: MessageOrigin
}

/** Whole seconds until an instant; none when it is over. Both in milliseconds. */
export function getSecondsUntil(until: number, now: number): number {
  return Math.max(0, Math.floor((until - now) / 1000))
}

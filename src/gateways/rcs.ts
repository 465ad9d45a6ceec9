import type { GatewayStop, MessageGateway } from './gateway.ts'
import type { OutgoingRcs } from './rcs-message.ts'

export type { OutgoingRcs }

/** Whether a phone can be reached by an agent. `unknown`: the network did not say, with its reason. */
export type RcsPhoneCapability =
  | { result: 'reachable'; features: readonly string[] }
  | { result: 'unreachable' }
  | { result: 'unknown'; reason: string }

/** Regions of numbers that the network serves apart. */
export const rcsRegions = ['us', 'europe', 'asia'] as const

export type RcsRegion = (typeof rcsRegions)[number]

/** Numbers of one region, 500 to 10,000 of them, that are asked about in one call. */
export interface PhoneBatch {
  region: RcsRegion
  phones: readonly string[]
}

/** What became of a batch. `unknown`: the network did not say; `retryAfterMs` when it said when to come again. */
export type BatchCapability =
  | { result: 'known'; reachable: ReadonlySet<string> }
  | { result: 'unknown'; reason: string; retryAfterMs?: number }

/**
 * What became of a revocation. `absent`: the network has no such message that it could still revoke. `unknown`: to be tried
 * again.
 */
export type RcsRevocation =
  | { result: 'revoked' | 'absent' }
  | { result: 'unknown'; reason: string; retryAfterMs: number }

/** A gateway of rich messages, of one agent. What it answers beside `send` is always a value. */
export interface RcsGateway extends MessageGateway<OutgoingRcs> {
  /** Why it takes no message now; undefined: it does. */
  stopped(): GatewayStop | undefined
  /** Asks for one phone, E.164. */
  capabilities(phone: string): Promise<RcsPhoneCapability>
  /** Asks for the phones of one region together. */
  usersBatchGet(batch: PhoneBatch): Promise<BatchCapability>
  /** Takes back a message that was not delivered yet. */
  revoke(message: Pick<OutgoingRcs, 'to' | 'messageId'>): Promise<RcsRevocation>
}

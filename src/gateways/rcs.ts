import type { GatewayStop, MessageGateway } from './gateway.ts'
import type { OutgoingRcs } from './rcs-message.ts'

export type { OutgoingRcs }

/** Reports if an agent can reach a phone. `unknown`: the network did not answer the question, with the reason. */
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

/** Result of a batch look-up. `unknown`: the network did not answer; `retryAfterMs` is set if it named a delay. */
export type BatchCapability =
  | { result: 'known'; reachable: ReadonlySet<string> }
  | { result: 'unknown'; reason: string; retryAfterMs?: number }

/** Result of a revocation. `absent`: the network does not have a message that it could still revoke. `unknown`: try again. */
export type RcsRevocation =
  | { result: 'revoked' | 'absent' }
  | { result: 'unknown'; reason: string; retryAfterMs: number }

/** A gateway for the rich messages of one agent. Except for `send`, its results are always values. */
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

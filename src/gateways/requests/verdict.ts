import type { GatewayOutcome, RefusedDelivery } from '../gateway.ts'

/**
 * The meaning of a reply, for the message and for those that follow. `denied`: our credentials, or we as the sender, are refused. `busy`:
 * too many requests. `away`: temporarily unavailable. `silent`: sent without a complete answer, and must not be repeated automatically.
 * `settled`: the reply concerns this message.
 */
export type ReplyVerdict =
  | { what: 'settled'; outcome: GatewayOutcome }
  | { what: 'denied'; outcome: RefusedDelivery }
  | ({ what: 'busy' } & RequestPostponement)
  | ({ what: 'away' } & RequestPostponement)
  | ({ what: 'silent' } & RequestPostponement)

/** Why a message is tried again. */
export interface RequestPostponement {
  reply: string
  /** Status and word; '' when no answer came. */
  code: string
  retryAfter: string | undefined
}

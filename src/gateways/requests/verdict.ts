import type { GatewayOutcome, RefusedDelivery } from '../gateway.ts'

/**
 * What a reply means: for the message, and for those that follow. `denied`: our credentials, or we as sender, are refused.
 * `busy`: there are too many; `away`: it does not work now. `silent`: it has no whole answer though it was sent, and must
 * not be sent again by itself. Otherwise it was about this message.
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

import type { GatewayOutcome, Refused } from '../gateway.ts'

/**
 * What a reply means: for the message, and for those that follow. `denied`: our credentials, or we as sender, are refused.
 * `busy`: there are too many; `away`: it does not work now. `silent`: it has no whole answer though it was sent, and must
 * not be sent again by itself. Otherwise it was about this message.
 */
export type Verdict =
  | { what: 'settled'; outcome: GatewayOutcome }
  | { what: 'denied'; outcome: Refused }
  | ({ what: 'busy' } & Postponement)
  | ({ what: 'away' } & Postponement)
  | ({ what: 'silent' } & Postponement)

/** Why a message is tried again. */
export interface Postponement {
  reply: string
  /** Status and word; '' when no answer came. */
  code: string
  retryAfter: string | undefined
}

import type { DeliveryRecord } from '../../channels/channel.ts'
import type { Footprint, PushSend, RcsRoute, SendCancellation } from '../../features/events/record/record.ts'

/** How a message, or one of its deliveries, ended. `values` is what its template used, for the mirror page. */
export type DeliveryEnding =
  | {
      type: 'accepted'
      address: string
      reference: string
      gateway: string
      values: unknown
      /** Where they are kept: the names of its parts at the gateway, and what it came from. */
      references?: readonly string[]
      sender?: string
      /** What its channel says of it. */
      delivery?: DeliveryRecord
    }
  | {
      type: 'refused'
      address: string
      gateway: string
      values: unknown
      stage: Stage
      code: number | null
      enhanced: string | null
      /** The code of a gateway that is no mail server. */
      gatewayCode?: string
      reply: string
      mta: string
      delivery?: DeliveryRecord
    }
  | { type: 'cancelled'; cancellation: SendCancellation }
  | { type: 'held'; reason: string }

/** A message all of whose deliveries have ended, each with its own events. */
export interface FinishedEnding {
  type: 'finished'
  outcome: 'accepted' | 'refused' | 'cancelled'
  address: string
  values: unknown
}

/** A message that will be tried again, at `notBefore` (milliseconds). */
export interface PostponedEnding {
  type: 'postponed'
  notBefore: number
  reply: string
  destination?: string
}

/** Which limit of which rule lets a message wait, and until when (milliseconds). */
export interface MessagePostponement {
  rule: string
  expression: number
  until: number
}

/** A message that was not started, to be claimed again at `notBefore` (milliseconds). */
export interface ReturnedEnding {
  type: 'returned'
  notBefore: number
  reply: string
  destination: string
  /** What makes it wait, where that is known: it is decided again at its next claim. */
  postponement?: MessagePostponement | undefined
}

type Stage = 'connect' | 'mail' | 'rcpt' | 'data'

/** What became of a claimed message, or of one of its deliveries, with what its events repeat. JSON: it is kept in the journal. */
export interface MessageOutcome {
  id: number
  footprint: Footprint | null
  /** Id of the address field; null when the address is none of the contact's. */
  field: number | null
  /** Of a push message: what its events say of it. */
  push?: PushSend
  /** Of a rich message: how it was to go. */
  rcs?: RcsRoute
  /** When, in milliseconds. */
  at: number
  /** Which delivery; absent: 0. */
  sequence?: number
  /** Others are left, or ended before: the message has an outcome of its own. */
  isPart?: true
  ending: DeliveryEnding | PostponedEnding | ReturnedEnding | FinishedEnding
}

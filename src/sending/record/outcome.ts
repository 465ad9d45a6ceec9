import type { DeliveryRecord } from '../../channels/channel.ts'
import type { Footprint, PushSend, RcsRoute, SendCancellation } from '../../features/events/record/record.ts'

/** Ending of a message, or of one of its deliveries. `values` are those that its template used, for the mirror page. */
export type DeliveryEnding =
  | {
      type: 'accepted'
      address: string
      reference: string
      gateway: string
      values: unknown
      /** Set if they are retained: the names of its parts at the gateway, and its sender. */
      references?: readonly string[]
      sender?: string
      /** The channel's record of the delivery. */
      delivery?: DeliveryRecord
    }
  | {
      type: 'refused'
      address: string
      gateway: string
      values: unknown
      stage: RefusalStage
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

/** Rule and limit that make a message wait, and the end of the wait (milliseconds). */
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
  /** Reason of the wait, if known: it is decided again at the next claim. */
  postponement?: MessagePostponement | undefined
}

type RefusalStage = 'connect' | 'mail' | 'rcpt' | 'data'

/** Outcome of a claimed message, or of one of its deliveries, with the values that its events repeat. JSON: it is stored in the journal. */
export interface MessageOutcome {
  id: number
  footprint: Footprint | null
  /** Id of the address field; null if the address is not one of the contact's. */
  field: number | null
  /** Set for a push message: the data that its events record. */
  push?: PushSend
  /** Set for a rich message: its intended route. */
  rcs?: RcsRoute
  /** Time of the outcome, in milliseconds. */
  at: number
  /** Sequence of the delivery; absent: 0. */
  sequence?: number
  /** Others are left, or ended before: the message has an outcome of its own. */
  isPart?: true
  ending: DeliveryEnding | PostponedEnding | ReturnedEnding | FinishedEnding
}

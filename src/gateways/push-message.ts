import type { MessageDelivery } from './delivery.ts'
import type { MessageOrigin } from './origin.ts'

/** Identifies the notification of a push, in the form sent to the app. */
export interface PushMeta {
  notification: number
  version: string
  application: string
  subscription: string
  stamp: { time: number; id: string; thread: string; set: string }
  channel: string | null
  /** Target of a tap. */
  redirection: string | null
}

/** Displayed content. */
export interface PushRendering {
  title: string
  body: string
  icon: string | null
  thumbnail: string | null
  image: string | null
  buttons: readonly { title: string; redirection: string | null }[]
}

/** Data the app needs for its reports: an address, and a token for each event. */
export interface PushTracking {
  radical: string
  impression: string
  redirection: string
  dismiss: string
  optout: { global: string; channel: string }
}

/** Address of an app installation at its push service. */
export type PushDeviceAddress =
  | { token: string }
  | {
      endpoint: string
      /** In base64url: the point of P-256 (65 bytes) and the secret (16 bytes) of RFC 8291. */
      keys: { p256dh: string; auth: string }
    }

/** Content sent to a device. */
export interface PushMessageContent {
  meta: PushMeta
  render: PushRendering
  tracking: PushTracking
}

/** One notification for one device. */
export interface OutgoingPush extends MessageDelivery, PushMessageContent {
  device: PushDeviceAddress
  /** Milliseconds since 1970: it is of no use after. */
  expiresAt: number
  urgent: boolean
  /** The stamp: a UUID by which a repetition replaces what came before. */
  stampId: string
  /** Number of earlier attempts: the more, the longer the delay. */
  attempts?: number
  origin?: MessageOrigin
}

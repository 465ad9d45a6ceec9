import type { MessageDelivery } from './delivery.ts'
import type { MessageOrigin } from './origin.ts'

/** What a notification is of, as the app is told. */
export interface PushMeta {
  notification: number
  version: string
  application: string
  subscription: string
  stamp: { time: number; id: string; thread: string; set: string }
  channel: string | null
  /** Where a tap leads. */
  redirection: string | null
}

/** What is shown. */
export interface PushRendering {
  title: string
  body: string
  icon: string | null
  thumbnail: string | null
  image: string | null
  buttons: readonly { title: string; redirection: string | null }[]
}

/** What the app reports with: an address, and a token of each event. */
export interface PushTracking {
  radical: string
  impression: string
  redirection: string
  dismiss: string
  optout: { global: string; channel: string }
}

/** How a push service knows an installation of an app. */
export type PushDeviceAddress =
  | { token: string }
  | {
      endpoint: string
      /** In base64url: the point of P-256 (65 bytes) and the secret (16 bytes) of RFC 8291. */
      keys: { p256dh: string; auth: string }
    }

/** What a device is sent. */
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
  /** How often it was tried before: the more, the longer it waits. */
  attempts?: number
  origin?: MessageOrigin
}

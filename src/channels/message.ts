import type { AccountId } from '../lib/account.ts'
import type { SendOrigin, SentSourceKind } from '../lib/sources.ts'
import type { SendingChannelName } from './channel-traits.ts'
import type { StoredAttachment } from './email/attachments.ts'

/** Identifies one send in everything that follows. `time` is in milliseconds. */
export interface MessageStamp {
  id: string
  thread: string
  set: string
  time: number
}

/** Content that is used as it is, without template. */
export interface InlineContent {
  html?: string
  text?: string
  amp?: string
}

/** Options of a request, a proof or a copy, in addition to the content of the message. Absent members default to those of the content. */
export interface MessageRequest {
  data?: Record<string, unknown>
  variables?: Record<string, unknown>
  blocks?: unknown[]
  /** Last event of the run of a workflow that sends it. */
  event?: Record<string, unknown>
  /** Id of the second contact. */
  related?: number
  headers?: { from?: { prefix?: string; domain?: string; label?: string }; reply?: string }
  /** Used as it is, without template. */
  subject?: string
  /** Used as it is; a template that a request brings is a version of its own. */
  content?: { type: 'inline' } & InlineContent
  attachments?: StoredAttachment[]
  important?: boolean
  /** Only this part of the content: one of the two proofs of `textandHtml`. */
  part?: 'html' | 'text'
  /** Addresses named in Cc, in the main message and in its copies. */
  cc?: string[]
  /** A copy: the contact it goes to, whose red list and flags count; the message's own contact gives the values. */
  copyTo?: number
  /** Push only: the one device to send to; a UUID. */
  subscription?: string
  /** Push only: true if it is urgent; absent: the setting of its notification. */
  urgent?: boolean
  /** Origin of the request; absent: the API. */
  origin?: SendOrigin
  /** It stands in for the message of its stamp, which could not be delivered. */
  fallback?: MessageFallback
}

/** Why a message stands in for another, and whose events its own are. */
export interface MessageFallback {
  type: SendingChannelName
  reason: string
  channel: SendingChannelName
  kind: 'message' | 'campaign' | 'test'
  /** Route of the replaced message, for a channel whose events include it. */
  route?: { phone: string; agent: string; profile: number }
}

/** `copy`: of a message, to another address; `fallback`: in place of one that could not be delivered. Both have its stamp. */
export type MessageKind = 'message' | 'campaign' | 'test' | 'copy' | 'fallback'

/** A message of the outbox, wherever it is. */
export interface OutboxMessage {
  account: AccountId
  channel: SendingChannelName
  kind: MessageKind
  /** The sending it is of. */
  sending: number
  /** Kind of the source, and its number within that kind. */
  sourceKind: SentSourceKind
  source: number
  version: number
  contact: number | null
  /** The address when it is not the contact's own. */
  address: string | null
  stamp: MessageStamp
  request: MessageRequest
  /** Number of workflow steps that led to it; its events have the same depth. */
  depth: number
  expiresAt: Date
}

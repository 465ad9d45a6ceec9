import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { BounceCode } from '../../contacts/bounce-flags/bounce-codes.ts'
import type { EventChannel, EventKind } from '../kinds/event-kinds.ts'

/** Class of a hit that a person did not make: a mail privacy relay, Google's proxies, any other machine. */
export type HitClassification = 'mpp' | 'gsr' | 'genericrobot'

/** Contents of `source.detail`, by member; undefined members are omitted. */
export type EventDetail = Record<string, unknown>

/** The class of a hit that comes too soon after the activation to be a person's. */
export interface EarlyHitClass {
  withinMs: number
  classification: HitClassification
}

/** Input of the rules that compare a hit with others: they run when the hit is stored, and in the 3 s that follow. */
export interface HitWatch {
  /** Milliseconds: the instant of the request. */
  hitAt: number
  /** The link's number in the content; null for an open. */
  link: number | null
  /** A keyed hash of the whole address, made by the caller; null when the address is unknown. */
  visitor: Uint8Array | null
  early: EarlyHitClass | null
}

/** A flag on an address that was refused: of the contact's field, as long as it holds that address. */
export interface BounceFlagEffect {
  type: 'flag'
  contact: number
  field: number
  address: string
  code: BounceCode
  at: Date
  reason: string
}

/** A contact goes on a red list. */
export interface RedListEffect {
  type: 'redList'
  contact: number
  channel: ChannelRedListName
  at: Date
  origin: number
  detail: Record<string, unknown>
}

/** A contact leaves a red list, when the entry has exactly this detail; noted in the audit trail. */
export interface RedListRemovalEffect {
  type: 'redListRemoval'
  contact: number
  channel: ChannelRedListName
  at: Date
  detail: Record<string, unknown>
  reason: string
}

/** Change that an event makes to a contact. */
export type EventEffect = BounceFlagEffect | RedListEffect | RedListRemovalEffect

/** An event to be written. Null columns of a reaction are taken from the stored activation it answers. */
export interface NewEvent {
  account: AccountId
  channel: EventChannel
  kind: EventKind
  /** Number of the action, RCS action, notification or display campaign. */
  subject: number | null
  contact: number | null
  /** Id of the send, and of its conversation. */
  stamp: string | null
  thread: string | null
  subscription?: string | null
  phone?: string | null
  agent?: string | null
  /** Title of a push, set in its activation. It is not part of the record. */
  title?: string
  /** It is of the SMS that went in place of a rich message: as its activation, or as a reaction to that one. */
  isFallback?: boolean
  isTest: boolean
  /** Number of workflow steps that led to the event; 0 by default, as for all actions of a person. */
  depth?: number
  classification?: HitClassification | null
  /** Natural key within account, channel and kind: such an event is written once. Null: each one counts. */
  key: string | null
  /** Its writer cannot write it twice: the key makes its id, and need not be kept. */
  isOnce?: true
  /** `source.detail`; of a reaction all but `activation`, which is looked up by the stamp. */
  detail: EventDetail
  /** Replaces the activation of a reaction if none is stored. */
  fallback?: EventDetail | null
  /** Change that `recordEvents` makes to the contact when the event is written; proofs change nothing. */
  effect?: EventEffect | readonly EventEffect[] | null
  /** Set for a hit. */
  watch?: HitWatch | null
}

/** Values that the database assigned to a written event. */
export interface WrittenEvent {
  id: string
  /** Milliseconds: publication. */
  timestamp: number
}

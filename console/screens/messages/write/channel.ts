import type { ComponentType } from 'react'
import type { ApiDesign } from '../../../components/design/model/shapes.ts'
import type { FormState, StoredDocument } from '../../../components/form/use-form.ts'
import type { ResourceDefinition } from '../../../components/form/use-resource.ts'
import type { MessageChannelName } from '../names.ts'

/** What the frame reads of a message of any channel. */
export interface EditedMessage {
  id: string | number
  name: string
  monitor?: ApiMessageMonitor | null
}

export interface ApiMessageMonitor {
  recipients: number
  sent: number
  cancelled: number
  refused: number
  held: number
  pending: number
}

/** Segments that a sending goes to, and those taken out. */
export interface MessageSegments {
  selected: number[]
  excluded: number[]
}

/** What `POST …/audience` answers. */
export interface AudienceCount {
  selected: number
  excluded: number
  net: number
  overlaps: { segments: number[]; count: number }[]
  cannot: { type: string; count: number }[]
  pressure: { stopped: number }
  exact: boolean
}

export type MessageScheduleType = 'asap' | 'scheduled' | 'timeZoneSchedule' | 'bestTime' | 'cron'

/** Where a message stands, in what its badge shows. */
export interface MessageStatus {
  /** Of the interface; null: the channel knows active and inactive alone. */
  state: number | null
  paused: boolean
  active: boolean | null
}

/** How a channel's documents are read and written. */
export type MessageDocumentKind<T> = Pick<ResourceDefinition<T>, 'name' | 'read' | 'replace' | 'remove'>

export interface MessageContentProps<T> {
  form: FormState<T>
  isReadOnly: boolean
}

export interface MessagePreviewProps<T> {
  /** As it is being written: what is not saved is shown too. */
  value: T
}

export interface MessageTestProps<T> {
  message: T
  /** Reads the message anew, after what was asked for has changed it. */
  onDone(): Promise<void>
}

/** Takes a message on, or back; each answers once the service has done it. */
export interface MessageCommands {
  /** Goes out from here on: at once, or at its date. */
  validate(id: string): Promise<unknown>
  /** Back to a draft. */
  revoke(id: string): Promise<unknown>
  pause?(id: string): Promise<unknown>
  resume?(id: string): Promise<unknown>
}

/** What a version has in place of the campaign's content, as the interface has it. */
export type VersionOwnContent = Readonly<Record<string, unknown>>

/** How a version of a campaign's content is written. */
export interface ContentVersionKind<T> {
  Fields: ComponentType<MessageContentProps<T>>
  /** The message with what the version has in place of its content. */
  of(message: T, own: VersionOwnContent): T
  /** What the version has then, once the message that `of` gave has `value` at a pointer; undefined: that is of no version. */
  with(message: T, own: VersionOwnContent, change: { pointer: string; value: unknown }): VersionOwnContent | undefined
  /** Where the interface tells of a fault of the message's member at a pointer, below the version. */
  faultAt(pointer: string): string
  /** What may be counted as a success, beside clicks. */
  hasOpens: boolean
}
/** What a new email begins with. */
export type EmailStartContent = { design: ApiDesign } | { html: string }

/** What the frame of writing needs of a channel. */
export interface MessageChannelSpec<T extends EditedMessage = EditedMessage> {
  name: MessageChannelName
  /** How approval names it. */
  asked: 'action' | 'rcs' | 'notification'
  kind: MessageDocumentKind<T>
  /** Makes one; answers its id. `begun`: emails alone. */
  create(name: string, isCampaign: boolean, begun?: EmailStartContent): Promise<string | number>
  Content: ComponentType<MessageContentProps<T>>
  /** What versions of a campaign's content are; absent where it has one content alone. */
  versions?: ContentVersionKind<T>
  /** In place of the frame's, where a channel's dates are others. */
  When?: ComponentType<MessageContentProps<T>>
  Preview: ComponentType<MessagePreviewProps<T>>
  /** How far it is, of a channel whose messages have no monitor. */
  Progress?: ComponentType<{ message: T }>
  /** Proofs, to oneself or to a test segment. */
  Test: ComponentType<MessageTestProps<T>>
  /** Pointers that `Content` shows the faults of. */
  pointers: readonly string[]
  /** What a member is called, for the list of what changed. */
  labelOf?(pointer: string): string | undefined
  segmentsAt: string
  schedulerAt: string
  /** What the frame's `When` offers. */
  schedules: readonly Exclude<MessageScheduleType, 'cron'>[]
  /** It goes to segments, not to single contacts on demand. */
  isCampaign(message: T): boolean
  standing(message: T): MessageStatus
  /** The channel whose page this message belongs to, where the interface keeps several under one path. */
  belongsTo?(message: T): MessageChannelName
  audience(id: string, segments: MessageSegments): Promise<AudienceCount>
  commands: MessageCommands
  /** It has no test phase: what is complete may go out. */
  isFree?: true
}

export type StoredMessage = StoredDocument<EditedMessage>

/** A row of `CHANNELS`: the frame keeps to what every message has, the channel's own parts know the rest. */
export const defineMessageChannel = <T extends EditedMessage>(channel: MessageChannelSpec<T>): MessageChannelSpec =>
  channel as unknown as MessageChannelSpec

import type { ComponentType } from 'react'
import type { ApiDesign } from '../../../components/design/model/shapes.ts'
import type { FormState, StoredDocument } from '../../../components/form/use-form.ts'
import type { ResourceDefinition } from '../../../components/form/use-resource.ts'
import type { MessageChannelName } from '../names.ts'

/** Members that the editor reads from messages of any channel. */
export interface EditedMessage {
  id: string | number
  name: string
  monitor?: ApiMessageMonitor | null
  informations?: { paused?: boolean; lastValidation?: MessageValidation | null }
}

/** An error or finding of a content. */
export interface MessageFinding {
  message: string
  /** Part of the content, such as `subject`; null: the whole message. */
  part: string | null
  position: { line: number; column: number } | null
}

/** The last test or validation of a message. */
export interface MessageValidation {
  phase: 'test' | 'production'
  result: 'running' | 'passed' | 'failed' | 'repair' | 'stopped'
  startedAt: string
  endedAt: string | null
  errors: readonly MessageFinding[]
  findings: readonly MessageFinding[]
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

/** Answer of `POST …/audience`. */
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

/** Status of a message, as shown by its badge. */
export interface MessageStatus {
  /** State code of the API; null for channels that are only active or inactive. */
  state: number | null
  paused: boolean
  active: boolean | null
  /** It is complete, but its last test found errors in the content. */
  isRepairable?: boolean
}

/** Reads and writes the documents of a channel. */
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
  /** Reloads the message after an action has changed it. */
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

/** Content of a version that replaces that of the campaign, as defined by the API. */
export type VersionOwnContent = Readonly<Record<string, unknown>>

/** Editing rules for versions of the content of a campaign. */
export interface ContentVersionKind<T> {
  Fields: ComponentType<MessageContentProps<T>>
  /** The message with what the version has in place of its content. */
  of(message: T, versionContent: VersionOwnContent): T
  /**
   * Returns the content of the version after `value` is set at a pointer of the message returned by `of`; `undefined` if versions do not
   * have that member.
   */
  with(
    message: T,
    versionContent: VersionOwnContent,
    change: { pointer: string; value: unknown },
  ): VersionOwnContent | undefined
  /** Pointer, relative to the version, at which the API reports a fault of the message member at a pointer. */
  faultAt(pointer: string): string
  /** True if opens can count as a success, in addition to clicks. */
  hasOpens: boolean
}
/** Initial content of a new email. */
export type EmailStartContent = { design: ApiDesign } | { html: string }

/** Everything the message editor needs from a channel. */
export interface MessageChannelSpec<T extends EditedMessage = EditedMessage> {
  name: MessageChannelName
  /** Document type in approvals. */
  asked: 'action' | 'rcs' | 'notification'
  kind: MessageDocumentKind<T>
  /** Makes one; answers its id. `startContent`: emails alone. */
  create(name: string, isCampaign: boolean, startContent?: EmailStartContent): Promise<string | number>
  Content: ComponentType<MessageContentProps<T>>
  /** Rules for versions of the content of a campaign; absent if it has one content only. */
  versions?: ContentVersionKind<T>
  /** In place of the frame's, where a channel's dates are others. */
  When?: ComponentType<MessageContentProps<T>>
  Preview: ComponentType<MessagePreviewProps<T>>
  /** Shows the progress for a channel whose messages have no monitor. */
  Progress?: ComponentType<{ message: T }>
  /** Facts of the message for its review, such as its subject. */
  Facts?: ComponentType<{ message: T }>
  /** Proofs, to oneself or to a test segment. */
  Test: ComponentType<MessageTestProps<T>>
  /** Pointers that `Content` shows the faults of. */
  pointers: readonly string[]
  /** Label of a member in the list of changes. */
  labelOf?(pointer: string): string | undefined
  segmentsAt: string
  schedulerAt: string
  /** Schedule types offered by the `When` step of the editor. */
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

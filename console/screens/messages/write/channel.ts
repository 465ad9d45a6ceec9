import type { ComponentType } from 'react'
import type { Design } from '../../../components/design/model/shapes.ts'
import type { Form, Stored } from '../../../components/form/use-form.ts'
import type { Kind } from '../../../components/form/use-resource.ts'
import type { ChannelName } from '../names.ts'

/** What the frame reads of a message of any channel. */
export interface Message {
  id: string | number
  name: string
  monitor?: Monitor | null
}

export interface Monitor {
  recipients: number
  sent: number
  cancelled: number
  refused: number
  held: number
  pending: number
}

/** Segments that a sending goes to, and those taken out. */
export interface Segments {
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

export type ScheduleType = 'asap' | 'scheduled' | 'timeZoneSchedule' | 'bestTime' | 'cron'

/** Where a message stands, in what its badge shows. */
export interface Standing {
  /** Of the interface; null: the channel knows active and inactive alone. */
  state: number | null
  paused: boolean
  active: boolean | null
}

/** How a channel's documents are read and written. */
export type DocumentKind<T> = Pick<Kind<T>, 'name' | 'read' | 'replace' | 'remove'>

export interface ContentProps<T> {
  form: Form<T>
  isReadOnly: boolean
}

export interface PreviewProps<T> {
  /** As it is being written: what is not saved is shown too. */
  value: T
}

export interface TestProps<T> {
  message: T
  /** Reads the message anew, after what was asked for has changed it. */
  onDone(): Promise<void>
}

/** Takes a message on, or back; each answers once the service has done it. */
export interface Commands {
  /** Goes out from here on: at once, or at its date. */
  validate(id: string): Promise<unknown>
  /** Back to a draft. */
  revoke(id: string): Promise<unknown>
  pause?(id: string): Promise<unknown>
  resume?(id: string): Promise<unknown>
}

/** What a version has in place of the campaign's content, as the interface has it. */
export type OwnContent = Readonly<Record<string, unknown>>

/** How a version of a campaign's content is written. */
export interface VersionKind<T> {
  Fields: ComponentType<ContentProps<T>>
  /** The message with what the version has in place of its content. */
  of(message: T, own: OwnContent): T
  /** What the version has then, once the message that `of` gave has `value` at a pointer; undefined: that is of no version. */
  with(message: T, own: OwnContent, change: { pointer: string; value: unknown }): OwnContent | undefined
  /** Where the interface tells of a fault of the message's member at a pointer, below the version. */
  faultAt(pointer: string): string
  /** What may be counted as a success, beside clicks. */
  hasOpens: boolean
}
/** What a new email begins with. */
export type Begun = { design: Design } | { html: string }

/** What the frame of writing needs of a channel. */
export interface Channel<T extends Message = Message> {
  name: ChannelName
  /** How approval names it. */
  asked: 'action' | 'rcs' | 'notification'
  kind: DocumentKind<T>
  /** Makes one; answers its id. `begun`: emails alone. */
  create(name: string, isCampaign: boolean, begun?: Begun): Promise<string | number>
  Content: ComponentType<ContentProps<T>>
  /** What versions of a campaign's content are; absent where it has one content alone. */
  versions?: VersionKind<T>
  /** In place of the frame's, where a channel's dates are others. */
  When?: ComponentType<ContentProps<T>>
  Preview: ComponentType<PreviewProps<T>>
  /** How far it is, of a channel whose messages have no monitor. */
  Progress?: ComponentType<{ message: T }>
  /** Proofs, to oneself or to a test segment. */
  Test: ComponentType<TestProps<T>>
  /** Pointers that `Content` shows the faults of. */
  pointers: readonly string[]
  /** What a member is called, for the list of what changed. */
  labelOf?(pointer: string): string | undefined
  segmentsAt: string
  schedulerAt: string
  /** What the frame's `When` offers. */
  schedules: readonly Exclude<ScheduleType, 'cron'>[]
  /** It goes to segments, not to single contacts on demand. */
  isCampaign(message: T): boolean
  standing(message: T): Standing
  /** The channel whose page this message belongs to, where the interface keeps several under one path. */
  belongsTo?(message: T): ChannelName
  audience(id: string, segments: Segments): Promise<AudienceCount>
  commands: Commands
  /** It has no test phase: what is complete may go out. */
  isFree?: true
}

export type StoredMessage = Stored<Message>

/** A row of `CHANNELS`: the frame keeps to what every message has, the channel's own parts know the rest. */
export const defineChannel = <T extends Message>(channel: Channel<T>): Channel => channel as unknown as Channel

import type { ComponentType } from 'react'
import type { Form, Stored } from '../../../parts/form/use-form.ts'
import type { Kind } from '../../../parts/form/use-resource.ts'
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

export type ScheduleType = 'asap' | 'scheduled' | 'timeZoneSchedule'

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

/** What the frame of writing needs of a channel. */
export interface Channel<T extends Message = Message> {
  name: ChannelName
  /** How approval names it. */
  asked: 'action' | 'rcs' | 'notification'
  kind: DocumentKind<T>
  /** Makes one; answers its id. */
  create(name: string, isCampaign: boolean): Promise<string | number>
  Content: ComponentType<ContentProps<T>>
  /** In place of the frame's, where a channel's dates are others. */
  When?: ComponentType<ContentProps<T>>
  Preview: ComponentType<PreviewProps<T>>
  /** Proofs, to oneself or to a test segment. */
  Test: ComponentType<TestProps<T>>
  /** Pointers that `Content` shows the faults of. */
  pointers: readonly string[]
  /** What a member is called, for the list of what changed. */
  labelOf?(pointer: string): string | undefined
  segmentsAt: string
  schedulerAt: string
  schedules: readonly ScheduleType[]
  /** It goes to segments, not to single contacts on demand. */
  isCampaign(message: T): boolean
  standing(message: T): Standing
  /** The channel whose page this message belongs to, where the interface keeps several under one path. */
  belongsTo?(message: T): ChannelName
  audience(id: string, segments: Segments): Promise<AudienceCount>
  commands: Commands
}

export type StoredMessage = Stored<Message>

/** A row of `CHANNELS`: the frame keeps to what every message has, the channel's own parts know the rest. */
export const defineChannel = <T extends Message>(channel: Channel<T>): Channel => channel as unknown as Channel

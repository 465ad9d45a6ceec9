import type { SentSourceKind } from '../lib/sources.ts'
import type {
  AuthoredContent,
  AuthoredSettings,
  MailVersionContent,
  SmsVersionContent,
  TemplatePart,
} from './authored.ts'
import { emailChannelTraits } from './email/traits.ts'
import type { PushVersionContent } from './push/content.ts'
import { pushChannelTraits } from './push/traits.ts'
import type { RcsVersionContent } from './rcs/content/content-schemas.ts'
import { rcsChannelTraits } from './rcs/traits.ts'
import { smsChannelTraits } from './sms/traits.ts'

/** Members of bodies that a channel has nothing to do with: of an execution item, of its content, of the legacy send. */
interface ForeignMembers {
  item: readonly string[]
  content: readonly string[]
  /** All members but these are foreign; null: none is. */
  legacyKnown: readonly string[] | null
}

/** Content stored in versions, in the form of each channel. */
export type VersionContent = MailVersionContent | SmsVersionContent | RcsVersionContent | PushVersionContent

/** The kind of publication for followed links. */
export type HitPublicationKind = 'hits' | 'interactions'

/** Channel traits for every part of the program: values and pure functions. The code that builds messages is in `channel.ts`. */
export interface ChannelTraits {
  name: string
  /** As people read it. */
  title: string
  /** Type of the fields that can hold its address; null if it has no addresses because its messages are sent to devices. */
  addressType: 'email' | 'phone' | null
  /** An action that names no field gets the first unicity field of that type, before the first one. */
  prefersUnicity: boolean
  /** Its red list, by the name of that list in the API; null if it has no red list. */
  redList: 'mail' | 'sms' | null
  hitsAs: HitPublicationKind
  /** The source of information on whether an accepted message arrived: later bounces, delivery reports, or null for no source. */
  arrivals: 'bounces' | 'reports' | null
  /** Media type of request bodies for the channel; null if it does not have its own. */
  mediaType: string | null
  /** The kind of source of what is sent through it. */
  sourceKind: SentSourceKind
  /** Types of the actions that send through it; null: none does. */
  actions: { message: string; campaign: string } | null
  /** An analysis says when a content has no link to unsubscribe. */
  wantsUnsubscribeLink: boolean
  /** Sent messages can be archived. */
  isArchived: boolean
  foreignMembers: ForeignMembers
  /** The sending profile that accounts have before they make one; null: its profiles are none of those of sending. */
  profile: { id: number; name: string; hasFrom: boolean } | null
  /** The member of a user that is their own address of the channel; null if users have none. */
  userAddress: 'email' | null
  /** The account's setting that holds what stands before the content of a proof; null: nothing does. */
  testPrefix: 'testSubjectPrefix' | 'testTextPrefix' | null
  /** Channel-specific settings of a new action, in addition to the common ones. */
  newSettings(creationOptions: { editionMode?: 0 | 1 | 2 }): object
  newContent(): object
  /** The content of an action as a version keeps it. */
  frozen(content: AuthoredContent): VersionContent
  /** The templates of a content, in the order in which their links are numbered. */
  parts(content: VersionContent, contentFormat: number): TemplatePart[]
  /** Members of the content that are empty and must not be, as paths. */
  missingParts(content: AuthoredContent, settings: AuthoredSettings): string[]
}

/** The same of a channel that actions send through. */
export interface ActionChannelTraits extends ChannelTraits {
  addressType: 'email' | 'phone'
  redList: 'mail' | 'sms'
  actions: { message: string; campaign: string }
}

/** Every channel that sends, by its name. */
export const channelTraits = {
  email: emailChannelTraits,
  sms: smsChannelTraits,
  rcs: rcsChannelTraits,
  notification: pushChannelTraits,
} as const satisfies Record<string, ChannelTraits>

export type SendingChannelName = keyof typeof channelTraits

/** Channels that actions send through. */
export type ActionChannelName = {
  [Name in SendingChannelName]: (typeof channelTraits)[Name]['actions'] extends null ? never : Name
}[SendingChannelName]

/** Returns the traits of one channel. */
export function getChannelTraits(name: ActionChannelName): ActionChannelTraits
export function getChannelTraits(name: SendingChannelName): ChannelTraits
export function getChannelTraits(name: SendingChannelName): ChannelTraits {
  return channelTraits[name]
}

/**
 * The channel that hits of a message are published under: the one it travelled by, unless that carries this kind of source
 * in place of the source's own channel.
 */
export function resolveHitChannel(sourceKind: SentSourceKind, travelled: SendingChannelName): SendingChannelName {
  if (getChannelTraits(travelled).sourceKind === sourceKind) return travelled
  return sendingChannelNames.find((name) => getChannelTraits(name).sourceKind === sourceKind) ?? travelled
}

export const sendingChannelNames = Object.keys(channelTraits) as readonly SendingChannelName[]

export const actionChannelNames = sendingChannelNames.filter(
  (name): name is ActionChannelName => channelTraits[name].actions !== null,
)

/** A red list, by its name on the wire. */
export type ChannelRedListName = (typeof channelTraits)[ActionChannelName]['redList']

export const channelRedListNames: readonly ChannelRedListName[] = [
  ...new Set(actionChannelNames.map((name) => channelTraits[name].redList)),
]

/** Channels whose messages are sent with the profiles of the sending settings. */
export type ProfiledChannelName = Exclude<ActionChannelName, 'rcs'>

export const profiledChannelNames = sendingChannelNames.filter(
  (name): name is ProfiledChannelName => channelTraits[name].profile !== null,
)

/** Types of the fields that can hold an address of some channel. */
export const addressFieldTypes: readonly string[] = [
  ...new Set(actionChannelNames.map((name) => channelTraits[name].addressType)),
]

export function isAddressFieldType(type: string): boolean {
  return addressFieldTypes.includes(type)
}

/** Types of actions, by what they send. */
export type ChannelActionType =
  (typeof channelTraits)[ActionChannelName]['actions'][keyof ActionChannelTraits['actions']]

export const campaignActionTypes: readonly ChannelActionType[] = actionChannelNames.map(
  (name) => channelTraits[name].actions.campaign,
)

/** The channel that actions of a type send through. */
export function getActionChannel(type: ChannelActionType): ActionChannelName {
  const name = actionChannelNames.find((channelName) =>
    Object.values(channelTraits[channelName].actions).some((actionType) => actionType === type),
  )
  if (!name) throw new Error(`no channel sends actions of type ${type}`)
  return name
}

/** The channel whose media type this is; undefined for any other type. */
export function findMediaChannel(mediaType: string): ActionChannelName | undefined {
  return actionChannelNames.find((name) => channelTraits[name].mediaType === mediaType)
}

import type { SourceKind } from '../lib/sources.ts'
import type { AuthoredContent, AuthoredSettings, MailContent, SmsContent, TemplatePart } from './authored.ts'
import { email } from './email/facts.ts'
import type { FrozenNotification } from './push/content.ts'
import { notification } from './push/facts.ts'
import type { FrozenRcs } from './rcs/content/content-schemas.ts'
import { rcs } from './rcs/facts.ts'
import { sms } from './sms/facts.ts'

/** Members of bodies that a channel has nothing to do with: of an execution item, of its content, of the legacy send. */
interface ForeignMembers {
  item: readonly string[]
  content: readonly string[]
  /** All members but these are foreign; null: none is. */
  legacyKnown: readonly string[] | null
}

/** What versions keep of contents: each channel's own. */
export type FrozenContent = MailContent | SmsContent | FrozenRcs | FrozenNotification

/** What followed links are published as. */
export type HitsAs = 'hits' | 'interactions'

/** What every part of the program may ask of a channel: values and pure functions. What makes messages is in `channel.ts`. */
export interface ChannelFacts {
  name: string
  /** As people read it. */
  title: string
  /** Type of the fields that can hold its address; null: it has none, its messages go to devices. */
  addressType: 'email' | 'phone' | null
  /** An action that names no field gets the first unicity field of that type, before the first one. */
  prefersUnicity: boolean
  /** Its red list, by the name that list has on the wire; null: it has none. */
  redList: 'mail' | 'sms' | null
  hitsAs: HitsAs
  /** What tells whether a message that was accepted arrived: bounces that came later, delivery reports, or nothing. */
  arrivals: 'bounces' | 'reports' | null
  /** Media type of bodies that are meant for it; null: it has none of its own. */
  mediaType: string | null
  /** The kind of source of what is sent through it. */
  sourceKind: SourceKind
  /** Types of the actions that send through it; null: none does. */
  actions: { message: string; campaign: string } | null
  /** An analysis says when a content has no link to unsubscribe. */
  wantsUnsubscribeLink: boolean
  /** What was sent can be kept as it left. */
  isArchived: boolean
  foreignMembers: ForeignMembers
  /** The sending profile that accounts have before they make one; null: its profiles are none of those of sending. */
  profile: { id: number; name: string; hasFrom: boolean } | null
  /** The account's setting that holds what stands before the content of a proof; null: nothing does. */
  testPrefix: 'testSubjectPrefix' | 'testTextPrefix' | null
  /** Settings that a new action of the channel has beside the common ones. */
  newSettings(given: { editionMode?: 0 | 1 | 2 }): object
  newContent(): object
  /** The content of an action as a version keeps it. */
  frozen(content: AuthoredContent): FrozenContent
  /** The templates of a content, in the order in which their links are numbered. */
  parts(content: FrozenContent, contentFormat: number): TemplatePart[]
  /** Members of the content that are empty and must not be, as paths. */
  missingParts(content: AuthoredContent, settings: AuthoredSettings): string[]
}

/** The same of a channel that actions send through. */
export interface ActionChannelFacts extends ChannelFacts {
  addressType: 'email' | 'phone'
  redList: 'mail' | 'sms'
  actions: { message: string; campaign: string }
}

/** Every channel that sends, by its name. */
export const channels = { email, sms, rcs, notification } as const satisfies Record<string, ChannelFacts>

export type ChannelName = keyof typeof channels

/** Channels that actions send through. */
export type ActionChannel = {
  [Name in ChannelName]: (typeof channels)[Name]['actions'] extends null ? never : Name
}[ChannelName]

/** What is known of one channel. */
export function factsOf(name: ActionChannel): ActionChannelFacts
export function factsOf(name: ChannelName): ChannelFacts
export function factsOf(name: ChannelName): ChannelFacts {
  return channels[name]
}

/**
 * The channel that hits of a message are published under: the one it travelled by, unless that carries this kind of source
 * in place of the source's own channel.
 */
export function channelOfHits(sourceKind: SourceKind, travelled: ChannelName): ChannelName {
  if (factsOf(travelled).sourceKind === sourceKind) return travelled
  return channelNames.find((name) => factsOf(name).sourceKind === sourceKind) ?? travelled
}

export const channelNames = Object.keys(channels) as readonly ChannelName[]

export const actionChannels = channelNames.filter((name): name is ActionChannel => channels[name].actions !== null)

/** A red list, by its name on the wire. */
export type RedListName = (typeof channels)[ActionChannel]['redList']

export const redListNames: readonly RedListName[] = [...new Set(actionChannels.map((name) => channels[name].redList))]

/** Channels whose messages are sent with the profiles of the sending settings. */
export type ProfiledChannel = Exclude<ActionChannel, 'rcs'>

export const profiledChannels = channelNames.filter((name): name is ProfiledChannel => channels[name].profile !== null)

/** Types of the fields that can hold an address of some channel. */
export const addressTypes: readonly string[] = [...new Set(actionChannels.map((name) => channels[name].addressType))]

export function isAddressType(type: string): boolean {
  return addressTypes.includes(type)
}

/** Types of actions, by what they send. */
export type ActionType = (typeof channels)[ActionChannel]['actions'][keyof ActionChannelFacts['actions']]

export const campaignTypes: readonly ActionType[] = actionChannels.map((name) => channels[name].actions.campaign)

/** The channel that actions of a type send through. */
export function channelOfAction(type: ActionType): ActionChannel {
  const name = actionChannels.find((one) => Object.values(channels[one].actions).some((known) => known === type))
  if (!name) throw new Error(`no channel sends actions of type ${type}`)
  return name
}

/** The channel whose media type this is; undefined for any other type. */
export function channelOfMedia(mediaType: string): ActionChannel | undefined {
  return actionChannels.find((name) => channels[name].mediaType === mediaType)
}

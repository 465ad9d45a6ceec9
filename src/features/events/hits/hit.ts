import { getChannelTraits, type HitPublicationKind, type SendingChannelName } from '../../../channels/channel-traits.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { formatSentSourceId, type SentSourceNumber } from '../../../lib/sources.ts'
import type { EventDetail, NewEvent, RedListEffect } from '../record/new-event.ts'
import { MAX_USER_AGENT_LENGTH, truncateEventText } from '../record/record.ts'
import { type IpAddressDetail, truncateIpAddress } from './address.ts'
import type { HitVerdict } from './classification.ts'
import { parseUserAgent } from './device.ts'

/** The link that was followed; each type with its members. */
export type FollowedLink =
  | { type: 'open' }
  | { type: 'redirection'; id: number; name: string | null; url: string }
  | { type: 'unsubscribe'; via: 'one-click' | 'page' | 'mailto' }
  | { type: 'mirror'; id: number | null; name: string | null }
  | { type: 'form'; id: number | null; name: string | null; form: string }

/** The message a link belongs to, as its token says. */
export interface HitMessage extends SentSourceNumber {
  account: number
  channel: SendingChannelName
  kind: 'message' | 'campaign' | 'test'
  contact: number | null
  /** Stamp id. */
  stamp: string
  /** The link is of what was sent in its place. */
  isFallback?: boolean
}

/** Request of a hit. `visitor` is a keyed hash of the whole address; null if there is none. */
export interface HitRequest {
  /** Milliseconds. */
  time: number
  address: string | null
  userAgent: string | null
  visitor: Uint8Array | null
}

/** Retained part of the request of a hit that waits to be stored: in memory, or as JSON in the spool. */
export interface PendingHitRequest {
  /** Milliseconds: the instant of the request. */
  time: number
  /** The address as far as it may be kept. */
  address: string | null
  userAgent: string | null
  /** Keyed hash of the whole address, base64. */
  visitor: string | null
  verdict: HitVerdict
}

/** The origins of red list entries: an unsubscribe link, and any sign of a channel that has interactions. */
const UNSUBSCRIBE_LINK_ORIGIN = 4
const CHANNEL_UNSUBSCRIBE_ORIGIN = 6

/**
 * A recorded request of a recipient. The activation of its stamp is embedded when it is written, and the token's part
 * of it stands in when that is gone. A confirmed unsubscribe is written once per stamp and never classed as a robot's.
 */
export function createHitEvent(
  message: HitMessage,
  link: FollowedLink,
  request: HitRequest,
  hitOptions: { verdict: HitVerdict; addressDetail: IpAddressDetail },
): NewEvent {
  const isUnsubscribe = link.type === 'unsubscribe'
  const { classification, early: earlyClass } = hitOptions.verdict
  const userAgent = request.userAgent === null ? null : truncateEventText(request.userAgent, MAX_USER_AGENT_LENGTH)
  const hitDetail = {
    time: request.time,
    ip: truncateIpAddress(request.address, hitOptions.addressDetail),
    userAgent,
    device: parseUserAgent(userAgent),
    classification: isUnsubscribe ? null : classification,
  }
  return {
    account: message.account,
    channel: message.channel,
    subject: message.source,
    contact: message.contact,
    stamp: message.stamp,
    thread: null,
    isTest: message.kind === 'test',
    ...(message.isFallback && { isFallback: true }),
    classification: isUnsubscribe ? null : classification,
    key: isUnsubscribe ? message.stamp : null,
    ...toPublishedHit(getChannelTraits(message.channel).hitsAs, link, hitDetail),
    fallback: buildTokenActivation(message, message.stamp),
    effect: isUnsubscribe ? buildUnsubscribeEffect(message, request) : null,
    watch: {
      hitAt: request.time,
      link: 'id' in link ? link.id : null,
      visitor: isUnsubscribe ? null : request.visitor,
      early: isUnsubscribe ? null : earlyClass,
    },
  }
}

/**
 * Returns the published form of a followed link. On a channel that has interactions, a link with no name among them, such as that of a
 * form, remains a hit.
 */
export function toPublishedHit(
  hitsAs: HitPublicationKind,
  link: FollowedLink,
  hitDetail: EventDetail,
): Pick<NewEvent, 'kind' | 'detail'> {
  if (hitsAs === 'interactions' && link.type === 'redirection') {
    const { type, ...linkMembers } = link
    return { kind: 'interactions/redirection', detail: { interaction: { type, link: linkMembers, ...hitDetail } } }
  }
  if (hitsAs === 'interactions' && link.type === 'unsubscribe') {
    const { time, classification } = hitDetail
    return {
      kind: 'interactions/unsubscribe',
      detail: { interaction: { type: link.type, time, classification, text: null } },
    }
  }
  return { kind: `hits/${link.type}`, detail: { link, hit: hitDetail } }
}

/** The entry of the red list that an unsubscription makes. */
export function createUnsubscribeEntry(
  message: Pick<HitMessage, 'channel' | 'sourceKind' | 'source'>,
  time: number,
  hitsAs: HitPublicationKind = getChannelTraits(message.channel).hitsAs,
): Pick<RedListEffect, 'at' | 'origin' | 'detail'> {
  const entryDate = new Date(time)
  if (hitsAs === 'interactions')
    return { at: entryDate, origin: CHANNEL_UNSUBSCRIBE_ORIGIN, detail: { channel: message.channel } }
  return { at: entryDate, origin: UNSUBSCRIBE_LINK_ORIGIN, detail: { action: formatSentSourceId(message) } }
}

/** A contact who unsubscribes receives nothing further on the channel of the message. */
function buildUnsubscribeEffect(message: HitMessage, { time }: HitRequest): RedListEffect | null {
  const { channel, contact, kind } = message
  const { redList } = getChannelTraits(channel)
  if (contact === null || kind === 'test' || redList === null) return null
  return { type: 'redList', contact, channel: redList, ...createUnsubscribeEntry(message, time) }
}

/** Builds the replacement of a message's missing activation from the contents of its token. */
export function buildTokenActivation(
  message: Pick<HitMessage, 'sourceKind' | 'source' | 'kind' | 'contact'>,
  stamp: string,
): EventDetail {
  const { kind, contact } = message
  const receiver = contact === null ? null : { type: 'id', value: formatContactId(contact) }
  return { id: formatSentSourceId(message), kind, receiver, stamp: { id: stamp } }
}

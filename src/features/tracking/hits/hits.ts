import { resolveHitChannel } from '../../../channels/channel-traits.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import type { SentSourceNumber } from '../../../lib/sources.ts'
import type { DisplayHit } from '../../display/display-hits.ts'
import type { IpAddressDetail } from '../../events/hits/address.ts'
import { createHitEvent, type FollowedLink, type HitMessage, type PendingHitRequest } from '../../events/hits/hit.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import type { PushHit } from '../../events/record/push-signals.ts'
import type { TrackedContentVersion } from '../version-cache.ts'

/** The message that a token names. `contact` is 0 for one without a record. */
export interface HitToken extends SentSourceNumber {
  account: number
  version: number
  contact: number
  stamp: string
  link: number
  test: boolean
}

/**
 * A request in the form in which it waits to be stored: in memory, or as JSON in the spool. Its version and the settings
 * of its account are looked up when it is stored, as the database may be unavailable when it arrives.
 */
export interface MessageHit extends PendingHitRequest {
  token: HitToken
  type: 'open' | 'redirection' | 'mirror'
  /** The target of a redirection; null for the other types. */
  url: string | null
}

/** A hit of a message, or of a display content, or what an app reported of a push message. */
export type TrackingHit = MessageHit | DisplayHit | PushHit

export function isDisplayHit(hit: TrackingHit): hit is DisplayHit {
  return 'channel' in hit && hit.channel === 'display'
}

export function isPushHit(hit: TrackingHit): hit is PushHit {
  return 'channel' in hit && hit.channel === pushChannelTraits.name
}

/** A hit as it was spooled before there were other sources than actions. */
interface LegacyActionHit extends Omit<MessageHit, 'token'> {
  token: Omit<HitToken, keyof SentSourceNumber> & { action: number }
}

/** A hit in the spool, with the key of its group: a transaction may already have stored it under that key. */
export interface SpooledHit {
  group: string
  hit: TrackingHit
}

/** True if a line of a spool file is a hit: anyone may have put the file there. */
export function isSpooledHit(value: unknown): value is SpooledHit {
  if (!isJsonObject(value)) return false
  const { group, hit } = value
  return typeof group === 'string' && parseUuid(group) !== undefined && isJsonObject(hit) && isJsonObject(hit['token'])
}

/** Reads a hit of the spool, which an earlier version may have written. */
export function parseSpooledHit(hit: TrackingHit | LegacyActionHit): TrackingHit {
  if (!('action' in hit.token)) return hit as TrackingHit
  const { action, ...token } = hit.token
  return { ...(hit as MessageHit), token: { ...token, sourceKind: 'action', source: action } }
}

/** The message of a token as events name it. */
export function toHitMessage(
  token: HitToken,
  version: Pick<TrackedContentVersion, 'channel' | 'kind' | 'links'>,
): HitMessage {
  return {
    account: token.account,
    channel: resolveHitChannel(token.sourceKind, version.channel),
    sourceKind: token.sourceKind,
    source: token.source,
    kind: token.test ? 'test' : version.kind,
    contact: token.contact === 0 ? null : token.contact,
    stamp: token.stamp,
    ...(version.links.get(token.link)?.isFallback && { isFallback: true }),
  }
}

function findHitLink({ type, token, url }: MessageHit, version: TrackedContentVersion): FollowedLink {
  if (type === 'open') return { type }
  const name = version.links.get(token.link)?.name ?? null
  if (type === 'mirror') return { type, id: token.link === 0 ? null : token.link, name }
  return { type, id: token.link, name, url: url ?? '' }
}

/** The event of a hit. */
export function toHitEvent(hit: MessageHit, version: TrackedContentVersion, addressDetail: IpAddressDetail): NewEvent {
  const { time, address, userAgent, visitor, verdict, token } = hit
  const request = { time, address, userAgent, visitor: visitor === null ? null : Buffer.from(visitor, 'base64') }
  return createHitEvent(toHitMessage(token, version), findHitLink(hit, version), request, { verdict, addressDetail })
}

import { type ChannelName, factsOf, type HitsAs } from '../../channels/facts.ts'
import { contactId } from '../../lib/ids.ts'
import { type SourceNumber, sourceId } from '../../lib/sources.ts'
import type { Footprint } from '../contacts/identification-schemas.ts'
import { type AddressDetail, keptAddress } from './address.ts'
import { countsAgainstAddress, hardFlag } from './bounce-subjects.ts'
import type { BounceAnalysis } from './bounces.ts'
import type { HitVerdict } from './classification.ts'
import { readDevice } from './device.ts'
import type { Detail, FlagEffect, NewEvent, RedListEffect } from './new-event.ts'

export type { Footprint }

/** Names one send: `id` is the join key of all that follows it, `thread` the conversation, `set` the batch or run. */
export interface Stamp {
  /** Milliseconds. */
  time: number
  id: string
  thread: string
  set: string
}

/** One message to one contact: what every event of it repeats. */
export interface Send extends SourceNumber {
  account: number
  channel: ChannelName
  kind: 'message' | 'campaign' | 'test'
  /** Number of the contact; null for an address without one. */
  contact: number | null
  footprint: Footprint | null
  /** Id of the address field; null when the address is none of the contact's. */
  field: number | null
  stamp: Stamp
}

/** Who asked for a send. */
export interface Origin {
  type: 'api' | 'workflow' | 'webtask' | 'campaign' | 'task'
  id?: string | number
}

/** What was asked: `data` of the request, and who asked. */
export interface Asked {
  data: Detail
  origin?: Origin
}

/** Why an asked send will not be handed over; the closed list of types with the members of their `value`. */
export interface Cancellation {
  type: CancellationType
  value?: Detail
}

export type CancellationType =
  | 'action deleted'
  | 'expired'
  | 'recipient not found'
  | 'empty address'
  | 'invalid address'
  | 'country'
  | 'duplicate address'
  | 'bounce'
  | 'redlist'
  | 'consent'
  | 'marketing pressure'
  | 'capping'
  | 'user defined policy'
  | 'render error'
  | 'attachment'
  | 'no subscription'
  | 'opted out'
  | 'configuration'

/** The message as handed over: to which address, through which gateway, under which id there. */
export interface HandOver {
  address: string
  gateway: { name: string; message: string | null }
}

/** What the remote said when it refused, with its analysis. */
export interface Refusal {
  /** Milliseconds. */
  time: number
  /** As received; cut to 2,000 characters. */
  diagnostic: string
  /** Remote host, or ''. */
  mta: string
  /** Final recipient. */
  address: string
  analysis: BounceAnalysis
  /** The gateway's own code, where it is no mail server. */
  gatewayCode?: string | undefined
}

/** The link that was followed; each type with its members. */
export type Link =
  | { type: 'open' }
  | { type: 'redirection'; id: number; name: string | null; url: string }
  | { type: 'unsubscribe'; via: 'one-click' | 'page' | 'mailto' }
  | { type: 'mirror'; id: number | null; name: string | null }
  | { type: 'form'; id: number | null; name: string | null; form: string }

/** The message a link belongs to, as its token says. */
export interface HitMessage extends SourceNumber {
  account: number
  channel: ChannelName
  kind: 'message' | 'campaign' | 'test'
  contact: number | null
  /** Stamp id. */
  stamp: string
}

/** The request of a hit. `visitor` is a keyed hash of the whole address; null when there is none. */
export interface HitRequest {
  /** Milliseconds. */
  time: number
  address: string | null
  userAgent: string | null
  visitor: Uint8Array | null
}

/** The flag of a temporary refusal. */
const SOFT = 4

/** The origins of red list entries: an unsubscribe link, and any sign of a channel that has interactions. */
const UNSUBSCRIBED = 4
const UNSUBSCRIBED_OF_CHANNEL = 6

/** What is kept of the request of a hit that waits to be stored: in memory, or as JSON in the spool. */
export interface KeptRequest {
  /** Milliseconds: the instant of the request. */
  time: number
  /** The address as far as it may be kept. */
  address: string | null
  userAgent: string | null
  /** Keyed hash of the whole address, base64. */
  visitor: string | null
  verdict: HitVerdict
}

export const DIAGNOSTIC_LENGTH = 2000
export const AGENT_LENGTH = 512

/** What all events of a send have in common. */
export function base(send: Send): Omit<NewEvent, 'kind' | 'key' | 'detail'> {
  return {
    account: send.account,
    channel: send.channel,
    subject: send.source,
    contact: send.contact,
    stamp: send.stamp.id,
    thread: send.stamp.thread,
    isTest: send.kind === 'test',
  }
}

function executionOf(send: Send, asked: Asked | undefined): Detail {
  return {
    id: sourceId(send),
    kind: send.kind,
    recipient: send.footprint,
    data: asked?.data,
    stamp: send.stamp,
    field: asked && (send.field ?? undefined),
    origin: asked?.origin,
  }
}

/** A send was asked for. Campaign runs and proofs write none. Once per stamp. */
export function execution(send: Send, asked: Asked): NewEvent {
  return { ...base(send), kind: 'executions', key: send.stamp.id, detail: { execution: executionOf(send, asked) } }
}

/** A send will not be handed over; without `asked` (campaigns, proofs) its execution holds the least. Once per stamp. */
export function cancellation(send: Send, { type, value }: Cancellation, asked?: Asked): NewEvent {
  const detail = { execution: executionOf(send, asked), cancellation: { type, value: value ?? {} } }
  return { ...base(send), kind: 'cancellations', key: send.stamp.id, detail }
}

/** The remote's final answer, accepted or refused. Once per stamp. */
export function activation(send: Send, { address, gateway }: HandOver): NewEvent {
  const detail = {
    id: sourceId(send),
    kind: send.kind,
    receiver: send.footprint,
    stamp: send.stamp,
    recipient: address,
    field: send.field ?? undefined,
    gateway,
  }
  return { ...base(send), kind: 'activations', key: send.stamp.id, detail: { activation: detail } }
}

/** A refusal in the sending dialogue; give it after its activation, in the same list. Once per stamp and address. */
export function syncBounce(send: Send, refusal: Refusal): NewEvent {
  const { time, mta, address } = refusal
  const { enhanced, reply, verdict, subject, rule } = refusal.analysis
  const diagnostic = cut(refusal.diagnostic, DIAGNOSTIC_LENGTH)
  const status = {
    type: 'sync',
    code: { enhanced, reply: reply ?? undefined, gateway: refusal.gatewayCode },
    diagnostic,
    mta,
  }
  return {
    ...base(send),
    kind: 'bounces',
    key: [send.stamp.id, address, 'sync'].join(' '),
    detail: { bounce: { time, status, analysis: { verdict, subject, rule } } },
    effect: flagOf(send, refusal),
  }
}

/** What a refusal does to the address field: a flag, or nothing when it says nothing of the address. */
export function flagOf(send: Send, { time, address, diagnostic, analysis }: Refusal): FlagEffect | null {
  const { contact, field, kind } = send
  const { verdict, subject } = analysis
  if (contact === null || field === null || kind === 'test') return null
  if (verdict === 'soft' && !countsAgainstAddress(subject)) return null
  const code = verdict === 'hard' ? hardFlag(subject) : SOFT
  return { type: 'flag', contact, field, address, code, at: new Date(time), reason: cut(diagnostic, DIAGNOSTIC_LENGTH) }
}

/**
 * A recorded request of a recipient. The activation of its stamp is embedded when it is written, and the token's part
 * of it stands in when that is gone. A confirmed unsubscribe is written once per stamp and never classed as a robot's.
 */
export function hit(
  message: HitMessage,
  link: Link,
  request: HitRequest,
  how: { verdict: HitVerdict; addressDetail: AddressDetail },
): NewEvent {
  const isAct = link.type === 'unsubscribe'
  const { classification, early } = how.verdict
  const userAgent = request.userAgent === null ? null : cut(request.userAgent, AGENT_LENGTH)
  const seen = {
    time: request.time,
    ip: keptAddress(request.address, how.addressDetail),
    userAgent,
    device: readDevice(userAgent),
    classification: isAct ? null : classification,
  }
  return {
    account: message.account,
    channel: message.channel,
    subject: message.source,
    contact: message.contact,
    stamp: message.stamp,
    thread: null,
    isTest: message.kind === 'test',
    classification: isAct ? null : classification,
    key: isAct ? message.stamp : null,
    ...published(factsOf(message.channel).hitsAs, link, seen),
    fallback: tokenPart(message, message.stamp),
    effect: isAct ? redListOf(message, request) : null,
    watch: {
      hitAt: request.time,
      link: 'id' in link ? link.id : null,
      visitor: isAct ? null : request.visitor,
      early: isAct ? null : early,
    },
  }
}

/**
 * What a followed link is published as. Of a channel that has interactions, what has no name among them, as forms have
 * none, stays a hit.
 */
export function published(hitsAs: HitsAs, link: Link, seen: Detail): Pick<NewEvent, 'kind' | 'detail'> {
  if (hitsAs === 'interactions' && link.type === 'redirection') {
    const { type, ...followed } = link
    return { kind: 'interactions/redirection', detail: { interaction: { type, link: followed, ...seen } } }
  }
  if (hitsAs === 'interactions' && link.type === 'unsubscribe') {
    const { time, classification } = seen
    return {
      kind: 'interactions/unsubscribe',
      detail: { interaction: { type: link.type, time, classification, text: null } },
    }
  }
  return { kind: `hits/${link.type}`, detail: { link, hit: seen } }
}

/** The entry of the red list that an unsubscription makes. */
export function unsubscribedEntry(
  message: Pick<HitMessage, 'channel' | 'sourceKind' | 'source'>,
  time: number,
  hitsAs: HitsAs = factsOf(message.channel).hitsAs,
): Pick<RedListEffect, 'at' | 'origin' | 'detail'> {
  const at = new Date(time)
  if (hitsAs === 'interactions') return { at, origin: UNSUBSCRIBED_OF_CHANNEL, detail: { channel: message.channel } }
  return { at, origin: UNSUBSCRIBED, detail: { action: sourceId(message) } }
}

/** Who unsubscribes gets nothing more on the channel of the message. */
function redListOf(message: HitMessage, { time }: HitRequest): RedListEffect | null {
  const { channel, contact, kind } = message
  if (contact === null || kind === 'test') return null
  return { type: 'redList', contact, channel: factsOf(channel).redList, ...unsubscribedEntry(message, time) }
}

/** What stands for the activation of a message when that is gone: what its token tells. */
export function tokenPart(
  message: Pick<HitMessage, 'sourceKind' | 'source' | 'kind' | 'contact'>,
  stamp: string,
): Detail {
  const { kind, contact } = message
  const receiver = contact === null ? null : { type: 'id', value: contactId(contact) }
  return { id: sourceId(message), kind, receiver, stamp: { id: stamp } }
}

/** At most so many characters, without what PostgreSQL takes for no text: halves of surrogate pairs, and NUL. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed().replaceAll('\0', '')
}

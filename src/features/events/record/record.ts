import type { SendingChannelName } from '../../../channels/facts.ts'
import { formatSentSourceId, type SendOrigin, type SentSourceNumber } from '../../../lib/sources.ts'
import { toStorableText } from '../../../lib/text/storable.ts'
import type { Footprint } from '../../contacts/records/identification-schemas.ts'
import { isAddressRelatedBounce, toHardBounceCode } from '../bounces/bounce-subjects.ts'
import type { BounceAnalysis } from '../bounces/bounces.ts'
import type { SendCancellation } from '../kinds/cancellations.ts'
import type { RCS_CHANNEL } from '../kinds/event-kinds.ts'
import type { BounceFlagEffect, EventDetail, NewEvent } from './new-event.ts'

export type { Footprint, SendCancellation }

/** Names one send: `id` is the join key of all that follows it, `thread` the conversation, `set` the batch or run. */
export interface SendStamp {
  /** Milliseconds. */
  time: number
  id: string
  thread: string
  set: string
}

/** How a rich message goes out. */
export interface RcsRoute {
  /** E.164; null when the contact has none. */
  phone: string | null
  agent: string
  /** Number of the profile. */
  profile: number
  /** Of what is sent as SMS in its place: why. */
  fallback?: { type: SendingChannelName; reason: string }
}

/** What all events of a push message say of it. */
export interface PushSend {
  /** Of the notification; a UUID. */
  version: string
  /** Whose devices get it; a UUID. */
  application: string
  /** The one device that it was asked for; null: those of its contact. */
  subscription: string | null
}

/** One message to one contact: what every event of it repeats. */
export interface AnySend extends SentSourceNumber {
  account: number
  channel: SendingChannelName | typeof RCS_CHANNEL
  kind: 'message' | 'campaign' | 'test'
  /** Number of the contact; null for an address without one. */
  contact: number | null
  footprint: Footprint | null
  /** Id of the address field; null when the address is none of the contact's. */
  field: number | null
  stamp: SendStamp
  rcs?: RcsRoute
  push?: PushSend
  /** Of the message; 0 by default. */
  depth?: number
}

/** One whose channel makes its messages. */
export interface ChannelSend extends AnySend {
  channel: SendingChannelName
}

/** What was asked: `data` of the request, and who asked. */
export interface SendRequestDetail {
  data: EventDetail
  origin?: SendOrigin
}

/** The message as handed over: to which address, through which gateway, under which id there. */
export interface SendHandOver {
  address: string
  gateway: { name: string; message: string | null }
}

/** What the remote said when it refused, with its analysis. */
export interface SendRefusal {
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

/** The flag of a temporary refusal. */
const SOFT = 4

export const MAX_DIAGNOSTIC_LENGTH = 2000
export const MAX_USER_AGENT_LENGTH = 512

/** What all events of a send have in common. */
export function buildSendEventBase(send: AnySend): Omit<NewEvent, 'kind' | 'key' | 'detail'> {
  return {
    account: send.account,
    channel: send.channel,
    subject: send.source,
    contact: send.contact,
    stamp: send.stamp.id,
    thread: send.stamp.thread,
    isTest: send.kind === 'test',
    depth: send.depth ?? 0,
    ...(send.rcs && { phone: send.rcs.phone, agent: send.rcs.agent, isFallback: send.rcs.fallback !== undefined }),
  }
}

/** A natural key of a send: its fallback has keys of its own. */
export function buildSendKey({ stamp, rcs }: AnySend, ...parts: readonly string[]): string {
  return [stamp.id, ...parts, ...(rcs?.fallback ? ['fallback'] : [])].join(' ')
}

/** What a record says of the way a rich message went. */
function routeOf({ rcs }: AnySend): EventDetail | undefined {
  return rcs && { phone: rcs.phone, agent: rcs.agent, profile: rcs.profile }
}

/** Who a push message is for: a contact, or a device without one. */
function pushReceiver({ footprint, push }: AnySend): EventDetail | null {
  if (footprint) return { type: 'contact', value: footprint }
  return push?.subscription == null ? null : { type: 'subscription', value: push.subscription }
}

/** What executions and activations of a push message have in common. */
function pushPart(send: AnySend, { version, application }: PushSend, receiver: 'recipient' | 'receiver'): EventDetail {
  const kind = send.kind === 'test' ? 'test' : 'application'
  return { id: formatSentSourceId(send), version, kind, [receiver]: pushReceiver(send), application, stamp: send.stamp }
}

function executionOf(send: AnySend, asked: SendRequestDetail | undefined): EventDetail {
  if (send.push) return { ...pushPart(send, send.push, 'recipient'), data: asked?.data, origin: asked?.origin }
  return {
    id: formatSentSourceId(send),
    kind: send.kind,
    recipient: send.footprint,
    ...routeOf(send),
    data: asked?.data,
    stamp: send.stamp,
    field: asked && (send.field ?? undefined),
    origin: asked?.origin,
  }
}

/** A send was asked for. Campaign runs and proofs write none. Once per stamp. */
export function createExecutionEvent(send: AnySend, asked: SendRequestDetail): NewEvent {
  return {
    ...buildSendEventBase(send),
    kind: 'executions',
    key: send.stamp.id,
    detail: { execution: executionOf(send, asked) },
  }
}

/** A send will not be handed over; without `asked` (campaigns, proofs) its execution holds the least. Once per stamp. */
export function createCancellationEvent(
  send: AnySend,
  { type, value }: SendCancellation,
  asked?: SendRequestDetail,
): NewEvent {
  const detail = { execution: executionOf(send, asked), cancellation: { type, value: value ?? {} } }
  return { ...buildSendEventBase(send), kind: 'cancellations', key: send.stamp.id, detail }
}

/** The remote's final answer, accepted or refused. Once per stamp, and once more for the fallback of a rich message. */
export function createActivationEvent(send: AnySend, { address, gateway }: SendHandOver): NewEvent {
  if (send.push) {
    const detail = { activation: { ...pushPart(send, send.push, 'receiver'), gateway } }
    return { ...buildSendEventBase(send), kind: 'activations', key: buildSendKey(send), detail }
  }
  const detail = {
    id: formatSentSourceId(send),
    kind: send.kind,
    receiver: send.footprint,
    stamp: send.stamp,
    recipient: address,
    ...routeOf(send),
    field: send.field ?? undefined,
    gateway,
    fallback: send.rcs?.fallback,
  }
  return { ...buildSendEventBase(send), kind: 'activations', key: buildSendKey(send), detail: { activation: detail } }
}

/** A refusal in the sending dialogue; give it after its activation, in the same list. Once per stamp and address. */
export function createSyncBounceEvent(send: AnySend, refusal: SendRefusal): NewEvent {
  const { time, mta, address } = refusal
  const { enhanced, reply, verdict, subject, rule } = refusal.analysis
  const diagnostic = truncateEventText(refusal.diagnostic, MAX_DIAGNOSTIC_LENGTH)
  const status = {
    type: 'sync',
    code: { enhanced, reply: reply ?? undefined, gateway: refusal.gatewayCode },
    diagnostic,
    mta,
  }
  return {
    ...buildSendEventBase(send),
    kind: 'bounces',
    key: buildSendKey(send, address, 'sync'),
    detail: { bounce: { time, status, analysis: { verdict, subject, rule } } },
    effect: findRefusalFlag(send, refusal),
  }
}

/**
 * What a refusal does to the address field: a flag, or nothing when it says nothing of the address. That a rich message is
 * refused says nothing of SMS; that its fallback is refused does.
 */
export function findRefusalFlag(
  send: AnySend,
  { time, address, diagnostic, analysis }: SendRefusal,
): BounceFlagEffect | null {
  const { contact, field, kind } = send
  const { verdict, subject } = analysis
  if (contact === null || field === null || kind === 'test' || send.push || (send.rcs && !send.rcs.fallback))
    return null
  if (verdict === 'soft' && !isAddressRelatedBounce(subject)) return null
  const code = verdict === 'hard' ? toHardBounceCode(subject) : SOFT
  return {
    type: 'flag',
    contact,
    field,
    address,
    code,
    at: new Date(time),
    reason: truncateEventText(diagnostic, MAX_DIAGNOSTIC_LENGTH),
  }
}

/** At most so many characters, without what PostgreSQL takes for no text: halves of surrogate pairs, and NUL. */
export function truncateEventText(text: string, length: number): string {
  return toStorableText(text.slice(0, length))
}

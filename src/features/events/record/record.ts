import type { SendingChannelName } from '../../../channels/channel-traits.ts'
import { formatSentSourceId, type SendOrigin, type SentSourceNumber } from '../../../lib/sources.ts'
import { toStorableText } from '../../../lib/text/storable.ts'
import { isAddressRelatedBounce, toHardBounceCode } from '../../bounces/bounce-subjects.ts'
import type { BounceAnalysis } from '../../bounces/classify-mail-bounce.ts'
import type { Footprint } from '../../contacts/records/identification-schemas.ts'
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

/** Route of a rich message. */
export interface RcsRoute {
  /** E.164; null if the contact has none. */
  phone: string | null
  agent: string
  /** Number of the profile. */
  profile: number
  /** Set for an SMS sent in its place: the reason. */
  fallback?: { type: SendingChannelName; reason: string }
}

/** Members that all events of a push message record. */
export interface PushSend {
  /** Version of the notification; a UUID. */
  version: string
  /** Application whose devices receive it; a UUID. */
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
  /** Id of the address field; null if the address is not one of the contact's. */
  field: number | null
  stamp: SendStamp
  rcs?: RcsRoute
  push?: PushSend
  /** Depth of the message; 0 by default. */
  depth?: number
}

/** One whose channel makes its messages. */
export interface ChannelSend extends AnySend {
  channel: SendingChannelName
}

/** Details of a request: its `data`, and its origin. */
export interface SendRequestDetail {
  data: EventDetail
  origin?: SendOrigin
}

/** The message as handed over: to which address, through which gateway, under which id there. */
export interface SendHandOver {
  address: string
  gateway: { name: string; message: string | null }
}

/** Refusal by the remote server, with its analysis. */
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
const SOFT_BOUNCE_FLAG = 4

export const MAX_DIAGNOSTIC_LENGTH = 2000
export const MAX_USER_AGENT_LENGTH = 512

/** Builds the members common to all events of a send. */
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

/** Builds the route of a rich message, as records hold it. */
function buildRouteDetail({ rcs }: AnySend): EventDetail | undefined {
  return rcs && { phone: rcs.phone, agent: rcs.agent, profile: rcs.profile }
}

/** Builds the receiver of a push message: a contact, or a device without one. */
function buildPushReceiver({ footprint, push }: AnySend): EventDetail | null {
  if (footprint) return { type: 'contact', value: footprint }
  return push?.subscription == null ? null : { type: 'subscription', value: push.subscription }
}

/** Builds the members common to executions and activations of a push message. */
function buildPushPart(
  send: AnySend,
  { version, application }: PushSend,
  receiver: 'recipient' | 'receiver',
): EventDetail {
  const kind = send.kind === 'test' ? 'test' : 'application'
  return {
    id: formatSentSourceId(send),
    version,
    kind,
    [receiver]: buildPushReceiver(send),
    application,
    stamp: send.stamp,
  }
}

function buildExecutionDetail(send: AnySend, requestDetail: SendRequestDetail | undefined): EventDetail {
  if (send.push)
    return { ...buildPushPart(send, send.push, 'recipient'), data: requestDetail?.data, origin: requestDetail?.origin }
  return {
    id: formatSentSourceId(send),
    kind: send.kind,
    recipient: send.footprint,
    ...buildRouteDetail(send),
    data: requestDetail?.data,
    stamp: send.stamp,
    field: requestDetail && (send.field ?? undefined),
    origin: requestDetail?.origin,
  }
}

/** A send was asked for. Campaign runs and proofs write none. Once per stamp. */
export function createExecutionEvent(send: AnySend, requestDetail: SendRequestDetail): NewEvent {
  return {
    ...buildSendEventBase(send),
    kind: 'executions',
    key: send.stamp.id,
    detail: { execution: buildExecutionDetail(send, requestDetail) },
  }
}

/** A send will not be handed over; without `requestDetail` (campaigns, proofs) its execution holds the least. Once per stamp. */
export function createCancellationEvent(
  send: AnySend,
  { type, value }: SendCancellation,
  requestDetail?: SendRequestDetail,
): NewEvent {
  const detail = { execution: buildExecutionDetail(send, requestDetail), cancellation: { type, value: value ?? {} } }
  return { ...buildSendEventBase(send), kind: 'cancellations', key: send.stamp.id, detail }
}

/** The remote's final answer, accepted or refused. Once per stamp, and once more for the fallback of a rich message. */
export function createActivationEvent(send: AnySend, { address, gateway }: SendHandOver): NewEvent {
  if (send.push) {
    const detail = { activation: { ...buildPushPart(send, send.push, 'receiver'), gateway } }
    return { ...buildSendEventBase(send), kind: 'activations', key: buildSendKey(send), detail }
  }
  const detail = {
    id: formatSentSourceId(send),
    kind: send.kind,
    receiver: send.footprint,
    stamp: send.stamp,
    recipient: address,
    ...buildRouteDetail(send),
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
 * Finds the effect of a refusal on the address field: a flag, or nothing if the refusal does not concern the address. The refusal of a
 * rich message does not concern SMS; the refusal of its fallback does.
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
  const code = verdict === 'hard' ? toHardBounceCode(subject) : SOFT_BOUNCE_FLAG
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

/** Truncates a text to `length` characters, and removes characters that PostgreSQL does not accept: halves of surrogate pairs, and NUL. */
export function truncateEventText(text: string, length: number): string {
  return toStorableText(text.slice(0, length))
}

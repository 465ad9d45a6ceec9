import type { ChannelName } from '../../channels/facts.ts'
import { type SourceNumber, sourceId } from '../../lib/sources.ts'
import type { Footprint } from '../contacts/identification-schemas.ts'
import { countsAgainstAddress, hardFlag } from './bounce-subjects.ts'
import type { BounceAnalysis } from './bounces.ts'
import type { Detail, FlagEffect, NewEvent } from './new-event.ts'

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

/** The flag of a temporary refusal. */
const SOFT = 4

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

/** At most so many characters, without what PostgreSQL takes for no text: halves of surrogate pairs, and NUL. */
export function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed().replaceAll('\0', '')
}

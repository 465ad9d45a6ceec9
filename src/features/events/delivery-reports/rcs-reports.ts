import { smsChannelTraits } from '../../../channels/sms/facts.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { BounceAnalysis } from '../bounces/bounces.ts'
import { buildTokenActivation } from '../hits/hit.ts'
import { RCS_CHANNEL } from '../kinds/event-kinds.ts'
import type { EventDetail, EventEffect, NewEvent } from '../record/new-event.ts'
import {
  type AnySend,
  buildSendEventBase,
  buildSendKey,
  MAX_DIAGNOSTIC_LENGTH,
  truncateEventText,
} from '../record/record.ts'

/** What a provider reports of an agent and a phone. */
export interface RcsReport {
  account: AccountId
  agent: string
  /** E.164. */
  phone: string
  /** Ids of the provider: of the message, ours or the person's, and of the report. */
  message: string | null
  event: string | null
  /** Milliseconds. */
  time: number
}

/** What a person did; each type with its members. */
export type RcsSignal =
  | { type: 'read' }
  | { type: 'subscribe' | 'unsubscribe'; text: string | null }
  | { type: 'text'; text: string }
  | { type: 'file'; file: { name: string | null; mime: string | null; size: number | null; uri: string } }
  | { type: 'location'; location: { latitude: number; longitude: number } }
  | { type: 'suggestion'; suggestion: { type: 'reply' | 'action'; text: string; postback: string } }

/** Whom a report is about: the message it belongs to, or the contacts that have the phone when there is none. */
export interface RcsReportMatch {
  send: AnySend | null
  contacts: readonly number[]
}

/** The origin of red list entries that a STOP made. */
const STOPPED = 6
const TEXT_LENGTH = 3072
/** What distinguishes an entry made here from one that an SMS made. */
const detail = { channel: RCS_CHANNEL }

/** A report without a message is of the first contact that has the phone. */
function common(
  { account, agent, phone }: RcsReport,
  { send, contacts }: RcsReportMatch,
): Omit<NewEvent, 'kind' | 'key' | 'detail'> {
  const own = send
    ? { ...buildSendEventBase(send), fallback: buildTokenActivation(send, send.stamp.id) }
    : {
        account,
        channel: RCS_CHANNEL,
        subject: null,
        contact: contacts[0] ?? null,
        stamp: null,
        thread: null,
        isTest: false,
        fallback: null,
      }
  return { ...own, phone, agent }
}

/** Once per report. */
function keyOf({ agent, message, event }: RcsReport, type: string): string {
  return [agent, message ?? '', event ?? '', type].join(' ')
}

function idsOf({ message, event }: RcsReport): EventDetail {
  return { ...(message !== null && { message }), ...(event !== null && { event }) }
}

/** A rich message arrived; `gateway`: what the provider is called in events. */
export function createRcsDeliveryEvent(report: RcsReport, match: RcsReportMatch, gateway: string): NewEvent {
  return {
    ...common(report, match),
    kind: 'deliveries',
    key: keyOf(report, 'delivery'),
    detail: { delivery: { time: report.time, gateway: { name: gateway, ...idsOf(report) } } },
  }
}

function shownSignal(signal: RcsSignal): EventDetail {
  const { type, ...members } = signal
  const texts = 'text' in members && members.text !== null ? { text: truncateEventText(members.text, TEXT_LENGTH) } : {}
  return { type, members: { ...members, ...texts } }
}

/** Whoever unsubscribes gets no SMS and no rich message more, and who subscribes again does, unless an SMS said so. */
function effectsOf({ type }: RcsSignal, { time }: RcsReport, { send, contacts }: RcsReportMatch): EventEffect[] {
  const whom = contacts.length > 0 ? contacts : send?.contact == null ? [] : [send.contact]
  const entry = { channel: smsChannelTraits.redList, at: new Date(time), detail }
  if (type === 'unsubscribe') return whom.map((contact) => ({ ...entry, type: 'redList', contact, origin: STOPPED }))
  if (type === 'subscribe')
    return whom.map((contact) => ({ ...entry, type: 'redListRemoval', contact, reason: 'subscribed again by RCS' }))
  return []
}

/** A person read a message, answered it, or said something. Once per report. */
export function createRcsInteractionEvent(report: RcsReport, match: RcsReportMatch, signal: RcsSignal): NewEvent {
  const { type, members } = shownSignal(signal) as { type: RcsSignal['type']; members: EventDetail }
  const interaction = { type, time: report.time, classification: null, ...members, gateway: idsOf(report) }
  return {
    ...common(report, match),
    kind: `interactions/${type}`,
    key: keyOf(report, type),
    detail: { interaction },
    effect: effectsOf(signal, report, match),
  }
}

/** A rich message expired after it was accepted. Once per stamp, whoever says so first. */
export function createRcsBounceEvent(
  send: AnySend,
  {
    time,
    analysis,
    code,
    diagnostic,
    mta,
  }: {
    time: number
    analysis: BounceAnalysis
    /** The provider's word. */
    code: string
    diagnostic: string
    mta: string
  },
): NewEvent {
  const { enhanced, verdict, subject, rule } = analysis
  const status = {
    type: 'async',
    code: { enhanced, gateway: code },
    diagnostic: truncateEventText(diagnostic, MAX_DIAGNOSTIC_LENGTH),
    mta,
  }
  return {
    ...buildSendEventBase(send),
    kind: 'bounces',
    key: buildSendKey(send, send.rcs?.phone ?? '', 'async'),
    detail: { bounce: { time, status, analysis: { verdict, subject, rule } } },
    fallback: buildTokenActivation(send, send.stamp.id),
  }
}

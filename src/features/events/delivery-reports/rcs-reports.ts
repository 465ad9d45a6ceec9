import { smsChannelTraits } from '../../../channels/sms/traits.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { BounceAnalysis } from '../../bounces/classify-mail-bounce.ts'
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

/** A provider's report on an agent and a phone. */
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

/** Action of a person; each type with its members. */
export type RcsSignal =
  | { type: 'read' }
  | { type: 'subscribe' | 'unsubscribe'; text: string | null }
  | { type: 'text'; text: string }
  | { type: 'file'; file: { name: string | null; mime: string | null; size: number | null; uri: string } }
  | { type: 'location'; location: { latitude: number; longitude: number } }
  | { type: 'suggestion'; suggestion: { type: 'reply' | 'action'; text: string; postback: string } }

/** Subject of a report: the message it belongs to, or without one the contacts that have the phone. */
export interface RcsReportMatch {
  send: AnySend | null
  contacts: readonly number[]
}

/** The origin of red list entries that a STOP made. */
const STOP_ORIGIN = 6
const MAX_TEXT_LENGTH = 3072
/** Distinguishes an entry made here from one made by an SMS. */
const redListDetail = { channel: RCS_CHANNEL }

/** A report without a message is of the first contact that has the phone. */
function buildCommonMembers(
  { account, agent, phone }: RcsReport,
  { send, contacts }: RcsReportMatch,
): Omit<NewEvent, 'kind' | 'key' | 'detail'> {
  const baseMembers = send
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
  return { ...baseMembers, phone, agent }
}

/** Once per report. */
function buildReportKey({ agent, message, event }: RcsReport, type: string): string {
  return [agent, message ?? '', event ?? '', type].join(' ')
}

function buildReportIds({ message, event }: RcsReport): EventDetail {
  return { ...(message !== null && { message }), ...(event !== null && { event }) }
}

/** A rich message arrived; `gateway`: what the provider is called in events. */
export function createRcsDeliveryEvent(report: RcsReport, match: RcsReportMatch, gateway: string): NewEvent {
  return {
    ...buildCommonMembers(report, match),
    kind: 'deliveries',
    key: buildReportKey(report, 'delivery'),
    detail: { delivery: { time: report.time, gateway: { name: gateway, ...buildReportIds(report) } } },
  }
}

function truncateSignal(signal: RcsSignal): EventDetail {
  const { type, ...members } = signal
  const truncatedTexts =
    'text' in members && members.text !== null ? { text: truncateEventText(members.text, MAX_TEXT_LENGTH) } : {}
  return { type, members: { ...members, ...truncatedTexts } }
}

/** Whoever unsubscribes gets no SMS and no rich message more, and who subscribes again does, unless an SMS said so. */
function buildSignalEffects(
  { type }: RcsSignal,
  { time }: RcsReport,
  { send, contacts }: RcsReportMatch,
): EventEffect[] {
  const affectedContacts = contacts.length > 0 ? contacts : send?.contact == null ? [] : [send.contact]
  const redListEntry = { channel: smsChannelTraits.redList, at: new Date(time), detail: redListDetail }
  if (type === 'unsubscribe')
    return affectedContacts.map((contact) => ({ ...redListEntry, type: 'redList', contact, origin: STOP_ORIGIN }))
  if (type === 'subscribe')
    return affectedContacts.map((contact) => ({
      ...redListEntry,
      type: 'redListRemoval',
      contact,
      reason: 'subscribed again by RCS',
    }))
  return []
}

/** A person read a message, answered it, or said something. Once per report. */
export function createRcsInteractionEvent(report: RcsReport, match: RcsReportMatch, signal: RcsSignal): NewEvent {
  const { type, members } = truncateSignal(signal) as { type: RcsSignal['type']; members: EventDetail }
  const interaction = { type, time: report.time, classification: null, ...members, gateway: buildReportIds(report) }
  return {
    ...buildCommonMembers(report, match),
    kind: `interactions/${type}`,
    key: buildReportKey(report, type),
    detail: { interaction },
    effect: buildSignalEffects(signal, report, match),
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

import { smsChannelTraits } from '../../../channels/sms/traits.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { BounceAnalysis } from '../../bounces/classify-mail-bounce.ts'
import { buildTokenActivation } from '../hits/hit.ts'
import type { ActivatedSend } from '../record/activations.ts'
import type { NewEvent, RedListEffect } from '../record/new-event.ts'
import {
  buildSendEventBase,
  buildSendKey,
  findRefusalFlag,
  MAX_DIAGNOSTIC_LENGTH,
  truncateEventText,
} from '../record/record.ts'

/** A delivery report of an SMS: its gateway, and its reference there. */
export interface SmsDeliveryReport {
  /** Milliseconds. */
  time: number
  gateway: string
  reference: string
  /** `DELIVRD`, `UNDELIV`, ... */
  state: string
  error: string | null
  diagnostic: string
}

/** An SMS from a contact, of one account. */
export interface MatchedSmsReply {
  account: AccountId
  /** Identifies this reply among all of its gateway. */
  key: string
  /** Milliseconds. */
  time: number
  text: string
  /** The keyword that unsubscribes; null for any other text. */
  keyword: string | null
  from: string
  to: string
  /** The send it answers; null when none is known. */
  answered: ActivatedSend | null
  /** The contact with that number when there is no send. */
  contact: number | null
}

/** The origin of red list entries that a STOP made. */
const STOP_ORIGIN = 6
const MAX_TEXT_LENGTH = 2000
const MAX_NUMBER_LENGTH = 64

/** An SMS arrived. Once per stamp, in however many parts it went. */
export function createSmsDeliveryEvent(
  { send }: ActivatedSend,
  { time, gateway, reference, state }: SmsDeliveryReport,
): NewEvent {
  return {
    ...buildSendEventBase(send),
    kind: 'deliveries',
    key: buildSendKey(send),
    detail: { delivery: { time, gateway: { name: gateway, message: reference, state } } },
    fallback: buildTokenActivation(send, send.stamp.id),
  }
}

/** An SMS will not arrive. Once per stamp; the code is the gateway's state and error. */
export function createSmsBounceEvent(
  { send, address }: ActivatedSend,
  report: SmsDeliveryReport,
  analysis: BounceAnalysis,
): NewEvent {
  const { time, gateway, state, error } = report
  const { enhanced, verdict, subject, rule } = analysis
  const diagnostic = truncateEventText(report.diagnostic, MAX_DIAGNOSTIC_LENGTH)
  const code = { enhanced, gateway: error === null ? state : `${state}/${error}` }
  return {
    ...buildSendEventBase(send),
    kind: 'bounces',
    key: buildSendKey(send, address, 'async'),
    detail: {
      bounce: { time, status: { type: 'async', code, diagnostic, mta: gateway }, analysis: { verdict, subject, rule } },
    },
    fallback: buildTokenActivation(send, send.stamp.id),
    effect: findRefusalFlag(send, { time, diagnostic, mta: gateway, address, analysis }),
  }
}

/** A reply to an SMS. Once per key; a STOP puts `stopped`, the contacts with that number, on the red list, even after a proof. */
export function createSmsReplyEvent(reply: MatchedSmsReply, stopped: readonly number[]): NewEvent {
  const { account, key, time, keyword, answered, contact } = reply
  const isStop = keyword !== null
  const baseMembers = answered
    ? buildSendEventBase(answered.send)
    : { account, channel: smsChannelTraits.name, subject: null, contact, stamp: null, thread: null, isTest: false }
  return {
    ...baseMembers,
    kind: isStop ? 'responses/stop' : 'responses/other',
    key,
    detail: {
      reply: {
        type: isStop ? 'stop' : 'other',
        time,
        text: truncateEventText(reply.text, MAX_TEXT_LENGTH),
        keyword,
        from: truncateEventText(reply.from, MAX_NUMBER_LENGTH),
        to: truncateEventText(reply.to, MAX_NUMBER_LENGTH),
      },
    },
    fallback: answered ? buildTokenActivation(answered.send, answered.send.stamp.id) : null,
    effect: isStop ? stopped.map((stoppedContact) => buildStopEffect(stoppedContact, time)) : null,
  }
}

function buildStopEffect(contact: number, time: number): RedListEffect {
  return {
    type: 'redList',
    contact,
    channel: smsChannelTraits.redList,
    at: new Date(time),
    origin: STOP_ORIGIN,
    detail: {},
  }
}

import { sms } from '../../../channels/sms/facts.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { BounceAnalysis } from '../bounces/bounces.ts'
import { tokenPart } from '../hits/hit.ts'
import type { Activated } from '../record/activations.ts'
import type { NewEvent, RedListEffect } from '../record/new-event.ts'
import { base, cut, DIAGNOSTIC_LENGTH, flagOf, sendKey } from '../record/record.ts'

/** A delivery report of an SMS: its gateway, and its reference there. */
export interface NetworkReport {
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
export interface MatchedReply {
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
  answered: Activated | null
  /** The contact with that number when there is no send. */
  contact: number | null
}

/** The origin of red list entries that a STOP made. */
const STOPPED = 6
const TEXT_LENGTH = 2000
const NUMBER_LENGTH = 64

/** An SMS arrived. Once per stamp, in however many parts it went. */
export function smsDelivery({ send }: Activated, { time, gateway, reference, state }: NetworkReport): NewEvent {
  return {
    ...base(send),
    kind: 'deliveries',
    key: sendKey(send),
    detail: { delivery: { time, gateway: { name: gateway, message: reference, state } } },
    fallback: tokenPart(send, send.stamp.id),
  }
}

/** An SMS will not arrive. Once per stamp; the code is the gateway's state and error. */
export function smsBounce({ send, address }: Activated, report: NetworkReport, analysis: BounceAnalysis): NewEvent {
  const { time, gateway, state, error } = report
  const { enhanced, verdict, subject, rule } = analysis
  const diagnostic = cut(report.diagnostic, DIAGNOSTIC_LENGTH)
  const code = { enhanced, gateway: error === null ? state : `${state}/${error}` }
  return {
    ...base(send),
    kind: 'bounces',
    key: sendKey(send, address, 'async'),
    detail: {
      bounce: { time, status: { type: 'async', code, diagnostic, mta: gateway }, analysis: { verdict, subject, rule } },
    },
    fallback: tokenPart(send, send.stamp.id),
    effect: flagOf(send, { time, diagnostic, mta: gateway, address, analysis }),
  }
}

/** A reply to an SMS. Once per key; a STOP puts `stopped`, the contacts with that number, on the red list, even after a proof. */
export function smsReply(reply: MatchedReply, stopped: readonly number[]): NewEvent {
  const { account, key, time, keyword, answered, contact } = reply
  const isStop = keyword !== null
  const common = answered
    ? base(answered.send)
    : { account, channel: sms.name, subject: null, contact, stamp: null, thread: null, isTest: false }
  return {
    ...common,
    kind: isStop ? 'responses/stop' : 'responses/other',
    key,
    detail: {
      reply: {
        type: isStop ? 'stop' : 'other',
        time,
        text: cut(reply.text, TEXT_LENGTH),
        keyword,
        from: cut(reply.from, NUMBER_LENGTH),
        to: cut(reply.to, NUMBER_LENGTH),
      },
    },
    fallback: answered ? tokenPart(answered.send, answered.send.stamp.id) : null,
    effect: isStop ? stopped.map((one) => stopOf(one, time)) : null,
  }
}

function stopOf(contact: number, time: number): RedListEffect {
  return { type: 'redList', contact, channel: sms.redList, at: new Date(time), origin: STOPPED, detail: {} }
}

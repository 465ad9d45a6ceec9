import { emailChannelTraits } from '../../../channels/email/traits.ts'
import { formatSentSourceId } from '../../../lib/sources.ts'
import { buildTokenActivation } from '../hits/hit.ts'
import type { ActivatedSend } from '../record/activations.ts'
import type { EventEffect, NewEvent } from '../record/new-event.ts'
import {
  buildSendEventBase,
  findRefusalFlag,
  MAX_DIAGNOSTIC_LENGTH,
  MAX_USER_AGENT_LENGTH,
  type SendRefusal,
  truncateEventText,
} from '../record/record.ts'

/** A report of a mailbox provider about a complaint (RFC 5965). Null: not reported. */
export interface MailComplaintReport {
  /** Milliseconds: when it was reported. */
  time: number
  feedback: string
  userAgent: string | null
  version: string | null
  sourceIp: string | null
  reportedDomain: string | null
  /** Domain of the reporter; '' if there is none. */
  provider: string
  /** Null when it is hidden. */
  recipient: string | null
}

/** The origin of red list entries, and the flag of an address, that a complaint makes. */
const COMPLAINT_ORIGIN = 5
const SPAM_REPORT_FLAG = 6

/** Complaints of the person; `virus` and what is not known are a program's. */
const personalFeedbackTypes = ['abuse', 'fraud', 'opt-out', 'opt-out-list']

/**
 * A refusal that was reported after the hand-over, of the final recipient `refusal.address`. Once per stamp and recipient.
 * `isOfContact`: whether it was the address the message went to that was refused, and so is flagged.
 */
export function createAsyncBounceEvent(
  { send, address }: ActivatedSend,
  refusal: SendRefusal,
  isOfContact: boolean,
): NewEvent {
  const { time, mta } = refusal
  const { enhanced, reply, verdict, subject, rule } = refusal.analysis
  const diagnostic = truncateEventText(refusal.diagnostic, MAX_DIAGNOSTIC_LENGTH)
  const status = {
    type: 'async',
    code: { enhanced, reply: reply ?? undefined },
    diagnostic,
    mta: truncateEventText(mta, 255),
  }
  return {
    ...buildSendEventBase(send),
    kind: 'bounces',
    key: [send.stamp.id, refusal.address.toLowerCase(), 'async'].join(' '),
    detail: { bounce: { time, status, analysis: { verdict, subject, rule } } },
    fallback: buildTokenActivation(send, send.stamp.id),
    effect: isOfContact ? findRefusalFlag(send, { ...refusal, address }) : null,
  }
}

/** A complaint about a message. Once per stamp and address; that of a person puts the contact on the red list. */
export function createComplaintEvent({ send, address }: ActivatedSend, report: MailComplaintReport): NewEvent {
  const { time, feedback, userAgent, version, sourceIp, reportedDomain, provider, recipient } = report
  const truncateOptionalText = (text: string | null): string | null =>
    text === null ? null : truncateEventText(text, MAX_USER_AGENT_LENGTH)
  return {
    ...buildSendEventBase(send),
    kind: 'complaints',
    key: [send.stamp.id, address.toLowerCase()].join(' '),
    detail: {
      complaint: {
        time,
        feedback: {
          type: truncateEventText(feedback, 40),
          userAgent: truncateOptionalText(userAgent),
          version: truncateOptionalText(version),
          sourceIp: truncateOptionalText(sourceIp),
          reportedDomain: truncateOptionalText(reportedDomain),
        },
        provider: truncateEventText(provider, 255),
        recipient: truncateOptionalText(recipient) ?? address,
      },
    },
    fallback: buildTokenActivation(send, send.stamp.id),
    effect: personalFeedbackTypes.includes(feedback) ? buildComplaintEffects({ send, address }, time) : null,
  }
}

/** A contact that complains gets no further messages, whatever the kind of this one. */
function buildComplaintEffects({ send, address }: ActivatedSend, time: number): EventEffect[] {
  const { contact, field } = send
  if (contact === null) return []
  const complainedAt = new Date(time)
  const redListEffect: EventEffect = {
    type: 'redList',
    contact,
    channel: emailChannelTraits.redList,
    at: complainedAt,
    origin: COMPLAINT_ORIGIN,
    detail: { action: formatSentSourceId(send) },
  }
  if (field === null) return [redListEffect]
  return [
    redListEffect,
    { type: 'flag', contact, field, address, code: SPAM_REPORT_FLAG, at: complainedAt, reason: 'complaint' },
  ]
}

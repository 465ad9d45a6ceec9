import { email } from '../../../channels/email/facts.ts'
import { sourceId } from '../../../lib/sources.ts'
import { tokenPart } from '../hits/hit.ts'
import type { Activated } from '../record/activations.ts'
import type { Effect, NewEvent } from '../record/new-event.ts'
import { AGENT_LENGTH, base, cut, DIAGNOSTIC_LENGTH, flagOf, type Refusal } from '../record/record.ts'

/** A report of a mailbox provider about a complaint (RFC 5965). Null: not reported. */
export interface MailComplaint {
  /** Milliseconds: when it was reported. */
  time: number
  feedback: string
  userAgent: string | null
  version: string | null
  sourceIp: string | null
  reportedDomain: string | null
  /** The domain of the reporter; '' when there is none. */
  provider: string
  /** Null when it is hidden. */
  recipient: string | null
}

/** The origin of red list entries, and the flag of an address, that a complaint makes. */
const COMPLAINED = 5
const REPORT_AS_SPAM = 6

/** Complaints of the person; `virus` and what is not known are a program's. */
const ofPersons = ['abuse', 'fraud', 'opt-out', 'opt-out-list']

/**
 * A refusal that was reported after the hand-over, of the final recipient `refusal.address`. Once per stamp and recipient.
 * `isOfContact`: whether it was the address the message went to that was refused, and so is flagged.
 */
export function asyncBounce({ send, address }: Activated, refusal: Refusal, isOfContact: boolean): NewEvent {
  const { time, mta } = refusal
  const { enhanced, reply, verdict, subject, rule } = refusal.analysis
  const diagnostic = cut(refusal.diagnostic, DIAGNOSTIC_LENGTH)
  const status = { type: 'async', code: { enhanced, reply: reply ?? undefined }, diagnostic, mta: cut(mta, 255) }
  return {
    ...base(send),
    kind: 'bounces',
    key: [send.stamp.id, refusal.address.toLowerCase(), 'async'].join(' '),
    detail: { bounce: { time, status, analysis: { verdict, subject, rule } } },
    fallback: tokenPart(send, send.stamp.id),
    effect: isOfContact ? flagOf(send, { ...refusal, address }) : null,
  }
}

/** A complaint about a message. Once per stamp and address; that of a person puts the contact on the red list. */
export function complaint({ send, address }: Activated, report: MailComplaint): NewEvent {
  const { time, feedback, userAgent, version, sourceIp, reportedDomain, provider, recipient } = report
  const short = (text: string | null): string | null => (text === null ? null : cut(text, AGENT_LENGTH))
  return {
    ...base(send),
    kind: 'complaints',
    key: [send.stamp.id, address.toLowerCase()].join(' '),
    detail: {
      complaint: {
        time,
        feedback: {
          type: cut(feedback, 40),
          userAgent: short(userAgent),
          version: short(version),
          sourceIp: short(sourceIp),
          reportedDomain: short(reportedDomain),
        },
        provider: cut(provider, 255),
        recipient: short(recipient) ?? address,
      },
    },
    fallback: tokenPart(send, send.stamp.id),
    effect: ofPersons.includes(feedback) ? effectsOf({ send, address }, time) : null,
  }
}

/** A contact that complains gets no further messages, whatever the kind of this one. */
function effectsOf({ send, address }: Activated, time: number): Effect[] {
  const { contact, field } = send
  if (contact === null) return []
  const at = new Date(time)
  const listed: Effect = {
    type: 'redList',
    contact,
    channel: email.redList,
    at,
    origin: COMPLAINED,
    detail: { action: sourceId(send) },
  }
  if (field === null) return [listed]
  return [listed, { type: 'flag', contact, field, address, code: REPORT_AS_SPAM, at, reason: 'complaint' }]
}

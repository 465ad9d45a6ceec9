import { classifyRcsRefusal } from '../../../channels/rcs/classify-rcs-refusal.ts'
import { parsePostback } from '../../../channels/rcs/compose/postback.ts'
import {
  createRcsBounceEvent,
  createRcsDeliveryEvent,
  createRcsInteractionEvent,
  type RcsReport,
  type RcsSignal,
} from '../../events/delivery-reports/rcs-reports.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import type { AnySend } from '../../events/record/record.ts'
import { findSmsStopWord } from '../sms/sms-stop-words.ts'
import type { PendingRcsReport } from './rcs-inbox.ts'
import type { MatchedRcsReport } from './rcs-matches.ts'

/** Name of the provider in events. */
const PROVIDER_NAME = 'google-rbm'
/** Delivery time expired (RFC 3463). */
const EXPIRED_STATUS = '4.4.7'
const REVOKED_REASON = 'TTL_EXPIRATION_REVOKED'

/** Tells whether the words of a person stop messages, by the account. */
export type RcsStopMatcher = (account: number, text: string) => boolean

/** The action of a person. `undefined` for reports that are not actions of a person. */
export function toRcsSignal({ account, report }: PendingRcsReport, isStop: RcsStopMatcher): RcsSignal | undefined {
  switch (report.kind) {
    case 'read':
      return { type: 'read' }
    case 'subscribe':
    case 'unsubscribe':
      return { type: report.kind, text: null }
    case 'text':
      return { type: isStop(account, report.text) ? 'unsubscribe' : 'text', text: report.text }
    case 'file': {
      const { name, mimeType, bytes, uri } = report.file
      return { type: 'file', file: { name, mime: mimeType, size: bytes, uri } }
    }
    case 'location':
      return { type: 'location', location: { latitude: report.latitude, longitude: report.longitude } }
    case 'suggestion': {
      const { postback } = parsePostback(report.postback)
      const { type, text } = report
      if (isStop(account, postback)) return { type: 'unsubscribe', text: text === '' ? postback : text }
      return { type: 'suggestion', suggestion: { type, text, postback } }
    }
    default:
      return undefined
  }
}

/** Tells what stops messages by the words of SMS and those of each account. */
export function createRcsStopMatcher(words: ReadonlyMap<number, readonly string[]>): RcsStopMatcher {
  return (account, text) => findSmsStopWord(text, words.get(account)) !== null
}

function buildRcsReport({ account, report }: PendingRcsReport): RcsReport {
  const { agent, phone, eventId, at: time } = report
  // What a person says has the id of a message alone.
  const ids = ['text', 'file', 'location', 'suggestion'].includes(report.kind)
    ? { message: eventId, event: null }
    : { message: 'messageId' in report ? report.messageId : null, event: eventId }
  return { account, agent, phone, time, ...ids }
}

/** The event of a report. `undefined` if it has no event, as for an expiry. */
export function toRcsReportEvent(
  { one: pendingReport, match }: MatchedRcsReport,
  isStop: RcsStopMatcher,
): NewEvent | undefined {
  if (pendingReport.report.kind === 'delivered')
    return createRcsDeliveryEvent(buildRcsReport(pendingReport), match, PROVIDER_NAME)
  const signal = toRcsSignal(pendingReport, isStop)
  return signal && createRcsInteractionEvent(buildRcsReport(pendingReport), match, signal)
}

/** The bounce of a message that expired and was revoked. `time` in milliseconds. */
export function toRcsExpiryBounce(send: AnySend, time: number): NewEvent {
  const analysis = classifyRcsRefusal(EXPIRED_STATUS, REVOKED_REASON)
  return createRcsBounceEvent(send, {
    time,
    analysis,
    code: REVOKED_REASON,
    diagnostic: 'expired before it was delivered',
    mta: PROVIDER_NAME,
  })
}

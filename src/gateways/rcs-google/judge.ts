import type { RefusedDelivery } from '../gateway.ts'
import type { ReplyVerdict } from '../requests/verdict.ts'
import type { GoogleRcsReply } from './api.ts'

/** Name of the remote side in events. */
export const GOOGLE_RCS_MTA = 'google-rbm'

/** Refusals by status: the stage of the dialogue to report, and the RFC 3463 code. */
const refusalsByStatus: Readonly<Record<number, { stage: 'connect' | 'rcpt' | 'data'; enhanced: string }>> = {
  400: { stage: 'data', enhanced: '5.6.0' },
  // Caused by our own settings, as `connect` says.
  401: { stage: 'connect', enhanced: '5.7.8' },
  403: { stage: 'rcpt', enhanced: '5.7.1' },
  404: { stage: 'rcpt', enhanced: '5.3.3' },
}

/** Statuses that say nothing of the message although they begin with 4: request time-out, and a conflict that is no repetition. */
const TRANSIENT_STATUSES = [408, 409, 425]

function buildRefusal(id: number, status: number, gatewayCode: string, reply: string): RefusedDelivery {
  const { stage, enhanced } = refusalsByStatus[status] ?? { stage: 'data', enhanced: '5.6.0' }
  return { id, result: 'refused', stage, enhanced, reply, gatewayCode, mta: GOOGLE_RCS_MTA }
}

/** Classifies a reply to a message. `messageId` is the id that the remote side uses for it. */
export function classifyRcsReply(
  { id, messageId }: { id: number; messageId: string },
  reply: GoogleRcsReply,
): ReplyVerdict {
  if (reply.kind === 'refused')
    return { what: 'denied', outcome: buildRefusal(id, 401, '401 UNAUTHENTICATED', reply.reason) }
  if (reply.kind === 'unanswered') return { what: 'away', reply: reply.reason, code: '', retryAfter: reply.retryAfter }
  const { status, word: statusWord, said: replyText, retryAfter } = reply
  const code = statusWord === '' ? String(status) : `${status} ${statusWord}`
  const isAccepted = (status >= 200 && status < 300) || (status === 409 && statusWord === 'ALREADY_EXISTS')
  if (isAccepted)
    return {
      what: 'settled',
      outcome: { id, result: 'accepted', reference: messageId, reply: replyText, mta: GOOGLE_RCS_MTA },
    }
  if (status === 429) return { what: 'busy', reply: replyText, code, retryAfter }
  if (status < 400 || status >= 500 || TRANSIENT_STATUSES.includes(status))
    return { what: 'away', reply: replyText, code, retryAfter }
  const outcome = buildRefusal(id, status, code, replyText)
  return status === 401 || status === 403 ? { what: 'denied', outcome } : { what: 'settled', outcome }
}

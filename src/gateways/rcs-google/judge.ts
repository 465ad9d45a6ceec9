import type { RefusedDelivery } from '../gateway.ts'
import type { ReplyVerdict } from '../requests/verdict.ts'
import type { GoogleRcsReply } from './api.ts'

/** What the far side is called in events. */
export const GOOGLE_RCS_MTA = 'google-rbm'

/** A refusal by status: where in the dialogue it is told of, and its code of RFC 3463. */
const refusals: Readonly<Record<number, { stage: 'connect' | 'rcpt' | 'data'; enhanced: string }>> = {
  400: { stage: 'data', enhanced: '5.6.0' },
  // Caused by our own settings, as `connect` says.
  401: { stage: 'connect', enhanced: '5.7.8' },
  403: { stage: 'rcpt', enhanced: '5.7.1' },
  404: { stage: 'rcpt', enhanced: '5.3.3' },
}

/** Statuses that say nothing of the message although they begin with 4: request time-out, and a conflict that is no repetition. */
const PASSING = [408, 409, 425]

function refused(id: number, status: number, gatewayCode: string, reply: string): RefusedDelivery {
  const { stage, enhanced } = refusals[status] ?? { stage: 'data', enhanced: '5.6.0' }
  return { id, result: 'refused', stage, enhanced, reply, gatewayCode, mta: GOOGLE_RCS_MTA }
}

/** What a reply to a message means. `messageId`: by which the far side knows it. */
export function classifyRcsReply(
  { id, messageId }: { id: number; messageId: string },
  reply: GoogleRcsReply,
): ReplyVerdict {
  if (reply.kind === 'refused')
    return { what: 'denied', outcome: refused(id, 401, '401 UNAUTHENTICATED', reply.reason) }
  if (reply.kind === 'unanswered') return { what: 'away', reply: reply.reason, code: '', retryAfter: reply.retryAfter }
  const { status, word, said, retryAfter } = reply
  const code = word === '' ? String(status) : `${status} ${word}`
  const isTaken = (status >= 200 && status < 300) || (status === 409 && word === 'ALREADY_EXISTS')
  if (isTaken)
    return {
      what: 'settled',
      outcome: { id, result: 'accepted', reference: messageId, reply: said, mta: GOOGLE_RCS_MTA },
    }
  if (status === 429) return { what: 'busy', reply: said, code, retryAfter }
  if (status < 400 || status >= 500 || PASSING.includes(status)) return { what: 'away', reply: said, code, retryAfter }
  const outcome = refused(id, status, code, said)
  return status === 401 || status === 403 ? { what: 'denied', outcome } : { what: 'settled', outcome }
}

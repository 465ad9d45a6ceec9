import { RefusedAddressError } from '../../lib/net/guarded-client.ts'
import type { AcceptedDelivery, RefusedDelivery } from '../gateway.ts'
import { UnansweredRequest } from '../http2/request.ts'
import type { HttpTransport } from '../http2/transport.ts'
import type { ReplyVerdict } from '../requests/verdict.ts'

/** An answer of a push service. `json` is its parsed body, `undefined` if it is not JSON. */
export interface PushServiceAnswer {
  kind: 'answered'
  status: number
  json: unknown
  header(name: string): string | undefined
}

/**
 * The result of a request. `unwritten`: the far side cannot have acted on it. `unanswered`: it was written, and no whole
 * answer came. `refused`: it may not be made with these settings or credentials.
 */
export type PushReply =
  | PushServiceAnswer
  | { kind: 'unwritten' | 'unanswered'; reason: string; retryAfter?: string | undefined }
  | { kind: 'refused'; reason: string }

export interface PushServiceRequest {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  timeoutMs: number
  /** Called before the first octet leaves. */
  announce?: () => Promise<unknown>
}

const MAX_ANSWER_BYTES = 64 * 1024

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Posts one push. Throws what `announce` throws. */
export async function postPush(transport: HttpTransport, request: PushServiceRequest): Promise<PushReply> {
  const { url, headers, body, timeoutMs, announce } = request
  try {
    const answer = await transport.call({
      url,
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      body,
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      ...(announce && { beforeWrite: announce }),
    })
    const readHeader = (name: string) => {
      const value = answer.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    return { kind: 'answered', status: answer.status, json: parseBody(answer.body), header: readHeader }
  } catch (error) {
    if (error instanceof RefusedAddressError) return { kind: 'refused', reason: error.message }
    if (!(error instanceof UnansweredRequest)) throw error
    return { kind: error.isWritten ? 'unanswered' : 'unwritten', reason: error.message }
  }
}

/** A push whose reply is judged, and by whom it was answered. */
export interface PushReplySubject {
  id: number
  mta: string
}

export function buildAcceptedVerdict({ id, mta }: PushReplySubject, reference: string, reply: string): ReplyVerdict {
  const outcome: AcceptedDelivery = { id, result: 'accepted', reference, reply, mta }
  return { what: 'settled', outcome }
}

/** An error as the push service names it, or else its status; and the status with the name. Both '' without an answer. */
export interface PushServiceError {
  code: string
  reply: string
}

/** Extracts the error from an answer. `word` is the name of its error, '' if it does not have one. */
export function toPushServiceError(reply: PushReply, word: string): PushServiceError {
  if (reply.kind !== 'answered') return { code: '', reply: '' }
  return { code: word || String(reply.status), reply: `${reply.status} ${word}`.trim() }
}

function buildRefusal(
  { id, mta }: PushReplySubject,
  { code, reply }: PushServiceError,
  refusalDetails: Pick<RefusedDelivery, 'stage' | 'enhanced'>,
): RefusedDelivery {
  return { id, result: 'refused', ...refusalDetails, reply, gatewayCode: code, mta }
}

/** The device no longer exists; `timestamp` is when the push service noticed, in milliseconds since 1970. */
export function buildUnregisteredVerdict(
  replySubject: PushReplySubject,
  serviceError: PushServiceError,
  timestamp?: number,
): ReplyVerdict {
  const deviceGone = timestamp === undefined ? {} : { timestamp }
  return {
    what: 'settled',
    outcome: { ...buildRefusal(replySubject, serviceError, { stage: 'rcpt', enhanced: '5.1.1' }), deviceGone },
  }
}

/** The payload is refused; 413 refers to its size. */
export function buildRefusedPayloadVerdict(
  replySubject: PushReplySubject,
  serviceError: PushServiceError,
  status: number,
): ReplyVerdict {
  const enhancedCode = status === 413 ? '5.3.4' : '5.6.0'
  return {
    what: 'settled',
    outcome: buildRefusal(replySubject, serviceError, { stage: 'data', enhanced: enhancedCode }),
  }
}

/** Our credentials or settings are refused, whatever the device. */
export function buildDeniedVerdict(replySubject: PushReplySubject, serviceError: PushServiceError): ReplyVerdict {
  return { what: 'denied', outcome: buildRefusal(replySubject, serviceError, { stage: 'connect', enhanced: '5.7.8' }) }
}

/** Statuses that begin with 4 and say nothing of the push: a time-out, and too early. */
const TRANSIENT_STATUSES = [408, 425]

/**
 * Classifies the replies that all services share: no answer, too many requests, or temporarily unavailable. Returns `undefined` if the
 * answer concerns this push.
 */
export function classifyTransientReply(
  replySubject: PushReplySubject,
  reply: PushReply,
  { said: serviceError, isIdempotent }: { said: PushServiceError; isIdempotent: boolean },
): ReplyVerdict | undefined {
  if (reply.kind === 'refused') return buildDeniedVerdict(replySubject, { code: reply.reason, reply: reply.reason })
  if (reply.kind !== 'answered') {
    const { kind, reason, retryAfter } = reply
    const verdictType = kind === 'unanswered' && !isIdempotent ? 'silent' : 'away'
    return { what: verdictType, reply: reason, code: '', retryAfter }
  }
  const { status } = reply
  const retryAfter = reply.header('retry-after')
  if (status === 429) return { what: 'busy', ...serviceError, retryAfter }
  const isPassing =
    status < 200 || (status >= 300 && status < 400) || status >= 500 || TRANSIENT_STATUSES.includes(status)
  return isPassing ? { what: 'away', ...serviceError, retryAfter } : undefined
}

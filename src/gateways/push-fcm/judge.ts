import { isJsonObject } from '../../lib/objects.ts'
import {
  buildAcceptedVerdict,
  buildDeniedVerdict,
  buildRefusedPayloadVerdict,
  buildUnregisteredVerdict,
  classifyTransientReply,
  type PushReply,
  type PushReplySubject,
  type PushServiceAnswer,
  toPushServiceError,
} from '../push/replies.ts'
import type { ReplyVerdict } from '../requests/verdict.ts'

/** Name of the remote side in events: the type of the application's provider. */
export const FCM_MTA = 'firebase'

const isErrorWord = (value: unknown): value is string => typeof value === 'string' && /^[A-Z_]{1,60}$/.test(value)

function extractError({ json }: PushServiceAnswer): Record<string, unknown> {
  return isJsonObject(json) && isJsonObject(json['error']) ? json['error'] : {}
}

function listErrorDetails(error: Record<string, unknown>): Record<string, unknown>[] {
  const { details } = error
  return Array.isArray(details) ? details.filter(isJsonObject) : []
}

/** The error as FCM itself names it, else the status of the interface, else ''. Texts are never read. */
export function findFcmErrorCode(answer: PushServiceAnswer): string {
  const error = extractError(answer)
  const errorCodeName =
    listErrorDetails(error).find(({ errorCode }) => isErrorWord(errorCode))?.['errorCode'] ?? error['status']
  return isErrorWord(errorCodeName) ? errorCodeName : ''
}

/** Returns true if the only invalid argument is the token. */
function isAboutToken(answer: PushServiceAnswer): boolean {
  const violatedFields = listErrorDetails(extractError(answer))
    .flatMap(({ fieldViolations }) => (Array.isArray(fieldViolations) ? fieldViolations : []))
    .map((violation) => (isJsonObject(violation) ? violation['field'] : undefined))
  return violatedFields.length > 0 && violatedFields.every((field) => field === 'message.token')
}

function extractMessageName({ json }: PushServiceAnswer): string | undefined {
  const name = isJsonObject(json) ? json['name'] : undefined
  return typeof name === 'string' && name !== '' ? name.slice(0, 500) : undefined
}

/** Classifies a reply of FCM to a push. */
export function classifyFcmReply(id: number, reply: PushReply): ReplyVerdict {
  const replySubject: PushReplySubject = { id, mta: FCM_MTA }
  const errorWord = reply.kind === 'answered' ? findFcmErrorCode(reply) : ''
  const serviceError = toPushServiceError(reply, errorWord)
  const transientVerdict = classifyTransientReply(replySubject, reply, { said: serviceError, isIdempotent: false })
  if (transientVerdict !== undefined || reply.kind !== 'answered')
    return transientVerdict ?? buildDeniedVerdict(replySubject, serviceError)
  const { status } = reply
  if (status < 300) {
    const name = extractMessageName(reply)
    // A success that does not name the message is not FCM's: something between us answered.
    if (name === undefined)
      return { what: 'silent', reply: `${status} without a message`, code: serviceError.code, retryAfter: undefined }
    return buildAcceptedVerdict(replySubject, name, `${status} OK`)
  }
  if (errorWord === 'UNREGISTERED' && status === 404) return buildUnregisteredVerdict(replySubject, serviceError)
  if (errorWord === 'SENDER_ID_MISMATCH' && status === 403) return buildUnregisteredVerdict(replySubject, serviceError)
  if (errorWord === 'INVALID_ARGUMENT' && status === 400 && isAboutToken(reply))
    return buildUnregisteredVerdict(replySubject, serviceError)
  // A 404 that is not about a device is about the project or the address.
  if ([401, 403, 404].includes(status)) return buildDeniedVerdict(replySubject, serviceError)
  return buildRefusedPayloadVerdict(replySubject, serviceError, status)
}
